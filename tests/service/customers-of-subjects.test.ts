// lane: whole — arranges money in suspense, a mint and proposals

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { parseId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { type SeatedOperator, seatedOperator, setApprovals } from '#tests/given/proposals.ts';
import { givenEuropean } from '#tests/given/sca.ts';
import { ARRANGED } from '#tests/given/second-operator.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** A thing that operators write about, on a platform with one customer. */
interface Subject {
  readonly platform: Platform;
  /** Its public id, as the database looks for the customer behind it. */
  readonly resource: string;
  /** Writes a reason about it. */
  write?(operator: SeatedOperator): ReturnType<SeatedOperator['call']>;
}

describe('the customer behind what operators write about', () => {
  const world = testWorld();
  const subjects = new Map<string, Subject>();

  /** The call of an operation that is arranged for its platform alone. */
  async function arranged(operation: string, type: string): Promise<Subject> {
    const { arrange } = ARRANGED[operation] ?? assert.fail(operation);
    const { platform, params, body } = await arrange(world);
    const [id] = Object.values(params);
    return { platform, resource: `${type}:${id}`, write: ({ call }) => call(operation, params, body) };
  }

  async function proposal(): Promise<Subject> {
    const { arrange } = ARRANGED.bookDeposit ?? assert.fail();
    const { platform, params, body } = await arrange(world);
    const maker = await seatedOperator(world, platform, ['finance']);
    await setApprovals(world, { approvals: 'required', above: {} });
    const proposed = await maker.call('bookDeposit', params, body);
    assert.equal(proposed.status, 202, JSON.stringify(proposed.body));
    await setApprovals(world, { approvals: 'off' });
    const { id: resource } = proposed.body;
    const decided = { proposalId: uuidOf(resource) };
    return { platform, resource, write: ({ call }) => call('rejectProposal', decided) };
  }

  async function event(): Promise<Subject> {
    const { platform } = await arranged('settlePayment', 'Transaction');
    const [row] = await world.database.query<{ id: string }>(sql`
      select id from events where platform_id = ${platform.id} and resource_id like 'Transaction:%' limit 1`);
    const webhookId = row?.id ?? assert.fail('the payment has an event');
    return {
      ...{ platform, resource: `Webhook:${webhookId}` },
      write: ({ call }) => call('resendWebhook', { webhookId }),
    };
  }

  async function reset(): Promise<Subject> {
    const own = await givenPlatform(world);
    const { id: customerId } = await givenEuropean(own);
    const body = { factor: 'SMS_OTP' } as const;
    const started = await own.call('startTwoFactorReset', { query: { customerId }, body });
    assert.equal(started.status, 201, started.raw);
    const platform = await findPlatform(world.database.query, own.id);
    return { platform: platform ?? assert.fail(), resource: started.body.resetId };
  }

  before(async () => {
    await setApprovals(world, { approvals: 'off', above: {} });
    subjects.set('a mint', await arranged('completeStablecoinOperation', 'StablecoinOperation'));
    subjects.set('money in suspense', await arranged('resolveSuspense', 'JournalEntry'));
    subjects.set('a proposal', await proposal());
    subjects.set('an event', await event());
    subjects.set('a reset of a factor', await reset());
  });

  async function customerOf({ id }: Platform): Promise<string> {
    const found = await world.database.query<{ id: string }>(
      sql`select id from customers where platform_id = ${id}`,
    );
    assert.equal(found.length, 1, 'the platform has one customer');
    return found[0]?.id ?? '';
  }

  /** For whom the texts of a statement's rows are sealed. */
  async function sealedFor(rows: Sql): Promise<string[][]> {
    const found = await world.database.query<{ sealed: Buffer }>(rows);
    return found.map(({ sealed }) => readReferences(sealed).map(({ person }) => person));
  }

  const NAMES = ['a mint', 'money in suspense', 'a proposal', 'an event', 'a reset of a factor'];

  for (const name of NAMES) {
    it(`operator.md §4.2, §6.5: ${name} has the customer behind it, for its own platform`, async () => {
      const { platform, resource } = subjects.get(name) ?? assert.fail(name);
      assert.ok(parseId(resource.split(':')[0] as never, resource, 'full'), resource);
      const [row] = await world.database.query<{ customer: string | null }>(sql`
        select customer_of_resource(${platform.id}, ${resource}) as customer`);
      assert.equal(row?.customer, await customerOf(platform));
    });
  }

  it('operator.md §4.2, §6.1: a test event is about itself, so nobody is behind it, and it can be sent again', async () => {
    const platform = await world.platform();
    await platform.receive();
    assert.equal((await platform.call('sendTestWebhook')).status, 200);
    const events = await world.database.query<{ id: string; customer: string | null }>(sql`
      select id, customer_of_resource(platform_id, resource_id) as customer from events
       where platform_id = ${platform.id} and type = 'TEST'`);
    assert.deepEqual([...new Set(events.map(({ customer }) => customer))], [null]);
    const own = await findPlatform(world.database.query, platform.id);
    const support = await seatedOperator(world, own ?? assert.fail(), ['support']);
    const resent = await support.call('resendWebhook', { webhookId: events[0]?.id ?? '' });
    assert.equal(resent.status, 200, JSON.stringify(resent.body));
  });

  it('operator.md §6.5: a note about an item is sealed for the customer behind it', async () => {
    const noted: string[] = [];
    const [{ platform } = assert.fail()] = subjects.values();
    const operator = await seatedOperator(world, platform, EVERY_ROLE);
    const owners = new Map([...subjects.values()].map(({ resource, platform: owner }) => [resource, owner]));
    const { body: work } = await operator.call('listWork', {}, { environment: 'SANDBOX' });
    for (const { kind } of work.kinds as { kind: string }[]) {
      const query = { kind, environment: 'SANDBOX', limit: 100 };
      const { body: items } = await operator.call('listWorkItems', {}, query);
      for (const { id: item, subject } of items.data) {
        const owner = owners.get(subject);
        if (!owner) continue;
        assert.equal((await operator.call('takeWork', {}, { item })).status, 200, subject);
        const written = await operator.call('noteWork', {}, { item, note: 'Ada called about it' });
        assert.equal(written.status, 200, JSON.stringify(written.body));
        const people = await sealedFor(sql`select note as sealed from work_takes where subject = ${subject}`);
        assert.deepEqual(people, [[await customerOf(owner)]], subject);
        noted.push(subject.split(':')[0]);
      }
    }
    for (const type of ['JournalEntry', 'Proposal']) assert.ok(noted.includes(type), `${type}: ${noted}`);
  });

  it('operator.md §4.2, §6.1: the reason of a change is sealed for the customer behind what is changed', async () => {
    for (const [name, { platform, write }] of subjects) {
      if (!write) continue;
      const actor = await seatedOperator(world, platform, EVERY_ROLE);
      const { status, body } = await write(actor);
      assert.ok(status < 300, `${name} ${JSON.stringify(body)}`);
      const people = await sealedFor(sql`
        select private as sealed from audit_log
         where platform_id = ${platform.id} and actor_id = ${actor.name} and private is not null`);
      assert.ok(people.length > 0, name);
      const customer = await customerOf(platform);
      for (const persons of people) assert.deepEqual(persons, [customer], name);
    }
  });
});
