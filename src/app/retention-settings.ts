import type { ReadSetting } from '#edge/providers/settings.ts';
import { type KeptTimes, LEAST_KEPT } from '#foundation/lib/kept-times.ts';
import { parseInteger } from './setting-parsers.ts';

/** The operator's settings of how long data is kept. */
export interface RetentionSettings {
  /**
   * How many years must pass after the deletion of a production customer before it can be erased
   * (customers.md §2.4.26g).
   */
  readonly retentionYears: number;
  /** For how many days the texts of banks about people are kept (bank-files.md §5.3). */
  readonly bankTextsKeptDays: number;
  /** How long logs and events are kept (customers.md §2.4.26j). */
  readonly kept: KeptTimes;
}

export const KEPT_DAYS_RULE = 'must be a whole number from 400 to 36500';

export function readRetention(read: ReadSetting): RetentionSettings {
  return {
    retentionYears: read('RETENTION_YEARS', parseInteger(0, 30), 'must be a whole number from 0 to 30') ?? 5,
    bankTextsKeptDays: read('BANK_TEXTS_KEPT_DAYS', parseInteger(400, 36_500), KEPT_DAYS_RULE) ?? 3_650,
    kept: readKeptTimes(read),
  };
}

/** Reads the settings of logs and events. None may be shorter than the rules promise. */
function readKeptTimes(read: ReadSetting): KeptTimes {
  const atLeast = (name: string, least: number, most: number) =>
    read(name, parseInteger(least, most), `must be a whole number from ${least} to ${most}`) ?? least;
  const { auditMonths, webhookDays, requestLogDays, connectorEventDays } = LEAST_KEPT;
  return {
    auditMonths: atLeast('AUDIT_KEPT_MONTHS', auditMonths, 360),
    webhookDays: atLeast('WEBHOOKS_KEPT_DAYS', webhookDays, 3_650),
    requestLogDays: atLeast('REQUEST_LOG_KEPT_DAYS', requestLogDays, 365),
    connectorEventDays: atLeast('CONNECTOR_EVENTS_KEPT_DAYS', connectorEventDays, 3_650),
  };
}
