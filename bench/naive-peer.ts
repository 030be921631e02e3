import { createHash, timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';

/**
 * The naive peer: the code that a good engineer writes in an afternoon to execute a quote, with Fastify, pg and prepared
 * statements, one transaction per request. It makes the same promises as the service: credentials checked on every request,
 * idempotency keys with stored replies, double entry, balances that never go below zero, events and work that commit with
 * the payment, an audit row, a daily limit. The benchmark runs it as `naive-peer.ts <database url>`.
 */
// Ten connections, pg's default: with more it is slower, because they wait for each other at the day's volume.
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10, idleTimeoutMillis: 0 });
const app = Fastify();

interface Caller {
  readonly tokenId: string;
  readonly platformId: string;
  readonly dailyLimit: number;
}

/** Ends the transaction and is the reply. */
class Refused extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, code: string) {
    super(code);
    this.statusCode = statusCode;
  }
}

app.post<{ Params: { quoteId: string } }>('/quotes/:quoteId/execute', async (request, reply) => {
  const caller = await authenticate(request);
  const body = await transaction((run) => executeQuote(run, caller, request.params.quoteId, request));
  return reply.type('application/json').send(body);
});

type Run = <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => Promise<Row[]>;

async function transaction<Result>(steps: (run: Run) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await steps(
      async (name, text, values) => (await client.query({ name, text, values })).rows,
    );
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function authenticate({ headers: { authorization = '' } }: FastifyRequest): Promise<Caller> {
  const [clientId, secret = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64')
    .toString()
    .split(':');
  const { rows } = await pool.query({
    name: 'token',
    text: `select t.id, t.platform_id, t.permissions, t.salt, t.secret_hash, p.settings
             from tokens t join platforms p on p.id = t.platform_id
            where t.client_id = $1 and t.revoked_at is null and p.disabled_at is null`,
    values: [clientId],
  });
  const [token] = rows;
  if (!token) throw new Refused(401, 'UNAUTHORIZED');
  const hash = createHash('sha256').update(token.salt).update(secret).digest();
  if (!timingSafeEqual(hash, token.secret_hash)) throw new Refused(401, 'UNAUTHORIZED');
  if (!token.permissions.includes('TRANSACT')) throw new Refused(403, 'FORBIDDEN');
  return { tokenId: token.id, platformId: token.platform_id, dailyLimit: token.settings.dailyLimit };
}

async function executeQuote(
  run: Run,
  caller: Caller,
  quoteId: string,
  request: FastifyRequest,
): Promise<string> {
  const { platformId } = caller;
  const key = [platformId, `POST /quotes/${quoteId}/execute`, request.headers['idempotency-key']];
  const kept = await takeKey(run, key, JSON.stringify(request.body ?? null));
  if (kept !== undefined) return kept;
  const quote = await lockQuote(run, platformId, quoteId);
  const balance = await takeMoney(run, quote);
  await post(run, quote, 'TAKEN', [
    [`AVAIL:${quote.source_account}`, quote.sending_currency, quote.sending_amount],
    [`INFLIGHT:${quote.id}`, quote.sending_currency, -quote.sending_amount],
  ]);
  await post(run, quote, 'CONVERTED', [
    [`INFLIGHT:${quote.id}`, quote.sending_currency, quote.sending_amount],
    [`FX:${quote.sending_currency}`, quote.sending_currency, quote.service_fee - quote.sending_amount],
    [`FEES:${quote.sending_currency}`, quote.sending_currency, -quote.service_fee],
    [`FX:${quote.receiving_currency}`, quote.receiving_currency, quote.receiving_amount],
    [`INFLIGHT:${quote.id}`, quote.receiving_currency, -quote.receiving_amount],
  ]);
  await setProcessing(run, quote);
  await emit(run, quote, balance);
  await run('job', `insert into jobs (platform_id, kind, key, payload) values ($1, 'pay', $2, $3)`, [
    platformId,
    quote.id,
    { id: quote.id },
  ]);
  await run(
    'audit',
    `insert into audit_log (platform_id, actor_id, action, resource, request_id, remote_address)
     values ($1, $2, 'executeQuote', $3, $4, $5)`,
    [platformId, caller.tokenId, quote.id, request.id, request.ip],
  );
  const reply = JSON.stringify(presentQuote(quote));
  await run(
    'keep',
    'update idempotency_keys set status = 200, reply = $4 where platform_id = $1 and scope = $2 and key = $3',
    [...key, reply],
  );
  // Last, since all payments of the corridor wait for this row.
  await addVolume(run, caller, quote);
  return reply;
}

/** The stored reply, if the key was used before. */
async function takeKey(run: Run, key: unknown[], body: string): Promise<string | undefined> {
  const hash = createHash('sha256').update(body).digest();
  const taken = await run(
    'key',
    `insert into idempotency_keys (platform_id, scope, key, body_hash) values ($1, $2, $3, $4)
     on conflict do nothing returning key`,
    [...key, hash],
  );
  if (taken.length > 0) return undefined;
  const [old] = await run<{ body_hash: Buffer; reply: string }>(
    'kept',
    'select body_hash, reply from idempotency_keys where platform_id = $1 and scope = $2 and key = $3',
    key,
  );
  if (!old?.body_hash.equals(hash)) throw new Refused(409, 'IDEMPOTENCY_KEY_REUSED');
  return old.reply;
}

interface Quote {
  readonly platform_id: string;
  readonly id: string;
  readonly quote_id: string;
  readonly customer_id: string;
  readonly source_account: string;
  readonly destination_account: string;
  readonly sending_currency: string;
  readonly sending_amount: bigint;
  readonly receiving_currency: string;
  readonly receiving_amount: bigint;
  readonly service_fee: bigint;
  readonly details: { readonly exchangeRate: number; readonly paymentRail: string };
  readonly status: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly customer_status: string;
  readonly source_status: string;
  readonly destination_status: string;
}

async function lockQuote(run: Run, platformId: string, quoteId: string): Promise<Quote> {
  const [quote] = await run<Quote>(
    'quote',
    `select t.*, c.status as customer_status, i.status as source_status, e.status as destination_status
       from transactions t
       join customers c on c.platform_id = t.platform_id and c.id = t.customer_id
       join internal_accounts i on i.platform_id = t.platform_id and i.id = t.source_account
       join external_accounts e on e.platform_id = t.platform_id and e.id = t.destination_account
      where t.platform_id = $1 and t.quote_id = $2 for update of t`,
    [platformId, quoteId],
  );
  if (!quote) throw new Refused(404, 'QUOTE_NOT_FOUND');
  if (quote.status !== 'PENDING') throw new Refused(409, 'QUOTE_ALREADY_EXECUTED');
  if (quote.expires_at < new Date()) throw new Refused(400, 'QUOTE_EXPIRED');
  if (quote.customer_status !== 'APPROVED') throw new Refused(403, 'CUSTOMER_NOT_APPROVED');
  const isOpen = quote.source_status === 'ACTIVE' && quote.destination_status === 'ACTIVE';
  if (!isOpen) throw new Refused(400, 'ACCOUNT_NOT_ACTIVE');
  return quote;
}

async function takeMoney(run: Run, quote: Quote): Promise<bigint> {
  const [taken] = await run<{ balance: bigint }>(
    'take',
    `update ledger_balances set balance = balance - $4, updated_at = now()
      where platform_id = $1 and account = $2 and currency = $3 and balance >= $4 returning balance`,
    [quote.platform_id, `AVAIL:${quote.source_account}`, quote.sending_currency, quote.sending_amount],
  );
  if (!taken) throw new Refused(400, 'INSUFFICIENT_FUNDS');
  return taken.balance;
}

/** Debits are positive. The sum of each currency must be zero. */
type Line = readonly [account: string, currency: string, amount: bigint];

async function post(run: Run, quote: Quote, kind: string, lines: readonly Line[]): Promise<void> {
  const sums = new Map<string, bigint>();
  for (const [, currency, amount] of lines) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  if ([...sums.values()].some((sum) => sum !== 0n)) throw new Error('the entry does not balance');
  await run(
    'entry',
    `insert into ledger_entries (platform_id, transaction_id, kind, accounts, currencies, amounts)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      quote.platform_id,
      quote.id,
      kind,
      lines.map((l) => l[0]),
      lines.map((l) => l[1]),
      lines.map((l) => l[2]),
    ],
  );
}

async function setProcessing(run: Run, { platform_id, id, receiving_amount }: Quote): Promise<void> {
  await run(
    'processing',
    `update transactions
        set status = 'PROCESSING', executed_at = now(), updated_at = now(), inflight_received = $3
      where platform_id = $1 and id = $2`,
    [platform_id, id, receiving_amount],
  );
}

async function emit(run: Run, quote: Quote, balance: bigint): Promise<void> {
  const account = {
    id: quote.source_account,
    status: 'ACTIVE',
    balance: Number(balance),
    updatedAt: new Date(),
  };
  await run(
    'events',
    `insert into events (platform_id, type, resource_id, payload)
     values ($1, 'OUTGOING_PAYMENT.PROCESSING', $2, $3), ($1, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', $4, $5)`,
    [quote.platform_id, quote.id, presentQuote(quote), quote.source_account, account],
  );
}

async function addVolume(run: Run, { platformId, dailyLimit }: Caller, quote: Quote): Promise<void> {
  const [volume] = await run<{ amount: string }>(
    'volume',
    `insert into payment_volumes as v (platform_id, corridor, day, amount) values ($1, $2, current_date, $3)
     on conflict (platform_id, corridor, day) do update set amount = v.amount + excluded.amount
     returning v.amount`,
    [platformId, `${quote.sending_currency}-${quote.receiving_currency}`, quote.sending_amount],
  );
  if (Number(volume?.amount) > dailyLimit) throw new Refused(400, 'DAILY_LIMIT_REACHED');
}

function presentQuote(quote: Quote) {
  return {
    id: quote.quote_id,
    status: 'PROCESSING',
    createdAt: quote.created_at,
    expiresAt: quote.expires_at,
    source: { sourceType: 'ACCOUNT', accountId: quote.source_account, customerId: quote.customer_id },
    destination: {
      destinationType: 'ACCOUNT',
      accountId: quote.destination_account,
      paymentRail: quote.details.paymentRail,
    },
    sendingCurrency: presentCurrency(quote.sending_currency),
    receivingCurrency: presentCurrency(quote.receiving_currency),
    totalSendingAmount: Number(quote.sending_amount),
    totalReceivingAmount: Number(quote.receiving_amount),
    exchangeRate: quote.details.exchangeRate,
    feesIncluded: Number(quote.service_fee),
    transactionId: quote.id,
  };
}

const NAMES = new Map([
  ['USD', { name: 'United States Dollar', symbol: '$' }],
  ['EUR', { name: 'Euro', symbol: '€' }],
]);

function presentCurrency(code: string) {
  return { code, decimals: 2, ...NAMES.get(code) };
}

// Amounts are integers that may exceed the range of a number.
pg.types.setTypeParser(pg.types.builtins.INT8, BigInt);
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
