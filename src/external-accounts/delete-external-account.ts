import type { Tx } from '#database/tx.ts';
import { closeChallenges } from '#external-accounts/challenge-store.ts';
import { missingAccount } from '#external-accounts/change-status.ts';
import { lockAccount, markDeleted, type Scope } from '#external-accounts/store.ts';
import { refuse } from '#lib/refusals.ts';

/** Soft: what refers to the account keeps its id. A trusted one must be untrusted first (accounts.md §3.4). */
export async function deleteExternalAccount(tx: Tx, id: string, scope: Scope): Promise<void> {
  const account = await lockAccount(tx, id, scope);
  if (!account) throw missingAccount();
  if (account.trusted) {
    refuse(
      'BENEFICIARY_TRUSTED',
      'This account is a trusted beneficiary. Remove the trust and confirm its removal, then delete the account.',
    );
  }
  await closeChallenges(tx, id);
  await markDeleted(tx, id);
}
