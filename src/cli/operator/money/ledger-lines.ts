import { type Command, InvalidArgumentError } from 'commander';
import { type BusinessTime, businessTimeArgument, codeArgument, countArgument } from '#cli/arguments.ts';
import { OperatorError } from '#cli/failure.ts';
import {
  ACCOUNT_HELP,
  accountArgument,
  columns,
  entryArgument,
  LIMIT_MAX,
  requireEntry,
  sided,
} from '#cli/operator/money/ledger-words.ts';
import {
  choosePlatformReader,
  choosePlatformWork,
  findResourceWork,
  type PlatformOptions,
  platformOption,
} from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { printJson, printObject, printRows, reportProgress } from '#cli/print.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { type ExplainedEntry, explainEntry } from '#foundation/explanation/explain-entry.ts';
import { ACTOR_WORDS } from '#foundation/explanation/words.ts';
import {
  type BookEntry,
  type BookLine,
  type EntryLine,
  listEntryLines,
  listLines,
  loadBalances,
} from '#foundation/journal/lines-store.ts';
import type { OwnCurrencies } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface AccountOptions extends PlatformOptions {
  currency?: string;
  after?: BusinessTime;
  before?: BusinessTime;
  limit: number;
  cursor?: BookLine['position'];
}

/** Adds `ledger account`: a page of an account's lines. */
export function addAccountLines(ledger: Command): void {
  ledger
    .command('account')
    .description('print the lines of an account, the newest first, with the balance after each')
    .argument('<account>', 'the account', accountArgument)
    .option('--currency <code>', 'only this currency; needed if the account has several', codeArgument)
    .option('--after <time>', 'only lines from this time on', businessTimeArgument)
    .option('--before <time>', 'only lines up to this time', businessTimeArgument)
    .option('--limit <count>', 'print at most this many', countArgument(1, LIMIT_MAX), 100)
    .option('--cursor <cursor>', 'continue after a previous page', cursorArgument)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', `${ACCOUNT_HELP}\n\nExample:\n  $ corridor ledger account SUSPENSE:EUR --after 30d`)
    .action((account: string, options: AccountOptions) =>
      asOperator((operator) => printAccount(operator, account, options)),
    );
}

async function printAccount(operator: Operator, account: string, options: AccountOptions): Promise<void> {
  const reader = await choosePlatformReader(operator, options);
  const { limit, cursor: before } = options;
  const { currency, lines } = await reader.read(async (tx) => {
    const only = options.currency ?? (await onlyCurrency(tx, account));
    const [from, until] = [options.after?.(tx.now), options.before?.(tx.now)];
    const wanted = { account, currency: only, limit: limit + 1, before, from, until };
    return { currency: only, lines: await listLines(tx, wanted) };
  });
  await operator.audit({ action: 'ledger account', platformId: reader.platform.id });
  const own = reader.platform.ownCurrencies;
  const shown = lines.slice(0, limit);
  const { json = false } = options;
  printRows(
    shown.map((line) => (json ? jsonOf(line, currency) : lineRow(line, currency, own))),
    { json, none: 'No lines.' },
  );
  const last = shown.at(-1);
  if (lines.length > limit && last)
    reportProgress(`There are more: add --cursor ${last.position.map(packed).join('~')}`);
}

async function onlyCurrency(tx: ReadTx, account: string): Promise<string> {
  const balances = await loadBalances(tx, account, { at: tx.now });
  const [only, ...others] = balances.map(({ currency }) => currency);
  if (only === undefined)
    throw new OperatorError(`${account} has no lines ("corridor ledger accounts" lists accounts).`);
  if (others.length === 0) return only;
  throw new OperatorError(
    `${account} has several currencies: add --currency (${[only, ...others].join(', ')}).`,
  );
}

function lineRow(line: BookLine, currency: string, own: OwnCurrencies) {
  return {
    at: line.at,
    entry: line.seq.toString(),
    kind: line.kind,
    ...columns(line.amount, currency, own),
    balance: sided(line.balance, currency, own),
    transaction: line.transaction_id,
  };
}

function jsonOf(line: BookLine, currency: string) {
  return {
    at: line.at,
    entry: publicId('JournalEntry', line.entry_id),
    seq: line.seq.toString(),
    kind: line.kind,
    transactionId: line.transaction_id,
    currency,
    amount: line.amount.toString(),
    balance: line.balance.toString(),
  };
}

/** Adds `ledger entry`. */
export function addEntry(ledger: Command): void {
  ledger
    .command('entry')
    .description('print an entry with its lines, its transaction and who caused it')
    .argument('<entry>', 'its id, or its number in the journal', entryArgument)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor ledger entry JournalEntry:0190a5d2-…')
    .action((entry: string, options: PlatformOptions) =>
      asOperator((operator) => printEntry(operator, entry, options)),
    );
}

async function printEntry(operator: Operator, name: string, options: PlatformOptions): Promise<void> {
  const work = await entryWork(operator, name, options);
  const { SERVICE } = await import('#app/compose.ts');
  const { entry, lines, explained } = await work.read(async (tx) => {
    const entry = await requireEntry(tx, name);
    return {
      entry,
      lines: await listEntryLines(tx, entry),
      explained: await explainEntry(tx, SERVICE, entry),
    };
  });
  const id = publicId('JournalEntry', entry.id);
  await operator.audit({ action: 'ledger entry', platformId: work.platform.id, resource: id });
  const found = { ...presentEntry(entry), ...explained };
  if (options.json) printJson({ ...found, lines: lines.map(plainLine) });
  else printFound(found, lines, work.platform.ownCurrencies);
}

type FoundEntry = ReturnType<typeof presentEntry> & ExplainedEntry;

function printFound(
  { transaction, cause, ...entry }: FoundEntry,
  lines: EntryLine[],
  own: OwnCurrencies,
): void {
  const who = [ACTOR_WORDS[cause.actor.kind], cause.actor.actorId, cause.action, cause.requestId];
  printObject(
    {
      ...entry,
      transaction: transaction && `${transaction.id} (${transaction.type} ${transaction.status})`,
      causedBy: who.filter((part) => part !== undefined).join(', '),
    },
    { json: false },
  );
  const rows = lines.map(({ account, currency, amount, balance }) => ({
    account,
    ...columns(amount, currency, own),
    balanceAfter: balance === null ? undefined : sided(balance, currency, own),
  }));
  printRows(rows, { json: false, none: 'No lines.' });
}

function plainLine({ amount, balance, ...line }: EntryLine) {
  return { ...line, amount: amount.toString(), balance: balance?.toString() ?? null };
}

function presentEntry(entry: BookEntry) {
  const idOf = (uuid: Id<'JournalEntry'> | null) => uuid && publicId('JournalEntry', uuid);
  return {
    id: publicId('JournalEntry', entry.id),
    seq: entry.seq.toString(),
    kind: entry.kind,
    createdAt: entry.created_at.toISOString(),
    recordedAt: entry.recorded_at.toISOString(),
    reverses: idOf(entry.reverses),
    reversedBy: idOf(entry.reversed_by),
    hash: entry.hash,
  };
}

function entryWork(operator: Operator, name: string, options: PlatformOptions): Promise<Work> {
  if (/^\d+$/.test(name)) return choosePlatformWork(operator, options);
  return findResourceWork(operator, options, 'JournalEntry', name);
}

/** A position is a time, a number and a line. */
function cursorArgument(text: string): BookLine['position'] {
  const [at = '', seq = '', lineNo = ''] = text.split('~');
  const time = new Date(`${at}`);
  if (!Number.isNaN(time.getTime()) && /^\d{1,18}$/.test(seq) && /^\d{1,4}$/.test(lineNo))
    return [at, seq, lineNo];
  throw new InvalidArgumentError('It must be a cursor that the previous page printed.');
}

function packed(part: string): string {
  return part.replace(' ', 'T');
}
