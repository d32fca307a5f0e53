/* A list of small numbers in order, out of which any can be taken. */

#include <stdint.h>
#include <string.h>

enum { LONGEST = 16 };

typedef struct {
    int8_t items[2 * LONGEST]; /* as far as they reach; behind them whatever there is */
} List;

static inline List first_numbers(int many)
{
    List made = {{0}};
    for (int i = 0; i < many; i++)
        made.items[i] = (int8_t)i;
    return made;
}

/* Always as many are moved: that is quicker than to count. */
static inline int8_t take(List *from, uint32_t place)
{
    int8_t taken = from->items[place];
    memmove(from->items + place, from->items + place + 1, LONGEST - 1);
    return taken;
}
