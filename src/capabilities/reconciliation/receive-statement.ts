import { createHash } from 'node:crypto';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { staleProofs } from '#capabilities/reconciliation/proof-store.ts';
import { hashReferences } from '#capabilities/reconciliation/references.ts';
import type { BankAccount } from '#capabilities/reconciliation/row.ts';
import {
  closeGap,
  type Days,
  findContinued,
  findStatement,
  findStatementBefore,
  insertLines,
  insertStatement,
  listLinesOfDays,
  listNeighbours,
  lockStatements,
  markGap,
  type NewLine,
} from '#capabilities/reconciliation/statement-store.ts';
import type { Statement } from '#foundation/connector-protocol/bank-records.ts';
import {
  balancesFrom,
  judgeStatement,
  movedByAll,
  movementOf,
  nameOf,
  type StatementLine,
} from '#foundation/connector-protocol/repeated-lines.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { peopleOfReport } from '#foundation/person-keys/people.ts';

/** `repeated` and `differs` store nothing; a person sees `differs`. */
export type StatementOutcome = 'stored' | 'repeated' | 'differs';

export interface ReceiveParts {
  readonly run: Run;
  /** The caller fetches keys of people that it misses (`fetchingKeys`). */
  readonly runtime: Pick<Runtime, 'vault' | 'personKeys' | 'clock'>;
  readonly now: Date;
}

/**
 * Stores a statement of a bank, whose lines lead from opening to closing: the reader of the connector's answer, and that of
 * files, have checked it (bank-files.md §5). It leaves out the lines that earlier statements of the same days have. The opening
 * balance is then the one from which the other lines lead to the closing balance.
 */
export async function receiveStatement(
  parts: ReceiveParts,
  connector: ConnectorRow,
  statement: Statement,
): Promise<StatementOutcome> {
  const { run, now } = parts;
  const account = { connector_id: connector.id, settlement_account: statement.settlementAccount };
  const hash = createHash('sha256').update(canonicalJson(statement)).digest();
  await lockStatements(run, account);
  const earlier = await findStatement(run, account, statement.id);
  if (earlier?.content_hash.equals(hash)) return 'repeated';
  if (earlier) {
    await breakAbout(parts, connector, statement);
    return 'differs';
  }
  const added = await findAdded(parts, account, statement);
  if (!added) return 'repeated';
  const stored = {
    ...account,
    ...{ id: newUuid() as string, statement_id: statement.id, currency: currencyOf(connector, statement) },
    ...{ first_day: added.firstDay, last_day: statement.to, content_hash: hash },
    ...{ opening: BigInt(statement.closing) - movedByAll(added.lines), closing: BigInt(statement.closing) },
    received_at: added.receivedAt,
  };
  await insertStatement(run, stored);
  const lines = added.lines.map((line, place) => toLine(parts, line, { ...stored, place }));
  await insertLines(run, lines);
  await checkNeighbours(parts, connector, account);
  // The bank may book on a day before the statement.
  const [from = statement.from] = [statement.from, ...lines.map(({ booked_on }) => booked_on)].toSorted();
  await staleProofs(run, account, { from, at: statement.to, currency: stored.currency, now });
  return 'stored';
}

async function breakAbout(
  { run, now }: ReceiveParts,
  connector: ConnectorRow,
  { id }: Statement,
): Promise<void> {
  const what = 'The bank sends a statement again with other content. The first one counts.';
  await openBreak(run, { ...found(connector, `statement ${id}`), kind: 'CONTRADICTION', what }, now);
}

interface Added {
  readonly lines: readonly StatementLine[];
  readonly firstDay: string;
  /** Orders statements of the same days: each comes after those that were stored before it. */
  readonly receivedAt: Date;
}

/** Finds the lines that are not known yet; undefined if earlier statements contain the whole statement. */
async function findAdded(
  { run, now }: ReceiveParts,
  account: BankAccount,
  statement: Statement,
): Promise<Added | undefined> {
  const { from, to, lines } = statement;
  const before = await findStatementBefore(run, account, { from, to });
  const { names, balances } = await findKnown(run, account, { from, to });
  const isKnown = (line: StatementLine) => names.has(nameOf(movementOf(line)));
  const repeated = lines.filter(isKnown);
  const added = lines.filter((line) => !isKnown(line));
  const known = { closing: before?.closing ?? null, balances };
  const verdict = judgeStatement(statement, { repeated, added }, known);
  if (verdict === 'NOTHING') return undefined;
  const after = (last: Date | null | undefined) =>
    new Date(Math.max(now.getTime(), (last?.getTime() ?? 0) + 1));
  if (verdict === 'WHOLE') return { lines, firstDay: from, receivedAt: after(before?.last_received_at) };
  const closing = BigInt(statement.closing) - movedByAll(added);
  const continued = await findContinued(run, account, { from, to, closing });
  const firstDay = firstDayOf(added, statement, continued?.first_day);
  return { lines: added, firstDay, receivedAt: after(continued?.received_at ?? before?.last_received_at) };
}

/** Returns the first day of the added lines. It must not be before the first day of the continued statement. */
function firstDayOf(added: readonly StatementLine[], { from, to }: Days, continued = from): string {
  const days = added.map(({ bookedOn }) => bookedOn).toSorted();
  const first = [from, days[0] ?? from, continued].toSorted().at(-1) ?? from;
  return first > to ? to : first;
}

/** Finds the movements in earlier statements of these days, and the balances after each of them. */
async function findKnown(run: Run, account: BankAccount, days: Days) {
  const rows = await listLinesOfDays(run, account, days);
  const names = new Set<string>();
  const balances = new Set<bigint>();
  for (const of of Map.groupBy(rows, ({ statement }) => statement).values()) {
    const lines = of.flatMap(({ line }) => line ?? []);
    for (const line of lines) names.add(nameOf(line));
    for (const { opening } of of.slice(0, 1))
      for (const each of balancesFrom(opening, lines)) balances.add(each);
  }
  return { names, balances };
}

function currencyOf({ capabilities }: ConnectorRow, { settlementAccount }: Statement): string {
  const account = capabilities?.settlementAccounts.find(({ id }) => id === settlementAccount);
  if (!account) throw new Error(`the connector has no settlement account ${settlementAccount}`);
  return account.currency;
}

function found({ id }: ConnectorRow, about: string) {
  return { id: newUuid() as string, connectorId: id, platformId: null, about };
}

function toLine(
  { runtime }: ReceiveParts,
  line: StatementLine,
  {
    id: statement,
    place,
    connector_id,
    settlement_account,
    currency,
  }: BankAccount & {
    readonly id: string;
    readonly place: number;
    readonly currency: string;
  },
): NewLine {
  const { references, counterparty, remittance, amount, side, bookedOn, kind } = line;
  const id = newUuid() as string;
  const texts = JSON.stringify({ references, counterparty, remittance });
  return {
    ...{ id, statement, place, connector_id, settlement_account, currency, kind },
    ...{ line_id: line.id, booked_on: bookedOn },
    amount: side === 'CREDIT' ? BigInt(amount) : -BigInt(amount),
    // A receipt in a file has the account in its name (bank-files.md §4.4).
    reference_hashes: hashReferences(runtime.vault, [
      ...[id, line.id, `${settlement_account}:${line.id}`],
      ...references,
    ]),
    texts: runtime.vault.sealFor(peopleOfReport(runtime, []), texts, textsContext(id)),
  };
}

export function textsContext(lineId: string): string {
  return `bank_lines.texts:${lineId}`;
}

/** A statement may close the gap behind it, or come before the one that it continues. */
async function checkNeighbours(
  { run, now }: ReceiveParts,
  connector: ConnectorRow,
  account: BankAccount,
): Promise<void> {
  for (const { id, statement_id, opening, before, has_gap } of await listNeighbours(run, account)) {
    const hasGap = before !== null && before !== opening;
    if (hasGap === has_gap) continue;
    await markGap(run, id, hasGap);
    const about = `gap before ${statement_id}`;
    if (!hasGap) await closeGap(run, { connectorId: connector.id, about }, now);
    else {
      const what =
        `A statement of ${account.settlement_account} opens with ${opening}, ` +
        `and the one before it closed with ${before}. A statement is missing, or the bank changed one.`;
      await openBreak(run, { ...found(connector, about), kind: 'GAP', what, amount: opening - before }, now);
    }
  }
}
