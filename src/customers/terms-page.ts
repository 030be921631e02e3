import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TermsVersion } from '#customers/terms.ts';

/** `/terms/<version>`: every version ever published stays readable, for people and without any script. */
export function registerTermsPage(app: FastifyInstance, terms: readonly TermsVersion[]): void {
  app.get<{ Params: { version: string } }>('/terms/:version', async (request, reply) => {
    const found = terms.find(({ version }) => version === request.params.version);
    return found
      ? send(reply, 200, found.title, termsBody(found))
      : send(reply, 404, 'Not found', '<h1>Not found</h1>\n<p>There are no terms of this version.</p>');
  });
}

function send(reply: FastifyReply, status: number, title: string, body: string): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'public, max-age=300')
    .send(page(title, body));
}

function termsBody({ version, title, publishedOn, sections }: TermsVersion): string {
  const blocks = sections.map(({ heading, paragraphs }, i) => {
    const text = paragraphs.map((paragraph) => `<p>${asText(paragraph)}</p>`).join('\n');
    return `<section aria-labelledby="s${i}">\n<h2 id="s${i}">${asText(heading)}</h2>\n${text}\n</section>`;
  });
  const date = `<time datetime="${asText(publishedOn)}">${asText(publishedOn)}</time>`;
  return [
    `<h1>${asText(title)}</h1>`,
    `<p class="about">Version ${asText(version)}, published ${date}</p>`,
    ...blocks,
  ].join('\n');
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${asText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: #1b1f24; background: #fff; }
main { max-width: 42rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
.about { color: #555d66; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e8ea; background: #14171a; }
  .about { color: #a3abb3; }
}
`;

/** Nothing may load, run, submit or frame but the one style that stands in the page. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function asText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
