import { createHash } from 'node:crypto';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { noSuchPath } from '#http/errors.ts';
import type { NamedOperation } from '#http/operation.ts';

const CONFIGURATION = {
  title: 'Corridor API',
  url: '/openapi.json',
  // The page must work offline: nothing from elsewhere, and no links to other services.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** Where the reference page shows an operation, after `#`. */
export function anchorOf({ area, method, path }: NamedOperation): string {
  const slug = area
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
  return `tag/${slug}/${method}${path.replace(/:(\w+)/g, '{$1}')}`;
}

interface CachedPage {
  readonly content: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The browsable reference. Its bundle is large and most processes never serve it, so it is loaded at the first visit, into
 * a server of its own that only this route reaches. Each page is kept once and shared, because clients that ask and do not
 * read keep what is sent to them in memory.
 */
export function registerReference(app: FastifyInstance): void {
  let pages: Promise<FastifyInstance> | undefined;
  const known = new Map<string, Promise<CachedPage | undefined>>();
  const load = async (path: string): Promise<CachedPage | undefined> => {
    let page: CachedPage | undefined;
    try {
      pages ??= loadPages();
      const { statusCode, headers, rawPayload } = await (await pages).inject({ method: 'GET', url: path });
      if (statusCode === 200) page = pageOf(String(headers['content-type']), rawPayload);
      return page;
    } finally {
      // Only existing pages stay in the map: a handful.
      if (!page) known.delete(path);
    }
  };
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/', 302));
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    // Decoded, and without `..`: one page has one name, however it is spelled.
    const path = `/docs/${request.params['*']}`;
    if (!PLAIN.test(path)) throw noSuchPath();
    const loading = known.get(path) ?? load(path);
    known.set(path, loading);
    const page = await loading;
    if (!page) throw noSuchPath();
    return reply.headers(page.headers).send(page.content);
  });
}

function pageOf(type: string, content: Buffer): CachedPage {
  const common = {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  if (!type.startsWith('text/html')) return { content, headers: common };
  // Without an icon the browser would ask for one that does not exist.
  const html = content.toString('utf8').replace('<head>', '<head><link rel="icon" href="data:,">');
  const headers = {
    ...common,
    'content-security-policy': policyFor(html),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
  };
  return { content: Buffer.from(html), headers };
}

/**
 * Allows the page's own scripts only, and connections to us only. Its bundle creates style elements at run time, which
 * can only be allowed as a whole.
 */
function policyFor(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const PLAIN = /^\/docs(\/|(\/[\w-][\w.-]*)+)$/;

async function loadPages(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = Fastify({ logController: new LogController({ disableRequestLogging: true }) });
  await pages.register(scalar, {
    routePrefix: '/docs',
    configuration: CONFIGURATION as Record<string, unknown>,
  });
  return pages;
}
