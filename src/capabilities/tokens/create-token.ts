import type { Permission } from '#capabilities/tokens/schemas.ts';
import { insertToken, lockLiveTokens, type TokenRow } from '#capabilities/tokens/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { hashSecret, randomHex } from '#foundation/crypto/secrets.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { unauthorized } from '#foundation/http/serve/access.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';

export interface TokenRequest {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Chosen by the operator for the first platform; generated otherwise. */
  readonly credentials?: ChosenCredentials | undefined;
}

/** The username of HTTP Basic is the token's client id or its own id. */
export type ChosenCredentials = ({ readonly clientId: string } | { readonly id: Id<'Token'> }) & {
  readonly clientSecret: string;
};

export interface CreatedToken {
  readonly token: TokenRow;
  /** Available only now: only its salted hash is stored (platform.md §1.3.5). */
  readonly clientSecret: string;
}

/**
 * A caller can grant only permissions that it has itself (platform.md §1.3.5): otherwise MANAGE alone would give all of
 * them. The caller's row is locked, so that a token that is being revoked cannot create another one.
 */
export async function grantToken(
  tx: Tx,
  callerId: Id<'Token'> | undefined,
  request: TokenRequest,
): Promise<CreatedToken> {
  const caller = callerId === undefined ? undefined : (await lockLiveTokens(tx, [callerId])).get(callerId);
  if (!caller) throw unauthorized();
  const lacking = request.permissions.filter((permission) => !caller.permissions.includes(permission));
  if (lacking.length > 0) {
    const names = [...new Set(lacking)].join(' and ');
    refuse('FORBIDDEN', `A token can grant only permissions that it has, and this one lacks ${names}.`);
  }
  return createToken(tx, request);
}

/** Checks no permissions: for the operator, and for callers that were already checked. */
export async function createToken(tx: Tx, request: TokenRequest): Promise<CreatedToken> {
  const { name, credentials } = request;
  const clientSecret = credentials?.clientSecret ?? randomHex(32);
  const token = await insertToken(tx, {
    id: credentials && 'id' in credentials ? credentials.id : tx.newId(),
    clientId: credentials && 'clientId' in credentials ? credentials.clientId : randomHex(16),
    name,
    permissions: [...new Set(request.permissions)],
    secret: hashSecret(clientSecret),
  });
  audit(tx, { action: 'secret shown', resource: publicId('Token', token.id) });
  return { token, clientSecret };
}
