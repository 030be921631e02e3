import { applyTransition } from '#capabilities/accounts/apply-transition.ts';
import { lockAccountBalances } from '#capabilities/accounts/locked-balances.ts';
import { lockAccounts } from '#capabilities/accounts/store.ts';
import { receivableAccount } from '#capabilities/payments/machine/postings.ts';
import type { CoinRow } from '#capabilities/stablecoins/coin-row.ts';
import { lockCoin } from '#capabilities/stablecoins/coin-store.ts';
import {
  MINTS_AND_BURNS,
  type OperationFacts,
  type OperationNotice,
} from '#capabilities/stablecoins/operations/machine.ts';
import type { Receiver } from '#capabilities/stablecoins/operations/postings.ts';
import { burnsFromOutside, OPERATIONS, type OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import { sealOperation } from '#capabilities/stablecoins/operations/sealed-operation.ts';
import {
  findOperation,
  loadOpenAmounts,
  loadOutside,
  lockOperation,
} from '#capabilities/stablecoins/operations/store.ts';
import type { Changes, Tx } from '#foundation/database/tx.ts';
import type { Transition } from '#foundation/machine/draft.ts';

export async function applyOperationNotice(
  tx: Tx,
  operationId: Id<'StablecoinOperation'>,
  notice: OperationNotice,
): Promise<OperationRow> {
  const seen = await findOperation(tx, operationId);
  const coin = seen && (await lockCoin(tx, seen.stablecoin_id));
  const row = seen && (await lockOperation(tx, operationId));
  if (!coin || !row) throw new Error(`operation ${operationId} does not exist`);
  const facts = await lockFacts(tx, coin, row, notice);
  const transition = MINTS_AND_BURNS.advance(row, notice, tx.now, facts);
  if (transition) applyOperation(tx, transition);
  return transition?.row ?? row;
}

export function applyOperation(changes: Changes, transition: Transition<OperationRow>): void {
  applyTransition(changes, transition, {
    write: (to, { from, row }) =>
      to.collect(OPERATIONS.writer, { from, row: sealOperation(to.runtime.vault, row) }),
  });
}

async function lockFacts(
  tx: Tx,
  coin: CoinRow,
  row: OperationRow,
  { kind }: OperationNotice,
): Promise<OperationFacts> {
  return {
    isCovered: burnsFromOutside(row) ? await isCovered(tx, coin, row) : true,
    receiver: kind === 'completed' ? await lockReceiver(tx, row) : undefined,
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
