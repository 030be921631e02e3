import { randomBytes } from 'node:crypto';
import { corridor, type Environment, launch } from '#tests/harness/corridor-process.ts';
import { createKeyDatabase } from './databases.ts';
import type { LoadProcess } from './load.ts';
import type { Size } from './sizes.ts';
import type { WireRequest } from './wire-client.ts';

/** The service as its users run it: a separate process, used only over HTTP. */
export interface Service extends PlatformOfService {
  readonly pid: number;
  /** Another platform on the same service. */
  addPlatform(options: PlatformOptions): Promise<PlatformOfService>;
}

export interface PlatformOfService {
  readonly origin: string;
  /** The accounts of payers, all of them funded. */
  readonly accounts: readonly string[];
  /** Quotes out of these accounts in turn. */
  makeQuotes(sources: readonly string[], count: number): Promise<string[]>;
  execution(quoteId: string): WireRequest;
  /** Adds this amount to an account. */
  funding(accountId: string, amount: number): WireRequest;
}

export interface PlatformOptions {
  readonly customers: number;
  /** The initial balance of each of their accounts. */
  readonly funds: number;
  readonly dailyUsdCents?: number;
}

export interface ServiceOptions {
  readonly databaseUrl: string;
  readonly load: LoadProcess;
  readonly size: Size;
  readonly closers: (() => Promise<void>)[];
  /** The endpoint for all webhooks; absent: no worker runs, and scheduled work is not done. */
  readonly webhookEndpoint?: string;
}

/** The amount of each payment. */
export const AMOUNT = 1_000;
const FUNDS = 100_000_000_000;

export async function startService(options: ServiceOptions): Promise<Service> {
  const { pid, baseUrl, environment } = await start(options);
  const addPlatform = async (wanted: PlatformOptions) => {
    const authorization = await createPlatform(environment, wanted);
    return openPlatform({ baseUrl, authorization, ...wanted, ...options });
  };
  return { pid, addPlatform, ...(await addPlatform({ customers: options.size.customers, funds: FUNDS })) };
}

type PlatformParts = ServiceOptions & PlatformOptions & Readonly<Record<'baseUrl' | 'authorization', string>>;

async function openPlatform(parts: PlatformParts): Promise<PlatformOfService> {
  const { baseUrl, authorization, load, size } = parts;
  const { origin, pathname } = new URL(baseUrl);
  const { accounts, destination } = await openAccounts(parts);
  const post = (path: string, body: object): WireRequest => ({
    method: 'POST',
    path: pathname + path,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const createQuote = (accountId: string) => post('/quotes', quoteBody(accountId, destination));
  return {
    origin,
    accounts,
    makeQuotes(sources, count) {
      const requests = Array.from({ length: count }, (_, i) =>
        createQuote(sources[i % sources.length] as string),
      );
      return load.make({ origin, clients: size.clients, requests });
    },
    execution: (quoteId) => ({
      method: 'POST',
      path: `${pathname}/quotes/${quoteId}/execute`,
      headers: { authorization, 'idempotency-key': quoteId },
    }),
    funding: (accountId, amount) => post(`/sandbox/internal-accounts/${accountId}/fund`, { amount }),
  };
}

export function quoteBody(source: string, destination: string): object {
  return {
    source: { sourceType: 'ACCOUNT', accountId: source },
    destination: { destinationType: 'ACCOUNT', accountId: destination },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: AMOUNT,
  };
}

/** Starts the service on the database. */
async function start({ databaseUrl, closers, webhookEndpoint }: ServiceOptions) {
  const environment = {
    DATABASE_URL: databaseUrl,
    PERSON_KEYS_URL: await createKeyDatabase(databaseUrl),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    // The benchmark would have to read a log line for each request.
    LOG_LEVEL: 'warn',
    PORT: '0',
  };
  const server = await launch(['serve', '--role', webhookEndpoint ? 'all' : 'api'], environment);
  closers.push(async () => {
    server.kill('SIGTERM');
    await server.finished;
  });
  await server.prints(/"baseUrl"/);
  const { baseUrl } = JSON.parse(lineWith(server.output(), '"baseUrl"')) as { baseUrl: string };
  return { pid: server.pid, baseUrl, environment };
}

/** With approved customers, and no limit that a benchmark could reach unless it wants to; how to call it. */
async function createPlatform(environment: Environment, { dailyUsdCents }: PlatformOptions): Promise<string> {
  const settings = [
    'isRegulatedFinancialInstitution=true',
    `limits.default.maxUsdCents=${Number.MAX_SAFE_INTEGER}`,
    `limits.default.dailyUsdCents=${dailyUsdCents ?? Number.MAX_SAFE_INTEGER}`,
  ];
  const words = ['platform', 'create', '--name', 'Bench', '--json'];
  const { code, stdout, stderr } = await corridor(
    [...words, ...settings.flatMap((set) => ['--set', set])],
    environment,
  );
  if (code !== 0) throw new Error(stderr);
  const { clientId, clientSecret } = JSON.parse(stdout) as { clientId: string; clientSecret: string };
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

function lineWith(output: string, part: string): string {
  return output.split('\n').find((line) => line.includes(part)) ?? '';
}

type Call = <Body>(method: 'POST' | 'GET' | 'PATCH', path: string, body?: object) => Promise<Body>;

/** Calls the API; each call must succeed. */
function caller(baseUrl: string, authorization: string): Call {
  return async <Body>(method: string, path: string, body?: object) => {
    const reply = await fetch(baseUrl + path, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as Body;
  };
}

async function openAccounts(parts: PlatformParts) {
  const { baseUrl, authorization, customers, funds, load, webhookEndpoint } = parts;
  const call = caller(baseUrl, authorization);
  const config = webhookEndpoint === undefined ? {} : { webhookEndpoint };
  const opened = await openPayers(call, { customers, funds, config });
  // Earlier events are delivered, too, but the benchmark does not wait for them.
  if (webhookEndpoint) await load.forget();
  return opened;
}

/** Funded accounts, and one outside that takes their payments. */
export async function openPayers(
  call: Call,
  { customers, funds, config }: PlatformOptions & { readonly config: object },
): Promise<{ accounts: string[]; destination: string }> {
  const supportedCurrencies = ['USD', 'EUR'].map((currencyCode) => ({
    currencyCode,
    minAmount: 1,
    maxAmount: 1_000_000_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
  }));
  await call('PATCH', '/config', { supportedCurrencies, ...config });
  const accounts: string[] = [];
  while (accounts.length < customers) accounts.push(await openPayer(call, funds));
  const { id: destination } = await call<{ id: string }>('POST', '/platform/external-accounts', {
    currency: 'EUR',
    accountInfo: {
      accountType: 'EUR_ACCOUNT',
      iban: 'DE89370400440532013000',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Emmy Noether', countryOfResidence: 'DE' },
    },
  });
  return { accounts, destination };
}

/** A customer's account with money in it. */
async function openPayer(call: Call, amount: number): Promise<string> {
  const customer = await call<{ id: string }>('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Ada Lovelace',
    currencies: ['USD'],
  });
  const { data } = await call<{ data: { id: string }[] }>(
    'GET',
    `/customers/internal-accounts?customerId=${customer.id}`,
  );
  const [account] = data;
  if (!account) throw new Error('every customer has an account');
  await call('POST', `/sandbox/internal-accounts/${account.id}/fund`, { amount });
  return account.id;
}
