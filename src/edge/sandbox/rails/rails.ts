import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { DELAYS } from '#edge/sandbox/delays-table.ts';
import {
  PAID,
  type PayoutOutcome,
  PULLS,
  type PullOutcome,
  QUOTE_PAYOUTS,
  type RailStage,
  TRANSFER_PAYOUTS,
} from '#edge/sandbox/rails/rails-table.ts';
import { umaReceiver } from '#edge/sandbox/rails/uma-table.ts';
import { rowFor, sandboxSuffix } from '#edge/sandbox/table.ts';
import type { Network } from '#foundation/ports/network-fees.ts';
import type {
  Collection,
  Payout,
  RailAnswer,
  RailNotice,
  RailsPort,
  RefundOrder,
} from '#foundation/ports/payments.ts';

/**
 * A bank whose behaviour is selected by the account's suffix (money.md §9). It stores nothing: the remaining stages
 * travel in the token of `again`, so its delays are scheduled jobs on the platform's clock.
 */
export const sandboxRails: RailsPort = {
  knownPayoutFailure: (payout) => payoutOutcome(payout).knownFailure,
  knownCollectionFailure: (collection) =>
    pullOutcome(collection).isRefused ? 'COLLECTION_FAILED' : undefined,
  async pay(payout) {
    const { isQueued, stages } = payoutOutcome(payout);
    return answerWith(withHash(stages, payout), isQueued ? [] : [{ kind: 'accepted' }]);
  },
  collect: async (collection) => answerWith(pullOutcome(collection).stages),
  refund: async (order) => answerWith(refundStages(order)),
  follow: async (_reference, token) => {
    const [due, ...rest] = JSON.parse(token) as RailStage[];
    return answerWith(rest, due?.notices ?? []);
  },
  foresee: (token) => (JSON.parse(token) as RailStage[])[0]?.notices ?? [],
  // Anything can be cancelled during a delay; the caller deletes the scheduled job (money.md §6.9).
  cancel: async () => 'accepted',
};

/** The notices that are due at once, and when to ask for the rest. */
export function answerWith(stages: readonly RailStage[], notices: readonly RailNotice[] = []): RailAnswer {
  const [next, ...rest] = stages;
  if (!next) return { notices };
  if (next.afterMs === 0) return answerWith(rest, [...notices, ...next.notices]);
  return { notices, again: { afterMs: next.afterMs, token: JSON.stringify(stages) } };
}

/** Which table applies: money.md §9.2. */
function payoutOutcome(payout: Payout): PayoutOutcome {
  const { to, isCrossCurrency } = payout;
  if (to.kind === 'INTERNAL') return PAID;
  if (to.kind === 'UMA') return umaReceiver(to.address).payout;
  const table = isCrossCurrency ? QUOTE_PAYOUTS : TRANSFER_PAYOUTS;
  return rowFor(table, sandboxSuffix(to.account.identifier)).does;
}

function pullOutcome({ from }: Collection): PullOutcome {
  return rowFor(PULLS, sandboxSuffix(from.identifier)).does;
}

function refundStages({ payout }: RefundOrder): RailStage[] {
  const kind = payoutOutcome(payout).isRefundFailing ? 'refundFailed' : 'refunded';
  return [{ afterMs: DELAYS.step.ms, notices: [{ kind }] }];
}

/** money.md §6.7: a delivery over a blockchain, or between UMA providers, has a transaction hash. */
function withHash(stages: readonly RailStage[], { reference, network, to }: Payout): RailStage[] {
  const transactionHash =
    network !== undefined || to.kind === 'UMA' ? sandboxHash(reference, network) : undefined;
  return stages.map(({ afterMs, notices }) => ({
    afterMs,
    notices: notices.map((notice) =>
      notice.kind === 'delivered' && transactionHash !== undefined ? { ...notice, transactionHash } : notice,
    ),
  }));
}

const EVM: ReadonlySet<string> = new Set(['ETHEREUM', 'BASE', 'POLYGON', 'ARBITRUM', 'PLASMA']);

/** The SHA-256 of the transaction's id, in the network's own format. */
export function sandboxHash(transactionId: string, network: Network | undefined): string {
  const hash = createHash('sha256').update(transactionId).digest();
  if (network === 'SOLANA') {
    return base58.encode(Buffer.concat([hash, createHash('sha256').update(hash).digest()]));
  }
  return network !== undefined && EVM.has(network) ? `0x${hash.toString('hex')}` : hash.toString('hex');
}
