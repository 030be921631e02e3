import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { readConfig } from '#app/config.ts';
import { updateCustomerStatus } from '#capabilities/customers/store.ts';
import { appOptions } from '#cli/app-options.ts';
import { commandFacts } from '#cli/operator/shell/operator-name.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { PERSON } from '#tests/given/customers.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';
import { givenPersonKeys, type TestSealing } from '#tests/harness/person-keys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('corridor customer and review', () => {
  let files: TestDatabase;
  let database: Database;
  let environment: Environment;
  let app: App;
  let people: TestSealing;
  let authorization: string;

  before(async () => {
    files = await createTestDatabase();
    database = openDatabase({ url: files.url, connectionsMax: 4 });
    environment = {
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: personKeysUrl(),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    const words = ['platform', 'create', '--name', 'Real', '--environment', 'production', '--json'];
    const made = await command(words, environment);
    assert.equal(made.code, 0, made.stderr);
    const { clientId, clientSecret } = JSON.parse(made.stdout);
    authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const config = readConfig(environment);
    people = await givenPersonKeys(database, (await openKeyring(database, config)).vault);
    app = await createApp(await appOptions(config, { database, ...people, log: pino({ level: 'silent' }) }));
  });
  after(async () => {
    await app.close();
    await database.close();
    await people.close();
    await files.drop();
  });

  async function call(method: 'POST' | 'GET' | 'DELETE', path: string, body?: object) {
    const url = `${wireNames('Svc').basePath}/customers${path}`;
    const reply = await app.http.inject({
      method,
      url,
      headers: { authorization },
      ...(body && { payload: body }),
    });
    assert.ok(reply.statusCode < 300, reply.body);
    return reply.json();
  }

  /** A customer under review. */
  async function waiting(): Promise<string> {
    const { id } = await call('POST', '', PERSON);
    const [row] = await database.query<{ id: PlatformId }>(sql`select id from platforms`);
    const platform = await findPlatform(database.query, row?.id ?? NIL_ID);
    assert.ok(platform);
    const work = new Work(app.runtime, platform, { kind: 'operator', id: 'test' });
    await work.write((tx) => updateCustomerStatus(tx, uuidOf(id), 'PENDING'));
    return id;
  }

  const sure = ['--reason', 'case 4711', '--yes'];

  async function review(...words: string[]) {
    const done = await command(['review', ...words, '--json'], environment);
    assert.equal(done.code, 0, done.stderr);
    return JSON.parse(done.stdout);
  }

  const actions = async (resource: string) =>
    (
      await database.query<{ action: string; actor_kind: string }>(
        sql`select action, actor_kind from audit_log where resource = ${resource} and actor_kind = 'operator' order by at, id`,
      )
    ).map(({ action, actor_kind: kind }) => `${kind}: ${action}`);

  it('customers.md §4.4.10: the operator lists waiting customers and decides, and each decision is audited', async () => {
    const none = await command(['review', 'list'], environment);
    assert.equal(none.stdout, 'No customer waits for a decision.\n');
    const [good, bad, unclear] = [await waiting(), await waiting(), await waiting()];
    const listed: { customer: string; status: string }[] = await review('list');
    assert.deepEqual(
      listed.map(({ customer, status }) => [customer, status]),
      [good, bad, unclear].map((id) => [id, 'PENDING']),
    );
    assert.deepEqual(await review('approve', good), { customer: good, status: 'APPROVED' });
    const fraud = 'APPLICANT_FRAUD=The papers are forged.';
    assert.deepEqual(await review('reject', bad, '--problem', fraud, ...sure), {
      customer: bad,
      status: 'REJECTED',
    });
    const problems = ['--problem', 'expired_document=Expired.', '--problem', 'MISSING_FIELD=No birth date.'];
    assert.deepEqual(await review('request-changes', unclear, ...problems), {
      customer: unclear,
      status: 'UNVERIFIED',
    });
    for (const [customer, types] of [
      [good, []],
      [bad, ['APPLICANT_FRAUD']],
      [unclear, ['EXPIRED_DOCUMENT', 'MISSING_FIELD']],
    ] as const) {
      const { verifications } = await review('show', customer);
      assert.deepEqual(
        verifications.flatMap(({ errors }: { errors: { type: string }[] }) => errors.map(({ type }) => type)),
        types,
      );
    }
    assert.deepEqual(await review('list'), []);
    const shown = 'operator: review show';
    assert.deepEqual(await actions(good), ['operator: review APPROVE', shown]);
    assert.deepEqual(await actions(bad), ['operator: review REJECT', shown]);
    assert.deepEqual(await actions(unclear), ['operator: review CORRECTABLE', shown]);
  });

  it('customer erase removes the personal data of a deleted customer, once, and is audited', async () => {
    const { id } = await call('POST', '', { ...PERSON, platformCustomerId: 'to-be-erased' });
    const alive = await command(['customer', 'erase', id, ...sure], environment);
    assert.equal(alive.code, 1);
    assert.equal(alive.stderr, 'corridor: Only a deleted customer can be erased.\n');
    await call('DELETE', `/${id}`);
    const ended = { ...environment, RETENTION_YEARS: '0' };
    const erased = await command(['customer', 'erase', id, ...sure], ended);
    assert.equal(erased.stdout, `${id} is erased.\n`, erased.stderr);
    const again = await command(['customer', 'erase', id, ...sure], environment);
    assert.equal(again.stdout, `${id} was erased before.\n`);
    const left = await call('GET', `/${id}`);
    assert.equal(left.fullName, undefined);
    assert.equal(left.email, undefined);
    assert.notEqual(left.platformCustomerId, 'to-be-erased');
    assert.deepEqual(await actions(id), ['operator: eraseCustomer']);
  });

  it('customers.md §2.4.26g: erase is refused until RETENTION_YEARS after the deletion; --despite-retention is audited, and needs a second operator once there is one', async () => {
    const { id } = await call('POST', '', { ...PERSON, platformCustomerId: 'kept-for-years' });
    await call('DELETE', `/${id}`);
    const year = new Date().getUTCFullYear();
    const early = await command(['customer', 'erase', id, ...sure], environment);
    assert.equal(early.code, 1);
    assert.match(early.stderr, new RegExp(`can be erased from ${year + 5}-\\d\\d-\\d\\dT[^ ]+Z on`));
    assert.match(early.stderr, /set RETENTION_YEARS, or give --despite-retention/);
    const longer = await command(['customer', 'erase', id, ...sure], {
      ...environment,
      RETENTION_YEARS: '10',
    });
    assert.match(longer.stderr, new RegExp(`from ${year + 10}-`));
    assert.equal((await call('GET', `/${id}`)).fullName, PERSON.fullName);
    const words = ['customer', 'erase', id, '--despite-retention', '--yes'];
    const unexplained = await command(words, environment);
    assert.deepEqual([unexplained.code, unexplained.stdout], [2, '']);
    await database.query(sql`update installation_settings set operator_approvals = 'required'`);
    const alone = await command([...words, '--reason', 'case 4711'], environment);
    assert.equal(alone.code, 1);
    assert.match(alone.stderr, /second operator has to approve this: give --as <e-mail>/);
    assert.equal((await call('GET', `/${id}`)).fullName, PERSON.fullName);
    await database.query(sql`update installation_settings set operator_approvals = default`);
    const erased = await command([...words, '--reason', 'case 4711'], environment);
    assert.equal(erased.stdout, `${id} is erased.\n`, erased.stderr);
    const rows = await database.query<{ details: Record<string, unknown> }>(
      sql`select details from audit_log where resource = ${id} and action = 'eraseCustomer'`,
    );
    assert.equal(rows.length, 1);
    const { retentionEnd, deletedAt, ...details } = rows[0]?.details ?? {};
    const expected = { ...commandFacts(), reason: 'case 4711', despiteRetention: true, retentionYears: 5 };
    assert.deepEqual(details, expected);
    assert.match(String(retentionEnd), new RegExp(`^${year + 5}-`));
    assert.match(String(deletedAt), new RegExp(`^${year}-`));
  });

  it('customers.md §2.4.26g: an erasure with a changed RETENTION_YEARS is audited with these years and the deletion', async () => {
    const { id } = await call('POST', '', { ...PERSON, platformCustomerId: 'kept-for-no-time' });
    await call('DELETE', `/${id}`);
    const erased = await command(['customer', 'erase', id, ...sure], {
      ...environment,
      RETENTION_YEARS: '0',
    });
    assert.equal(erased.stdout, `${id} is erased.\n`, erased.stderr);
    const [row] = await database.query(sql`
      select a.details, c.deleted_at from audit_log a join customers c on 'Customer:' || c.id = a.resource
       where a.resource = ${id} and a.action = 'eraseCustomer'`);
    const { details, deleted_at } = row as { details: object; deleted_at: Date };
    const expected = { reason: 'case 4711', retentionYears: 0, deletedAt: deleted_at.toISOString() };
    assert.deepEqual(details, { ...commandFacts(), ...expected });
  });

  it('customers.md §2.4.26h: erase --preview prints what goes and what stays, and needs neither reason nor confirmation', async () => {
    const { id } = await call('POST', '', { ...PERSON, platformCustomerId: 'previewed' });
    const shown = await command(['customer', 'erase', id, '--preview'], environment);
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /PART +ROWS +GOES +STAYS +GROUND\n/);
    assert.match(shown.stdout, /\ncustomer +1 .*law on money laundering/);
    const done = await command(['customer', 'erase', id, '--preview', '--json'], environment);
    const { customer, deletedAt, erasableFrom, parts } = JSON.parse(done.stdout);
    assert.deepEqual([customer, deletedAt, erasableFrom], [id, null, null]);
    assert.ok(
      parts.some(({ part, rows }: { part: string; rows: number }) => part === 'customer' && rows === 1),
    );
    assert.equal((await call('GET', `/${id}`)).fullName, PERSON.fullName);
    assert.deepEqual(await actions(id), ['operator: previewErasure', 'operator: previewErasure']);
  });

  it('customers.md §2.4.26i: export writes a folder that only its owner can read, and refuses one that exists', async () => {
    const { id } = await call('POST', '', { ...PERSON, platformCustomerId: 'exported' });
    const folder = join(await mkdtemp(join(tmpdir(), 'export-')), 'ada');
    const words = ['customer', 'export', id, '--to', folder, '--reason', 'case 4711'];
    const done = await command([...words, '--json'], environment);
    assert.equal(done.code, 0, done.stderr);
    assert.ok(JSON.parse(done.stdout).files['customer.json'] === 1);
    const modes = async (name: string) => (await stat(join(folder, name))).mode & 0o777;
    assert.deepEqual(
      [await modes('.'), await modes('customer.json'), await modes('index.json')],
      [0o700, 0o600, 0o600],
    );
    const written = await readFile(join(folder, 'customer.json'), 'utf8');
    assert.ok(written.includes(PERSON.fullName) && JSON.parse(written)[0].id === id, written);
    const again = await command(words, environment);
    assert.deepEqual([again.code, /exists already; nothing was opened/.test(again.stderr)], [1, true]);
    assert.deepEqual(await actions(id), ['operator: exportCustomer']);
    const unknown = join(folder, 'nobody');
    const other = 'Customer:01890a5d-ac96-774b-bcce-b302099a8057';
    const failed = await command(
      ['customer', 'export', other, '--to', unknown, '--reason', 'x'],
      environment,
    );
    assert.equal(failed.code, 1);
    await assert.rejects(stat(unknown), { code: 'ENOENT' });
  });

  it('a wrong argument, a wrong state and an unknown customer are one clear line each', async () => {
    const unknown = 'Customer:01890a5d-ac96-774b-bcce-b302099a8057';
    const { id: unverified } = await call('POST', '', PERSON);
    const held = await waiting();
    const wrong: [string[], number, RegExp][] = [
      [['customer', 'erase', 'Quote:1', ...sure], 2, /It must be an id such as Customer:<uuid>/],
      [['customer', 'erase', unknown, ...sure], 1, /no such Customer/],
      [['customer'], 2, /choose one of list, show, export, erase/],
      [['review'], 2, /choose one of list, show, document, approve, reject, request-changes/],
      [['review', 'approve', unknown], 1, /no such Customer/],
      [
        ['review', 'approve', unverified],
        1,
        /The customer is UNVERIFIED; no review is waiting for a decision/,
      ],
      [['review', 'approve', held, '--problem', 'EXPIRED_DOCUMENT=x'], 2, /unknown option '--problem'/],
      [['review', 'request-changes', held], 2, /required option '--problem/],
      [
        ['review', 'reject', held, '--reason', 'x'],
        2,
        /this command asks for confirmation: run it in a terminal, or give --yes/,
      ],
      [['review', 'reject', held, '--problem', 'because', ...sure], 2, /It must be a type and a reason/],
      [
        ['review', 'reject', held, '--problem', 'BAD_HAIR=Too long.', ...sure],
        1,
        /BAD_HAIR is not an error type/,
      ],
    ];
    for (const [words, code, pattern] of wrong) {
      const done = await command(words, environment);
      assert.equal(done.code, code, done.stderr);
      assert.match(done.stderr, pattern);
      assert.match(done.stderr, /^corridor: [^\n]+\n$/);
    }
  });
});
