import { hash } from 'node:crypto';
import { openFunding } from '#capabilities/accounts/funding-instructions.ts';
import type { WholeStatement } from '#capabilities/statements/read-statement.ts';
import type { CamtVersion, StatementLine } from '#capabilities/statements/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { currencyDecimals, decimalAmount } from '#foundation/lib/currencies.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';
import { type Xml, xml } from '#foundation/lib/xml.ts';

/** The values that a document needs besides the statement. */
export interface CamtTerms {
  readonly version: CamtVersion;
  /** The issuer of the codes for kinds of entries: the service's own name. */
  readonly issuer: string;
  /** Its amounts are the platform's, whose own currencies they may be in. */
  readonly viewer: Pick<ReadTx, 'platform'>;
  readonly iban: string | undefined;
}

/** ISO 20022 knows currencies of three letters and five decimals at most; coins are none of them. */
export function requireIsoCurrency({ platform }: Pick<ReadTx, 'platform'>, currency: string): void {
  const isKnown =
    /^[A-Z]{3}$/.test(currency) && currencyDecimals(currency, platform.ownCurrencies) <= DECIMALS_MAX;
  if (isKnown) return;
  const message = `camt053 has no amounts in ${currency}: ask for csv`;
  throw invalidFields([{ field: 'format', message }]);
}

const DECIMALS_MAX = 5;

/** The IBAN of an account, if money can be paid to it at one. */
export function ibanOf(tx: ReadTx, { account }: Pick<WholeStatement, 'account'>): string | undefined {
  for (const { accountOrWalletInfo } of openFunding(tx, account).instructions) {
    const { iban } = accountOrWalletInfo as { iban?: string };
    if (iban !== undefined) return iban.replaceAll(' ', '');
  }
  return undefined;
}

/** camt.053, the whole period as one statement (bank-files.md §8.4). */
export async function* renderCamt(statement: WholeStatement, terms: CamtTerms): AsyncGenerator<string> {
  const { version } = terms;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>`;
  yield `${headOf(statement, terms).text}\n`;
  for await (const lines of statement.chunks())
    yield lines.map((line) => `${entryOf(line, statement, terms).text}\n`).join('');
  yield '</Stmt></BkToCstmrStmt></Document>\n';
}

function headOf(statement: WholeStatement, { version, iban, viewer }: CamtTerms): Xml {
  const { account, period, opening, closing, isProvisional, madeAt } = statement;
  const { currency } = account;
  const id = statementId(statement, version);
  // A statement that stays as it is has the same bytes whenever it is made.
  const at = (isProvisional ? madeAt : period.end).toISOString();
  const balance = (code: string, day: string, units: bigint) => xml`
    <Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>
      <Amt Ccy="${currency}">${unsigned(units, currency, viewer)}</Amt>
      <CdtDbtInd>${units < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  return xml`
    <GrpHdr><MsgId>${id}</MsgId><CreDtTm>${at}</CreDtTm></GrpHdr>
    <Stmt><Id>${id}</Id><CreDtTm>${at}</CreDtTm>
      <FrToDt><FrDtTm>${period.start.toISOString()}</FrDtTm><ToDtTm>${period.end.toISOString()}</ToDtTm></FrToDt>
      <Acct><Id>${iban === undefined ? xml`<Othr><Id>${bare(account.id)}</Id></Othr>` : xml`<IBAN>${iban}</IBAN>`}</Id>
        <Ccy>${currency}</Ccy></Acct>
      ${balance('OPBD', period.from, opening)}
      ${balance(isProvisional ? 'ITBD' : 'CLBD', period.to, closing)}`;
}

/** Ids are UUIDs without hyphens (bank-files.md §8.4). */
function bare(id: string): string {
  return id.slice(id.indexOf(':') + 1).replaceAll('-', '');
}

function statementId({ account, period: { from, to, zone } }: WholeStatement, version: string): string {
  return hash('sha256', [account.id, from, to, zone, version].join('\n'), 'hex').slice(0, 32);
}

function entryOf(line: StatementLine, { account }: WholeStatement, terms: CamtTerms): Xml {
  const { version, issuer, viewer } = terms;
  const { currency } = account;
  const isAdded = line.direction === 'IN';
  const [id, units] = [bare(line.entryId), unsigned(BigInt(line.amount.amount), currency, viewer)];
  const amount = xml`<Amt Ccy="${currency}">${units}</Amt><CdtDbtInd>${isAdded ? 'CRDT' : 'DBIT'}</CdtDbtInd>`;
  return xml`
    <Ntry><NtryRef>${id}</NtryRef>${amount}
      <Sts>${version === '04' ? 'BOOK' : xml`<Cd>BOOK</Cd>`}</Sts>
      <BookgDt><DtTm>${line.at}</DtTm></BookgDt><ValDt><DtTm>${line.at}</DtTm></ValDt>
      <AcctSvcrRef>${id}</AcctSvcrRef>
      <BkTxCd><Prtry><Cd>${line.kind}</Cd><Issr>${issuer}</Issr></Prtry></BkTxCd>
      <NtryDtls><TxDtls>
        <Refs><AcctSvcrRef>${id}</AcctSvcrRef>
          ${line.transactionId !== undefined && xml`<EndToEndId>${bare(line.transactionId)}</EndToEndId>`}</Refs>
        ${amount}
        ${line.counterparty && partiesOf(line.counterparty, { isAdded, version })}
        ${line.references.length > 0 && xml`<RmtInf>${line.references.map(remittance)}</RmtInf>`}
      </TxDtls></NtryDtls>
      <AddtlNtryInf>${line.description}</AddtlNtryInf></Ntry>`;
}

function remittance(text: string): Xml {
  return xml`<Ustrd>${cut(text, 140)}</Ustrd>`;
}

function partiesOf(
  { name, account }: NonNullable<StatementLine['counterparty']>,
  { isAdded, version }: { readonly isAdded: boolean; readonly version: CamtVersion },
): Xml {
  const named = name !== undefined && xml`<Nm>${cut(name, 140)}</Nm>`;
  const party = named && (version === '04' ? named : xml`<Pty>${named}</Pty>`);
  const other = account !== undefined && idOf(account);
  if (isAdded)
    return xml`<RltdPties>${party && xml`<Dbtr>${party}</Dbtr>`}
      ${other && xml`<DbtrAcct><Id>${other}</Id></DbtrAcct>`}</RltdPties>`;
  return xml`<RltdPties>${party && xml`<Cdtr>${party}</Cdtr>`}
    ${other && xml`<CdtrAcct><Id>${other}</Id></CdtrAcct>`}</RltdPties>`;
}

function idOf(account: string): Xml {
  if (/^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/.test(account)) return xml`<IBAN>${account}</IBAN>`;
  const isOurs = /^(?:Internal|External)Account:/.test(account);
  return xml`<Othr><Id>${cut(isOurs ? bare(account) : account, 34)}</Id></Othr>`;
}

function cut(text: string, most: number): string {
  return Array.from(text).slice(0, most).join('');
}

function unsigned(units: bigint, currency: string, { platform }: Pick<ReadTx, 'platform'>): string {
  return decimalAmount(units < 0n ? -units : units, currency, platform.ownCurrencies);
}
