/* Goofspiel where the prizes come from 13 to 1. */

#define DESCENDING
#include "goofspiel.c"
