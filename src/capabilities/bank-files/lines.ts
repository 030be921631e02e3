import { createHash } from 'node:crypto';
import type { AccountProfile } from '#capabilities/bank-files/profile.ts';
import { asUuid } from '#capabilities/bank-files/row.ts';
import type { ReadDetail, ReadEntry, ReadParty, ReadStatement } from '#foundation/bank-formats/camt.ts';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import { cutText } from '#foundation/lib/storable.ts';

/** Turns the booked entries of a statement into lines (bank-files.md §4.4). Pure. */

export interface Line {
  readonly id: string;
  /** The id is the bank's own, so that the same movement has it in every message. */
  readonly hasOwnId: boolean;
  readonly bookedOn: string;
  readonly valueOn: string | undefined;
  readonly side: 'CREDIT' | 'DEBIT';
  readonly amount: bigint;
  readonly kind: 'PAYMENT' | 'RETURN' | 'CHARGE' | 'INTEREST' | 'OTHER';
  readonly references: readonly string[];
  readonly counterparty: ReadParty;
  readonly remittance: string | undefined;
  readonly endToEndId: string | undefined;
  /** Ids of a file of ours whose orders were booked together. */
  readonly fileIds: readonly string[];
  readonly isReturn: boolean;
  /** The details of the entry do not add up to it. */
  readonly isUnclear: boolean;
  readonly bankReference: string | undefined;
  /** In the file. */
  readonly at: number;
}

export function linesOf(statement: ReadStatement, account: AccountProfile, lastDay: string): Line[] {
  const lines = statement.entries
    .filter(({ isBooked }) => isBooked)
    .flatMap((entry) => split(entry, account, lastDay));
  const used = new Set<string>();
  return lines.map((line, index) => {
    // Two movements with one reference: the reference does not say which is which.
    const isOwn = line.hasOwnId && !used.has(line.id);
    const id = isOwn ? line.id : placedId(statement.id, index);
    if (used.has(id)) throw new FileFault('two lines of the statement have one id', line.at);
    used.add(id);
    return { ...line, id, hasOwnId: isOwn };
  });
}

/** Returns the id of a line to which the bank gave none: its statement and its place in it. */
export function placedId(statementId: string, index: number): string {
  return short(`${statementId}/${index + 1}`);
}

/** Returns the name of the credit that a line brings. */
export function creditIdOf({ id }: Pick<AccountProfile, 'id'>, line: Pick<Line, 'id'>): string {
  return cutText(`${id}:${line.id}`, ID_MAX);
}

const NO_DETAIL: ReadDetail = {
  ...{ reference: undefined, endToEndId: undefined, messageId: undefined, paymentInformationId: undefined },
  ...{ references: [], amount: undefined, side: undefined, isReturn: false, remittance: undefined },
  debtor: { name: undefined, account: undefined },
  creditor: { name: undefined, account: undefined },
};

/** Returns as many lines as details if these add up to the entry, otherwise one. */
function split(entry: ReadEntry, account: AccountProfile, lastDay: string): Line[] {
  if (entry.currency !== account.currency)
    throw new FileFault(`an entry is not in ${account.currency}`, entry.line);
  if (entry.amount === 0n) return [];
  const { details } = entry;
  const [only] = details;
  if (details.length <= 1) return [lineOf(entry, only ?? NO_DETAIL, { lastDay })];
  if (!addUp(entry))
    return [
      lineOf(entry, NO_DETAIL, { lastDay, isUnclear: details.some(({ amount }) => amount !== undefined) }),
    ];
  return details.map((detail, index) => lineOf(entry, detail, { lastDay, place: index + 1 }));
}

function addUp({ details, side, amount }: ReadEntry): boolean {
  const isComplete = details.every((detail) => detail.amount !== undefined && detail.amount > 0n);
  const sum = details.reduce(
    (total, detail) =>
      total + (detail.side === undefined || detail.side === side ? 1n : -1n) * (detail.amount ?? 0n),
    0n,
  );
  return isComplete && sum === amount;
}

interface Place {
  readonly lastDay: string;
  /** The place of the detail in its entry, where an entry has several. */
  readonly place?: number;
  readonly isUnclear?: boolean;
}

function lineOf(entry: ReadEntry, detail: ReadDetail, { lastDay, place, isUnclear = false }: Place): Line {
  const side = (place === undefined ? undefined : detail.side) ?? entry.side;
  const id = idOf(entry, detail, place);
  const isReturn = entry.isReversal || detail.isReturn;
  const fileIds = [
    entry.messageId,
    entry.paymentInformationId,
    detail.messageId,
    detail.paymentInformationId,
  ];
  return {
    ...{ id: short(id ?? ''), hasOwnId: id !== undefined, side, isReturn, isUnclear, at: entry.line },
    amount: (place === undefined ? undefined : detail.amount) ?? entry.amount,
    bookedOn: entry.bookedOn ?? lastDay,
    valueOn: entry.valueOn,
    kind: kindOf(entry, isReturn),
    references: referencesOf(entry, detail),
    counterparty: side === 'CREDIT' ? detail.debtor : detail.creditor,
    remittance: detail.remittance ?? entry.information,
    endToEndId: detail.endToEndId,
    fileIds: fileIds.filter((fileId) => fileId !== undefined),
    bankReference: detail.reference ?? entry.reference,
  };
}

function idOf(entry: ReadEntry, detail: ReadDetail, place: number | undefined): string | undefined {
  if (place === undefined) return entry.reference ?? detail.reference;
  if (detail.reference !== undefined && detail.reference !== entry.reference)
    return [entry.reference, detail.reference].filter((each) => each !== undefined).join('/');
  return entry.reference === undefined ? undefined : `${entry.reference}/${place}`;
}

const ID_MAX = 128;

/** Returns an id that fits a column. A long one keeps its beginning, and gets a hash of the whole. */
function short(id: string): string {
  if (id.length <= ID_MAX) return id;
  return `${cutText(id, 63)}-${createHash('sha256').update(id).digest('hex')}`;
}

/** The bank's codes for charges and interest, in the domain of account management and elsewhere. */
const CHARGES = new Set(['CHRG', 'FEES', 'COMM', 'MCOP', 'COMT']);
const INTEREST = new Set(['INTR']);

function kindOf({ codes, details }: ReadEntry, isReturn: boolean): Line['kind'] {
  if (isReturn) return 'RETURN';
  if (codes.some((code) => CHARGES.has(code))) return 'CHARGE';
  if (codes.some((code) => INTEREST.has(code))) return 'INTEREST';
  return codes.includes('PMNT') || details.length > 0 ? 'PAYMENT' : 'OTHER';
}

const REFERENCE_MAX = 200;

/**
 * Ids of ours as the service writes them, and the bank's as they stand. A line that names one order does not name the file of
 * the order, which other orders share.
 */
function referencesOf(entry: ReadEntry, detail: ReadDetail): string[] {
  const { endToEndId } = detail;
  const isOfOneOrder = endToEndId !== undefined && asUuid(endToEndId) !== undefined;
  const ofFile = [
    ...[detail.paymentInformationId, detail.messageId],
    ...[entry.paymentInformationId, entry.messageId],
  ];
  const all = [
    ...[endToEndId, ...(isOfOneOrder ? [] : ofFile)],
    ...[detail.reference, entry.reference, ...detail.references],
  ];
  const named = all
    .filter((each) => each !== undefined)
    .map((each) => asUuid(each) ?? cutText(each, REFERENCE_MAX));
  return [...new Set(named)];
}
