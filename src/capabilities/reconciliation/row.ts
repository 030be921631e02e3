/** A settlement account of a connector. */
export interface BankAccount {
  readonly connector_id: string;
  readonly settlement_account: string;
}

export const LINE_KINDS = ['PAYMENT', 'RETURN', 'CHARGE', 'INTEREST', 'OTHER'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** One row of `bank_lines`: theirs. Amounts: above zero, money came in. Days: `YYYY-MM-DD`. */
export interface TheirsRow extends BankAccount {
  id: string;
  line_id: string;
  booked_on: string;
  amount: bigint;
  currency: string;
  kind: LineKind;
  reference_hashes: Buffer[];
  match: string | null;
  matched_on: string | null;
}

/** One row of `bank_ours`: a line of ours on an account `RAIL`. */
export interface OursRow extends BankAccount {
  platform_id: PlatformId;
  seq: bigint;
  line_no: number;
  entry_id: Id<'JournalEntry'>;
  transaction_id: TransactionId | null;
  booked_on: string;
  expected_on: string;
  amount: bigint;
  currency: string;
  reference_hashes: Buffer[];
  match: string | null;
  matched_on: string | null;
}

/** The line that a break is about, as `aboutTheirs` and `aboutOurs` name it. */
export type AboutLine =
  | { readonly whose: 'theirs'; readonly id: string }
  | { readonly whose: 'ours'; readonly entryId: string; readonly lineNo: number };

export function parseAbout(about: string): AboutLine | undefined {
  const [kind, id = '', lineNo = ''] = about.split(' ');
  if (kind === 'line') return { whose: 'theirs', id };
  return kind === 'entry' ? { whose: 'ours', entryId: id, lineNo: Number(lineNo) } : undefined;
}

/** Returns the `about` of a break about a line. */
export function aboutTheirs({ id }: Pick<TheirsRow, 'id'>): string {
  return `line ${id}`;
}

/** Returns the `about` of a break about an unproven day. */
export function aboutProof({
  settlement_account,
  day,
}: Pick<BankAccount, 'settlement_account'> & { readonly day: string }): string {
  return `proof of ${settlement_account} on ${day}`;
}

export function aboutOurs({ entry_id, line_no }: Pick<OursRow, 'entry_id' | 'line_no'>): string {
  return `entry ${entry_id} ${line_no}`;
}

export function sumOf(lines: readonly { readonly amount: bigint }[]): bigint {
  return lines.reduce((sum, { amount }) => sum + amount, 0n);
}
