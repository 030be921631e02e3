import { createHash } from 'node:crypto';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { staleProofs } from '#capabilities/reconciliation/proof-store.ts';
import { hashReferences } from '#capabilities/reconciliation/references.ts';
import type { BankAccount } from '#capabilities/reconciliation/row.ts';
import {
  closeGap,
  findStatement,
  insertLines,
  insertStatement,
  listNeighbours,
  markGap,
  type NewLine,
} from '#capabilities/reconciliation/statement-store.ts';
import type { Statement } from '#foundation/connector-protocol/bank-records.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { peopleOfReport } from '#foundation/person-keys/people.ts';

/** `repeated` and `differs` change nothing; a person sees `differs`. */
export type StatementOutcome = 'stored' | 'repeated' | 'differs';

export interface ReceiveParts {
  readonly run: Run;
  /** The caller fetches keys of people that it misses (`fetchingKeys`). */
  readonly runtime: Pick<Runtime, 'vault' | 'personKeys' | 'clock'>;
  readonly now: Date;
}

/**
 * Stores a statement of a bank, whose lines lead from opening to closing: the reader of the connector's answer, and that of
 * files, have checked it (bank-files.md §5).
 */
export async function receiveStatement(
  parts: ReceiveParts,
  connector: ConnectorRow,
  statement: Statement,
): Promise<StatementOutcome> {
  const { run, now } = parts;
  const account = { connector_id: connector.id, settlement_account: statement.settlementAccount };
  const hash = createHash('sha256').update(canonicalJson(statement)).digest();
  const stored = {
    ...account,
    ...{ id: newUuid() as string, statement_id: statement.id, currency: currencyOf(connector, statement) },
    ...{ first_day: statement.from, last_day: statement.to, content_hash: hash },
    ...{ opening: BigInt(statement.opening), closing: BigInt(statement.closing), received_at: now },
  };
  if (!(await insertStatement(run, stored))) {
    const earlier = await findStatement(run, account, statement.id);
    if (earlier?.content_hash.equals(hash)) return 'repeated';
    const what = 'The bank sends a statement again with other content. The first one counts.';
    const about = `statement ${statement.id}`;
    await openBreak(run, { ...found(connector, about), kind: 'CONTRADICTION', what }, now);
    return 'differs';
  }
  const lines = statement.lines.map((line, place) => toLine(parts, line, { ...stored, place }));
  await insertLines(run, lines);
  await checkNeighbours(parts, connector, account);
  await staleProofs(run, account, { from: statement.from, at: statement.to, currency: stored.currency, now });
  return 'stored';
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
  line: Statement['lines'][number],
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
