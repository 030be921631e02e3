import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import {
  ISSUER_MS,
  type IssuerSessionParts,
  IssuerSessions,
  type IssuerStart,
} from '#capabilities/operators/issuer-sessions.ts';
import type { OperatorSessions } from '#capabilities/operators/sessions.ts';
import {
  clearIssuerCookie,
  readIssuerCookie,
  readSessionCookie,
  setIssuerCookie,
  setSessionCookie,
} from '#edge/console/cookie.ts';
import {
  accept,
  OPERATOR_API,
  type SessionParts,
  Signed,
  sessionFinder,
} from '#edge/console/operator-session.ts';
import { factsOf, readSent } from '#edge/console/requests.ts';
import type { Runtime } from '#foundation/database/tx.ts';

const Returned = Type.Object({
  answer: Type.String({ maxLength: 8_000 }),
  signs: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
});

interface IssuerRouteParts extends SessionParts, IssuerSessionParts {
  readonly runtime: Runtime;
}

/**
 * Signing in and proving presence at the operators' issuer (operator.md §1.3a). The issuer sends the browser to a page, and the
 * page sends what it got here: so this request is checked like every other one, and has the session's cookie.
 */
export function registerIssuerRoutes(
  scope: FastifyInstance,
  operators: OperatorSessions,
  parts: IssuerRouteParts,
): void {
  const settings = parts.consoleSettings?.issuer;
  if (!settings) return;
  const issuer = new IssuerSessions(parts.runtime, settings, parts);
  const find = sessionFinder(operators, parts);
  scope.post(`${OPERATOR_API}/issuer/sign-in`, async (_request, reply) =>
    begin(reply, await issuer.signIn()),
  );
  scope.post(`${OPERATOR_API}/issuer/step-up`, async (request, reply) => {
    const signs = hashIn(readSent(request, parts, Signed));
    return begin(reply, await issuer.stepUp(await find(request), signs));
  });
  scope.post(`${OPERATOR_API}/issuer/finish`, async (request, reply) => {
    const sent = readSent(request, parts, Returned);
    const former = readSessionCookie(request, 'operator');
    const back = {
      ...{ answer: sent.answer, signs: hashIn(sent), former, kept: readIssuerCookie(request) },
      session: await operators.find(former, false),
    };
    clearIssuerCookie(reply);
    const end = await accept(issuer.finish(back, factsOf(request)), request, parts);
    if ('confirmation' in end) return end;
    setSessionCookie(reply, 'operator', end.secret);
    return {};
  });
}

function begin(reply: FastifyReply, { url, kept }: IssuerStart): { url: string } {
  setIssuerCookie(reply, kept, ISSUER_MS);
  return { url };
}

function hashIn({ signs }: { readonly signs?: string | undefined }): Buffer | undefined {
  return signs === undefined ? undefined : Buffer.from(signs, 'hex');
}
