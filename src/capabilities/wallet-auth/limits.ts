import { clearAttempts, recordAttempt } from '#foundation/codes/limit-store.ts';
import { checkAttempts, takeAttempt } from '#foundation/codes/limits.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { CODE_KINDS } from '#foundation/lib/code-kinds.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';

const { limits } = CODE_KINDS.WALLET;

/** Counts one more challenge, or refuses it with 429 (wallets.md §6.3.30). The caller has locked the credential. */
export async function takeChallenge(tx: Tx, credentialId: CredentialId): Promise<void> {
  const { challengesPerMinute: max } = tx.platform.settings.wallets;
  const attempted = { kind: 'WALLET_CHALLENGE', ownerId: credentialId } as const;
  await takeAttempt(tx, attempted, [{ ...limits.challenges, max }], tooMany);
}

/** The same for a code that is sent. */
export async function takeSend(tx: Tx, credentialId: CredentialId): Promise<void> {
  const { codesPerDay: max } = tx.platform.settings.wallets;
  const attempted = { kind: 'WALLET_SEND', ownerId: credentialId } as const;
  await takeAttempt(tx, attempted, [{ ...limits.sends, max }], tooMany);
}

/**
 * wallets.md §6.4.31: too many proofs of this credential have failed. A success clears the short limit, but not the
 * long one.
 */
export function checkFailures(tx: ReadTx, credentialId: CredentialId): Promise<Refusal | undefined> {
  const { failuresPerFiveMinutes, failuresPerDay } = tx.platform.settings.wallets;
  const both = [
    { ...limits.failures, max: failuresPerFiveMinutes },
    { ...limits.failuresOfDay, max: failuresPerDay },
  ];
  return checkAttempts(tx, failuresOf(credentialId), both, tooMany);
}

export function recordFailure(tx: Tx, credentialId: CredentialId): Promise<void> {
  return recordAttempt(tx, failuresOf(credentialId));
}

export function clearFailures(tx: Tx, credentialId: CredentialId): Promise<void> {
  return clearAttempts(tx, failuresOf(credentialId));
}

function failuresOf(credentialId: CredentialId) {
  return { kind: 'WALLET_FAILURE', ownerId: credentialId } as const;
}

function tooMany(seconds: number): string {
  return `Too many attempts with this credential. Try again in ${seconds} seconds.`;
}
