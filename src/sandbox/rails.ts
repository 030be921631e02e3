import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import type { Network } from '#ports/network-fees.ts';
import type { Collection, Payout, RailAnswer, RailNotice, RailsPort, RefundOrder } from '#ports/payments.ts';
import { DELAYS } from '#sandbox/delays-table.ts';
import {
  PAID,
  type PayoutOutcome,
  PULLS,
  type PullOutcome,
  QUOTE_PAYOUTS,
  type Stage,
  TRANSFER_PAYOUTS,
} from '#sandbox/rails-table.ts';
import { rowFor, sandboxSuffix } from '#sandbox/table.ts';
import { receiverOf } from '#sandbox/uma-table.ts';

/**
 * A bank that decides by the account's suffix (money.md §9). It keeps nothing: what is still to come travels in
 * the token with which it asks to be asked again, so its delays are scheduled work on the platform's clock.
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
    const [due, ...rest] = JSON.parse(token) as Stage[];
    return answerWith(rest, due?.notices ?? []);
  },
  // While a delay runs everything can be called back; the caller drops what was scheduled (money.md §6.9).
  cancel: async () => 'accepted',
};

/** What is due at once, and when to ask for the rest. */
export function answerWith(stages: readonly Stage[], notices: readonly RailNotice[] = []): RailAnswer {
  const [next, ...rest] = stages;
  if (!next) return { notices };
  if (next.afterMs === 0) return answerWith(rest, [...notices, ...next.notices]);
  return { notices, again: { afterMs: next.afterMs, token: JSON.stringify(stages) } };
}

/** money.md §9.2: which table. */
function payoutOutcome(payout: Payout): PayoutOutcome {
  const { to, isCrossCurrency } = payout;
  if (to.kind === 'INTERNAL') return PAID;
  if (to.kind === 'UMA') return receiverOf(to.address).payout;
  const table = isCrossCurrency ? QUOTE_PAYOUTS : TRANSFER_PAYOUTS;
  return rowFor(table, sandboxSuffix(to.account.identifier)).does;
}

function pullOutcome({ from }: Collection): PullOutcome {
  return rowFor(PULLS, sandboxSuffix(from.identifier)).does;
}

function refundStages({ payout }: RefundOrder): Stage[] {
  const kind = payoutOutcome(payout).isRefundFailing ? 'refundFailed' : 'refunded';
  return [{ afterMs: DELAYS.step.ms, notices: [{ kind }] }];
}

/** money.md §6.7: what is delivered over a chain, or between providers, has a hash. */
function withHash(stages: readonly Stage[], { reference, network, to }: Payout): Stage[] {
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

/** From the SHA-256 of the transaction's id, in the network's own form. */
export function sandboxHash(transactionId: string, network: Network | undefined): string {
  const hash = createHash('sha256').update(transactionId).digest();
  if (network === 'SOLANA') {
    return base58.encode(Buffer.concat([hash, createHash('sha256').update(hash).digest()]));
  }
  return network !== undefined && EVM.has(network) ? `0x${hash.toString('hex')}` : hash.toString('hex');
}
