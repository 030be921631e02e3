import type { Tx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { bodyHash, claimKey, findKey, type KeyUse } from '#http/idempotency.ts';
import type { LinkRow } from '#onboarding/store.ts';

/**
 * The one form that a link has taken, remembered for a day as the key of a call is: whoever presses the button twice
 * sends it again and is answered as the first time. Another form was not taken, and is not said to have been.
 */
export function takenForm({ id }: Pick<LinkRow, 'id'>, work: Work, content: unknown): KeyUse {
  return {
    scope: 'onboarding link',
    key: id,
    bodyHash: bodyHash(work.runtime.vault, content),
    conflict: 'CONFLICT',
    // Where it leads stands in the link.
    secretReply: true,
  };
}

/** In the commit that uses the link up. */
export function rememberForm(tx: Tx, form: KeyUse): Promise<void> {
  return claimKey(tx, form);
}

export async function wasTaken(work: Work, form: KeyUse): Promise<boolean> {
  const taken = await work.read((tx) => findKey(tx, form));
  return (taken?.is_alive && taken.body_hash?.equals(form.bodyHash)) ?? false;
}
