"""What calls the rules of a game: one step and everything automatic after it, random games, and what other programs
call. It does the same as `Position.apply` and `simulate.play_game` of the readable back end, game by game.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.fields import Field, Fields
from aeronef.dsl.emit.c.names import CNames
from aeronef.dsl.emit.c.phases import Phases
from aeronef.dsl.emit.c.statements import Statements
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.plan.nodes import ABSENT, FULL, NO_DIE, RANGE, TAKEN
from aeronef.dsl.plan.nodes import Fail as Fault
from aeronef.dsl.ways import BACK, END

NOTHING, ROUND, STUCK = "nothing", "round", "stuck"
MESSAGES = {
    ABSENT: "a card is moved from a zone that does not hold it",
    TAKEN: "a second card is moved to a zone that holds one",
    NO_DIE: "a die is taken from a zone where none shows this face",
    ROUND: "the phases go round without anybody to act",
    NOTHING: "chance is to act, and nothing can happen",
}


class Driver:
    def __init__(
        self, game: ir.Game, source: str, fields: Fields, names: CNames, statements: Statements, phases: Phases
    ) -> None:  # fmt: skip
        self.game, self.source, self.fields, self.names = game, source, fields, names
        self.statements, self.phases = statements, phases
        self.writer = Writer()

    def text(self) -> str:
        write = self.writer
        write.line(f"// {'-' * 90} steps")
        write.line()
        self._switches()
        self._go()
        self._apply()
        write.line(f"// {'-' * 90} random games")
        write.line()
        self._same()
        self._watch()
        self._pick()
        self._standing()
        write.line(f"// {'-' * 90} for other programs")
        write.line()
        self._faults()
        self._dump()
        self._calls()
        return write.text()

    def number(self, kind: str) -> int:
        """The number of a fault that has no line."""
        faults = self.statements.faults
        fault = Fault(kind, None)
        if fault not in faults:
            faults.append(fault)
        return faults.index(fault) + 1

    def lines(self, text: str) -> None:
        """Text that is the same in all files."""
        for line in text.rstrip("\n").split("\n"):
            depth = (len(line) - len(line.lstrip())) // 4
            self.writer.lines.append((depth, line.lstrip()))
        self.writer.line()

    # ------------------------------------------------------------------------------ steps

    def _switches(self) -> None:
        acting = [p for p in self.game.phases if p.kind != "automatic"]
        self._switch("enter", "Position *at, int phase", "phase", list(self.game.phases), "at", "FAULTED")
        self._switch("next", "Position *at", "at->phase", acting, "at", "FAULTED", "next_of")
        asked = [p for p in acting if p.kind != "chance"]
        chance = [p for p in acting if p.kind == "chance"]
        self.writer.comment("The ids of the legal actions, ascending, and how many there are.")
        self._switch("legal", "Position *at, int32_t *ids", "at->phase", asked, "at, ids", "0", "legal")
        self.writer.comment("The ids of what can happen, ascending, each with its weight; and how many there are.")
        self._switch("chance", "const Position *at, int32_t *ids, int64_t *weights", "at->phase", chance,
                     "at, ids, weights", "0", "outcomes")  # fmt: skip
        self._switch("apply", "Position *at, int32_t id", "at->phase", acting, "at, id", "FAULTED", "act")

    def _switch(
        self, verb: str, given: str, phase: str, phases: list[ir.Phase], args: str, other: str, name: str = ""
    ) -> None:  # fmt: skip
        write = self.writer
        with write.block(f"static int {name or verb}({given})"):
            if not phases:
                for part in args.split(", "):
                    write.line(f"(void){part};")
                write.line(f"return {other};")
            else:
                with write.block(f"switch ({phase})"):
                    for one in phases:
                        function = self.names[verb, one.name]
                        write.line(f"case {self.names['phase', one.name]}:")
                        write.line(f"    return {function}({args});")
                    write.line("default:")
                    write.line(f"    return {other};")
        write.line()

    def _go(self) -> None:
        write, names = self.writer, self.names
        write.comment("Enters a phase, and the ones after it, until somebody is to act or the game is over.")
        with write.block("static void go(Position *at, int phase)"):
            with write.block("for (int hops = 0; phase >= 0; hops++)"):
                with write.block(f"if (phase == {names['phase', END]})"):
                    write.line(f"at->phase = {names['phase', END]};")
                    write.line("at->actor = TERMINAL;")
                    write.line("at->me = NOBODY;")
                    write.line("at->queue_n = 0;")
                    if self.fields.back_most:
                        write.line("at->back_n = 0;")
                    write.line("return;")
                with write.block("if (hops == MOST_HOPS)"):
                    write.line(f"fail(at, {self.number(ROUND)}, 0);")
                    write.line("return;")
                if self.fields.back_most:
                    with write.block(f"if (phase == {names['phase', BACK]})"):
                        write.comment("The phase that was set aside goes on as if its action had just ended.")
                        write.line("const Aside *aside = &at->back[--at->back_n];")
                        write.line("at->phase = aside->phase;")
                        write.line("at->me = aside->me;")
                        write.line("at->began = aside->began;")
                        write.line("at->queue_n = aside->queue_n;")
                        write.line("memcpy(at->queue, aside->queue, sizeof at->queue);")
                        write.line("phase = next_of(at);")
                        write.line("continue;")
                write.line("at->phase = (int16_t)phase;")
                write.line("at->began = at->steps;")
                write.line("phase = enter(at, phase);")
            with write.block("if (phase != FAULTED && at->steps >= LONGEST)"):
                write.line("at->actor = TERMINAL;")
                write.line("at->cut = true;")
        write.line()

    def _apply(self) -> None:
        self.lines("""\
// One step, and everything automatic that follows it. The action must be legal.
static void apply(Position *at, int32_t id) {
    at->steps++;
    int phase = act(at, id);
    if (phase == NO_PHASE) {
        phase = next_of(at);
    }
    if (phase >= 0) {
        go(at, phase);
    } else if (phase == NO_PHASE && at->steps >= LONGEST) {
        at->actor = TERMINAL;
        at->cut = true;
    }
}

static void start(Position *at) {
    *at = START;
    go(at, 0);
}
""")

    # ------------------------------------------------------------------------------ random games

    @contextmanager
    def _parts(self, field: Field, *sides: str) -> Iterator[list[str]]:
        """Loops through the parts of a field, and each part of these positions."""
        write = self.writer
        name = self.names.fields[field.place.name]
        texts = [f"{side}->{name}" for side in sides]
        for i, size in enumerate(field.sizes):
            write.line(f"for (int i{i} = 0; i{i} < {size}; i{i}++) {{")
            write.depth += 1
            texts = [f"{text}[i{i}]" for text in texts]
        yield texts
        for _ in field.sizes:
            write.depth -= 1
            write.line("}")

    def _same(self) -> None:
        write = self.writer
        write.comment("Whether two positions are the same but for counts, which no rule reads, and numbers of steps.")
        with write.block("static bool same(const Position *one, const Position *other)"):
            write.line("if (one->phase != other->phase || one->actor != other->actor || one->me != other->me ||")
            write.line("        one->queue_n != other->queue_n ||")
            write.line("        memcmp(one->queue, other->queue, (size_t)one->queue_n * sizeof one->queue[0]) != 0) {")
            write.line("    return false;")
            write.line("}")
            if self.fields.row_most:
                write.line("if (one->row_n != other->row_n ||")
                write.line("        memcmp(one->row, other->row, (size_t)one->row_n * sizeof one->row[0]) != 0) {")
                write.line("    return false;")
                write.line("}")
            if self.fields.back_most:
                with write.block("if (one->back_n != other->back_n)"):
                    write.line("return false;")
                with write.block("for (int i = 0; i < one->back_n; i++)"):
                    write.line("const Aside *a = &one->back[i], *b = &other->back[i];")
                    write.line("if (a->phase != b->phase || a->me != b->me || a->guest != b->guest || ")
                    write.line("        a->queue_n != b->queue_n ||")
                    write.line("        memcmp(a->queue, b->queue, (size_t)a->queue_n * sizeof a->queue[0]) != 0) {")
                    write.line("    return false;")
                    write.line("}")
            for field in self.fields.all.values():
                name = self.names.fields[field.place.name]
                if field.form == "count":
                    continue
                if field.form in ("line", "sorted"):
                    with self._parts(field, "one", "other") as (one, other):
                        apart = f"memcmp({one}.item, {other}.item, (size_t){one}.n * sizeof {one}.item[0]) != 0"
                        write.line(f"if ({one}.n != {other}.n || {apart}) {{")
                        write.line("    return false;")
                        write.line("}")
                    continue
                alike = f"one->{name} != other->{name}"
                if field.sizes or field.form == "pile":
                    alike = f"memcmp(&one->{name}, &other->{name}, sizeof one->{name}) != 0"
                with write.block(f"if ({alike})"):
                    write.line("return false;")
            write.line("return true;")
        write.line()

    def _watch(self) -> None:
        self.lines("""\
// A game is caught where a position comes back and every step since was forced. Brent's way: in a row of forced steps
// one position is kept, and after 1, 2, 4, ... more steps a later one in its stead.
typedef struct {
    bool kept;
    int32_t since;
    int32_t power;
    Position position;
} Watch;

static bool caught(Watch *watch, const Position *at, int choices) {
    if (choices != 1) {
        watch->kept = false;
        return false;
    }
    if (!watch->kept) {
        watch->kept = true;
        watch->position = *at;
        watch->since = at->steps;
        watch->power = 1;
        return false;
    }
    if (same(at, &watch->position)) {
        return true;
    }
    const int32_t steps = at->steps - watch->since;
    if (steps == watch->power) {
        watch->position = *at;
        watch->since = at->steps;
        watch->power = 2 * steps;
    }
    return false;
}
""")

    def _pick(self) -> None:
        self.lines(f"""\
// The step of a random game: chance by its weights, a decision uniform over the legal actions. -1 where there is none.
static int32_t pick(Position *at, uint64_t *random, int32_t *ids, int64_t *weights, int *choices) {{
    if (at->actor == CHANCE) {{
        const int n = outcomes(at, ids, weights);
        int64_t total = 0;
        for (int i = 0; i < n; i++) {{
            total += weights[i];
        }}
        if (total == 0) {{
            fail(at, {self.number(NOTHING)}, 0);
            return -1;
        }}
        *choices = n;
        int64_t point = (int64_t)below(random, (uint64_t)total);
        int i = 0;
        while (i + 1 < n && (point -= weights[i]) >= 0) {{
            i++;
        }}
        return ids[i];
    }}
    const int n = legal(at, ids);
    if (at->fault != 0) {{
        return -1;
    }}
    if (n == 0) {{
        fail(at, {self.number(STUCK)}, at->actor);
        return -1;
    }}
    *choices = n;
    return ids[below(random, (uint64_t)n)];
}}

// Plays to the end; gives whether the game was caught in a round without an end.
static bool play_out(Position *at, uint64_t random, int32_t *ids, int64_t *weights) {{
    Watch watch;
    watch.kept = false;
    while (at->actor != TERMINAL && at->fault == 0) {{
        int choices = 0;
        const int32_t id = pick(at, &random, ids, weights, &choices);
        if (at->fault != 0) {{
            break;
        }}
        if (caught(&watch, at, choices)) {{
            at->actor = TERMINAL;
            at->cut = true;
            return true;
        }}
        apply(at, id);
    }}
    return false;
}}
""")

    def _standing(self) -> None:
        """Ranks and returns at the end."""
        write, result = self.writer, self.game.result
        keys = len(result.rank)
        write.comment("For each seat its rank: 1 for those with the best keys; all 1 where all lose.")
        with write.block("static void ranking(const Position *at, int16_t *ranks)"):
            write.line("bool done = false;")
            if result.lost is not None:
                write.line("done = lost(at);")
            write.line(f"int keys[SEATS][{max(keys, 1)}];")
            with write.block("for (int seat = 0; seat < SEATS; seat++)"):
                write.line("rank(at, seat, keys[seat]);" if keys else "keys[seat][0] = returns(at, seat);")
                write.line("ranks[seat] = 1;")
            with (
                write.block("for (int seat = 0; !done && seat < SEATS; seat++)"),
                write.block("for (int other = 0; other < SEATS; other++)"),
            ):
                write.line("int i = 0;")
                with write.block(f"while (i + 1 < {max(keys, 1)} && keys[other][i] == keys[seat][i])"):
                    write.line("i++;")
                with write.block("if (keys[other][i] > keys[seat][i])"):
                    write.line("ranks[seat]++;")
        write.line()
        write.comment("What each player gets: a part of 1, shared by the seats that rank first, or what the spec says.")
        with write.block("static void worths(const Position *at, double *worth)"):
            if result.returns is not None:
                with write.block("for (int seat = 0; seat < PLAYERS; seat++)"):
                    by_parts = " / (double)parts(at)" if result.parts is not None else ""
                    write.line(f"worth[seat] = returns(at, seat){by_parts};")
            else:
                write.line("int16_t ranks[SEATS];")
                write.line("int winners = 0;")
                write.line("ranking(at, ranks);")
                with write.block("for (int seat = 0; seat < SEATS; seat++)"):
                    write.line("winners += ranks[seat] == 1;")
                lost = "lost(at) || " if result.lost is not None else ""
                with write.block("for (int seat = 0; seat < PLAYERS; seat++)"):
                    write.line(f"worth[seat] = {lost}ranks[seat] != 1 ? 0.0 : 1.0 / winners;")
        write.line()

    # ------------------------------------------------------------------------------ for other programs

    def _faults(self) -> None:
        write = self.writer
        write.comment("Where the rules can break, by number; the first is none.")
        with write.block("static const struct { const char *place, *says; int low, high; } FAULTS[] =", "};"):
            write.line('{"", "", 0, 0},')
            for fault in self.statements.faults:
                place = self.source if fault.span is None else f"{fault.span.file}:{fault.span.line}"
                if fault.kind == RANGE:
                    says = '"%d is not within %d..%d"'
                elif fault.kind == FULL:
                    says = f'"%d dice come to lie in a zone that holds {fault.high}"'
                elif fault.kind == STUCK:
                    says = '"seat %d is to act, and no action is legal"'
                else:
                    says = f'"{MESSAGES[fault.kind]}"'
                write.line(f"{{{_quoted(place)}, {says}, {fault.low}, {fault.high}}},")
        write.line()

    def _dump(self) -> None:
        """All that a position holds as numbers in a fixed order: first what every position has, then part by part."""
        write = self.writer
        write.comment("All that a position holds, as numbers: phase, actor, me, steps, whether it was cut, the queue; "
                      "then zone by zone and variable by variable, each part with its cards or values, of several with "
                      "their number before them. None is INT32_MIN. Gives how many numbers there are.")  # fmt: skip
        with write.block("API int aeronef_dump(const Position *at, int32_t *out)"):
            write.line("int n = 0;")
            for name in ("phase", "actor", "me", "steps", "cut", "queue_n"):
                write.line(f"out[n++] = at->{name};")
            with write.block("for (int i = 0; i < at->queue_n; i++)"):
                write.line("out[n++] = at->queue[i];")
            for field in self.fields.all.values():
                with self._parts(field, "at") as (part,):
                    self._dumped(field, part)
            write.line("return n;")
        write.line()
        with write.block("API int aeronef_dump_most(void)"):
            write.line(f"return {self._dump_most()};")
        write.line()

    def _dumped(self, field: Field, part: str) -> None:
        write = self.writer
        match field.form:
            case "count":
                write.line(f"out[n++] = (int32_t){part};")
            case "set" | "bits":
                write.line(f"out[n++] = __builtin_popcountll({part});")
                with write.block(f"for (uint64_t bits = {part}; bits != 0; bits &= bits - 1)"):
                    write.line("out[n++] = __builtin_ctzll(bits) + SET_LOW;")
            case "pile":
                assert isinstance(field.place, ir.Zone)
                write.line(f"out[n++] = {part}.n;")
                kinds = self.names["kinds", field.place.card]
                with (
                    write.block(f"for (int card = 0; card < {kinds}; card++)"),
                    write.block(f"for (int k = 0; k < {part}.of[card]; k++)"),
                ):
                    write.line("out[n++] = card;")
            case "line" | "sorted":
                write.line(f"out[n++] = {part}.n;")
                with write.block(f"for (int k = 0; k < {part}.n; k++)"):
                    write.line(f"out[n++] = {part}.item[k];")
            case "scalar" if isinstance(field.place, ir.Variable) and not t.may_be_none(field.place.type):
                write.line(f"out[n++] = {part};")
            case _:
                write.line(f"out[n++] = {part} == NONE ? INT32_MIN : {part};")

    def _dump_most(self) -> int:
        found = 6 + self.fields.queue_most
        for field in self.fields.all.values():
            most = 1
            if field.form in ("set", "bits"):
                most = 65
            elif isinstance(field.place, ir.Zone) and field.form != "slot":
                most = 1 + self.fields.holds(field.place)
            found += most * len(list(field.parts))
        return found

    def _calls(self) -> None:
        self.lines("""\
API size_t aeronef_position_size(void) {
    return sizeof(Position);
}

// How many ids actions and outcomes can have at once, for the arrays that others hand in.
API int aeronef_ids_most(void) {
    return IDS_MOST;
}

API int aeronef_actor(const Position *at) {
    return at->actor;
}

// The start of a game, after what happens by itself. Not 0 where the rules broke.
API int aeronef_start(Position *at) {
    start(at);
    return at->fault;
}

API int aeronef_legal(Position *at, int32_t *ids) {
    return at->actor < 0 || at->fault != 0 ? 0 : legal(at, ids);
}

API int aeronef_outcomes(const Position *at, int32_t *ids, int64_t *weights) {
    return at->actor != CHANCE || at->fault != 0 ? 0 : outcomes(at, ids, weights);
}

// One step, which must be one of those that are legal, or can happen. Not 0 where the rules broke.
API int aeronef_apply(Position *at, int32_t id) {
    apply(at, id);
    return at->fault;
}

API void aeronef_ranking(const Position *at, int16_t *ranks) {
    ranking(at, ranks);
}

API void aeronef_returns(const Position *at, double *worth) {
    worths(at, worth);
}

// How the rules broke, in words, and where.
API const char *aeronef_fault(const Position *at, char *message, size_t size) {
    // An argument that a text has no place for is ignored.
    const int number = at->fault;
    snprintf(message, size, FAULTS[number].says, (int)at->fault_value, FAULTS[number].low, FAULTS[number].high);
    return FAULTS[number].place;
}

// Random games first ... first + n - 1 of a seed. Of each: what the players get, the ranks of the seats, how many steps
// it had, whether it was cut, whether in a round without an end, and the phase in which it ended. Gives how many games
// ended; where these are not all, the rules broke in the next, and `broken` is where it stood; -1 without memory.
API int64_t aeronef_playouts(
        uint64_t seed, uint64_t first, int64_t n, double *returns_, int16_t *ranks, int32_t *lengths, bool *cut,
        bool *endless, int16_t *phases, Position *broken) {
    int32_t *ids = malloc(IDS_MOST * sizeof *ids);
    int64_t *weights = malloc(IDS_MOST * sizeof *weights);
    int64_t k = ids == NULL || weights == NULL ? -1 : 0;
    while (k >= 0 && k < n) {
        Position at;
        start(&at);
        const bool ends = !play_out(&at, stream(seed, first + (uint64_t)k), ids, weights);
        if (at.fault != 0) {
            *broken = at;
            break;
        }
        lengths[k] = at.steps;
        cut[k] = at.cut;
        endless[k] = !ends;
        phases[k] = at.phase;
        ranking(&at, &ranks[k * SEATS]);
        for (int seat = 0; seat < PLAYERS; seat++) {
            returns_[k * PLAYERS + seat] = 0.0;
        }
        if (!at.cut) {
            worths(&at, &returns_[k * PLAYERS]);
        }
        k++;
    }
    free(ids);
    free(weights);
    return k;
}
""")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?") + '"'
