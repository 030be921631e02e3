/** How long the service keeps data for which there is a setting (customers.md §2.4.26j). */
export interface KeptTimes {
  /** Rows of the audit log, and reads by operators. */
  readonly auditMonths: number;
  /** Events after their delivery ended, and attempts to deliver them. */
  readonly webhookDays: number;
  readonly requestLogDays: number;
  /** Events of connectors after they were applied. */
  readonly connectorEventDays: number;
}

/** The least that the rules allow, which is also what holds without a setting. */
export const LEAST_KEPT: KeptTimes = {
  auditMonths: 13,
  webhookDays: 30,
  requestLogDays: 7,
  connectorEventDays: 180,
};

interface Keeping {
  readonly kept?: KeptTimes | undefined;
  readonly clock: { now(): number };
}

/** The moment before which data of this kind is deleted, in real time. */
export function keptSince(
  { kept = LEAST_KEPT, clock }: Keeping,
  kind: 'webhookDays' | 'requestLogDays' | 'connectorEventDays',
): Date {
  return new Date(clock.now() - kept[kind] * DAY_MS);
}

/** For how many months the audit log is kept. The database compares them with its own clock. */
export function auditMonths({ kept = LEAST_KEPT }: Pick<Keeping, 'kept'>): number {
  return kept.auditMonths;
}

const DAY_MS = 24 * 60 * 60 * 1000;
