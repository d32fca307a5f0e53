/* Goofspiel for two with 13 cards by hand: the prizes fall from 13 to 1, and player 0 bids before player 1, who does
   not see it. Nobody chooses the last card. Card c is worth c + 1. */

#include "splitmix.h"
#include "list.h"

enum { TERMINAL = -4, CARDS = 13, MOST = CARDS };

#define ALL ((1u << CARDS) - 1)

/* ------------------------------------------------------------------ through the interface */

typedef struct {
    uint16_t hand[2]; /* of each player: a set of cards */
    int8_t bid;       /* of player 0 */
    int8_t prize;
    int8_t points[2];
    int8_t actor;
} Position;

static void start(Position *at)
{
    *at = (Position){.hand = {ALL, ALL}, .prize = CARDS, .actor = 0};
}

static int legal(const Position *at, int32_t *actions)
{
    int many = 0;
    for (uint32_t hand = at->hand[at->actor]; hand; hand &= hand - 1)
        actions[many++] = __builtin_ctz(hand);
    return many;
}

static void award(Position *at, int mine, int other)
{
    if (mine != other) {
        int winner = other > mine;
        at->points[winner] = (int8_t)(at->points[winner] + at->prize);
    }
    at->prize--;
}

static void apply(Position *at, int32_t action)
{
    at->hand[at->actor] = (uint16_t)(at->hand[at->actor] & ~(1u << action));
    if (at->actor == 0) {
        at->bid = (int8_t)action;
        at->actor = 1;
        return;
    }
    award(at, at->bid, action);
    at->actor = 0;
    if (at->prize == 1) {
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
        int ahead = 0;
        for (int prize = CARDS; prize > 0; prize--) {
            int mine = take(&hands[0], prize > 1 ? below(&random, (uint32_t)prize) : 0);
            int other = take(&hands[1], prize > 1 ? below(&random, (uint32_t)prize) : 0);
            ahead += ((mine > other) - (mine < other)) * prize;
        }
        int32_t won = (ahead > 0) - (ahead < 0);
        returns[2 * game] = won;
        returns[2 * game + 1] = -won;
        lengths[game] = 2 * (CARDS - 1);
    }
}
