// lane: whole — makes database clusters of its own, and searches all their files

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import { personKeysCluster } from '#cli/reach-person-keys.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { restoreEmbedded, startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { sql } from '#foundation/database/sql.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { wrapContext } from '#foundation/person-keys/key-store.ts';
import { openPersonKeys } from '#foundation/person-keys/person-keys.ts';
import { supports } from '#tests/given/accounts.ts';
import { csvForm, personRow, renderCsv } from '#tests/given/imports.ts';
import { advance, fetchBalance } from '#tests/given/payments.ts';
import {
  bankOf,
  givenBank,
  givenFileForBank,
  givenLivePerson,
  givenStrangersAtBank,
  type LivePerson,
  type LiveSoil,
  payOut,
} from '#tests/given/planted-live.ts';
import { givenSeated, givenWritten } from '#tests/given/planted-operators.ts';
import {
  givenPlantedPerson,
  type PlantedPerson,
  type PlantedValues,
  pay,
  plantedValues,
} from '#tests/given/planted-person.ts';
import { givenCoin } from '#tests/given/stablecoins.ts';
import { type Attached, type Credentials, embeddedService } from '#tests/harness/embedded-service.ts';
import { TEST_DOMAINS, type TestPlatform } from '#tests/harness/harness.ts';
import { searchFiles } from '#tests/harness/number-search.ts';
import { searchFor } from '#tests/harness/planted-search.ts';
import { prepareDataFolder } from '#tests/harness/prepared-data-folder.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';
import { makeStandby, type Standby, startStandby } from '#tests/harness/standby.ts';
import { allRows, openedValues } from '#tests/harness/table-contents.ts';

const GONE = plantedValues('Vexlorin', '61');
const STAYS = plantedValues('Quorbath', '72');
/** People whom the platform does not know: senders, rows that were not imported, refused requests. */
const NOBODY = plantedValues('Mizzandu', '84');
/** The name of a token is in clear text on purpose, so that each search has something to find. */
const CLEAR = 'Plainlywritten';

const SETTINGS = [
  'isRegulatedFinancialInstitution=true',
  'requestLogBodies=true',
  'invitationsConfigured=true',
];

function wantedOf({ mark, numbers }: PlantedValues): [string, string][] {
  return [
    [mark, mark],
    ...Object.entries(numbers).map(([name, value]) => [`${mark} ${name}`, value] as [string, string]),
  ];
}

const findAll = searchFor(new Map([GONE, STAYS, NOBODY].flatMap(wantedOf)));
const findGone = searchFor(new Map(wantedOf(GONE)));
const findAny = searchFor(new Map([[CLEAR, CLEAR], ...[GONE, STAYS, NOBODY].flatMap(wantedOf)]));

describe('values of people, planted in every area (decision 0039)', () => {
  let folder: string;
  const at = (...names: string[]) => join(folder, ...names);
  let service: ReturnType<typeof embeddedService>;
  let receiver: Receiver;
  let credentials: Credentials;
  let attached: Attached;
  let platform: TestPlatform;
  let liveCredentials: Credentials;
  let soil: LiveSoil;
  let standby: Standby;
  const people = {} as { gone: PlantedPerson; stays: PlantedPerson };
  const living = {} as { gone: LivePerson; stays: LivePerson };
  /** In whose name commands act that need a second operator. */
  let operator = '';
  const imported = new Map<string, string>();
  /** The keys of the person who will be erased, as they are stored and as they are used. */
  const goneKeys: Buffer[] = [];
  let coinId: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-planted-'));
    service = embeddedService(await prepareDataFolder(at('data')));
    receiver = await createReceiver();
    receiver.answer(({ body }) => ({ status: body.type === 'CARD.STATUS_CHANGE' ? 500 : 200, body }));
    await service.start();
    credentials = await service.createPlatform(SETTINGS);
    liveCredentials = await service.createPlatform(['isRegulatedFinancialInstitution=true'], 'production');
    attached = await service.attach();
    platform = service.client(credentials, attached);
    await keepUncompressed(attached.database);
    await makeStandby(at('data'), at('replica'));
    standby = await startStandby(at('data'), at('replica'));
    await plantAll();
    await plantAtBank();
    await plantWritten();
  });
  after(async () => {
    await standby?.stop();
    await soil?.bank.close();
    await attached?.close();
    await service?.stop();
    await receiver?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Long values are stored as they are, so that the search in files finds them. */
  async function keepUncompressed(database: Database): Promise<void> {
    await database.query(sql`
      update pg_attribute set attstorage = 'e'
       where attstorage = 'x' and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`);
    const [setting] = await database.query(sql`show wal_compression`);
    assert.deepEqual(setting, { wal_compression: 'off' });
  }

  async function plantAll(): Promise<void> {
    const config = await platform.call('updatePlatformConfig', { body: { webhookEndpoint: receiver.url } });
    assert.equal(config.status, 200, config.raw);
    const token = await platform.call('createToken', { body: { name: CLEAR, permissions: ['VIEW'] } });
    assert.equal(token.status, 201, token.raw);
    await supports(platform, ['USD', 'USDB', 'EUR']);
    const coin = await givenCoin(platform, { enabled: true });
    await supports(platform, ['USD', 'USDB', 'EUR', coin.symbol]);
    coinId = coin.id;
    const soil = { platform, coin, operate: service.operate };
    people.gone = await givenPlantedPerson(soil, GONE);
    people.stays = await givenPlantedPerson(soil, STAYS);
    await plantStrangers();
    await importPeople();
    await payEachOther();
  }

  async function plantAtBank(): Promise<void> {
    const live = service.client(liveCredentials, attached);
    await supports(live, ['EUR']);
    await service.operate('rates', 'set', 'EUR=0.92', '--hours', '8', '--reason', 'a test', '--yes');
    soil = await givenBank(live, attached);
    living.gone = await givenLivePerson(soil, GONE);
    living.stays = await givenLivePerson(soil, STAYS);
    await givenStrangersAtBank(soil, NOBODY);
    await givenFileForBank(attached, at('bank'), NOBODY);
  }

  async function plantWritten(): Promise<void> {
    const seated = await givenSeated(attached, platform);
    for (const person of [people.gone, people.stays]) await givenWritten(platform, seated, person);
    operator = `${seated[0].id}@example.com`;
  }

  /** Values of people whom nobody knows. */
  async function plantStrangers(): Promise<void> {
    const { texts, numbers } = NOBODY;
    const arrival = {
      ...{ amount: 900n, currency: 'USD', rail: 'ACH', providerReference: 'unmatched-1' },
      ...{ reference: texts.depositReference, originator: { accountHolderName: texts.depositSender } },
    };
    await (await platform.work()).write((tx) => receiveDeposit(tx, arrival));
    const refused = await platform.send('createCustomer', {
      body: {
        ...{ customerType: 'INDIVIDUAL', fullName: texts.fullName, email: texts.email, birthDate: 'never' },
        ...{ phoneNumber: numbers.phone, [`${NOBODY.mark}Field`]: texts.memo },
      },
    });
    assert.equal(refused.status, 400, refused.raw);
    const lookup = await platform.send('lookupUma', { params: { receiverUmaAddress: texts.uma } });
    assert.ok(lookup.status >= 400, lookup.raw);
    for (const [operation, query] of [
      ['search', { q: texts.email }],
      ['listCustomers', { platformCustomerId: texts.reference }],
      ['listTransactions', { reference: texts.depositReference }],
      ['listSandboxMessages', { recipient: texts.email }],
    ] as const) {
      const found = await platform.send(operation, { query });
      assert.equal(found.status, 200, found.raw);
    }
  }

  async function importPeople(): Promise<void> {
    const rows = [GONE, STAYS, NOBODY].map(({ texts, mark }, i) =>
      personRow(i, {
        umaAddress: `$${mark.toLowerCase()}.imported@${TEST_DOMAINS.defaultUmaDomain}`,
        ...{ platformCustomerId: texts.importedReference, fullName: texts.importedName, city: texts.city },
        ...(texts === NOBODY.texts && { birthDate: texts.memo }),
      }),
    );
    const sent = await platform.send('uploadCustomersCsv', { body: csvForm(renderCsv(rows)) });
    assert.equal(sent.status, 202, sent.raw);
    await advance(platform, 10);
    const params = { jobId: String(sent.body.jobId) };
    const { body } = await platform.call('getBulkCustomerImportJob', { params });
    assert.deepEqual([body.status, body.progress.successful, body.progress.failed], ['COMPLETED', 2, 1]);
    for (const { mark, texts } of [GONE, STAYS]) {
      const query = { platformCustomerId: texts.importedReference };
      const found = await platform.call('listCustomers', { query });
      imported.set(mark, String(found.body.data[0]?.id));
    }
  }

  async function payEachOther(): Promise<void> {
    for (const [from, to] of [
      [people.gone, people.stays],
      [people.stays, people.gone],
    ] as const) {
      const { umaMemo: description } = from.values.texts;
      await pay(platform, from.payer.account('USD').id, to.values.texts.uma, { description });
      const got = await platform.call('sandboxReceive', {
        body: {
          senderUmaAddress: `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`,
          ...{ customerId: to.payer.id, receivingCurrencyCode: 'USD', receivingCurrencyAmount: 5_000 },
        },
      });
      assert.equal(got.status, 200, got.raw);
    }
    await advance(platform, 60);
  }

  const customersOf = ({ payer, businessId, europeanId, values }: PlantedPerson) => [
    ...[payer.id, businessId, europeanId],
    imported.get(values.mark) ?? '',
  ];

  const isGone = (person: PlantedPerson) => person === people.gone;
  const liveOf = (person: PlantedPerson) => (isGone(person) ? living.gone : living.stays);

  /** The findings in tables and in values that a data key opens, by their places. */
  async function findExposed({ database, app }: Attached): Promise<string[]> {
    const opened = await openedValues(database, app.runtime);
    const rows = [...(await allRows(database)), ...opened.filter(({ isOfPeople }) => !isOfPeople)];
    return placesOf(rows, findAll);
  }

  it('SECURITY.md: no value stands in clear text in a table, or is sealed with a data key, and each is sealed for people', async () => {
    assert.deepEqual(await findExposed(attached), []);
    const opened = await openedValues(attached.database, attached.app.runtime);
    const stored = opened.map(({ text }) => text).join('\n');
    for (const values of [GONE, STAYS]) {
      const missing = missingFrom(stored, values).filter((name) => !isOfStrangers(name));
      assert.deepEqual(missing, ['fileContent']);
    }
    assert.deepEqual(missingFrom(stored, NOBODY).filter(isOfStrangers), []);
    assert.ok(opened.some(({ text }) => text.includes(NOBODY.texts.depositSender)));
    const told = receiver.received.map(({ raw }) => String(raw)).join('\n');
    for (const { mark } of [GONE, STAYS, NOBODY]) assert.ok(findAll(Buffer.from(told)).includes(mark), mark);
    const attempts = placesOf(opened, findAll).filter((place) => place.startsWith('webhook_attempts'));
    assert.ok(attempts.includes(`webhook_attempts.response: ${GONE.mark}`), 'the receiver’s echo was stored');
  });

  /** Keeps the keys of a person for a search, as they are stored and as they are used. */
  async function keepKeys(person: PlantedPerson): Promise<void> {
    const ids = [...customersOf(person), liveOf(person).payer.id].map((id) => uuidOf(id));
    const rows = await attached.store.query<{ person_id: string; generation: number; wrapped: Buffer }>(
      sql`select person_id, generation, wrapped from person_keys where person_id = any(${ids}::uuid[])`,
    );
    assert.equal(rows.length, ids.length);
    for (const { person_id: id, generation, wrapped } of rows) {
      const place = id === uuidOf(liveOf(person).payer.id) ? soil.live : platform;
      const vault = attached.app.runtime.vault.ofPlatform(place.id);
      goneKeys.push(wrapped, vault.open(wrapped, wrapContext(id, generation)));
    }
  }

  it('SECURITY.md: no value is in clear text in a file: table, index, log, document or backup', async () => {
    await keepKeys(people.gone);
    await service.operate('backup', at('backup'), '--person-keys-to', at('keys-backup'));
    await standby.catchUp();
    await standby.stop();
    await attached.close();
    await service.stop();
    await cp(at('data', 'documents'), at('replica', 'documents'), { recursive: true });
    // This replica never gets the erasure.
    await cp(at('replica'), at('lagging'), { recursive: true });
    const clear = await searchFolders(findAny, 'data', 'backup', 'replica', 'keys-backup');
    assert.deepEqual(
      clear.filter((place) => !place.endsWith(`: ${CLEAR}`)),
      [],
    );
    for (const place of [
      'data/postgres/cluster/base/',
      'data/postgres/cluster/pg_wal/',
      'backup/',
      'replica/',
    ]) {
      assert.ok(
        clear.some((found) => found.startsWith(place)),
        `${place} was searched`,
      );
    }
    assert.ok((await stat(at('backup', 'documents'))).isDirectory());
    assert.match(service.logged.join(''), /"operation":"createCustomer"/);
    assert.deepEqual(findAll(Buffer.from(service.logged.join(''))), []);
  });

  /** The findings in the files of these folders. */
  async function searchFolders(find: (bytes: Buffer) => string[], ...names: string[]): Promise<string[]> {
    const found: string[] = [];
    for (const name of names) {
      const here = await searchFiles(at(name), find);
      found.push(...[...here].map(([path, values]) => `${join(name, path)}: ${values}`));
    }
    return found;
  }

  /** Pays all money to the other person or out, deletes the customers, and erases them by the command. */
  async function erase({ payer, ...person }: PlantedPerson, other: PlantedPerson): Promise<void> {
    const live = living.gone;
    await payOut(soil, live, { send: await fetchBalance(soil.live, live.payer, 'EUR'), state: 'SETTLED' });
    const removed = await soil.live.call('deleteCustomerById', { params: { customerId: live.payer.id } });
    assert.equal(removed.status, 200, removed.raw);
    await advance(platform, 3_600);
    const left = await fetchBalance(platform, payer, 'USD');
    await pay(platform, payer.account('USD').id, other.payer.account('USD').id, {}, left);
    const ids = customersOf({ payer, ...person });
    for (const customerId of ids) {
      const deleted = await platform.call('deleteCustomerById', { params: { customerId } });
      assert.equal(deleted.status, 200, deleted.raw);
    }
    const late = {
      ...{ accountId: uuidOf<'InternalAccount'>(payer.account('USD').id as never), amount: 500n },
      ...{ currency: 'USD', rail: 'ACH', providerReference: 'late-1' },
      ...{
        reference: GONE.texts.depositReference,
        originator: { accountHolderName: GONE.texts.depositSender },
      },
    };
    await (await platform.work()).write((tx) => receiveDeposit(tx, late));
    const because = ['--reason', 'a test', '--yes', '--break-glass', '--as', operator];
    for (const id of [...ids, live.payer.id]) {
      await service.operate('customer', 'erase', id, '--despite-retention', ...because);
    }
  }

  it('customers.md §2.4.26b, §2.4.26d: after an erasure no value of the person is shown, and all of the other person are', async () => {
    await service.start();
    attached = await service.attach();
    platform = service.client(credentials, attached);
    soil = bankOf(service.client(liveCredentials, attached), attached, soil.bank);
    standby = await startStandby(at('data'), at('replica'));
    await erase(people.gone, people.stays);
    const shown = await readEverything(people.stays);
    assert.deepEqual(findGone(Buffer.from(shown)), []);
    // A secret of the hosted page, and the name of a file that was replaced, are shown nowhere.
    assert.deepEqual(
      missingFrom(shown, STAYS).filter((name) => !isOfStrangers(name)),
      ['formerFileName', 'redirect'],
    );
    const gone = await readEverything(people.gone);
    assert.deepEqual(findGone(Buffer.from(gone)), []);
    assert.deepEqual(await findExposed(attached), []);
    await standby.catchUp();
    await standby.stop();
    await attached.close();
    await service.stop();
    // The backup is as it was when it was searched.
    assert.deepEqual(await searchFolders(findAll, 'data', 'replica'), []);
    assert.deepEqual(findAll(Buffer.from(service.logged.join(''))), []);
  });

  /** Everything that the API shows about a person, and what the operator exports. */
  async function readEverything(person: PlantedPerson): Promise<string> {
    const { payer, businessId, europeanId } = person;
    const live = liveOf(person).payer;
    const texts: string[] = [];
    for (const [operation, call] of [
      ['getCustomerById', { params: { customerId: live.id } }],
      ['listTransactions', { query: { customerId: live.id, limit: 100 } }],
      ['listCustomerExternalAccounts', { query: { customerId: live.id } }],
      ['getAccountStatement', { query: statementOf(live.account('EUR').id) }],
    ] as const) {
      texts.push((await soil.live.send(operation, call)).raw);
    }
    const accountId = payer.account('USDB').id;
    const read = async (operation: string, call: object) => {
      const reply = await platform.send(operation, call);
      texts.push(reply.raw);
      return reply.body as { data?: { id: string }[] };
    };
    for (const customerId of customersOf(person)) {
      await read('getCustomerById', { params: { customerId } });
      for (const list of [
        'listTransactions',
        'listCustomerExternalAccounts',
        'listCards',
        'listVerifications',
      ]) {
        await read(list, { query: { customerId, limit: 100 } });
      }
      await read('listDocuments', { query: { documentHolder: customerId } });
    }
    await read('listBeneficialOwners', { query: { customerId: businessId } });
    await read('listScaFactors', { query: { customerId: europeanId } });
    for (const list of ['listDelegatedKeys', 'listAuthCredentials', 'listAuthSessions']) {
      await read(list, { query: { accountId } });
    }
    const agents = await read('listAgents', { query: { customerId: payer.id } });
    for (const { id } of agents.data ?? []) await read('listAgentActions', { params: { agentId: id } });
    for (const list of ['listInvitations', 'listSandboxMessages', 'listRequestLogs']) await read(list, {});
    await read('listStablecoinOperations', { params: { stablecoinId: coinId } });
    const events = await read('listEvents', { query: { resourceId: payer.id } });
    for (const { id } of events.data ?? []) await read('getEventById', { params: { eventId: id } });
    if (person === people.stays) texts.push(await exportAll(person));
    return texts.join('\n');
  }

  async function exportAll(person: PlantedPerson): Promise<string> {
    const to = await mkdtemp(join(tmpdir(), 'corridor-exported-'));
    try {
      for (const id of [...customersOf(person), liveOf(person).payer.id]) {
        await service.operate('customer', 'export', id, '--to', join(to, uuidOf(id)), '--reason', 'a test');
      }
      const found: string[] = [];
      await searchFiles(to, (bytes) => {
        found.push(bytes.toString('utf8'));
        return [];
      });
      return found.join('\n');
    } finally {
      await rm(to, { recursive: true, force: true });
    }
  }

  /** The findings among all values that open in a database with these keys of people. */
  async function openWith(dataDir: string, keysDir: string, find: (bytes: Buffer) => string[]) {
    await using closing = new AsyncDisposableStack();
    const start = async (cluster: { dataDir: string }) => {
      const running = await startEmbedded({ ...cluster, report: () => undefined });
      closing.defer(() => running.stop());
      const database = openDatabase({ url: running.url, connectionsMax: 2 });
      closing.defer(() => database.close());
      return database;
    };
    const database = await start({ dataDir });
    const store = await start({ dataDir: keysDir });
    const settings = { encryptionKey: undefined, encryptionKeyNext: undefined, dataDir: at('data') };
    const { vault } = await openKeyring(database, settings);
    const opened = await openedValues(
      database,
      await openPersonKeys({ database, store, vault, clock: systemClock }),
    );
    return placesOf(opened, find);
  }

  it('customers.md §2.4.26d, §2.4.26e: with the present keys nothing of the person opens, in the database, a replica or a backup', async () => {
    await restoreEmbedded(at('backup'), at('restored'), async () => undefined);
    for (const copy of ['data', 'replica', 'lagging', 'restored']) {
      const { dataDir: keys } = personKeysCluster(at('data'));
      const opened = await openWith(at(copy), keys, findAll);
      assert.deepEqual(
        opened.filter((place) => place.includes(GONE.mark)),
        [],
        copy,
      );
      assert.ok(opened.includes(`customers.person: ${STAYS.mark}`), copy);
      assert.ok(opened.includes(`payment_receipts.sender: ${NOBODY.mark}`), copy);
    }
  });

  it('decision 0039: only the backup of the keys opens what a backup has of the person, and no key is in another place', async () => {
    await restoreEmbedded(at('keys-backup'), at('old-keys'), async () => undefined);
    const opened = await openWith(at('restored'), at('old-keys'), findGone);
    assert.ok(opened.includes(`customers.person: ${GONE.mark}`));
    const isKey = (bytes: Buffer) => (goneKeys.some((key) => bytes.includes(key)) ? ['a key'] : []);
    const places = await searchFolders(isKey, 'data', 'backup', 'replica', 'keys-backup');
    assert.ok(places.some((place) => place.startsWith('keys-backup/')));
    assert.deepEqual(
      places.filter((place) => !/^(keys-backup|data\/person-keys)\//.test(place)),
      [],
    );
  });

  it('customers.md §2.4.26l: a day later the keys are in no file of their own database either: table, index or log', async () => {
    await service.start();
    attached = await service.attach();
    const isKey = (bytes: Buffer) => (goneKeys.some((key) => bytes.includes(key)) ? ['a key'] : []);
    await attached.store.query(sql`update key_store set shredded_at = now() - interval '1 day'`);
    const before = await searchFolders(isKey, 'data/person-keys');
    assert.ok(before.length > 0, 'deleted keys stay in the files at first');
    const stays = uuidOf(people.stays.payer.id);
    const kept = await attached.store.query<{ wrapped: Buffer }>(
      sql`select wrapped from person_keys where person_id = ${stays}`,
    );
    const { personKeys } = attached.app.runtime;
    assert.equal(await personKeys.shredDeleted(), true);
    assert.equal(await personKeys.shredDeleted(), false);
    // PostgreSQL empties the old file of the table at the checkpoint.
    assert.deepEqual(await searchFolders(isKey, 'data/person-keys'), []);
    assert.ok(kept[0]);
    const after = await attached.store.query(sql`select wrapped from person_keys where person_id = ${stays}`);
    assert.deepEqual(after, kept);
    const shown = await service.client(credentials, attached).call('getCustomerById', {
      params: { customerId: people.stays.payer.id },
    });
    assert.equal(shown.status, 200, shown.raw);
    await attached.close();
    await service.stop();
    assert.deepEqual(await searchFolders(isKey, 'data/person-keys'), []);
  });
});

/** Values of a person whom the platform does not know, at the bank. */
function isOfStrangers(name: string): boolean {
  return /^(credit[A-Z]|line[A-Z]|fileReceiver)/.test(name);
}

/** The whole time of the test. */
function statementOf(accountId: string) {
  const day = 86_400_000;
  const at = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
  return { accountId, from: at(-2), to: at(0) };
}

/** The values that a text lacks, by their names. */
function missingFrom(text: string, { texts, numbers }: PlantedValues): string[] {
  const values = Object.entries({ ...texts, ...numbers });
  return values.flatMap(([name, value]) => (text.includes(value) ? [] : [name]));
}

function placesOf(
  rows: readonly { readonly table: string; readonly text: string }[],
  find: (bytes: Buffer) => string[],
): string[] {
  const places = rows.flatMap(({ table, text }) =>
    find(Buffer.from(text)).map((found) => `${table}: ${found}`),
  );
  return [...new Set(places)].toSorted();
}
