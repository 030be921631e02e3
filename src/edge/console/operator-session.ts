import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Joined, JoinPreview } from '#capabilities/operators/join.ts';
import { presentOperator } from '#capabilities/operators/row.ts';
import type { OperatorSession } from '#capabilities/operators/session-store.ts';
import { type OperatorSessions, operatorCallerOf } from '#capabilities/operators/sessions.ts';
import type { ApprovalSettings } from '#capabilities/proposals/settings-store.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from '#edge/console/cookie.ts';
import type { FindOperator } from '#edge/console/operator-api.ts';
import { API, factsOf, readSent } from '#edge/console/requests.ts';
import { STEP_UP_MS } from '#foundation/http/declare/check-operator.ts';
import type { HttpParts } from '#foundation/http/serve/register.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

export const OPERATOR_API = `${API}/operator`;
/** A page that asks by itself, such as a list that reloads, says so: that keeps no session alive (operator.md §3.1). */
const POLLING = 'x-corridor-polling';

export type SessionParts = Pick<HttpParts, 'validate' | 'onRefusedCaller'>;

const base64url = (maxLength: number) => Type.String({ maxLength });
const Secret = Type.Object({ secret: base64url(200) });
const Join = Type.Object({
  secret: base64url(200),
  nonce: base64url(200),
  attestation: Type.Object({
    credentialId: base64url(1_400),
    clientDataJson: base64url(4_000),
    attestationObject: base64url(40_000),
  }),
});
const Answer = Type.Object({
  nonce: base64url(200),
  assertion: Type.Object({
    credentialId: base64url(1_400),
    clientDataJson: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
  }),
});
export const Signed = Type.Object({ signs: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })) });

/** Joining, signing in, proving presence and signing out (operator.md §1.3, §3). They need no role. */
export function registerOperatorSessions(
  scope: FastifyInstance,
  sessions: OperatorSessions,
  parts: SessionParts & { readApprovals(): Promise<ApprovalSettings['approvals']> },
): void {
  const find = sessionFinder(sessions, parts);
  scope.post(`${OPERATOR_API}/join/preview`, async (request) => {
    const { secret } = readSent(request, parts, Secret);
    return presentPreview(await accept(sessions.previewJoin(secret, factsOf(request)), request, parts));
  });
  scope.post(`${OPERATOR_API}/join`, async (request, reply) => {
    const sent = readSent(request, parts, Join);
    const former = readSessionCookie(request, 'operator');
    const joined = await accept(sessions.join(sent, factsOf(request), former), request, parts);
    setSessionCookie(reply, 'operator', joined.secret);
    return presentJoined(joined);
  });
  scope.post(`${OPERATOR_API}/sign-in/challenge`, async () => sessions.signInChallenge());
  scope.post(`${OPERATOR_API}/sign-in`, async (request, reply) => {
    const answer = readSent(request, parts, Answer);
    const former = readSessionCookie(request, 'operator');
    const secret = await accept(sessions.signIn(answer, factsOf(request), former), request, parts);
    setSessionCookie(reply, 'operator', secret);
    return reply.code(204).send();
  });
  scope.get(`${OPERATOR_API}/session`, async (request) => {
    const session = presentSession(await find(request));
    return { ...session, approvals: await parts.readApprovals() };
  });
  scope.post(`${OPERATOR_API}/step-up/challenge`, async (request) => {
    const { signs } = readSent(request, parts, Signed);
    const signed = signs === undefined ? undefined : Buffer.from(signs, 'hex');
    return sessions.stepUpChallenge(await find(request), signed);
  });
  scope.post(`${OPERATOR_API}/step-up`, async (request, reply) => {
    const session = await find(request);
    const answer = readSent(request, parts, Answer);
    const secret = await accept(sessions.stepUp(session, answer, factsOf(request)), request, parts);
    setSessionCookie(reply, 'operator', secret);
    return reply.code(204).send();
  });
  scope.post(`${OPERATOR_API}/sign-out`, (request, reply) => signOut(sessions, request, reply));
}

/** The operator of a request's session, for the operators' operations. */
export function operatorFinder(sessions: OperatorSessions, parts: SessionParts): FindOperator {
  const find = sessionFinder(sessions, parts);
  return async (request) => {
    try {
      return operatorCallerOf(await find(request));
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  };
}

export function sessionFinder(sessions: OperatorSessions, { onRefusedCaller }: SessionParts) {
  return async (request: FastifyRequest): Promise<OperatorSession> => {
    const secret = readSessionCookie(request, 'operator');
    const session = await sessions.find(secret, request.headers[POLLING] === '1');
    if (session) return session;
    if (secret !== undefined) await onRefusedCaller(factsOf(request));
    // Without `WWW-Authenticate`, for which the browser would ask the person for a password.
    throw new Refusal('UNAUTHORIZED', 'You are not signed in, or your session has ended.');
  };
}

/** Works without a session too: then only the cookie is removed. */
async function signOut(
  sessions: OperatorSessions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = await sessions.find(readSessionCookie(request, 'operator'), false);
  if (session) await sessions.signOut(session, factsOf(request));
  clearSessionCookie(reply, 'operator');
  return reply.code(204).send();
}

/** A failed sign-in is audited like a failed authentication. */
export async function accept<T>(
  result: Promise<T | Refusal>,
  request: FastifyRequest,
  { onRefusedCaller }: SessionParts,
): Promise<T> {
  const outcome = await result;
  if (!(outcome instanceof Refusal)) return outcome;
  await onRefusedCaller(factsOf(request));
  throw outcome;
}

/** Browsers store the id with the passkey, so that the person need not type a name to sign in. */
function presentPreview({ nonce, challenge, rpId, operator: { id, name, email } }: JoinPreview) {
  const user = { id: Buffer.from(id).toString('base64url'), name: email, displayName: name };
  return { nonce, challenge, rp: { id: rpId, name: 'Corridor' }, user };
}

function presentJoined({ operator, digits }: Joined) {
  const { id, name, status } = presentOperator(operator);
  return { id, name, status, ...(status === 'JOINED' && { digits }) };
}

function presentSession(session: OperatorSession) {
  const { id, operatorId, name, email, status, roles, digits, expiresAt, steppedUpAt, approvesFrom } =
    session;
  const { hasPasskey } = session;
  const provedUntil = steppedUpAt && new Date(steppedUpAt.getTime() + STEP_UP_MS).toISOString();
  return {
    id,
    operator: {
      ...{
        id: publicId('Operator', operatorId),
        name,
        email,
        status,
        roles: status === 'ACTIVE' ? roles : [],
      },
      ...(digits !== null && { digits }),
      ...(approvesFrom && { approvesFrom: approvesFrom.toISOString() }),
    },
    expiresAt: expiresAt.toISOString(),
    ...(provedUntil && { provedUntil }),
    hasPasskey,
  };
}
