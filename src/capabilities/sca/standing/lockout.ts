import { voidChallenges } from '#capabilities/sca/challenges/challenges.ts';
import { type Standing, updateStanding } from '#capabilities/sca/standing/store.ts';
import { type FailedProof, RefusedProof } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';

const MINUTE_MS = 60_000;

/** Which failure locks for how long (customers.md §7.31–7.35). The failure after the last step suspends. */
export const LOCKOUT_STEPS = [
  { failures: 5, minutes: 15 },
  { failures: 6, minutes: 30 },
  { failures: 7, minutes: 60 },
  { failures: 8, minutes: 24 * 60 },
] as const;
const SUSPENDED_FROM = Math.max(...LOCKOUT_STEPS.map(({ failures }) => failures)) + 1;

/** `15 minutes`, `1 hour`, `24 hours`. */
export function lockTimeInWords({ minutes }: { readonly minutes: number }): string {
  if (minutes < 60) return `${minutes} minutes`;
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
}

/** For the API reference and the sandbox's page. */
export const LOCKOUT_IN_WORDS = [
  ...LOCKOUT_STEPS.map((step) => `${step.failures} lock the customer for ${lockTimeInWords(step)}`),
  `${SUSPENDED_FROM} suspend the customer`,
].join(', ');

export function afterFailure(standing: Standing, now: Date): Standing {
  const failedAttempts = standing.failedAttempts + 1;
  const isSuspended = standing.isSuspended || failedAttempts >= SUSPENDED_FROM;
  const step = LOCKOUT_STEPS.find(({ failures }) => failures === failedAttempts);
  const lockedUntil = step ? new Date(now.getTime() + step.minutes * MINUTE_MS) : standing.lockedUntil;
  return { ...standing, failedAttempts, isSuspended, lockedUntil: isSuspended ? null : lockedUntil };
}

/** Returns the end of the customer's lock; null: not locked, or suspended. */
export function activeLockUntil({ lockedUntil }: Standing, now: Date): Date | null {
  return lockedUntil !== null && lockedUntil > now ? lockedUntil : null;
}

/** Undefined: the customer is not locked. */
function describeLock(standing: Standing, now: Date): string | undefined {
  if (standing.isSuspended) return 'suspended until its password is reset';
  const until = activeLockUntil(standing, now);
  return until ? `locked until ${until.toISOString()}` : undefined;
}

/** Returns 423 while the customer is locked or suspended: the proof is not checked (customers.md §7.8). */
export function checkLocked(standing: Standing, now: Date): Refusal | undefined {
  const { isSuspended, failedAttempts } = standing;
  const lock = describeLock(standing, now);
  if (lock === undefined) return undefined;
  const lockedUntil = activeLockUntil(standing, now)?.toISOString();
  const reason = `Too many proofs of this customer have failed. The customer is ${lock}.`;
  return new Refusal('ACCOUNT_LOCKED', reason, {
    suspended: isSuspended,
    ...(lockedUntil !== undefined && { lockedUntil }),
    failedAttempts,
  });
}

/** Counts a failure; the caller has locked the standing. Suspension voids open challenges (customers.md §7.10d). */
export async function countFailure(tx: Tx, standing: Standing): Promise<Standing> {
  const after = afterFailure(standing, tx.now);
  await updateStanding(tx, after);
  if (after.isSuspended && !standing.isSuspended) await voidChallenges(tx, standing.customerId);
  return after;
}

/** A failed proof, with the message for the caller. */
export interface CountedProof extends Omit<FailedProof, 'resource'> {
  readonly field: string;
  /** The problem with the field; undefined: its value is wrong. */
  readonly message?: string | undefined;
  /** A further consequence: `the payment has failed`. */
  readonly outcome?: string | undefined;
}

/**
 * Counts a wrong proof and returns its refusal. The caller must return it too, because throwing would undo the
 * counting. The refusal names the problem, and says whether the customer is now locked (customers.md §7.8a).
 */
export async function countWrongProof(
  tx: Tx,
  standing: Standing,
  { field, message = 'is wrong', outcome, ...failed }: CountedProof,
): Promise<RefusedProof> {
  const after = await countFailure(tx, standing);
  const lock = describeLock(after, tx.now);
  const told = [message, outcome, lock && `the customer is ${lock}`].filter((part) => part !== undefined);
  const refusal = invalidFields([{ field, message: told.join('; ') }]);
  const resource = publicId('Customer', standing.customerId);
  return new RefusedProof(refusal, { ...failed, resource, consequence: lock });
}
