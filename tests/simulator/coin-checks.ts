import assert from 'node:assert/strict';
import { burnsFromOutside, isOpen, type OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';
import { assertSides, netOf, type Sides } from '#tests/simulator/chart.ts';
import type { Memory } from '#tests/simulator/memory.ts';

const COIN_CHART: Readonly<Partial<Record<LedgerKind, Sides>>> = {
  'coin.hold_adjusted': { debits: ['AVAIL source', 'HOLD source'], credits: ['HOLD source', 'AVAIL source'] },
  'coin.minted': {
    debits: ['clearing', 'HOLD source', 'ISSUED'],
    credits: ['RESERVE', 'outside', 'AVAIL destination', 'RECEIVABLE'],
  },
  'coin.burned': { debits: ['RESERVE', 'outside', 'HOLD source'], credits: ['clearing', 'ISSUED'] },
  'receipt.suspended': { debits: ['outside'], credits: ['SUSPENSE'] },
};

/** Asserts stablecoins.md §7 about one mint or burn, on its row and its entries. */
export function assertOperation(memory: Memory, row: OperationRow): void {
  const entries = memory.entriesOf.get(row.id) ?? [];
  let held = 0n;
  for (const entry of entries) {
    assertSides(entry, COIN_CHART, (account) => plainNames(account, row));
    for (const line of entry.lines) if (line.account.startsWith('HOLD:')) held += netOf(line);
  }
  const isMint = row.operation_type === 'MINT';
  const waits = isOpen(row) && row.source_internal !== null;
  const amount = isMint ? row.cents : row.amount;
  assert.equal(held, waits ? amount : 0n, `money.md §12.2: a ${row.operation_type} ${row.status} holds`);
  const outcome = isMint ? 'coin.minted' : 'coin.burned';
  const posted = entries.filter(({ kind }) => kind === outcome).length;
  assert.equal(posted, row.status === 'COMPLETED' ? 1 : 0, `money.md §11: entries ${outcome}, ${row.status}`);
  assert.ok(row.status !== 'FAILED' || row.failure_reason !== null, 'a failure has a reason');
  assert.ok(!burnsFromOutside(row) || held === 0n, 'coins outside are not held');
}

function plainNames(account: string, row: OperationRow): string[] {
  const [kind = '', id] = account.split(':');
  if (account === 'RAIL:PROVIDER:USD') return ['clearing'];
  if (account === `RAIL:SPARK:${row.currency}`) return ['outside'];
  if (kind === 'RECEIVABLE' || kind === 'SUSPENSE') return [kind];
  if (id === row.stablecoin_id) return [kind];
  return [
    ...(id === row.source_internal ? [`${kind} source`] : []),
    ...(id === row.destination_internal ? [`${kind} destination`] : []),
  ];
}
