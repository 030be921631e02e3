import { lockAccountBalances } from '#capabilities/accounts/locked-balances.ts';
import { postEntry } from '#capabilities/accounts/post-entry.ts';
import { lockAccounts } from '#capabilities/accounts/store.ts';
import { receivableAccount } from '#capabilities/payments/machine/postings.ts';
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

/** Advances an operation. Its status, its entries and its next job change only here, in one commit. */
export async function applyNews(tx: Tx, operationId: string, news: OperationNews): Promise<OperationRow> {
  const seen = await findOperation(tx, operationId);
  const coin = seen && (await lockCoin(tx, seen.stablecoin_id));
  const row = seen && (await lockOperation(tx, operationId));
  if (!coin || !row) throw new Error(`operation ${operationId} does not exist`);
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

/**
 * stablecoins.md §7.1: whether the coins of a burn are outside, not counting coins that other burns have already been
 * given.
 */
async function isCovered(tx: Tx, coin: CoinRow, row: OperationRow): Promise<boolean> {
  const { funded } = await loadOpenAmounts(tx, coin.id, { exceptId: row.id });
  return (await loadOutside(tx, coin)) - funded >= row.amount;
}

/** A frozen account also gets the coins that were minted for it, as it gets a refund (money.md §11.c). */
async function lockReceiver(tx: Tx, row: OperationRow): Promise<Receiver | undefined> {
  const [account] =
    row.destination_internal === null ? [] : await lockAccounts(tx, [row.destination_internal]);
  if (!account) return undefined;
  const debtAccount = receivableAccount(account.customer_id ?? tx.platformId, account.currency);
  const balances = await lockAccountBalances(tx, [{ id: account.id, debtAccount }]);
  return {
    canHold: account.status !== 'CLOSED' && balances.canHold(account.id, row.amount),
    debt: balances.debtIn(debtAccount),
  };
}

/**
 * Schedules the next question for the provider's time, at the latest when the operation expires, and none after its
 * end.
 */
function scheduleNext(tx: Tx, row: OperationRow, news: OperationNews): void {
  // A late report about an open operation leaves its scheduled job unchanged.
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
