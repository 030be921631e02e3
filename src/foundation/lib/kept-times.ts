/** How long the service keeps data, as far as there is a setting for it (customers.md §2.4.26j). */
export interface KeptTimes {
  /** Rows of the audit log, and reads by operators. */
  readonly auditMonths: number;
  /** Events after their delivery ended, and attempts to deliver them. */
  readonly webhookDays: number;
  readonly requestLogDays: number;
  /** Events of connectors after they were applied. */
  readonly connectorEventDays: number;
}

/** The shortest times that the rules allow, which are also the defaults. */
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

/** Returns the moment, in real time, before which data of this kind is deleted. */
export function keptSince(
  { kept = LEAST_KEPT, clock }: Keeping,
  kind: 'webhookDays' | 'requestLogDays' | 'connectorEventDays',
): Date {
  return new Date(clock.now() - kept[kind] * DAY_MS);
}

/** Returns for how many months the audit log is kept. The database counts them by its own clock. */
export function auditMonths({ kept = LEAST_KEPT }: Pick<Keeping, 'kept'>): number {
  return kept.auditMonths;
}

const DAY_MS = 24 * 60 * 60 * 1000;
