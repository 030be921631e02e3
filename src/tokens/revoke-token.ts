import type { Tx } from '#database/tx.ts';
import { unauthorized } from '#http/access.ts';
import { invalidFields, notFound } from '#lib/refusals.ts';
import { lockLiveTokens, markRevoked } from '#tokens/store.ts';

/** For the operator, who needs no token and so cannot lock anyone in. */
export async function revokeToken(tx: Tx, id: string): Promise<void> {
  if (!(await markRevoked(tx, id))) throw notFound('TOKEN_NOT_FOUND', 'Token');
}

/** For a caller: never the token that signs the call, so that nobody locks themselves out (platform.md §1.3.7). */
export async function revokeOtherToken(tx: Tx, id: string, callerId: string | undefined): Promise<void> {
  if (id === callerId) {
    throw invalidFields([
      { field: 'tokenId', message: 'is the token used for this call; a token cannot revoke itself' },
    ]);
  }
  if (callerId !== undefined) {
    // Two tokens that delete each other at once meet at these rows: the second one is no longer live.
    const live = await lockLiveTokens(tx, [id, callerId]);
    if (!live.has(callerId)) throw unauthorized();
  }
  await revokeToken(tx, id);
}
