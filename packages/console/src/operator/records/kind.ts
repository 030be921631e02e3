import type { OperatorOperation } from '../../api/operator/call.ts';
import type { FilterField } from '../../ui/filters.tsx';

export type Fields = Readonly<Record<string, unknown>>;

/** A change of one record, with the button's words. */
export interface RecordChange {
  readonly operation: OperatorOperation;
  readonly label: string;
  readonly kind?: 'danger';
  /** Whether it makes sense for the record as it is. The service decides; this keeps buttons away that it would refuse. */
  readonly when?: (record: Fields) => boolean;
}

/** What one kind of record shows, besides what all have. */
export interface Kind {
  readonly title: string;
  readonly one: string;
  /** What the first line says. */
  readonly answer: string;
  readonly empty: string;
  readonly list: OperatorOperation;
  /** Reads one record; absent for lists whose rows are shown elsewhere. */
  readonly show?: OperatorOperation;
  readonly disclose?: OperatorOperation;
  /** Explains where the record's money is, and why. */
  readonly explain?: OperatorOperation;
  /** Reads what may belong to the record, to be looked at beside it. */
  readonly suggest?: OperatorOperation;
  /** Takes whole values of personal data, which stay out of the address. */
  readonly search?: OperatorOperation;
  readonly columns: readonly string[];
  readonly filters: readonly FilterField[];
  readonly changes: readonly RecordChange[];
  /** A change that makes a new record. */
  readonly create?: OperatorOperation;
  /** Filters that people need often, as links. */
  readonly views?: readonly View[];
  /** Lists of other kinds whose rows belong to one record of this kind. */
  readonly parts?: readonly Part[];
  /** What its proposals are about, if not its id. */
  readonly about?: (id: string) => string;
  /** `real`: its times are real ones, also where the clock of the platform was moved. */
  readonly clock?: 'real';
  /** The page of a row, if it is not that of its first id. */
  readonly linkOf?: (row: Fields) => string | undefined;
}

/** A list with these filters. */
export interface View {
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
}

/** The rows of a list whose filter is the id of the record. */
export interface Part {
  /** The kind of its rows, by its part of the address. */
  readonly kind: string;
  readonly by: string;
  readonly title?: string;
}

export const ENVIRONMENT: FilterField = {
  name: 'environment',
  label: 'Environment',
  kind: 'select',
  options: ['PRODUCTION', 'SANDBOX'],
  words: { '': 'Production, if there is any' },
};

export const PLATFORM: FilterField = {
  name: 'platform',
  label: 'Platform',
  kind: 'platform',
};
export const CUSTOMER: FilterField = {
  name: 'customer',
  label: 'Customer',
  kind: 'text',
  placeholder: 'Customer:…',
};
export const CURRENCY: FilterField = {
  name: 'currency',
  label: 'Currency',
  kind: 'text',
  placeholder: 'USD',
};

export function status(...options: string[]): FilterField {
  return { name: 'status', label: 'Status', kind: 'select', options };
}

export const has =
  (...statuses: string[]) =>
  ({ status: own }: Fields) =>
    statuses.includes(String(own));

export const SINCE: FilterField = { name: 'createdAfter', label: 'From', kind: 'date' };
export const UNTIL: FilterField = { name: 'createdBefore', label: 'Until', kind: 'date' };
export const SCOPE: readonly FilterField[] = [ENVIRONMENT, PLATFORM];

export function choice(name: string, label: string, ...options: string[]): FilterField {
  return { name, label, kind: 'select', options };
}

export function words(name: string, label: string, placeholder?: string): FilterField {
  return { name, label, kind: 'text', ...(placeholder !== undefined && { placeholder }) };
}

/** A whole value of personal data. */
export function personal(name: string, label: string): FilterField {
  return { name, label, kind: 'text', isPersonal: true };
}
