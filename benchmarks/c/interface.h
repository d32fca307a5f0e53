/* Random games through an interface: list what is legal (or what chance can do, with its weights), choose, apply.

   Comes after a game's own Position, MOST (actions or outcomes at once), start, legal, apply and result; where chance
   acts also CHANCE and outcomes. */

void through_interface(uint64_t seed, uint64_t first, int64_t games, int32_t *returns, int32_t *lengths);

void through_interface(uint64_t seed, uint64_t first, int64_t games, int32_t *returns, int32_t *lengths)
{
    for (int64_t game = 0; game < games; game++) {
        uint64_t random = stream(seed, first + (uint64_t)game);
        int32_t offered[MOST], steps = 0;
        Position position;
        start(&position);
        while (position.actor != TERMINAL) {
#ifdef CHANCE
            if (position.actor == CHANCE) {
                int32_t weights[MOST], i = 0;
                int64_t point, total = 0;
                int many = outcomes(&position, offered, weights);
                for (int k = 0; k < many; k++)
                    total += weights[k];
                point = below(&random, (uint32_t)total);
                while ((point -= weights[i]) >= 0)
                    i++;
                apply(&position, offered[i]);
                steps++;
                continue;
            }
#endif
            int many = legal(&position, offered);
            apply(&position, offered[below(&random, (uint32_t)many)]);
            steps++;
        }
        returns[2 * game] = result(&position, 0);
        returns[2 * game + 1] = result(&position, 1);
        lengths[game] = steps;
    }
}
