import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { sql } from '#foundation/database/sql.ts';
import { type SeatedOperator, seatedOperator } from '#tests/given/proposals.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { createMailServer, type MailServer } from '#tests/harness/mail-server.ts';

const MINUTE_MS = 60_000;
const EXHAUSTED = /(\d+): webhooks that were given up/;

describe('mail about new work', () => {
  let mail: MailServer;
  let providers: ProviderSettings = {};
  before(async () => {
    mail = await createMailServer();
    const { port } = mail;
    providers = { email: { host: 'localhost', port, encryption: 'none', from: 'corridor@example.com' } };
  });
  after(() => mail.close());
  const world = testWorld({ providers: () => providers });
  let platform: TestPlatform;
  let support: SeatedOperator;
  let treasurers: SeatedOperator[];

  before(async () => {
    platform = await world.platform({ environment: 'PRODUCTION' });
    const there = (await platform.work()).platform;
    support = await seatedOperator(world, there, ['support']);
    treasurers = [
      await seatedOperator(world, there, ['treasury']),
      await seatedOperator(world, there, ['treasury']),
    ];
  });

  const giveExhausted = (count: number, on = platform) =>
    world.database.query(sql`
      insert into events (platform_id, type, resource_id, facts, created_at, state, finished_at)
      select ${on.id}, 'CUSTOMER.UPDATED', 'Customer:1', '{}', now(), 'EXHAUSTED', now()
        from generate_series(1, ${count}::integer)`);
  /** The next mails, after some minutes. */
  async function mailed(count: number, minutes = 11): Promise<Map<string, string>> {
    const from = mail.received.length;
    world.clock.advance(minutes * MINUTE_MS);
    await world.app.worker.settle();
    while (mail.received.length < from + count) await mail.next();
    const arrived = mail.received.slice(from);
    assert.equal(arrived.length, count);
    return new Map(arrived.map(({ to, raw }) => [String(to[0]), raw.replace(/=\r?\n/g, '')]));
  }
  const addressOf = ({ id }: SeatedOperator) => `${id}@example.com`;

  it('operator.md §6.6: new items are mailed to the roles whose work they are, once, and never those of a sandbox', async () => {
    await giveExhausted(2);
    await giveExhausted(7, await world.platform());
    // The treasurers hear that there are no rates.
    const first = await mailed(3);
    assert.equal(EXHAUSTED.exec(first.get(addressOf(support)) ?? '')?.[1], '2');
    for (const treasurer of treasurers) {
      const text = first.get(addressOf(treasurer)) ?? '';
      assert.match(text, /1: production exchange rates/);
      assert.doesNotMatch(text, EXHAUSTED);
    }
    await giveExhausted(1);
    const second = await mailed(1);
    assert.equal(EXHAUSTED.exec(second.get(addressOf(support)) ?? '')?.[1], '1', 'only the new one');
  });

  it('operator.md §6.6: a second mail comes after ten minutes, and tells what the mail server refused', async () => {
    await giveExhausted(1);
    const before = mail.received.length;
    world.clock.advance(5 * MINUTE_MS);
    await world.app.worker.settle();
    assert.equal(mail.received.length, before, 'too early');
    mail.refuse({ step: 'recipient', code: 450 });
    world.clock.advance(6 * MINUTE_MS);
    await world.app.worker.settle();
    await untilForgotten();
    mail.refuse(undefined);
    const told = await mailed(1);
    assert.equal(EXHAUSTED.exec(told.get(addressOf(support)) ?? '')?.[1], '1');
  });

  /** Until the refused mail is noted: four events wait, and one of them is to be told again. */
  async function untilForgotten(): Promise<void> {
    for (;;) {
      const rows = await world.database.query(sql`select from work_announced where kind = 'webhooks'`);
      if (rows.length === 3) return;
    }
  }

  it('operator.md §6.6: a proposal is mailed to those who may decide it, and not to its maker', async () => {
    const [maker, checker] = treasurers;
    assert.ok(maker && checker);
    await world.database.query(sql`
      insert into proposals (platform_id, id, version, operation, subject_hash, maker, made_by, content, hash, status,
                             created_at, updated_at, expires_at)
      select ${platform.id}, gen_random_uuid(), 1, 'settlePayment', '', ${maker.id}, 'test', '', sha256(''), 'PENDING',
             n.now, n.now, n.now + interval '72 hours'
        from (select ${new Date(world.clock.now())}::timestamptz as now) n`);
    const told = await mailed(1);
    assert.match(told.get(addressOf(checker)) ?? '', /1: proposals that wait for a second operator/);
  });
});
