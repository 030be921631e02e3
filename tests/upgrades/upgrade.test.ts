// lane: whole — the real binary, on databases of earlier versions

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { knownMigrations, migrate } from '#foundation/database/migrate.ts';
import { command } from '#tests/harness/command-line.ts';
import { type Environment, type Server, serve } from '#tests/harness/corridor-process.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  personKeysUrl,
  type TestDatabase,
} from '#tests/harness/databases.ts';
import { keptVersions, makeDataDir, restoreKept, SETTINGS } from '#tests/upgrades/kept-database.ts';
import { schemaFacts } from '#tests/upgrades/schema-facts.ts';

const VERSIONS = await keptVersions();

describe('upgrades', () => {
  it('decision 0034: at least one released version is upgraded', () => assert.notEqual(VERSIONS.length, 0));
});

for (const version of VERSIONS) {
  describe(`an upgrade from ${version}`, () => {
    let kept: TestDatabase;
    let dataDir: Awaited<ReturnType<typeof makeDataDir>>;
    let settings: Environment;
    let server: Server | undefined;

    before(async () => {
      kept = await createEmptyDatabase();
      await restoreKept(version, kept.url);
      dataDir = await makeDataDir();
      settings = {
        ...SETTINGS,
        DATABASE_URL: kept.url,
        PERSON_KEYS_URL: personKeysUrl(),
        DATABASE_CONNECTIONS: '4',
        DATA_DIR: dataDir.path,
      };
    });

    after(async () => {
      server?.kill('SIGTERM');
      await server?.finished;
      await dataDir?.remove();
      await kept?.drop();
    });

    it('decision 0034: adds to its migrations, changes none, and leaves all balances and the audit log as they were', async () => {
      const applied = await listMigrations(kept.url);
      const books = await loadBooks(kept.url);
      const known = await knownMigrations();
      assert.deepEqual(known.slice(0, applied.length), applied, 'a new migration comes after those released');
      const { migrations } = await migrate(kept.url);
      assert.deepEqual(migrations, known.slice(applied.length));
      assert.deepEqual(await loadBooks(kept.url), books);
    });

    it('decision 0034: has the schema of a new database afterwards', async () => {
      const fresh = await createTestDatabase();
      const expected = await schemaFacts(fresh.url);
      await fresh.drop();
      const upgraded = await schemaFacts(kept.url);
      assert.deepEqual(
        {
          missing: expected.filter((fact) => !upgraded.includes(fact)),
          left: upgraded.filter((fact) => !expected.includes(fact)),
        },
        { missing: [], left: [] },
      );
    });

    it('decision 0034: serves its data to the old credentials', async () => {
      server = await serve(settings);
      for (const path of LISTS) {
        const { data } = await call<{ data: { id?: string }[] }>('GET', path);
        assert.notEqual(data.length, 0, path);
      }
    });

    it('decision 0034: continues the work under way', async () => {
      await call('POST', '/sandbox/clock/advance', { seconds: 86_400 });
      const { data } = await call<{ data: { status: string }[] }>('GET', '/transactions?limit=100');
      assert.deepEqual(
        data.filter(({ status }) => ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'].includes(status)),
        [],
      );
    });

    it('decision 0034: pays from and to old accounts, and the ledger passes its verification', async () => {
      const { data } = await call<{ data: Payment[] }>(
        'GET',
        '/transactions?type=OUTGOING&status=COMPLETED&limit=100',
      );
      const old = data.find(({ source, destination }) => source.accountId && destination.accountId);
      assert.ok(old?.source.accountId);
      const amount = old.sentAmount.amount;
      await call('POST', `/sandbox/internal-accounts/${old.source.accountId}/fund`, { amount });
      const quote = await call<{ id: string; transactionId: string }>('POST', '/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: old.source.accountId },
        destination: { destinationType: 'ACCOUNT', accountId: old.destination.accountId },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: amount,
      });
      await call('POST', `/quotes/${quote.id}/execute`);
      await call('POST', '/sandbox/clock/advance', { seconds: 5 });
      const paid = await call<{ status: string }>('GET', `/transactions/${quote.transactionId}`);
      assert.equal(paid.status, 'COMPLETED');
      const verified = await command(['ledger', 'verify'], settings);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    });

    async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
      const credentials = Buffer.from(`${SETTINGS.API_TOKEN_ID}:${SETTINGS.API_CLIENT_SECRET}`);
      const reply = await fetch(`${server?.told.baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Basic ${credentials.toString('base64')}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      assert.ok(reply.ok, `${method} ${path}: ${text}`);
      return JSON.parse(text) as T;
    }
  });
}

interface Payment {
  readonly source: { readonly accountId?: string };
  readonly destination: { readonly accountId?: string };
  readonly sentAmount: { readonly amount: number };
}

/** Lists in which every kept database has something. */
const LISTS = [
  '/customers?limit=100',
  '/transactions?limit=100',
  '/customers/internal-accounts?limit=100',
  '/customers/external-accounts?limit=100',
  '/cards?limit=100',
  '/agents?limit=100',
  '/events?limit=100',
  '/webhooks/keys',
  '/tokens',
  '/verifications?limit=100',
  '/documents?limit=100',
  '/request-logs?limit=100',
];

async function listMigrations(url: string): Promise<string[]> {
  const rows = await read<{ name: string }>(url, 'select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
}

/** The figures that an accountant would compare. */
async function loadBooks(url: string): Promise<unknown[]> {
  return read(
    url,
    `select (select json_agg(b order by b) from (select md5(ledger_balances::text) from ledger_balances) b) as balances,
            (select count(*) from ledger_entries) as entries,
            (select json_agg(t order by id) from (select id, status from transactions) t) as payments,
            (select json_agg(a order by id) from (select id, at, action from audit_log) a) as audit`,
  );
}

async function read<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
