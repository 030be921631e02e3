import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

export interface HtmlPage {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** Our own CSS, without anything that could close the `style` element. */
  readonly style: string;
  /**
   * Our own script, without anything that could close the `script` element; it runs once the whole body is parsed. The
   * policy then allows style and script by a nonce, so no two renderings are the same, unless the page is shared.
   */
  readonly script?: string | undefined;
  /** Allows the script by its hash: for a page without secrets, which every visitor gets from a cache. */
  readonly isShared?: boolean;
  /** The pages that may frame it, as in a content security policy; by default none. */
  readonly frameAncestors?: string;
  /** The targets of its forms, as in a content security policy; by default none. */
  readonly formAction?: string;
  /** The sources of its pictures, as in a content security policy, besides the icon; by default none. */
  readonly images?: string;
  /** By default nothing is cached. */
  readonly cacheControl?: string;
  /** In addition to the headers of every page. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" role="img" aria-label="Corridor">
<rect width="32" height="32" rx="7" fill="#0b5cab"/>
<path d="M6 12h17m-5-5 5 5-5 5M26 20H9m5-5-5 5 5 5" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`;

/** A page contains its icon, so that it loads nothing, wherever it is served from. */
export const ICON_URL = `data:image/svg+xml;base64,${Buffer.from(ICON).toString('base64')}`;

/** Sends a page for people that loads nothing and sends no referrer. By default it runs no script and cannot be framed. */
export function sendHtmlPage(reply: FastifyReply, page: HtmlPage): FastifyReply {
  const { headers, text } = renderHtmlPage(page);
  return reply.code(page.status).headers(headers).send(text);
}

/** Renders the same page for a cache: a page without a script is the same every time. */
export function renderHtmlPage(given: HtmlPage): { headers: Record<string, string>; text: string } {
  const page = { ...given, style: readLook() + given.style };
  const { frameAncestors, cacheControl = 'no-store' } = page;
  const hasNonce = page.script !== undefined && !page.isShared;
  const nonce = hasNonce ? randomBytes(16).toString('base64') : undefined;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyFor(page, nonce),
    ...(frameAncestors === undefined && { 'x-frame-options': 'DENY' }),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': cacheControl,
    ...page.headers,
  };
  return { headers, text: renderDocument(page, nonce) };
}

function policyFor(page: HtmlPage, nonce: string | undefined): string {
  const { style, script, images, formAction = "'none'", frameAncestors = "'none'" } = page;
  return [
    "default-src 'none'",
    ...(nonce === undefined
      ? [
          `style-src ${hashSource(style)}`,
          ...(script === undefined ? [] : [`script-src ${hashSource(script)}`]),
        ]
      : [`style-src 'nonce-${nonce}'`, `script-src 'nonce-${nonce}'`]),
    // The icon is part of the page.
    images === undefined ? 'img-src data:' : `img-src ${images} data:`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

let look: string | undefined;

/** The variables that all our pages share: type, spacing and colours. */
export function readLook(): string {
  look ??= readFileSync(new URL('./look.css', import.meta.url), 'utf8').replace(/\/\*[\s\S]*?\*\/\s*/g, '');
  return look;
}

/** Whether a URL's host can be written in a policy, where `;`, `,` and `*`, which URLs allow, have a meaning. */
export function isPlainHost(hostname: string): boolean {
  return /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])$/.test(hostname);
}

function renderDocument({ title, body, style, script }: HtmlPage, nonce: string | undefined): string {
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${ICON_URL}">`;
  const known = nonce === undefined ? '' : ` nonce="${nonce}"`;
  return `<!doctype html>
<html lang="en">
<head>
${head.text}
<style${known}>${style}</style>
</head>
<body>
${body.text}${script === undefined ? '' : `\n<script${known}>${script}</script>`}
</body>
</html>
`;
}

/** The style of pages that are read rather than filled in; each adds its own. */
export const READING_STYLE = `
body { margin: 0; font: 1rem/1.6 var(--font); color: var(--ink); background: var(--ground); }
main { max-width: 42rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
.soft { color: var(--soft); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`;

/**
 * Text that is markup already. Only `html` and the renderer of our own documents create it, so nothing reaches a page
 * without being escaped.
 */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | false | undefined | readonly Piece[];

/** The only place that escapes: values become text, pieces of markup stay markup. */
export function html(parts: TemplateStringsArray, ...values: Piece[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)));
}

/** An instant for people. */
export function renderTime(at: Date): Html {
  const text = at.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 10)}, ${text.slice(11, 16)} UTC</time>`;
}

/** Answers a visitor's failed request with a page, not JSON: `unreadable` for errors of the request, `unavailable` for ours. */
export function answerWithPages<Page>(
  send: (reply: FastifyReply, status: number, page: Page) => unknown,
  pages: () => { readonly unreadable: Page; readonly unavailable: Page; readonly unreadableStatus?: number },
) {
  return (
    error: FastifyError | Refusal | DatabaseUnavailable,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void => {
    const { unreadable, unavailable, unreadableStatus } = pages();
    const status = failureStatus(error);
    if (status === 503) return void send(reply.header('retry-after', '1'), 503, unavailable);
    if (status < 500) return void send(reply, unreadableStatus ?? status, unreadable);
    request.log.error({ err: error, requestId: request.id }, 'request failed');
    send(reply, 500, unavailable);
  };
}

function failureStatus(error: FastifyError | Refusal | DatabaseUnavailable): number {
  if (error instanceof DatabaseUnavailable) return 503;
  return error instanceof Refusal ? error.status : (error.statusCode ?? 500);
}

function render(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (piece === false || piece === undefined) return '';
  if (typeof piece === 'object') return piece.map(render).join('');
  return String(piece).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
