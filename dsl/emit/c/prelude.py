"""What every C file can need and no game is known to: random numbers, sets, lists, whole numbers as Python has them.

Only what a file uses is written into it, so that a compiler has no unused function to warn of.
"""

from __future__ import annotations

import re

# In order; each is needed where one of its names is used.
PIECES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("floor_div",), """\
// As Python divides: down, and the remainder has the divisor's sign.
static inline int floor_div(int a, int b) {
    const int quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
"""),
    (("floor_mod", "left", "right"), """\
static inline int floor_mod(int a, int b) {
    const int remainder = a % b;
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}
"""),
    (("left",), """\
static inline int left(int seat, int steps) {
    return floor_mod(seat + steps, SEATS);
}
"""),
    (("right",), """\
static inline int right(int seat, int steps) {
    return floor_mod(seat - steps, SEATS);
}
"""),
    (("clockwise",), """\
// Of the players from a seat on, clockwise, the one at this place.
static inline int clockwise(int seat, int place) {
    return seat >= PLAYERS ? place : (seat + place) % PLAYERS;
}
"""),
    (("least",), """\
static inline int least(int a, int b) {
    return a < b ? a : b;
}
"""),
    (("greatest",), """\
static inline int greatest(int a, int b) {
    return a > b ? a : b;
}
"""),
    (("absolute",), """\
static inline int absolute(int a) {
    return a < 0 ? -a : a;
}
"""),
    (("otherwise",), """\
static inline int otherwise(int value, int fallback) {
    return value == NONE ? fallback : value;
}
"""),
    (("bit", "has", "lowest", "highest", "size_of", "Set"), """\
// A set has a bit for each value, from SET_LOW on.
typedef uint64_t Set;
"""),
    (("bit",), """\
static inline Set bit(int value) {
    return UINT64_C(1) << (value - SET_LOW);
}
"""),
    (("has",), """\
static inline bool has(Set set, int value) {
    return value >= SET_LOW && value < SET_LOW + 64 && (set >> (value - SET_LOW) & 1) != 0;
}
"""),
    (("lowest",), """\
// The least value of a set that is not empty.
static inline int lowest(Set set) {
    return __builtin_ctzll(set) + SET_LOW;
}
"""),
    (("highest",), """\
// The greatest value of a set that is not empty.
static inline int highest(Set set) {
    return 63 - __builtin_clzll(set) + SET_LOW;
}
"""),
    (("size_of",), """\
static inline int size_of(Set set) {
    return __builtin_popcountll(set);
}
"""),
    (("board_value",), """\
// What a part of a board holds, of so many values from the least on.
static inline int board_value(const uint64_t *rows, int values, int low, int place) {
    for (int row = 0; row < values; row++) {
        if ((rows[row] >> place & 1) != 0) {
            return low + row;
        }
    }
    return NONE;
}
"""),
    (("board_put",), """\
// A part of a board gets the value of a row, and loses that which it has.
static inline void board_put(uint64_t *rows, int many, int row, int place) {
    const uint64_t part = UINT64_C(1) << place;
    for (int i = 0; i < many; i++) {
        rows[i] &= ~part;
    }
    rows[row] |= part;
}
"""),
    (("board_mark",), """\
static inline void board_mark(uint64_t *row, bool value, int place) {
    *row = (*row & ~(UINT64_C(1) << place)) | (uint64_t)value << place;
}
"""),
    (("List", "push", "insert_up", "insert_down", "listed", "list_has", "first_of", "last_of"), """\
typedef struct {
    int n;
    int item[LIST_MOST];
} List;
"""),
    (("push",), """\
static inline void push(List *list, int value) {
    if (list->n < LIST_MOST) {
        list->item[list->n++] = value;
    }
}
"""),
    (("insert_up",), """\
// Into a list that is kept by its keys, behind equal ones.
static void insert_up(List *list, List *keys, int value, int key) {
    if (list->n == LIST_MOST) {
        return;
    }
    int place = list->n++;
    keys->n++;
    for (; place > 0 && keys->item[place - 1] > key; place--) {
        list->item[place] = list->item[place - 1];
        keys->item[place] = keys->item[place - 1];
    }
    list->item[place] = value;
    keys->item[place] = key;
}
"""),
    (("insert_down",), """\
// Into a list that is kept by its keys, the highest first, behind equal ones.
static void insert_down(List *list, List *keys, int value, int key) {
    if (list->n == LIST_MOST) {
        return;
    }
    int place = list->n++;
    keys->n++;
    for (; place > 0 && keys->item[place - 1] < key; place--) {
        list->item[place] = list->item[place - 1];
        keys->item[place] = keys->item[place - 1];
    }
    list->item[place] = value;
    keys->item[place] = key;
}
"""),
    (("Some", "hold", "some_first", "some_next"), """\
// Goes through all lists of `size` of what is held, each once, all in the order of their places. `next` has for each
// part of a list and each value what follows: the place of a list that is whole, or a longer part; or -1.
typedef struct {
    const int32_t *next;
    int width;
    int size;
    int n;
    int held[HELD_MOST];   // ascending
    int after[HELD_MOST];  // where the next other value is
    int at[SOME_MOST];
    int32_t part[SOME_MOST];
} Some;
"""),
    (("hold",), """\
static inline void hold(Some *some, int value) {
    int place = some->n++;
    for (; place > 0 && some->held[place - 1] > value; place--) {
        some->held[place] = some->held[place - 1];
    }
    some->held[place] = value;
}
"""),
    (("some_from", "some_first", "some_next"), """\
static inline int32_t some_from(Some *some, int depth, int i) {
    for (;;) {
        if (i > some->n - (some->size - depth)) {
            if (depth == 0) {
                return -1;
            }
            i = some->after[some->at[--depth]];
            continue;
        }
        const int32_t next = some->next[some->part[depth] * some->width + some->held[i]];
        if (next < 0) {
            i = some->after[i];
            continue;
        }
        some->at[depth] = i;
        if (depth + 1 == some->size) {
            return next;
        }
        some->part[++depth] = next;
        i++;
    }
}
"""),
    (("some_first",), """\
// The place of the first list; -1 where there is none.
static int32_t some_first(Some *some, int size, const int32_t *next, int width) {
    some->next = next;
    some->width = width;
    some->size = size;
    for (int i = some->n - 1; i >= 0; i--) {
        some->after[i] = i + 1 < some->n && some->held[i + 1] == some->held[i] ? some->after[i + 1] : i + 1;
    }
    if (size == 0) {
        return 0;
    }
    some->part[0] = size - 1;
    return some_from(some, 0, 0);
}
"""),
    (("some_next",), """\
static inline int32_t some_next(Some *some) {
    return some->size == 0 ? -1 : some_from(some, some->size - 1, some->after[some->at[some->size - 1]]);
}
"""),
    (("listed",), """\
// The values of a row of a table: their number stands before them.
static inline List listed(const int16_t *row) {
    List list = {row[0], {0}};
    for (int i = 0; i < list.n; i++) {
        list.item[i] = row[i + 1];
    }
    return list;
}
"""),
    (("list_has",), """\
static inline bool list_has(const List *list, int value) {
    for (int i = 0; i < list->n; i++) {
        if (list->item[i] == value) {
            return true;
        }
    }
    return false;
}
"""),
    (("first_of",), """\
static inline int first_of(const List *list) {
    return list->n > 0 ? list->item[0] : NONE;
}
"""),
    (("last_of",), """\
static inline int last_of(const List *list) {
    return list->n > 0 ? list->item[list->n - 1] : NONE;
}
"""),
    (("add_id",), """\
// Among ids that ascend, each once.
static int add_id(int32_t *ids, int n, int32_t id) {
    int place = n;
    while (place > 0 && ids[place - 1] > id) {
        place--;
    }
    if (place > 0 && ids[place - 1] == id) {
        return n;
    }
    memmove(&ids[place + 1], &ids[place], (size_t)(n - place) * sizeof ids[0]);
    ids[place] = id;
    return n + 1;
}
"""),
)  # fmt: skip

# What works on positions; after their type, before the phases.
KERNEL: tuple[tuple[tuple[str, ...], str], ...] = (
    (("fail",), """\
// The rules broke: which fault, and the value that caused it.
static int fail(Position *at, int fault, int value) {
    at->fault = (int16_t)fault;
    at->fault_value = value;
    return FAULTED;
}
"""),
    (("queue_push", "around"), """\
static inline void queue_push(Position *at, int seat) {
    if (at->queue_n < QUEUE_MOST) {
        at->queue[at->queue_n++] = (int8_t)seat;
    }
}
"""),
    (("queue_next",), """\
// The next of those who are still to act, who is no longer one of them.
static inline int8_t queue_next(Position *at) {
    const int8_t seat = at->queue[0];
    at->queue_n--;
    for (int i = 0; i < at->queue_n; i++) {
        at->queue[i] = at->queue[i + 1];
    }
    return seat;
}
"""),
    (("row_next",), """\
// The first entry of a row is answered.
static inline void row_next(Position *at) {
    if (at->row_n > 0) {
        at->row_n--;
        memmove(&at->row[0], &at->row[1], (size_t)at->row_n * sizeof at->row[0]);
    }
}
"""),
    (("around",), """\
// These seats are to act, clockwise from the left of one, which comes last or is left out.
static void around(Position *at, Set seats, int seat, bool itself) {
    at->queue_n = 0;
    for (int i = 1; i < SEATS + itself; i++) {
        const int other = (seat + i) % SEATS;
        if (has(seats, other)) {
            queue_push(at, other);
        }
    }
}
"""),
    (("visit",), """\
// Sets the phase at hand aside for a detour, of a seat.
static void visit(Position *at, int guest) {
    Aside *aside = &at->back[at->back_n++];
    aside->phase = at->phase;
    aside->me = at->me;
    aside->guest = (int8_t)guest;
    aside->began = at->began;
    aside->queue_n = at->queue_n;
    memcpy(aside->queue, at->queue, sizeof aside->queue);
}
"""),
    (("visitor",), """\
// The seat that the detour at hand is of.
static inline int visitor(const Position *at) {
    return at->back[at->back_n - 1].guest;
}
"""),
)  # fmt: skip

RANDOM = """\
// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), with a stream of its own for each game of each seed.
static inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline uint64_t stream(uint64_t seed, uint64_t game) {
    const uint64_t gamma = UINT64_C(0x9E3779B97F4A7C15);
    return mix(mix(seed + gamma) + (game + 1) * gamma);
}

// A uniform number from 0 to n - 1. Where n is 1 nothing is drawn.
static inline uint64_t below(uint64_t *state, uint64_t n) {
    if (n == 1) {
        return 0;
    }
    for (;;) {
        const uint64_t x = mix(*state += UINT64_C(0x9E3779B97F4A7C15));
        // The limit exceeds 2^64 - n, so nearly every draw passes without working it out.
        if (x < UINT64_MAX - n || x <= UINT64_MAX - (0 - n) % n) {
            return x % n;
        }
    }
}
"""


# Of sets of several words, in place of those of one.
WIDE: tuple[tuple[tuple[str, ...], str], ...] = (
    (("bit", "has", "lowest", "size_of", "set_put", "set_joined", "set_more", "set_next", "set_same", "Set"), """\
// A set has a bit for each value, from SET_LOW on.
typedef struct {
    uint64_t word[SET_WORDS];
} Set;
"""),
    (("set_put", "bit"), """\
static inline void set_put(Set *set, int value) {
    set->word[(value - SET_LOW) / 64] |= UINT64_C(1) << ((value - SET_LOW) % 64);
}
"""),
    (("bit",), """\
static inline Set bit(int value) {
    Set set = {{0}};
    set_put(&set, value);
    return set;
}
"""),
    (("has",), """\
static inline bool has(Set set, int value) {
    const int place = value - SET_LOW;
    return place >= 0 && place < SET_WORDS * 64 && (set.word[place / 64] >> (place % 64) & 1) != 0;
}
"""),
    (("lowest",), """\
// The least value of a set that is not empty.
static inline int lowest(Set set) {
    int i = 0;
    while (set.word[i] == 0) {
        i++;
    }
    return i * 64 + __builtin_ctzll(set.word[i]) + SET_LOW;
}
"""),
    (("size_of",), """\
static inline int size_of(Set set) {
    int n = 0;
    for (int i = 0; i < SET_WORDS; i++) {
        n += __builtin_popcountll(set.word[i]);
    }
    return n;
}
"""),
    (("set_joined",), """\
static inline Set set_joined(Set one, Set other) {
    for (int i = 0; i < SET_WORDS; i++) {
        one.word[i] |= other.word[i];
    }
    return one;
}
"""),
    (("set_same",), """\
static inline bool set_same(Set one, Set other) {
    return memcmp(&one, &other, sizeof one) == 0;
}
"""),
    (("set_more",), """\
// Whether anything is in it.
static inline bool set_more(const Set *set) {
    for (int i = 0; i < SET_WORDS; i++) {
        if (set->word[i] != 0) {
            return true;
        }
    }
    return false;
}
"""),
    (("set_next",), """\
// Without its least value.
static inline void set_next(Set *set) {
    int i = 0;
    while (set->word[i] == 0) {
        i++;
    }
    set->word[i] &= set->word[i] - 1;
}
"""),
)  # fmt: skip


def pieces(one: bool) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Those of a file whose sets are of one word, or of several."""
    if one:
        return PIECES
    narrow = {"bit", "has", "lowest", "size_of"}
    first = next(i for i, (names, _) in enumerate(PIECES) if "Set" in names)
    return (*PIECES[:first], *WIDE, *(piece for piece in PIECES[first + 1 :] if not narrow & set(piece[0])))


def pieces_for(text: str, pieces: tuple[tuple[tuple[str, ...], str], ...] = PIECES) -> str:
    """The pieces that a file's text uses, and those that they use themselves."""
    used: list[str] = []
    text = _code(text)
    for names, piece in reversed(pieces):
        if any(re.search(rf"\b{name}\b", text) for name in names):
            used.insert(0, piece)
            text += _code(piece)
    return "\n".join(piece.rstrip("\n") + "\n" for piece in used)


def _code(text: str) -> str:
    """Without its comments."""
    return re.sub(r"//.*", "", text)


def cards(kind: str, pile: str, kinds: str, verbs: dict[str, str], used: str) -> str:
    """The type of zones that count cards of a kind, and what moves their cards, as far as a file's text uses them."""
    pieces = (
        (pile, f"""\
// Of each {kind} so many, and how many in all.
typedef struct {{
    int16_t n;
    int16_t of[{kinds}];
}} {pile};
"""),
        (verbs["take"], f"""\
static inline bool {verbs["take"]}({pile} *zone, int card) {{
    if (card < 0 || zone->of[card] == 0) {{
        return false;
    }}
    zone->of[card]--;
    zone->n--;
    return true;
}}
"""),
        (verbs["put"], f"""\
static inline void {verbs["put"]}({pile} *zone, int card) {{
    zone->of[card]++;
    zone->n++;
}}
"""),
    )  # fmt: skip
    return _used(pieces, used)


def line(kind: str, name: str, most: int, verbs: dict[str, str], used: str) -> str:
    """The type of zones that are rows, and what changes them."""
    pieces = (
        (name, f"""\
// A row of {kind}.
typedef struct {{
    int16_t n;
    int16_t item[{most}];
}} {name};
"""),
        (verbs["pull"], f"""\
// The first such one, out of a row.
static bool {verbs["pull"]}({name} *row, int item) {{
    for (int i = 0; i < row->n; i++) {{
        if (row->item[i] == item) {{
            row->n--;
            memmove(&row->item[i], &row->item[i + 1], (size_t)(row->n - i) * sizeof row->item[0]);
            return true;
        }}
    }}
    return false;
}}
"""),
        (verbs["lay"], f"""\
// To the end of a row.
static inline void {verbs["lay"]}({name} *row, int item) {{
    if (row->n < {most}) {{
        row->item[row->n++] = (int16_t)item;
    }}
}}
"""),
        (verbs["slip"], f"""\
// Into a row that ascends.
static void {verbs["slip"]}({name} *row, int item) {{
    if (row->n < {most}) {{
        int place = row->n++;
        for (; place > 0 && row->item[place - 1] > item; place--) {{
            row->item[place] = row->item[place - 1];
        }}
        row->item[place] = (int16_t)item;
    }}
}}
"""),
    )  # fmt: skip
    return _used(pieces, used)


def _used(pieces: tuple[tuple[str, str], ...], used: str) -> str:
    return "\n".join(piece for name, piece in pieces if re.search(rf"\b{name}\b", _code(used)))
