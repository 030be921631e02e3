import { createHash } from 'node:crypto';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { type CachedContent, cacheContent, sendCached } from '#foundation/http/document/cached-content.ts';
import {
  REFERENCE_SCRIPT,
  REFERENCE_STYLE,
  STORAGE_SCRIPT,
} from '#foundation/http/document/reference-parts.ts';
import { ICON, readLook } from '#foundation/http/html-page.ts';
import { noSuchPath } from '#foundation/http/serve/errors.ts';

/** The fragment, without `#`, at which the reference page shows an operation. */
export function anchorOf({ area, method, path }: NamedOperation): string {
  const slug = area
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
  return `tag/${slug}/${method}${path.replace(/:(\w+)/g, '{$1}')}`;
}

/**
 * Serves the browsable reference. Its bundle is large and most processes never serve it, so it is loaded and compressed at
 * the first visit. The bundle's address contains a hash: a browser requests it once, and again when the content changes.
 */
export function registerReference(app: FastifyInstance): void {
  let parts: Promise<ReferenceParts> | undefined;
  const load = (): Promise<ReferenceParts> => {
    parts ??= loadParts().catch((error: unknown) => {
      parts = undefined;
      throw error;
    });
    return parts;
  };
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/', 302));
  app.get('/docs/', async (request, reply) => sendCached(request, reply, (await load()).page));
  app.get('/docs/icon.svg', async (request, reply) => sendCached(request, reply, (await load()).icon));
  app.get<{ Params: { file: string } }>('/docs/js/:file', async (request, reply) => {
    const { bundle } = await load();
    if (request.params.file !== fileNameOf(bundle)) throw noSuchPath();
    return sendCached(request, reply, bundle);
  });
}

interface ReferenceParts {
  readonly page: CachedContent;
  readonly icon: CachedContent;
  readonly bundle: CachedContent;
}

const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

async function loadParts(): Promise<ReferenceParts> {
  const bundle = await cacheContent(await readBundle(), {
    ...COMMON_HEADERS,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const page = await cacheContent(renderPage(`/docs/js/${fileNameOf(bundle)}`), {
    ...COMMON_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
  });
  const icon = await cacheContent(ICON, {
    ...COMMON_HEADERS,
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'public, max-age=86400',
  });
  return { page, icon, bundle };
}

function fileNameOf({ hash }: CachedContent): string {
  return `scalar.${hash}.js`;
}

function renderPage(bundleUrl: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Corridor API reference</title>
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
<style>${readLook()}${REFERENCE_STYLE}</style>
</head>
<body>
<nav class="corridor-pages" aria-label="Documentation">
<a href="/docs/" aria-current="page">API reference</a>
<a href="/docs/guides">Guides</a>
<a href="/docs/sandbox">Sandbox</a>
<a href="/openapi.json">OpenAPI document</a>
</nav>
<div id="app"></div>
<noscript><p>The reference needs JavaScript. <a href="/openapi.json">The OpenAPI document</a> has the same content.</p></noscript>
<script>${STORAGE_SCRIPT}</script>
<script src="${bundleUrl}"></script>
<script>${REFERENCE_SCRIPT}</script>
</body>
</html>
`;
}

/**
 * Allows the page's own scripts only, and connections to us only. Its bundle creates style elements at run time, which
 * can only be allowed as a whole.
 */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' ${[STORAGE_SCRIPT, REFERENCE_SCRIPT].map(hashSource).join(' ')}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function hashSource(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/** Reads the bundle from the package's own route: the package exports it in no other way. */
async function readBundle(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = Fastify({ logController: new LogController({ disableRequestLogging: true }) });
  await pages.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, rawPayload } = await pages.inject({ method: 'GET', url: '/docs/js/scalar.js' });
  if (statusCode !== 200) throw new Error('the bundle of the reference page was not found');
  return rawPayload;
}
