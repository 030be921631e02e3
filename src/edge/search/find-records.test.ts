import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { keepBankReference } from '#capabilities/payments/operator/store.ts';
import { hashContact } from '#capabilities/wallet-auth/sealed-credential.ts';
import { acrossStatement } from '#foundation/database/search-across.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { fieldsOf, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenOperator, type TestOperator } from '#tests/given/operators.ts';
import { execute, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { lookedUp, quoted } from '#tests/given/quotes.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { plannedScans, rowsRead } from '#tests/harness/planned-scans.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { givenWallet } from '#tests/harness/wallet-client.ts';

describe('operators find records by a whole value', () => {
  const world = testWorld();
  let viewer: TestOperator;
  let platforms: [TestPlatform, TestPlatform];

  before(async () => {
    viewer = await givenOperator(world, ['viewer', 'admin']);
    platforms = [await givenPlatform(world), await givenPlatform(world)];
  });

  const find = (value: unknown, query = '') =>
    viewer.ask('POST', `/console/api/search${query}`, { body: { value } });
  const readsOf = () =>
    world.database.query<{ resource: string; fields: string[]; hash: Buffer | null }>(sql`
      select resource, fields, term_hash as hash from record_reads where kind = 'SEARCH' order by at`);

  it('operator.md §6.2: on every platform, by e-mail address, reference or id, and names the platform', async () => {
    const [one, other] = platforms;
    const email = 'grace.found@example.com';
    const mine = await givenCustomer(one, { ...PERSON, email, platformCustomerId: 'ours-7' });
    const theirs = await givenCustomer(other, { ...PERSON, email });
    const { status, body, raw } = await find(` ${email.toUpperCase()} `);
    assert.equal(status, 200, raw);
    const found = body.data.map((row: { resourceId: string; platform: string }) => [
      row.resourceId,
      row.platform,
    ]);
    assert.deepEqual(
      found.toSorted(),
      [
        [mine.id, `Platform:${one.id}`],
        [theirs.id, `Platform:${other.id}`],
      ].toSorted(),
    );
    assert.ok(!raw.includes('Grace') && !raw.includes(email), 'nothing of the records is shown');
    const byId = await find(mine.id.split(':')[1]);
    assert.deepEqual([byId.body.data.length, byId.body.data[0]?.field], [1, 'id']);
    const only = await find('ours-7', `?platform=Platform:${other.id}`);
    assert.deepEqual(only.body.data, []);
    const elsewhere = await find('ours-7', '?environment=PRODUCTION');
    assert.deepEqual(elsewhere.body.data, []);
  });

  it('operator.md §4.2: each search is recorded with a keyed hash, and the value is kept nowhere', async () => {
    const value = 'nobody.here@example.com';
    const before = (await readsOf()).length;
    assert.deepEqual((await find(value)).body.data, []);
    const rows = await readsOf();
    assert.equal(rows.length, before + 1);
    const last = rows.at(-1);
    assert.deepEqual([last?.resource, last?.fields], ['records', ['value']]);
    assert.ok(last?.hash);
    assert.ok(!JSON.stringify([rows, world.logged]).includes(value));
  });

  it('operator.md §6.2: a value or platform that is missing, unknown or too long is refused, and nothing is found', async () => {
    const before = (await readsOf()).length;
    for (const value of [undefined, '', '  ', 7, 'x'.repeat(256)])
      assert.equal((await find(value)).status, 400);
    assert.equal((await find('ours-7', '?environment=ELSEWHERE')).status, 400);
    assert.equal((await readsOf()).length, before);
    const unknown = await find('ours-7', '?platform=Platform:019542f5-b3e7-7d02-8000-000000000013');
    assert.deepEqual([unknown.status, fieldsOf(unknown.body)], [400, ['platform']]);
    assert.equal((await readsOf()).length, before);
  });

  it('operator.md §6.2: by phone number in international form and by words of a name, with other spaces or letters', async () => {
    const [one, other] = platforms;
    const person = { ...PERSON, fullName: 'Émilie du Châtelet', phoneNumber: '+4915155566677' };
    const mine = await givenCustomer(one, person);
    const theirs = await givenCustomer(other, person);
    const both = [mine.id, theirs.id].toSorted();
    const foundBy = async (value: string) => {
      const { data } = (await find(value)).body as { data: { resourceId: string; field: string }[] };
      return [...new Set(data.map(({ field }) => field)), ...data.map((row) => row.resourceId).toSorted()];
    };
    for (const number of ['+4915155566677', '+49 1515 556-66 77', '0049 (1515) 5566677'])
      assert.deepEqual(await foundBy(number), ['phoneNumber', ...both], number);
    for (const name of ['Emilie du Chatelet', 'CHÂTELET, Émilie'])
      assert.deepEqual(await foundBy(name), ['name', ...both], name);
    assert.deepEqual(await foundBy('Chatel'), [], 'whole words only');
    assert.deepEqual(await foundBy('+491515556667'), [], 'whole numbers only');
  });

  it('operator.md §6.2: by a UMA address, also in payments, by a bank’s reference, and by the contact of a wallet', async () => {
    const [platform] = platforms;
    const payer = await givenPayer(platform, 50_000);
    const uma = `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`;
    const from = payer.account('USD').id;
    const { id, transactionId } = await quoted(platform, {
      ...{ from, to: uma, more: { lookupId: await lookedUp(platform, uma) } },
    });
    assert.equal((await execute(platform, id)).status, 200);
    const work = await platform.work();
    await work.write((tx) =>
      keepBankReference(tx, uuidOf<'Transaction'>(transactionId), 'delivered', 'NBK-2026/77'),
    );
    for (const [value, field] of [
      [uma, 'umaAddress'],
      ['NBK-2026/77', 'bankReference'],
    ] as const) {
      const { data } = (await find(value)).body;
      assert.deepEqual(
        data.map((row: { resourceId: string; field: string }) => [row.resourceId, row.field]),
        [[transactionId, field]],
      );
    }
    const { accountId: wallet } = await givenWallet(await world.platform());
    const hash = hashContact(world.app.runtime.vault, 'Key@Wallet.example').toStore;
    await world.database.query(sql`
      update wallet_credentials set contact_hash = ${hash}::bytea where account_id = ${uuidOf(wallet)}`);
    const { data } = (await find('key@wallet.example')).body;
    assert.deepEqual(
      data.map((row: { resourceId: string; field: string }) => [row.resourceId, row.field]),
      [[wallet, 'walletContact']],
    );
  });

  it('operator.md §6.2: a platform by its name or id, its token, and a proposal, also one of the installation', async () => {
    const [platform] = platforms;
    const { body } = await platform.call('createToken', { body: { name: 'found', permissions: ['VIEW'] } });
    const own = { platform: `Platform:${platform.id}`, environment: 'SANDBOX' };
    const name = 'Wiborg Pay';
    await world.database.query(sql`update platforms set name = ${name} where id = ${platform.id}`);
    const only = async (value: string) => {
      const { data } = (await find(value)).body;
      assert.equal(data.length, 1, value);
      const { resourceId, field, platform, environment } = data[0];
      return { resourceId, field, platform, environment };
    };
    const itself = { resourceId: own.platform, ...own };
    assert.deepEqual(await only(platform.id), { ...itself, field: 'id' });
    assert.deepEqual(await only(name.toUpperCase()), { ...itself, field: 'name' });
    const token = { resourceId: body.id, ...own };
    assert.deepEqual(await only(body.clientId), { ...token, field: 'clientId' });
    assert.deepEqual(await only(body.id), { ...token, field: 'id' });
    const proposal = await plantedProposal();
    const found = { resourceId: proposal, field: 'id', platform: undefined, environment: undefined };
    assert.deepEqual(await only(proposal), found);
    const onPlatform = await find(proposal, `?platform=${own.platform}`);
    assert.deepEqual(onPlatform.body.data, [], 'it belongs to no platform');
  });

  /** Adds a proposal of the installation. Its maker does not matter here. */
  async function plantedProposal(): Promise<string> {
    const id = newUuid<'Proposal'>();
    await world.database.query(sql`
      insert into proposals (platform_id, id, version, operation, subject_hash, maker, made_by, content, hash, status, created_at,
                             updated_at, expires_at)
      values (${INSTALLATION.id}, ${id}, 1, 'setRates', '\\x01', ${newUuid()}, 'Operator:x', '\\x01', sha256('x'), 'PENDING', now(),
              now(), now() + interval '3 days')`);
    return `Proposal:${id}`;
  }

  it('operator.md §10.1: only the roles that may read a record find it', async () => {
    const finance = await givenOperator(world, ['finance']);
    const [platform] = platforms;
    await givenPayer(platform, 700);
    await readJournal(world, platform.id);
    const [entry] = await world.database.query<{ id: string }>(sql`
      select entry_id as id from journal_chain where platform_id = ${platform.id} order by seq desc limit 1`);
    assert.ok(entry);
    const findAs = async (operator: TestOperator, value: string) => {
      const { body } = await operator.ask('POST', '/console/api/search', { body: { value } });
      return body.data.map(({ resourceId }: { resourceId: string }) => resourceId);
    };
    assert.deepEqual(await findAs(finance, entry.id), [`JournalEntry:${entry.id}`]);
    assert.deepEqual(await findAs(viewer, entry.id), []);
    for (const value of [finance.id, `Operator:${finance.id}`, finance.email.toUpperCase()]) {
      assert.deepEqual(await findAs(viewer, value), [`Operator:${finance.id}`]);
      assert.deepEqual(await findAs(finance, value), []);
    }
  });

  it('operator.md §6.2: at most five of a kind and platform, at most 50 in all, the newest first', async () => {
    const fullName = 'Quorin Sevestre';
    const [one, other] = platforms;
    for (let n = 0; n < 5; n++) await givenCustomer(one, { ...PERSON, fullName });
    world.clock.advance(1_000);
    const last = await givenCustomer(other, { ...PERSON, fullName });
    const few = (await find(fullName)).body;
    assert.deepEqual([few.data.length, few.isTruncated, few.data[0].resourceId], [6, false, last.id]);
    const sixth = await givenCustomer(one, { ...PERSON, fullName });
    const cut = (await find(fullName)).body;
    assert.deepEqual([cut.data.length, cut.isTruncated, cut.data[0].resourceId], [6, true, sixth.id]);
    const more = await Promise.all(Array.from({ length: 10 }, () => givenPlatform(world)));
    for (const platform of more)
      for (let n = 0; n < 5; n++) await givenCustomer(platform, { ...PERSON, fullName });
    const all = (await find(fullName)).body;
    assert.deepEqual([all.data.length, all.isTruncated], [50, true]);
  });

  it('operator.md §6.2: one statement reads only the rows that it finds, however many customers there are', async () => {
    const [platform, other] = platforms;
    const work = await platform.work();
    await givenCustomer(platform, { ...PERSON, fullName: 'Ottoline Varga' });
    await world.database.query(sql`
      insert into customers (platform_id, id, environment, customer_type, platform_customer_id, uma_address, status, region,
                             currencies, email, created_at, updated_at)
      select ${platform.id}, gen_random_uuid(), 'SANDBOX', 'INDIVIDUAL', 'p' || n, '$p' || n || '@plan.test', 'UNVERIFIED', 'US',
             '{USD}', 'p' || n || '@plan.test', now(), now()
        from generate_series(1, 5000) n`);
    await world.database.query(sql`vacuum analyze customers`);
    const asked = {
      ...{ vault: world.app.runtime.vault, platformIds: [platform.id, other.id], isWhole: true, limit: 101 },
      places: SERVICE.searchPlaces,
    };
    for (const text of [newUuid(), 'Ottoline Varga', PERSON.email ?? '', `Customer:${newUuid()}`]) {
      const statement = acrossStatement({ ...asked, text });
      assert.ok(statement);
      const scans = await work.write(async (tx) => {
        // Otherwise the planner would read the small tables of a test sequentially.
        await tx.sql`select set_config('enable_seqscan', 'off', true)`;
        return plannedScans(tx, statement);
      });
      for (const scan of scans) {
        assert.doesNotMatch(scan['Node Type'], /Seq Scan/, JSON.stringify(scan));
        assert.ok(rowsRead(scan) <= 10, JSON.stringify(scan));
      }
    }
  });

  it('operator.md §6.2: an index over the value serves every look-up', async () => {
    for (const { table, id = 'id', uuids = { id }, platform, ...place } of SERVICE.searchPlaces) {
      const indexes = await world.database.query<{ indexdef: string }>(sql`
        select indexdef from pg_indexes where tablename = ${table} and schemaname = current_schema()`);
      const texts = [place.texts, place.operatorTexts].flatMap((one) => Object.values(one ?? {}).flat());
      const before = platform === undefined ? 'platform_id, ' : '';
      const wanted = [
        ...Object.values(uuids).map((column) => `(${before}${column}`),
        ...texts.map((text) => {
          if ('words' in text) return `gin (${text.column}`;
          return `(${before}${text.isFolded ? `lower(${text.column})` : text.column}`;
        }),
      ];
      for (const start of wanted) {
        const isServed = indexes.some(({ indexdef }) => indexdef.includes(start));
        assert.ok(isServed, `${table} ${start}: ${indexes.map(({ indexdef }) => indexdef).join('\n')}`);
      }
    }
  });
});
