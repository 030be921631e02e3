import type { WholeStatement } from '#capabilities/statements/read-statement.ts';
import type { StatementLine } from '#capabilities/statements/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { decimalAmount } from '#foundation/lib/currencies.ts';
import { csvCell, csvLine } from '#foundation/records/csv.ts';

const COLUMNS = [
  ...['at', 'description', 'counterparty', 'counterpartyAccount', 'references', 'amount', 'balanceAfter'],
  ...['currency', 'transactionId', 'entryId', 'kind'],
] as const;

/** A row for the opening balance, one for each line, one for the closing balance (bank-files.md §8.4). */
export async function* renderCsv(
  statement: WholeStatement,
  viewer: Pick<ReadTx, 'platform'>,
): AsyncGenerator<string> {
  const { currency } = statement.account;
  const decimal = (units: bigint) => decimalAmount(units, currency, viewer.platform.ownCurrencies);
  const row = (cells: Partial<Record<(typeof COLUMNS)[number], unknown>>) =>
    csvLine(COLUMNS.map((name) => csvCell(cells[name])));
  const balanceRow = (at: Date, description: string, units: bigint) =>
    row({ at, description, balanceAfter: decimal(units), currency });
  const lineRow = ({ counterparty, references, amount, direction, balanceAfter, ...line }: StatementLine) =>
    row({
      ...line,
      counterparty: counterparty?.name,
      counterpartyAccount: counterparty?.account,
      references: references.join(' / '),
      amount: decimal(direction === 'IN' ? BigInt(amount.amount) : -BigInt(amount.amount)),
      balanceAfter: decimal(BigInt(balanceAfter.amount)),
      currency,
    });
  yield csvLine(COLUMNS) + balanceRow(statement.period.start, 'Opening balance', statement.opening);
  for await (const lines of statement.chunks()) yield lines.map(lineRow).join('');
  const closing = statement.isProvisional ? 'Closing balance (provisional)' : 'Closing balance';
  yield balanceRow(statement.period.end, closing, statement.closing);
}
