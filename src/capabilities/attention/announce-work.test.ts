import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { WORK_KINDS } from '#app/attention.ts';
import { type AnnounceParts, announceWork } from '#capabilities/attention/announce-work.ts';
import { sendMails } from '#capabilities/attention/send-mails.ts';
import { acknowledgeBreakGlass, recordBreakGlass } from '#capabilities/proposals/break-glass.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { mailingWorld } from '#tests/given/mailing-world.ts';
import { onInstallation } from '#tests/given/operators.ts';
import { type SeatedOperator, seatedOperator } from '#tests/given/proposals.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

const MINUTE_MS = 60_000;
const EXHAUSTED = /(\d+): webhooks that were given up/;

describe('mail about new work', () => {
  const { world, mail } = mailingWorld();
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
    const from = mail().received.length;
    world.clock.advance(minutes * MINUTE_MS);
    await world.app.worker.settle();
    while (mail().received.length < from + count) await mail().next();
    const arrived = mail().received.slice(from);
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

  it('operator.md §6.6: a second mail comes after ten minutes, and one that the mail server puts off is sent again', async () => {
    await giveExhausted(1);
    const before = mail().received.length;
    world.clock.advance(5 * MINUTE_MS);
    await world.app.worker.settle();
    assert.equal(mail().received.length, before, 'too early');
    mail().refuse({ step: 'recipient', code: 450 });
    world.clock.advance(6 * MINUTE_MS);
    await world.app.worker.settle();
    assert.match(world.logged.at(-1) ?? '', /450.*"task":"mails about work"/);
    assert.equal(await countWaiting(), 1);
    mail().refuse(undefined);
    const told = await mailed(1);
    assert.equal(EXHAUSTED.exec(told.get(addressOf(support)) ?? '')?.[1], '1');
    assert.equal(await countWaiting(), 0);
  });

  it('operator.md §6.6: an address that the mail server refuses is given up, and the mails of others are sent once', async () => {
    const unlucky = await seatedOperator(world, (await platform.work()).platform, ['support']);
    await giveExhausted(1);
    mail().refuse({ step: 'recipient', code: 550, only: addressOf(unlucky) });
    const told = await mailed(1);
    assert.deepEqual([...told.keys()], [addressOf(support)]);
    assert.equal(await countWaiting(), 0);
    mail().refuse(undefined);
    await giveExhausted(2);
    const next = await mailed(2);
    for (const one of [support, unlucky])
      assert.equal(EXHAUSTED.exec(next.get(addressOf(one)) ?? '')?.[1], '2', 'only what is new');
    await world.database.query(sql`update operators set status = 'SUSPENDED' where id = ${unlucky.id}`);
  });

  it('operator.md §6.6: the mails of a process that died before it sent them are sent by another one', async () => {
    await giveExhausted(1);
    world.clock.advance(11 * MINUTE_MS);
    await diesIn(1);
    assert.equal(await countWaiting(), 1, 'the items are announced, and the mail waits');
    const told = await mailed(1);
    assert.equal(EXHAUSTED.exec(told.get(addressOf(support)) ?? '')?.[1], '1');
  });

  it('operator.md §6.6: a process that died after it sent a mail repeats that one with the same id', async () => {
    await giveExhausted(1);
    world.clock.advance(11 * MINUTE_MS);
    const arrives = mail().next();
    await diesIn(2);
    const first = await arrives;
    await mailed(1);
    const again = mail().received.at(-1);
    const idOf = (raw: string) => /^message-id: (.+)$/im.exec(raw)?.[1];
    assert.ok(again);
    assert.ok(idOf(first.raw));
    assert.equal(idOf(again.raw), idOf(first.raw));
    assert.equal(await countWaiting(), 0);
  });

  /** How many mails are to be sent. */
  async function countWaiting(): Promise<number> {
    return (await world.database.query(sql`select from work_mails`)).length;
  }

  /** A round by a process that dies after so many of its transactions: it announces, leases, sends and forgets. */
  async function diesIn(transactions: number): Promise<void> {
    const dying = new DyingWork(world.app.runtime, INSTALLATION, { kind: 'worker', id: 'dying' });
    dying.writes = transactions;
    const parts: AnnounceParts = {
      workKinds: () => WORK_KINDS,
      operatorOperations: () => world.app.operatorOperations,
      ...{ consoleSettings: undefined, publicUrl: () => 'https://console.example.com' },
    };
    const rounds = async () => {
      await dying.write((tx) => announceWork(tx, parts));
      await sendMails(dying, parts);
    };
    await assert.rejects(rounds(), /the process died/);
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

  it('operator.md §7.2: a use of break-glass is mailed to all admins, once, also if its command could mail nobody and somebody acknowledged it at once', async () => {
    const there = (await platform.work()).platform;
    const admin = await seatedOperator(world, there, ['admin']);
    const both = await seatedOperator(world, there, ['admin', 'treasury']);
    const [named, other] = treasurers;
    assert.ok(named && other);
    const use = { operation: 'setRates', resource: undefined, operator: named.id, reason: 'for the test' };
    await onInstallation(world, (tx) => recordBreakGlass(tx, use));
    const told = await mailed(3);
    for (const one of [admin, both, other])
      assert.match(told.get(addressOf(one)) ?? '', /^1: changes without a second operator/m);
    await onInstallation(world, async (tx) => {
      const id = await recordBreakGlass(tx, use);
      const { operatorOperations } = world.app;
      await acknowledgeBreakGlass(tx, operatorOperations, id, { operator: other.id, reason: 'for the test' });
    });
    const acknowledged = await mailed(2);
    assert.deepEqual([...acknowledged.keys()].sort(), [admin, both].map(addressOf).sort());
  });
});

/** A process that dies before its next transaction that writes, after so many. */
class DyingWork extends Work {
  writes = 0;

  protected override writeOnce<T>(steps: (tx: Tx) => Promise<T>): Promise<T> {
    return this.writes-- > 0 ? super.writeOnce(steps) : Promise.reject(new Error('the process died'));
  }
}
