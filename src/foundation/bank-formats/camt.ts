import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import { readAmount } from '#foundation/bank-formats/read-amount.ts';
import { find, findAll, needText, textOf, type XmlNode } from '#foundation/bank-formats/xml-reader.ts';
import { isDate } from '#foundation/lib/dates.ts';

/** Statements and notices of a bank, as camt.053, camt.054 and camt.052 (bank-files.md §4.2). */

export const CAMT_MESSAGES = ['camt.052', 'camt.053', 'camt.054'] as const;
export type CamtMessage = (typeof CAMT_MESSAGES)[number];

type Side = 'CREDIT' | 'DEBIT';

/** One transaction within an entry. */
export interface ReadDetail {
  /** The bank's own reference. */
  readonly reference: string | undefined;
  readonly endToEndId: string | undefined;
  readonly messageId: string | undefined;
  readonly paymentInformationId: string | undefined;
  readonly references: readonly string[];
  /** Absent where the bank does not say it in the currency of the account. */
  readonly amount: bigint | undefined;
  readonly side: Side | undefined;
  readonly isReturn: boolean;
  readonly debtor: ReadParty;
  readonly creditor: ReadParty;
  readonly remittance: string | undefined;
}

export interface ReadParty {
  readonly name: string | undefined;
  readonly account: string | undefined;
}

export interface ReadEntry {
  readonly line: number;
  readonly reference: string | undefined;
  readonly side: Side;
  readonly amount: bigint;
  readonly currency: string;
  readonly isBooked: boolean;
  readonly isReversal: boolean;
  readonly bookedOn: string | undefined;
  readonly valueOn: string | undefined;
  /** The bank's codes of what this is: domain, family and sub-family, or its own. */
  readonly codes: readonly string[];
  readonly messageId: string | undefined;
  readonly paymentInformationId: string | undefined;
  readonly details: readonly ReadDetail[];
  readonly information: string | undefined;
}

export interface ReadBalance {
  readonly amount: bigint;
  readonly currency: string;
  readonly day: string | undefined;
  /** Whether the bank gave a moment, which is the midnight at the beginning of the day. */
  readonly isAtMidnight: boolean;
  readonly type: string;
}

export interface ReadStatement {
  readonly line: number;
  readonly id: string;
  readonly account: { readonly iban: string | undefined; readonly number: string | undefined };
  readonly currency: string | undefined;
  readonly bic: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Whether its period ends at the midnight at the beginning of the day `to`. */
  readonly endsAtMidnight: boolean;
  readonly balances: readonly ReadBalance[];
  readonly entries: readonly ReadEntry[];
}

export const CAMT_PIECES: ReadonlySet<string> = new Set(['Ntry', 'Stmt', 'Rpt', 'Ntfctn']);

export function readCamtStatement(node: XmlNode, entries: readonly ReadEntry[]): ReadStatement {
  const account = find(node, 'Acct');
  if (!account) throw new FileFault(`${node.name} has no Acct`, node.line);
  return {
    line: node.line,
    id: needText(node, 'Id'),
    account: {
      iban: textOf(account, 'Id', 'IBAN')?.replaceAll(' ', ''),
      number: textOf(account, 'Id', 'Othr', 'Id'),
    },
    currency: textOf(account, 'Ccy'),
    bic: textOf(account, 'Svcr', 'FinInstnId', 'BICFI') ?? textOf(account, 'Svcr', 'FinInstnId', 'BIC'),
    from: dayOf(find(node, 'FrToDt'), 'FrDtTm') ?? dayOf(find(node, 'FrToDt'), 'FrDt'),
    to: dayOf(find(node, 'FrToDt'), 'ToDtTm') ?? dayOf(find(node, 'FrToDt'), 'ToDt'),
    endsAtMidnight: isMidnight(textOf(node, 'FrToDt', 'ToDtTm')),
    balances: findAll(node, 'Bal').map(readBalance),
    entries,
  };
}

function isMidnight(moment: string | undefined): boolean {
  return /T00:00:00(\.0+)?(?![.0-9])/.test(moment ?? '');
}

function readBalance(node: XmlNode): ReadBalance {
  const { amount, currency } = readMoney(node, find(node, 'Amt'));
  const sign = readSide(node) === 'DEBIT' ? -1n : 1n;
  return {
    amount: sign * amount,
    currency,
    day: dayOf(find(node, 'Dt'), 'Dt') ?? dayOf(find(node, 'Dt'), 'DtTm'),
    isAtMidnight: isMidnight(textOf(node, 'Dt', 'DtTm')),
    type: textOf(node, 'Tp', 'CdOrPrtry', 'Cd') ?? textOf(node, 'Tp', 'CdOrPrtry', 'Prtry') ?? '',
  };
}

export function readCamtEntry(node: XmlNode): ReadEntry {
  const { amount, currency } = readMoney(node, find(node, 'Amt'));
  const side = readSide(node);
  const batch = find(node, 'NtryDtls', 'Btch');
  const status = textOf(node, 'Sts', 'Cd') ?? textOf(node, 'Sts');
  if (status === undefined) throw new FileFault('Ntry has no Sts', node.line);
  const code = find(node, 'BkTxCd');
  return {
    ...{ line: node.line, side, amount, currency },
    reference: referenceOf(textOf(node, 'AcctSvcrRef')),
    isBooked: status === 'BOOK',
    isReversal: textOf(node, 'RvslInd') === 'true' || textOf(node, 'RvslInd') === '1',
    bookedOn: dayOf(find(node, 'BookgDt'), 'Dt') ?? dayOf(find(node, 'BookgDt'), 'DtTm'),
    valueOn: dayOf(find(node, 'ValDt'), 'Dt') ?? dayOf(find(node, 'ValDt'), 'DtTm'),
    codes: [
      textOf(code, 'Domn', 'Cd'),
      textOf(code, 'Domn', 'Fmly', 'Cd'),
      textOf(code, 'Domn', 'Fmly', 'SubFmlyCd'),
      textOf(code, 'Prtry', 'Cd'),
    ].filter((each) => each !== undefined),
    messageId: referenceOf(textOf(batch, 'MsgId')),
    paymentInformationId: referenceOf(textOf(batch, 'PmtInfId')),
    details: findAll(node, 'NtryDtls', 'TxDtls').map((detail) => readDetail(detail, currency)),
    information: textOf(node, 'AddtlNtryInf'),
  };
}

function readDetail(node: XmlNode, currency: string): ReadDetail {
  const refs = find(node, 'Refs');
  const money = find(node, 'Amt') ?? find(node, 'AmtDtls', 'TxAmt', 'Amt');
  const isOwn = money?.attributes.Ccy === currency;
  return {
    reference: referenceOf(textOf(refs, 'AcctSvcrRef')),
    endToEndId: referenceOf(textOf(refs, 'EndToEndId')),
    messageId: referenceOf(textOf(refs, 'MsgId')),
    paymentInformationId: referenceOf(textOf(refs, 'PmtInfId')),
    references: ['InstrId', 'TxId', 'UETR', 'MndtId', 'ChqNb', 'ClrSysRef']
      .map((name) => referenceOf(textOf(refs, name)))
      .filter((each) => each !== undefined),
    amount: money && isOwn ? readMoney(node, money).amount : undefined,
    side: find(node, 'CdtDbtInd') && readSide(node),
    isReturn: find(node, 'RtrInf') !== undefined,
    debtor: readParty(node, 'Dbtr'),
    creditor: readParty(node, 'Cdtr'),
    remittance: remittanceOf(find(node, 'RmtInf')),
  };
}

function readParty(detail: XmlNode, role: 'Dbtr' | 'Cdtr'): ReadParty {
  const parties = find(detail, 'RltdPties');
  const account = find(parties, `${role}Acct`, 'Id');
  return {
    // Later versions put a person or a bank between.
    name: textOf(parties, role, 'Nm') ?? textOf(parties, role, 'Pty', 'Nm'),
    account: (textOf(account, 'IBAN') ?? textOf(account, 'Othr', 'Id'))?.replaceAll(' ', ''),
  };
}

function remittanceOf(node: XmlNode | undefined): string | undefined {
  const free = findAll(node, 'Ustrd').map(({ text }) => text.trim());
  const structured = findAll(node, 'Strd').flatMap((each) => textOf(each, 'CdtrRefInf', 'Ref') ?? []);
  const all = [...free, ...structured].filter((text) => text !== '').join(' ');
  return all === '' ? undefined : all;
}

/** Words that banks write where they have no reference. */
const NO_REFERENCE = new Set(['NONREF', 'NOTPROVIDED', 'NOT PROVIDED', 'NONE', 'NOREF']);

function referenceOf(text: string | undefined): string | undefined {
  return text === undefined || NO_REFERENCE.has(text.toUpperCase()) ? undefined : text;
}

function readMoney(owner: XmlNode, node: XmlNode | undefined): { amount: bigint; currency: string } {
  if (!node) throw new FileFault(`${owner.name} has no Amt`, owner.line);
  const currency = node.attributes.Ccy ?? '';
  const amount = readAmount(node.text, currency);
  if (amount === undefined)
    throw new FileFault(`an amount in ${owner.name} cannot be read exactly`, node.line);
  return { amount, currency };
}

function readSide(node: XmlNode): Side {
  const word = needText(node, 'CdtDbtInd');
  if (word === 'CRDT') return 'CREDIT';
  if (word === 'DBIT') return 'DEBIT';
  throw new FileFault(`CdtDbtInd of ${node.name} is neither CRDT nor DBIT`, node.line);
}

/** The day of a date, or of a time in the zone of the bank. */
function dayOf(node: XmlNode | undefined, name: string): string | undefined {
  const text = textOf(node, name);
  if (text === undefined) return undefined;
  const day = text.slice(0, 10);
  // The calendar of the database has no year 0.
  if (!isDate(day) || day.startsWith('0000')) throw new FileFault(`${name} is no day`, node?.line);
  return day;
}
