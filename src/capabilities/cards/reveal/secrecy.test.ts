// lane: whole — makes database clusters of its own

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { describeApi } from '#app/compose.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { attachEmbedded } from '#foundation/database/embedded/embedded.ts';
import { sql } from '#foundation/database/sql.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { detailsIn, type RevealedDetails } from '#tests/given/cards.ts';
import { command } from '#tests/harness/command-line.ts';
import { type Server, serve } from '#tests/harness/corridor-process.ts';
import { createTestDatabase } from '#tests/harness/databases.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';
import { numbersIn, searchFiles } from '#tests/harness/number-search.ts';
import { prepareDataFolder } from '#tests/harness/prepared-data-folder.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';
import { allRows } from '#tests/harness/table-contents.ts';

/** Passes Luhn's check, and is placed in a free-text field of the platform: the search has to find it. */
const PLANTED = '4000001234567899';
const CLIENT = { id: 'a'.repeat(32), secret: randomBytes(24).toString('hex') };
const PAGE_HOST = 'https://cards.example.com';
/** The words of a name: `panEmbedUrl` → pan, embed, url. */
const wordsOf = (name: string) => name.split(/(?=[A-Z])|[_.-]/).map((word) => word.toLowerCase());
const CODE_WORDS = /^(cvv2?|cvc2?|cvn|csc|cid|cav)$/;

interface Card {
  readonly id: string;
}

describe('secrecy of card numbers', () => {
  describe('a running service', () => {
    let folder: string;
    let receiver: Receiver;
    let server: Server;
    /** Every JSON answer of the API, with the called path. */
    const replies: { path: string; text: string }[] = [];
    const printed: string[] = [];
    const addresses: string[] = [];

    before(async () => {
      folder = await prepareDataFolder(await mkdtemp(join(tmpdir(), 'corridor-numbers-')));
      receiver = await createReceiver();
      server = await start();
    });
    after(async () => {
      await stop();
      await receiver.close();
      await rm(folder, { recursive: true, force: true });
    });

    const environment = () => ({
      DATA_DIR: folder,
      LOG_LEVEL: 'trace',
      API_TOKEN_ID: CLIENT.id,
      API_CLIENT_SECRET: CLIENT.secret,
      FIRST_PLATFORM_REGULATED: 'true',
      REVEAL_URL: PAGE_HOST,
    });
    const start = () => serve(environment());
    const stop = async () => {
      server.kill('SIGTERM');
      const { stdout, stderr } = await server.finished;
      printed.push(stdout, stderr);
    };
    const operate = async (...words: string[]) => {
      const { code, stdout, stderr } = await command(words, environment());
      printed.push(stdout, stderr);
      assert.equal(code, 0, stderr);
    };

    async function call<Reply = Record<string, unknown>>(
      method: string,
      path: string,
      body?: object,
    ): Promise<Reply> {
      const reply = await fetch(`${server.told.baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`,
          'idempotency-key': randomBytes(8).toString('hex'),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      replies.push({ path, text });
      assert.ok(reply.ok, `${method} ${path}: ${text}`);
      return JSON.parse(text);
    }

    async function look({ id }: Card): Promise<RevealedDetails> {
      const { panEmbedUrl } = await call<{ panEmbedUrl: string }>('POST', `/cards/${id}/reveal`);
      addresses.push(panEmbedUrl);
      assert.ok(
        panEmbedUrl.startsWith(`${PAGE_HOST}/cards/reveal?t=`),
        'cards.md §5.4: it has a host of its own',
      );
      // The address behind its host.
      const page = await fetch(new URL(panEmbedUrl.slice(PAGE_HOST.length), server.told.baseUrl));
      assert.equal(page.status, 200);
      return detailsIn(await page.text());
    }

    async function onDatabase<T>(steps: (database: Database) => Promise<T>): Promise<T> {
      const attached = await attachEmbedded(folder);
      assert.ok(attached);
      const database = openDatabase({ url: attached.url, connectionsMax: 2 });
      try {
        return await steps(database);
      } finally {
        await database.close();
      }
    }

    /** Customers with this many cards, which are used normally. */
    async function givenCards(): Promise<Card[]> {
      await call('PATCH', '/config', { webhookEndpoint: receiver.url });
      // A control: the search must find this name, which is in clear text.
      await call('POST', '/tokens', { name: PLANTED, permissions: ['VIEW'] });
      const customer = await call('POST', '/customers', {
        customerType: 'INDIVIDUAL',
        fullName: `Ada Lovelace ${PLANTED.match(/.{4}/g)?.join('-')}`,
      });
      const { data } = await call(
        'GET',
        `/customers/internal-accounts?currency=USD&customerId=${customer.id}`,
      );
      const [{ id: fundingSource }] = data as [{ id: string }];
      await call('POST', `/sandbox/internal-accounts/${fundingSource}/fund`, { amount: 1_000_000 });
      const cards: Card[] = [];
      for (const platformCardId of ['first', 'second', 'third', PLANTED]) {
        cards.push(
          await call<Card>('POST', '/cards', {
            customerId: customer.id,
            platformCardId,
            form: 'VIRTUAL',
            fundingSource,
          }),
        );
      }
      await call('POST', '/sandbox/clock/advance', { seconds: 1 });
      return cards;
    }

    async function buy(cardId: string): Promise<void> {
      const path = `/sandbox/cards/${cardId}/simulate`;
      const purchase = { amount: 1_250, currency: { code: 'USD' }, merchant: { descriptor: 'CORNER BOOKS' } };
      await call('POST', `${path}/authorization`, purchase);
      await call('POST', `${path}/authorization`, {
        ...purchase,
        merchant: { descriptor: 'CORNER BOOKS 002' },
      });
      await call('POST', `${path}/financial_authorization`, purchase);
      await call('POST', '/sandbox/clock/advance', { seconds: 1 });
      const { data } = await call('GET', `/transactions?cardId=${cardId}`);
      const rows = data as { id: string; status: string }[];
      const open = rows.find(({ status }) => status === 'AUTHORIZED');
      await call('POST', `${path}/clearing`, { cardTransactionId: open?.id, amount: 1_250 });
      await call('POST', '/sandbox/clock/advance', { seconds: 1 });
      await call('POST', `${path}/return`, { cardTransactionId: open?.id, amount: 250 });
      await call('POST', '/sandbox/clock/advance', { seconds: 1 });
    }

    it('cards.md §5.7, §5.1: after a full life cycle no number is in any file or table of the database, log, webhook, reply or output', async () => {
      const cards = await givenCards();
      // The name of a token is stored in clear text, so that the search has something to find.
      await call('POST', '/tokens', { name: PLANTED, permissions: ['VIEW'] });
      const shown = new Map<string, RevealedDetails>();
      for (const card of cards) shown.set(card.id, await look(card));
      const numbers = [...shown.values()].map(({ pan }) => pan);
      assert.equal(new Set(numbers).size, cards.length);
      for (const { id } of cards) await buy(id);
      const [first, second, ...others] = cards;
      assert.ok(first && second);
      await call('PATCH', `/cards/${second.id}`, { status: 'FROZEN', reason: 'lost' });
      await look(second);
      const found: string[] = [];
      const lookIntoTables = () =>
        onDatabase(async (database) => {
          for (const { table, text } of await allRows(database)) {
            const here = numbersIn(Buffer.from(text), [...numbers, PLANTED]);
            found.push(...here.map((number) => `${number === PLANTED ? 'planted' : number} in ${table}`));
          }
          return database.query<{ id: string; pan: Buffer | null; pan_hash: Buffer }>(sql`
            select id, pan, pan_hash from cards order by id`);
        });
      const before = await lookIntoTables();

      // After a rotation of both keys, the same cards have the same numbers and codes.
      await stop();
      await operate('keys', 'rotate', '--new-master', '--reason', 'a test', '--yes');
      server = await start();
      const rotated = await lookIntoTables();
      for (const [i, { pan, pan_hash }] of rotated.entries()) {
        assert.ok(pan && before[i]?.pan);
        // The cardholder's own key seals the value, before and after.
        const [holder, ...others] = readReferences(pan);
        assert.ok(holder && others.length === 0);
        assert.equal(holder.person, readReferences(before[i].pan)[0]?.person);
        assert.deepEqual(pan_hash, before[i].pan_hash);
      }
      for (const card of cards) assert.deepEqual(await look(card), shown.get(card.id));

      for (const { id } of [first, ...others]) await call('PATCH', `/cards/${id}`, { status: 'CLOSED' });
      for (const path of ['/cards', `/cards/${first.id}`, '/transactions?type=CARD']) await call('GET', path);
      await call('POST', '/sandbox/clock/advance', { seconds: 2 * 24 * 3_600 });
      const after = await lookIntoTables();
      assert.equal(after.filter(({ pan }) => pan !== null).length, 1);
      await operate('audit', 'list', '--json');
      await operate('ledger', 'verify');
      await operate('card', 'list', '--json');
      await operate('card', 'show', second.id, '--json');
      await stop();

      assert.deepEqual([...new Set(found)].sort(), ['planted in public.tokens']);
      const inFiles = await searchFiles(folder, (bytes) => numbersIn(bytes, [...numbers, PLANTED]));
      assert.deepEqual([...new Set([...inFiles.values()].flat())], [PLANTED], [...inFiles.keys()].join(', '));
      assert.ok(
        [...inFiles.keys()].some((path) => path.includes('pg_wal')),
        'the log of the database was searched',
      );
      assert.ok(
        [...inFiles.keys()].some((path) => path.includes('/base/')),
        'the tables were searched',
      );
      assert.ok(receiver.types().includes('CARD_TRANSACTION.SETTLED'));
      const told = receiver.received.map(({ raw }) => raw);
      const elsewhere = {
        told,
        replies: replies.map(({ text }) => Buffer.from(text)),
        printed: printed.map(asBytes),
      };
      for (const [where, texts] of Object.entries(elsewhere)) {
        const planted = texts.flatMap((bytes) => numbersIn(bytes, [...numbers, PLANTED]));
        assert.deepEqual([...new Set(planted)], where === 'printed' ? [] : [PLANTED], where);
      }

      // An address is only in the reply that returned it.
      const tokens = addresses.map((address) => address.split('?t=')[1] ?? '');
      const everywhere = [
        ...told,
        ...elsewhere.printed,
        ...replies.filter(isNoReveal).map(({ text }) => asBytes(text)),
      ];
      for (const token of tokens) assert.ok(!everywhere.some((bytes) => bytes.includes(token)));
      const kept = await searchFiles(folder, (bytes) => tokens.filter((token) => bytes.includes(token)));
      assert.deepEqual([...kept.keys()], []);
      server = await start();
    });

    it('cards.md §5.7: no field of the log is meant for a number or a security code', async () => {
      const lines = printed.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{"level"'));
      const fields = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))));
      for (const field of fields) {
        assert.ok(
          !wordsOf(field).some((word) => word === 'pan' || word === 'card' || CODE_WORDS.test(word)),
          field,
        );
      }
      const ofRequests = lines.filter((line) => line.includes('"method":"')).map((line) => JSON.parse(line));
      assert.ok(ofRequests.length > 20);
      const usual = ['level', 'time', 'requestId', 'operation', 'method', 'path', 'status', 'ms', 'msg'];
      const known = [...usual, 'platform', 'idempotency', 'code'];
      for (const line of ofRequests) {
        assert.deepEqual(
          Object.keys(line).filter((field) => !known.includes(field)),
          [],
        );
        assert.deepEqual(
          usual.filter((field) => !(field in line)),
          [],
        );
      }
    });
  });

  it('the search finds a number however it is written', () => {
    const groups = PLANTED.match(/.{4}/g) ?? [];
    const packed = Buffer.alloc(8);
    packed.writeBigUInt64LE(BigInt(PLANTED));
    const forms = [
      PLANTED,
      groups.join(' '),
      groups.join('-'),
      [...PLANTED].join('.'),
      `{"a":"${PLANTED}"}`,
      Buffer.from(PLANTED, 'utf16le'),
      Buffer.from(PLANTED).toString('hex'),
      ...['', 'x', 'xy'].map((before) => Buffer.from(`${before}${PLANTED}"}`).toString('base64')),
      Buffer.from(PLANTED, 'hex'),
      packed,
      Buffer.from(Uint16Array.from(groups.map(Number)).buffer),
    ];
    for (const form of forms) {
      const bytes = Buffer.concat([
        Buffer.from('before '),
        Buffer.from(form as string),
        Buffer.from(' after'),
      ]);
      assert.deepEqual(numbersIn(bytes, [PLANTED, '4000009876543210']), [PLANTED], String(form));
    }
    assert.deepEqual(numbersIn(Buffer.from(`1${PLANTED} ${PLANTED.slice(1)}`), [PLANTED]), []);
  });

  it('cards.md §5.7: no column is meant for a security code, and the stored part of an address has no room for one', async (t) => {
    const files = await createTestDatabase();
    const client = new pg.Client({ connectionString: files.url });
    await client.connect();
    t.after(async () => {
      await client.end();
      await files.drop();
    });
    const { rows } = await client.query<{ table_name: string; column_name: string }>(`
      select table_name, column_name from information_schema.columns where table_schema = 'public'`);
    assert.ok(rows.length > 300);
    const named = rows.filter(({ column_name: name }) => wordsOf(name).some((word) => CODE_WORDS.test(word)));
    assert.deepEqual(named, []);
    const columnsOf = (table: string) =>
      rows.flatMap(({ table_name, column_name }) => (table_name === table ? [column_name] : [])).sort();
    assert.deepEqual(columnsOf('card_reveals'), [
      'actor',
      'card_id',
      'created_at',
      'expires_at',
      'platform_id',
      'token_hash',
    ]);
    const ofNumbers = rows.filter(({ column_name: name }) => wordsOf(name).includes('pan'));
    assert.deepEqual(ofNumbers.map((row) => `${row.table_name}.${row.column_name}`).sort(), [
      'cards.pan',
      'cards.pan_hash',
    ]);
  });

  it('cards.md §5.7: no member of a request, reply or event is a number or a security code, except the address of the page', () => {
    const names = new Set<string>();
    const collect = (value: unknown): void => {
      if (value === null || typeof value !== 'object') return;
      const { properties } = value as { properties?: unknown };
      if (properties !== null && typeof properties === 'object')
        for (const name of Object.keys(properties)) names.add(name);
      for (const member of Object.values(value)) collect(member);
    };
    collect(describeApi(wireNames('Svc'), TEST_DOMAINS));
    assert.ok(names.size > 300 && names.has('last4'));
    const secret = [...names].filter((name) =>
      wordsOf(name).some(
        (word, i, words) => word === 'pan' || CODE_WORDS.test(word) || isCardNumber(words, i),
      ),
    );
    assert.deepEqual(secret, ['panEmbedUrl']);
  });

  it('cards.md §5.7: the security code is made in one place and goes to one page', async () => {
    const users: string[] = [];
    for await (const path of glob('src/**/*.{ts,sql}')) {
      if (path.endsWith('.test.ts')) continue;
      if (/security_?code/i.test(await readFile(path, 'utf8'))) users.push(path);
    }
    const allowed = [
      'src/app/log.ts',
      'src/capabilities/cards/reveal/page.ts',
      'src/capabilities/cards/reveal/show-card.ts',
    ];
    assert.deepEqual(users.sort(), allowed);
  });
});

function isCardNumber(words: readonly string[], i: number): boolean {
  return words[i] === 'card' && words[i + 1] === 'number';
}

function isNoReveal({ path }: { readonly path: string }): boolean {
  return !path.endsWith('/reveal');
}

function asBytes(text: string): Buffer {
  return Buffer.from(text);
}
