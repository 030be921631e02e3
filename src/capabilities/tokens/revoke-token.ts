import { lockLiveTokens, markRevoked } from '#capabilities/tokens/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { unauthorized } from '#foundation/http/serve/access.ts';
import { invalidFields, notFound } from '#foundation/lib/refusals.ts';

/** Skips the check of `revokeOtherToken`: the operator needs no token to create another one. */
export async function revokeToken(tx: Tx, id: Id<'Token'>): Promise<void> {
  if (!(await markRevoked(tx, id))) throw notFound('TOKEN_NOT_FOUND', 'Token');
}

/** For API callers: a call cannot revoke its own token and lock its caller out (platform.md §1.3.7). */
export async function revokeOtherToken(
  tx: Tx,
  id: Id<'Token'>,
  callerId: Id<'Token'> | undefined,
): Promise<void> {
  if (id === callerId) {
    throw invalidFields([
      { field: 'tokenId', message: 'is the token used for this call; a token cannot revoke itself' },
    ]);
  }
  if (callerId !== undefined) {
    // If two tokens revoke each other at once, the second call waits for these locks and then finds itself revoked.
    const live = await lockLiveTokens(tx, [id, callerId]);
    if (!live.has(callerId)) throw unauthorized();
  }
  await revokeToken(tx, id);
}
