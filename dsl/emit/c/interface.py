"""What other programs call of a game's C file: a position as numbers and back, steps, random games, batches."""

from __future__ import annotations

import textwrap

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.boards import Board
from aeronef.dsl.emit.c.driver import NOTHING, STUCK
from aeronef.dsl.emit.c.fields import Field, Fields, indices, through
from aeronef.dsl.emit.c.masks import put_in, row_of
from aeronef.dsl.emit.c.measures import Measures
from aeronef.dsl.emit.c.names import CNames
from aeronef.dsl.emit.c.observe import Observations
from aeronef.dsl.emit.c.sets import BITS
from aeronef.dsl.emit.c.statements import ROUND, Statements
from aeronef.dsl.emit.c.writer import Writer, quoted
from aeronef.dsl.plan.nodes import ABSENT, FULL, NO_DIE, RANGE, TAKEN
from aeronef.dsl.ways import END

HEAD = ("phase", "actor", "me", "steps", "cut", "began")
ASIDE = ("phase", "me", "began", "guest")
MESSAGES = {
    ABSENT: "a card is moved from a zone that does not hold it",
    TAKEN: "a second card is moved to a zone that holds one",
    NO_DIE: "a die is taken from a zone where none shows this face",
    ROUND: "the phases go round without anybody to act",
    NOTHING: "chance is to act, and nothing can happen",
}


class Interface:
    def __init__(
        self, source: str, fields: Fields, names: CNames, statements: Statements, measures: Measures,
        observations: Observations, layout: str,
    ) -> None:  # fmt: skip
        self.source, self.fields, self.names = source, fields, names
        self.loses = fields.game.result.lost is not None
        self.statements, self.measures, self.layout = statements, measures, layout
        self.observations = observations
        self.writer = Writer()

    def text(self) -> str:
        self.writer.line(f"// {'-' * 90} for other programs")
        self.writer.line()
        self._faults()
        self._layout()
        self._dump()
        self._restore()
        self._calls()
        return self.writer.text()

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
                write.line(f"{{{quoted(place)}, {says}, {fault.low}, {fault.high}}},")
        write.line()

    def _layout(self) -> None:
        """A text for who loads the file: how a dump's numbers are meant."""
        write = self.writer
        lines = textwrap.wrap(self.layout, 100, break_long_words=True, drop_whitespace=False, replace_whitespace=False)
        write.comment("How the numbers of a dump are meant, as JSON.")
        with write.block("API const char *aeronef_layout(void)"):
            write.line("return")
            for line in lines:
                write.line(f"    {quoted(line)}")
            write.line("    ;")
        write.line()

    def _dump(self) -> None:
        """All that a position holds as numbers in a fixed order: first what every position has, then part by part."""
        write = self.writer
        write.comment(
            "All that a position holds, as numbers: phase, actor, me, steps, whether it was cut, began; then, each "
            "with its length before it, the queue, the row, and the phases that are set aside (phase, me, began, "
            "guest, queue); then zone by zone and variable by variable, each part with its cards or values, of several "
            "with their number before them; a count as two halves. None is INT32_MIN. Gives how many numbers there are."
        )
        with write.block("API int aeronef_dump(const Position *at, int32_t *out)"):
            write.line("int n = 0;")
            for name in HEAD:
                write.line(f"out[n++] = at->{name};")
            self._dumped_row("at->queue_n", "at->queue")
            if self.fields.row_most:
                self._dumped_row("at->row_n", "at->row")
            else:
                write.line("out[n++] = 0;")
            if self.fields.back_most:
                write.line("out[n++] = at->back_n;")
                with write.block("for (int i = 0; i < at->back_n; i++)"):
                    write.line("const Aside *aside = &at->back[i];")
                    for name in ASIDE:
                        write.line(f"out[n++] = aside->{name};")
                    self._dumped_row("aside->queue_n", "aside->queue", "k")
            else:
                write.line("out[n++] = 0;")
            for field in self.fields.all.values():
                with through(write, field, f"at->{self.names.fields[field.place.name]}") as (part,):
                    self._dumped(field, part)
            write.line("return n;")
        write.line()
        with write.block("API int aeronef_dump_most(void)"):
            write.line(f"return {self._dump_most()};")
        write.line()

    def _dumped_row(self, many: str, items: str, i: str = "i") -> None:
        write = self.writer
        write.line(f"out[n++] = {many};")
        with write.block(f"for (int {i} = 0; {i} < {many}; {i}++)"):
            write.line(f"out[n++] = {items}[{i}];")

    def _restore(self) -> None:
        """The inverse of a dump. Who calls it may have put the numbers together by hand."""
        write = self.writer
        write.comment(
            "The position of which a dump gave these numbers, each row with as many as its length says. Gives whether "
            "they can be a position's: nothing is written beyond where it belongs."
        )
        with write.block("API bool aeronef_restore(Position *at, const int32_t *in)"):
            write.line("*at = START;")
            for name in HEAD:
                width = {"steps": "int32_t", "began": "int32_t", "phase": "int16_t", "cut": "bool"}.get(name, "int8_t")
                if name in ("actor", "me"):
                    self._refused(f"*in < {'TERMINAL' if name == 'actor' else 'NOBODY'} || *in >= SEATS")
                if name == "phase":
                    self._refused(f"*in < 0 || *in > {self.names['phase', END]}")
                write.line(f"at->{name} = ({width})*in++;")
            self._restored_row("at->queue_n", "at->queue", "int8_t", "QUEUE_MOST", bounds=("0", "SEATS - 1"))
            if self.fields.row_most:
                self._restored_row("at->row_n", "at->row", self.fields.row_width, "ROW_MOST")
            else:
                self._refused("*in++ != 0")
            if self.fields.back_most:
                self._refused("*in < 0 || *in > BACK_MOST")
                write.line("at->back_n = (int8_t)*in++;")
                with write.block("for (int i = 0; i < at->back_n; i++)"):
                    write.line("Aside *aside = &at->back[i];")
                    for name in ASIDE:
                        width = {"began": "int32_t", "phase": "int16_t"}.get(name, "int8_t")
                        if name in ("me", "guest"):
                            self._refused("*in < NOBODY || *in >= SEATS")
                        if name == "phase":
                            self._refused(f"*in < 0 || *in >= {self.names['phase', END]}")
                        write.line(f"aside->{name} = ({width})*in++;")
                    self._restored_row(
                        "aside->queue_n", "aside->queue", "int8_t", "QUEUE_MOST", "k", ("0", "SEATS - 1")
                    )
            else:
                self._refused("*in++ != 0")
            for field in self.fields.all.values():
                name = f"at->{self.names.fields[field.place.name]}"
                if field.board is not None:
                    self._restored_board(field, field.board, name)
                    continue
                with through(write, field, name) as (part,):
                    self._restored(field, part)
            write.line("(void)in;")
            write.line("return true;")
        write.line()

    def _refused(self, test: str) -> None:
        with self.writer.block(f"if ({test})"):
            self.writer.line("return false;")

    def _restored_row(
        self, many: str, items: str, width: str, most: str, i: str = "i", bounds: tuple[object, object] | None = None
    ) -> None:
        write = self.writer
        self._refused(f"*in < 0 || *in > {most}")
        write.line(f"{many} = ({self.fields.queue_width if width == 'int8_t' else 'int16_t'})*in++;")
        with write.block(f"for (int {i} = 0; {i} < {many}; {i}++)"):
            if bounds is not None:
                self._refused(f"*in < {bounds[0]} || *in > {bounds[1]}")
            write.line(f"{items}[{i}] = ({width})*in++;")

    def _restored(self, field: Field, part: str) -> None:
        write, place = self.writer, field.place
        match field.form:
            case "count":
                write.comment("Its high half comes first.")
                write.line(f"{part} = (int64_t)((uint64_t)(uint32_t)in[0] << 32 | (uint32_t)in[1]);")
                write.line("in += 2;")
            case "set" | "bits":
                sets = self.fields.sets
                write.line(sets.empty(part))
                self._refused(f"*in < 0 || *in > {sets.words * BITS}")
                with write.block("for (int left = *in++; left > 0; left--)"):
                    self._refused(f"*in < SET_LOW || *in > SET_LOW + {sets.words * BITS - 1}")
                    one = f"{part} |= UINT64_C(1) << (*in++ - SET_LOW);"
                    write.line(one if sets.one else sets.put(part, "*in++"))
            case "pile":
                assert isinstance(place, ir.Zone)
                write.line(f"memset(&{part}, 0, sizeof {part});")
                self._refused(f"*in < 0 || *in > {self.fields.holds(place)}")
                write.line(f"{part}.n = (int16_t)*in++;")
                with write.block(f"for (int k = 0; k < {part}.n; k++)"):
                    self._refused(f"*in < 0 || *in >= {self.names['kinds', place.card]}")
                    write.line(f"{part}.of[*in++]++;")
            case "line" | "sorted":
                assert isinstance(place, ir.Zone)
                bounds = self.fields.bounds(place.face if place.face is not None else place.holding)
                most = str(self.fields.holds(place))
                self._restored_row(f"{part}.n", f"{part}.item", "int16_t", most, "k", bounds)
            case _:
                kind = place.type if isinstance(place, ir.Variable) else place.holding
                value = self._restored_value(kind, isinstance(place, ir.Variable) and not t.may_be_none(kind))
                write.line(f"{part} = ({self.fields.width(kind)}){value};")
                write.line("in++;")

    def _restored_value(self, kind: t.Type, sure: bool) -> str:
        """A number that is a value, which is none if it is not `sure` that it is not."""
        low, high = self.fields.bounds(kind)
        self._refused(f"{'' if sure else '*in != INT32_MIN && '}(*in < {low} || *in > {high})")
        return "*in" if sure else "(*in == INT32_MIN ? NONE : *in)"

    def _restored_board(self, field: Field, board: Board, name: str) -> None:
        assert isinstance(field.place, ir.Variable)
        with indices(self.writer, field) as found:
            value = self._restored_value(field.place.type, not board.none)
            self.writer.line(f"const int value = {value};")
            row = row_of(board, "value", board.none)
            self.writer.line(put_in(board, name, field.place_of(found), row))
            self.writer.line("in++;")

    def _dumped(self, field: Field, part: str) -> None:
        write = self.writer
        match field.form:
            case "count":
                write.line(f"out[n++] = (int32_t)({part} >> 32);")
                write.line(f"out[n++] = (int32_t)(uint32_t){part};")
            case "set" | "bits":
                if not self.fields.sets.one:
                    write.line(f"out[n++] = size_of({part});")
                    with write.block(self.fields.sets.through("bits", part)):
                        write.line("out[n++] = lowest(bits);")
                    return
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
            case "scalar" | "board" if isinstance(field.place, ir.Variable) and not t.may_be_none(field.place.type):
                write.line(f"out[n++] = {part};")
            case _:
                write.line(f"out[n++] = {part} == NONE ? INT32_MIN : {part};")

    def _dump_most(self) -> int:
        queue = 1 + self.fields.queue_most
        found = len(HEAD) + queue + 1 + self.fields.row_most + 1 + self.fields.back_most * (len(ASIDE) + queue)
        for field in self.fields.all.values():
            most = 1
            if field.form == "count":
                most = 2
            elif field.form in ("set", "bits"):
                most = 1 + self.fields.sets.words * BITS
            elif isinstance(field.place, ir.Zone) and field.form != "slot":
                most = 1 + self.fields.holds(field.place)
            found += most * len(list(field.parts))
        return found

    def _calls(self) -> None:
        m = self.measures
        head = "".join(f"    out[{i}] = at->{name};\n" for i, name in enumerate(HEAD))
        self.writer.verbatim(f"""\
API size_t aeronef_position_size(void) {{
    return sizeof(Position);
}}

// How much room for ids and weights the arrays have to have that others hand in.
API int aeronef_ids_most(void) {{
    return IDS_MOST;
}}

// What every position has: phase, actor, me, steps, whether it was cut, and at which step its phase began.
API void aeronef_head(const Position *at, int32_t *out) {{
{head}}}

// Whether nothing tells two positions apart but counts, which no rule reads, and numbers of steps.
API bool aeronef_same(const Position *one, const Position *other) {{
    return same(one, other);
}}

// How many numbers tell what a player may know.
API int aeronef_shown(void) {{
    return SHOWN_SIZE;
}}

// What a player may know, or (-1) all that there is, as numbers; amid a choice together by where that began (`frozen`).
API void aeronef_observe(const Position *at, const Position *frozen, int player, float *out) {{
    observe(at, frozen, player, out);
}}

// The start of a game, after what happens by itself. Gives who acts; BROKEN where the rules broke.
API int aeronef_start(Position *at) {{
    start(at{m.nobody});
    return at->fault != 0 ? BROKEN : at->actor;
}}

// The ids of what is legal, ascending, and how many; BROKEN where the rules broke on the way.
API int aeronef_legal(Position *at, int32_t *ids) {{
    const int n = at->actor < 0 || at->fault != 0 ? 0 : legal(at, ids);
    return at->fault != 0 ? BROKEN : n;
}}

API int aeronef_outcomes(const Position *at, int32_t *ids, int64_t *weights) {{
    return at->actor != CHANCE || at->fault != 0 ? 0 : outcomes(at, ids, weights);
}}

// One step, which must be one of those that are legal, or can happen. Gives who acts then, as `aeronef_start`.
API int aeronef_apply(Position *at, int32_t id) {{
    apply(at, id{m.nobody});
    return at->fault != 0 ? BROKEN : at->actor;
}}

// The rank of each seat.
API void aeronef_ranking(const Position *at, int16_t *ranks) {{
    standing(at, ranks, NULL);
}}

// What each player gets, of a game that was not cut.
API void aeronef_returns(const Position *at, double *worth) {{
    int16_t ranks[SEATS];
    standing(at, ranks, worth);
}}

// How the rules broke, in words, and where.
API const char *aeronef_fault(const Position *at, char *message, size_t size) {{
    // An argument that a text has no place for is ignored.
    const int number = at->fault;
    snprintf(message, size, FAULTS[number].says, (int)at->fault_value, FAULTS[number].low, FAULTS[number].high);
    return FAULTS[number].place;
}}
""")
        self._playouts()
        self._batches()

    def _playouts(self) -> None:
        m = self.measures
        arrays, begins, ends, seen = "", "", "", ""
        lost = "!lost(&at) && " if self.loses else ""
        if m:
            arrays = ", int64_t **numbers, int64_t **totals"
            seen = ", numbers == NULL ? NULL : &seen"
            begins = """\
        Seen seen;
        for (int i = 0; numbers != NULL && i < MEASURES; i++) {
            seen.number[i] = &numbers[i][k * MEASURE_KEYS[i]];
            seen.total[i] = &totals[i][k * MEASURE_KEYS[i]];
        }
"""
            ends = """\
        if (numbers != NULL && !at.cut) {
            ends(&at, &seen);
        }
"""
        told = (
            "\n// Of each measure the numbers of observations and their totals, zeros before; or nothing." if m else ""
        )
        self.writer.verbatim(f"""\
// Random games first ... first + n - 1 of a seed. Of each: what the players get, the ranks of the seats, who won,
// how many steps it had, whether it was cut, whether in a round without an end, and the phase in which it ended. Gives
// how many games ended; where these are not all, the rules broke in the next, and `broken` is where it stood; -1
// without memory.{told}
API int64_t aeronef_playouts(
        uint64_t seed, uint64_t first, int64_t n, double *returns_, int16_t *ranks, bool *winners,
        int32_t *lengths, bool *cut, bool *endless, int16_t *phases, Position *broken{arrays}) {{
    int32_t *ids = malloc(IDS_MOST * sizeof *ids);
    int64_t *weights = malloc(IDS_MOST * sizeof *weights);
    int64_t k = ids == NULL || weights == NULL ? -1 : 0;
    while (k >= 0 && k < n) {{
        Position at;
{begins}        start(&at{seen});
        const bool ends_ = !play_out(&at, stream(seed, first + (uint64_t)k), ids, weights{seen});
        if (at.fault != 0) {{
            *broken = at;
            break;
        }}
        lengths[k] = at.steps;
        cut[k] = at.cut;
        endless[k] = !ends_;
        phases[k] = at.phase;
        for (int seat = 0; seat < PLAYERS; seat++) {{
            returns_[k * PLAYERS + seat] = 0.0;
        }}
        standing(&at, &ranks[k * SEATS], at.cut ? NULL : &returns_[k * PLAYERS]);
        for (int seat = 0; seat < SEATS; seat++) {{
            winners[k * SEATS + seat] = !at.cut && {lost}ranks[k * SEATS + seat] == 1;
        }}
{ends}        k++;
    }}
    free(ids);
    free(weights);
    return k;
}}
""")

    def _batches(self) -> None:
        m = self.measures
        self.writer.verbatim(f"""\
// Chance acts, until a seat is to act, or the game is over, or the rules broke.
static void settle(Position *at, uint64_t *random, int32_t *ids, int64_t *weights) {{
    int choices;
    while (at->actor == CHANCE && at->fault == 0) {{
        const int32_t id = pick(at, random, ids, weights, &choices);
        if (at->fault == 0) {{
            apply(at, id{m.nobody});
        }}
    }}
}}

// What of a state others want to know at once: who acts, and for each action whether it is legal. A game whose rules
// broke is over, and cut.
static void told(Position *at, int32_t *ids, int8_t *actor, bool *mask) {{
    memset(mask, 0, ACTIONS * sizeof *mask);
    const int n = at->actor < 0 || at->fault != 0 ? 0 : legal(at, ids);
    for (int i = 0; i < n; i++) {{
        mask[ids[i]] = true;
    }}
    if (n == 0 && at->actor >= 0 && at->fault == 0) {{
        fail(at, {self.statements.number(STUCK)}, at->actor);
    }}
    if (at->fault != 0) {{
        at->actor = TERMINAL;
        at->cut = true;
        memset(mask, 0, ACTIONS * sizeof *mask);
    }}
    *actor = at->actor;
}}

// In `frozen` (if it is not NULL) there is of each state the position at the beginning of its phase.
static void keep(const Position *at, Position *frozen, int64_t k) {{
    if (frozen != NULL && at->began == at->steps) {{
        frozen[k] = *at;
    }}
}}

// Of n states those that are told to begin (of game games[k] of the seed), or, where none is told to, a decision in
// each that is not over, which must be legal; up to the next decision. Gives the first state in which the rules broke
// (the others have moved), or n; -1 without memory.
API int64_t aeronef_batch(
        int64_t n, uint64_t seed, const int64_t *games, const bool *begins, const int32_t *actions, Position *states,
        uint64_t *randoms, int8_t *actors, bool *masks, Position *frozen) {{
    int32_t *ids = malloc(IDS_MOST * sizeof *ids);
    int64_t *weights = malloc(IDS_MOST * sizeof *weights);
    int64_t broken = ids == NULL || weights == NULL ? -1 : n;
    for (int64_t k = 0; broken >= 0 && k < n; k++) {{
        if (begins != NULL ? !begins[k] : states[k].actor < 0) {{
            continue;
        }}
        if (begins != NULL) {{
            randoms[k] = stream(seed, (uint64_t)games[k]);
            start(&states[k]{m.nobody});
        }} else {{
            apply(&states[k], actions[k]{m.nobody});
        }}
        settle(&states[k], &randoms[k], ids, weights);
        told(&states[k], ids, &actors[k], &masks[k * ACTIONS]);
        keep(&states[k], frozen, k);
        broken = states[k].fault != 0 && broken == n ? k : broken;
    }}
    free(ids);
    free(weights);
    return broken;
}}

// Of n states what a player may know, or (-1) all that there is, or (-2) what who acts may know, of nobody zeros: one
// after the other, SHOWN_SIZE numbers each.
API void aeronef_batch_observe(int64_t n, int player, const Position *states, const Position *frozen, float *out) {{
    for (int64_t k = 0; k < n; k++) {{
        const int who = player == -2 ? states[k].actor : player;
        if (player == -2 && who < 0) {{
            memset(&out[k * SHOWN_SIZE], 0, SHOWN_SIZE * sizeof *out);
        }} else {{
            observe(&states[k], frozen == NULL ? NULL : &frozen[k], who, &out[k * SHOWN_SIZE]);
        }}
    }}
}}

// Of n states what their players get (of those that are not over or were cut: 0), how many steps each had, and whether
// it was cut.
API void aeronef_batch_results(int64_t n, const Position *states, double *returns_, int32_t *lengths, bool *cut) {{
    for (int64_t k = 0; k < n; k++) {{
        lengths[k] = states[k].steps;
        cut[k] = states[k].cut;
        for (int seat = 0; seat < PLAYERS; seat++) {{
            returns_[k * PLAYERS + seat] = 0.0;
        }}
        if (states[k].actor == TERMINAL && !states[k].cut) {{
            int16_t ranks[SEATS];
            standing(&states[k], ranks, &returns_[k * PLAYERS]);
        }}
    }}
}}
""")
