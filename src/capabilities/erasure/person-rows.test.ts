// lane: whole — plants values in many areas, and searches every table

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { WORDS } from '#app/personal-data.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { destroyKey } from '#capabilities/erasure/destroy-key.ts';
import { type ExportedRow, openExport } from '#capabilities/erasure/export-customer.ts';
import { OTHER_TABLES } from '#capabilities/erasure/other-tables.ts';
import { listPersonRows, loadPerson } from '#capabilities/erasure/person-rows.ts';
import { describeTables, type StoredRow, type TableSchema } from '#capabilities/erasure/person-rows-store.ts';
import type { PersonTable } from '#capabilities/erasure/person-table.ts';
import { PERSON_TABLES } from '#capabilities/erasure/person-tables.ts';
import { goingValues, previewErasure } from '#capabilities/erasure/preview-erasure.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { sealContext } from '#foundation/database/sealed-columns.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { readContent } from '#foundation/uploads/contents.ts';
import { givenAgentQuote, sendAs } from '#tests/given/actions.ts';
import { APPROVAL, givenConnectedAgent } from '#tests/given/agents.ts';
import { givenCard, givenCardPlatform } from '#tests/given/cards.ts';
import { PERSON } from '#tests/given/customers.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { csvForm, personRow, renderCsv } from '#tests/given/imports.ts';
import { documentFields, documentForm } from '#tests/given/packets.ts';
import { advance, fetchBalance, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { purchaseBody, simulated } from '#tests/given/purchases.ts';
import { lookedUp, quoteBody, quoted } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** A value that a person leaves in each area, and the part of the export that has to have it. */
const PLANTED = {
  customer: ['Zebulon Quixworth', 'zebulon@quixworth.example', '+14155559876', '1983-07-19', '219-09-9461'],
  documents: ['zq-paper.pdf', 'ZQ-PASSPORT-7'],
  accounts: ['Zebulon Quixworth'],
  'external accounts': ['DE89370400440532013000', 'zq-payee', 'Hildegard Quix'],
  payments: ['Rent of Zebulon'],
  cards: ['zq-card'],
  'card transactions': ['ZQ BOOKSHOP'],
  agents: ['Zebulon’s booker'],
  "agents' actions": ['Zebulon says no'],
  invitations: ['Quixfriend'],
  'import errors': ['zq-reference'],
  events: ['zebulon@quixworth.example'],
  'stored replies': ['repeats other parts'],
  requests: ['/quotes'],
  'audit log': ['zq-case'],
} satisfies Record<string, string[]>;

const OTHER = { fullName: 'Ottilie Vandermark', email: 'ottilie@vandermark.example' };

describe('what is kept about a customer', () => {
  const world = testWorld();

  /** A person with something in every area that can be deleted again, and another customer who pays and is paid. */
  async function givenPlanted() {
    const platform = await givenCardPlatform(world, { settings: { requestLogBodies: true } });
    const receiver = await platform.receive();
    receiver.answer(({ body }) => ({ status: 500, body }));
    const zebulon = await givenPayer(platform, 1_000_000, {
      ...PERSON,
      ...{ fullName: 'Zebulon Quixworth', birthDate: '1983-07-19', email: 'zebulon@quixworth.example' },
      ...{ phoneNumber: '+14155559876', identifier: '219-09-9461', platformCustomerId: 'zq-reference' },
    });
    const other = await givenPayer(platform, 1_000_000, { ...PERSON, ...OTHER });
    let keys = 0;
    const keyed: Keyed = async (operation, call) => {
      const reply = await platform.send(operation, { ...call, key: `kept-${++keys}` });
      assert.ok(reply.status < 300, `${operation}: ${reply.raw}`);
      return reply.body as never as { id: string };
    };
    await keyed('updateCustomerById', {
      params: { customerId: zebulon.id },
      body: { customerType: 'INDIVIDUAL', nationality: 'US' },
    });
    const fields = documentFields(zebulon.id, 'PASSPORT', { documentNumber: 'ZQ-PASSPORT-7' });
    await keyed('uploadDocument', { body: documentForm(fields, { name: 'zq-paper.pdf' }) });
    const payee = await givenPayee(platform, zebulon);
    await pay(keyed, zebulon, payee, 'Rent of Zebulon');
    await pay(keyed, other, zebulon.account('USD').id, 'From Ottilie');
    await advance(platform, 60);
    await buy(platform, zebulon);
    await askByAgent(platform, keyed, zebulon, payee);
    const { body: shown } = await platform.call('getCustomerById', { params: { customerId: zebulon.id } });
    await keyed('createInvitation', { body: { inviterUma: shown.umaAddress, firstName: 'Quixfriend' } });
    const rows = [personRow(1, { platformCustomerId: 'zq-reference' }), personRow(2, { city: '' })];
    await keyed('uploadCustomersCsv', { body: csvForm(renderCsv(rows)) });
    await world.app.worker.settle(platform.id);
    await advance(platform, 3_600);
    return { platform, zebulon, other };
  }

  async function givenPayee(platform: TestPlatform, payer: Payer): Promise<string> {
    const beneficiary = {
      beneficiaryType: 'INDIVIDUAL',
      fullName: 'Hildegard Quix',
      countryOfResidence: 'FR',
    };
    const account = await givenExternalAccount(
      platform,
      'EUR_ACCOUNT',
      { iban: 'DE89370400440532013000', beneficiary },
      { customerId: payer.id, platformAccountId: 'zq-payee' },
    );
    return account.id;
  }

  type Keyed = (operation: string, call: object) => Promise<{ id: string }>;

  async function pay(keyed: Keyed, from: Payer, to: string, description: string): Promise<void> {
    const body = quoteBody({ from: from.account('USD').id, to, send: 10_000, more: { description } });
    const quote = await keyed('createQuote', { body });
    await keyed('executeQuote', { params: { quoteId: quote.id } });
  }

  async function buy(platform: TestPlatform, payer: Payer): Promise<void> {
    const card = await givenCard(platform, payer, { platformCardId: 'zq-card' });
    const bought = await simulated(
      world,
      platform,
      card.id,
      'authorization',
      purchaseBody(1_500, 'ZQ BOOKSHOP'),
    );
    const cardTransactionId = publicId('Transaction', bought.id);
    await simulated(world, platform, card.id, 'clearing', { cardTransactionId, amount: 1_500 });
    await platform.call('updateCardById', { params: { id: card.id }, body: { status: 'CLOSED' } });
  }

  async function askByAgent(platform: TestPlatform, keyed: Keyed, payer: Payer, to: string): Promise<void> {
    const agent = await givenConnectedAgent(platform, payer, APPROVAL);
    await platform.call('updateAgent', { params: { agentId: agent.id }, body: { name: 'Zebulon’s booker' } });
    const wish = { from: payer.account('USD').id, to, send: 1_000 };
    const quote = await givenAgentQuote(platform, agent, wish);
    const asked = await sendAs(platform, agent, 'agentExecuteQuote', {
      params: { quoteId: quote.id },
      key: 'a-1',
    });
    await keyed('rejectAgentAction', {
      params: { agentId: agent.id, actionId: asked.body.id },
      body: { reason: 'Zebulon says no' },
    });
  }

  async function exported(work: Work, id: string) {
    const found = await openExport(work, uuidOf(id), { words: WORDS, reason: 'zq-case' });
    const parts: Record<string, ExportedRow[]> = {};
    for (const { part, rows } of found.parts) parts[part] = await Array.fromAsync(rows());
    return { ...found, parts };
  }

  const render = (value: unknown) =>
    JSON.stringify(value, (_name, item) => (typeof item === 'bigint' ? String(item) : item));

  it('customers.md §2.4.26h: every table is declared, as one with data about customers or without', async () => {
    const schemas = await (await (await world.platform()).work()).read(describeTables);
    const declared = [...Object.keys(PERSON_TABLES), ...Object.keys(OTHER_TABLES)].sort();
    assert.deepEqual(declared, [...schemas.keys()].sort());
    for (const [table, { columns }] of schemas) {
      if (columns.some(({ name }) => name === 'customer_id')) assert.ok(PERSON_TABLES[table], table);
    }
    for (const [table, { erasure, stays, keeps = [] }] of Object.entries(PERSON_TABLES)) {
      assert.equal(stays === undefined, erasure === 'deleted', table);
      const names = schemas.get(table)?.columns.map(({ name }) => name) ?? [];
      assert.deepEqual(
        keeps.filter((name) => !names.includes(name)),
        [],
        table,
      );
    }
    const parts = Object.values(PERSON_TABLES).map(({ part }) => part);
    assert.equal(new Set(parts).size, parts.length);
  });

  it('customers.md §2.4.26i: an export has what the person left in every area, no secret and nothing of others', async () => {
    const { platform, zebulon } = await givenPlanted();
    const work = await platform.work();
    const { parts, files } = await exported(work, zebulon.id);
    for (const [part, values] of Object.entries(PLANTED)) {
      for (const value of values) assert.ok(render(parts[part]).includes(value), `${value} in ${part}`);
    }
    const whole = render(parts);
    for (const value of Object.values(OTHER)) assert.ok(!whole.includes(value), value);
    const [file] = files;
    assert.ok(file);
    assert.match(await text(await work.read((tx) => readContent(tx, file.contentId))), /^%PDF/);
    for (const secret of await secretsOf(work, zebulon.id)) assert.ok(!whole.includes(secret), secret);
    const [balance] = (parts.balances ?? []).filter(({ account }) => String(account).startsWith('AVAIL'));
    assert.ok(balance);
    assert.ok((parts['journal entries'] ?? []).every(({ lines }) => (lines as unknown[]).length > 0));
    assert.equal(parts['payments by others']?.length, 1);
  });

  it('customers.md §2.4.26i: the export of a payer has no account and no reference of a customer who was paid', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 1_000_000);
    const paid = await givenPayer(platform, 0, { ...PERSON, ...OTHER, platformCustomerId: 'ov-reference' });
    const receivers = { customerId: paid.id, defaultUmaDepositAccount: true };
    const bank = await givenExternalAccount(
      platform,
      'USD_ACCOUNT',
      { accountNumber: '6100734999' },
      receivers,
    );
    const { body } = await platform.call('getCustomerById', { params: { customerId: paid.id } });
    const lookupId = await lookedUp(platform, body.umaAddress);
    const own = await givenExternalAccount(
      platform,
      'USD_ACCOUNT',
      { accountNumber: '6200845999' },
      { customerId: payer.id },
    );
    const from = payer.account('USD').id;
    const now = { immediatelyExecute: true };
    await quoted(platform, {
      ...{ from, to: body.umaAddress, send: 1_000 },
      more: { ...now, lookupId, description: 'To Ottilie' },
    });
    await quoted(platform, { from, to: own.id, send: 1_000, more: now });
    await advance(platform, 60);
    const { parts } = await exported(await platform.work(), payer.id);
    const shown = render(parts.payments);
    for (const kept of ['To Ottilie', body.umaAddress, '6200845999']) assert.ok(shown.includes(kept), kept);
    const whole = render(parts);
    for (const other of ['6100734999', 'ov-reference', uuidOf(bank.id), OTHER.fullName]) {
      assert.ok(!whole.includes(other), other);
    }
    const { parts: theirs } = await exported(await platform.work(), paid.id);
    assert.ok(render(theirs).includes('6100734999'));
  });

  /** The opened secrets of a person, and hashes of others. */
  async function secretsOf(work: Work, id: string): Promise<string[]> {
    const person = await work.read((tx) => loadPerson(tx, uuidOf(id)));
    const schemas = await work.read(describeTables);
    const found: string[] = [];
    for (const [table, declared] of Object.entries(PERSON_TABLES)) {
      const schema = schemas.get(table) as TableSchema;
      const secret = WORDS[table]?.secret ?? [];
      for await (const { row, opened } of listPersonRows(reading(work), { schema, declared, person })) {
        for (const name of secret.filter((one) => row[one])) {
          const value = opened.get(name) ?? row[name];
          found.push(value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : String(value));
        }
      }
    }
    assert.ok(found.length > 3, `${found.length}`);
    // The code of an invitation is also the resource of its events.
    return found.filter((value) => value.length > 12);
  }

  const reading =
    (work: Work) =>
    <T>(steps: (tx: ReadTx) => Promise<T>) =>
      work.read(steps);

  it('customers.md §2.4.26i: every value that is sealed for a person is in a row of the export', async () => {
    const { platform, zebulon } = await givenPlanted();
    const work = await platform.work();
    const person = await work.read((tx) => loadPerson(tx, uuidOf(zebulon.id)));
    const schemas = await work.read(describeTables);
    const missing: string[] = [];
    // Payments by others, with their events and the attempts to deliver these, which come later in the alphabet.
    const byOthers = new Set<string>(person.paidByOthers);
    let sealedFor = 0;
    for (const [table, schema] of schemas) {
      if (schema.sealed.length === 0) continue;
      const all = await world.database.query<StoredRow>(sql`select * from ${rawSql(table)}`);
      const own = all.filter((row) => isSealedFor(row, schema, person.customerId));
      sealedFor += own.length;
      const declared = PERSON_TABLES[table];
      if (own.length > 0 && !declared) missing.push(table);
      if (!declared) continue;
      const listed = await Array.fromAsync(listPersonRows(reading(work), { schema, declared, person }));
      const places = new Set(listed.map(({ row }) => placeOf(schema, row)));
      for (const row of own) {
        if (places.has(placeOf(schema, row))) continue;
        const of = [row.id, row.event_id, String(row.resource_id).split(':')[1]].map(String);
        if (of.some((id) => byOthers.has(id))) {
          byOthers.add(String(row.id));
          continue;
        }
        missing.push(`${table} ${placeOf(schema, row)} ${row.resource_id ?? row.resource ?? ''}`);
      }
    }
    assert.ok(sealedFor > 20, `${sealedFor}`);
    assert.deepEqual(missing, []);
  });

  function isSealedFor(row: StoredRow, { sealed }: TableSchema, customerId: CustomerId): boolean {
    return sealed.some(({ column }) => {
      const value = row[column] as Buffer | null;
      return value !== null && readReferences(value).some(({ person }) => person === customerId);
    });
  }

  const placeOf = ({ key }: TableSchema, row: StoredRow) =>
    key.map(({ name }) => String(row[name])).join(' ');

  it('customers.md §2.4.26i: it is audited with its reason; an erased and an unknown customer are refused', async () => {
    const platform = await world.platform();
    const customer = await platform.call('createCustomer', { body: PERSON });
    const work = await platform.work();
    await exported(work, customer.body.id);
    const rows = () =>
      world.database.query(sql`
        select resource from audit_log where platform_id = ${platform.id} and action = 'exportCustomer'`);
    assert.deepEqual(await rows(), [{ resource: customer.body.id }]);
    await platform.call('deleteCustomerById', { params: { customerId: customer.body.id } });
    await exported(work, customer.body.id);
    await work.write((tx) => eraseCustomer(tx, uuidOf(customer.body.id)));
    const refused = await exported(work, customer.body.id).catch((error: unknown) => error);
    assert.ok(refused instanceof Refusal && /was erased at/.test(refused.message), String(refused));
    const elsewhere = await (await world.platform()).work();
    const unknown = await exported(elsewhere, customer.body.id).catch((error: unknown) => error);
    assert.ok(unknown instanceof Refusal && unknown.code === 'CUSTOMER_NOT_FOUND', String(unknown));
    assert.equal((await rows()).length, 2);
  });

  it('customers.md §2.4.26h: a preview changes nothing and tells what the erasure then does, table by table', async () => {
    const { platform, zebulon, other } = await givenPlanted();
    await withdraw(platform, zebulon, other);
    await platform.call('deleteCustomerById', { params: { customerId: zebulon.id } });
    const work = await platform.work();
    const before = await ownRows(work, zebulon.id);
    const preview = await previewErasure(work, uuidOf(zebulon.id), { words: WORDS, retentionYears: 5 });
    const counts = Object.fromEntries(preview.parts.map(({ part, rows }) => [part, rows]));
    for (const part of [
      'customer',
      'documents',
      'files',
      'external accounts',
      'payments',
      'cards',
      'events',
    ]) {
      assert.ok((counts[part] ?? 0) > 0, part);
    }
    assert.ok(preview.erasableFrom !== null && preview.erasableFrom > String(preview.deletedAt));
    assert.ok(
      preview.parts.every(({ goes, stays, ground }) => goes !== '' || (stays !== '' && ground !== '')),
    );
    const after = await ownRows(work, zebulon.id);
    for (const [table, rows] of before) {
      // The preview itself is audited, and earlier requests may be logged meanwhile.
      if (table === 'audit_log' || table === 'request_logs') continue;
      assert.ok(render(after.get(table)) === render(rows), `the preview changed ${table}`);
    }
    await work.write((tx) => eraseCustomer(tx, uuidOf(zebulon.id)));
    await destroyKey(work, uuidOf(zebulon.id));
    await world.app.worker.settle(platform.id);
    const wrong: string[] = [];
    for (const [table, rows] of before) wrong.push(...(await contradictions(work, table, rows)));
    assert.deepEqual([...new Set(wrong)], []);
  });

  async function withdraw(platform: TestPlatform, from: Payer, to: Payer): Promise<void> {
    const left = await fetchBalance(platform, from, 'USD');
    const body = quoteBody({ from: from.account('USD').id, to: to.account('USD').id, send: left });
    const quote = await platform.call('createQuote', { body });
    const done = await platform.call('executeQuote', { params: { quoteId: quote.body.id } });
    assert.equal(done.status, 200, done.raw);
    await advance(platform, 10);
  }

  async function ownRows(work: Work, id: string): Promise<Map<string, StoredRow[]>> {
    const person = await work.read((tx) => loadPerson(tx, uuidOf(id)));
    const schemas = await work.read(describeTables);
    const found = new Map<string, StoredRow[]>();
    for (const [table, declared] of Object.entries(PERSON_TABLES)) {
      const schema = schemas.get(table) as TableSchema;
      const rows = await Array.fromAsync(listPersonRows(reading(work), { schema, declared, person }));
      found.set(
        table,
        rows.map(({ row }) => row),
      );
    }
    return found;
  }

  /** Lists values that these rows still have although the declaration of their table says otherwise. */
  async function contradictions(work: Work, table: string, before: readonly StoredRow[]): Promise<string[]> {
    const declared = PERSON_TABLES[table] as PersonTable;
    const schema = (await work.read(describeTables)).get(table) as TableSchema;
    if (schema.key.length === 0) return [];
    const all = await world.database.query<StoredRow>(sql`select * from ${rawSql(table)}`);
    const now = new Map(all.map((row) => [placeOf(schema, row), row]));
    return before.flatMap((row) => {
      const left = now.get(placeOf(schema, row));
      if (declared.erasure === 'deleted') return left ? [`${table}: a row stays`] : [];
      if (!left) return [`${table}: a row is gone`];
      if (declared.erasure === 'kept') return [];
      return goingValues(schema, declared, WORDS)
        .filter((name) => isStillThere(work, schema, left, name, row))
        .map((name) => `${table}.${name} stays`);
    });
  }

  function isStillThere(
    work: Work,
    schema: TableSchema,
    left: StoredRow,
    name: string,
    row: StoredRow,
  ): boolean {
    const [before, now] = [memberOf(row, name), memberOf(left, name)];
    if (before == null || now == null || render(now) !== render(before)) return false;
    const column = schema.sealed.find((one) => one.column === name);
    return !column || work.runtime.vault.openKept(now as Buffer, sealContext(column, left)) !== undefined;
  }

  /** A column, or a member of a column of JSON. */
  function memberOf(row: StoredRow, name: string): unknown {
    return name
      .split('.')
      .reduce<unknown>((value, part) => (value as StoredRow | null | undefined)?.[part], row);
  }
});
