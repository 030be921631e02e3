import assert from 'node:assert/strict';
import { type AccountRow, findVisibleAccount } from '#capabilities/accounts/store.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import type { Activity } from '#capabilities/wallet-auth/activity.ts';
import { findCredential, type NewCredential } from '#capabilities/wallet-auth/credential-store.ts';
import type { AuthCredentialVerifyRequest } from '#capabilities/wallet-auth/schemas.ts';
import type { CredentialRow } from '#capabilities/wallet-auth/sealed-credential.ts';
import { RefusedProof } from '#foundation/audit/audit.ts';
import { type PublicKey, parsePublicKey } from '#foundation/crypto/p256.ts';
import type { ListedOrigin } from '#foundation/crypto/webauthn.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { RequestFacts } from '#foundation/http/caller.ts';
import type { SignedTarget } from '#foundation/http/signed/signed-retry.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, Refusal } from '#foundation/lib/refusals.ts';

/** The account of an embedded wallet. */
export type WalletRow = AccountRow & { readonly customer_id: CustomerId };

/** wallets.md §6.1.20: loads the embedded wallet with this id. */
export async function loadWallet(tx: ReadTx, accountId: AccountId, field: string): Promise<WalletRow> {
  const account = await findVisibleAccount(tx, accountId);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  if (account.type !== 'EMBEDDED_WALLET') {
    throw invalidFields([{ field, message: `is ${account.type}, not an embedded wallet` }]);
  }
  const { customer_id } = account;
  assert(customer_id !== null, 'an embedded wallet has an owner');
  return { ...account, customer_id };
}

/** wallets.md §6.1.20: whether the wallet's owner can use it now. */
export function checkWallet({ status }: Pick<AccountRow, 'status'>): Refusal | undefined {
  if (status === 'ACTIVE') return undefined;
  return status === 'PENDING' || status === 'FAILED'
    ? new Refusal('WALLET_NOT_PROVISIONED', `The wallet is still being set up; it is ${status}.`)
    : new Refusal('CONFLICT', `The wallet is ${status}.`, { status });
}

/** Any active session of the wallet may sign. */
export function walletTarget({ id, customer_id }: Pick<WalletRow, 'id' | 'customer_id'>): SignedTarget {
  return {
    name: publicId('InternalAccount', id),
    signingWallets: [id],
    customerId: publicId('Customer', customer_id),
  };
}

export async function loadCredential(tx: ReadTx, id: CredentialId): Promise<CredentialRow> {
  const credential = await findCredential(tx, id);
  if (!credential) throw credentialNotFound();
  return credential;
}

export function credentialNotFound(): Refusal {
  return notFound('AUTH_METHOD_NOT_FOUND', 'AuthMethod');
}

/** A credential that passed its checks, before it is stored. */
export interface Candidate {
  readonly credential: Omit<NewCredential, 'id' | 'account_id' | 'customer_id' | 'type'>;
  /** The activity that has to be signed for it (wallets.md §3.8). */
  readonly activity: Activity;
  /** Stores further rows with it. */
  alsoStore?(tx: Tx): Promise<void>;
}

/** The wallet and the customer that a credential is added for. */
export interface CredentialOwner {
  readonly account: AccountRow;
  readonly customer: CustomerRow;
  readonly held: readonly CredentialRow[];
}

/** The operator's additions to the origins that are always accepted. */
export interface WalletAuthSettings {
  /** Origins of passkeys that are not web pages (wallets.md §6.1.24). */
  readonly passkeyOrigins: readonly ListedOrigin[];
}

/** A proof as the client sent it. */
export interface VerifyCall {
  readonly body: AuthCredentialVerifyRequest;
  readonly request: RequestFacts | undefined;
}

/** wallets.md §6.4.33. The schema checks the format; this checks that the key is on the curve. */
export function readClientKey(hex: string): PublicKey {
  const key = parsePublicKey(hex);
  if (key) return key;
  throw invalidFields([{ field: 'clientPublicKey', message: 'is not a point on the curve P-256' }]);
}

/** A proof of this credential that failed: 401, with an audit row (platform.md §1.3.9). */
export function failedProof(
  credential: Pick<CredentialRow, 'id' | 'type' | 'customer_id'>,
  reason: string,
  refusal = new Refusal('UNAUTHORIZED', reason),
): RefusedProof {
  return new RefusedProof(refusal, { ...proofOf(credential), reason });
}

/** The credential and customer that the proof is about. */
export function proofOf({ id, type, customer_id }: Pick<CredentialRow, 'id' | 'type' | 'customer_id'>) {
  return {
    proof: type,
    resource: publicId('AuthMethod', id),
    customerId: publicId('Customer', customer_id),
  };
}
