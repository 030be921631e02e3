import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { issuerName } from '#capabilities/operators/issuer-settings.ts';
import { checkTransport } from '#edge/console/guard.ts';
import { SCRIPT, STYLE } from '#edge/console/operator-page-assets.ts';
import type { ConsoleSettings } from '#edge/console/settings.ts';
import { PAGE_HEADERS, sendHttpsOnly } from '#edge/console/shell.ts';
import { type Html, html, ICON_URL } from '#foundation/http/html-page.ts';

const BASE = '/console/operator';

interface Page {
  readonly path: string;
  readonly title: string;
  readonly body: Html;
}

const PAGES: readonly Page[] = [
  {
    path: `${BASE}/join`,
    title: 'Join as an operator',
    body: html`<main data-page="join"><h1>Join as an operator</h1>
<p id="notice" role="alert"></p>
<div id="ready" hidden><p>You are <strong id="who"></strong>. Register a passkey of this device, or of a security key. It asks for your
finger, your face or a PIN, each time you sign in.</p>
<p><button id="register">Register a passkey</button></p></div>
<div id="joined" hidden><p>You have joined. Read these digits to an administrator, over the phone or in person:</p>
<p id="digits" class="digits"></p>
<p>Once they are confirmed, <a href="/console/operator/sign-in">sign in</a>. Before that you can do nothing here.</p></div></main>`,
  },
  {
    path: `${BASE}/sign-in`,
    title: 'Sign in as an operator',
    body: html`<main data-page="sign-in"><h1>Sign in as an operator</h1>
<p id="notice" role="alert"></p>
<p><button id="enter">Sign in with a passkey</button></p></main>`,
  },
];

/** Where operators sign in at an issuer, nobody joins with a passkey (operator.md §1.3a). */
function pagesWithIssuer(name: string): readonly Page[] {
  return [
    {
      path: `${BASE}/sign-in`,
      title: 'Sign in as an operator',
      body: html`<main data-page="go-to-issuer"><h1>Sign in as an operator</h1>
<p id="notice" role="alert"></p>
<p><button id="enter">Sign in at ${name}</button></p></main>`,
    },
    {
      path: `${BASE}/callback`,
      title: 'Back from signing in',
      body: html`<main data-page="come-back"><h1>One moment</h1>
<p id="notice" role="alert"></p>
<p id="again" hidden><a href="${BASE}/sign-in">Sign in again</a></p></main>`,
    },
  ];
}

/**
 * The pages on which operators join and sign in: plain HTML, with one script for the passkey and the issuer (operator.md §1.3, §1.3a).
 * After that they are in the console, at `/console/operator`.
 */
export function registerOperatorPages(http: FastifyInstance, settings: ConsoleSettings): void {
  const pages = settings.issuer ? pagesWithIssuer(issuerName(settings.issuer)) : PAGES;
  for (const page of pages) {
    const text = render(page);
    http.get(page.path, (request, reply) => send(request, reply, { settings, type: 'text/html', text }));
  }
  const files = [
    ['page.js', 'text/javascript', SCRIPT],
    ['page.css', 'text/css', STYLE],
  ] as const;
  for (const [name, type, text] of files) {
    http.get(`${BASE}/${name}`, (request, reply) => send(request, reply, { settings, type, text }));
  }
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    settings,
    type,
    text,
  }: { readonly settings: ConsoleSettings; readonly type: string; readonly text: string },
): FastifyReply {
  if (checkTransport(request, settings)) return sendHttpsOnly(reply);
  return reply
    .headers({
      ...PAGE_HEADERS,
      ...{
        'cache-control': 'no-store',
        'content-type': `${type}; charset=utf-8`,
        'x-content-type-options': 'nosniff',
      },
    })
    .send(text);
}

function render({ title, body }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – Corridor</title>
<link rel="icon" href="${ICON_URL}">
<link rel="stylesheet" href="${BASE}/page.css">
<script type="module" src="${BASE}/page.js"></script>
</head>
<body>
${body}
<noscript>This page needs JavaScript to sign you in.</noscript>
</body>
</html>
`.text;
}
