import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import { isStorable } from '#foundation/lib/storable.ts';

/** Returns and notifications of change, as an American bank sends them in NACHA files (bank-files.md §4.5). */

export interface NachaNotice {
  readonly line: number;
  /** `RETURN`: the money came back. `CHANGE`: the account's details are to be corrected. */
  readonly kind: 'RETURN' | 'CHANGE';
  /** Such as `R01` or `C01`. */
  readonly code: string;
  /** The trace number of the entry of ours. */
  readonly trace: string;
  /** Cents; 0 in a notification of change. */
  readonly amount: bigint;
}

export interface NachaNotices {
  readonly kind: 'NACHA';
  readonly notices: readonly NachaNotice[];
}

const LINE_CHARACTERS = 94;

interface Counted {
  entries: number;
  hash: bigint;
  debits: bigint;
  credits: bigint;
}

/** The last digit of a code says whether it was a credit (`21`, `31`) or a debit (`26`, `36`). */
const isDebitCode = (code: string) => Number(code[1]) >= 5;

export function readNacha(text: string): NachaNotices {
  const lines = linesOf(text);
  const notices: NachaNotice[] = [];
  const total: Counted = { entries: 0, hash: 0n, debits: 0n, credits: 0n };
  let entry: { amount: bigint } | undefined;
  let isEnded = false;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    requireLine(line, number, isEnded);
    if (isEnded) continue;
    if (line[0] === '6') entry = readEntry(line, number, total);
    if (line[0] === '7') {
      total.entries++;
      notices.push(readAddenda(line, number, entry));
    }
    if (line[0] === '9') {
      isEnded = true;
      checkTotals(line, number, total);
    }
  }
  if (!isEnded) throw new FileFault('it ends before its last record', lines.length);
  return { kind: 'NACHA', notices };
}

/** Splits a file into records. Some banks send them without line ends. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const [only = '', ...others] = lines;
  if (others.length > 0 || only.length % LINE_CHARACTERS !== 0) return lines;
  return only.match(new RegExp(`.{${LINE_CHARACTERS}}`, 'gs')) ?? lines;
}

function requireLine(line: string, number: number, isEnded: boolean): void {
  if (line.length !== LINE_CHARACTERS) {
    throw new FileFault(`a line has ${line.length} characters in place of ${LINE_CHARACTERS}`, number);
  }
  if (!isStorable(line)) throw new FileFault('a line has a character that is no text', number);
  const isRight = number === 1 ? line.startsWith('101') : isEnded ? /^9+$/.test(line) : /^[56789]/.test(line);
  if (!isRight) throw new FileFault('a record is not where it belongs', number);
}

function readEntry(line: string, number: number, total: Counted): { amount: bigint } {
  const amount = readDigits(line.slice(29, 39), number);
  total.entries++;
  total.hash += readDigits(line.slice(3, 11), number);
  if (isDebitCode(line.slice(1, 3))) total.debits += amount;
  else total.credits += amount;
  return { amount };
}

const KINDS = { '99': 'RETURN', '98': 'CHANGE' } as const;

function readAddenda(line: string, number: number, entry: { amount: bigint } | undefined): NachaNotice {
  const kind = KINDS[line.slice(1, 3) as keyof typeof KINDS];
  if (!entry || kind === undefined) {
    throw new FileFault('it has entries that are neither returns nor notifications of change', number);
  }
  return { line: number, kind, code: line.slice(3, 6), trace: line.slice(6, 21), amount: entry.amount };
}

const HASH_MODULUS = 10n ** 10n;

function checkTotals(line: string, number: number, { entries, hash, debits, credits }: Counted): void {
  const found = [BigInt(entries), hash % HASH_MODULUS, debits, credits];
  const said = [line.slice(13, 21), line.slice(21, 31), line.slice(31, 43), line.slice(43, 55)];
  if (said.some((digits, index) => readDigits(digits, number) !== found[index])) {
    throw new FileFault('its totals are not those of its entries', number);
  }
}

function readDigits(text: string, line: number): bigint {
  if (!/^[0-9]+$/.test(text)) throw new FileFault('a number has other characters than digits', line);
  return BigInt(text);
}
