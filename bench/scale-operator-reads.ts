import { sql } from '#foundation/database/sql.ts';
import type { OperatorCaller, TokenCaller } from '#foundation/http/caller.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import type { Call } from '#foundation/http/perform/perform.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { type Contestant, callers } from './rounds.ts';
import type { FilledTransactions } from './scale-transactions-fill.ts';
import type { World } from './world.ts';

const CLIENTS = 8;
/** How many times as much a list of operators may cost as the API's own list. */
const BUDGET = 1.3;
/** There is one open item of each kind for this many payments. */
const PER_OPEN_ITEM = 20;

/** The lists of the platforms' API that show the same records. All others are compared with its list of payments. */
const OWN_LISTS: Readonly<Record<string, string>> = {
  listAllAgents: 'listAgents',
  listAllCards: 'listCards',
  listAllCustomers: 'listCustomers',
  listAllExternalAccounts: 'listCustomerExternalAccounts',
  listAllInternalAccounts: 'listInternalAccounts',
  listAllInvitations: 'listInvitations',
  listAllRequests: 'listRequestLogs',
  listAllStablecoins: 'listStablecoins',
  listAllTokens: 'listTokens',
  listAllWebhooks: 'listEvents',
};
const PAYMENTS = 'listTransactions';

interface Read {
  readonly name: string;
  readonly read: () => Promise<unknown>;
  /** The read of the API with which it is compared. */
  readonly like?: string;
}

/** Reads of operators on a platform with these payments, beside the reads of the platforms' API. */
export async function operatorReads(
  world: World,
  filled: FilledTransactions,
  label: string,
): Promise<Contestant[]> {
  await fillOpenItems(world, filled);
  await fillBooks(world);
  return [...apiReads(world, filled), ...operatorCalls(world, filled)].map(({ name, read, like }) => ({
    name: `${name}, ${label}`,
    unit: 'read',
    ...(like !== undefined && { against: [{ name: `API: ${like}, ${label}`, budget: 1 / BUDGET }] }),
    round: (ms: number) => callers(CLIENTS, ms, read),
  }));
}

function apiReads({ app, work, tokenId }: World, filled: FilledTransactions): Read[] {
  const caller: TokenCaller = {
    ...{ kind: 'token', id: tokenId as Id<'Token'>, platform: work.platform },
    permissions: ['VIEW', 'TRANSACT', 'MANAGE'],
  };
  const perform = performing(app.perform, app.operations, caller);
  return [
    ...[PAYMENTS, ...Object.values(OWN_LISTS)].map((id) => ({
      name: `API: ${id}`,
      read: () => perform(id, { query: { limit: 20 } }),
    })),
    { name: 'API: search', read: () => perform('search', { query: { q: searched(filled) } }) },
  ];
}

function operatorCalls({ app, work }: World, filled: FilledTransactions): Read[] {
  const { platform } = work;
  const caller: OperatorCaller = {
    ...{ kind: 'operator', id: publicId('Operator', newUuid()), platform, roles: EVERY_ROLE },
    session: { id: newUuid<'OperatorSession'>(), steppedUpAt: new Date() },
  };
  const perform = performing(app.perform, app.operatorOperations, caller);
  const ask = (id: string, query: object, rest: Partial<Call> = {}) =>
    perform(id, { query: { ...query }, ...rest });
  const own = { platform: platform.id };
  const lists = app.operatorOperations.filter(({ id }) => id.startsWith('listAll')).map(({ id }) => id);
  const [first = ''] = filled.transactionIds;
  const middle = new Date((filled.firstAt.getTime() + filled.lastAt.getTime()) / 2).toISOString();
  const book = { params: { id: platform.id } };
  return [
    ...lists.map((id) => ({
      name: `operator: ${id}`,
      read: () => ask(id, { ...own, limit: 20 }),
      like: OWN_LISTS[id] ?? PAYMENTS,
    })),
    {
      name: 'operator: listAllPayments by status',
      read: () => ask('listAllPayments', { ...own, limit: 20, status: 'COMPLETED' }),
      like: PAYMENTS,
    },
    ...['suspense', 'webhooks'].map((kind) => ({
      name: `operator: listWorkItems of ${kind}`,
      read: () => ask('listWorkItems', { ...own, kind }),
      like: PAYMENTS,
    })),
    { name: 'operator: listWork', read: () => ask('listWork', own) },
    { name: 'operator: readFigures', read: () => ask('readFigures', own) },
    { name: 'operator: readSystem', read: () => ask('readSystem', {}) },
    {
      name: 'operator: showPayments',
      read: () => ask('showPayments', {}, { params: { id: first } }),
    },
    {
      name: 'operator: findRecords',
      read: () => ask('findRecords', own, { body: { value: searched(filled) } }),
      // The API's search looks in half as many places, and records nothing.
      like: PAYMENTS,
    },
    {
      name: 'operator: findRecords on all platforms',
      read: () => ask('findRecords', {}, { body: { value: searched(filled) } }),
      like: PAYMENTS,
    },
    {
      name: 'operator: balance as of',
      read: () => ask('getBookBalance', { account: 'AVAIL', at: middle }, book),
      like: PAYMENTS,
    },
    {
      name: 'operator: lines of an account',
      read: () => ask('listBookLines', { account: 'AVAIL', currency: 'USD', createdBefore: middle }, book),
      like: PAYMENTS,
    },
    { name: 'operator: trial balance', read: () => ask('getTrialBalance', own), like: PAYMENTS },
  ];
}

function searched({ references }: FilledTransactions): string {
  return references[Math.floor(Math.random() * references.length)] ?? '';
}

function performing(
  perform: World['app']['perform'],
  operations: readonly NamedOperation[],
  caller: Call['caller'],
) {
  const declared = new Map(operations.map((operation) => [operation.id, operation]));
  return (id: string, call: Partial<Call>) => {
    const found = declared.get(id);
    if (!found) throw new Error(`there is no operation ${id}`);
    return perform(found, { caller, params: {}, query: {}, ...call });
  };
}

/** Adds money in suspense and failed webhooks, which wait for operators. */
async function fillOpenItems({ work, unhurried }: World, filled: FilledTransactions): Promise<void> {
  const { firstAt, lastAt } = filled;
  const { id } = work.platform;
  const seconds = (lastAt.getTime() - firstAt.getTime()) / 1_000;
  const count = Math.ceil(seconds / PER_OPEN_ITEM);
  const at = sql`${firstAt}::timestamptz + n * interval '20 seconds'`;
  await unhurried(sql`
    insert into open_suspense (platform_id, seq, currency, amount, entry, kind, created_at)
    select ${id}, -n, 'USD', 100, gen_random_uuid(), 'receipt.suspended', ${at}
      from generate_series(1, ${count}::integer) n`);
  await unhurried(sql`
    insert into events (platform_id, type, resource_id, facts, created_at, state, finished_at)
    select ${id}, 'CUSTOMER.UPDATED', 'Customer:1', '{}', ${at}, 'EXHAUSTED', ${at}
      from generate_series(1, ${count}::integer) n`);
  await unhurried(sql`vacuum analyze open_suspense`);
  await unhurried(sql`vacuum analyze events`);
}

/** Adds a line for each payment to accounts of one kind, as the worker does. The copied entries have no balances that add up. */
async function fillBooks({ work, unhurried }: World): Promise<void> {
  const { id } = work.platform;
  await unhurried(sql`
    insert into account_lines (platform_id, account, currency, at, seq, line_no, amount, balance)
    select e.platform_id, 'AVAIL', 'USD', e.created_at, e.seq, 0, 1000, 1000 * row_number() over (order by e.created_at, e.seq)
      from ledger_entries e where e.platform_id = ${id} and e.ordinal = 0
    on conflict do nothing`);
  await unhurried(sql`vacuum analyze account_lines`);
}
