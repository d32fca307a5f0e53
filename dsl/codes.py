"""Every diagnostic code, in one place: `aeronef explain CODE` and the docs are made from this table.

AE1xx the file, AE2xx its structure, AE3xx the spelling of a text, AE4xx names, AE5xx types and ranges,
AE6xx rules of the language, AE7xx findings: a spec that compiles, and is worth a look; AE8xx overlays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Code:
    """`wrong` and `right` are a few lines of a spec each."""

    id: str
    level: Literal["error", "finding"]
    title: str
    explanation: str
    wrong: str
    right: str


PLAYED = ("AE710",)  # what only play finds: the compiler alone does not know it
DEEP = ("AE711", "AE712", "AE713", "AE714", "AE715", "AE716", "AE717", "AE718", "AE719", "AE720", "AE721")
# what only `check --deep` looks for
IN_PLAY = (*PLAYED, *DEEP)


def _table(*codes: Code) -> dict[str, Code]:
    return {code.id: code for code in codes}


CODES: dict[str, Code] = _table(
    Code("AE101", "error", "unreadable file", "A spec is one UTF-8 text file of reasonable size.",
         "game: caf\\xe9", "game: cafe"),
    Code("AE102", "error", "not YAML",
         "The file's layout is broken before its rules are looked at. Most often a text needs quotes: inside { } YAML "
         "reads , : [ ] itself, and everywhere a colon followed by a space starts a value. Indent with spaces.",
         "do: {x[me] := 1}", 'do: "x[me] := 1"'),
    Code("AE103", "error", "not one document", "A spec file holds exactly one YAML document.",
         "game: a\n---\ngame: b", "game: a"),
    Code("AE104", "error", "YAML beyond a spec",
         "Anchors, aliases, merge keys, tags, keys that are no words and very deep nesting are not part of a spec: "
         "what is said twice gets a name under `define:`.", "a: &x [1]\nb: *x", "define: {x: 1}"),
    Code("AE105", "error", "written twice", "A key may stand once in its mapping; YAML would silently keep the last.",
         "says: one\nsays: two", "says: two"),
    Code("AE106", "error", "missing file",
         "A file that the spec names cannot be read. It is looked for beside the spec.",
         "clauses: nowhere.yaml", "clauses: my_game.clauses.yaml"),
    Code("AE201", "error", "unknown key", "The structure of a spec is fixed (`dsl/schema.json` describes it).",
         "plyers: 2..4", "players: 2..4"),
    Code("AE202", "error", "missing key", "Something that every spec must say is not said.",
         "game: x", "game: x\nplayers: 2"),
    Code("AE203", "error", "wrong kind of value",
         "A text stands where a list or a mapping belongs, or the other way round.",
         "phases: deal", "phases: {deal: …}"),
    Code("AE301", "error", "cannot be read", "The text is not an expression or an effect of the rule language.",
         "do: score = 1", "do: score := 1"),
    Code("AE302", "error", "too long", "A text is limited in length and depth, so that every spec compiles quickly.",
         "((((((((…))))))))", "define: {part: …}"),
    Code("AE303", "error", "indentation",
         "Lines of one block start in one column; blocks inside are further in, by spaces.",
         "if a:\n    x := 1\n  y := 2", "if a:\n  x := 1\n  y := 2"),
    Code("AE401", "error", "unknown name", "Nothing of this name is declared, or it has no meaning at this place.",
         "heigt[me] := 1", "height[me] := 1"),
    Code("AE402", "error", "ambiguous name", "Two types have a value of this name; say whose is meant.",
         "let x = round", "let x = Shape.round"),
    Code("AE403", "error", "name taken",
         "A name means one thing in the whole spec, and none of the language's own words. Only a word of a type may be "
         "called as a variable, zone, option or type of cards is, and a variable as an option is.",
         "vars: {hand: …}\nzones: {hand: …}", "vars: {held: …}\nzones: {hand: …}"),
    Code("AE404", "error", "unknown clause",
         "`by:` cites ids of the clause table (`clauses:`), or a topic that clauses of it are `on:`.",
         "by: R99", "by: R9"),
    Code("AE405", "error", "cards",
         "Each kind of card has a label of its own and a value for every attribute that is not optional.",
         "{label: a}\n{label: a}", "{label: a, copies: 2}"),
    Code("AE501", "error", "wrong type", "A value stands where one of another type is needed.",
         "height[me] := true", "height[me] := 1"),
    Code("AE502", "error", "out of range",
         "A number lies, or a range reaches, outside what is possible at this place.",
         "vars: {a: {type: 1..5, starts: 9}}", "vars: {a: {type: 1..5, starts: 5}}"),
    Code("AE503", "error", "may be none",
         "A value that may be undecided is used as if it were decided. Test it first, or say with `otherwise` what "
         "counts instead.", "height[me] + bonus[me]", "height[me] + (bonus[me] otherwise 0)"),
    Code("AE504", "error", "index",
         "What there is for each seat (or each of something) is chosen with [ ], and nothing else is.",
         "height == 5", "height[me] == 5"),
    Code("AE505", "error", "values in brackets", "A definition or function is given as many values as it takes.",
         "level(me)", "level(me, p)"),
    Code("AE506", "error", "a count is only counted",
         "A `count` (a round number) goes up or starts again, and no rule may read it: it is no part of what tells two "
         "positions apart. What a rule reads needs a range.", "if round == 3:", "vars: {round: {type: 1..24, …}}"),
    Code("AE601", "error", "visibility not said",
         "Who sees it is never implied: every zone and variable has `seen:`, every action with values has `told:`. "
         "Both are `everyone`, `nobody`, or a test over `viewer` (and `owner`, where there is one for each seat).",
         "vars: {score: {type: 0..9}}", "vars: {score: {type: 0..9, seen: everyone}}"),
    Code("AE602", "error", "no way on", "Every phase says in `then:` which phase follows, or `end`.",
         "deal: {do: …}", "deal: {do: …, then: play}"),
    Code("AE603", "error", "together is apart",
         "Where seats choose together, nobody knows yet what the others choose: an action may not change, nor look at, "
         "another seat's part of anything that the choices change.",
         "do: move c from hand[me] to pile", "do: move c from hand[me] to chosen[me]"),
    Code("AE604", "error", "cannot be changed", "Variables are given values, cards are moved between zones.",
         "hand[me] := 3", "move c from hand[me] to pile"),
    Code("AE605", "error", "not yet known",
         "What holds for a whole game is said by its options and its number of players, not by its state.",
         "automata: round", "automata: 1 if robot else 0"),
    Code("AE606", "error", "unsaid",
         "A start value, a value of a table, a result, or how many dice a zone holds, is missing.",
         "vars: {a: {type: 0..3, seen: everyone}}", "vars: {a: {type: 0..3, starts: 0, seen: everyone}}"),
    Code("AE607", "error", "defined in a circle",
         "Definitions may use each other, but none may need itself: every step ends.",
         "a: b + 1\nb: a + 1", "a: 1\nb: a + 1"),
    Code("AE608", "error", "choice and chance",
         "A seat chooses with `in`; chance decides with `from`, one value an outcome.",
         "actions: {draw(c from pile): …}", "outcomes: {draw(c from pile): …}"),
    Code("AE609", "error", "who acts",
         "A phase is one thing: `together` or `turns` with `actions:`, `chance` with one kind of outcome under "
         "`outcomes:`, or only what happens by itself. Turns go once over some seats (`over`), or round from one "
         "(`from`) until something holds. A phase that an action visits (`visits:`) goes `back`, and is "
         "reached in no other way.", "choose: {together: players}", "choose: {together: players, actions: …}"),
    Code("AE610", "error", "means nothing here",
         "Something is written where it has no effect, so it was meant otherwise.",
         "actions: {pass(): {told: everyone}}", "actions: {pass(): {}}"),
    Code("AE701", "finding", "may leave its range",
         "The value can be outside the variable's range as far as types and tests tell. It is checked in play, and "
         "stops the game with this place if it happens. Test it, write `clamp(…)`, or accept the finding and say why "
         "it cannot happen.", "lives[me] -= 1", "if lives[me] > 0:\n  lives[me] -= 1"),
    Code("AE702", "finding", "unreachable phase", "No `then:` leads here from the first phase.",
         "lost: {then: end}", "play: {then: lost}"),
    Code("AE703", "finding", "cannot end", "From here no chain of `then:` reaches `end` (or, in a detour, `back`).",
         "a: {then: b}\nb: {then: a}", "b: {then: end if done else a}"),
    Code("AE704", "finding", "never stops to ask",
         "These phases follow each other in a circle in which nobody ever acts.",
         "a: {do: …, then: a}", "a: {turns: …, then: a}"),
    Code("AE705", "finding", "uncited clause",
         "No element of the spec cites this clause. Is the rule missing, or only the `by:`?",
         "clauses: {R9: …}", "by: [R9]"),
    Code("AE706", "finding", "card never used",
         "This kind of card starts the game nowhere, whatever the options and players.",
         "starts: c in Card where c.colour == red", "starts: Card"),
    Code("AE707", "finding", "never used", "This is declared, and nothing uses it.",
         "define: {spare: 1}", "define: {}"),
    Code("AE708", "finding", "accepted, but not found",
         "`accepts:` names a finding that is not there (any more): take it out.",
         "accepts: [{finding: AE701, at: phases.gone, why: …}]", "accepts: []"),
    Code("AE709", "finding", "tells a secret",
         "Who acts, how often, and which phase follows is seen by all; what a seat can do it sees itself. Where that "
         "depends on what `seen:` hides, it tells. Asking only those who hold a card tells who holds it: "
         "ask everybody.",
         "turns: {over: players, asks: size(hand[me]) > 0 and strong(me)}", "turns: players"),
    Code("AE710", "finding", "may not end",
         "A random game came into a round without an end: the same states return for ever, and nobody has a choice "
         "that leads out. `check` finds it by playing. Give the round an end, or accept the finding (`when:` says "
         "under which options) where the rules really mean it; random games that come there are cut.",
         "until: size(pile) == 5", "until: size(pile) == 5 or all(size(hand[p]) == 0 for p in players)"),
    Code("AE711", "finding", "dead end",
         "The game is not over, and whoever is to act can do nothing. `check --deep` finds it, with a play that leads "
         "there.", "actions: {play(c in hand[me]): …}",
         "turns: {over: players, asks: size(hand[me]) > 0}"),
    Code("AE712", "finding", "may be played for ever",
         "The same states can return for ever if the seats want it so, though there are ways out. `check --deep` finds "
         "it, with the play. Give the round something that runs out, or accept the finding where the rules mean it.",
         "pass(): {}", "pass(): {do: \"passes += 1\"}"),
    Code("AE713", "finding", "a secret gets out",
         "Two plays that a seat must not tell apart, by all that `seen:` and `told:` let it know, treat it in two "
         "ways. `check --deep` finds it and names what gives it away.",
         "turns: {over: p in players where strong(p)}", "turns: players"),
    Code("AE714", "finding", "the rules break",
         "In a play that the rules allow, a value leaves its range, a card is not where it is moved from, an invariant "
         "does not hold, or something decided is none. `check --deep` finds it, with the play.",
         "lives[me] -= 1", "lives[me] := max(lives[me] - 1, 0)"),
    Code("AE715", "finding", "a tie",
         "A game can end with several seats first, and nothing tells them apart: they share. Add a key to `rank:`, or "
         "accept the finding where the rules let them share.",
         "rank: \"score[me]\"", "rank: [\"score[me]\", \"order[me]\"]"),
    Code("AE716", "finding", "never happens",
         "No scenario, no random game and no state that was looked at gets there: a rule that is never applied is "
         "mostly one that cannot be.", "when: score[me] > 10  # of 0..5", "when: score[me] == 5"),
    Code("AE717", "finding", "never changes",
         "Effects give the variable a value, and it is always the one that it has already.",
         "start := first(clockwise(start))", "start := left(start)"),
    Code("AE718", "finding", "seats are not alike",
         "With all seats moved on by one, the same play does not come to the same end moved on by one: something is "
         "settled by the number of a seat, a tie most often. Say which of several seats it is.",
         "first([p in players by score[p] down])", "first([p in clockwise(start) by score[p] down])"),
    Code("AE719", "finding", "makes no difference", "Whatever the option's value, the game is the same.",
         "options: {fast: {type: bool, default: false}}", "options: {}"),
    Code("AE720", "finding", "never shown",
         "The spec says who sees or hears it, and whenever that could be, there is nothing to see: what it promises "
         "never reaches anybody.", "seen: viewer == owner or shown  # `shown` is set when the zone is empty",
         "seen: viewer == owner"),
    Code("AE721", "finding", "may be cut",
         "A game can have more steps than `longest:`, and would be stopped without a result.",
         "longest: 10", "longest: 40"),
    Code("AE801", "error", "base not found",
         "`extends:` names the spec that this one changes: a shipped one, or a file beside it.",
         "extends: peak", "extends: peaks"),
    Code("AE802", "error", "not there", "An overlay changes or removes only what its base has.",
         "change: {vars: {heigt: {starts: 8}}}", "change: {vars: {height: {starts: 8}}}"),
    Code("AE803", "error", "there already", "An overlay adds only what its base does not have.",
         "add: {vars: {height: …}}", "change: {vars: {height: …}}"),
    Code("AE804", "error", "section of the base",
         "A spec that extends another says with `change:`, `add:` and `remove:` what it does to the base's sections.",
         "extends: peaks\nvars: {…}", "extends: peaks\nadd: {vars: {…}}"),
    Code("AE805", "error", "overlays in conflict",
         "Two overlays that are on together change the same thing, and neither says that it comes after the other.",
         "flood: {when: wet, change: {longest: 9}}\nfrost: {when: cold, change: {longest: 8}}",
         "flood: {when: wet, change: {longest: 9}}\nfrost: {when: cold, after: flood, change: {longest: 8}}"),
    Code("AE806", "error", "no option decides that",
         "An overlay that an option switches can add and take out what has a name, and change tests, values, effects "
         "and ways on. The kind of a phase, what an action takes, types and forms are fixed: add another element.",
         "flood: {when: wet, change: {zones: {pile: {order: kept}}}}", "flood: {when: wet, add: {zones: {heap: …}}}"),
)  # fmt: skip
