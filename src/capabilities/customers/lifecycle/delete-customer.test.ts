import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { customerDeleted, customerDeleting, customerErased } from '#capabilities/customers/announcements.ts';
import {
  deleteCustomer,
  eraseCustomer,
  retentionEnd,
} from '#capabilities/customers/lifecycle/delete-customer.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { on, reactionTable } from '#foundation/events/reactions.ts';
import { Refusal, refuse } from '#foundation/lib/refusals.ts';
import { BUSINESS, type CreatedCustomer, EUROPEAN, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { fetchImport, imported, personRow, renderCsv } from '#tests/given/imports.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('deleting and erasing customers', () => {
  const world = testWorld();

  const remove = (platform: TestPlatform, { id }: CreatedCustomer) =>
    platform.call('deleteCustomerById', { params: { customerId: id } });
  const isCode = (code: string) => (error: Refusal) => error.code === code;

  it('customers.md §2.4.26, §8.1: a delete answers with the customer, the second call is 410, and there is no event', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const reply = await remove(platform, customer);
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, { ...customer, isDeleted: true, updatedAt: reply.body.updatedAt });
    const again = await remove(platform, customer);
    assert.equal(again.status, 410);
    assert.equal(again.body.code, 'CUSTOMER_DELETED');
    const types = await world.database.query<{ type: string }>(sql`
      select type from events where platform_id = ${platform.id} and type like 'CUSTOMER.%'`);
    assert.deepEqual(types, []);
  });

  it('customers.md §2.4.26: of ten parallel deletes one succeeds, the others are 410', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const replies = await Promise.all(Array.from({ length: 10 }, () => remove(platform, customer)));
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1);
    assert.equal(replies.filter((reply) => reply.status === 410).length, 9);
  });

  it('customers.md §2.4.26: reference and UMA address are free again', async () => {
    const platform = await world.platform();
    const body = { ...PERSON, platformCustomerId: 'again', umaAddress: '$again@uma.corridor.test' };
    const first = await givenCustomer(platform, body);
    await remove(platform, first);
    assert.notEqual((await givenCustomer(platform, body)).id, first.id);
  });

  it('customers.md §2.4.26: other endpoints treat a deleted customer as unknown', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    await platform.call('sendCustomerEmailVerification', { params: { customerId: customer.id } });
    await remove(platform, customer);
    const params = { customerId: customer.id };
    for (const reply of [
      await platform.call('updateCustomerById', { params, body: { customerType: 'INDIVIDUAL' } }),
      await platform.call('sendCustomerEmailVerification', { params }),
      await platform.call('confirmCustomerEmailVerification', { params, body: { code: '123456' } }),
    ]) {
      assert.equal(reply.status, 404);
      assert.equal(reply.body.code, 'CUSTOMER_NOT_FOUND');
    }
  });

  it('customers.md §2.4.26: a reaction can refuse the deletion, and then nothing has changed', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const work = await reacting(
      platform,
      on(customerDeleting, async () => refuse('CONFLICT', 'a card is open')),
    );
    await assert.rejects(
      work.write((tx) => deleteCustomer(tx, uuidOf(customer))),
      isCode('CONFLICT'),
    );
    const { body } = await platform.call('getCustomerById', { params: { customerId: customer.id } });
    assert.deepEqual(body, customer);
  });

  it('customers.md §2.4.26: the deletion is announced to other folders before and after, in that order', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const told: (string | boolean)[] = [];
    const work = await reacting(
      platform,
      on(
        customerDeleting,
        async (_tx, news) => void told.push('deleting', news.customer.deleted_at === null),
      ),
      on(customerDeleted, async (_tx, news) => void told.push('deleted', news.customer.deleted_at === null)),
    );
    await work.write((tx) => deleteCustomer(tx, uuidOf(customer)));
    assert.deepEqual(told, ['deleting', true, 'deleted', false]);
  });

  it("customers.md §1.1: unknown and other platforms' customers are 404; VIEW is not enough", async () => {
    const platform = await world.platform({ permissions: ['VIEW'] });
    const customer = await givenCustomer(await world.platform());
    assert.equal((await remove(platform, customer)).status, 403);
    assert.equal((await remove(await world.platform(), customer)).status, 404);
  });

  it('customers.md §2.4.26a: erasing removes the personal data of a deleted customer and keeps the data that the books need', async () => {
    const platform = await world.platform();
    const consent = {
      acceptedAt: '2026-03-01T00:00:00Z',
      ipAddress: '203.0.113.77',
      termsVersion: 'V1',
      acceptanceMethod: 'CHECKBOX',
    };
    const body = {
      ...PERSON,
      ...EUROPEAN,
      platformCustomerId: 'ada-lovelace',
      umaAddress: '$ada.lovelace@uma.corridor.test',
      endUserTermsConsent: consent,
    };
    const customer = await givenCustomer(platform, body);
    await platform.call('sendCustomerEmailVerification', { params: { customerId: customer.id } });
    await world.app.worker.settle(platform.id);
    const work = await platform.work();
    const erase = () => work.write((tx) => eraseCustomer(tx, uuidOf(customer)));
    await assert.rejects(erase(), isCode('CONFLICT'));
    const codes = () => world.database.query(sql`select from codes where platform_id = ${platform.id}`);
    assert.equal((await codes()).length, 1);
    await remove(platform, customer);
    assert.deepEqual(await codes(), []);
    assert.deepEqual(await erase(), { erased: true });
    assert.deepEqual(await erase(), { erased: false });
    const got = await platform.call('getCustomerById', { params: { customerId: customer.id } });
    assert.deepEqual(got.body, {
      customerType: 'INDIVIDUAL',
      id: customer.id,
      platformCustomerId: uuidOf(customer),
      umaAddress: `$erased-${uuidOf(customer)}@uma.corridor.test`,
      region: 'DE',
      currencies: customer.currencies,
      kycStatus: 'UNVERIFIED',
      contactVerification: { email: 'PENDING', phone: 'PENDING' },
      createdAt: customer.createdAt,
      updatedAt: got.body.updatedAt,
      isDeleted: true,
    });
    const inbox = await platform.call('listSandboxMessages');
    assert.deepEqual(inbox.body.data, []);
    const rest = await world.database.query<{ row: string }>(sql`
      select c::text as row from customers c where platform_id = ${platform.id}
      union all select t::text from end_user_terms_consents t where platform_id = ${platform.id}
      union all select m::text from sandbox_messages m where platform_id = ${platform.id}`);
    for (const trace of ['lovelace', 'Noether', 'emmy', '203.0.113', '4915112345678']) {
      assert.ok(!rest.some(({ row }) => row.includes(trace)), trace);
    }
    assert.equal(rest.length, 2);
    assert.deepEqual(await sealedNumbers(platform), [{ identifier: null, tax_id: null, registration: null }]);
  });

  it('customers.md §2.4.26g: a customer can be erased from the day on which the retention ends, and not a moment before', async () => {
    const platform = await world.platform();
    const [kept, early] = [await givenCustomer(platform), await givenCustomer(platform)];
    await remove(platform, kept);
    await remove(platform, early);
    const work = await platform.work();
    const erase = (customer: { id: string }, isOverruled = false) =>
      work.write((tx) => eraseCustomer(tx, uuidOf(customer), 'their request', { years: 5, isOverruled }));
    const [row] = await world.database.query<{ deleted_at: Date }>(
      sql`select deleted_at from customers where id = ${uuidOf(kept)}`,
    );
    assert.ok(row);
    const end = retentionEnd(row.deleted_at, 5);
    const refused = await erase(kept).catch((error: unknown) => error as Refusal);
    assert.ok(refused instanceof Refusal && refused.message.includes(end.toISOString()), String(refused));
    assert.deepEqual(await erase(early, true), { erased: true });
    world.clock.advance(end.getTime() - world.clock.now() - 1);
    await assert.rejects(erase(kept), isCode('CONFLICT'));
    world.clock.advance(1);
    assert.deepEqual(await erase(kept), { erased: true });
    const audited = await world.database.query(sql`
      select resource, details from audit_log
       where platform_id = ${platform.id} and action = 'eraseCustomer' order by at, id`);
    const applied = {
      ...{ reason: 'their request', retentionYears: 5 },
      deletedAt: row.deleted_at.toISOString(),
    };
    assert.deepEqual(audited, [
      {
        resource: early.id,
        details: { ...applied, despiteRetention: true, retentionEnd: end.toISOString() },
      },
      { resource: kept.id, details: applied },
    ]);
  });

  it('customers.md §2.4.26g: a customer who was deleted on 29 February may be erased on 1 March', () => {
    const end = retentionEnd(new Date('2028-02-29T12:00:00Z'), 5);
    assert.equal(end.toISOString(), '2033-03-01T12:00:00.000Z');
    assert.equal(retentionEnd(end, 0).getTime(), end.getTime());
  });

  it('customers.md §2.4.26a: erasing removes the reference from the errors of imports', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, { ...PERSON, platformCustomerId: 'person-1' });
    const { id } = await imported(world, platform, renderCsv([personRow(1), personRow(2, { city: '' })]));
    await remove(platform, customer);
    const work = await platform.work();
    await work.write((tx) => eraseCustomer(tx, uuidOf(customer)));
    const { errors } = await fetchImport(platform, id);
    assert.deepEqual(
      errors.map(({ correlationId, code }) => [correlationId, code]),
      [
        ['row_1', 'CONFLICT'],
        ['person-2', 'INVALID_FIELD'],
      ],
    );
  });

  /** They are sealed, so a text search does not find them. */
  const sealedNumbers = (platform: TestPlatform) =>
    world.database.query(sql`
      select identifier, tax_id, registration_number as registration from customers where platform_id = ${platform.id}`);

  it('customers.md §2.4.26a: an erased business has no details left, and its erasure is announced and audited', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, BUSINESS);
    await remove(platform, customer);
    const told: string[] = [];
    const work = await reacting(
      platform,
      on(customerErased, async (_tx, news) => void told.push(news.customer.id)),
    );
    await work.write((tx) => eraseCustomer(tx, uuidOf(customer)));
    assert.deepEqual(told, [uuidOf(customer)]);
    const { body } = await platform.call('getCustomerById', { params: { customerId: customer.id } });
    assert.ok(!('businessInfo' in body) && !('email' in body));
    assert.deepEqual(await sealedNumbers(platform), [{ identifier: null, tax_id: null, registration: null }]);
    const audited = await world.database.query(sql`
      select resource from audit_log where platform_id = ${platform.id} and action = 'eraseCustomer'`);
    assert.deepEqual(audited, [{ resource: customer.id }]);
    await assert.rejects(
      work.write((tx) => eraseCustomer(tx, tx.newId())),
      isCode('CUSTOMER_NOT_FOUND'),
    );
  });

  async function reacting(
    platform: TestPlatform,
    ...subscriptions: Parameters<typeof reactionTable>[0][number][]
  ) {
    const work = await platform.work();
    return new Work({ ...work.runtime, reactions: reactionTable(subscriptions) }, work.platform, work.actor);
  }
});
