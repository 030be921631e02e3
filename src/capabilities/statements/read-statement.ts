import { type AccountRow, findAccounts } from '#capabilities/accounts/store.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { describeLines } from '#capabilities/statements/describe-lines.ts';
import { type Period, parsePeriod } from '#capabilities/statements/period.ts';
import type { AccountStatement, StatementLine, StatementQuery } from '#capabilities/statements/schemas.ts';
import {
  listStatementEntries,
  loadMoneyAfter,
  loadMoneyBefore,
  type Place,
  sumStatementEntries,
} from '#capabilities/statements/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type PageRequest, pageRequest, readCursor, writeCursor } from '#foundation/http/paging.ts';
import { isProvisional } from '#foundation/journal/books.ts';
import { findEntry, loadReadState } from '#foundation/journal/lines-store.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound } from '#foundation/lib/refusals.ts';
import type { Reader } from '#foundation/records/read-across.ts';

export async function requireAccount(tx: ReadTx, id: AccountId | undefined): Promise<AccountRow> {
  const [account] = id === undefined ? [] : await findAccounts(tx, [id]);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  return account;
}

/** One page of a statement, with the opening and the closing balance of the whole period (bank-files.md §8.5). */
export async function readStatementPage(
  tx: ReadTx,
  sources: readonly TransactionSource[],
  id: AccountId | undefined,
  query: StatementQuery,
): Promise<AccountStatement> {
  const period = parsePeriod(query);
  const account = await requireAccount(tx, id);
  const request = pageRequest(`accountStatement ${account.id}`, query);
  const after = await readPlace(tx, request);
  const wanted = { period, limit: request.limit + 1, after };
  const [isOpen, opening, closing, found] = await Promise.all([
    isProvisional(tx, period.end),
    loadMoneyBefore(tx, account, period.start),
    loadMoneyBefore(tx, account, period.end),
    listStatementEntries(tx, account, wanted),
  ]);
  const entries = found.slice(0, request.limit);
  const before = after ? await loadMoneyAfter(tx, account, after) : opening;
  const last = entries.at(-1);
  const hasMore = found.length > entries.length;
  return {
    ...presentHead(tx, { account, period, opening, closing, isProvisional: isOpen }),
    data: await describeLines(tx, sources, account, { entries, before }),
    hasMore,
    ...(hasMore && last && { nextCursor: writeCursor(tx, request, [last.entry_id]) }),
  };
}

/** A cursor names the last entry of its page, so that the same page has the same cursor every time. */
async function readPlace(tx: ReadTx, request: PageRequest): Promise<Place | undefined> {
  if (request.cursor === undefined) return undefined;
  const [id = ''] = readCursor(tx, request);
  const entry = await findEntry(tx, { id });
  if (!entry) throw new Error(`no entry ${id}, although a cursor names it`);
  return entry;
}

/** A statement before its lines are read. Amounts are those of its account's currency. */
export interface OpenedStatement {
  readonly account: AccountRow;
  readonly period: Period;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly isProvisional: boolean;
}

export function presentHead(tx: Pick<ReadTx, 'platform'>, opened: OpenedStatement) {
  const { account, period, opening, closing } = opened;
  const amountOf = (units: bigint) => presentAmount(units, account.currency, tx.platform.ownCurrencies);
  return {
    accountId: publicId('InternalAccount', account.id),
    ...{ from: period.from, to: period.to, zone: period.zone },
    ...{ opening: amountOf(opening), closing: amountOf(closing), isProvisional: opened.isProvisional },
  };
}

/** The most lines of a file (bank-files.md §8.5). */
export const LINES_MAX = 100_000;
const CHUNK = 500;

/** A whole statement: its balances, and its lines as they are read. */
export interface WholeStatement extends OpenedStatement {
  /** Business time at which the statement was asked for. */
  readonly madeAt: Date;
  chunks(): AsyncGenerator<readonly StatementLine[]>;
}

/**
 * Opens a statement that is read to its end. It has the entries that were in the books at this moment, so that opening and
 * lines lead to closing, whatever is booked meanwhile.
 */
export async function openStatement(
  reader: Reader,
  sources: readonly TransactionSource[],
  id: AccountId | undefined,
  query: StatementQuery,
): Promise<WholeStatement> {
  const period = parsePeriod(query);
  return reader.read(async (tx) => {
    const account = await requireAccount(tx, id);
    // In this order: if the period is settled, the entries up to the number that is read then include all of it.
    const isOpen = await isProvisional(tx, period.end);
    const { seq: upTo } = await loadReadState(tx);
    const opening = await loadMoneyBefore(tx, account, period.start);
    const { count, sum } = await sumStatementEntries(tx, account, { period, upTo, most: LINES_MAX });
    if (count > LINES_MAX) {
      const message = `the file would have more than ${LINES_MAX.toLocaleString('en')} lines: ask for a shorter period`;
      throw invalidFields([{ field: 'format', message }]);
    }
    const opened = { account, period, opening, closing: opening + sum, isProvisional: isOpen };
    return {
      ...opened,
      madeAt: tx.now,
      chunks: () => readChunks(reader, sources, { ...opened, upTo }),
    };
  });
}

async function* readChunks(
  reader: Reader,
  sources: readonly TransactionSource[],
  { account, period, opening, upTo }: OpenedStatement & { readonly upTo: bigint },
): AsyncGenerator<readonly StatementLine[]> {
  let after: Place | undefined;
  let before = opening;
  for (;;) {
    const wanted = { period, limit: CHUNK, after, upTo };
    const { entries, lines } = await reader.read(async (tx) => {
      const found = await listStatementEntries(tx, account, wanted);
      return {
        entries: found,
        lines: await describeLines(tx, sources, account, { entries: found, before }),
      };
    });
    if (lines.length > 0) yield lines;
    if (entries.length < CHUNK) return;
    before = entries.reduce((sum, { amount }) => sum + amount, before);
    after = entries.at(-1);
  }
}
