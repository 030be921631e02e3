import {
  deleteRecoveryCode,
  findTotp,
  listRecoveryHashes,
  setLastStep,
} from '#capabilities/sca/factor-store.ts';
import type { ProofResult, SentProof } from '#capabilities/sca/proofs.ts';
import { hashCode, isSameHash } from '#foundation/codes/codes.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import {
  CODE_KINDS,
  inGroups,
  RECOVERY_CODES,
  randomCode,
  withoutGroups,
} from '#foundation/lib/code-kinds.ts';

/**
 * Checks a code of the customer's authenticator app, or a recovery code in its place. The caller has locked the
 * customer's standing, so that each time step and each recovery code counts once (customers.md §7.5a).
 */
export async function checkTotp(tx: ReadTx, customerId: CustomerId, proof: SentProof): Promise<ProofResult> {
  if (proof.kind !== 'CODE') {
    const reason = 'a passkey was sent where a code is required';
    return { reason, message: 'a code of the authenticator app is required: send code' };
  }
  const { code } = proof;
  const totp = await findTotp(tx, customerId);
  if (!totp) {
    const reason = 'the customer has no authenticator app';
    return { reason, message: reason };
  }
  const accepted = tx.ports.authenticatorCodes.check(totp.secret, code, tx.now);
  if (!accepted) return checkRecoveryCode(tx, customerId, code);
  const { step } = accepted;
  if (step === undefined) return { accept: async () => {} };
  if (totp.lastStep !== null && step <= totp.lastStep) {
    return { reason: 'the code was used before', message: 'was used before: wait for the next one' };
  }
  return { accept: (tx) => setLastStep(tx, customerId, step) };
}

async function checkRecoveryCode(tx: ReadTx, customerId: CustomerId, code: string): Promise<ProofResult> {
  const sent = recoveryHash(tx, customerId, code);
  const hashes = await listRecoveryHashes(tx, customerId);
  const found = hashes.filter((hash) => isSameHash(hash, sent));
  return found.length > 0
    ? { accept: (tx) => deleteRecoveryCode(tx, customerId, sent) }
    : { reason: 'the code is wrong' };
}

/** Bound to this customer. */
export function recoveryHash({ vault }: ReadTx, customerId: string, code: string): Buffer {
  return hashCode(vault, 'RECOVERY', [customerId], inGroups(withoutGroups(code)));
}

/** `XXXX-XXXX-XXXX`: 60 random bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => inGroups(randomCode(CODE_KINDS.RECOVERY.form)));
}
