import assert from 'node:assert/strict';
import { it } from 'node:test';
import Type from 'typebox';
import { newUuid } from '#foundation/lib/ids.ts';
import type {
  Collection,
  Payout,
  RailAccount,
  RailAnswer,
  RailParty,
  RailsPort,
  RefundOrder,
} from '#foundation/ports/payments.ts';
import { assertHides, assertShape, exactly, type Suite, shown } from '#tests/ports/shape.ts';

const FAILURES = [
  'QUOTE_EXECUTION_FAILED',
  'ACCOUNT_CANNOT_RECEIVE',
  'ACCOUNT_INVALID',
  'COMPLIANCE_REJECTED',
];
const PLAIN = ['accepted', 'collectionFailed', 'cancelled', 'refundFailed', 'held', 'complianceRejected'];
const MOVING = ['returned', 'collected', 'collectionReversed', 'refunded'];
const HASHED = ['released', 'arrived'];
const HASH = { transactionHash: Type.Optional(Type.String({ minLength: 1 })) };
const MOVED = { settlementAccount: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+\\.[a-z0-9-]+$' })) };
const NOTICE = Type.Union([
  ...PLAIN.map((kind) => exactly({ kind: Type.Literal(kind) })),
  ...MOVING.map((kind) => exactly({ kind: Type.Literal(kind), ...MOVED })),
  exactly({ kind: Type.Literal('delivered'), ...HASH, ...MOVED }),
  ...HASHED.map((kind) => exactly({ kind: Type.Literal(kind), ...HASH })),
  exactly({
    kind: Type.Literal('payoutFailed'),
    reason: Type.Enum(FAILURES),
    timedOut: Type.Optional(Type.Boolean()),
  }),
]);
export const RAIL_ANSWER = exactly({
  notices: Type.Array(NOTICE),
  again: Type.Optional(
    exactly({
      afterMs: Type.Integer({ minimum: 1 }),
      token: Type.String({ minLength: 1, maxLength: 10_000 }),
    }),
  ),
});

const NUMBER = '1000000';
/** The end of the account decides in the sandbox; a real rail accepts any. */
const SUFFIXES = ['000', '002', '003', '004', '005', '006', '007', '102', '999'];
const ACCOUNTS: RailAccount[] = SUFFIXES.map((suffix) => ({
  accountType: 'USD_ACCOUNT',
  identifier: `${NUMBER}${suffix}`,
  fields: { accountNumber: `${NUMBER}${suffix}`, routingNumber: '021000021' },
}));
const PARTIES: RailParty[] = [
  ...ACCOUNTS.map((account) => ({ kind: 'EXTERNAL' as const, account })),
  { kind: 'INTERNAL', accountId: newUuid() },
  { kind: 'UMA', address: '$success.usd@sandbox.corridor.test' },
  { kind: 'UMA', address: '$nobody@elsewhere.example' },
];

function payoutTo(to: RailParty, isCrossCurrency: boolean): Payout {
  return {
    reference: newUuid(),
    platformId: newUuid(),
    amount: 10_000n,
    currency: 'USD',
    isCrossCurrency,
    to,
    rail: to.kind === 'EXTERNAL' ? 'ACH' : null,
    network: undefined,
    remittanceInformation: 'for Ada',
    originator: { customerId: newUuid(), accountId: newUuid() },
    purpose: 'GOODS_OR_SERVICES',
    requestedAt: new Date(),
  };
}

const payouts = () => PARTIES.flatMap((to) => [payoutTo(to, true), payoutTo(to, false)]);
const collections = () =>
  ACCOUNTS.map((from): Collection => {
    const { to: _to, rail: _rail, network: _network, ...order } = payoutTo(PARTIES[0] as RailParty, false);
    const { originator: creditor, requestedAt: authorizedAt } = order;
    return { ...order, from, creditor, authorizedAt };
  });
const refunds = () =>
  payouts().flatMap((payout) =>
    (['INTERNAL', 'ORIGIN'] as const).map(
      (to): RefundOrder => ({
        ...payout,
        to,
        of: to === 'ORIGIN' ? 'COLLECTION' : undefined,
        payout,
      }),
    ),
  );

/**
 * Which orders the adapter's own answers finish. All: a sandbox, or a rail that is polled until it knows. Only those
 * within our own ledger: money that goes outside is finished by a later notice, or by the operator.
 */
export type SettlesByItself = 'all orders' | 'orders within our ledger';

/** The guarantees that payments rely on, whichever adapter moves the money. */
export const railsSuite =
  (settles: SettlesByItself): Suite<RailsPort> =>
  (port) => {
    it('says of an order at once that it fails, or nothing, and the same whenever it is asked', () => {
      for (const payout of payouts()) {
        const known = port().knownPayoutFailure(payout);
        assert.ok(known === undefined || FAILURES.includes(known), String(known));
        assert.equal(port().knownPayoutFailure({ ...payout, reference: newUuid() }), known);
      }
      for (const collection of collections()) {
        const known = port().knownCollectionFailure(collection);
        assert.ok(known === undefined || known === 'COLLECTION_FAILED');
        assert.equal(port().knownCollectionFailure(collection), known);
      }
    });

    it('answers every order with notices that payments know; a repetition of its reference gives the same', async () => {
      for (const order of payouts()) await assertRepeatable(() => port().pay(order));
      for (const order of collections()) await assertRepeatable(() => port().collect(order));
      for (const order of refunds()) await assertRepeatable(() => port().refund(order));
    });

    it('comes to one end: a payout is delivered, fails or is called off, a pull is collected or not, a refund is paid or not', () =>
      assertOrdersEnd(port(), settles));

    it('keeps data that names the account out of its tokens, which are not sealed', async () => {
      for (const order of payouts()) {
        const { again } = await port().pay(order);
        assertHides([NUMBER, '021000021', 'for Ada'], again?.token);
      }
    });

    it('lets an order be called back or not; one that was stays so', async () => {
      for (const { reference } of payouts()) {
        const answer = await port().cancel(reference);
        assert.ok(['accepted', 'refused', 'unknown'].includes(answer));
        if (answer === 'accepted') assert.equal(await port().cancel(reference), 'accepted');
      }
    });
  };

export async function assertRepeatable(order: () => Promise<RailAnswer>): Promise<void> {
  const answer = await order();
  assertShape(RAIL_ANSWER, answer);
  assert.deepEqual(await order(), answer);
}

/** Every order that settles by itself ends once; any other at most once. */
export async function assertOrdersEnd(port: RailsPort, settles: SettlesByItself): Promise<void> {
  const least = (isWithinBooks: boolean) => (settles === 'all orders' || isWithinBooks ? 1 : 0);
  for (const order of payouts()) {
    // It has failed already, and is never ordered.
    if (port.knownPayoutFailure(order) !== undefined) continue;
    const reached = await follow(port, order.reference, await port.pay(order));
    assertEnds(
      reached,
      ['delivered', 'payoutFailed', 'cancelled'],
      least(order.to.kind === 'INTERNAL'),
      order,
    );
  }
  for (const order of collections()) {
    if (port.knownCollectionFailure(order) !== undefined) continue;
    const reached = await follow(port, order.reference, await port.collect(order));
    assertEnds(reached, ['collected', 'collectionFailed'], least(false), order);
  }
  for (const order of refunds()) {
    const reached = await follow(port, order.reference, await port.refund(order));
    assertEnds(reached, ['refunded', 'refundFailed'], least(order.to === 'INTERNAL'), order);
  }
}

function assertEnds(reached: readonly string[], ends: readonly string[], least: 0 | 1, order: object): void {
  const count = reached.filter((kind) => ends.includes(kind)).length;
  const what = `${shown(order)}: ${reached.join(', ') || 'nothing'}`;
  assert.ok(count >= least, `never comes to an end: ${what}`);
  assert.ok(count <= 1, `ends more than once: ${what}`);
}

/** More steps than any real outcome has. */
const STEPS_MAX = 10;

/** All answers to an order, until none is announced any more. */
async function follow(port: RailsPort, reference: TransactionId, first: RailAnswer): Promise<string[]> {
  const reached: string[] = [];
  let answer = first;
  for (let step = 0; ; step++) {
    assert.ok(step < STEPS_MAX, `is to be asked again for ever: ${JSON.stringify(answer)}`);
    assertShape(RAIL_ANSWER, answer);
    reached.push(...answer.notices.map(({ kind }) => kind));
    const { again } = answer;
    if (!again) return reached;
    const next = await port.follow(reference, again.token);
    assert.deepEqual(await port.follow(reference, again.token), next, 'asked twice, it says the same');
    answer = next;
  }
}
