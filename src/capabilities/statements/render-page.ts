import type { WholeStatement } from '#capabilities/statements/read-statement.ts';
import type { StatementLine } from '#capabilities/statements/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type Html, html, READING_STYLE, renderHtmlPage, renderTime } from '#foundation/http/html-page.ts';
import { decimalAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

const STYLE = `${READING_STYLE}
main { max-width: 62rem; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .5rem; border-bottom: 1px solid var(--line, #ccc); overflow-wrap: anywhere; }
.sum { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
@media print { main { max-width: none; padding: 0; } }
`;

/** The place of the lines in the page, which is sent in pieces. */
const LINES = 'THE-LINES-OF-THE-STATEMENT';

export interface RenderedPage {
  readonly headers: Record<string, string>;
  pieces(): AsyncGenerator<string>;
}

/** One page to print, without scripts; nothing in it is loaded from elsewhere (bank-files.md §8.4). */
export function renderPage(statement: WholeStatement, viewer: Pick<ReadTx, 'platform'>): RenderedPage {
  const { account, period } = statement;
  const { headers, text } = renderHtmlPage({
    status: 200,
    title: `Statement ${period.from} to ${period.to}`,
    style: STYLE,
    body: bodyOf(statement, viewer),
  });
  const [head = '', tail = ''] = text.split(LINES);
  const decimal = (units: bigint) => decimalAmount(units, account.currency, viewer.platform.ownCurrencies);
  return {
    headers,
    async *pieces() {
      yield head;
      for await (const lines of statement.chunks())
        yield lines.map((line) => lineRow(line, decimal).text).join('');
      yield tail;
    },
  };
}

function bodyOf(statement: WholeStatement, { platform }: Pick<ReadTx, 'platform'>): Html {
  const { account, period, opening, closing, isProvisional } = statement;
  const { currency } = account;
  const decimal = (units: bigint) => decimalAmount(units, currency, platform.ownCurrencies);
  const balance = (words: string, units: bigint) =>
    html`<tr><th scope="row" colspan="4">${words}</th><td class="sum">${decimal(units)}</td></tr>\n`;
  return html`<main>
<h1>Account statement</h1>
<p>${platform.name}<br>${publicId('InternalAccount', account.id)}<br>
${period.from} to ${period.to} (${period.zone}), amounts in ${currency}</p>
${isProvisional && html`<p>This statement is provisional: its period has not ended, or ended minutes ago.</p>`}
<table>
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">With whom</th>
<th scope="col" class="sum">Amount</th><th scope="col" class="sum">Balance</th></tr></thead>
<tbody>
${balance('Opening balance', opening)}${LINES}${balance('Closing balance', closing)}</tbody>
</table>
</main>`;
}

function lineRow(line: StatementLine, decimal: (units: bigint) => string): Html {
  const { at, description, counterparty, references, amount, direction, balanceAfter } = line;
  const units = BigInt(amount.amount);
  const whom = [counterparty?.name, counterparty?.account, ...references].filter((one) => one !== undefined);
  return html`<tr><td>${renderTime(new Date(at))}</td><td>${description}</td>
<td>${whom.map((one, place) => [place > 0 && html`<br>`, one])}</td>
<td class="sum">${decimal(direction === 'IN' ? units : -units)}</td><td class="sum">${decimal(BigInt(balanceAfter.amount))}</td></tr>\n`;
}
