import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from '#http/html.ts';

export interface HtmlPage {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** Ours, and holds nothing that could end its element. */
  readonly style: string;
  /** Where its forms may lead, in the words of a content security policy; none unless it says so. */
  readonly formAction?: string;
  /** Kept nowhere unless it says otherwise. */
  readonly cacheControl?: string;
  /** What it sends beside the headers of every page. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page for people that loads nothing, runs nothing, is framed by nobody, and tells nobody its address. */
export function sendHtmlPage(reply: FastifyReply, page: HtmlPage): FastifyReply {
  const { status, title, body, style, formAction = "'none'", cacheControl = 'no-store', headers = {} } = page;
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(style, formAction),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': cacheControl,
      ...headers,
    })
    .send(documentOf(title, body, style));
}

function policyFor(style: string, formAction: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

function documentOf(title: string, body: Html, style: string): string {
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>`;
  return `<!doctype html>
<html lang="en">
<head>
${head.text}
<style>${style}</style>
</head>
<body>
${body.text}
</body>
</html>
`;
}

/** The look of pages that are read rather than filled in; each adds its own. */
export const READING_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --ground: #fff; --soft: #555d66; --line: #d5dae0; --tint: #f2f5f8;
  --accent: #0b5cab; --on-accent: #fff; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
main { max-width: 42rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
.soft { color: var(--soft); }
:focus-visible { outline: 3px solid #f2a900; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ea; --ground: #14171a; --soft: #a3abb3; --line: #3a4148; --tint: #1f2429; --accent: #7ab8ff;
    --on-accent: #14171a; }
}
`;
