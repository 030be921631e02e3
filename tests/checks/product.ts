import assert from 'node:assert/strict';
import Type, { type Static } from 'typebox';
import { availAccountOf, holdAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { postEntry, requireActive } from '#capabilities/accounts/post-entry.ts';
import { checkCanMoveMoney } from '#capabilities/accounts/rules.ts';
import { findVisibleAccount, listPlatformAccounts } from '#capabilities/accounts/store.ts';
import {
  combineFilters,
  EXCLUDED,
  optionalFilter,
  type PresentedTransaction,
  type TransactionSource,
} from '#capabilities/payments/transactions/sources.ts';
import { dayPeriod } from '#foundation/counters/count.ts';
import { useCounter } from '#foundation/counters/store.ts';
import type { Database } from '#foundation/database/database.ts';
import { versionedRows } from '#foundation/database/rows.ts';
import { sql } from '#foundation/database/sql.ts';
import { Change, type Changes, type ReadTx } from '#foundation/database/tx.ts';
import { emit, emitFacts } from '#foundation/events/emit.ts';
import type { Renderer } from '#foundation/events/handlers.ts';
import { type Gate, type GateResult, PASSED } from '#foundation/http/declare/gates.ts';
import { type NamedOperation, operation } from '#foundation/http/declare/operation.ts';
import { type SharedPlan, subject } from '#foundation/http/declare/plan.ts';
import { Reply } from '#foundation/http/idempotency/reply.ts';
import { keysetPage, pageRequest } from '#foundation/http/paging.ts';
import type { Perform } from '#foundation/http/perform/perform.ts';
import { component, page, pageQuery } from '#foundation/http/schema.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { NIL_ID, parseId, publicId } from '#foundation/lib/ids.ts';
import { isFinal, notFound, Refusal, refuse } from '#foundation/lib/refusals.ts';

/**
 * A product that is added without a change of the service: tabs. Opening one puts money of an account on hold, and it is
 * cleared in parts, which go to the platform. Large tabs have to be signed. If an agent clears more than a threshold, the
 * action waits for the platform's approval, and then the worker executes it.
 */
export async function makeTables(database: Database): Promise<void> {
  await database.query(sql`
    create table tabs (
      platform_id uuid not null, id uuid not null, version bigint not null, account uuid not null,
      receiver uuid not null, currency text not null, held bigint not null check (held >= 0), parts integer not null,
      created_at timestamptz not null, primary key (platform_id, id))`);
  await database.query(sql`create index on tabs (platform_id, created_at desc, id desc)`);
  await database.query(sql`
    create table tab_actions (
      platform_id uuid not null, id uuid not null, version bigint not null, tab uuid not null, amount bigint not null,
      status text not null, created_at timestamptz not null, primary key (platform_id, id))`);
  await database.query(sql`
    create table tab_signatures (
      platform_id uuid not null, id uuid not null, version bigint not null, is_used boolean not null,
      primary key (platform_id, id))`);
}

interface TabRow {
  platform_id: string;
  id: TransactionId;
  version: bigint;
  account: string;
  receiver: string;
  currency: string;
  held: bigint;
  parts: number;
  created_at: Date;
}

interface ActionRow {
  platform_id: string;
  id: string;
  version: bigint;
  tab: string;
  amount: bigint;
  status: 'PENDING_APPROVAL' | 'APPROVED' | 'DONE' | 'FAILED';
  created_at: Date;
}

interface SignatureRow {
  platform_id: string;
  id: string;
  version: bigint;
  is_used: boolean;
}

const TABS = versionedRows<TabRow>({
  table: 'tabs',
  fixed: {
    account: 'uuid',
    receiver: 'uuid',
    currency: 'text',
    created_at: 'timestamptz',
  },
  state: { held: 'bigint', parts: 'integer' },
});

const ACTIONS = versionedRows<ActionRow>({
  table: 'tab_actions',
  fixed: { tab: 'uuid', amount: 'bigint', created_at: 'timestamptz' },
  state: { status: 'text' },
});

const SIGNATURES = versionedRows<SignatureRow>({
  table: 'tab_signatures',
  fixed: {},
  state: { is_used: 'boolean' },
});

const Tab = component('Tab', {
  id: Type.String(),
  currency: Type.String(),
  held: Type.Integer(),
  parts: Type.Integer(),
});
const TabRequest = component('TabRequest', {
  accountId: Type.String(),
  amount: Type.Integer({ minimum: 1 }),
});
const TabClearing = component('TabClearing', { amount: Type.Integer({ minimum: 1 }) });
const TabAction = component('TabAction', { id: Type.String(), status: Type.String() });
const TabChallenge = component('TabChallenge', { requestId: Type.String() });
const TabQuery = pageQuery({});
const TabPage = page('TabPage', Tab);

type Tab = Static<typeof Tab>;

function presentTab({ id, currency, held, parts }: TabRow): Tab {
  return { id: publicId('Card', id), currency, held: Number(held), parts };
}

/** The daily limit of each agent and each platform for clearing. */
const DAILY_LIMIT = 1_000n;
/** A tab above this amount has to be signed. */
const SIGNED_FROM = 5_000n;
/** A clearing by an agent above this amount has to be approved. */
const APPROVED_FROM = 100n;

const amountSubject = subject<bigint>('amount of a tab');

async function prepareTab(tx: ReadTx, body: Static<typeof TabRequest>): Promise<SharedPlan<Tab> | Refusal> {
  const account = await findVisibleAccount(tx, parseId('InternalAccount', body.accountId) ?? NIL_ID);
  if (!account) return notFound('ACCOUNT_NOT_FOUND', 'internal account');
  const refused = checkCanMoveMoney(account);
  if (refused) return refused;
  const { currency } = account;
  const [receiver] = await listPlatformAccounts(tx, { currency });
  assert.ok(receiver);
  const held = BigInt(body.amount);
  const [platform_id, id] = [tx.platformId, tx.newId<'Transaction'>()];
  const row: TabRow = {
    ...{ platform_id, id, version: 1n, account: account.id, receiver: receiver.id, currency, held, parts: 0 },
    created_at: tx.now,
  };
  const change = new Change(tx);
  change.collect(TABS.writer, { from: undefined, row });
  const moved = { currency, amount: held };
  postEntry(change, {
    kind: 'card.hold_adjusted',
    transactionId: id,
    lines: [
      { account: availAccountOf(account.id), side: 'DEBIT', ...moved },
      { account: holdAccountOf(account.id), side: 'CREDIT', ...moved },
    ],
  });
  requireActive(change, account.id);
  tell(change, 'CARD_TRANSACTION.AUTHORIZED', row);
  return { change, answer: presentTab(row), refusalFor: refusalOf, subjects: [amountSubject.of(held)] };
}

async function findTab(tx: ReadTx, id: Id): Promise<TabRow> {
  const [row] = await tx.sql<TabRow>`
    select ${TABS.columns('t')} from tabs t where t.platform_id = ${tx.platformId} and t.id = ${id}`;
  if (!row) throw notFound('NOT_FOUND', 'tab');
  return row;
}

/** Clears one more part of the hold; the daily limit of `owner` counts. */
async function prepareClearing(
  tx: ReadTx,
  tabId: Id,
  amount: bigint,
  owner: string,
): Promise<SharedPlan<Tab>> {
  const before = await findTab(tx, tabId);
  if (before.held < amount) refuse('INSUFFICIENT_FUNDS', 'The tab does not hold as much.');
  const row = {
    ...before,
    version: before.version + 1n,
    held: before.held - amount,
    parts: before.parts + 1,
  };
  const change = new Change(tx);
  change.collect(TABS.writer, { from: before.version, row });
  const moved = { currency: row.currency, amount };
  postEntry(change, {
    kind: 'card.cleared',
    transactionId: row.id,
    ordinal: row.parts,
    lines: [
      { account: holdAccountOf(row.account), side: 'DEBIT', ...moved },
      { account: availAccountOf(row.receiver), side: 'CREDIT', ...moved },
    ],
  });
  useCounter(change, {
    name: `TABS:${owner}`,
    period: dayPeriod(tx),
    value: [amount, 1n],
    limit: DAILY_LIMIT,
  });
  tell(change, 'CARD_TRANSACTION.PARTIALLY_SETTLED', row);
  return { change, answer: presentTab(row), refusalFor: refusalOf, subjects: [amountSubject.of(amount)] };
}

function refusalOf({ name }: { readonly name: string }): Refusal | undefined {
  if (name === 'insufficient') return new Refusal('INSUFFICIENT_FUNDS', 'The account has not as much.');
  if (name === 'limit') return new Refusal('DAILY_VOLUME_LIMIT_EXCEEDED', 'That is more than a day allows.');
  return undefined;
}

function tell(
  changes: Changes,
  type: 'CARD_TRANSACTION.AUTHORIZED' | 'CARD_TRANSACTION.PARTIALLY_SETTLED',
  row: TabRow,
) {
  const facts = { id: row.id, currency: row.currency, held: Number(row.held) };
  emitFacts(changes, { type, resourceId: publicId('Card', row.id), facts });
}

export const renderTabs: Renderer = async ({ platform }, events) =>
  events.map(({ facts }) => {
    const { id, currency, held } = facts as { id: string; currency: string; held: number };
    return { id: publicId('Card', id), held: presentAmount(BigInt(held), currency, platform.ownCurrencies) };
  });

const ALL = { area: 'Tabs', access: 'transact' } as const;

const openTab = operation('openTab', {
  ...ALL,
  route: 'POST /tabs',
  summary: 'Open a tab',
  body: TabRequest,
  status: 201,
  reply: Tab,
  otherReplies: { 202: TabChallenge },
  codes: ['ACCOUNT_NOT_FOUND', 'USER_NOT_READY', 'INSUFFICIENT_FUNDS', 'UNAUTHORIZED'],
  prepare: (tx, { body }) => prepareTab(tx, body),
});

export const clearTab = operation('clearTab', {
  ...ALL,
  route: 'POST /tabs/:tabId/clearings',
  callers: ['token', 'agent', 'worker'],
  summary: 'Clear a part of a tab',
  params: { tabId: { id: 'Card', missing: 'NOT_FOUND' } },
  body: TabClearing,
  status: 201,
  reply: Tab,
  otherReplies: { 202: TabAction },
  codes: ['INSUFFICIENT_FUNDS', 'DAILY_VOLUME_LIMIT_EXCEEDED'],
  prepare: (tx, { caller, params, body }) =>
    prepareClearing(tx, params.tabId, BigInt(body.amount), caller.kind === 'agent' ? caller.id : 'all'),
});

const CARRY_OUT = 'tabs.carry-out';

async function findAction(tx: ReadTx, id: string): Promise<ActionRow> {
  const [row] = await tx.sql<ActionRow>`
    select ${ACTIONS.columns('t')} from tab_actions t where t.platform_id = ${tx.platformId} and t.id = ${id}`;
  if (!row) throw notFound('NOT_FOUND', 'action');
  return row;
}

function presentAction({ id, status }: ActionRow): Static<typeof TabAction> {
  return { id: publicId('AgentAction', id), status };
}

const approve = operation('approveTabAction', {
  ...ALL,
  route: 'POST /tab-actions/:actionId/approve',
  summary: 'Approve what an agent wants to clear',
  params: { actionId: { id: 'AgentAction', missing: 'NOT_FOUND' } },
  status: 202,
  reply: TabAction,
  codes: ['CONFLICT'],
  async prepare(tx, { params }) {
    const before = await findAction(tx, params.actionId);
    if (before.status !== 'PENDING_APPROVAL') return new Refusal('CONFLICT', `It is ${before.status}.`);
    const row: ActionRow = { ...before, version: before.version + 1n, status: 'APPROVED' };
    return {
      async commit(tx) {
        tx.collect(ACTIONS.writer, { from: before.version, row });
        schedule(tx, { kind: CARRY_OUT, key: row.id, payload: { action: row.id }, dueAt: tx.now });
        return presentAction(row);
      },
    };
  },
});

const list = operation('listTabs', {
  area: 'Tabs',
  route: 'GET /tabs',
  summary: 'List tabs',
  access: 'view',
  query: TabQuery,
  reply: TabPage,
  codes: [],
  read: (tx, { query }) =>
    keysetPage(
      tx,
      pageRequest('listTabs', query),
      { columns: TABS.columns('t'), from: sql`tabs t`, where: [sql`t.platform_id = ${tx.platformId}`] },
      presentTab,
    ),
});

export const TAB_OPERATIONS: NamedOperation[] = [openTab, clearTab, approve, list];

/** The first leg returns the payload to sign. The second leg uses the signature up in its commit. */
const signatures: Gate = {
  name: 'signatures',
  async check(tx, { operation, plan, input }) {
    if (operation.id !== 'openTab' || (amountSubject.in(plan) ?? 0n) <= SIGNED_FROM) return PASSED;
    const [platform_id, id] = [tx.platformId, tx.newId<'Transaction'>()];
    const sent = input.request?.headers['request-id'];
    if (sent === undefined) {
      const change = new Change(tx);
      const row = { platform_id, id, version: 1n, is_used: false };
      change.collect(SIGNATURES.writer, { from: undefined, row });
      return { passes: false, instead: { change, answer: new Reply(202, { requestId: id }) } };
    }
    const [row] = await tx.sql<SignatureRow>`
      select ${SIGNATURES.columns('t')} from tab_signatures t where t.platform_id = ${platform_id} and t.id = ${sent}`;
    if (!row || row.is_used) refuse('UNAUTHORIZED', 'Request-Id does not match a pending challenge');
    const used = { ...row, version: row.version + 1n, is_used: true };
    return {
      passes: true,
      alsoCommit: (changes) => changes.collect(SIGNATURES.writer, { from: row.version, row: used }),
    };
  },
};

/**
 * A clearing by an agent above the threshold waits for the platform. The worker executes approved actions, and commits
 * the completion together with the effect: so it happens once, however often and late the worker retries.
 */
const approvals: Gate = {
  name: 'approvals',
  async check(tx, { operation, plan, input }) {
    const amount = amountSubject.in(plan) ?? 0n;
    if (operation.id !== 'clearTab') return PASSED;
    if (input.caller.kind === 'worker') return approved(tx, input.caller.id);
    if (input.caller.kind !== 'agent' || amount <= APPROVED_FROM) return PASSED;
    const change = new Change(tx);
    const { tabId } = input.params as { tabId: string };
    const row: ActionRow = {
      ...{ platform_id: tx.platformId, id: tx.newId(), version: 1n, tab: tabId, amount },
      status: 'PENDING_APPROVAL',
      created_at: tx.now,
    };
    change.collect(ACTIONS.writer, { from: undefined, row });
    const data = presentAction(row);
    emit(change, { type: 'AGENT_ACTION.PENDING_APPROVAL', resourceId: data.id, data });
    return { passes: false, instead: { change, answer: new Reply(202, data) } };
  },
};

async function approved(tx: ReadTx, actionId: string): Promise<GateResult> {
  const before = await findAction(tx, actionId);
  if (before.status !== 'APPROVED') refuse('CONFLICT', `It is ${before.status}.`);
  const row: ActionRow = { ...before, version: before.version + 1n, status: 'DONE' };
  return {
    passes: true,
    alsoCommit: (changes) => changes.collect(ACTIONS.writer, { from: before.version, row }),
  };
}

export const TAB_GATES: Gate[] = [signatures, approvals];

/** A temporary refusal or a failure leaves the action unchanged, and the job is retried. */
export function tabJobs(perform: Perform): JobDeclarations {
  return {
    [CARRY_OUT]: {
      due: () => ({ sentence: 'An approved action is carried out.' }),
      async call(work, { payload }) {
        const row = await work.read((tx) => findAction(tx, (payload as { action: string }).action));
        if (row.status !== 'APPROVED') return async () => undefined;
        const isDone = await perform(clearTab, {
          caller: { kind: 'worker', id: row.id, platform: work.platform },
          params: { tabId: row.tab },
          body: { amount: Number(row.amount) },
        }).then(
          () => true,
          (error: unknown) => {
            if (error instanceof Refusal && isFinal(error)) return false;
            throw error;
          },
        );
        const failed: ActionRow = { ...row, version: row.version + 1n, status: 'FAILED' };
        return async (tx) => {
          if (!isDone) tx.collect(ACTIONS.writer, { from: row.version, row: failed });
        };
      },
    },
  };
}

/** Tabs appear among payments in the list of transactions. */
export const tabSource: TransactionSource = {
  table: 'tabs',
  columns: ['id', 'currency', 'held', 'parts', 'created_at'],
  search: (_tx, filters) => ({
    alternatives: combineFilters([
      ...optionalFilter(filters.type, (type) => (type === 'CARD' ? [sql`true`] : EXCLUDED)),
      ...optionalFilter(filters.status, () => EXCLUDED),
      ...optionalFilter(filters.reference, () => EXCLUDED),
    ]),
  }),
  present: presentInList,
  async find(tx, id) {
    const [row] = await tx.query<TabRow>(sql`
      select ${TABS.columns('t')} from tabs t where t.platform_id = ${tx.platformId} and t.id = ${id}`);
    return row && presentInList(tx, row);
  },
};

function presentInList(tx: ReadTx, row: TabRow): PresentedTransaction {
  return {
    type: 'CARD',
    id: publicId('Card', row.id),
    held: presentAmount(row.held, row.currency, tx.platform.ownCurrencies),
  } as unknown as PresentedTransaction;
}
