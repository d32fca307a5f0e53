/* Leduc poker for two by hand. Cards are numbered by rank, then suit: card / 2 is the rank. */

#include <stdbool.h>
#include "splitmix.h"
#include "list.h"

#define CHANCE -1
enum { TERMINAL = -4, MOST = 6 };
enum { NONE = -1 };
enum { FOLD, CALL, RAISE };
enum { DEAL, BETTING, TURN };
enum { CARDS = 6, MOST_RAISES = 2 };

static int strength(int card, int board)
{
    return card / 2 + (board != NONE && card / 2 == board / 2 ? CARDS : 0);
}

/* What player 0 wins, and player 1 loses. */
static int32_t gain(const int8_t *hand, int board, const int8_t *paid, int folded)
{
    if (folded != NONE)
        return folded == 0 ? -paid[0] : paid[1];
    int mine = strength(hand[0], board), other = strength(hand[1], board);
    return mine > other ? paid[1] : mine < other ? -paid[0] : 0;
}

/* ------------------------------------------------------------------ through the interface */

typedef struct {
    uint8_t deck; /* a set of cards */
    int8_t hand[2], board;
    int8_t paid[2];
    int8_t folded; /* who */
    int8_t raises, to_come; /* in this round: how often, and how many are still asked */
    int8_t phase, me, actor;
} Position;

static void start(Position *at)
{
    *at = (Position){
        .deck = (1 << CARDS) - 1, .hand = {NONE, NONE}, .board = NONE, .paid = {1, 1}, .folded = NONE,
        .phase = DEAL, .me = 0, .actor = CHANCE,
    };
}

static int legal(const Position *at, int32_t *actions)
{
    int many = 0;
    if (at->paid[at->me] < at->paid[1 - at->me])
        actions[many++] = FOLD;
    actions[many++] = CALL;
    if (at->raises < MOST_RAISES)
        actions[many++] = RAISE;
    return many;
}

static int outcomes(const Position *at, int32_t *found, int32_t *weights)
{
    int many = 0;
    for (int card = 0; card < CARDS; card++)
        if (at->deck >> card & 1) {
            weights[many] = 1;
            found[many++] = card;
        }
    return many;
}

static void bet(Position *at)
{
    at->phase = BETTING;
    at->raises = 0;
    at->to_come = 2;
    at->me = at->actor = 0;
}

static void apply(Position *at, int32_t action)
{
    int me = at->me, other = 1 - me;
    switch (at->phase) {
    case DEAL:
        at->deck = (uint8_t)(at->deck & ~(1u << action));
        at->hand[me] = (int8_t)action;
        if (me == 0)
            at->me = 1;
        else
            bet(at);
        return;
    case TURN:
        at->deck = (uint8_t)(at->deck & ~(1u << action));
        at->board = (int8_t)action;
        bet(at);
        return;
    default:
        break;
    }
    at->to_come--;
    if (action == FOLD) {
        at->folded = (int8_t)me;
    } else {
        if (at->paid[me] < at->paid[other])
            at->paid[me] = at->paid[other];
        if (action == RAISE) {
            at->paid[me] = (int8_t)(at->paid[me] + (at->board == NONE ? 2 : 4));
            at->raises++;
            at->to_come = 1;
        }
    }
    if (at->folded == NONE && at->to_come > 0) {
        at->me = at->actor = (int8_t)other;
    } else if (at->folded == NONE && at->board == NONE) {
        at->phase = TURN;
        at->actor = CHANCE;
    } else {
        at->actor = TERMINAL;
    }
}

static int32_t result(const Position *at, int player)
{
    int32_t won = gain(at->hand, at->board, at->paid, at->folded);
    return player == 0 ? won : -won;
}

#include "interface.h"

/* ------------------------------------------------------------------ in one loop */

void fused(uint64_t seed, uint64_t first, int64_t games, int32_t *returns, int32_t *lengths);

void fused(uint64_t seed, uint64_t first, int64_t games, int32_t *returns, int32_t *lengths)
{
    for (int64_t game = 0; game < games; game++) {
        uint64_t random = stream(seed, first + (uint64_t)game);
        List deck = first_numbers(CARDS);
        int8_t hand[2], paid[2] = {1, 1};
        int board = NONE, folded = NONE;
        int32_t steps = 2;
        hand[0] = take(&deck, below(&random, CARDS));
        hand[1] = take(&deck, below(&random, CARDS - 1));
        for (int step = 2; step <= 4; step += 2) {
            int raises = 0, me = 0;
            for (int to_come = 2; to_come > 0; to_come--, me ^= 1) {
                int behind = paid[me] < paid[1 - me];
                int action = (behind ? FOLD : CALL) + (int)below(&random, (uint32_t)(1 + behind + (raises < MOST_RAISES)));
                steps++;
                if (action == FOLD) {
                    folded = me;
                    break;
                }
                if (behind)
                    paid[me] = paid[1 - me];
                if (action == RAISE) {
                    paid[me] = (int8_t)(paid[me] + step);
                    raises++;
                    to_come = 2;
                }
            }
            if (folded != NONE || board != NONE)
                break;
            board = take(&deck, below(&random, CARDS - 2));
            steps++;
        }
        int32_t won = gain(hand, board, paid, folded);
        returns[2 * game] = won;
        returns[2 * game + 1] = -won;
        lengths[game] = steps;
    }
}
