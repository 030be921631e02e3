import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BuiltConsole, ConsoleFiles } from '#edge/console/built-files.ts';
import { checkTransport } from '#edge/console/guard.ts';
import type { ConsoleSettings } from '#edge/console/settings.ts';
import { sendCached } from '#foundation/http/document/cached-content.ts';
import { type Html, html, ICON_URL, READING_STYLE, sendHtmlPage } from '#foundation/http/html-page.ts';
import { noSuchPath } from '#foundation/http/serve/errors.ts';
import { refuseIf } from '#foundation/lib/refusals.ts';

/** The console loads nothing from elsewhere, runs no inline code, and cannot be framed. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'";

const FEATURES = [
  ...['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'serial', 'usb'].map(
    (feature) => `${feature}=()`,
  ),
  ...['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get'].map(
    (feature) => `${feature}=(self)`,
  ),
].join(', ');

/** The headers of every page of the console. */
export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': FEATURES,
};

/** Every address of the console answers the same page, which shows the screen of its address. */
export function registerShell(http: FastifyInstance, settings: ConsoleSettings): void {
  const files = new ConsoleFiles();
  const show = (request: FastifyRequest, reply: FastifyReply) => showShell(request, reply, files, settings);
  http.get('/console', show);
  http.get('/console/*', show);
  http.get<{ Params: { '*': string } }>('/console/assets/*', async (request, reply) => {
    refuseIf(checkTransport(request, settings));
    const { files: built } = await files.current();
    const content = built.get(`assets/${request.params['*']}`);
    if (!content) throw noSuchPath();
    return sendCached(request, reply.headers(PAGE_HEADERS), content);
  });
}

async function showShell(
  request: FastifyRequest,
  reply: FastifyReply,
  files: ConsoleFiles,
  settings: ConsoleSettings,
): Promise<FastifyReply> {
  if (checkTransport(request, settings)) return sendHttpsOnly(reply);
  try {
    const page = renderShell(await files.open());
    return reply
      .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
      .send(page.text);
  } catch (error) {
    request.log.error({ err: error, requestId: request.id }, 'the console cannot be built');
    return sendNotice(reply, 503, NOT_BUILT);
  }
}

function renderShell({ entry, styles, preloads }: BuiltConsole): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Corridor</title>
<link rel="icon" href="${ICON_URL}">
${styles.map((style) => html`<link rel="stylesheet" href="/console/${style}">\n`)}${preloads.map((file) => html`<link rel="modulepreload" href="/console/${file}">\n`)}<script type="module" src="/console/${entry}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;
}

interface Notice {
  readonly title: string;
  readonly text: string;
}

const HTTPS_ONLY: Notice = {
  title: 'The console answers over https only',
  text:
    'Open it over https. If the service runs on this machine, let it listen on a loopback address; otherwise put a proxy ' +
    'with a certificate in front of it. CONSOLE_INSECURE_HTTP=true allows plain http, but others on the network can then ' +
    'read what you see.',
};

const NOT_BUILT: Notice = {
  title: 'The console cannot be shown',
  text: 'Its pages could not be built. The log of the service says why; "npm ci" installs what the build needs.',
};

/** The answer of every page of the console over plain http (operator.md §3.6). */
export function sendHttpsOnly(reply: FastifyReply): FastifyReply {
  return sendNotice(reply, 403, HTTPS_ONLY);
}

function sendNotice(reply: FastifyReply, status: number, { title, text }: Notice): FastifyReply {
  const body = html`<main><h1>${title}</h1><p>${text}</p></main>`;
  return sendHtmlPage(reply, { status, title, body, style: READING_STYLE });
}
