import { COMMON_COLUMNS, type Column, type Columns, TYPE_COLUMNS } from '#customers/bulk/columns.ts';
import type { JudgedBody } from '#customers/create-customer.ts';
import { problem } from '#customers/profile-rules.ts';
import { CustomerCreateRequest } from '#customers/schemas.ts';
import { isStorable } from '#http/body.ts';
import type { Validator } from '#http/validate.ts';
import { type FieldError, Refusal } from '#lib/refusals.ts';

/** A row as POST /customers would get it, and what is wrong with its form (rule 29). */
export interface ReadRow extends JudgedBody<CustomerCreateRequest> {
  /** How the row is named in errors: by the platform's own reference, if it has a usable one (rule 30). */
  readonly correlationId: string;
}

const REFERENCE_MAX = 255;

export function readRow(
  cells: readonly string[],
  columns: Columns,
  number: number,
  validate: Validator,
): ReadRow {
  const cell = (column: Column): string | undefined => {
    const place = columns.at[column];
    const text = place === undefined ? undefined : cells[place];
    // A short row is padded with nothing, and nothing is what an empty field says.
    return text === undefined || isBlank(text) ? undefined : text;
  };
  const body = bodyOf(cell) as CustomerCreateRequest;
  const reference = cell('platformCustomerId');
  const isUsable = reference !== undefined && reference.length <= REFERENCE_MAX && isStorable(reference);
  return {
    body,
    problems: problemsOf(cells, columns, cell, body, validate),
    correlationId: isUsable ? reference : `row_${number}`,
  };
}

/** Spreadsheets leave a space where something stood. */
export function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

type ReadCell = (column: Column) => string | undefined;

/** A person, a business, or what claims to be something else: the validator tells. */
function bodyOf(cell: ReadCell): object {
  const umaAddress = cell('umaAddress');
  const country = cell('country');
  const common = given({
    customerType: cell('customerType'),
    platformCustomerId: cell('platformCustomerId'),
    // A missing `$` is added.
    umaAddress: umaAddress === undefined || umaAddress.startsWith('$') ? umaAddress : `$${umaAddress}`,
    address: given({
      line1: cell('addressLine1'),
      line2: cell('addressLine2'),
      city: cell('city'),
      state: cell('state'),
      postalCode: cell('postalCode'),
      country,
    }),
  });
  if (cell('customerType') === 'BUSINESS') {
    const businessInfo = given({
      legalName: cell('businessLegalName'),
      country,
      taxId: cell('businessTaxId'),
      registrationNumber: cell('businessRegistrationNumber'),
    });
    return { ...common, businessInfo };
  }
  const person = { fullName: cell('fullName'), birthDate: cell('birthDate'), email: cell('email') };
  return { ...common, ...given(person) };
}

function given<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

/** Where a column's value goes in the request, for those with another name there. */
const PATHS: Partial<Record<Column, string>> = {
  addressLine1: 'address.line1',
  addressLine2: 'address.line2',
  city: 'address.city',
  state: 'address.state',
  postalCode: 'address.postalCode',
  country: 'address.country',
  businessLegalName: 'businessInfo.legalName',
  businessTaxId: 'businessInfo.taxId',
  businessRegistrationNumber: 'businessInfo.registrationNumber',
};

const COLUMN_OF: ReadonlyMap<string, string> = new Map([
  ...Object.entries(PATHS).map(([column, path]): [string, string] => [path, column]),
  ['businessInfo.country', 'country'],
]);

/** What a row of a file need not say of a business. */
const SPARED: ReadonlySet<string> = new Set(['businessInfo.taxId', 'businessInfo.incorporatedOn']);

function problemsOf(
  cells: readonly string[],
  columns: Columns,
  cell: ReadCell,
  body: CustomerCreateRequest,
  validate: Validator,
): FieldError[] {
  const found: FieldError[] = [];
  const add = (errors: readonly FieldError[]) => {
    for (const error of errors) {
      if (!found.some((known) => known.field === error.field)) found.push(error);
    }
  };
  const type = cell('customerType') as keyof typeof TYPE_COLUMNS;
  const needed: readonly Column[] = [...COMMON_COLUMNS, ...(TYPE_COLUMNS[type] ?? [])];
  const pathOf = (column: Column) => PATHS[column] ?? column;
  add(
    needed
      .filter((column) => cell(column) === undefined)
      .map((column) => problem(pathOf(column), 'is required')),
  );
  const unstorable = (Object.keys(columns.at) as Column[]).filter(
    (column) => !isStorable(cell(column) ?? ''),
  );
  add(unstorable.map((column) => problem(pathOf(column), 'holds a NUL character')));
  // Fields too many are a comma too many, and then everything after it stands in the wrong place.
  if (cells.slice(columns.count).some((extra) => !isBlank(extra))) {
    add([problem('row', `has more than the ${columns.count} fields of the header`)]);
  }
  const isSpared = ({ field }: FieldError) =>
    SPARED.has(field) && (field !== 'businessInfo.taxId' || cell('businessTaxId') === undefined);
  add(schemaProblems(validate, body).filter((error) => !isSpared(error)));
  return found;
}

function schemaProblems(validate: Validator, body: CustomerCreateRequest): readonly FieldError[] {
  try {
    validate(CustomerCreateRequest, body);
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_INPUT')
      return error.details?.errors as FieldError[];
    throw error;
  }
}

export interface RowError {
  readonly correlationId: string;
  readonly code: string;
  readonly message: string;
  readonly details?: Record<string, unknown> | undefined;
}

/** What a refused row is told: bad fields under one code, named as the columns they stand in (rule 30). */
export function rowError(correlationId: string, { code, message, details }: Refusal): RowError {
  const errors = details?.errors as FieldError[] | undefined;
  if (!errors) return { correlationId, code, message, details };
  const named = new Map<string, FieldError>();
  for (const error of errors) {
    const field = COLUMN_OF.get(error.field) ?? error.field;
    if (!named.has(field)) named.set(field, { ...error, field });
  }
  const fields = [...named.keys()].join(', ');
  const text = `Not valid: ${fields}.`;
  return { correlationId, code: 'INVALID_FIELD', message: text, details: { errors: [...named.values()] } };
}
