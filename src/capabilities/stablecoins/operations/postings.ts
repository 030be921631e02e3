import { availAccountOf, holdAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { creditAccount, type Debt } from '#capabilities/accounts/locked-balances.ts';
import {
  issuedAccountOf,
  outsideAccountOf,
  PROVIDER_CLEARING,
  reserveAccountOf,
} from '#capabilities/stablecoins/coin-row.ts';
import type { OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import { credit, debit, type Entry, type Line } from '#foundation/ledger/entries.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';

/**
 * The entries of mints and burns (stablecoins.md §7, money.md §11). Each kind and ordinal is posted once for an
 * operation.
 */

const USD = 'USD';

/** money.md §11.L26: reserves the cost of a mint, or the coins of a burn, in the source account. */
export function holdEntries(row: OperationRow): Entry[] {
  const lines = holdLines(row);
  return lines.length === 0 ? [] : [entry(row, 'coin.hold_adjusted', lines)];
}

/** money.md §11.L26: releases that hold. */
export function releaseEntries(row: OperationRow): Entry[] {
  const lines = holdLines(row).map(
    (line): Line => ({ ...line, side: line.side === 'DEBIT' ? 'CREDIT' : 'DEBIT' }),
  );
  return lines.length === 0 ? [] : [entry(row, 'coin.hold_adjusted', lines, 1)];
}

function holdLines(row: OperationRow): Line[] {
  const { source_internal: account } = row;
  if (account === null) return [];
  const [currency, amount] = heldAmountOf(row);
  return [debit(availAccountOf(account), currency, amount), credit(holdAccountOf(account), currency, amount)];
}

/** The amount held in an internal account, and its currency: the dollars of a mint, or the coins of a burn. */
export function heldAmountOf(row: OperationRow): [currency: string, amount: bigint] {
  return row.operation_type === 'MINT' ? [USD, row.cents] : [row.currency, row.amount];
}

/** The state of the account that a mint credits. */
export interface Receiver {
  /** Whether it can hold this much more with a balance that can be stated exactly (platform.md §1.2.4). */
  readonly canHold: boolean;
  /** The owner's debt in the coin, which is repaid first (money.md §11.b). */
  readonly debt: Debt | undefined;
}

/**
 * money.md §11.L27. Coins that the account cannot hold are booked to SUSPENSE, like a deposit that it cannot hold
 * (L20).
 */
export function mintEntries(row: OperationRow, receiver: Receiver | undefined): Entry[] {
  const { id, amount, cents, currency, source_internal: source, destination_internal: account } = row;
  const outside = outsideAccountOf({ symbol: currency });
  const isHeld = account !== null && receiver?.canHold === true;
  const minted = entry(row, 'coin.minted', [
    debit(source === null ? PROVIDER_CLEARING : holdAccountOf(source), USD, cents),
    credit(reserveAccountOf(row.stablecoin_id), USD, cents),
    debit(issuedAccountOf(row.stablecoin_id), currency, amount),
    ...(isHeld
      ? creditAccount(account, currency, amount, receiver.debt)
      : [credit(outside, currency, amount)]),
  ]);
  if (account === null || isHeld) return [minted];
  const waiting = [debit(outside, currency, amount), credit(`SUSPENSE:${currency}`, currency, amount)];
  return [minted, { kind: 'receipt.suspended', transactionId: id, ordinal: 0, lines: waiting }];
}

/** money.md §11.L28. */
export function burnEntries(row: OperationRow): Entry[] {
  const { amount, cents, currency, source_internal: source } = row;
  return [
    entry(row, 'coin.burned', [
      debit(reserveAccountOf(row.stablecoin_id), USD, cents),
      credit(PROVIDER_CLEARING, USD, cents),
      debit(
        source === null ? outsideAccountOf({ symbol: currency }) : holdAccountOf(source),
        currency,
        amount,
      ),
      credit(issuedAccountOf(row.stablecoin_id), currency, amount),
    ]),
  ];
}

function entry({ id }: OperationRow, kind: LedgerKind, lines: readonly Line[], ordinal = 0): Entry {
  return { kind, transactionId: id, ordinal, lines };
}
