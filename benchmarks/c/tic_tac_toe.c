/* Tic-tac-toe by hand. Cells are numbered row by row from 0, and so are the actions that mark them. */

#include <stdbool.h>
#include "splitmix.h"
#include "list.h"

enum { TERMINAL = -4, MOST = 9 };

#define FULL 0777u

static bool three(uint32_t marks)
{
    return (marks & marks >> 1 & marks >> 2 & 0111) || (marks & marks >> 3 & marks >> 6 & 0007) ||
           (marks & 0421) == 0421 || (marks & 0124) == 0124;
}

/* ------------------------------------------------------------------ through the interface */

typedef struct {
    uint16_t marks[2]; /* of each player: a set of cells */
    int8_t actor;
} Position;

static void start(Position *at)
{
    *at = (Position){.actor = 0};
}

static int legal(const Position *at, int32_t *actions)
{
    int many = 0;
    for (uint32_t empty = FULL & ~(uint32_t)(at->marks[0] | at->marks[1]); empty; empty &= empty - 1)
        actions[many++] = __builtin_ctz(empty);
    return many;
}

static void apply(Position *at, int32_t action)
{
    at->marks[at->actor] = (uint16_t)(at->marks[at->actor] | 1u << action);
    if (three(at->marks[at->actor]) || (at->marks[0] | at->marks[1]) == FULL)
        at->actor = TERMINAL;
    else
        at->actor ^= 1;
}

static int32_t result(const Position *at, int player)
{
    return three(at->marks[player]) - three(at->marks[1 - player]);
}

#include "interface.h"

/* ------------------------------------------------------------------ in one loop */

void fused(uint64_t seed, uint64_t first, int64_t games, int32_t *returns, int32_t *lengths);

void fused(uint64_t seed, uint64_t first, int64_t games, int32_t *returns, int32_t *lengths)
{
    for (int64_t game = 0; game < games; game++) {
        uint64_t random = stream(seed, first + (uint64_t)game);
        List empty = first_numbers(9);
        uint32_t marks[2] = {0, 0};
        int32_t steps = 0, won = 0;
        while (steps < 9 && !won) {
            int me = steps & 1;
            marks[me] |= 1u << take(&empty, below(&random, (uint32_t)(9 - steps)));
            steps++;
            if (three(marks[me]))
                won = me ? -1 : 1;
        }
        returns[2 * game] = won;
        returns[2 * game + 1] = -won;
        lengths[game] = steps;
    }
}
