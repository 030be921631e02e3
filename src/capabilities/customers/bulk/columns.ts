/** The columns of customers.md §2.5.28, and their positions in a file. Pure. */

/** Required in every header and every row. */
export const COMMON_COLUMNS = [
  'umaAddress',
  'platformCustomerId',
  'customerType',
  'addressLine1',
  'city',
  'state',
  'postalCode',
  'country',
] as const;

/** Required in rows of the type; a header may omit them if no row has that type. */
export const TYPE_COLUMNS = {
  INDIVIDUAL: ['fullName', 'birthDate'],
  BUSINESS: ['businessLegalName'],
} as const;

/** `platformAccountId` and `description` are accepted and ignored, like unknown columns. */
const OPTIONAL_COLUMNS = ['addressLine2', 'email', 'phoneNumber', 'region'] as const;

const OPTIONAL_TYPE_COLUMNS = {
  INDIVIDUAL: [],
  BUSINESS: [
    'businessRegistrationNumber',
    'businessTaxId',
    'businessIncorporatedOn',
    'primaryContactFirstName',
    'primaryContactLastName',
  ],
} as const;

const COLUMNS = [...columnsOf('INDIVIDUAL'), ...columnsOf('BUSINESS')];

export type RowType = keyof typeof TYPE_COLUMNS;

export type Column =
  | (typeof COMMON_COLUMNS)[number]
  | (typeof OPTIONAL_COLUMNS)[number]
  | (typeof TYPE_COLUMNS)[RowType][number]
  | (typeof OPTIONAL_TYPE_COLUMNS)[RowType][number];

export function columnsOf(type: RowType): readonly Column[] {
  return [...COMMON_COLUMNS, ...TYPE_COLUMNS[type], ...OPTIONAL_COLUMNS, ...OPTIONAL_TYPE_COLUMNS[type]];
}

/** The position of each known column, and how many fields a complete row has. */
export interface Columns {
  readonly at: Readonly<Partial<Record<Column, number>>>;
  readonly count: number;
}

/** Why a file cannot be imported at all (customers.md §2.5.30). */
export class FileError extends Error {
  override name = 'FileFault';
  readonly details: Readonly<Record<string, string | number>>;

  constructor(reason: string, details: Readonly<Record<string, string | number>>) {
    super(reason);
    this.details = details;
  }
}

/** Messages contain only known column names: in a file without a header the first row is personal data. */
export function readHeader(cells: readonly string[]): Columns {
  const names = cells.map((cell) => cell.trim());
  const at: Partial<Record<Column, number>> = {};
  for (const column of new Set(COLUMNS)) {
    const place = names.indexOf(column);
    if (place < 0) continue;
    if (names.indexOf(column, place + 1) >= 0) {
      const details = { reason: 'duplicate_column', column };
      throw new FileError(`The header names the column ${column} twice.`, details);
    }
    at[column] = place;
  }
  const missing = COMMON_COLUMNS.find((column) => at[column] === undefined);
  if (missing !== undefined) {
    const details = { reason: 'missing_required_column', column: missing };
    throw new FileError(`The header has no column ${missing}.`, details);
  }
  return { at, count: cells.length };
}
