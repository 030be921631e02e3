import assert from 'node:assert/strict';
import { type CardTransactionRow, isOpenRow, settledAmountOf } from '#capabilities/cards/transaction-row.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';
import { assertSides, netOf, type Sides } from '#tests/simulator/chart.ts';
import type { Memory } from '#tests/simulator/memory.ts';

const CARD_CHART: Readonly<Partial<Record<LedgerKind, Sides>>> = {
  'card.hold_adjusted': { debits: ['AVAIL', 'HOLD'], credits: ['AVAIL', 'HOLD'] },
  'card.cleared': { debits: ['HOLD', 'AVAIL'], credits: ['network'] },
  'card.credited': { debits: ['network'], credits: ['AVAIL', 'RECEIVABLE'] },
  'receipt.suspended': { debits: ['network'], credits: ['SUSPENSE'] },
  'card.shortfall_owed': { debits: ['RECEIVABLE own'], credits: ['network'] },
  'card.credit_reversed': { debits: ['AVAIL'], credits: ['network'] },
  'card.shortfall_collected': { debits: ['AVAIL'], credits: ['RECEIVABLE own'] },
  'debt.written_off': { debits: ['FEES'], credits: ['RECEIVABLE own'] },
};

/** Asserts the invariants of cards.md §7 and money.md §12 about one card transaction, on its row and its entries. */
export function assertCardRow(memory: Memory, row: CardTransactionRow): void {
  const { id, account_id: account, account_currency: currency } = row;
  const sums = { held: 0n, network: 0n };
  for (const entry of memory.entriesOf.get(id) ?? []) {
    assertSides(entry, CARD_CHART, (name) => plainNames(name, row));
    for (const line of entry.lines) {
      if (line.account === `HOLD:${account}`) sums.held += netOf(line);
      if (line.account === `RAIL:CARD:${currency}`) sums.network += netOf(line);
    }
  }
  const scale = currency === 'USDB' ? 10_000n : 1n;
  const expect = (found: bigint, should: bigint, what: string) =>
    assert.ok(found === should, `${row.kind} ${row.status}, ${what}: ${found} and not ${should}`);
  expect(sums.held, row.hold * scale, 'cards.md §7.3: on hold');
  const owed = memory.balanceOf(`RECEIVABLE:${id}:${currency}`, currency);
  expect(owed, row.receivable * scale, 'cards.md §7.1: owed');
  const settled = settledAmountOf(row) * scale;
  expect(sums.network, row.direction === 'DEBIT' ? settled : -settled, 'cards.md §7: paid to the network');
  assert.ok(isOpenRow(row) || row.hold === 0n, 'cards.md §6.1: an end holds nothing');
  assert.ok(isOpenRow(row) === (row.hold_expires_at !== null), 'cards.md §6.9: only an open row expires');
}

function plainNames(
  account: string,
  { id, account_id, account_currency: currency }: CardTransactionRow,
): string[] {
  if (account === `RAIL:CARD:${currency}`) return ['network'];
  if (account === `RECEIVABLE:${id}:${currency}`) return ['RECEIVABLE', 'RECEIVABLE own'];
  const [kind = '', of] = account.split(':');
  if (kind === 'RECEIVABLE' || kind === 'SUSPENSE' || kind === 'FEES') return [kind];
  return of === account_id ? [kind] : [];
}
