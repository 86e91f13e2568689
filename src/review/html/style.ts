/** The style of the report. Nothing of a run may be put into it: its hash is in the policy of the page. */
export const STYLE = `
:root { color-scheme: light dark; --bg: #fbfbf9; --panel: #fff; --ink: #1d2126; --quiet: #5d6670; --line: #dfe2e4; --soft: #f1f2f1;
  --link: #0b5cad; --good: #1a7f4b; --bad: #b42318; --warn: #8a5a00; --add: #e3f6e8; --add-word: #a9e3b8; --del: #fdecea; --del-word: #f7bdb6;
  --note: #fff6dc; --note-line: #e3c56b; --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
@media (prefers-color-scheme: dark) { :root { --bg: #14171a; --panel: #1b1f23; --ink: #e4e7ea; --quiet: #97a1ab; --line: #30363c; --soft: #22272c;
  --link: #7ab7f5; --good: #5cc98b; --bad: #ff8a7d; --warn: #e8b552; --add: #15301f; --add-word: #22603a; --del: #3a1c1b; --del-word: #7a302b;
  --note: #352c12; --note-line: #7d6726; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header, main, footer { max-width: 74rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.75rem; }
h1 { font-size: 1.5rem; margin: 0; font-weight: 650; display: flex; gap: .6rem; align-items: center; flex-wrap: wrap; }
h2 { font-size: 1.15rem; margin: 2.6rem 0 .8rem; font-weight: 650; }
h3 { font-size: .95rem; margin: 1.4rem 0 .4rem; font-weight: 600; }
p { margin: .25rem 0; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre, kbd, .path, .place { font-family: var(--mono); font-size: .86em; }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 .35em; background: var(--panel); }
.quiet { color: var(--quiet); font-weight: 400; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: .5rem; background: var(--panel); padding: .3rem .6rem; z-index: 3; }
.pill { font-size: 1rem; padding: .1rem .7rem; border-radius: 1rem; border: 1.5px solid; } .pill.good { color: var(--good); } .pill.bad { color: var(--bad); }
nav { position: sticky; top: 0; z-index: 2; background: var(--bg); border-bottom: 1px solid var(--line); margin-top: 1.1rem;
  padding: .55rem max(1.25rem, calc((100vw - 74rem) / 2 + 1.25rem)); display: flex; gap: 1.2rem; overflow-x: auto; white-space: nowrap; align-items: center; }
nav button { margin-left: auto; }
button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .15rem .7rem; cursor: pointer; }
.count { color: var(--quiet); font-size: .8em; font-weight: 500; background: var(--soft); border-radius: 1em; padding: .05em .6em; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: .8rem; }
.card { background: var(--panel); border: 1px solid var(--line); border-top: 3px solid var(--line); border-radius: 8px; padding: .7rem .9rem .8rem; overflow-wrap: anywhere; }
.card h3 { margin: 0; color: var(--quiet); font-size: .8rem; font-weight: 500; } .card p { font-size: .85rem; color: var(--quiet); } .card .value { font-size: 1.1rem; color: var(--ink); font-weight: 600; }
.card.good { border-top-color: var(--good); } .card.bad { border-top-color: var(--bad); } .card.warn { border-top-color: var(--note-line); } .card.bad .value { color: var(--bad); }
table { border-collapse: collapse; width: 100%; margin-top: 1rem; background: var(--panel); } th { white-space: nowrap; } th, td { text-align: left; padding: .35rem .7rem; border: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
tr.passed td:nth-child(2) { color: var(--good); } tr.failed td:nth-child(2) { color: var(--bad); }
summary { cursor: pointer; } .gaps { margin-top: .9rem; color: var(--quiet); }
.findings { list-style: none; margin: 0; padding: 0; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.finding { padding: .5rem .9rem; border-left: 3px solid var(--note-line); display: grid; gap: .1rem; overflow-wrap: anywhere; }
.finding + .finding { border-top: 1px solid var(--line); } .finding:focus { background: var(--note); outline: none; }
.finding code { color: var(--quiet); }
.boundary-violation .finding, .claim-unsupported .finding, .test-deleted .finding, .test-disabled .finding, .test-skipped .finding, .test-focused .finding, .secret .finding { border-left-color: var(--bad); }
.lock-file-changed .finding, .dependency-added .finding, .denied .finding { border-left-color: var(--line); }
pre { margin: 0; } .text { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; }
.tools input { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .15rem .5rem; width: 14rem; max-width: 100%; }
.chunk { content-visibility: auto; contain-intrinsic-size: auto 1800px; }
.event { border-left: 3px solid var(--line); padding: .2rem .2rem .2rem .8rem; overflow-wrap: anywhere; } .event summary { list-style: none; } .event summary::-webkit-details-marker { display: none; }
.event .no { display: inline-block; min-width: 3.2ch; color: var(--quiet); font: .78em var(--mono); margin-right: .5rem; } .event .what { font-weight: 600; margin-right: .3rem; } .event .words { white-space: pre-wrap; }
.event .text { margin: .4rem 0; max-height: 32rem; overflow: auto; } .event code { color: var(--quiet); } .event .out { background: var(--soft); }
.event.tool.ok { border-left-color: var(--good); } .event.failed, .event.denied { border-left-color: var(--bad); } .event.text { background: none; border-radius: 0; border-width: 0 0 0 3px; border-left-color: var(--link); }
.event.finished { border-left-color: var(--link); } .event.thinking, .event.unknown, .event.session { color: var(--quiet); }
.tag { font-size: .76rem; border: 1px solid var(--line); border-radius: 4px; padding: 0 .4em; color: var(--quiet); white-space: nowrap; } .tag.failed, .tag.deleted { color: var(--bad); } .tag.added { color: var(--good); } .tag.look { color: var(--warn); border-color: var(--note-line); background: var(--note); }
.file { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; margin-bottom: .8rem; overflow: clip; content-visibility: auto; contain-intrinsic-size: auto 2.6rem; }
.file[open] { contain-intrinsic-size: auto 600px; } .file summary { padding: .5rem .9rem; display: flex; gap: .7rem; align-items: baseline; flex-wrap: wrap; } .file[open] summary { border-bottom: 1px solid var(--line); }
.path { font-weight: 600; overflow-wrap: anywhere; } .size { margin-left: auto; font: .8rem var(--mono); } ins, del { text-decoration: none; } ins { color: var(--good); } del { color: var(--bad); }
.lines { padding-bottom: .3rem; } .lines > p { padding: .4rem .9rem; } .at { background: var(--soft); color: var(--quiet); font: .78rem var(--mono); padding: .15rem .9rem; overflow-wrap: anywhere; }
.hunk { font-size: .8rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; content-visibility: auto; contain-intrinsic-size: auto 400px; }
.l { display: block; position: relative; padding-left: 15ch; } .l::before { content: attr(data-k); position: absolute; left: 1ch; color: var(--quiet); white-space: pre; }
.a { background: var(--add); } .d { background: var(--del); } .a b { background: var(--add-word); font-weight: inherit; border-radius: 2px; } .d b { background: var(--del-word); font-weight: inherit; border-radius: 2px; } .l em { color: var(--quiet); }
.note { display: block; background: var(--note); border: 1px solid var(--note-line); border-radius: 6px; margin: .15rem .9rem .25rem 15ch; padding: .15rem .7rem; font: .84rem/1.5 system-ui, "DejaVu Sans", sans-serif; }
:target { box-shadow: inset 3px 0 0 var(--link); } .target { outline: 2px solid var(--note-line); }
dialog { color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; max-width: 32rem; } dialog::backdrop { background: rgb(0 0 0 / .4); } dialog h2 { margin-top: 0; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .4rem 1rem; } dd { margin: 0; }
footer { color: var(--quiet); font-size: .85rem; padding-top: 2rem; padding-bottom: 2.5rem; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
@media (max-width: 40rem) { body { font-size: 14px; } header, main, footer { padding-left: .8rem; padding-right: .8rem; } .l { padding-left: 2.2ch; } .l::before { content: ""; } .l.a::before { content: "+"; left: .5ch; } .l.d::before { content: "-"; left: .5ch; } .note { margin-left: 2.2ch; } .cards { grid-template-columns: 1fr 1fr; } nav { padding-left: .8rem; padding-right: .8rem; } nav button { display: none; } }
@media print { nav, .tools { display: none; } .chunk, .file, .hunk { content-visibility: visible; } }
`;
