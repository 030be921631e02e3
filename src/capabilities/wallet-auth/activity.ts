import { reserveTimestamp } from '#capabilities/wallet-auth/wallet-store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** The subject of a payload (wallets.md §3.8). */
export interface Activity {
  readonly type: ActivityType;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type ActivityType =
  | 'UPDATE_USER_EMAIL'
  | 'UPDATE_USER_PHONE_NUMBER'
  | 'CREATE_OAUTH_PROVIDERS'
  | 'DELETE_OAUTH_PROVIDERS'
  | 'CREATE_AUTHENTICATORS_V2'
  | 'DELETE_AUTHENTICATORS'
  | 'DELETE_API_KEYS'
  | 'CREATE_READ_WRITE_SESSION_V2'
  | 'CREATE_USERS_V3'
  | 'CREATE_POLICIES'
  | 'EXPORT_WALLET'
  | 'SIGN_RAW_PAYLOAD_V2'
  | 'SIGN_TRANSACTION_V2';

/**
 * The text that is signed. No two payloads of a wallet are the same: each has a later timestamp than the one before.
 */
export async function payloadToSign(
  tx: ReadTx,
  accountId: AccountId,
  { type, parameters }: Activity,
): Promise<string> {
  const timestampMs = await reserveTimestamp(tx, accountId);
  if (timestampMs === undefined) throw notProvisioned();
  return canonicalJson({
    organizationId: opaqueId('org', accountId),
    parameters,
    timestampMs: timestampMs.toString(),
    type: `ACTIVITY_TYPE_${type}`,
  });
}

/** Whether a payload was made for exactly this activity, whose parameters may have changed since. */
export function isPayloadFor(payload: string, { type, parameters }: Activity): boolean {
  const made = JSON.parse(payload) as Record<string, unknown>;
  const [asked, now] = [made, { type: `ACTIVITY_TYPE_${type}`, parameters }].map((one) =>
    canonicalJson([one.type, one.parameters]),
  );
  return asked === now;
}

/** A wallet from before wallets had keys gets its key by a job (provision-wallets.ts). */
export function notProvisioned(): Refusal {
  return new Refusal('WALLET_NOT_PROVISIONED', 'The wallet has no key yet; try again in a minute.');
}

/** Ids in payloads, which have no meaning for clients (wallets.md §3.9). */
export function opaqueId(
  prefix: 'org' | 'wallet' | 'user' | 'authenticator' | 'provider' | 'api_key' | 'delegated_key',
  uuid: string,
): string {
  return `${prefix}_${uuid.replaceAll('-', '')}`;
}
