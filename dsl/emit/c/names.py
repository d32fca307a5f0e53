"""C names for what a spec names: close to the spec's own, and never one that something else has already."""

from __future__ import annotations

import re

from aeronef.dsl import ir
from aeronef.dsl.emit.expressions import capitals, places
from aeronef.dsl.emit.names import Locals, Names
from aeronef.dsl.ways import BACK, END


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


KEYWORDS = _words(
    "auto bool break case char const continue default do double else enum extern false float for goto if inline int",
    "long register restrict return short signed sizeof static struct switch true typedef typeof union unsigned void",
    "volatile while asm constexpr nullptr alignas alignof thread_local static_assert main",
)
# Of the headers that a file includes, and what compilers know by themselves.
LIBRARY = _words(
    "NULL EOF memcpy memmove memset memcmp strlen snprintf printf abs labs llabs div rand srand exit abort atexit",
    "malloc calloc realloc free qsort bsearch system index rindex round floor ceil log exp pow sqrt sin cos tan gamma",
    "j0 j1 jn y0 y1 yn fmin fmax rint trunc signal time clock remove rename link linux unix i386 errno stdin stdout",
    "stderr getenv select read write open close pipe wait send accept bind connect listen puts putc getc putchar",
    "getchar fork kill nice pause sleep alarm access dup brk sync times stat random initstate ffs bcopy bcmp bzero",
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t UINT64_C",
    "BUFSIZ EOF EXIT_FAILURE EXIT_SUCCESS L_tmpnam MB_CUR_MAX SEEK_CUR SEEK_END SEEK_SET offsetof P_tmpdir",
)
# Limits of types and files, of which each system has its own: none is a name of ours.
LIMIT = re.compile(r"(U?INT|SIZE|PTRDIFF|SIG_ATOMIC|WCHAR|WINT|RAND|TMP|FOPEN|FILENAME)[A-Z0-9_]*_(MAX|MIN|C|WIDTH)")
# What files have of themselves (a test compares), and what the functions of phases are given.
PRELUDE = _words(
    "Position List Set Aside Watch FAULTS NONE NOBODY CHANCE TERMINAL NO_PHASE FAULTED SEATS PLAYERS LONGEST",
    "LIST_MOST QUEUE_MOST BACK_MOST ROW_MOST IDS_MOST MOST_HOPS SET_LOW API START bit has lowest highest size_of least",
    "greatest absolute floor_div floor_mod left right clockwise otherwise push listed list_has add_id Some",
    "hold some_from some_first some_next HELD_MOST SOME_MOST insert_up insert_down fail go enter next_of legal",
    "outcomes apply act start mix below stream pick drawn play_out same copied random choices point caught rank",
    "standing lost returns parts first_of last_of visit visitor queue_next queue_push row_next around at ids weights",
    "n id key seat asked Seen seen MEASURES MEASURE_KEYS begins acts ends in out randoms settle ACTIONS BROKEN told",
    "keep observe amid SHOWN_SIZE SHOWN_PHASES board_value board_put board_mark SET_WORDS set_put set_joined",
    "set_more set_next set_same",
)
# What every position has beside zones and variables.
KEPT = _words("phase actor me queue queue_n back back_n began cut steps fault fault_value row row_n")
FILE = KEYWORDS | LIBRARY | PRELUDE


class FileNames(Names):
    """Names of a file. None ends in a line, so that locals can step aside by one."""

    def of(self, key: object, wish: str) -> str:
        if key not in self.given:
            stem = re.sub(r"[^A-Za-z0-9_]", "_", wish).strip("_") or "x"
            stem = f"x{stem}" if stem[0].isdigit() else stem
            name, number = stem, 1
            while name in self.taken or LIMIT.fullmatch(name):
                number += 1
                name = f"{stem}_{number}"
            self.taken.add(name)
            self.given[key] = name
        return self.given[key]


class CNames:
    """How the names of one game are spelt in its file."""

    def __init__(self, game: ir.Game) -> None:
        self.game = game
        self.given = FileNames(set(FILE))
        self.fields = Names(set(KEYWORDS | KEPT))
        self._fixed()
        self.local = Locals(set(FILE) | set(self.given.given.values()))

    def _fixed(self) -> None:
        game, given = self.game, self.given
        for place in places(game):
            self.fields.of(place.name, place.name)
            given.of(("sees", place.name), f"sees_{place.name}")
            for what in ("SHOWN", "PLACES", "MEASURES"):
                given.of((what, place.name), f"{what}_OF_{capitals(place.name)}")
        for name, values in self.enums().items():
            for value in values:
                once = sum(value in others for others in self.enums().values()) == 1
                given.of(("value", name, value), capitals(value if once else f"{name}_{value}"))
        for phase in (*(p.name for p in game.phases), END, BACK):
            given.of(("phase", phase), f"PHASE_{capitals(phase)}")
        for card in game.cards:
            given.of(("pile", card.name), f"{card.name}Pile")
            given.of(("line", card.name), f"{card.name}Line")
            given.of(("kinds", card.name), f"{capitals(card.name)}_KINDS")
            for verb in ("take", "put", "lay", "pull", "slip"):
                given.of((verb, card.name), f"{verb}_{card.name}".lower())
            attributes = [n for c in game.cards for n, _ in c.attributes]
            for name, _ in card.attributes:
                wish = name if attributes.count(name) == 1 else f"{card.name}_{name}"
                given.of(("attribute", card.name, name), f"{capitals(wish)}_OF")
                given.of(("attribute or none", card.name, name), f"{wish}_of".lower())
            for kind in card.kinds:
                given.of(("card", card.name, kind.label), capitals(f"{card.name}_{kind.label}"))
        for dice in game.dice:
            given.of(("line", dice.name), f"{dice.name}Line")
            for verb in ("lay", "pull", "slip"):
                given.of((verb, dice.name), f"{verb}_{dice.name}".lower())
        for table in game.tables:
            given.of(("facts", table.name), capitals(table.name))
        for define in game.defines:
            given.of(("define", define.name), define.name)
        for phase_ in game.phases:
            for verb in ("enter", "asked", "ask", "next", "legal", "chance", "drawn", "choices", "completes",
                         "apply"):  # fmt: skip
                given.of((verb, phase_.name), f"{verb}_{phase_.name}")
            for action in phase_.actions:
                given.of(("do", phase_.name, action.key), f"do_{phase_.name}_{action.key}")
                role = "outcome" if phase_.kind == "chance" else "action"
                given.of(("id", role, action.key), f"{'OUTCOME' if role == 'outcome' else 'ID'}_{capitals(action.key)}")
                for i, p in enumerate(action.params):
                    wish = capitals(f"{action.key}_{p.name}")
                    given.of(("place", role, action.key, i), f"{wish}_PLACE")
                    for what in ("values", "from", "next", "weights"):
                        given.of((what, role, action.key, i), f"{wish}_{what.upper()}")

        for i, measure in enumerate(game.measures):
            for j, moment in enumerate(measure.moments):
                given.of(("observe", i, j), f"observe_{i}_{j}" if len(measure.moments) > 1 else f"observe_{i}")
                for k in range(len(moment.over)):
                    given.of(("key", i, j, k), f"OBSERVE_{i}_{j}_KEY_{k}")

    def enums(self) -> dict[str, tuple[str, ...]]:
        return dict(self.game.enums)

    def __getitem__(self, key: object) -> str:
        return self.given[key]
