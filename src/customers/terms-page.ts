import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TermsVersion } from '#customers/terms.ts';
import { type Html, html } from '#http/html.ts';
import { READING_STYLE, sendHtmlPage } from '#http/html-page.ts';

/** `/terms/<version>`: every version ever published stays readable, for people and without any script. */
export function registerTermsPage(app: FastifyInstance, terms: readonly TermsVersion[]): void {
  app.get<{ Params: { version: string } }>('/terms/:version', async (request, reply) => {
    const found = terms.find(({ version }) => version === request.params.version);
    return found
      ? send(reply, 200, found.title, termsBody(found))
      : send(reply, 404, 'Not found', html`<h1>Not found</h1>\n<p>There are no terms of this version.</p>`);
  });
}

function send(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  return sendHtmlPage(reply, {
    status,
    title,
    body: html`<main>\n${body}\n</main>`,
    style: READING_STYLE,
    cacheControl: 'public, max-age=300',
  });
}

function termsBody({ version, title, publishedOn, sections }: TermsVersion): Html {
  const blocks = sections.map(
    ({ heading, paragraphs }, i) => html`<section aria-labelledby="s${i}">
<h2 id="s${i}">${heading}</h2>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}</section>
`,
  );
  return html`<h1>${title}</h1>
<p class="soft">Version ${version}, published <time datetime="${publishedOn}">${publishedOn}</time></p>
${blocks}`;
}
