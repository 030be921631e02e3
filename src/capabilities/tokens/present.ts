import type { ApiToken } from '#capabilities/tokens/schemas.ts';
import type { TokenRow } from '#capabilities/tokens/store.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Omits the secret, which is shown only when the token is created. */
export function presentToken(token: TokenRow): ApiToken {
  return {
    id: publicId('Token', token.id),
    name: token.name,
    permissions: token.permissions,
    clientId: token.client_id,
    createdAt: token.created_at.toISOString(),
    updatedAt: token.updated_at.toISOString(),
  };
}
