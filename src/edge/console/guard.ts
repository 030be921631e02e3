import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ConsoleSettings } from '#edge/console/settings.ts';
import { noSuchPath, pathOf } from '#foundation/http/serve/errors.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** A page of the console, or a person who typed the address. */
const OWN_READS: ReadonlySet<unknown> = new Set(['same-origin', 'none', undefined]);

/**
 * Refuses a request that a page of another site may have sent (operator.md §3.3). Browsers set `Sec-Fetch-Site` and
 * `Origin` themselves, and no page can set `X-Corridor-Console` for another origin without being asked first.
 */
export function checkSender(request: FastifyRequest, settings: ConsoleSettings): Refusal | undefined {
  const { 'sec-fetch-site': site, origin, 'x-corridor-console': mark } = request.headers;
  if (READS.has(request.method)) return OWN_READS.has(site) ? undefined : foreignSender();
  const isOwn = site === undefined ? origin === originOf(request, settings) : site === 'same-origin';
  return isOwn && mark === '1' ? undefined : foreignSender();
}

function foreignSender(): Refusal {
  return new Refusal('FORBIDDEN', 'Only the console’s own pages can send this request.');
}

/** The origin of the console's pages: the browser sends the host that it shows. */
function originOf({ protocol, host }: FastifyRequest, { url }: ConsoleSettings): string {
  return url === undefined ? `${protocol}://${host}` : new URL(url).origin;
}

/** Refuses plain http where the console needs https (operator.md §3.6). A trusted proxy says whether it was https. */
export function checkTransport(
  { protocol }: FastifyRequest,
  { takesPlainHttp }: ConsoleSettings,
): Refusal | undefined {
  if (protocol === 'https' || takesPlainHttp) return undefined;
  return new Refusal('FORBIDDEN', 'The console answers over https only.');
}

/** Gives the console its own host: it answers on that host only, and nothing else is served there (operator.md §3.6). */
export function separateHosts(http: FastifyInstance, { url }: ConsoleSettings): void {
  if (url === undefined) return;
  const { host } = new URL(url);
  http.addHook('onRequest', (request, _reply, done) => {
    const isOwnHost = request.host.toLowerCase() === host;
    // The route's own path, because a request can spell it in several ways, such as `/%63onsole`.
    const path = request.routeOptions.url ?? pathOf(request);
    done(isOwnHost === isConsolePath(path) ? undefined : noSuchPath());
  });
}

function isConsolePath(path: string): boolean {
  return path === '/console' || path.startsWith('/console/');
}
