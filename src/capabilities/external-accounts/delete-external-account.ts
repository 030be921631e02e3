import { closeChallenges } from '#capabilities/external-accounts/challenge-store.ts';
import {
  externalAccountNotFound,
  lockExternalAccount,
  markExternalAccountDeleted,
  type Scope,
} from '#capabilities/external-accounts/store.ts';
import { dropChallenges } from '#capabilities/sca/challenges/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { refuse } from '#foundation/lib/refusals.ts';

/**
 * A soft delete, because payments refer to the account. A trusted account must be untrusted first (accounts.md §3.4).
 */
export async function deleteExternalAccount(tx: Tx, id: ExternalAccountId, scope: Scope): Promise<void> {
  // A confirmation of trust locks its challenge before the account, so this does, too.
  await dropChallenges(tx, id, ['TRUST', 'UNTRUST']);
  const account = await lockExternalAccount(tx, id, scope);
  if (!account) throw externalAccountNotFound();
  if (account.trusted) {
    refuse(
      'BENEFICIARY_TRUSTED',
      'This account is a trusted beneficiary. Remove the trust and confirm its removal, then delete the account.',
    );
  }
  await closeChallenges(tx, id);
  await markExternalAccountDeleted(tx, id);
}
