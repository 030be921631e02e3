import { Marked, Renderer, type Token, type Tokens } from 'marked';
import { highlight } from '#foundation/http/document/highlight.ts';
import { type Anchored, anchorRules, separateInserted } from '#foundation/http/document/rule-anchors.ts';
import { Html, html } from '#foundation/http/html-page.ts';

/** Returns the target of a link on the page; undefined: there is none, and only its text is shown. */
export type FindLink = (href: string) => string | undefined;

/** Renders our own documents. Markup in them is shown as text, and a picture that is not there as its description. */
export function renderMarkdown(text: string, findLink: FindLink): Html {
  const slugs = new Map<string, number>();
  const marked = new Marked();
  marked.use({
    renderer: {
      heading({ tokens, depth, anchor }: Tokens.Heading & Anchored) {
        const id = nextSlug(slugs, plainText(tokens));
        const number = anchor === undefined ? '' : `<span id="${anchor}"></span>`;
        return `<h${depth} id="${html`${id}`.text}">${number}${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text: written, lang = '' }) {
        const [language] = lang.split(' ');
        return `<div class="code"><pre><code>${highlight(written, language).text}\n</code></pre></div>\n`;
      },
      listitem(item: Tokens.ListItem & Anchored) {
        const shown = Renderer.prototype.listitem.call(this, item);
        return item.anchor === undefined ? shown : shown.replace('<li>', `<li id="${item.anchor}">`);
      },
      tablecell(cell: Tokens.TableCell & Anchored) {
        const shown = Renderer.prototype.tablecell.call(this, cell);
        return cell.anchor === undefined ? shown : shown.replace('<td', `<td id="${cell.anchor}"`);
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const url = findLink(href);
        return url === undefined ? words : `<a href="${html`${url}`.text}">${words}</a>`;
      },
      table(token) {
        // A table may be wider than the window: a keyboard user must be able to focus it to scroll.
        // An empty heading cell is not a heading.
        const table = Renderer.prototype.table.call(this, token).replace(/<th([^>]*)><\/th>/g, '<td$1></td>');
        return `<div class="wide" tabindex="0">${table}</div>\n`;
      },
      html: ({ text: written }) => html`${written}`.text,
      image: ({ href, text: shown }) => {
        const url = findLink(href);
        return (
          url?.startsWith('/') ? html`<img src="${url}" alt="${shown}" loading="lazy">` : html`${shown}`
        ).text;
      },
    },
  });
  const tokens = marked.lexer(separateInserted(text));
  anchorRules(tokens);
  return new Html(marked.parser(tokens));
}

/** The headings of the second level, with the anchors that they have on the page. */
export function parseContents(text: string): { anchor: string; title: string }[] {
  const slugs = new Map<string, number>();
  return new Marked().lexer(text).flatMap((token) => {
    if (token.type !== 'heading') return [];
    const title = plainText(token.tokens ?? []);
    const anchor = nextSlug(slugs, title);
    return token.depth === 2 ? [{ anchor, title }] : [];
  });
}

/** The first heading of a document, and the first sentence of its first paragraph. */
export function parseOutline(text: string): { title: string; summary: string } {
  const tokens = new Marked().lexer(text);
  const heading = tokens.find(({ type }) => type === 'heading');
  const paragraph = tokens.find(({ type }) => type === 'paragraph');
  const [summary = ''] = /^.*?[.:](?=\s|$)|^.*$/s.exec(textOf(paragraph)) ?? [];
  return { title: textOf(heading), summary: summary.replace(/:$/, '.').replace(/\s+/g, ' ') };
}

function textOf(token: Token | undefined): string {
  return token && 'tokens' in token ? plainText(token.tokens ?? []) : '';
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : '',
    )
    .join('');
}

/** The anchor that the repository's own view gives a heading, so that links to it work here too. */
function nextSlug(slugs: Map<string, number>, heading: string): string {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  const before = slugs.get(slug) ?? 0;
  slugs.set(slug, before + 1);
  return before === 0 ? slug : `${slug}-${before}`;
}
