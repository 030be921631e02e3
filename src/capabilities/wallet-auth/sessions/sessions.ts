import { opaqueId, payloadToSign } from '#capabilities/wallet-auth/activity.ts';
import { lockCredential } from '#capabilities/wallet-auth/credential-store.ts';
import { checkWallet, loadWallet, readClientKey } from '#capabilities/wallet-auth/rules.ts';
import type { AuthSession } from '#capabilities/wallet-auth/schemas.ts';
import {
  findSession,
  isActive,
  revokeSession,
  type SessionRow,
} from '#capabilities/wallet-auth/session-store.ts';
import {
  issueClientKeySession,
  issueServerKeySession,
} from '#capabilities/wallet-auth/sessions/issue-session.ts';
import { throwStale } from '#foundation/database/reasons.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { ChallengePlan, OwnPlan } from '#foundation/http/declare/plan.ts';
import type { SignedTarget } from '#foundation/http/signed/signed-retry.ts';
import type { PendingRequest } from '#foundation/http/signed/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound, Refusal, refuseIf } from '#foundation/lib/refusals.ts';

function targetOf({ id, account_id, customer_id }: SessionRow): SignedTarget {
  return {
    name: publicId('Session', id),
    signingWallets: [account_id],
    customerId: publicId('Customer', customer_id),
  };
}

async function loadSession(tx: ReadTx, id: Id<'Session'>): Promise<SessionRow> {
  const session = await findSession(tx, id);
  if (!session) throw sessionNotFound();
  return session;
}

function sessionNotFound(): Refusal {
  return notFound('SESSION_NOT_FOUND', 'Session');
}

/** wallets.md §6.7.40: an ended session is not found, in either leg. */
async function loadActiveSession(tx: ReadTx, id: Id<'Session'>): Promise<SessionRow> {
  const session = await loadSession(tx, id);
  if (!isActive(session, tx.now)) throw sessionNotFound();
  return session;
}

/** wallets.md §6.7.40: any active session of the wallet may sign, including the one that is revoked. */
export async function revocationTarget(tx: ReadTx, id: Id<'Session'>): Promise<SignedTarget> {
  return targetOf(await loadActiveSession(tx, id));
}

export async function prepareSessionRevocation(
  tx: ReadTx,
  id: Id<'Session'>,
  signed: PendingRequest | undefined,
): Promise<ChallengePlan | OwnPlan<never>> {
  const session = await loadActiveSession(tx, id);
  if (!signed) {
    const parameters = {
      apiKeyIds: [opaqueId('api_key', id)],
      userId: opaqueId('user', session.customer_id),
    };
    const payload = await payloadToSign(tx, session.account_id, { type: 'DELETE_API_KEYS', parameters });
    return { toSign: { payload, extraFields: { type: session.type } } };
  }
  return {
    async commit(tx) {
      if (!(await revokeSession(tx, id))) throwStale();
      return undefined as never;
    },
  };
}

/** wallets.md §6.7.41: only the session itself may sign its refresh. An ended session is found, but cannot be used. */
export async function refreshTarget(
  tx: ReadTx,
  id: Id<'Session'>,
  clientPublicKey: string,
): Promise<SignedTarget> {
  const session = await loadSession(tx, id);
  readClientKey(clientPublicKey);
  return { ...targetOf(session), allowsSession: (signer) => signer.id === id };
}

export async function prepareRefresh(
  tx: ReadTx,
  id: Id<'Session'>,
  clientPublicKey: string,
  signed: PendingRequest | undefined,
): Promise<ChallengePlan | OwnPlan<AuthSession>> {
  const session = await loadSession(tx, id);
  const { account_id: accountId, customer_id: customerId, credential_id: credentialId } = session;
  const { type, nickname } = session;
  refuseIf(checkActive(session, tx.now));
  refuseIf(checkWallet(await loadWallet(tx, accountId, 'id')));
  if (!signed) {
    const parameters = { targetPublicKey: clientPublicKey };
    return {
      toSign: {
        payload: await payloadToSign(tx, accountId, { type: 'CREATE_READ_WRITE_SESSION_V2', parameters }),
      },
    };
  }
  const clientKey = readClientKey(clientPublicKey);
  const owner = { accountId, customerId, credentialId, type, nickname };
  return {
    async commit(tx) {
      // A revocation of the credential, or the closing of the wallet, waits for this session or has already ended it.
      const credential = await lockCredential(tx, credentialId);
      const found = await findSession(tx, id);
      if (!credential || !found || !isActive(found, tx.now)) throwStale();
      return clientKey.isCompressed
        ? issueClientKeySession(tx, owner, clientKey.compressed)
        : issueServerKeySession(tx, owner, clientKey);
    },
  };
}

function checkActive(session: SessionRow, now: Date): Refusal | undefined {
  if (isActive(session, now)) return undefined;
  return new Refusal('UNAUTHORIZED', 'The session has ended; prove the credential again.');
}
