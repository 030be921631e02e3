// lane: whole — searches every table for planted values

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { revokeLink } from '#capabilities/stablecoins/links/change-link.ts';
import { advance } from '#tests/given/payments.ts';
import { askLink, givenCoin, playProvider } from '#tests/given/stablecoins.ts';
import { type Answered, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { allRows, formsOf } from '#tests/harness/table-contents.ts';

describe('secrecy of the credentials of provider accounts', () => {
  const world = testWorld();
  const DAY_SECONDS = 24 * 3_600;

  it('stablecoins.md §1.1: after a full life cycle the secret is in no row, log line, reply or webhook', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    const secrets: string[] = [];
    const replies: Answered<unknown>[] = [];
    /** Sent with its own secret, whatever the result. */
    const link = async (more: object = {}, key?: string) => {
      const apiClientSecret = `secret-${randomBytes(18).toString('hex')}`;
      secrets.push(apiClientSecret);
      const reply = await askLink(platform, { apiClientSecret, ...more }, key === undefined ? {} : { key });
      replies.push(reply);
      return reply.body;
    };

    const first = await link({}, 'the key');
    // Refused for every possible reason, and with another invalid field.
    await link({}, 'the key');
    await link();
    for (const end of ['002', '003', '004', '005', '006']) await link({ apiClientId: `client-${end}` });
    await link({ provider: 'OTHER', apiClientId: 17 });
    const padded = `secret-${randomBytes(600).toString('hex')}`;
    secrets.push(padded);
    replies.push(await askLink(platform, { apiClientSecret: padded }));
    const nested = `secret-${randomBytes(18).toString('hex')}`;
    secrets.push(nested);
    replies.push(await askLink(platform, { apiClientSecret: { value: nested } }));

    const coin = await givenCoin(platform, { providerTokenIdentifier: 'slow-005' });
    await advance(platform, 2 * DAY_SECONDS);
    const failing = playProvider(world, {
      verifyLogin: async () => Promise.reject(new Error('the provider has gone mad')),
    });
    await assert.rejects(link({ apiClientId: 'client-xyz' })).finally(failing);
    const work = await platform.work();
    await work.write((tx) => revokeLink(tx, { linkId: uuidOf(first.id), reason: 'a test' }));
    await link();
    for (const [operation, params] of [
      ['listStablecoinProviderAccounts', undefined],
      ['getStablecoinProviderAccount', { stablecoinProviderAccountId: first.id }],
      ['getStablecoin', { stablecoinId: coin.id }],
    ] as const) {
      replies.push(await platform.send(operation, params ? { params } : {}));
    }

    const places = {
      'a row': (await allRows(world.database)).map(({ text }) => text),
      'a log line': world.logged,
      'a reply': replies.map(({ raw }) => raw),
      'a webhook': receiver.received.map(({ raw }) => String(raw)),
    };
    for (const [place, texts] of Object.entries(places)) {
      const found = secrets.flatMap(formsOf).filter((form) => texts.some((text) => text.includes(form)));
      assert.deepEqual(found, [], place);
    }
    assert.ok(places['a row'].length > 20 && world.logged.length > 10, 'there is data to search');
    assert.ok(
      places['a row'].some((text) => text.includes('client-003')),
      'the search finds existing text',
    );
  });
});
