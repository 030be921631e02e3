import { lockBalancesOf } from '#capabilities/accounts/locked-balances.ts';
import { postEntry } from '#capabilities/accounts/post-entry.ts';
import { lockAccounts } from '#capabilities/accounts/store.ts';
import { receivableOf } from '#capabilities/payments/machine/postings.ts';
import type { CoinRow } from '#capabilities/stablecoins/coin-row.ts';
import { lockCoin } from '#capabilities/stablecoins/coin-store.ts';
import { FOLLOW_OPERATION, scheduleFollow } from '#capabilities/stablecoins/follow.ts';
import {
  advance,
  type OperationFacts,
  type OperationNews,
} from '#capabilities/stablecoins/operations/machine.ts';
import type { Receiver } from '#capabilities/stablecoins/operations/postings.ts';
import {
  burnsFromOutside,
  isOpen,
  OPERATIONS,
  type OperationRow,
} from '#capabilities/stablecoins/operations/row.ts';
import {
  findOperation,
  loadOpenAmounts,
  loadOutside,
  lockOperation,
} from '#capabilities/stablecoins/operations/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { cancelJob } from '#foundation/jobs/schedule.ts';

/** The one way in which an operation goes on: its status, its entries and its next question, in one commit. */
export async function applyNews(tx: Tx, operationId: string, news: OperationNews): Promise<OperationRow> {
  const seen = await findOperation(tx, operationId);
  const coin = seen && (await lockCoin(tx, seen.stablecoin_id));
  const row = seen && (await lockOperation(tx, operationId));
  if (!coin || !row) throw new Error(`operation ${operationId} is there`);
  const step = advance(row, news, await lockFacts(tx, coin, row, news));
  if (step) {
    tx.collect(OPERATIONS.writer, { from: row.version, row: step.row });
    for (const entry of step.entries) postEntry(tx, entry);
  }
  const now = step?.row ?? row;
  scheduleNext(tx, now, news);
  return now;
}

async function lockFacts(
  tx: Tx,
  coin: CoinRow,
  row: OperationRow,
  news: OperationNews,
): Promise<OperationFacts> {
  const isCompletion = news.kind === 'progress' && news.progress.status === 'COMPLETED';
  return {
    now: tx.now,
    isCovered: burnsFromOutside(row) ? await isCovered(tx, coin, row) : true,
    receiver: isCompletion ? await lockReceiver(tx, row) : undefined,
  };
}

/** B.7.1: whether the coins that a burn takes are outside, beside those that other burns have been given already. */
async function isCovered(tx: Tx, coin: CoinRow, row: OperationRow): Promise<boolean> {
  const { funded } = await loadOpenAmounts(tx, coin.id, { exceptId: row.id });
  return (await loadOutside(tx, coin)) - funded >= row.amount;
}

/** Frozen or not, the account gets what was minted for it, as it gets a refund (money.md §11.c). */
async function lockReceiver(tx: Tx, row: OperationRow): Promise<Receiver | undefined> {
  const [account] =
    row.destination_internal === null ? [] : await lockAccounts(tx, [row.destination_internal]);
  if (!account) return undefined;
  const debtAccount = receivableOf(account.customer_id ?? tx.platformId, account.currency);
  const balances = await lockBalancesOf(tx, [{ id: account.id, debtAccount }]);
  return {
    canHold: account.status !== 'CLOSED' && balances.canHold(account.id, row.amount),
    debt: balances.debtIn(debtAccount),
  };
}

/** When the provider said so, but at the latest when the operation expires; not at all once it is over. */
function scheduleNext(tx: Tx, row: OperationRow, news: OperationNews): void {
  // News that come too late for an open operation leave alone what others have scheduled for it.
  if (isOpen(row) && news.kind !== 'progress') return;
  cancelJob(tx, FOLLOW_OPERATION, row.id);
  if (!isOpen(row) || news.kind !== 'progress') return;
  const { askAgainAfterMs } = news.progress;
  const expiresInMs =
    row.status === 'PENDING_FUNDING' && row.expires_at
      ? row.expires_at.getTime() - tx.now.getTime()
      : undefined;
  const waits = [askAgainAfterMs, expiresInMs].filter((ms) => ms !== undefined);
  if (waits.length > 0) scheduleFollow(tx, row.id, Math.max(Math.min(...waits), 0));
}
