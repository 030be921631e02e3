import {
  COMMON_COLUMNS,
  type Column,
  type Columns,
  columnsOf,
  type RowType,
  TYPE_COLUMNS,
} from '#capabilities/customers/bulk/columns.ts';
import type { CheckedBody } from '#capabilities/customers/lifecycle/create-customer.ts';
import { problem } from '#capabilities/customers/profile/profile-rules.ts';
import { CustomerCreateRequest } from '#capabilities/customers/schemas.ts';
import type { Validator } from '#foundation/http/read/validate.ts';
import { type FieldError, Refusal } from '#foundation/lib/refusals.ts';
import { isStorable } from '#foundation/lib/storable.ts';

/** A row as the body of POST /customers, with its violations of the schema (customers.md §2.5.29). */
export interface ReadRow extends CheckedBody<CustomerCreateRequest> {
  /** Identifies the row in errors: the platform's own reference, if it is usable (customers.md §2.5.30). */
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
    // The missing fields of a short row count as empty.
    return text === undefined || isBlankCell(text) ? undefined : text;
  };
  const body = buildBody(cell) as unknown as CustomerCreateRequest;
  const reference = cell('platformCustomerId');
  const isUsable = reference !== undefined && reference.length <= REFERENCE_MAX && isStorable(reference);
  return {
    body,
    problems: checkRow(cells, columns, cell, body, validate),
    correlationId: isUsable ? reference : `row_${number}`,
  };
}

/** Spreadsheets often leave a space in an emptied cell. */
export function isBlankCell(cell: string): boolean {
  return cell.trim() === '';
}

type ReadCell = (column: Column) => string | undefined;

/** The request's field for each column with a different name. */
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
  businessIncorporatedOn: 'businessInfo.incorporatedOn',
  primaryContactFirstName: 'businessInfo.primaryContactFirstName',
  primaryContactLastName: 'businessInfo.primaryContactLastName',
};

const BUSINESS_COUNTRY = 'businessInfo.country';

const COLUMN_OF: ReadonlyMap<string, string> = new Map([
  ...Object.entries(PATHS).map(([column, path]): [string, string] => [path, column]),
  [BUSINESS_COUNTRY, 'country'],
]);

function pathOf(column: Column): string {
  return PATHS[column] ?? column;
}

type RequestBody = Record<string, string | Record<string, string>>;

/** An invalid type is treated as an individual here; the schema reports it. */
function buildBody(cell: ReadCell): RequestBody {
  const isBusiness = cell('customerType') === 'BUSINESS';
  const body: RequestBody = { address: {}, ...(isBusiness && { businessInfo: {} }) };
  for (const column of columnsOf(isBusiness ? 'BUSINESS' : 'INDIVIDUAL')) {
    put(body, pathOf(column), cell(column));
  }
  if (isBusiness) put(body, BUSINESS_COUNTRY, cell('country'));
  const umaAddress = cell('umaAddress');
  // A missing `$` is added.
  if (umaAddress !== undefined && !umaAddress.startsWith('$')) put(body, 'umaAddress', `$${umaAddress}`);
  return body;
}

function put(body: RequestBody, path: string, text: string | undefined): void {
  if (text === undefined) return;
  const [name = '', part] = path.split('.');
  if (part === undefined) body[name] = text;
  else Object.assign(body[name] ?? {}, { [part]: text });
}

/** Columns that are optional in files although a request must have them. */
const OPTIONAL_IN_FILES: readonly Column[] = ['businessTaxId', 'businessIncorporatedOn'];

function checkRow(
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
  const type = cell('customerType') as RowType;
  const needed: readonly Column[] = [...COMMON_COLUMNS, ...(TYPE_COLUMNS[type] ?? [])];
  add(
    needed
      .filter((column) => cell(column) === undefined)
      .map((column) => problem(pathOf(column), 'is required')),
  );
  const unstorable = (Object.keys(columns.at) as Column[]).filter((column) => {
    const text = cell(column);
    return text !== undefined && !isStorable(text);
  });
  add(unstorable.map((column) => problem(pathOf(column), 'contains a NUL character')));
  // Extra fields mean an extra comma, after which every value is in the wrong column.
  if (cells.slice(columns.count).some((extra) => !isBlankCell(extra))) {
    add([problem('row', `has more than the ${columns.count} fields of the header`)]);
  }
  const spared = OPTIONAL_IN_FILES.filter((column) => cell(column) === undefined).map(pathOf);
  add(schemaProblems(validate, body).filter(({ field }) => !spared.includes(field)));
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

/** Builds a refused row's error: invalid fields share one code and are named by column (customers.md §2.5.30). */
export function rowError(correlationId: string, { code, message, details }: Refusal): RowError {
  const errors = details?.errors as FieldError[] | undefined;
  if (!errors) return { correlationId, code, message, details };
  const named = new Map<string, FieldError>();
  for (const error of errors) {
    const field = COLUMN_OF.get(error.field) ?? error.field;
    if (!named.has(field)) named.set(field, { ...error, field });
  }
  const fields = [...named.keys()].join(', ');
  const text = `Invalid: ${fields}.`;
  return { correlationId, code: 'INVALID_FIELD', message: text, details: { errors: [...named.values()] } };
}
