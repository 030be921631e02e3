import { type CreatedToken, createToken, type TokenRequest } from '#capabilities/tokens/create-token.ts';
import { revokeToken } from '#capabilities/tokens/revoke-token.ts';
import { findToken, findTokenByClientId, type TokenRow } from '#capabilities/tokens/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { isClientId, parseId, publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

/** Creates a token with an audit row, in a transaction of its platform. */
export async function createAuditedToken(
  tx: Tx,
  request: TokenRequest,
  reason?: string,
): Promise<CreatedToken> {
  const created = await createToken(tx, request);
  const { name, permissions } = created.token;
  audit(tx, {
    action: 'token create',
    resource: publicId('Token', created.token.id),
    details: { name, permissions, ...(reason !== undefined && { reason }) },
  });
  return created;
}

/** Revokes a token with an audit row, even the platform's last one, in a transaction of its platform. */
export async function revokeAuditedToken(tx: Tx, id: Id<'Token'>, reason: string): Promise<TokenRow> {
  const token = await findToken(tx, id);
  if (!token) throw notFound('TOKEN_NOT_FOUND', 'Token');
  await revokeToken(tx, token.id);
  audit(tx, { action: 'token revoke', resource: publicId('Token', token.id), details: { reason } });
  return token;
}

/** Finds a token by client id, `Token:<uuid>` or bare UUID. */
export async function findTokenByName(tx: ReadTx, name: string): Promise<TokenRow | undefined> {
  if (isClientId(name)) return findTokenByClientId(tx, name);
  const id = parseId('Token', name);
  return id === undefined ? undefined : findToken(tx, id);
}
