import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  advance,
  type OperationFacts,
  type OperationNews,
} from '#capabilities/stablecoins/operations/machine.ts';
import { holdEntries } from '#capabilities/stablecoins/operations/postings.ts';
import type { OperationRow, OperationStatus } from '#capabilities/stablecoins/operations/row.ts';
import type { OperationProgress } from '#foundation/ports/stablecoins.ts';
import { showLine, unbalanced } from '#tests/harness/entry-lines.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const LATER = new Date('2026-03-09T10:00:00Z');

const MINT: OperationRow = {
  platform_id: 'p1',
  id: 'o1',
  version: 1n,
  stablecoin_id: 's1',
  operation_type: 'MINT',
  amount: 25_000_000n,
  cents: 2_500n,
  currency: 'ACME',
  provider: 'BRALE',
  provider_account: 'l1',
  source_type: 'WIRE',
  source_internal: null,
  source_external: null,
  destination_internal: null,
  destination_external: 'x1',
  rail: null,
  description: null,
  created_at: NOW,
  status: 'CREATED',
  instruments: Buffer.from('sealed'),
  funding_instructions: null,
  expires_at: null,
  provider_status: null,
  failure_reason: null,
  updated_at: NOW,
};
const PAID_MINT: OperationRow = { ...MINT, source_type: 'SVC_INTERNAL_ACCOUNT', source_internal: 'usd' };
const KEPT_MINT: OperationRow = { ...MINT, destination_internal: 'coins', destination_external: null };
const BURN: OperationRow = { ...MINT, operation_type: 'BURN', source_type: 'EXTERNAL_ACCOUNT', rail: 'WIRE' };
const PAID_BURN: OperationRow = { ...BURN, source_type: 'SVC_INTERNAL_ACCOUNT', source_internal: 'coins' };

const FACTS: OperationFacts = { now: NOW, isCovered: true, receiver: undefined };
const FUNDING = { instructions: { rail: 'WIRE' }, expiresAt: LATER };

const report = (
  status: OperationProgress['status'],
  more: Partial<OperationProgress> = {},
): OperationNews => ({
  kind: 'progress',
  progress: { status, providerStatus: status.toLowerCase(), ...more },
});

/** The outcome for a row: its status and its new lines. */
function outcome(row: OperationRow, news: OperationNews, facts = FACTS) {
  const step = advance(row, news, facts);
  if (!step) return undefined;
  const lines = step.entries.flatMap((entry) => entry.lines);
  assert.deepEqual(unbalanced(lines), []);
  assert.equal(step.row.version, row.version + 1n);
  const posted = step.entries.map(
    ({ kind, ordinal, lines }) => `${kind}#${ordinal}: ${lines.map(showLine).join(', ')}`,
  );
  const { status, failure_reason: reason } = step.row;
  return [reason === null ? status : `${status} ${reason}`, ...posted];
}

const at = (status: OperationStatus, row = MINT): OperationRow => ({
  ...row,
  status,
  ...(status === 'PENDING_FUNDING' && { funding_instructions: FUNDING.instructions, expires_at: LATER }),
});

const RELEASED_USD = 'L26#1: + AVAIL:usd 2500 USD, - HOLD:usd 2500 USD';
const RELEASED_COINS = 'L26#1: + AVAIL:coins 25000000 ACME, - HOLD:coins 25000000 ACME';

describe('the machine of mints and burns (stablecoins.md §5)', () => {
  it('money.md §11.L26: the cost of a mint, or the coins of a burn, is held in the source account', () => {
    const lines = (row: OperationRow) => holdEntries(row).flatMap((entry) => entry.lines.map(showLine));
    assert.deepEqual(lines(PAID_MINT), ['- AVAIL:usd 2500 USD', '+ HOLD:usd 2500 USD']);
    assert.deepEqual(lines(PAID_BURN), ['- AVAIL:coins 25000000 ACME', '+ HOLD:coins 25000000 ACME']);
    assert.deepEqual(lines(MINT), []);
    assert.deepEqual(lines(BURN), []);
  });

  it('stablecoins.md §5.61: an operation that needs money or coins from outside waits for them, with instructions and a deadline', () => {
    const step = advance(MINT, report('PENDING_FUNDING', { funding: FUNDING }), FACTS);
    assert.equal(step?.row.status, 'PENDING_FUNDING');
    assert.deepEqual(step?.row.funding_instructions, FUNDING.instructions);
    assert.deepEqual(step?.row.expires_at, LATER);
    assert.equal(step?.row.provider_status, 'pending_funding');
    assert.deepEqual(step?.entries, []);
  });

  it('stablecoins.md §5.62, §5.63, §5.65: it is submitted, funded and started, without an entry', () => {
    assert.deepEqual(outcome(PAID_MINT, report('PENDING_PROVIDER')), ['PENDING_PROVIDER']);
    assert.deepEqual(outcome(at('PENDING_FUNDING'), report('PENDING_PROVIDER')), ['PENDING_PROVIDER']);
    assert.deepEqual(outcome(at('PENDING_PROVIDER'), report('PROCESSING')), ['PROCESSING']);
  });

  it('stablecoins.md §5.64: after its deadline it expires, by the provider’s report or ours, unless funds have arrived', () => {
    const late = { ...FACTS, now: LATER };
    assert.deepEqual(outcome(at('PENDING_FUNDING'), report('EXPIRED')), ['EXPIRED']);
    assert.deepEqual(outcome(at('PENDING_FUNDING'), report('PENDING_FUNDING'), late), ['EXPIRED']);
    assert.equal(outcome(at('PENDING_FUNDING'), report('PENDING_FUNDING')), undefined);
    assert.equal(outcome(at('PENDING_PROVIDER'), report('EXPIRED'), late), undefined);
  });

  it('stablecoins.md §5.66, money.md §11.L27: a mint is paid into the reserve and issues its coins, outside or into an account', () => {
    const issued = '- ISSUED:s1 25000000 ACME';
    assert.deepEqual(outcome(at('PROCESSING'), report('COMPLETED')), [
      'COMPLETED',
      `L27#0: - RAIL:PROVIDER:USD 2500 USD, + RESERVE:s1 2500 USD, ${issued}, + RAIL:SPARK:ACME 25000000 ACME`,
    ]);
    assert.deepEqual(outcome(at('PROCESSING', PAID_MINT), report('COMPLETED')), [
      'COMPLETED',
      `L27#0: - HOLD:usd 2500 USD, + RESERVE:s1 2500 USD, ${issued}, + RAIL:SPARK:ACME 25000000 ACME`,
    ]);
    const receiver = { canHold: true, debt: undefined };
    assert.deepEqual(outcome(at('PROCESSING', KEPT_MINT), report('COMPLETED'), { ...FACTS, receiver }), [
      'COMPLETED',
      `L27#0: - RAIL:PROVIDER:USD 2500 USD, + RESERVE:s1 2500 USD, ${issued}, + AVAIL:coins 25000000 ACME`,
    ]);
  });

  it('money.md §11.L27: the owner’s debt in the coin is repaid first; coins that the account cannot hold are booked to SUSPENSE', () => {
    const dollars = '- RAIL:PROVIDER:USD 2500 USD, + RESERVE:s1 2500 USD, - ISSUED:s1 25000000 ACME';
    const owing = (balance: bigint): OperationFacts => ({
      ...FACTS,
      receiver: { canHold: true, debt: { account: 'RECEIVABLE:c1:ACME', balance } },
    });
    const completed = (facts: OperationFacts) =>
      outcome(at('PROCESSING', KEPT_MINT), report('COMPLETED'), facts);
    assert.deepEqual(completed(owing(1_000_000n)), [
      'COMPLETED',
      `L27#0: ${dollars}, + RECEIVABLE:c1:ACME 1000000 ACME, + AVAIL:coins 24000000 ACME`,
    ]);
    assert.deepEqual(completed(owing(99_000_000n)), [
      'COMPLETED',
      `L27#0: ${dollars}, + RECEIVABLE:c1:ACME 25000000 ACME`,
    ]);
    assert.deepEqual(completed({ ...FACTS, receiver: { canHold: false, debt: undefined } }), [
      'COMPLETED',
      `L27#0: ${dollars}, + RAIL:SPARK:ACME 25000000 ACME`,
      'L20#0: - RAIL:SPARK:ACME 25000000 ACME, + SUSPENSE:ACME 25000000 ACME',
    ]);
  });

  it('stablecoins.md §5.66, money.md §11.L28: a burn redeems its coins and is paid out of the reserve', () => {
    const dollars = '- RESERVE:s1 2500 USD, + RAIL:PROVIDER:USD 2500 USD';
    assert.deepEqual(outcome(at('PROCESSING', BURN), report('COMPLETED')), [
      'COMPLETED',
      `L28#0: ${dollars}, - RAIL:SPARK:ACME 25000000 ACME, + ISSUED:s1 25000000 ACME`,
    ]);
    assert.deepEqual(outcome(at('PROCESSING', PAID_BURN), report('COMPLETED')), [
      'COMPLETED',
      `L28#0: ${dollars}, - HOLD:coins 25000000 ACME, + ISSUED:s1 25000000 ACME`,
    ]);
  });

  it('stablecoins.md §5.67, money.md §11.L26: a failed operation releases its hold, and has a reason', () => {
    for (const status of ['PENDING_PROVIDER', 'PROCESSING'] as const) {
      assert.deepEqual(outcome(at(status, PAID_MINT), report('FAILED')), [
        'FAILED PROVIDER_TRANSFER_FAILED',
        RELEASED_USD,
      ]);
      const why = report('FAILED', { failureReason: 'PROVIDER_CANCELED' });
      assert.deepEqual(outcome(at(status, PAID_BURN), why), ['FAILED PROVIDER_CANCELED', RELEASED_COINS]);
      assert.deepEqual(outcome(at(status), why), ['FAILED PROVIDER_CANCELED']);
    }
  });

  it('stablecoins.md §5.68, §6.2: an operation that the provider never got fails, but only while its submission is unknown', () => {
    assert.deepEqual(outcome(PAID_MINT, { kind: 'lost' }), ['FAILED PROVIDER_TRANSFER_FAILED', RELEASED_USD]);
    assert.equal(outcome(at('PENDING_PROVIDER', PAID_MINT), { kind: 'lost' }), undefined);
  });

  it('stablecoins.md §6.3: a refusal by the provider releases the hold', () => {
    assert.deepEqual(outcome(PAID_BURN, { kind: 'refused' }), ['REFUSED', RELEASED_COINS]);
    assert.equal(outcome(at('PENDING_PROVIDER', PAID_BURN), { kind: 'refused' }), undefined);
  });

  it('stablecoins.md §7.1: a burn whose coins are no longer outside is not carried out', () => {
    const uncovered = { ...FACTS, isCovered: false };
    assert.deepEqual(outcome(at('PENDING_FUNDING', BURN), report('PENDING_PROVIDER'), uncovered), [
      'FAILED FUNDING_REJECTED',
    ]);
    assert.deepEqual(outcome(at('PENDING_FUNDING', BURN), report('COMPLETED'), uncovered), [
      'FAILED FUNDING_REJECTED',
    ]);
    assert.deepEqual(outcome(at('PROCESSING', BURN), report('COMPLETED'), uncovered)?.[0], 'COMPLETED');
    assert.deepEqual(outcome(PAID_BURN, report('PENDING_PROVIDER'), uncovered), ['PENDING_PROVIDER']);
  });

  it('unreported steps are skipped, and late, repeated or out-of-order reports change nothing', () => {
    assert.equal(outcome(MINT, report('COMPLETED'))?.[0], 'COMPLETED');
    assert.equal(outcome(at('PROCESSING'), report('PENDING_PROVIDER')), undefined);
    assert.equal(outcome(at('PROCESSING'), report('PROCESSING')), undefined);
    for (const status of ['COMPLETED', 'FAILED', 'EXPIRED', 'REFUSED'] as const)
      for (const news of [
        report('PROCESSING'),
        report('COMPLETED'),
        report('FAILED'),
        report('EXPIRED'),
        { kind: 'lost' } as const,
        { kind: 'refused' } as const,
      ])
        assert.equal(outcome(at(status, PAID_MINT), news), undefined);
  });

  it('people’s account details are deleted at its end, and not before', () => {
    assert.notEqual(advance(MINT, report('PROCESSING'), FACTS)?.row.instruments, null);
    for (const status of ['COMPLETED', 'FAILED', 'EXPIRED'] as const)
      assert.equal(advance(MINT, report(status), FACTS)?.row.instruments, null);
  });
});
