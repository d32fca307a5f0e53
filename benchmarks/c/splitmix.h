/* Random numbers as everywhere in this project: docs/formats.md, "Random games". */

#include <stdint.h>

#define GAMMA UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The state of the generator of one game of a seed. */
static inline uint64_t stream(uint64_t seed, uint64_t game)
{
    return mix(mix(seed + GAMMA) + (game + 1) * GAMMA);
}

/* A uniform number from 0 to n - 1, for n >= 1; of one there is nothing to draw. */
static inline uint32_t below(uint64_t *state, uint32_t n)
{
    uint64_t x;
    if (n == 1)
        return 0;
    do
        x = mix(*state += GAMMA);
    while (x >= UINT64_C(0xFFFFFFFF00000000) && x > UINT64_MAX - (UINT64_C(0) - n) % n);
    return (uint32_t)(x % n);
}
