import type { Changes } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { IssuanceStatus } from '#foundation/ports/stablecoins.ts';

/** stablecoins.md §3.22–3.25: the provider's steps with a coin. */
export const ISSUANCE_STEPS: Readonly<Record<IssuanceStatus, readonly IssuanceStatus[]>> = {
  PENDING_REVIEW: ['PROVISIONING', 'REJECTED'],
  PROVISIONING: ['PROVISIONED', 'FAILED'],
  PROVISIONED: [],
  REJECTED: [],
  FAILED: [],
};

/** The provider may have taken some of the steps before the coin is registered. */
export const FIRST_ISSUANCE_STATUS: IssuanceStatus = 'PENDING_REVIEW';

/**
 * The status of a coin after this report of the provider. It may have taken several steps since the last report. A
 * report that no step leads to changes nothing.
 */
export function issuanceAfter(from: IssuanceStatus, reported: IssuanceStatus): IssuanceStatus {
  return leadsTo(from, reported) ? reported : from;
}

function leadsTo(from: IssuanceStatus, to: IssuanceStatus): boolean {
  return ISSUANCE_STEPS[from].some((next) => next === to || leadsTo(next, to));
}

/** stablecoins.md §4.1, §5.25: for everything that needs a provisioned coin. */
export function checkProvisioned(issuanceStatus: IssuanceStatus): Refusal | undefined {
  if (issuanceStatus === 'PROVISIONED') return undefined;
  const reason = `The coin is ${issuanceStatus} and must be PROVISIONED.`;
  return new Refusal('STABLECOIN_NOT_PROVISIONED', reason, { issuanceStatus });
}

/** Whether the provider's issuance is final. */
export function isDecided(status: IssuanceStatus): boolean {
  return ISSUANCE_STEPS[status].length === 0;
}

/** The job that asks the provider for the issuance status of a coin. */
export const ASK_ISSUANCE = 'stablecoins.ask-issuance';

export function scheduleIssuance(changes: Changes, coinId: CoinId, afterMs: number): void {
  schedule(changes, { kind: ASK_ISSUANCE, key: coinId, payload: { id: coinId }, afterMs });
}
