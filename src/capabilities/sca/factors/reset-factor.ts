import { contactChange } from '#capabilities/customers/announcements.ts';
import { replaceVerifiedPhone } from '#capabilities/customers/contacts/contact-verification.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { PHONE_PATTERN } from '#capabilities/customers/field-schemas.ts';
import { lockLiveCustomer } from '#capabilities/customers/store.ts';
import { voidChallenges } from '#capabilities/sca/challenges/challenges.ts';
import { deleteFactor, loadAuthentication } from '#capabilities/sca/factor-store.ts';
import {
  findReset,
  findResetStart,
  insertReset,
  lockReset,
  markResetCompleted,
  type Reset,
  type StoredStatus,
  setResetStatus,
} from '#capabilities/sca/factors/reset-store.ts';
import type {
  ResetStatus,
  ScaFactor,
  TwoFactorResetCompleteRequest,
  TwoFactorResetStart,
  TwoFactorResetStatus,
} from '#capabilities/sca/schemas.ts';
import { checkEnrolled, lockLiveStanding } from '#capabilities/sca/standing/rules.ts';
import { revokeSessions, setNumberNeedsProof } from '#capabilities/sca/standing/store.ts';
import { throwStale } from '#foundation/database/reasons.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import type { OwnPlan } from '#foundation/http/declare/plan.ts';
import { concerning, type JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, rateLimited, refuse, refuseIf } from '#foundation/lib/refusals.ts';
import type { LivenessSession } from '#foundation/ports/ownership.ts';

const DAY_MS = 24 * 60 * 60_000;
/** customers.md §7.66, §7.16. */
const RESET_LIFE_MS = 15 * 60_000;
const RESETS_PER_DAY = 5;

/** Opens the provider's session first, outside any transaction; it has no effect until the reset is stored. */
export async function startReset(
  work: Work,
  { id: customerId }: CustomerRow,
  factor: ScaFactor,
): Promise<TwoFactorResetStart> {
  const { reset, session } = await work.read(async (tx) => {
    await requireResettable(tx, customerId, factor);
    const reset = {
      id: tx.newId<'ScaReset'>(),
      customerId,
      factor,
      expiresAt: new Date(tx.now.getTime() + RESET_LIFE_MS),
    };
    const session = await tx.ports.factorReset.startLiveness({
      reference: reset.id,
      platformId: tx.platformId,
      customerId,
      expiresAt: reset.expiresAt,
    });
    return { reset, session };
  });
  if (!session) refuse('NOT_IMPLEMENTED', 'No provider of liveness checks is connected in this environment.');
  return work.write(async (tx) => {
    await lockLiveStanding(tx, customerId);
    await requireResettable(tx, customerId, factor);
    await insertReset(tx, reset);
    scheduleOutcome(tx, reset, session);
    return {
      resetId: publicId('ScaReset', reset.id),
      livenessAccessToken: session.token ?? null,
      verificationLink: session.verificationLink,
      expiresAt: reset.expiresAt.toISOString(),
    };
  });
}

async function requireResettable(tx: ReadTx, customerId: CustomerId, factor: ScaFactor): Promise<void> {
  const authentication = await loadAuthentication(tx, customerId);
  // A reset is the alternative way to make an unproved number a factor (customers.md §7.3a).
  const isNumber = factor === 'SMS_OTP' && authentication.numberNeedsProof;
  if (!isNumber) refuseIf(checkEnrolled(authentication, factor));
  const limit = { nth: RESETS_PER_DAY, withinMs: DAY_MS };
  const startedAt = await findResetStart(tx, customerId, limit);
  if (!startedAt) return;
  const waitMs = startedAt.getTime() + limit.withinMs - tx.now.getTime();
  throw rateLimited(
    waitMs,
    (seconds) => `Too many resets in a day. Another one can be started in ${seconds} seconds.`,
  );
}

function scheduleOutcome(tx: Tx, { id }: Pick<Reset, 'id'>, { outcome }: LivenessSession): void {
  if (!outcome) return;
  const payload: SettleReset = { resetId: id, report: outcome.passed ? 'passed' : 'failed' };
  schedule(tx, { kind: SETTLE_RESET, afterMs: outcome.afterMs, payload });
}

/** The provider's reports on a liveness check, and the resulting status of a reset (customers.md §7.62–7.64). */
export const RESET_CHANGES = {
  submitted: { from: ['INITIATED'], to: 'PENDING_REVIEW' },
  passed: { from: ['INITIATED', 'PENDING_REVIEW'], to: 'LIVENESS_PASSED' },
  failed: { from: ['INITIATED', 'PENDING_REVIEW'], to: 'REJECTED' },
} as const satisfies Record<string, { from: readonly StoredStatus[]; to: StoredStatus }>;

/** The customer completes a reset whose liveness check has passed (customers.md §7.16). */
export const RESET_COMPLETION = {
  completed: { from: ['LIVENESS_PASSED'], to: 'COMPLETED' },
} as const satisfies Record<string, { from: readonly StoredStatus[]; to: StoredStatus }>;

function canBeCompleted(reset: Reset, now: Date): boolean {
  const status = statusAt(reset, now);
  return RESET_COMPLETION.completed.from.some((from) => from === status);
}

export type LivenessReport = keyof typeof RESET_CHANGES;

/** False, without a change, if the reset has ended or does not expect this report. */
export async function applyLiveness(
  tx: Tx,
  resetId: Id<'ScaReset'>,
  report: LivenessReport,
): Promise<boolean> {
  const reset = await lockReset(tx, resetId);
  const { from, to }: { from: readonly ResetStatus[]; to: Exclude<StoredStatus, 'COMPLETED'> } =
    RESET_CHANGES[report];
  if (!reset || !from.includes(statusAt(reset, tx.now))) return false;
  await setResetStatus(tx, reset, to);
  return true;
}

/** Returns the status of a reset, for a provider that knows its id; undefined: there is none. */
export async function findResetStatus(tx: ReadTx, resetId: Id<'ScaReset'>): Promise<ResetStatus | undefined> {
  const reset = await findReset(tx, resetId);
  return reset && statusAt(reset, tx.now);
}

/** The job that applies an outcome that was known at the start of the reset. */
const SETTLE_RESET = 'sca.settle-reset';

interface SettleReset {
  readonly resetId: Id<'ScaReset'>;
  readonly report: LivenessReport;
}

export const resetJobs: JobDeclarations = {
  [SETTLE_RESET]: {
    due: concerning(
      'ScaReset',
      (id) => `The provider decides the liveness check of the reset ${id}.`,
      'resetId',
    ),
    async run(tx, job) {
      const { resetId, report } = job.payload as SettleReset;
      await applyLiveness(tx, resetId, report);
    },
  },
};

/** An unfinished reset expires at its time without a write (customers.md §7.66). */
export function statusAt({ status, expiresAt }: Pick<Reset, 'status' | 'expiresAt'>, now: Date): ResetStatus {
  const isFinal = status === 'COMPLETED' || status === 'REJECTED';
  return isFinal || expiresAt > now ? status : 'EXPIRED';
}

export async function loadReset(tx: ReadTx, { id }: CustomerRow, resetId: Id<'ScaReset'>): Promise<Reset> {
  const reset = await findReset(tx, resetId);
  if (reset?.customerId !== id) throw notFound('REQUEST_NOT_FOUND', 'ScaReset');
  return reset;
}

export function presentReset(reset: Reset, now: Date): TwoFactorResetStatus {
  const { factor, expiresAt, completedAt, reenrolledAt } = reset;
  const isRemoved = completedAt !== null && factor !== 'SMS_OTP';
  return {
    status: statusAt(reset, now),
    factor,
    enrollmentStatus: isRemoved ? (reenrolledAt ? 'COMPLETED' : 'PENDING') : null,
    expiresAt: expiresAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  };
}

/** Removes the factor, or changes the number for text messages; ends all sessions (customers.md §7.16). */
export function prepareCompletion(
  tx: ReadTx,
  customer: CustomerRow,
  reset: Reset,
  body: TwoFactorResetCompleteRequest,
): OwnPlan<never> {
  requirePassed(reset, tx.now);
  const { factor } = reset;
  const phoneNumber = factor === 'SMS_OTP' ? readMobile(body) : undefined;
  return {
    subjects: phoneNumber === undefined ? [] : phoneChange(customer, phoneNumber),
    async commit(tx) {
      await lockLiveStanding(tx, customer.id);
      const locked = await lockReset(tx, reset.id);
      if (!locked || !canBeCompleted(locked, tx.now)) throwStale();
      if (phoneNumber !== undefined) {
        await changePhone(tx, customer, phoneNumber);
        await setNumberNeedsProof(tx, customer.id, false);
      }
      if (factor !== 'SMS_OTP') await deleteFactor(tx, customer.id, factor);
      await markResetCompleted(tx, reset);
      await revokeSessions(tx, customer.id);
      await voidChallenges(tx, customer.id, factor);
      return undefined as never;
    },
  };
}

function requirePassed(reset: Reset, now: Date): void {
  if (canBeCompleted(reset, now)) return;
  const status = statusAt(reset, now);
  refuse('INVALID_INPUT', `Only a reset whose liveness check has passed can be completed; it is ${status}.`, {
    status,
  });
}

function readMobile({ mobile }: TwoFactorResetCompleteRequest): string {
  if (!mobile) throw invalidFields([{ field: 'mobile', message: 'is required to reset SMS_OTP' }]);
  const phoneNumber = `+${mobile.countryCode.replace(/^\+/, '')}${mobile.number}`;
  if (!new RegExp(PHONE_PATTERN).test(phoneNumber)) {
    const message = 'must be an E.164 number: a country code such as +49, and digits';
    throw invalidFields([{ field: 'mobile', message, constraint: { format: 'e.164' } }]);
  }
  return phoneNumber;
}

/** The number is a contact like any other: gates whose codes depend on it may refuse the change (customers.md §7.16a). */
function phoneChange(customer: CustomerRow, to: string) {
  const from = customer.phone_number ?? undefined;
  if (from === to) return [];
  return [contactChange.of({ customer, field: 'phoneNumber', from, to, canBeSigned: false })];
}

async function changePhone(tx: Tx, seen: CustomerRow, phoneNumber: string): Promise<void> {
  const stored = await lockLiveCustomer(tx, seen.id);
  if (!stored || stored.phone_number !== seen.phone_number) throwStale();
  await replaceVerifiedPhone(tx, stored, phoneNumber);
}
