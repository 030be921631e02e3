import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyAnswer } from '#capabilities/connectors/answers.ts';
import type { CallOutcome, OrderCall, OrderRow } from '#capabilities/connectors/row.ts';
import { ORDER_KINDS, type OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import { ORDER_STATES, type OrderState } from '#foundation/connector-protocol/orders.ts';
import { newUuid } from '#foundation/lib/ids.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const EARLIER = new Date('2026-03-02T09:00:00Z');
const STORE = 'store-1';

/** An order that was sent, and that nobody has answered yet. */
function asked(kind: OrderKind, more: Partial<OrderRow> = {}): OrderRow {
  const none = {
    ...{ customer_id: null, state: null, state_at: null, reason: null, expected_at: null },
    ...{ bank_reference: null, transaction_hash: null, not_taken_since: null, ended_at: null },
    ...{ acknowledged_at: null, caller: null },
  };
  return {
    ...{ platform_id: newUuid<'Platform'>(), id: newUuid() as string, reference: newUuid() as string },
    ...{ transaction_id: newUuid<'Transaction'>(), kind, status: 'ASKED', connector_id: newUuid() as string },
    ...{ settlement_account: 'main', rail: 'SEPA', amount: 100n, currency: 'EUR', body: Buffer.from('{}') },
    ...{ call: 'GET', call_at: NOW, silences: 0, is_cancelled: false, leaves: false, asked_store: STORE },
    ...{ created_at: EARLIER, asked_at: EARLIER },
    ...none,
    ...more,
  };
}

/** The same after the connector has acknowledged it. */
const taken = (kind: OrderKind, state: OrderState = 'RECEIVED', more: Partial<OrderRow> = {}) =>
  asked(kind, { status: 'TAKEN', state, state_at: EARLIER, acknowledged_at: EARLIER, ...more });

function answer(order: OrderRow, call: OrderCall, outcome: CallOutcome, hasOtherRoute = false) {
  const { changes, notices, found, storeLost } = applyAnswer({
    order,
    call,
    outcome,
    now: NOW,
    hasOtherRoute,
  });
  const { status = order.status, call: next = order.call, call_at: at, leaves = order.leaves } = changes;
  const seconds = at instanceof Date ? (at.getTime() - NOW.getTime()) / 1_000 : undefined;
  return {
    ...{ status, next, seconds, leaves },
    ...{ notices: notices.map(({ kind }) => kind), found: found?.kind, lost: storeLost },
  };
}

const report = ({ reference }: OrderRow, state: OrderState, total = true, store = STORE): CallOutcome => ({
  ...{ kind: 'report', store },
  report: { reference, state, at: NOW, ...(total && { total: { amount: 100n, currency: 'EUR' } }) },
});

const DAY = 86_400;

/** connectors.md §4.11, and what the states of collections and refunds mean. */
const NOTICES: Readonly<Record<OrderState, Readonly<Record<OrderKind, readonly string[]>>>> = {
  RECEIVED: { PAYOUT: ['accepted'], COLLECTION: [], REFUND: [] },
  SENT: { PAYOUT: ['accepted'], COLLECTION: [], REFUND: [] },
  HELD: { PAYOUT: ['held'], COLLECTION: ['held'], REFUND: [] },
  SETTLED: { PAYOUT: ['delivered'], COLLECTION: ['collected'], REFUND: ['refunded'] },
  FAILED: { PAYOUT: ['payoutFailed'], COLLECTION: ['collectionFailed'], REFUND: ['refundFailed'] },
  CANCELLED: { PAYOUT: ['payoutFailed'], COLLECTION: ['collectionFailed'], REFUND: ['refundFailed'] },
  RETURNED: { PAYOUT: ['returned'], COLLECTION: ['collectionReversed'], REFUND: ['refundFailed'] },
};
const isEnd = (state: OrderState) => !['RECEIVED', 'SENT', 'HELD'].includes(state);
const NOTHING = { notices: [], found: undefined, lost: undefined };

for (const kind of ORDER_KINDS) {
  describe(`an answer about a ${kind}`, () => {
    for (const call of ['PUT', 'GET', 'CANCEL'] as const) {
      for (const state of ORDER_STATES) {
        it(`connectors.md §4.11, §5.1: ${state} to a ${call}`, () => {
          const order = asked(kind);
          const next = isEnd(state) ? null : 'GET';
          assert.deepEqual(answer(order, call, report(order, state)), {
            ...{ status: isEnd(state) ? 'ENDED' : 'TAKEN', next, leaves: false },
            seconds: isEnd(state) ? undefined : DAY,
            ...{ notices: NOTICES[state][kind], lost: undefined },
            found: kind === 'REFUND' && state === 'RETURNED' ? 'RETURNED' : undefined,
          });
        });
      }

      it(`connectors.md §5.1, §5.2: silence to a ${call} never fails and never sends`, () => {
        const next = call === 'PUT' ? 'GET' : call;
        for (const [silences, seconds] of [5, 10, 20, 40, 80, 160, 320, 640, 900, 900].entries()) {
          for (const order of [asked(kind, { silences }), taken(kind, 'SENT', { silences })]) {
            const { status } = order;
            const expected = { status, next, seconds, leaves: false, ...NOTHING };
            assert.deepEqual(answer(order, call, { kind: 'silence' }), expected);
          }
        }
      });

      it(`connectors.md §5.1: 429 and 503 to a ${call} are repeated after Retry-After`, () => {
        const order = asked(kind);
        const got = answer(order, call, { kind: 'later', afterSeconds: 45 });
        assert.deepEqual(got, { status: 'ASKED', next: call, seconds: 45, leaves: false, ...NOTHING });
      });
    }

    it('connectors.md §5.4: after ten minutes of 503 the order leaves if another route fits', () => {
      for (const [minutes, hasOther, leaves] of [
        [9, true, false],
        [10, true, true],
        [10, false, false],
      ] as const) {
        const order = asked(kind, { not_taken_since: new Date(NOW.getTime() - minutes * 60_000) });
        const got = answer(order, 'PUT', { kind: 'later', afterSeconds: 45 }, hasOther);
        assert.deepEqual([got.next, got.leaves, got.status], [leaves ? 'CANCEL' : 'PUT', leaves, 'ASKED']);
      }
    });

    it('connectors.md §5.1: 409 to a PUT is a break, and ends the calls; to another call it is silence', () => {
      const got = answer(asked(kind), 'PUT', { kind: 'conflict' });
      assert.deepEqual(
        [got.status, got.next, got.found, got.notices],
        ['CONFLICT', null, 'CONTRADICTION', []],
      );
      for (const call of ['GET', 'CANCEL'] as const)
        assert.equal(answer(asked(kind), call, { kind: 'conflict' }).seconds, 5);
    });

    it('connectors.md §5.1, §5.4: 400 to a PUT is followed by a cancellation; to another call it is silence', () => {
      const got = answer(asked(kind), 'PUT', { kind: 'refused' });
      assert.deepEqual(got, { status: 'ASKED', next: 'CANCEL', seconds: 0, leaves: true, ...NOTHING });
      for (const call of ['GET', 'CANCEL'] as const)
        assert.equal(answer(asked(kind), call, { kind: 'refused' }).leaves, false);
    });

    it('connectors.md §5.1: 404 to a GET sends an order again that was never acknowledged and was in no other store', () => {
      const unknown = { kind: 'unknown', store: STORE } as const;
      const got = answer(asked(kind), 'GET', unknown);
      assert.deepEqual(got, { status: 'ASKED', next: 'PUT', seconds: 0, leaves: false, ...NOTHING });
      const lost = { next: 'GET', seconds: 900, leaves: false, notices: [], found: 'LOST', lost: true };
      assert.deepEqual(answer(taken(kind), 'GET', unknown), { status: 'TAKEN', ...lost });
      const elsewhere = asked(kind, { asked_store: 'store-0' });
      assert.deepEqual(answer(elsewhere, 'GET', unknown), { status: 'ASKED', ...lost });
      // 503 said that no store has it.
      assert.equal(answer(asked(kind, { asked_store: null }), 'GET', unknown).next, 'PUT');
      for (const call of ['PUT', 'CANCEL'] as const)
        assert.equal(answer(taken(kind), call, unknown).seconds, 5, 'it is silence');
    });

    it('connectors.md §5.1: a cancellation without an amount does not end an order that was acknowledged', () => {
      const order = taken(kind);
      const got = answer(order, 'CANCEL', report(order, 'CANCELLED', false));
      assert.deepEqual([got.status, got.next, got.found, got.lost], ['TAKEN', 'GET', 'LOST', true]);
      const unsent = asked(kind);
      assert.equal(answer(unsent, 'CANCEL', report(unsent, 'CANCELLED', false)).status, 'ENDED');
    });

    it('connectors.md §2.8, §5.1: a cancellation without an amount does not end an order that another store may have', () => {
      for (const call of ['CANCEL', 'GET'] as const) {
        const order = asked(kind, { is_cancelled: true });
        const got = answer(order, call, report(order, 'CANCELLED', false, 'store-2'));
        assert.deepEqual([got.status, got.notices, got.found, got.lost], ['ASKED', [], 'LOST', true]);
        // 503 said that no store has it.
        const free = asked(kind, { asked_store: null });
        assert.equal(answer(free, call, report(free, 'CANCELLED', false, 'store-2')).status, 'ENDED');
      }
    });

    it('connectors.md §5.4: a cancelled order leaves, unless the platform has cancelled it', () => {
      for (const isCancelled of [false, true]) {
        const order = asked(kind, { leaves: true, is_cancelled: isCancelled });
        const got = answer(order, 'CANCEL', report(order, 'CANCELLED'));
        const notice = kind === 'REFUND' ? 'refundFailed' : 'cancelled';
        assert.deepEqual(
          [got.status, got.next, got.notices],
          isCancelled ? ['ENDED', null, [notice]] : ['LEFT', null, []],
        );
      }
    });

    it('connectors.md §5.5, §5.7: an order to be cancelled is not sent again, whatever the answer', () => {
      const order = asked(kind, { is_cancelled: true });
      const outcomes: readonly CallOutcome[] = [
        { kind: 'silence' },
        { kind: 'later', afterSeconds: 5 },
        { kind: 'refused' },
        { kind: 'unknown', store: STORE },
        report(order, 'RECEIVED'),
      ];
      for (const call of ['PUT', 'GET'] as const)
        for (const outcome of outcomes)
          assert.equal(answer(order, call, outcome).next, 'CANCEL', `${outcome.kind} to ${call}`);
    });

    it('connectors.md §4.11: the state after HELD releases the payment first', () => {
      const order = taken(kind, 'HELD');
      const released = kind === 'REFUND' ? [] : ['released'];
      const { notices } = answer(order, 'GET', report(order, 'SETTLED'));
      assert.deepEqual(notices, [...released, ...NOTICES.SETTLED[kind]]);
    });

    it('connectors.md §4.11, §6.8: settled money that comes back is reversed; a refund is a receipt', () => {
      const order = taken(kind, 'SETTLED', { status: 'ENDED', call: null });
      const outcome = report(order, 'RETURNED');
      const { notices, found } = answer(order, 'GET', outcome);
      const step = applyAnswer({ order, call: 'GET', outcome, now: NOW, hasOtherRoute: false });
      assert.deepEqual(
        [notices, found, step.isReceipt],
        kind === 'REFUND' ? [[], 'RETURNED', true] : [NOTICES.RETURNED[kind], undefined, undefined],
      );
    });

    it('connectors.md §4.12: another amount or currency is a break, and applies nothing', () => {
      const order = asked(kind);
      for (const total of [
        { amount: 99n, currency: 'EUR' },
        { amount: 100n, currency: 'USD' },
      ]) {
        const outcome: CallOutcome = {
          ...{ kind: 'report', store: STORE },
          report: { reference: order.reference, state: 'SETTLED', at: NOW, total },
        };
        const got = answer(order, 'GET', outcome);
        assert.deepEqual([got.status, got.notices, got.found], ['TAKEN', [], 'AMOUNT_DIFFERS']);
      }
    });
  });
}
