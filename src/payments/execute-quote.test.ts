import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  advance,
  balanceOf,
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  type Payer,
  postedKinds,
  readTransaction,
  toldOf,
} from '#tests/given-payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness.ts';

describe('executing a quote', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;
  let outside: string;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 10_000_000);
    outside = await givenOutside(platform, payer.id);
  });

  it('§3.2, §4: 200 with the quote in PROCESSING; a step later the payment is COMPLETED', async () => {
    const quote = await givenQuote(world, platform, {
      from: payer.account('USD').id,
      to: outside,
      send: 25_000n,
    });
    assert.equal(quote.status, 'PENDING');
    const reply = await execute(platform, quote.id);
    assert.equal(reply.status, 200, reply.raw);
    assert.equal(reply.body.status, 'PROCESSING');
    await advance(platform, 1);
    const transaction = await readTransaction(platform, quote.transactionId);
    assert.equal(transaction.status, 'COMPLETED');
    assert.equal(transaction.sentAmount.amount, 25_000);
    assert.equal(transaction.receivedAmount.amount, 22_885);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6', 'L7']);
    assert.deepEqual(await toldOf(platform, quote.transactionId), ['PENDING', 'PROCESSING', 'COMPLETED']);
  });
});
