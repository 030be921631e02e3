// lane: whole — searches every table for planted values

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TOTP } from 'otpauth';
import { deleteCustomer, eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { sealContext, sealedColumns } from '#foundation/database/sealed-columns.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import { givenEuropean, givenPasskey, givenScaSession, givenTotp, startedLogin } from '#tests/given/sca.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';
import { allRows, formsOf } from '#tests/harness/table-contents.ts';

const TABLES = [
  'sca_standings',
  'sca_factors',
  'sca_enrollments',
  'sca_recovery_codes',
  'sca_sessions',
  'sca_challenges',
  'code_attempts',
  'sca_resets',
] as const;

describe('secrecy of strong customer authentication', () => {
  const providers: { -readonly [Name in keyof ProviderSettings]: ProviderSettings[Name] } = {};
  let gateway: Receiver;
  before(async () => {
    gateway = await createReceiver();
    providers.sms = { url: gateway.url };
  });
  after(() => gateway.close());
  const world = testWorld({ providers: () => providers });

  it('decision 0002: every sealed value has its column’s context, so that rotation can reseal it', async () => {
    const platform = await world.platform();
    const customer = await givenEuropean(platform);
    await givenTotp(platform, customer);
    const query = { customerId: customer.id };
    await platform.call('startScaFactorEnrollment', { query, body: { type: 'PASSKEY' } });
    // The message is not sent yet.
    await startedLogin(platform, customer);
    const { vault } = (await platform.work()).runtime;
    const opened = new Set<string>();
    for (const sealed of await sealedColumns(world.database.query)) {
      const rows = await world.database.query<Record<string, unknown>>(sql`
        select * from ${rawSql(sealed.table)} where ${rawSql(sealed.column)} is not null`);
      for (const row of rows) {
        assert.ok(vault.open(row[sealed.column] as Buffer, sealContext(sealed, row)).length > 0);
        opened.add(`${sealed.table}.${sealed.column}`);
      }
    }
    for (const column of ['sca_factors.secret', 'sca_enrollments.material', 'sca_challenges.code']) {
      assert.ok(opened.has(column), column);
    }
  });

  it('customers.md §7.5a: no secret, code or recovery code is in clear text in any table, log, error or audit row', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const customer = await givenEuropean(platform);
    const query = { customerId: customer.id };
    const rows: { table: string; text: string }[] = [];
    const errors: string[] = [];
    const look = async () => void rows.push(...(await allRows(world.database)));
    const send = async (operation: string, body: object) => {
      const reply = await platform.send(operation, { query, body });
      if (reply.status >= 400) errors.push(reply.raw);
      return reply.body as Record<string, unknown>;
    };
    const wrong = { factor: 'TOTP', endUserIpAddress: '::1' };

    // An authenticator app: started, confirmed with a wrong and the right code, and used.
    const { secret, secretBase32Encoded } = await send('startScaFactorEnrollment', { type: 'TOTP' });
    const app = new TOTP({ secret: String(secretBase32Encoded) });
    const code = app.generate({ timestamp: world.clock.now() });
    await look();
    await send('confirmScaFactorEnrollment', { type: 'TOTP', secret, code: 'ABCDEF' });
    await send('confirmScaFactorEnrollment', { type: 'TOTP', secret: code, code });
    const { recoveryCodes } = await send('confirmScaFactorEnrollment', { type: 'TOTP', secret, code });
    await send('completeScaLogin', { ...wrong, code });
    const [first = '', second = ''] = recoveryCodes as string[];
    await send('completeScaLogin', { ...wrong, code: first });
    await send('completeScaLogin', { ...wrong, code: first });
    await look();

    // A text message: before it is sent, with a wrong and the right code.
    const { challengeId } = await send('startScaLogin', { factor: 'SMS_OTP' });
    await look();
    await world.app.worker.settle(platform.id);
    const sent = /code to log in is (\d{6})\./.exec(String(gateway.received.at(-1)?.raw))?.[1] ?? '';
    assert.match(sent, /^\d{6}$/);
    const login = { factor: 'SMS_OTP', endUserIpAddress: '::1', challengeId };
    await send('completeScaLogin', { ...login, code: second });
    assert.equal((await send('completeScaLogin', { ...login, code: sent })).status, 'SUCCESS');
    await look();

    assert.ok(errors.length >= 4, 'there were errors to search');
    const long = { secret, secretBase32Encoded, first, second };
    for (const [name, text] of Object.entries(long)) {
      for (const form of formsOf(String(text))) {
        const leaks = rows.filter((row) => row.text.includes(form)).map(({ table }) => table);
        assert.deepEqual([...new Set(leaks)], [], `${name} in a table`);
        assert.ok(!world.logged.some((line) => line.includes(form)), `${name} in the log`);
        assert.ok(!errors.some((raw) => raw.includes(form)), `${name} in an error`);
      }
    }
    // Six digits may occur in a time or an id by chance, so they are searched as a whole word.
    for (const digits of [code, sent]) {
      const word = new RegExp(`(?<![0-9a-f.])${digits}(?![0-9a-f])`);
      const leaks = rows.filter((row) => word.test(row.text)).map(({ table }) => table);
      assert.deepEqual([...new Set(leaks)], [], 'a code in a table');
      assert.ok(!errors.some((raw) => word.test(raw)), 'a code in an error');
      assert.ok(!world.logged.some((line) => word.test(line)), 'a code in the log');
    }
    assert.ok(
      rows.some(({ text }) => text.includes(uuidOf(customer))),
      'the search finds clear text',
    );
  });

  it('customers.md §2.4.26a: erasing a customer removes all of its authentication data', async () => {
    const platform = await world.platform({ settings: { sca: { codePauseSeconds: 1 } } });
    const customer = await givenEuropean(platform);
    const query = { customerId: customer.id };
    await givenTotp(platform, customer);
    await givenPasskey(platform, customer);
    await givenScaSession(platform, customer);
    world.clock.advance(1_000);
    const login = await startedLogin(platform, customer);
    await platform.send('completeScaLogin', { query, body: { ...login, code: '654321' } });
    await platform.call('startTwoFactorReset', { query, body: { factor: 'TOTP' } });
    const left = async () => {
      const found: string[] = [];
      for (const table of TABLES) {
        const rows = await world.database.query(sql`
          select 1 from ${rawSql(table)} where platform_id = ${platform.id}`);
        if (rows.length > 0) found.push(table);
      }
      return found;
    };
    const all = TABLES.filter((table) => table !== 'sca_enrollments');
    assert.deepEqual(await left(), all);
    const audited = (condition: Sql) =>
      world.database.query<{ id: string }>(sql`
        select id from audit_log where platform_id = ${platform.id} and ${condition}`);
    const addresses = await audited(sql`end_user_ip is not null`);
    assert.equal(addresses.length, 2, 'from a login and a failed one');
    const work = await platform.work();
    await work.write((tx) => deleteCustomer(tx, uuidOf(customer)));
    assert.deepEqual(await left(), ['sca_standings', 'sca_challenges', 'code_attempts']);
    await work.write((tx) => eraseCustomer(tx, uuidOf(customer)));
    assert.deepEqual(await left(), []);
    assert.deepEqual(await audited(sql`end_user_ip is not null`), []);
    assert.equal((await audited(sql`id = any(${addresses.map(({ id }) => id)})`)).length, 2, 'the rows stay');
  });
});
