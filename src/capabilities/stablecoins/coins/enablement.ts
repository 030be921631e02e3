import { addCurrency } from '#capabilities/platform/add-currency.ts';
import { disableCurrency, enableCurrency } from '#capabilities/platform/disable-currency.ts';
import { COINS, type CoinRow, type SvcStatus, tokenOf } from '#capabilities/stablecoins/coin-row.ts';
import { lockCoin } from '#capabilities/stablecoins/coin-store.ts';
import { checkProvisioned } from '#capabilities/stablecoins/issuance.ts';
import { presentCoin } from '#capabilities/stablecoins/present.ts';
import type { Stablecoin } from '#capabilities/stablecoins/schemas.ts';
import { audit } from '#foundation/audit/audit.ts';
import { changedRow } from '#foundation/database/rows.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { concerning, type JobDeclarations, type RunHandler } from '#foundation/jobs/handlers.ts';
import { cancelJob, schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound, Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';

export type EnablementStep = 'request' | 'approve' | 'decline' | 'setUp' | 'disable' | 'enable';

/** stablecoins.md §4.12–4.18: the status that each step leads to. A missing step is refused, or changes nothing. */
export const ENABLEMENT_STEPS: Readonly<
  Record<SvcStatus, Readonly<Partial<Record<EnablementStep, SvcStatus>>>>
> = {
  NOT_ENABLED: { request: 'PENDING_APPROVAL' },
  PENDING_APPROVAL: { request: 'PENDING_APPROVAL', approve: 'ENABLING', decline: 'NOT_ENABLED' },
  ENABLING: { setUp: 'ENABLED' },
  ENABLED: { disable: 'DISABLED' },
  DISABLED: { enable: 'ENABLING' },
};

export const FIRST_SVC_STATUS: SvcStatus = 'NOT_ENABLED';

const APPROVE = 'stablecoins.approve';
const SET_UP = 'stablecoins.set-up';

export async function requestEnablement(tx: Tx, coinId: CoinId): Promise<Stablecoin> {
  const coin = await requireCoin(tx, coinId);
  refuseIf(checkRequest(coin));
  if (coin.svc_operations_status === 'PENDING_APPROVAL') return presentCoin(coin);
  const { approvesAfterMs } = tx.ports.stablecoins.enablementOf(tokenOf(coin));
  if (approvesAfterMs !== undefined) scheduleStep(tx, APPROVE, coin, approvesAfterMs);
  return presentCoin(await takeStep(tx, coin, 'request'));
}

/** stablecoins.md §4.1, §4.14. */
export function checkRequest(
  coin: Pick<CoinRow, 'issuance_status' | 'svc_operations_status'>,
): Refusal | undefined {
  const { issuance_status: issuanceStatus, svc_operations_status: svcOperationsStatus } = coin;
  const unprovisioned = checkProvisioned(issuanceStatus);
  if (unprovisioned) return unprovisioned;
  if (ENABLEMENT_STEPS[svcOperationsStatus].request) return undefined;
  const reason =
    svcOperationsStatus === 'DISABLED'
      ? 'The operator disabled the coin, and only the operator can enable it again.'
      : `The coin is already ${svcOperationsStatus}.`;
  return new Refusal('STABLECOIN_SVC_ENABLEMENT_NOT_REQUESTABLE', reason, { svcOperationsStatus });
}

export interface OperatorDecision {
  readonly coinId: CoinId;
  /** The reason, for the audit log. */
  readonly reason?: string | undefined;
}

export type OperatorStep = Exclude<EnablementStep, 'request' | 'setUp'>;

/** stablecoins.md §4.15, §4.17, §4.18. */
export async function decideByOperator(
  tx: Tx,
  step: OperatorStep,
  { coinId, reason }: OperatorDecision,
): Promise<Stablecoin> {
  const coin = await requireCoin(tx, coinId);
  const { svc_operations_status: svcOperationsStatus } = coin;
  if (!ENABLEMENT_STEPS[svcOperationsStatus][step]) {
    const needed = Object.entries(ENABLEMENT_STEPS).find(([, steps]) => step in steps)?.[0];
    refuse('CONFLICT', `The coin is ${svcOperationsStatus}; to ${step} it, it must be ${needed}.`, {
      svcOperationsStatus,
    });
  }
  const resource = publicId('Stablecoin', coinId);
  audit(tx, { action: `stablecoin ${step}`, resource, details: { reason } });
  return presentCoin(await takeStep(tx, coin, step));
}

async function requireCoin(tx: Tx, coinId: CoinId): Promise<CoinRow> {
  const coin = await lockCoin(tx, coinId);
  if (!coin) throw coinNotFound();
  return coin;
}

export function coinNotFound(): Refusal {
  return notFound('STABLECOIN_NOT_FOUND', 'Stablecoin');
}

/**
 * Takes one step with a locked coin, and changes its currency with it. Without effect if the status has no such step.
 */
async function takeStep(tx: Tx, coin: CoinRow, step: EnablementStep): Promise<CoinRow> {
  const status = ENABLEMENT_STEPS[coin.svc_operations_status][step];
  if (!status) return coin;
  if (status === 'ENABLED') await openCurrency(tx, coin);
  if (status === 'DISABLED') await disableCurrency(tx, coin.symbol);
  if (status === 'ENABLING') {
    scheduleStep(tx, SET_UP, coin, tx.ports.stablecoins.enablementOf(tokenOf(coin)).setUpMs);
  }
  if (step === 'approve' || step === 'decline') cancelJob(tx, APPROVE, coin.id);
  const since = status === 'ENABLED' ? (coin.currency_since ?? tx.now) : coin.currency_since;
  const change = changedRow(coin, { svc_operations_status: status, currency_since: since }, tx.now);
  tx.collect(COINS.writer, change);
  return change.row;
}

/** stablecoins.md §4.16, §8.1: adds the currency, or enables it again. */
async function openCurrency(tx: Tx, { symbol, name, decimals }: CoinRow): Promise<void> {
  await addCurrency(tx, { code: symbol, name, symbol, decimals });
  await enableCurrency(tx, symbol);
}

function scheduleStep(tx: Tx, kind: string, { id }: CoinRow, afterMs: number): void {
  schedule(tx, { kind, key: id, payload: { id }, afterMs });
}

/** A step that is taken after a delay; it has no effect if the coin's status has changed by then. */
function stepHandler(step: EnablementStep): RunHandler {
  return {
    async run(tx, job) {
      const coin = await lockCoin(tx, (job.payload as { id: CoinId }).id);
      if (coin) await takeStep(tx, coin, step);
    },
  };
}

export const enablementJobs: JobDeclarations = {
  [APPROVE]: {
    ...stepHandler('approve'),
    due: concerning('Stablecoin', (id) => `The request to enable ${id} is approved.`),
  },
  [SET_UP]: { ...stepHandler('setUp'), due: concerning('Stablecoin', (id) => `${id} is enabled.`) },
};
