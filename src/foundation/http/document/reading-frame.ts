import { type Html, html, READING_STYLE } from '#foundation/http/html-page.ts';

export interface PageLink {
  readonly url: string;
  readonly title: string;
}

export interface ReadingFrame {
  /** The address of the page. */
  readonly url: string;
  /** The pages beside this one, in groups; a title may be empty. */
  readonly places: readonly { readonly title: string; readonly links: readonly PageLink[] }[];
  /** The headings of the page; none if there is nothing to choose from. */
  readonly contents: readonly PageLink[];
  readonly main: Html;
}

const PAGES: readonly PageLink[] = [
  { url: '/docs/', title: 'API reference' },
  { url: '/docs/guides', title: 'Guides' },
  { url: '/docs/sandbox', title: 'Sandbox' },
];

/** The frame of a document: the other pages on the left, the page's own headings on the right. */
export function renderFrame({ url, places, contents, main }: ReadingFrame): Html {
  const link = ({ url: to, title }: PageLink) =>
    to === url
      ? html`<a href="${to}" aria-current="page">${title}</a>\n`
      : html`<a href="${to}">${title}</a>\n`;
  const list = (links: readonly PageLink[]) =>
    html`<ul>${links.map((item) => html`<li>${link(item)}</li>`)}</ul>`;
  return html`<header class="top">
<nav aria-label="Documentation">
${PAGES.map(link)}</nav>
</header>
<div class="frame">
<nav class="side" aria-label="Pages">
${places.map(({ title, links }) => html`${title !== '' && html`<p>${title}</p>`}${list(links)}\n`)}</nav>
<main>${main}</main>
${
  contents.length > 1 &&
  html`<nav class="contents" aria-label="On this page">
<p>On this page</p>${list(contents)}
</nav>`
}
</div>`;
}

export const FRAME_STYLE = `${READING_STYLE}
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
.top { position: sticky; top: 0; z-index: 2; background: var(--card); border-bottom: 1px solid var(--line); }
.top nav { display: flex; gap: var(--s5); align-items: center; height: 2.75rem; padding: 0 var(--s6); overflow-x: auto;
  white-space: nowrap; font-size: var(--size); }
.top a { color: var(--soft); text-decoration: none; }
.top a:hover { color: var(--ink); }
.top a[aria-current] { color: var(--ink); font-weight: 600; }
.frame { display: grid; grid-template-columns: 15rem minmax(0, 1fr) 13rem; gap: var(--s8); max-width: 88rem; margin: 0 auto; }
.side, .contents { position: sticky; top: 2.75rem; align-self: start; max-height: calc(100vh - 2.75rem); overflow-y: auto;
  padding: var(--s6) var(--s3) var(--s6) var(--s6); font-size: var(--size); }
.contents { padding-left: 0; padding-right: var(--s6); }
.side p, .contents p { margin: 0 0 var(--s1); padding: 0 var(--s2); color: var(--soft); font-size: var(--size-small); }
.side ul, .contents ul { list-style: none; margin: 0 0 var(--s5); padding: 0; }
.side li, .contents li { margin: 0; }
.side a, .contents a { display: block; padding: .2rem var(--s2); border-radius: var(--round); color: var(--ink);
  text-decoration: none; }
.contents a { color: var(--soft); font-size: var(--size-small); }
.side a:hover, .contents a:hover { background: var(--tint); color: var(--ink); }
.side a[aria-current] { background: var(--accent-tint); color: var(--accent); font-weight: 600; }
main { max-width: 46rem; margin: 0; padding: var(--s8) 0 var(--s12); }
h1 { margin-bottom: .75rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .75rem; }
main li { margin: 0 0 .35rem; overflow-wrap: anywhere; }
:target { background: var(--accent-tint); }
code { font: .875em/1.5 var(--mono); background: var(--tint); border-radius: .25rem; padding: .1rem .3rem; overflow-wrap: anywhere; }
.code { position: relative; margin: 0 0 var(--s4); }
pre { margin: 0; background: var(--tint); border: 1px solid var(--line); border-radius: var(--round-large); padding: .75rem 4.5rem .75rem 1rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { background: none; padding: 0; font-size: .8125rem; }
.comment { color: var(--soft); }
.string { color: var(--good); }
.word { color: var(--accent); }
.copy-button { font: inherit; font-size: var(--size-small); padding: .1rem .5rem; border: 1px solid var(--line); border-radius: var(--round);
  background: var(--card); color: var(--soft); cursor: pointer; }
.copy-button:hover { color: var(--ink); border-color: var(--edge); }
pre + .copy-button { position: absolute; top: .5rem; right: .5rem; }
.wide { overflow-x: auto; margin: 0 0 var(--s4); }
table { border-collapse: collapse; width: 100%; font-size: var(--size); }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 500; font-size: var(--size-small); }
main img { display: block; width: 100%; height: auto; aspect-ratio: 16 / 10; margin: var(--s4) 0; border: 1px solid var(--line);
  border-radius: var(--round-large); background: var(--tint); }
blockquote { margin: 0 0 .75rem; padding-left: 1rem; border-left: 3px solid var(--line); }
@media (max-width: 76rem) {
  .frame { grid-template-columns: 15rem minmax(0, 1fr); padding-right: var(--s6); }
  .contents { display: none; }
}
@media (max-width: 52rem) {
  .frame { display: block; padding: 0 var(--s5); }
  .top nav { padding: 0 var(--s5); }
  .side { display: none; }
  main { padding-top: var(--s5); }
}
@media print { .top, .side, .contents, .copy-button { display: none; } .frame { display: block; } }
`;

/** Adds a button to each piece of code and each value that can be copied. Without the script nothing is missing but them. */
export const FRAME_SCRIPT = `
(() => {
  if (!navigator.clipboard) return;
  const add = (code, beside) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy-button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(code.textContent.trimEnd());
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    beside.after(button);
  };
  for (const code of document.querySelectorAll('pre > code')) add(code, code.parentElement);
  for (const code of document.querySelectorAll('code.copy')) add(code, code);
})();
`;
