import { lockLiveTokens, markRevoked } from '#capabilities/tokens/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { unauthorized } from '#foundation/http/serve/access.ts';
import { invalidFields, notFound } from '#foundation/lib/refusals.ts';

/** Without the check below: for the operator, who needs no token to create another one. */
export async function revokeToken(tx: Tx, id: string): Promise<void> {
  if (!(await markRevoked(tx, id))) throw notFound('TOKEN_NOT_FOUND', 'Token');
}

/** For a caller, who cannot revoke the token of the call itself and so lock itself out (platform.md §1.3.7). */
export async function revokeOtherToken(tx: Tx, id: string, callerId: string | undefined): Promise<void> {
  if (id === callerId) {
    throw invalidFields([
      { field: 'tokenId', message: 'is the token used for this call; a token cannot revoke itself' },
    ]);
  }
  if (callerId !== undefined) {
    // Of two tokens that revoke each other at once, the second waits for these locks and is then no longer live.
    const live = await lockLiveTokens(tx, [id, callerId]);
    if (!live.has(callerId)) throw unauthorized();
  }
  await revokeToken(tx, id);
}
