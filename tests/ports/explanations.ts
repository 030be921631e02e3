import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Environment } from '#foundation/lib/platform.ts';
import type { Awaited, ExplanationsPort } from '#foundation/ports/explanations.ts';
import type { Payout } from '#foundation/ports/payments.ts';
import type { Suite } from '#tests/ports/shape.ts';

const ID = '00000000-0000-7000-8000-000000000001';
const NOW = new Date('2026-03-02T10:00:00.000Z');

const AWAITED: readonly Awaited[] = [
  { kind: 'TIME', at: new Date(NOW.getTime() + 1_500), when: 'when the quote expires' },
  { kind: 'FUNDS', quoteId: `Quote:${ID}`, currency: 'USD' },
  { kind: 'AUTHORIZATION', quoteId: `Quote:${ID}`, factor: 'SMS_OTP' },
  { kind: 'BALANCE', accountId: `InternalAccount:${ID}`, missing: 5n, shown: '0.05 USD' },
  { kind: 'CLEARING', cardId: `Card:${ID}`, transactionId: `Transaction:${ID}`, amount: 5n },
];

function payoutTo(identifier: string): Payout {
  return {
    reference: ID as TransactionId,
    platformId: ID as PlatformId,
    amount: 1n,
    currency: 'EUR',
    isCrossCurrency: true,
    to: { kind: 'EXTERNAL', account: { accountType: 'EUR_ACCOUNT', identifier, fields: {} } },
    rail: 'SEPA',
    network: undefined,
    remittanceInformation: undefined,
    originator: { customerId: null, accountId: null },
    purpose: undefined,
    requestedAt: new Date(0),
  };
}

/** Only a simulated outside world can be played, and only there a value decides. */
export const explanationsSuite = (environment: Environment): Suite<ExplanationsPort> => {
  const isPlayed = environment === 'SANDBOX';
  return (port) => {
    it('operator.md §8.2: offers a call for everything that can be played, and none where the world is real', () => {
      for (const awaited of AWAITED) {
        const ways = port().waysToCause(awaited, NOW);
        assert.equal(ways.length > 0, isPlayed, awaited.kind);
        for (const { how, call } of ways) {
          assert.match(how, /\.$/);
          assert.match(call?.path ?? '', /^\/(sandbox|quotes)\//);
        }
      }
    });

    it('operator.md §8.3: names the value that decided, and nothing for an account that was erased', () => {
      assert.equal(
        port().causeOfPayout(payoutTo('DE35370400440532013002'))?.value,
        isPlayed ? '002' : undefined,
      );
      assert.equal(port().causeOfPayout(payoutTo('DE89370400440532013000')), undefined);
      assert.equal(port().causeOfPayout(payoutTo('')), undefined);
      assert.equal(port().causeOfPurchase({ descriptor: '' }, 'OTHER'), undefined);
    });
  };
};
