import type { Static } from 'typebox';
import Type from 'typebox';
import { presentBalance, presentCause, presentEntry, presentLine } from '#foundation/books/present.ts';
import { proofOperations } from '#foundation/books/proof-routes.ts';
import {
  AccountsQuery,
  AtQuery,
  BalanceQuery,
  BalancesAnswer,
  ChecksAnswer,
  Entry,
  HeadsAnswer,
  LinesQuery,
  PageOfAccounts,
  PageOfLines,
  TrialBalanceAnswer,
} from '#foundation/books/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { ExplanationParts } from '#foundation/explanation/explain.ts';
import { explainEntry } from '#foundation/explanation/explain-entry.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { pageRequest, readCursor, requireOrderedBounds, writeCursor } from '#foundation/http/paging.ts';
import {
  addTrialBalances,
  findNamedEntry,
  inBookOrder,
  readBalance,
  readTrialBalance,
  sumByCurrency,
} from '#foundation/journal/books.ts';
import { listPublicKeys } from '#foundation/journal/heads.ts';
import { listDailyHeads } from '#foundation/journal/heads-store.ts';
import {
  type BookEntry,
  type BookLine,
  listAccounts,
  listEntryLines,
  listLines,
} from '#foundation/journal/lines-store.ts';
import { describeChecks, type LedgerCheck } from '#foundation/ledger/checks.ts';
import { ACCOUNT_KINDS } from '#foundation/ledger/kinds.ts';
import { type OwnCurrencies, presentCurrency } from '#foundation/lib/currencies.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound } from '#foundation/lib/refusals.ts';
import { openPlatforms, PLATFORMS_QUERY } from '#foundation/records/open-platforms.ts';

/** Roles that read the books; those of `PROVES` also see what proves them. */
const READS: readonly OperatorRole[] = ['finance', 'treasury'];
const PROVES: readonly OperatorRole[] = [...READS, 'admin'];

const ON_PLATFORM = {
  area: 'Ledger',
  access: 'operator',
  operator: { roles: READS, on: 'resource' },
  params: { id: { id: 'Platform', missing: 'PLATFORM_NOT_FOUND', description: 'The platform.' } },
} as const;

interface Parts extends ExplanationParts {
  readonly ledgerChecks: readonly LedgerCheck[];
}

/** Reads of the books by operators (money.md §13). The commands `corridor ledger …` call the same functions. */
export function bookOperations(parts: Parts) {
  return [
    trialBalance,
    balance,
    accounts,
    lines,
    ...[entryById(parts), entryByNumber(parts)],
    ...[heads, checks(parts)],
    ...proofOperations(PROVES, parts.ledgerChecks),
  ];
}

const trialBalance = operation('getTrialBalance', {
  route: 'GET /ledger/trial-balance',
  area: 'Ledger',
  summary: 'Read the trial balance of one platform, or of all together',
  description:
    'The balances of all kinds of accounts at a business time. In each currency they add up to zero.',
  access: 'operator',
  operator: { roles: READS, on: 'platforms' },
  query: Type.Object({ ...PLATFORMS_QUERY, ...AtQuery.properties }),
  reply: TrialBalanceAnswer,
  codes: ['INVALID_INPUT'],
  async handle(work, { query }) {
    const { readers } = await openPlatforms(work, query);
    const trials = [];
    for (const reader of readers) {
      trials.push(await reader.read((tx) => readTrialBalance(tx, timeOf(tx, query.at))));
    }
    const rows = inBookOrder(addTrialBalances(trials));
    const own: OwnCurrencies = Object.assign({}, ...readers.map(({ platform }) => platform.ownCurrencies));
    const at = trials.map((one) => one.at.getTime());
    return {
      at: new Date(Math.max(...at, 0)).toISOString(),
      isProvisional: trials.some(({ isProvisional }) => isProvisional),
      platforms: readers.length,
      balances: rows.map((row) => presentBalance(row, own)),
      unbalanced: [...sumByCurrency(rows)]
        .filter(([, sum]) => sum !== 0n)
        .map(([currency, sum]) => ({ currency, sum: sum.toString() })),
    };
  },
});

const balance = operation('getBookBalance', {
  ...ON_PLATFORM,
  route: 'GET /platforms/:id/ledger/balance',
  summary: 'Read the balance of an account at a time or after an entry',
  query: BalanceQuery,
  reply: BalancesAnswer,
  codes: ['PLATFORM_NOT_FOUND', 'INVALID_INPUT', 'NOT_FOUND'],
  async read(tx, { query: { account, at, entry } }) {
    requireKnownKind(account);
    if (at !== undefined && entry !== undefined) {
      throw invalidFields([{ field: 'entry', message: 'cannot be combined with at' }]);
    }
    const when = entry === undefined ? timeOf(tx, at) : await requireEntry(tx, bareName(entry));
    const answer = await readBalance(tx, account, when);
    return {
      at: answer.at.toISOString(),
      isProvisional: answer.isProvisional,
      balances: answer.balances.map((row) => presentBalance(row, tx.platform.ownCurrencies)),
    };
  },
});

const accounts = operation('listBookAccounts', {
  ...ON_PLATFORM,
  route: 'GET /platforms/:id/ledger/accounts',
  summary: 'List the accounts of a kind with their balances',
  description: 'In the order of their names.',
  query: AccountsQuery,
  reply: PageOfAccounts,
  codes: ['PLATFORM_NOT_FOUND', 'INVALID_INPUT'],
  async read(tx, { query }) {
    const request = pageRequest('listBookAccounts', query);
    const after = query.cursor === undefined ? undefined : readCursor(tx, request);
    const moment = { at: timeOf(tx, query.at) };
    const rows = await listAccounts(tx, query.kind, moment, {
      after: after as [string, string] | undefined,
      limit: request.limit + 1,
    });
    const shown = rows.slice(0, request.limit);
    const last = shown.at(-1);
    const hasMore = rows.length > shown.length;
    return {
      data: shown.map((row) => presentBalance(row, tx.platform.ownCurrencies)),
      hasMore,
      ...(hasMore && last && { nextCursor: writeCursor(tx, request, [last.account, last.currency]) }),
    };
  },
});

const lines = operation('listBookLines', {
  ...ON_PLATFORM,
  route: 'GET /platforms/:id/ledger/lines',
  summary: 'List the lines of an account, with the balance after each',
  description: 'The newest first.',
  query: LinesQuery,
  reply: PageOfLines,
  codes: ['PLATFORM_NOT_FOUND', 'INVALID_INPUT'],
  async read(tx, { query }) {
    requireKnownKind(query.account);
    requireOrderedBounds(query, [['createdAfter', 'createdBefore']]);
    const request = pageRequest('listBookLines', query);
    const before = query.cursor === undefined ? undefined : readCursor(tx, request);
    const { account, currency, createdAfter, createdBefore } = query;
    const rows = await listLines(tx, {
      ...{ account, currency, limit: request.limit + 1 },
      before: before as BookLine['position'] | undefined,
      from: createdAfter === undefined ? undefined : parseDateTime(createdAfter),
      until: createdBefore === undefined ? undefined : parseDateTime(createdBefore),
    });
    const shown = rows.slice(0, request.limit);
    const last = shown.at(-1);
    const hasMore = rows.length > shown.length;
    return {
      data: shown.map((line) => presentLine(line, currency, tx.platform.ownCurrencies)),
      hasMore,
      ...(hasMore && last && { nextCursor: writeCursor(tx, request, last.position) }),
    };
  },
});

const entryById = (parts: Parts) =>
  operation('getBookEntry', {
    route: 'GET /ledger/entries/:id',
    area: 'Ledger',
    summary: 'Read an entry with its lines and who caused it',
    access: 'operator',
    operator: { roles: READS, on: 'resource' },
    params: { id: { id: 'JournalEntry', missing: 'NOT_FOUND', description: 'The entry.' } },
    reply: Entry,
    codes: ['NOT_FOUND'],
    read: (tx, { params: { id } }) => readEntry(tx, parts, id),
  });

const entryByNumber = (parts: Parts) =>
  operation('getBookEntryByNumber', {
    ...ON_PLATFORM,
    route: 'GET /platforms/:id/ledger/entries/:number',
    summary: 'Read an entry by its number in the journal',
    params: { ...ON_PLATFORM.params, number: { text: 'Its number in the platform’s journal.' } },
    reply: Entry,
    codes: ['PLATFORM_NOT_FOUND', 'NOT_FOUND'],
    read: (tx, { params: { number } }) =>
      /^[1-9]\d{0,17}$/.test(number) ? readEntry(tx, parts, number) : notEntry(),
  });

const heads = operation('listJournalHeads', {
  ...ON_PLATFORM,
  route: 'GET /platforms/:id/ledger/heads',
  operator: { roles: PROVES, on: 'resource' },
  summary: 'List the signed ends of a platform’s chain of entries',
  description: 'The last one of each day. `corridor ledger attest` writes them into a file.',
  reply: HeadsAnswer,
  codes: ['PLATFORM_NOT_FOUND'],
  async read(tx) {
    const run = (piece: Parameters<ReadTx['query']>[0]) => tx.query(piece);
    const found = await listDailyHeads(run as never, [tx.platformId]);
    const keys = await listPublicKeys({ query: run as never });
    return {
      heads: found.map(({ seq, entryCount, hash, madeAt, keyId, signature }) => ({
        ...{ seq: seq.toString(), entries: entryCount.toString(), hash, keyId, signature },
        madeAt: madeAt.toISOString(),
      })),
      keys: keys.map((key) => ({ ...key, createdAt: key.createdAt.toISOString() })),
    };
  },
});

const checks = ({ ledgerChecks }: Parts) =>
  operation('listLedgerChecks', {
    route: 'GET /ledger/checks',
    area: 'Ledger',
    summary: 'List what the verification of the ledger proves',
    description: '`corridor ledger verify` and `POST /ledger/proofs` run these checks.',
    access: 'operator',
    operator: { roles: PROVES, on: 'installation' },
    reply: ChecksAnswer,
    codes: [],
    async handle() {
      return {
        checks: describeChecks(ledgerChecks).map(({ place, proves, rule }) => ({ place, proves, rule })),
      };
    },
  });

function timeOf(tx: ReadTx, at: string | undefined): Date {
  return at === undefined ? tx.now : parseDateTime(at);
}

function requireKnownKind(account: string): void {
  if (Object.hasOwn(ACCOUNT_KINDS, account.split(':')[0] ?? '')) return;
  const kinds = Object.keys(ACCOUNT_KINDS).join(', ');
  throw invalidFields([{ field: 'account', message: `must begin with a kind of account: ${kinds}` }]);
}

function bareName(entry: string): string {
  return parseId('JournalEntry', entry) ?? entry;
}

async function requireEntry(tx: ReadTx, name: string): Promise<BookEntry> {
  return (await findNamedEntry(tx, name)) ?? notEntry();
}

function notEntry(): never {
  throw notFound('NOT_FOUND', 'JournalEntry');
}

async function readEntry(tx: ReadTx, parts: Parts, name: string): Promise<Static<typeof Entry>> {
  const entry = await requireEntry(tx, name);
  const own = tx.platform.ownCurrencies;
  const { transaction, cause } = await explainEntry(tx, parts, entry);
  const found = await listEntryLines(tx, entry);
  return {
    ...presentEntry(tx, entry),
    ...(transaction && { transaction }),
    cause: presentCause(cause),
    lines: found.map(({ account, currency, amount, balance: after }) => ({
      ...{ account, currency, decimals: presentCurrency(currency, own).decimals, amount: amount.toString() },
      ...(after !== null && { balance: after.toString() }),
    })),
  };
}
