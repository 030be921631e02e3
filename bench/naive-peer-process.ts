import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { hashSecret, randomHex } from '#foundation/crypto/secrets.ts';
import type { WireRequest } from './wire-client.ts';

/** The naive peer as the client sees it: quotes out of funded accounts, and how to execute them. */
export interface NaivePeer {
  readonly pid: number;
  readonly origin: string;
  readonly accounts: readonly string[];
  makeQuotes(sources: readonly string[], count: number): Promise<string[]>;
  execution(quoteId: string): WireRequest;
}

export interface PeerOptions {
  /** An empty one. */
  readonly databaseUrl: string;
  readonly closers: (() => Promise<void>)[];
  readonly customers: number;
  /** With as many indexes, checks and guards as the service has, for the same code. */
  readonly isGuarded: boolean;
}

/** Creates the tables and the initial rows, and starts the process. */
export async function startNaivePeer(options: PeerOptions): Promise<NaivePeer> {
  const { databaseUrl, closers, customers, isGuarded } = options;
  const client = new pg.Client({ connectionString: databaseUrl });
  // The server may be restarted after everything is prepared.
  client.on('error', () => undefined);
  await client.connect();
  closers.push(() => client.end());
  const files = isGuarded ? ['naive-peer.sql', 'naive-peer-guards.sql'] : ['naive-peer.sql'];
  for (const file of files) await client.query(await readFile(new URL(file, import.meta.url), 'utf8'));
  const { platformId, authorization } = await addPlatform(client);
  const { accounts, destination } = await addAccounts(client, platformId, customers);
  const makeQuotes = (sources: readonly string[], count: number) =>
    addQuotes(client, { platformId, destination, sources, count });
  // With some rows in every table, plans are made as in normal use.
  await makeQuotes(accounts, 1_000);
  await client.query('analyze');
  const child = fork(fileURLToPath(new URL('naive-peer.ts', import.meta.url)), [databaseUrl], {
    execArgv: ['--max-semi-space-size=8'],
  });
  closers.push(async () => void child.kill());
  const [origin] = (await once(child, 'message')) as [string];
  return {
    pid: child.pid as number,
    origin,
    accounts,
    makeQuotes,
    execution: (quoteId) => ({
      method: 'POST',
      path: `/quotes/${quoteId}/execute`,
      headers: { authorization, 'idempotency-key': quoteId },
    }),
  };
}

async function addPlatform(client: pg.Client) {
  const [clientId, clientSecret] = [randomHex(16), randomHex(32)];
  const { salt, hash } = hashSecret(clientSecret);
  const platform = await client.query(
    `insert into platforms (name, settings) values ('Peer', '{"dailyLimit": 9007199254740991}') returning id`,
  );
  const platformId = platform.rows[0].id as string;
  await client.query(
    `insert into tokens (platform_id, client_id, name, permissions, salt, secret_hash)
     values ($1, $2, 'bench', '{VIEW,TRANSACT,MANAGE}', $3, $4)`,
    [platformId, clientId, salt, hash],
  );
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  return { platformId, authorization };
}

async function addAccounts(client: pg.Client, platformId: string, customers: number) {
  const { rows } = await client.query<{ id: string }>(
    `with owner as (
       insert into customers (platform_id, name, status)
       select $1, 'Ada Lovelace', 'APPROVED' from generate_series(1, $2::integer) returning id),
     account as (
       insert into internal_accounts (platform_id, customer_id, currency, status)
       select $1, id, 'USD', 'ACTIVE' from owner returning id),
     funds as (
       insert into ledger_balances (platform_id, account, currency, balance)
       select $1, 'AVAIL:' || id, 'USD', 100000000000 from account)
     select id from account`,
    [platformId, customers],
  );
  const outside = await client.query(
    `insert into external_accounts (platform_id, currency, status, details)
     values ($1, 'EUR', 'ACTIVE', '{"iban": "DE89370400440532013000"}') returning id`,
    [platformId],
  );
  return { accounts: rows.map(({ id }) => id), destination: outside.rows[0].id as string };
}

interface NewQuotes {
  readonly platformId: string;
  readonly destination: string;
  readonly sources: readonly string[];
  readonly count: number;
}

/** As many fields and bytes as the service stores for a quote. */
async function addQuotes(client: pg.Client, { platformId, destination, sources, count }: NewQuotes) {
  const details = { exchangeRate: 0.92, paymentRail: 'SEPA', railSelection: 'AUTO', lockedAmount: 1_000 };
  const { rows } = await client.query<{ quote_id: string }>(
    `insert into transactions
       (platform_id, customer_id, quote_id, expires_at, source_account, destination_account, sending_currency,
        sending_amount, receiving_currency, receiving_amount, service_fee, details, private)
     select $1, a.customer_id, uuidv7(), now() + interval '5 minutes', a.id, $2, 'USD', 1000, 'EUR', 915, 5, $3,
            decode(repeat('a5', 300), 'hex')
       from generate_series(0, $4::integer - 1) as n
       join internal_accounts a
         on a.platform_id = $1 and a.id = ($5::uuid[])[1 + n % array_length($5::uuid[], 1)]
     returning quote_id`,
    [platformId, destination, details, count, sources],
  );
  return rows.map((row) => row.quote_id);
}
