/** The page's own styles, on the variables that all pages share; the policy allows them by their hash. */
export const STYLE = `
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 1rem/1.55 var(--font); color: var(--ink);
  background: var(--ground); }
main, header { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
main { padding-bottom: 4rem; }
.whose { margin: 0 0 .35rem; color: var(--accent); font-weight: 600; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .6rem; letter-spacing: -.01em; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 0 0 .25rem; }
h3 { font-size: 1.1rem; margin: 0; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
.soft, .hint { color: var(--soft); }
.hint { display: block; font-size: .9rem; margin: .3rem 0 0; }
section, .panel { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem;
  margin: 1.25rem 0; }
.steps { list-style: none; padding: 0; margin: 1.5rem 0 0; display: grid; gap: .5rem;
  grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); }
.steps a { display: block; height: 100%; padding: .65rem .8rem; border: 1px solid var(--line);
  border-radius: .6rem; background: var(--card); text-decoration: none; color: var(--ink); font-weight: 600; }
.steps a:hover { border-color: var(--accent); }
.steps span { display: block; font-weight: 400; font-size: .875rem; color: var(--soft); }
.steps .done span { color: var(--accent); }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 1.1rem 1.25rem; margin-top: 1.1rem;
  align-items: start; }
.wide { grid-column: 1 / -1; }
label, legend { font-weight: 600; padding: 0; }
label { display: block; margin-bottom: .3rem; }
.optional { font-weight: 400; color: var(--soft); }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
input, select, textarea { width: 100%; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--edge); border-radius: .45rem; padding: .55rem .7rem; min-height: 2.75rem; }
textarea { min-height: 5.5rem; resize: vertical; }
input[type=file] { padding: .4rem; border-style: dashed; }
input[type=file]::file-selector-button { font: inherit; color: var(--accent); background: var(--accent-tint); border: 0;
  border-radius: .35rem; padding: .4rem .9rem; margin-right: .8rem; cursor: pointer; }
input[type=checkbox] { width: 1.25rem; min-height: 0; height: 1.25rem; margin: 0; flex: none;
  accent-color: var(--accent); }
.checks { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .2rem 1rem; }
.checks label { display: flex; gap: .6rem; align-items: center; font-weight: 400; margin: 0; padding: .35rem 0; }
.terms { max-height: 20rem; overflow-y: auto; border: 1px solid var(--edge); border-radius: .45rem;
  padding: .9rem 1rem; margin: .9rem 0 .75rem; }
.terms h3 { margin: 1.1rem 0 .35rem; }
.consent { display: flex; gap: .7rem; align-items: flex-start; font-weight: 600; margin: .9rem 0 0; }
.consent input { margin-top: .15rem; }
.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .6rem; }
[aria-invalid=true] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.error { color: var(--bad); font-size: .95rem; margin: .3rem 0 0; font-weight: 600; }
.person, .paper { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: 1.25rem; }
.person > fieldset > legend { font-size: 1.15rem; }
.unsaved { background: var(--bad-tint); border-radius: .45rem; padding: .6rem .8rem; margin: .6rem 0 0; }
legend + .soft { margin-top: .15rem; }
.group { margin: 1.4rem 0 0; color: var(--soft); font-weight: 600; font-size: 1rem; }
.filed { background: var(--accent-tint); border-radius: .45rem; padding: .6rem .8rem; margin: .6rem 0 .4rem; }
.filed ul, .list { margin: 0; padding-left: 1.2rem; }
summary { cursor: pointer; padding: .45rem 0; color: var(--accent); font-weight: 600; }
.panel > :last-child { margin-bottom: 0; }
.wrong { border-color: var(--bad); border-left-width: .4rem; background: var(--bad-tint); }
.wrong a { color: var(--bad); }
.good { border-color: var(--accent); border-left-width: .4rem; background: var(--accent-tint); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button, .button { font: inherit; font-weight: 600; padding: .75rem 1.4rem; min-height: 2.9rem; cursor: pointer;
  border: 1px solid var(--accent); border-radius: .5rem; color: var(--on-accent); background: var(--accent);
  text-decoration: none; display: inline-block; }
button.quiet { color: var(--accent); background: transparent; }
button:hover, .button:hover { filter: brightness(1.08); }
:focus-visible, [type=date]:focus-within { outline: 3px solid var(--accent); outline-offset: 2px; }
.wrong:focus-visible { outline-color: var(--bad); }
.unseen { position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; border: 0; }
@media (max-width: 36rem) {
  header { padding-top: 1.5rem; }
  main, header { padding-left: 1rem; padding-right: 1rem; }
  h1 { font-size: 1.6rem; }
  section, .panel { padding: 1.1rem 1rem; }
  .fields, .steps { grid-template-columns: 1fr; }
  .steps a { display: flex; justify-content: space-between; gap: 1rem; }
  .actions > * { width: 100%; text-align: center; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
