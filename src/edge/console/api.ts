import { fastifyCookie } from '@fastify/cookie';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { OperatorSessions } from '#capabilities/operators/sessions.ts';
import { loadApprovalSettings } from '#capabilities/proposals/settings-store.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from '#edge/console/cookie.ts';
import { checkSender, checkTransport } from '#edge/console/guard.ts';
import { registerIssuerRoutes } from '#edge/console/issuer-routes.ts';
import { type OperatorApiParts, registerOperatorApi } from '#edge/console/operator-api.ts';
import { operatorFinder, registerOperatorSessions } from '#edge/console/operator-session.ts';
import { API, factsOf, readSent } from '#edge/console/requests.ts';
import { ConsoleSessions, callerOf, permissionsOf } from '#edge/console/sessions.ts';
import type { ConsoleParts, ConsoleSettings } from '#edge/console/settings.ts';
import type { StoredSession } from '#edge/console/store.ts';
import { Work } from '#foundation/database/work.ts';
import type { CallerKind } from '#foundation/http/caller.ts';
import { callersOf, type NamedOperation } from '#foundation/http/declare/operation.ts';
import { registerJsonDocument } from '#foundation/http/document/cached-content.ts';
import { noSuchPath } from '#foundation/http/serve/errors.ts';
import { type HttpParts, publicApi, registerOperations } from '#foundation/http/serve/register.ts';
import { platformTime } from '#foundation/lib/clock.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { Refusal, refuseIf } from '#foundation/lib/refusals.ts';

export interface ConsoleApiParts extends ConsoleParts, OperatorApiParts {
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  operations(): readonly NamedOperation[];
  describeOperators(): Record<string, unknown>;
}

const PLATFORM_API = `${API}/platform`;
const OTHERS_API = `${API}/others`;

/** The console's own API, which takes its cookies only (operator.md §3.2), and the public API's operations below it. */
export function registerConsoleApi(
  http: FastifyInstance,
  settings: ConsoleSettings,
  parts: ConsoleApiParts,
): void {
  const sessions = new ConsoleSessions(parts.runtime);
  // A scope of its own: its checks come before those of its routes, and hold for no other route.
  http.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      reply.headers({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' });
      done(checkTransport(request, settings) ?? checkSender(request, settings));
    });
    await scope.register(fastifyCookie);
    registerSessionRoutes(scope, sessions, parts);
    registerPlatformApi(scope, sessions, parts);
    registerOthersApi(scope, sessions, parts);
    const operators = new OperatorSessions(parts.runtime, parts);
    registerOperatorSessions(scope, operators, { ...parts, readApprovals: () => readApprovals(parts) });
    registerIssuerRoutes(scope, operators, parts);
    registerOperatorApi(scope, API, operatorFinder(operators, parts), parts);
    // Without a session, like the document of the public API: it says nothing about people or this installation.
    registerJsonDocument(scope, `${API}/openapi.json`, parts.describeOperators);
    for (const url of [API, `${API}/*`]) scope.all(url, refusePath);
  });
}

/** Pages show it, because with approvals off one operator alone moves money. */
async function readApprovals({ runtime }: ConsoleApiParts) {
  const work = new Work(runtime, INSTALLATION, { kind: 'worker', id: 'console' });
  return (await work.lookUp(loadApprovalSettings)).approvals;
}

function refusePath(): never {
  throw noSuchPath();
}

/** Every operation that a token may call, performed for the session's token like a call over its own route. */
function registerPlatformApi(
  scope: FastifyInstance,
  sessions: ConsoleSessions,
  parts: ConsoleApiParts,
): void {
  const open = parts.operations().filter((operation) => callersOf(operation).includes('token'));
  registerOperations(scope, open, parts, {
    prefix: PLATFORM_API,
    identify: async (_operation, request) => {
      const session = await findSession(sessions, request, parts);
      return session instanceof Refusal ? session : (checkPlatform(request, session) ?? callerOf(session));
    },
  });
}

/**
 * The operations of agents, with the agent's own token, and of visitors: the triggers play both (operator.md §9.4). The
 * content security policy lets pages call their own host only, and that may not be the API's.
 */
function registerOthersApi(http: FastifyInstance, sessions: ConsoleSessions, parts: ConsoleApiParts): void {
  const isOther = (kind: CallerKind) => kind !== 'token';
  const open = parts.operations().filter((operation) => callersOf(operation).some(isOther));
  http.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      const session = await findSession(sessions, request, parts);
      refuseIf(session instanceof Refusal ? session : checkPlatform(request, session));
    });
    registerOperations(scope, open, parts, publicApi(parts, OTHERS_API, isOther));
  });
}

function registerSessionRoutes(
  scope: FastifyInstance,
  sessions: ConsoleSessions,
  parts: ConsoleApiParts,
): void {
  scope.post(`${API}/sign-in/preview`, async (request) => {
    const found = await sessions.preview(readSecret(request, parts), factsOf(request));
    return presentToken(await accepted(found, request, parts));
  });
  scope.post(`${API}/sign-in`, async (request, reply) => {
    const signedIn = await sessions.signIn(readSecret(request, parts), factsOf(request));
    const { secret, session } = await accepted(signedIn, request, parts);
    setSessionCookie(reply, 'developer', secret);
    return presentSession(session, parts);
  });
  scope.get(`${API}/session`, async (request) => {
    const session = await findSession(sessions, request, parts);
    refuseIf(session instanceof Refusal ? session : undefined);
    return presentSession(session as StoredSession, parts);
  });
  scope.post(`${API}/sign-out`, (request, reply) => signOut(sessions, request, reply));
}

/** Works without a session too: then only the cookie is removed. */
async function signOut(
  sessions: ConsoleSessions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = await sessions.find(readSessionCookie(request, 'developer'));
  if (session) await sessions.signOut(session, factsOf(request));
  clearSessionCookie(reply, 'developer');
  return reply.code(204).send();
}

async function findSession(
  sessions: ConsoleSessions,
  request: FastifyRequest,
  parts: Pick<HttpParts, 'onRefusedCaller'>,
): Promise<StoredSession | Refusal> {
  const secret = readSessionCookie(request, 'developer');
  const session = await sessions.find(secret);
  if (session) return session;
  if (secret !== undefined) await parts.onRefusedCaller(factsOf(request));
  // Without `WWW-Authenticate`, for which the browser would ask the person for a password.
  return new Refusal('UNAUTHORIZED', 'You are not signed in, or your session has ended.');
}

/**
 * A browser has one session. A page that was opened before somebody signed in to another platform says which one it shows,
 * so that it neither reads nor changes the other one (operator.md §9.3).
 */
function checkPlatform({ headers }: FastifyRequest, { platform }: StoredSession): Refusal | undefined {
  const shown = headers['x-corridor-platform'];
  if (shown === undefined || shown === publicId('Platform', platform.id)) return undefined;
  return new Refusal(
    'UNAUTHORIZED',
    'This browser has signed in to another platform since. Load the page again.',
  );
}

/** A failed sign-in is audited like a failed authentication. */
async function accepted<T>(
  result: T | Refusal,
  request: FastifyRequest,
  { onRefusedCaller }: Pick<HttpParts, 'onRefusedCaller'>,
): Promise<T> {
  if (!(result instanceof Refusal)) return result;
  await onRefusedCaller(factsOf(request));
  throw result;
}

const SIGN_IN = Type.Object({ secret: Type.String({ maxLength: 200 }) });

function readSecret(request: FastifyRequest, parts: Pick<HttpParts, 'validate'>): string {
  return readSent(request, parts, SIGN_IN).secret;
}

/** Shows who an address would sign in, before it is used (operator.md §9.1). */
function presentToken(session: StoredSession) {
  const { platform, tokenId, tokenName, expiresAt } = session;
  const { id, name, environment } = platform;
  return {
    platform: { id: publicId('Platform', id), name, environment },
    tokenId: publicId('Token', tokenId),
    tokenName,
    permissions: permissionsOf(session),
    expiresAt: expiresAt.toISOString(),
  };
}

function presentSession(session: StoredSession, { publicUrl, names, runtime: { clock } }: ConsoleApiParts) {
  const { clockOffsetMs } = session.platform;
  return {
    ...presentToken(session),
    baseUrl: publicUrl() + names.basePath,
    serviceName: names.word,
    clock: {
      isMoved: clockOffsetMs !== 0,
      now: platformTime(clock, clockOffsetMs).toISOString(),
      realNow: new Date(clock.now()).toISOString(),
    },
  };
}
