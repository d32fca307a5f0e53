"""Small specs for the tests of the command line."""

# A game that never ends by itself.
ENDLESS = """\
game: endless
players: 2
vars:
  score: {each: seat, type: 0..3, starts: 0, seen: everyone}
phases:
  go:
    together: players
    actions:
      up(): {do: "score[me] := 1"}
      stay(): {}
    then: go
result: {rank: "score[me]"}
longest: 30
"""

# A game whose rules break in play: line 10 counts beyond the range.
FAULTY = """\
game: faulty
players: 2
vars:
  score: {each: seat, type: 0..3, starts: 0, seen: everyone}
phases:
  go:
    together: players
    actions:
      up():
        do: score[me] += 1
      stay(): {}
    then: "end if all(score[p] == 3 for p in players) else go"
result: {rank: "score[me]"}
longest: 100
"""

# Two mistakes, at 4:43 and 11:24.
WRONG = """\
game: wrong
players: 2
vars:
  score: {each: seat, type: 0..3, starts: 7, seen: everyone}
phases:
  go:
    together: players
    actions:
      up():
        do: |
          score[me] := skore[me]
    then: end
result: {rank: "score[me]"}
longest: 100
"""
