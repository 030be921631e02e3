import { audit } from '#audit/audit.ts';
import { hashSecret, randomHex } from '#crypto/secrets.ts';
import type { Tx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';
import type { Permission } from '#tokens/schemas.ts';
import { insertToken, type TokenRow } from '#tokens/store.ts';

export interface TokenRequest {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Chosen by the operator for the first platform; generated otherwise. */
  readonly credentials?: ChosenCredentials | undefined;
}

/** Named as HTTP Basic names a token: by its client id or by its own id. */
export type ChosenCredentials = ({ readonly clientId: string } | { readonly id: string }) & {
  readonly clientSecret: string;
};

export interface CreatedToken {
  readonly token: TokenRow;
  /** Known now and never again: only its salted hash is stored (platform.md §1.3.5). */
  readonly clientSecret: string;
}

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
