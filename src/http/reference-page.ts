import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { nothingHere } from '#http/errors.ts';

const CONFIGURATION = {
  title: 'Corridor API',
  url: '/openapi.json',
  // The page must work with no network: nothing from elsewhere, and no doors to other services.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
};

/**
 * The browsable reference. Its bundle is large and most processes are never asked for it, so it is loaded
 * with the first visit, into a server of its own that only this route reaches.
 */
export function registerReference(app: FastifyInstance): void {
  let pages: Promise<FastifyInstance> | undefined;
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/', 302));
  app.get('/docs/*', async (request, reply) => {
    pages ??= loadPages();
    const page = await (await pages).inject({ method: 'GET', url: request.url });
    if (page.statusCode !== 200) throw nothingHere();
    const type = page.headers['content-type'];
    if (type !== undefined) reply.header('content-type', type);
    return reply.send(page.rawPayload);
  });
}

async function loadPages(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = Fastify({ logController: new LogController({ disableRequestLogging: true }) });
  await pages.register(scalar, {
    routePrefix: '/docs',
    configuration: CONFIGURATION as Record<string, unknown>,
  });
  return pages;
}
