/* Goofspiel for two with 13 cards by hand. Player 0 bids before player 1, who does not see it. Nobody chooses the last
   card, nor the last prize. Card c is worth c + 1. The prizes come at random, or, with DESCENDING, from 13 to 1. */

#include "splitmix.h"
#include "list.h"

#ifndef DESCENDING
#define CHANCE -1
#endif
enum { TERMINAL = -4, CARDS = 13, MOST = CARDS };

#define ALL ((1u << CARDS) - 1)

/* ------------------------------------------------------------------ through the interface */

typedef struct {
    uint16_t hand[2]; /* of each player: a set of cards */
    int8_t bid;       /* of player 0 */
    int8_t prize;
    int8_t points[2];
    int8_t actor;
#ifdef CHANCE
    uint16_t stack; /* the prizes to come: a set of cards */
#endif
} Position;

static void award(Position *at, int mine, int other)
{
    if (mine != other) {
        int winner = other > mine;
        at->points[winner] = (int8_t)(at->points[winner] + at->prize);
    }
}

#ifdef CHANCE

static void start(Position *at)
{
    *at = (Position){.hand = {ALL, ALL}, .stack = ALL, .actor = CHANCE};
}

static int outcomes(const Position *at, int32_t *found, int32_t *weights)
{
    int many = 0;
    for (uint32_t stack = at->stack; stack; stack &= stack - 1) {
        weights[many] = 1;
        found[many++] = __builtin_ctz(stack);
    }
    return many;
}

static void turn_up(Position *at, int32_t card)
{
    at->stack = (uint16_t)(at->stack & ~(1u << card));
    at->prize = (int8_t)(card + 1);
}

/* Gives whether the last prize is up. */
static int next(Position *at)
{
    at->actor = CHANCE;
    if (at->stack & (at->stack - 1u))
        return 0;
    turn_up(at, __builtin_ctz(at->stack));
    return 1;
}

#else

static void start(Position *at)
{
    *at = (Position){.hand = {ALL, ALL}, .prize = CARDS, .actor = 0};
}

static int next(Position *at)
{
    at->actor = 0;
    return --at->prize == 1;
}

#endif

static int legal(const Position *at, int32_t *actions)
{
    int many = 0;
    for (uint32_t hand = at->hand[at->actor]; hand; hand &= hand - 1)
        actions[many++] = __builtin_ctz(hand);
    return many;
}

static void apply(Position *at, int32_t action)
{
#ifdef CHANCE
    if (at->actor == CHANCE) {
        turn_up(at, action);
        at->actor = 0;
        return;
    }
#endif
    at->hand[at->actor] = (uint16_t)(at->hand[at->actor] & ~(1u << action));
    if (at->actor == 0) {
        at->bid = (int8_t)action;
        at->actor = 1;
        return;
    }
    award(at, at->bid, action);
    if (next(at)) {
        award(at, __builtin_ctz(at->hand[0]), __builtin_ctz(at->hand[1]));
        at->actor = TERMINAL;
    }
}

static int32_t result(const Position *at, int player)
{
    int mine = at->points[player], other = at->points[1 - player];
    return (mine > other) - (mine < other);
}

#include "interface.h"

/* ------------------------------------------------------------------ in one loop */

void fused(uint64_t seed, uint64_t first, int64_t games, int32_t *returns, int32_t *lengths);

void fused(uint64_t seed, uint64_t first, int64_t games, int32_t *returns, int32_t *lengths)
{
    for (int64_t game = 0; game < games; game++) {
        uint64_t random = stream(seed, first + (uint64_t)game);
        List hands[2] = {first_numbers(CARDS), first_numbers(CARDS)};
        int ahead = 0, steps = 2;
#ifdef CHANCE
        List stack = first_numbers(CARDS);
        steps = 3;
#endif
        for (uint32_t left = CARDS; left > 0; left--) {
            int prize = (int)left;
#ifdef CHANCE
            prize = take(&stack, left > 1 ? below(&random, left) : 0) + 1;
#endif
            int mine = take(&hands[0], left > 1 ? below(&random, left) : 0);
            int other = take(&hands[1], left > 1 ? below(&random, left) : 0);
            ahead += ((mine > other) - (mine < other)) * prize;
        }
        int32_t won = (ahead > 0) - (ahead < 0);
        returns[2 * game] = won;
        returns[2 * game + 1] = -won;
        lengths[game] = steps * (CARDS - 1);
    }
}
