import { presentSession } from '#capabilities/wallet-auth/present.ts';
import type { AuthSession, CredentialType } from '#capabilities/wallet-auth/schemas.ts';
import type { CredentialRow } from '#capabilities/wallet-auth/sealed-credential.ts';
import { insertSession } from '#capabilities/wallet-auth/session-store.ts';
import { sessionKeyBundle } from '#foundation/crypto/hpke.ts';
import { generateKeyPair, type PublicKey } from '#foundation/crypto/p256.ts';
import type { Tx } from '#foundation/database/tx.ts';

export interface SessionOwner {
  readonly accountId: AccountId;
  readonly customerId: CustomerId;
  readonly credentialId: CredentialId;
  readonly type: CredentialType;
  readonly nickname: string;
}

export function ownerOf({ id, account_id, customer_id, type, nickname }: CredentialRow): SessionOwner {
  return { accountId: account_id, customerId: customer_id, credentialId: id, type, nickname };
}

/** A session that the client's own key signs for. */
export function issueClientKeySession(tx: Tx, owner: SessionOwner, publicKey: string): Promise<AuthSession> {
  return issue(tx, owner, [publicKey]);
}

/**
 * wallets.md §6.4.33, §6.4.33a: a session whose key is created here and sealed to the client's. A compressed client key
 * signs as well, for clients that hold their own. The private key is discarded after it is sealed.
 */
export async function issueServerKeySession(
  tx: Tx,
  owner: SessionOwner,
  clientKey: PublicKey,
): Promise<AuthSession> {
  const { privateKey, publicKey } = generateKeyPair();
  const sealed = await sessionKeyBundle(clientKey, privateKey);
  privateKey.fill(0);
  const own = clientKey.isCompressed ? [clientKey.compressed] : [];
  return issue(tx, owner, [publicKey.compressed, ...own], sealed);
}

async function issue(
  tx: Tx,
  owner: SessionOwner,
  publicKeys: readonly string[],
  sealedKey?: string,
): Promise<AuthSession> {
  const expiresAt = new Date(tx.now.getTime() + tx.platform.settings.wallets.sessionSeconds * 1000);
  return presentSession(
    await insertSession(tx, { id: tx.newId(), ...owner, publicKeys, expiresAt }),
    sealedKey,
  );
}
