"""What calls the rules of a game: one step and everything automatic after it, and random games. It does the same as
`Position.apply` and `simulate.play_game` of the readable back end, game by game.
"""

from __future__ import annotations

from aeronef.dsl import ir
from aeronef.dsl.emit.c.fields import Fields, through
from aeronef.dsl.emit.c.measures import Measures
from aeronef.dsl.emit.c.names import CNames
from aeronef.dsl.emit.c.phases import Phases
from aeronef.dsl.emit.c.statements import ROUND, Statements
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.ways import BACK, END

NOTHING, STUCK = "nothing", "stuck"
HOT = ("legal", "act", "next_of")  # what a compiler is asked to put into the loop of random games, as `pick`
DRAWN = "const Position *at, uint64_t *random, int32_t *ids, int *choices"


class Driver:
    def __init__(
        self, game: ir.Game, fields: Fields, names: CNames, statements: Statements, phases: Phases, measures: Measures
    ) -> None:  # fmt: skip
        self.game, self.fields, self.names = game, fields, names
        self.statements, self.phases, self.measures = statements, phases, measures
        self.writer = Writer()

    def text(self) -> str:
        write = self.writer
        quick = self._draws()
        write.line(f"// {'-' * 90} steps")
        write.line()
        self._switches()
        self._go()
        self._apply()
        write.line(f"// {'-' * 90} random games")
        write.line()
        self._same()
        self._watch()
        self._drawn(quick)
        self._pick()
        self._standing()
        return write.text()

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
        inline = "inline " if name in HOT else ""
        with write.block(f"static {inline}int {name or verb}({given})"):
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
        with write.block(f"static void go(Position *at, int phase{self.measures.parameter})"):
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
                    write.line(f"fail(at, {self.statements.number(ROUND)}, 0);")
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
                if self.measures:
                    with write.block("if (seen != NULL)"):
                        write.line("begins(at, phase, seen);")
                write.line("phase = enter(at, phase);")
            with write.block("if (phase != FAULTED && at->steps >= LONGEST)"):
                write.line("at->actor = TERMINAL;")
                write.line("at->cut = true;")
        write.line()

    def _apply(self) -> None:
        m = self.measures
        looked = "    if (seen != NULL) {\n        acts(at, id, seen);\n    }\n" if m else ""
        self.writer.verbatim(f"""\
// One step, and everything automatic that follows it. The action must be legal.
static void apply(Position *at, int32_t id{m.parameter}) {{
    at->steps++;
{looked}    int phase = act(at, id);
    if (phase == NO_PHASE) {{
        phase = next_of(at);
    }}
    if (phase >= 0) {{
        go(at, phase{m.argument});
    }} else if (phase == NO_PHASE && at->steps >= LONGEST) {{
        at->actor = TERMINAL;
        at->cut = true;
    }}
}}

static void start(Position *at{m.parameter}) {{
    *at = START;
    go(at, 0{m.argument});
}}
""")

    # ------------------------------------------------------------------------------ random games

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
                    with through(write, field, f"one->{name}", f"other->{name}") as (one, other):
                        apart = f"memcmp({one}.item, {other}.item, (size_t){one}.n * sizeof {one}.item[0]) != 0"
                        write.line(f"if ({one}.n != {other}.n || {apart}) {{")
                        write.line("    return false;")
                        write.line("}")
                    continue
                alike = f"one->{name} != other->{name}"
                if field.sizes or field.form == "pile" or (field.form == "set" and not self.fields.sets.one):
                    alike = f"memcmp(&one->{name}, &other->{name}, sizeof one->{name}) != 0"
                with write.block(f"if ({alike})"):
                    write.line("return false;")
            write.line("return true;")
        write.line()

    def _watch(self) -> None:
        self.writer.verbatim("""\
// A game is caught where a position comes back and every step since was forced. Brent's way: in a row of forced steps
// one position is kept, and after 1, 2, 4, ... more steps a later one in its stead.
typedef struct {
    bool kept;
    int32_t since;
    int32_t power;
    Position position;
} Watch;

// What compilers write for a copy of so many bytes is slower than the call.
static void *(*const volatile copied)(void *, const void *, size_t) = memcpy;

static inline bool caught(Watch *watch, const Position *at, int choices) {
    if (choices != 1) {
        watch->kept = false;
        return false;
    }
    if (!watch->kept) {
        watch->kept = true;
        copied(&watch->position, at, sizeof *at);
        watch->since = at->steps;
        watch->power = 1;
        return false;
    }
    if (same(at, &watch->position)) {
        return true;
    }
    const int32_t steps = at->steps - watch->since;
    if (steps == watch->power) {
        copied(&watch->position, at, sizeof *at);
        watch->since = at->steps;
        watch->power = 2 * steps;
    }
    return false;
}
""")

    def _draws(self) -> list[ir.Phase]:
        """A function for each phase of chance in which there is a quick way to something at random: which these are."""
        write, phases = self.writer, self.phases
        quick: list[ir.Phase] = []
        for phase in self.game.phases:
            if phase.kind != "chance":
                continue
            head = f"static inline int32_t {self.names['drawn', phase.name]}({DRAWN})"
            with phases.writer.aside() as lines, phases.function(head, "at", "random", "ids"):
                phases.known_to_chance(phase)
                found = phases.choices.drawn(phase)
            if found:
                if not quick:
                    write.line(f"// {'-' * 90} chance at random")
                    write.line()
                write.put(lines)
                quick.append(phase)
        return quick

    def _drawn(self, quick: list[ir.Phase]) -> None:
        write = self.writer
        write.comment("What happens at random, where there is a quick way to it; else -1.")
        with write.block(f"static inline int32_t drawn({DRAWN})"):
            if not quick:
                for part in ("at", "random", "ids", "choices"):
                    write.line(f"(void){part};")
                write.line("return -1;")
            else:
                with write.block("switch (at->phase)"):
                    for one in quick:
                        write.line(f"case {self.names['phase', one.name]}:")
                        write.line(f"    return {self.names['drawn', one.name]}(at, random, ids, choices);")
                    write.line("default:")
                    write.line("    return -1;")
        write.line()

    def _pick(self) -> None:
        self.writer.verbatim(f"""\
// The step of a random game: chance by its weights, a decision uniform over the legal actions. -1 where there is none.
static inline int32_t pick(Position *at, uint64_t *random, int32_t *ids, int64_t *weights, int *choices) {{
    if (at->actor == CHANCE) {{
        const int32_t id = drawn(at, random, ids, choices);
        if (id >= 0) {{
            return id;
        }}
        const int n = outcomes(at, ids, weights);
        int64_t total = 0;
        for (int i = 0; i < n; i++) {{
            total += weights[i];
        }}
        if (total == 0) {{
            fail(at, {self.statements.number(NOTHING)}, 0);
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
        fail(at, {self.statements.number(STUCK)}, at->actor);
        return -1;
    }}
    *choices = n;
    return ids[below(random, (uint64_t)n)];
}}

// Plays to the end; gives whether the game was caught in a round without an end.
static bool play_out(Position *at, uint64_t random, int32_t *ids, int64_t *weights{self.measures.parameter}) {{
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
        apply(at, id{self.measures.argument});
    }}
    return false;
}}
""")

    def _standing(self) -> None:
        """Ranks and returns at the end."""
        write, result = self.writer, self.game.result
        keys = len(result.rank)
        write.comment(
            "For each seat its rank: 1 for those with the best keys; all 1 where all lose. And what each player gets, "
            "where that is asked for: a part of 1, shared by the seats that rank first, or what the spec says."
        )
        with write.block("static void standing(const Position *at, int16_t *ranks, double *worth)"):
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
                if keys < 2:
                    write.line("ranks[seat] += keys[other][0] > keys[seat][0];")
                else:
                    write.line("int i = 0;")
                    with write.block(f"while (i + 1 < {keys} && keys[other][i] == keys[seat][i])"):
                        write.line("i++;")
                    write.line("ranks[seat] += keys[other][i] > keys[seat][i];")
            if result.returns is not None:
                own = "returns(at, seat)" if keys else "keys[seat][0]"
                with write.block("if (worth != NULL)"):
                    if result.parts is not None:
                        write.line("const double whole = parts(at);")
                    with write.block("for (int seat = 0; seat < PLAYERS; seat++)"):
                        write.line(f"worth[seat] = {own}{' / whole' if result.parts is not None else ''};")
            else:
                with write.block("if (worth != NULL)"):
                    write.line("int winners = 0;")
                    with write.block("for (int seat = 0; seat < SEATS; seat++)"):
                        write.line("winners += ranks[seat] == 1;")
                    lost = "done || " if result.lost is not None else ""
                    with write.block("for (int seat = 0; seat < PLAYERS; seat++)"):
                        write.line(f"worth[seat] = {lost}ranks[seat] != 1 ? 0.0 : 1.0 / winners;")
        write.line()
