// lane: whole — kills a process in the middle of its work

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { Deliverer } from '#edge/webhooks/deliverer.ts';
import { compile, type Sql } from '#foundation/database/sql.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { givenFunds, givenOutside, givenPayer, givenPlatform, givenQuote } from '#tests/given/payments.ts';
import { testWorld } from '#tests/harness/harness.ts';
import type { Received } from '#tests/harness/receiver.ts';

describe('webhooks whose process died before it recorded that it had sent them', () => {
  const world = testWorld();

  it('platform.md §4.1.2: are sent again with the same data byte for byte, however the resource has changed since', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform);
    const account = payer.account('USD').id;
    const quote = await givenQuote(world, platform, {
      from: account,
      to: await givenOutside(platform, payer.id),
    });
    const executed = await platform.call('executeQuote', { params: { quoteId: quote.id } });
    assert.equal(executed.status, 200, executed.raw);
    const receiver = await platform.receive();
    await sendAndDie(platform.id, receiver.received);
    // A TEST is sent only once in any case.
    const sent = receiver.received.splice(0).filter(({ body }) => body.type !== 'TEST');
    const before = new Map(sent.map((delivery) => [delivery.body.id, dataOf(delivery)]));

    await givenFunds(platform, account, 77_700);
    // Past the dead process's leases, and until the payment is completed.
    await platform.call('advanceSandboxClock', { body: { seconds: 10 } });
    world.clock.advance(10_000);
    await world.app.worker.settle(platform.id);

    const after = new Map(receiver.received.map((delivery) => [delivery.body.id, dataOf(delivery)]));
    const types = receiver.received.map(({ body }) => body.type);
    assert.ok(types.includes('OUTGOING_PAYMENT.COMPLETED'), String(types));
    const repeated = [...before.keys()].filter((id) => after.has(id));
    assert.deepEqual(repeated, [...before.keys()]);
    for (const id of repeated) assert.equal(after.get(id), before.get(id));
  });

  /** A deliverer that loses its connection before it records; its webhooks still arrive. */
  async function sendAndDie(platformId: PlatformId, received: readonly Received[]): Promise<void> {
    const { runtime } = world.app;
    const commit = async (pieces: readonly Sql[]): Promise<void> => {
      const records = pieces.some((piece) => compile(piece).text.includes('record_webhooks('));
      if (records) throw new Error('killed');
      await world.database.commit(pieces);
    };
    const dying = new Deliverer(
      { ...runtime, database: { ...world.database, commit } },
      { names: wireNames('Svc'), renderers: SERVICE.renderers, onError: () => undefined },
    );
    const stepping = dying.step(platformId, 60_000);
    const isSent = () =>
      ['OUTGOING_PAYMENT.PROCESSING', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'].every((type) =>
        received.some(({ body }) => body.type === type),
      );
    while (!isSent()) await new Promise((resolve) => setImmediate(resolve));
    await dying.drain(60_000);
    await stepping;
  }
});

function dataOf({ raw }: Received): string {
  return raw.toString().replace(/^.*?"data":/, '');
}
