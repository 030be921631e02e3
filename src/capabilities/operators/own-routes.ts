import { type OperatorParts, relyingPartyOf } from '#capabilities/operators/address.ts';
import { issueChallenge, openChallenge } from '#capabilities/operators/challenges.ts';
import { endSessions, operatorIdOf, tellOperator } from '#capabilities/operators/manage.ts';
import { deletePasskeys, insertPasskey, listPasskeys } from '#capabilities/operators/passkey-store.ts';
import { readNewPasskey, refuseNewPasskey } from '#capabilities/operators/passkeys.ts';
import {
  EndedSessions,
  NewOperatorPasskey,
  OperatorPasskeys,
  OperatorReason,
  OperatorSessions,
  PasskeyChallenge,
} from '#capabilities/operators/schemas.ts';
import { listSessions, useChallenge } from '#capabilities/operators/session-store.ts';
import { IDLE_MS } from '#capabilities/operators/sessions.ts';
import { lockOperators } from '#capabilities/operators/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Caller } from '#foundation/http/caller.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE, type OperatorRule } from '#foundation/http/operator-rule.ts';
import { isUuid } from '#foundation/lib/ids.ts';
import { notFound, refuse } from '#foundation/lib/refusals.ts';

const area = 'Operators';
const access = 'operator';
const OWN: OperatorRule = { roles: EVERY_ROLE, on: 'installation' };
const OWN_CHANGE: OperatorRule = { ...OWN, stepUp: true };

/** The operator who calls; the command line has other ways. */
function ownId({ id }: Caller): Id<'Operator'> {
  return operatorIdOf(id) ?? refuse('FORBIDDEN', 'Only an operator with a session has passkeys.');
}

const PURPOSE = 'add-passkey';

const passkeys = (parts: OperatorParts) => [
  operation('listOwnPasskeys', {
    route: 'GET /operator/passkeys',
    ...{ area, access, operator: OWN },
    summary: 'List your passkeys',
    reply: OperatorPasskeys,
    codes: [],
    async read(tx, { caller }) {
      const rows = await listPasskeys(tx, ownId(caller));
      const data = rows.map(({ id, createdAt, usedAt }) => ({
        ...{ id, createdAt: createdAt.toISOString() },
        ...(usedAt && { usedAt: usedAt.toISOString() }),
      }));
      return { data };
    },
  }),
  operation('getPasskeyChallenge', {
    route: 'GET /operator/passkeys/challenge',
    ...{ area, access, operator: OWN_CHANGE },
    summary: 'Get a challenge for another passkey',
    reply: PasskeyChallenge,
    codes: [],
    async read(tx, { caller }) {
      const { vault, clock } = tx.runtime;
      const issued = issueChallenge(vault, clock.now(), [PURPOSE, ownId(caller)]);
      return { ...issued, rpId: relyingPartyOf(parts).id };
    },
  }),
  operation('addOwnPasskey', {
    route: 'POST /operator/passkeys',
    ...{ area, access, operator: OWN_CHANGE },
    summary: 'Register another passkey',
    description: 'An operator has at most ten.',
    body: NewOperatorPasskey,
    status: 201,
    reply: OperatorPasskeys,
    codes: ['CONFLICT'],
    async write(tx, { caller, body: { nonce, reason, ...attestation } }) {
      const own = ownId(caller);
      const { vault, clock } = tx.runtime;
      const challenge = openChallenge(vault, clock.now(), [PURPOSE, own], nonce);
      if (!challenge) refuse('CONFLICT', 'The challenge has expired, or was made for somebody else.');
      const passkey = await readNewPasskey(attestation, challenge, relyingPartyOf(parts));
      const target = await lockOwn(tx, own);
      if (!(await useChallenge(tx, challenge.hash, challenge.expiresAt))) {
        refuse('CONFLICT', 'The challenge was answered already.');
      }
      const problem = await insertPasskey(tx, own, passkey);
      if (problem) refuseNewPasskey(problem);
      tellOperator(tx, 'operator add passkey', target, { reason });
      const rows = await listPasskeys(tx, own);
      return { data: rows.map(({ id, createdAt }) => ({ id, createdAt: createdAt.toISOString() })) };
    },
  }),
  operation('deleteOwnPasskey', {
    route: 'POST /operator/passkeys/:passkeyId/delete',
    ...{ area, access, operator: OWN_CHANGE },
    summary: 'Delete one of your passkeys',
    description:
      'The last one stays, unless operators sign in at an issuer: without it nobody could sign in.',
    params: { passkeyId: { text: 'The id of the passkey.' } },
    body: OperatorReason,
    codes: ['NOT_FOUND', 'CONFLICT'],
    async write(tx, { caller, params: { passkeyId }, body: { reason } }) {
      const own = ownId(caller);
      const target = await lockOwn(tx, own);
      const rows = await listPasskeys(tx, own);
      if (!isUuid(passkeyId) || !rows.some(({ id }) => id === passkeyId))
        throw notFound('NOT_FOUND', 'passkey');
      if (rows.length === 1 && !parts.consoleSettings?.issuer)
        refuse('CONFLICT', 'This is your last passkey. Register another one first.');
      await deletePasskeys(tx, own, passkeyId);
      tellOperator(tx, 'operator delete passkey', target, { reason });
      return undefined;
    },
  }),
];

const sessions = [
  operation('listOwnSessions', {
    route: 'GET /operator/sessions',
    ...{ area, access, operator: OWN },
    summary: 'List your sessions',
    reply: OperatorSessions,
    codes: [],
    async read(tx, { caller }) {
      const usedSince = new Date(tx.runtime.clock.now() - IDLE_MS);
      const rows = await listSessions(tx, ownId(caller), usedSince);
      const data = rows.map(({ id, createdAt, usedAt, expiresAt, remoteAddress, browser }) => ({
        ...{ id, createdAt: createdAt.toISOString(), usedAt: usedAt.toISOString() },
        expiresAt: expiresAt.toISOString(),
        ...(remoteAddress !== null && { remoteAddress }),
        ...(browser !== null && { browser }),
      }));
      return { data };
    },
  }),
  operation('endOwnSessions', {
    route: 'POST /operator/sessions/end',
    ...{ area, access, operator: OWN },
    summary: 'End all your sessions',
    description: 'Also the one that calls.',
    body: OperatorReason,
    reply: EndedSessions,
    codes: [],
    write: async (tx, { caller, body }) => ({ ended: await endSessions(tx, ownId(caller), body) }),
  }),
];

/** What each operator does about the own passkeys and sessions (operator.md §1.3, §3.1). */
export function ownOperations(parts: OperatorParts) {
  return [...passkeys(parts), ...sessions];
}

/** Passkeys of one operator change one after the other. */
async function lockOwn(tx: Tx, id: Id<'Operator'>) {
  const row = (await lockOperators(tx, [id])).get(id);
  return row?.status === 'ACTIVE' ? row : refuse('FORBIDDEN', 'You are no longer an active operator.');
}
