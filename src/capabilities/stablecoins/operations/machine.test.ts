import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MINTS_AND_BURNS,
  type OperationFacts,
  type OperationNotice,
} from '#capabilities/stablecoins/operations/machine.ts';
import type { OperationRow, OperationStatus } from '#capabilities/stablecoins/operations/row.ts';
import { NoticeRefused } from '#foundation/machine/machine.ts';
import type { ProviderNotice } from '#foundation/ports/stablecoins.ts';
import { showLine, unbalanced } from '#tests/harness/entry-lines.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const LATER = new Date('2026-03-09T10:00:00Z');

const MINT: OperationRow = {
  platform_id: 'p1' as Id<never>,
  id: 'o1' as Id<never>,
  version: 1n,
  stablecoin_id: 's1' as Id<never>,
  operation_type: 'MINT',
  amount: 25_000_000n,
  cents: 2_500n,
  currency: 'ACME',
  customer_id: null,
  provider: 'BRALE',
  provider_account: 'l1' as Id<never>,
  source_type: 'WIRE',
  source_internal: null,
  source_external: null,
  destination_internal: null,
  destination_external: 'x1' as Id<never>,
  rail: null,
  description: null,
  created_at: NOW,
  status: 'CREATED',
  instruments: Buffer.from('sealed'),
  funding_instructions: null,
  expires_at: null,
  provider_status: null,
  failure_reason: null,
  steps: {},
  updated_at: NOW,
};
const PAID_MINT: OperationRow = {
  ...MINT,
  source_type: 'SVC_INTERNAL_ACCOUNT',
  source_internal: 'usd' as Id<never>,
};
const KEPT_MINT: OperationRow = {
  ...MINT,
  destination_internal: 'coins' as Id<never>,
  destination_external: null,
};
const BURN: OperationRow = { ...MINT, operation_type: 'BURN', source_type: 'EXTERNAL_ACCOUNT', rail: 'WIRE' };
const PAID_BURN: OperationRow = {
  ...BURN,
  source_type: 'SVC_INTERNAL_ACCOUNT',
  source_internal: 'coins' as Id<never>,
};

const FACTS: OperationFacts = { isCovered: true, receiver: undefined };
const FUNDING = { instructions: { rail: 'WIRE' }, expiresAt: LATER };

const report = (kind: ProviderNotice['kind'], more: object = {}): ProviderNotice => ({
  kind,
  providerStatus: kind.toLowerCase(),
  ...more,
});

function advance(row: OperationRow, notice: OperationNotice, facts = FACTS, now = NOW) {
  return MINTS_AND_BURNS.advance(row, notice, now, facts);
}

/** The outcome for a row: its status and its new lines. Undefined if nothing but the next question changes. */
function outcome(row: OperationRow, notice: OperationNotice, facts = FACTS, now = NOW) {
  const step = advance(row, notice, facts, now);
  if (!step) return undefined;
  const lines = step.entries.flatMap((entry) => entry.lines);
  assert.deepEqual(unbalanced(lines), []);
  assert.equal(step.row.version, row.version + 1n);
  if (step.row.status === row.status && row.version > 0n) {
    assert.deepEqual([step.row, step.entries], [{ ...row, version: row.version + 1n }, []]);
    return undefined;
  }
  const posted = step.entries.map(
    ({ kind, ordinal, lines }) => `${kind}#${ordinal}: ${lines.map(showLine).join(', ')}`,
  );
  const { status, failure_reason: reason } = step.row;
  return [reason === null ? status : `${status} ${reason}`, ...posted];
}

/** The times of the next question, in seconds, and what is cancelled. */
function jobs(row: OperationRow, notice: OperationNotice, facts = FACTS) {
  return advance(row, notice, facts)?.jobs.map((job) =>
    job.does === 'schedule' ? (job.dueAt.getTime() - NOW.getTime()) / 1000 : 'cancel',
  );
}

const at = (status: OperationStatus, row = MINT): OperationRow => ({
  ...row,
  status,
  ...(status === 'PENDING_FUNDING' && { funding_instructions: FUNDING.instructions, expires_at: LATER }),
});

const RELEASED_USD = 'coin.hold_adjusted#1: + AVAIL:usd 2500 USD, - HOLD:usd 2500 USD';
const RELEASED_COINS = 'coin.hold_adjusted#1: + AVAIL:coins 25000000 ACME, - HOLD:coins 25000000 ACME';

describe('the machine of mints and burns (stablecoins.md §5)', () => {
  it('money.md §11.L26: the cost of a mint, or the coins of a burn, is held in the source account', () => {
    const created = (row: OperationRow) => outcome({ ...row, version: 0n }, { kind: 'created' });
    assert.deepEqual(created(PAID_MINT), [
      'CREATED',
      'coin.hold_adjusted#0: - AVAIL:usd 2500 USD, + HOLD:usd 2500 USD',
    ]);
    assert.deepEqual(created(PAID_BURN), [
      'CREATED',
      'coin.hold_adjusted#0: - AVAIL:coins 25000000 ACME, + HOLD:coins 25000000 ACME',
    ]);
    assert.deepEqual(created(MINT), ['CREATED']);
    assert.deepEqual(created(BURN), ['CREATED']);
    assert.throws(() => advance(MINT, { kind: 'created' }), NoticeRefused);
  });

  it('stablecoins.md §6.2: the provider is asked at its time, at the latest at the deadline, and not after the end', () => {
    const waiting = at('PENDING_FUNDING');
    assert.deepEqual(jobs({ ...MINT, version: 0n }, { kind: 'created' }), [60]);
    assert.deepEqual(jobs(MINT, report('processing', { askAgainAfterMs: 3_000 })), ['cancel', 3]);
    assert.deepEqual(jobs(MINT, report('awaitingProvider')), ['cancel']);
    assert.deepEqual(jobs(MINT, report('awaitingFunding', { funding: FUNDING })), ['cancel', 604_800]);
    assert.deepEqual(jobs(waiting, report('awaitingFunding', { askAgainAfterMs: 5_000 })), ['cancel', 5]);
    assert.deepEqual(jobs(waiting, report('completed', { askAgainAfterMs: 5_000 })), ['cancel']);
    assert.deepEqual(jobs(at('PROCESSING'), report('expired')), ['cancel']);
    assert.equal(jobs(waiting, { kind: 'lost' }), undefined);
    assert.equal(jobs(at('COMPLETED'), report('processing', { askAgainAfterMs: 3_000 })), undefined);
  });

  it('stablecoins.md §5.61: an operation that needs money or coins from outside waits for them, with instructions and a deadline', () => {
    const step = advance(MINT, report('awaitingFunding', { funding: FUNDING }));
    assert.equal(step?.row.status, 'PENDING_FUNDING');
    assert.deepEqual(step?.row.funding_instructions, FUNDING.instructions);
    assert.deepEqual(step?.row.expires_at, LATER);
    assert.equal(step?.row.provider_status, 'awaitingfunding');
    assert.deepEqual(step?.entries, []);
  });

  it('stablecoins.md §5.62, §5.63, §5.65: it is submitted, funded and started, without an entry', () => {
    assert.deepEqual(outcome(PAID_MINT, report('awaitingProvider')), ['PENDING_PROVIDER']);
    assert.deepEqual(outcome(at('PENDING_FUNDING'), report('awaitingProvider')), ['PENDING_PROVIDER']);
    assert.deepEqual(outcome(at('PENDING_PROVIDER'), report('processing')), ['PROCESSING']);
  });

  it('stablecoins.md §5.64: after its deadline it expires, by the provider’s notice or ours, unless funds have arrived', () => {
    assert.deepEqual(outcome(at('PENDING_FUNDING'), report('expired')), ['EXPIRED']);
    assert.deepEqual(outcome(at('PENDING_FUNDING'), report('awaitingFunding'), FACTS, LATER), ['EXPIRED']);
    assert.equal(outcome(at('PENDING_FUNDING'), report('awaitingFunding')), undefined);
    assert.equal(outcome(at('PENDING_PROVIDER'), report('expired'), FACTS, LATER), undefined);
  });

  it('stablecoins.md §5.66, money.md §11.L27: a mint is paid into the reserve and issues its coins, outside or into an account', () => {
    const issued = '- ISSUED:s1 25000000 ACME';
    assert.deepEqual(outcome(at('PROCESSING'), report('completed')), [
      'COMPLETED',
      `coin.minted#0: - RAIL:PROVIDER:USD 2500 USD, + RESERVE:s1 2500 USD, ${issued}, + RAIL:SPARK:ACME 25000000 ACME`,
    ]);
    assert.deepEqual(outcome(at('PROCESSING', PAID_MINT), report('completed')), [
      'COMPLETED',
      `coin.minted#0: - HOLD:usd 2500 USD, + RESERVE:s1 2500 USD, ${issued}, + RAIL:SPARK:ACME 25000000 ACME`,
    ]);
    const receiver = { canHold: true, debt: undefined };
    assert.deepEqual(outcome(at('PROCESSING', KEPT_MINT), report('completed'), { ...FACTS, receiver }), [
      'COMPLETED',
      `coin.minted#0: - RAIL:PROVIDER:USD 2500 USD, + RESERVE:s1 2500 USD, ${issued}, + AVAIL:coins 25000000 ACME`,
    ]);
  });

  it('money.md §11.L27: the owner’s debt in the coin is repaid first; coins that the account cannot hold are booked to SUSPENSE', () => {
    const dollars = '- RAIL:PROVIDER:USD 2500 USD, + RESERVE:s1 2500 USD, - ISSUED:s1 25000000 ACME';
    const owing = (balance: bigint): OperationFacts => ({
      ...FACTS,
      receiver: { canHold: true, debt: { account: 'RECEIVABLE:c1:ACME', balance } },
    });
    const completed = (facts: OperationFacts) =>
      outcome(at('PROCESSING', KEPT_MINT), report('completed'), facts);
    assert.deepEqual(completed(owing(1_000_000n)), [
      'COMPLETED',
      `coin.minted#0: ${dollars}, + RECEIVABLE:c1:ACME 1000000 ACME, + AVAIL:coins 24000000 ACME`,
    ]);
    assert.deepEqual(completed(owing(99_000_000n)), [
      'COMPLETED',
      `coin.minted#0: ${dollars}, + RECEIVABLE:c1:ACME 25000000 ACME`,
    ]);
    assert.deepEqual(completed({ ...FACTS, receiver: { canHold: false, debt: undefined } }), [
      'COMPLETED',
      `coin.minted#0: ${dollars}, + RAIL:SPARK:ACME 25000000 ACME`,
      'receipt.suspended#0: - RAIL:SPARK:ACME 25000000 ACME, + SUSPENSE:ACME 25000000 ACME',
    ]);
  });

  it('stablecoins.md §5.66, money.md §11.L28: a burn redeems its coins and is paid out of the reserve', () => {
    const dollars = '- RESERVE:s1 2500 USD, + RAIL:PROVIDER:USD 2500 USD';
    assert.deepEqual(outcome(at('PROCESSING', BURN), report('completed')), [
      'COMPLETED',
      `coin.burned#0: ${dollars}, - RAIL:SPARK:ACME 25000000 ACME, + ISSUED:s1 25000000 ACME`,
    ]);
    assert.deepEqual(outcome(at('PROCESSING', PAID_BURN), report('completed')), [
      'COMPLETED',
      `coin.burned#0: ${dollars}, - HOLD:coins 25000000 ACME, + ISSUED:s1 25000000 ACME`,
    ]);
  });

  it('stablecoins.md §5.67, money.md §11.L26: a failed operation releases its hold, and has a reason', () => {
    for (const status of ['PENDING_PROVIDER', 'PROCESSING'] as const) {
      assert.deepEqual(outcome(at(status, PAID_MINT), report('failed')), [
        'FAILED PROVIDER_TRANSFER_FAILED',
        RELEASED_USD,
      ]);
      const why = report('failed', { reason: 'PROVIDER_CANCELED' });
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
    assert.deepEqual(outcome(at('PENDING_FUNDING', BURN), report('awaitingProvider'), uncovered), [
      'FAILED FUNDING_REJECTED',
    ]);
    assert.deepEqual(outcome(at('PENDING_FUNDING', BURN), report('completed'), uncovered), [
      'FAILED FUNDING_REJECTED',
    ]);
    assert.deepEqual(outcome(at('PROCESSING', BURN), report('completed'), uncovered)?.[0], 'COMPLETED');
    assert.deepEqual(outcome(PAID_BURN, report('awaitingProvider'), uncovered), ['PENDING_PROVIDER']);
  });

  it('unreported steps are skipped, and late, repeated or out-of-order notices change nothing', () => {
    assert.equal(outcome(MINT, report('completed'))?.[0], 'COMPLETED');
    assert.equal(outcome(at('PROCESSING'), report('awaitingProvider')), undefined);
    assert.equal(outcome(at('PROCESSING'), report('processing')), undefined);
    for (const status of ['COMPLETED', 'FAILED', 'EXPIRED', 'REFUSED'] as const)
      for (const notice of [
        report('processing'),
        report('completed'),
        report('failed'),
        report('expired'),
        { kind: 'lost' } as const,
        { kind: 'refused' } as const,
      ])
        assert.equal(outcome(at(status, PAID_MINT), notice), undefined);
  });

  it('people’s account details are deleted at its end, and not before', () => {
    assert.notEqual(advance(MINT, report('processing'))?.row.instruments, null);
    for (const kind of ['completed', 'failed', 'expired'] as const)
      assert.equal(advance(MINT, report(kind))?.row.instruments, null);
  });
});
