import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deleteCustomer, eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import { sql } from '#foundation/database/sql.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { EUROPEAN } from '#tests/given/customers.ts';
import { givenEuropean, givenScaSession } from '#tests/given/sca.ts';
import { auditLines } from '#tests/harness/audit-lines.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { allRows, formsOf, openedValues } from '#tests/harness/table-contents.ts';

const [CONSENTED, VISITED] = ['198.51.100.41', '198.51.100.42'];
/** The address from which the test helpers log in. */
const LOGGED_IN = '203.0.113.7';

const CONSENT = {
  acceptedAt: '2026-03-01T00:00:00.000Z',
  ipAddress: CONSENTED,
  termsVersion: 'V1',
  acceptanceMethod: 'CHECKBOX',
} as const;

describe('addresses of end users at rest', () => {
  const world = testWorld();

  async function inClear(): Promise<string[]> {
    const rows = await allRows(world.database);
    const addresses = [CONSENTED, VISITED, LOGGED_IN].flatMap(formsOf);
    return [
      ...new Set(
        rows.flatMap(({ table, text }) => (addresses.some((one) => text.includes(one)) ? [table] : [])),
      ),
    ];
  }

  async function sealedColumns(): Promise<string[]> {
    const opened = await openedValues(world.database, world.app.runtime);
    const found = opened.filter(({ text }) => [CONSENTED, VISITED, LOGGED_IN].includes(text));
    return [...new Set(found.map(({ table }) => table))].sort();
  }

  /** A customer who has accepted the terms and logged in. */
  async function givenPerson() {
    const platform = await world.platform();
    const customer = await givenEuropean(platform, { ...EUROPEAN, endUserTermsConsent: CONSENT });
    await givenScaSession(platform, customer);
    return { platform, customer };
  }

  it('customers.md §2.4.26c: they are sealed in consents and audit rows, still shown there, and erased with the customer', async () => {
    const { platform, customer } = await givenPerson();
    assert.deepEqual(await inClear(), []);
    assert.deepEqual(await sealedColumns(), [
      'audit_log.end_user_ip',
      'customers.terms_ip',
      'end_user_terms_consents.ip',
    ]);
    const params = { customerId: customer.id };
    const shown = await platform.call('getCustomerById', { params });
    assert.deepEqual(shown.body.endUserTermsConsent, CONSENT);
    const login = (await auditLines(world, platform)).find(({ action }) => action === 'completeScaLogin');
    assert.equal(login?.details.endUserIpAddress, LOGGED_IN);
    const work = await platform.work();
    await work.write((tx) => deleteCustomer(tx, uuidOf(customer)));
    await work.write((tx) => eraseCustomer(tx, uuidOf(customer)));
    assert.deepEqual(await sealedColumns(), []);
  });

  it('customers.md §2.4.26c: a job seals those of an earlier version in bounded steps, without changing them', async () => {
    const { platform, customer } = await givenPerson();
    const id = uuidOf(customer);
    // As the earlier version stored them.
    await world.database.query(sql`
      update customers set terms_ip = null, terms_consent = ${JSON.stringify(CONSENT)} where id = ${id}`);
    await world.database.query(sql`
      update end_user_terms_consents set ip = null, ip_address = ${CONSENTED} where customer_id = ${id}`);
    const [page] = [newUuid()];
    await world.database.query(sql`
      insert into audit_log (id, platform_id, at, actor_kind, actor_id, action, resource, remote_address, details)
      values (${page}, ${platform.id}, now(), 'page', 'onboarding', 'onboarding form submitted', ${customer.id}, ${VISITED}, '{}')`);
    await world.database.query(sql`
      insert into audit_log (id, platform_id, at, actor_kind, actor_id, action, resource, remote_address, details)
      select gen_random_uuid(), ${platform.id}, now(), 'token', 'x', 'completeScaLogin', ${customer.id}, '192.0.2.1',
             ${JSON.stringify({ endUserIpAddress: LOGGED_IN, n: 1 })}::jsonb
        from generate_series(1, 1200)`);
    assert.equal((await inClear()).length, 3);
    const work = await platform.work();
    await work.write(async (tx) =>
      schedule(tx, { kind: 'customers.seal-addresses', key: 'once', payload: {}, afterMs: 0 }),
    );
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await inClear(), []);
    const params = { customerId: customer.id };
    assert.deepEqual((await platform.call('getCustomerById', { params })).body.endUserTermsConsent, CONSENT);
    const lines = await auditLines(world, platform);
    assert.equal(lines.find((row) => row.id === page)?.remote_address, VISITED);
    const logins = lines.filter(({ details }) => details.n === 1);
    assert.ok(logins.length > 0 && logins.every(({ details }) => details.endUserIpAddress === LOGGED_IN));
    assert.ok(logins.every(({ remote_address }) => remote_address === '192.0.2.1'));
  });

  it('customers.md §2.4.26c: sealing adds no address to an audit row and removes nothing else', async () => {
    const { platform } = await givenPerson();
    for (const change of [
      sql`update audit_log set end_user_ip = '\\x01' where platform_id = ${platform.id} and end_user_ip is null`,
      sql`update audit_log set remote_address = null where platform_id = ${platform.id} and remote_address is not null`,
      sql`update audit_log set details = '{}', end_user_ip = null where platform_id = ${platform.id} and details <> '{}'`,
    ]) {
      await assert.rejects(world.database.query(change), (error) => sqlFailure(error)?.code === '23001');
    }
    await world.database.query(sql`
      update audit_log set end_user_ip = end_user_ip where platform_id = ${platform.id} and end_user_ip is not null`);
  });
});
