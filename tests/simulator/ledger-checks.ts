import assert from 'node:assert/strict';
import { isGuarded } from '#foundation/ledger/kinds.ts';
import { effectOf } from '#foundation/ledger/post.ts';
import { netOf } from '#tests/simulator/chart.ts';
import type { Memory } from '#tests/simulator/memory.ts';

/** Asserts the invariants of money.md §12 about the whole ledger: it replays the journal. */
export function assertLedger(memory: Memory): void {
  const sums = new Map<string, bigint>();
  const kept = new Map<string, bigint>();
  const shared = new Map<string, bigint>();
  for (const { lines, kind } of memory.journal) {
    const nets = new Map<string, bigint>();
    for (const line of lines) {
      assert.ok(line.amount > 0n, `money.md §12.1: ${kind} has a line of ${line.amount}`);
      nets.set(line.currency, (nets.get(line.currency) ?? 0n) + netOf(line));
      sums.set(line.currency, (sums.get(line.currency) ?? 0n) + netOf(line));
      shared.set(line.account, (shared.get(line.account) ?? 0n) + netOf(line));
      if (!isGuarded(line.account)) continue;
      const name = `${line.account} ${line.currency}`;
      const balance = (kept.get(name) ?? 0n) + effectOf(line);
      kept.set(name, balance);
    }
    for (const [currency, net] of nets) assert.equal(net, 0n, `money.md §12.1: ${kind} in ${currency}`);
  }
  for (const [currency, sum] of sums) assert.equal(sum, 0n, `money.md §12.1: all lines in ${currency}`);
  for (const [account, sum] of memory.sums)
    assert.equal(sum, shared.get(account) ?? 0n, `money.md §11.5: ${account}`);
  for (const [name, { balance }] of memory.balances) {
    if (name.startsWith('INFLIGHT:') || name.startsWith('REFUND_PAYABLE:')) continue;
    assert.equal(balance, kept.get(name) ?? 0n, `money.md §12.3: ${name}`);
    assert.ok(balance >= 0n, `money.md §12.2: ${name}`);
  }
}
