"""How the page of `check --deep` looks: on screens wide and narrow, light and dark, and on paper.

Colour tells verdicts apart and nothing else, and each verdict has its word and its sign as well.
"""

STYLE = """\
:root {
  color-scheme: light dark;
  --paper: #fcfbf8; --ink: #23252b; --soft: #63656e; --line: #dcd9d0; --tint: #f4f2ec;
  --found: #a03a17; --accepted: #775a06; --proved: #1c6a44; --unseen: #48566a;
  --text: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", "Source Serif 4", Georgia, serif;
  --plain: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
  --code: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17191d; --ink: #e3e1da; --soft: #a2a3a8; --line: #363940; --tint: #1f2227;
    --found: #f29a78; --accepted: #dab857; --proved: #83cda3; --unseen: #a9b6c8;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 var(--text); font-variant-numeric: lining-nums tabular-nums;
  overflow-wrap: break-word;
}
main, header, footer { max-width: 45rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 4rem; }
footer { padding-top: 2rem; padding-bottom: 4rem; }
h1, h2, h3, h4 { line-height: 1.25; font-weight: 600; text-wrap: balance; }
h1 { font-size: 2.5rem; margin: .2rem 0 .8rem; letter-spacing: -.01em; }
h2 { font-size: 1.5rem; margin: 3.5rem 0 1rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.2rem; margin: 0 0 .5rem; }
h4 { font: 600 .875rem/1.4 var(--plain); color: var(--soft); margin: 1.8rem 0 .5rem; }
p { margin: 0 0 .9rem; }
a { color: inherit; text-decoration-thickness: 1px; text-underline-offset: .18em; }
code, pre { font-family: var(--code); font-size: .8125rem; line-height: 1.55; }
p code, li code, dd code, h3 code, td code { font-size: .875em; }
pre { margin: 0; white-space: pre; overflow-x: auto; tab-size: 2; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .65rem 1rem .65rem 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { font: 600 .8125rem/1.4 var(--plain); color: var(--soft); padding-top: 0; }
tbody th { font-weight: 400; }
ul { margin: 0 0 .9rem; padding-left: 1.2rem; }

.kind, .small, .where { font-family: var(--plain); font-size: .8125rem; line-height: 1.5; color: var(--soft); }
.kind { margin: 0; }
.says { font-size: 1.25rem; line-height: 1.5; text-wrap: pretty; }
.facts { font-family: var(--plain); font-size: .875rem; color: var(--soft); margin: 1.2rem 0 0; }
.facts code { color: var(--ink); }
.wide { overflow-x: auto; }

.verdict { font: 600 .875rem/1.5 var(--plain); white-space: nowrap; }
.verdict.found { color: var(--found); }
.verdict.accepted { color: var(--accepted); }
.verdict.proved { color: var(--proved); }
.verdict.unseen { color: var(--unseen); }
.legend { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.2rem; margin: 0 0 1.2rem; }
.legend dd { margin: 0; font-size: .9375rem; line-height: 1.5; }

.summary th { width: 55%; }
.summary .asks { font-size: 1.0625rem; font-weight: 600; display: block; }
.summary .explains { font-size: .875rem; line-height: 1.45; color: var(--soft); display: block; }
.summary .answer { margin: 0 0 .5rem; }
.summary .answer:last-child { margin: 0; }
.summary .where { display: block; }
.summary .said { margin-left: .5rem; }
.games td, .games tbody th { padding-top: .4rem; padding-bottom: .4rem; font-size: .9375rem; }

article { margin: 0 0 3.5rem; }
article > .verdict { display: block; margin-bottom: .2rem; }
article h3 .number { color: var(--soft); font-weight: 400; margin-right: .35em; }
.hint { padding-left: 1rem; border-left: 3px solid var(--line); }
.ruling { margin: 1rem 0; padding: .2rem 0 .2rem 1.1rem; border-left: 3px solid var(--accepted); font-style: italic; }
.ruling footer { all: unset; display: block; font: normal .8125rem/1.5 var(--plain); color: var(--soft); }
figure { margin: 0; }
figcaption { font: .8125rem/1.5 var(--plain); color: var(--soft); margin-bottom: .3rem; }
.excerpt { background: var(--tint); border: 1px solid var(--line); border-radius: 4px; padding: .7rem .9rem; }
.excerpt .line { color: var(--soft); user-select: none; }
.excerpt mark { background: none; color: inherit; font-weight: 700;
  text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: .25em; }
.clauses { display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1.2rem; margin: 0; }
.clauses dt { font: 600 .875rem/1.7 var(--plain); }
.clauses dd { margin: 0; font-size: 1rem; line-height: 1.5; }
.clauses .why { display: block; font-size: .875rem; color: var(--soft); }

.play { list-style: none; margin: 0; padding: 0; }
.play > li { display: grid; grid-template-columns: 9.5rem 1fr; gap: 0 1.2rem; padding: .4rem 0;
  border-top: 1px solid var(--line); }
.play > li:first-child { border-top: 0; }
.phase { font: 600 .875rem/1.55 var(--plain); overflow-wrap: anywhere; }
.phase small { display: block; font-weight: 400; font-size: .75rem; color: var(--soft); }
.steps { list-style: none; margin: 0; padding: 0; font-size: .9375rem; line-height: 1.5; }
.steps { columns: 2 14rem; column-gap: 1.5rem; }
.steps li { break-inside: avoid; display: grid; grid-template-columns: 3.6rem 1fr; gap: .6rem; }
.who { font: .8125rem/1.75 var(--plain); color: var(--soft); }
.again { margin: .6rem 0 0; padding: .7rem 1rem .5rem; background: var(--tint); border: 1px solid var(--line);
  border-left: 4px double var(--soft); border-radius: 4px; }
.again > p { font: 600 .8125rem/1.5 var(--plain); color: var(--soft); margin: 0 0 .3rem; }
.again .phase { margin-left: 0; }
.again .play > li { grid-template-columns: 8.4rem 1fr; }
details { margin: .7rem 0 0; }
details + .small { margin-top: 1.2rem; }
summary { cursor: pointer; font: .875rem/1.5 var(--plain); color: var(--soft); }
summary:hover, summary:focus-visible { color: var(--ink); }
details > pre { margin-top: .5rem; max-height: 26rem; overflow: auto; background: var(--tint);
  border: 1px solid var(--line); border-radius: 4px; padding: .7rem .9rem; }
details > .inner { padding: .4rem 0 .2rem 1.1rem; border-left: 1px solid var(--line); margin-top: .5rem; }

.topic { margin: 0 0 2.2rem; }
.argument { margin: 0 0 1rem; padding-left: 1rem; border-left: 3px solid var(--line); }
.argument p { margin: 0; white-space: pre-wrap; }
.argument p + p { font-size: .9375rem; line-height: 1.5; padding-left: 1.2rem; }

@media (max-width: 34rem) {
  body { font-size: 1rem; }
  main, header, footer { padding-left: 1.1rem; padding-right: 1.1rem; }
  header { padding-top: 2rem; }
  h1 { font-size: 2rem; }
  .says { font-size: 1.125rem; }
  .summary thead { display: none; }
  .summary tr, .summary th, .summary td { display: block; width: auto; }
  .summary th { border: 0; padding: 1rem 0 .4rem; }
  .summary td { padding: 0 0 1rem; }
  .legend { grid-template-columns: 1fr; gap: 0; }
  .legend dd { margin-bottom: .6rem; }
  .clauses { grid-template-columns: 1fr; gap: 0; }
  .clauses dd { margin-bottom: .7rem; }
  .play > li, .again .play > li { grid-template-columns: 1fr; gap: .1rem; }
  .phase small { display: inline; margin-left: .5em; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --tint: #fff;
    --found: #8a2c0d; --accepted: #5f4700; --proved: #0f5232; --unseen: #333f4f; }
  @page { margin: 2cm; }
  body { font-size: 10.5pt; line-height: 1.45; }
  main, header, footer { max-width: none; padding: 0; }
  h2 { margin-top: 1.6rem; }
  h2, h3, h4, figcaption, summary, article > .verdict, .again > p { break-after: avoid; }
  tr, figure, .answer, .argument, .steps li { break-inside: avoid; }
  article { margin-bottom: 2rem; }
  pre { white-space: pre-wrap; overflow: visible; }
  details.data { display: none; }
  details.other::details-content { content-visibility: visible; block-size: auto; }
  a { text-decoration: none; }
}
"""
