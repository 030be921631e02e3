import { writeText } from '#foundation/bank-formats/characters.ts';

/** Credits and debits for an American bank, as PPD and CCD entries of a NACHA file (bank-files.md §3.4). */

export interface NachaOriginator {
  /** Ten characters: a blank and the routing number of the bank that gets the file. */
  readonly destination: string;
  readonly destinationName: string;
  /** Ten characters that the bank gave to the sender of files. */
  readonly origin: string;
  readonly originName: string;
  readonly companyName: string;
  /** Ten characters that the bank gave to the company. */
  readonly companyId: string;
  readonly description: string;
  /** The first eight digits of the routing number of the bank that originates. */
  readonly odfi: string;
}

export interface NachaEntry {
  readonly isBusiness: boolean;
  readonly isSavings: boolean;
  readonly routingNumber: string;
  readonly accountNumber: string;
  /** Cents. */
  readonly amount: bigint;
  readonly id: string;
  readonly name: string;
  readonly remittance?: string | undefined;
  /** Seven digits; with the routing number before them, the trace number. */
  readonly sequence: number;
}

export interface NachaFile {
  readonly originator: NachaOriginator;
  readonly isDebit: boolean;
  /** In the zone of the bank: `260302` and `1005`. */
  readonly createdOn: string;
  readonly createdAt: string;
  /** `260303`. */
  readonly effectiveOn: string;
  readonly modifier: string;
  readonly entries: readonly NachaEntry[];
}

export const NACHA_AMOUNT_MAX = 9_999_999_999n;
export const NACHA_TOTAL_MAX = 999_999_999_999n;
export const MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LINES_IN_A_BLOCK = 10;
const HASH_MODULUS = 10n ** 10n;
const CLASSES = [
  { code: 'PPD', isBusiness: false },
  { code: 'CCD', isBusiness: true },
] as const;

export function traceNumber(odfi: string, sequence: number): string {
  return odfi + String(sequence).padStart(7, '0');
}

export function writeNacha(file: NachaFile): Buffer {
  const batches = CLASSES.map(({ code, isBusiness }) => ({
    code,
    entries: file.entries.filter((entry) => entry.isBusiness === isBusiness),
  })).filter(({ entries }) => entries.length > 0);
  const lines = [
    fileHeader(file),
    ...batches.flatMap(({ code, entries }, index) => writeBatch(file, code, entries, index + 1)),
  ];
  const blocks = Math.ceil((lines.length + 1) / LINES_IN_A_BLOCK);
  lines.push(fileControl(file, batches.length, blocks));
  while (lines.length % LINES_IN_A_BLOCK !== 0) lines.push('9'.repeat(94));
  return Buffer.from(`${lines.join('\n')}\n`);
}

function fileHeader({ originator, createdOn, createdAt, modifier }: NachaFile): string {
  const { destination, destinationName, origin, originName } = originator;
  return line(
    ...['1', '01', right(destination, 10), right(origin, 10), createdOn, createdAt, modifier],
    ...['094', '10', '1', left(destinationName, 23), left(originName, 23), left('', 8)],
  );
}

function writeBatch(file: NachaFile, code: string, entries: readonly NachaEntry[], number: number): string[] {
  const { originator, isDebit, createdOn, effectiveOn } = file;
  const { companyName, companyId, description, odfi } = originator;
  const service = isDebit ? '225' : '220';
  return [
    line(
      ...['5', service, left(companyName, 16), left('', 20), left(companyId, 10), code],
      ...[left(description, 10), createdOn, effectiveOn, left('', 3), '1', odfi, digits(number, 7)],
    ),
    ...entries.flatMap((entry) => writeEntry(file, entry)),
    line(
      ...['8', service, ...totals(file, entries, 6), left(companyId, 10), left('', 19), left('', 6)],
      ...[odfi, digits(number, 7)],
    ),
  ];
}

function writeEntry({ originator: { odfi }, isDebit }: NachaFile, entry: NachaEntry): string[] {
  const code = `${entry.isSavings ? '3' : '2'}${isDebit ? '7' : '2'}`;
  const addenda = writeText(entry.remittance ?? '', 'basic', 80);
  return [
    line(
      ...['6', code, entry.routingNumber, left(entry.accountNumber, 17), digits(entry.amount, 10)],
      ...[left(entry.id, 15), left(entry.name, 22), left('', 2), addenda === '' ? '0' : '1'],
      traceNumber(odfi, entry.sequence),
    ),
    ...(addenda === '' ? [] : [line('705', left(addenda, 80), '0001', digits(entry.sequence, 7))]),
  ];
}

function fileControl(file: NachaFile, batches: number, blocks: number): string {
  return line('9', digits(batches, 6), digits(blocks, 6), ...totals(file, file.entries, 8), left('', 39));
}

/** Number of entries and addenda, entry hash, debits, credits. */
function totals({ isDebit }: NachaFile, entries: readonly NachaEntry[], countDigits: number): string[] {
  const addenda = entries.filter(({ remittance }) => writeText(remittance ?? '', 'basic', 80) !== '');
  const hash = entries.reduce((sum, { routingNumber }) => sum + BigInt(routingNumber.slice(0, 8)), 0n);
  const sum = entries.reduce((total, { amount }) => total + amount, 0n);
  return [
    digits(entries.length + addenda.length, countDigits),
    digits(hash % HASH_MODULUS, 10),
    digits(isDebit ? sum : 0n, 12),
    digits(isDebit ? 0n : sum, 12),
  ];
}

function line(...fields: readonly string[]): string {
  const whole = fields.join('');
  if (whole.length !== 94) throw new Error(`a line of ${whole.length} characters in a NACHA file`);
  return whole;
}

function left(text: string, width: number): string {
  return writeText(text, 'basic', width).padEnd(width);
}

/** Names of banks and senders are given with their blank in front. */
function right(text: string, width: number): string {
  return text.trim().slice(0, width).padStart(width);
}

function digits(value: bigint | number, width: number): string {
  const text = value.toString().padStart(width, '0');
  if (text.length > width) throw new Error(`${width} digits of a NACHA file do not hold ${text.length}`);
  return text;
}
