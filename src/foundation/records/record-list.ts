import Type, { type Static, type TObject, type TProperties } from 'typebox';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import type { Page, PageRequest } from '#foundation/http/paging.ts';
import type { Findable } from '#foundation/http/resource-platform-store.ts';
import type { BareQuery } from '#foundation/http/schema.ts';

/** The bounds of a list that has times; `pageOf` gets them as times of the list's rows. */
export interface Bounds {
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/**
 * A list that operators read, on the command line and over HTTP (operator.md §6.2): its rows on one platform, the newest
 * first. The service merges the rows of several platforms.
 */
export interface RecordList {
  /** In the address and in the names of operations: `external-accounts`. */
  readonly name: string;
  readonly area: string;
  readonly summary: string;
  readonly item: TObject;
  /** Filters that say nothing about a person; they stand in the address. */
  readonly filters: TProperties;
  /** Filters by personal data, of whole values. They stand in the body of a search, and each search is recorded. */
  readonly personal: TProperties;
  readonly hasTimes: boolean;
  /** Rows that belong to no platform alone: they are read once, for the installation. */
  readonly isOfInstallation: boolean;
  page(tx: ReadTx, request: PageRequest, filters: never): Promise<Page<object>>;
}

type Filters<F extends TProperties> = BareQuery<Partial<Static<TObject<F>>>>;

export type FiltersOf<F extends TProperties, P extends TProperties> = {
  readonly [Name in keyof (Filters<F> & Filters<P>)]?: (Filters<F> & Filters<P>)[Name] | undefined;
} & Bounds;

/** A list with the types of its filters and rows, for callers that name it. */
export interface TypedRecordList<F extends TProperties, P extends TProperties, Item> extends RecordList {
  page(tx: ReadTx, request: PageRequest, filters: FiltersOf<F, P>): Promise<Page<Item & object>>;
}

// biome-ignore lint/complexity/noBannedTypes: a list without such filters
type None = {};

export function recordList<F extends TProperties = None, P extends TProperties = None, Item = object>(
  list: Pick<RecordList, 'name' | 'area' | 'summary' | 'item'> & {
    readonly filters?: F;
    readonly personal?: P;
    readonly hasTimes?: boolean;
    readonly isOfInstallation?: boolean;
    page(tx: ReadTx, request: PageRequest, filters: FiltersOf<F, P>): Promise<Page<Item & object>>;
  },
): TypedRecordList<F, P, Item> {
  const none = { filters: {}, personal: {}, hasTimes: false, isOfInstallation: false };
  return { ...none, ...list } as TypedRecordList<F, P, Item>;
}

/** A record that operators read by its id, on the command line and over HTTP. */
export interface RecordShow {
  /** In the address: `customers`. */
  readonly name: string;
  readonly area: string;
  readonly summary: string;
  readonly type: Findable;
  /** Roles that may have single fields shown, for a reason (operator.md §4.2). */
  readonly disclosedTo: readonly OperatorRole[];
  /** Whether opening it is recorded, because it is about one person. */
  readonly isOfPerson: boolean;
  /** Fields whose schema says how they are masked. All others are masked by their names. */
  readonly item: TObject;
  /** The whole record; undefined: there is none. */
  load(tx: ReadTx, id: never): Promise<object>;
}

export interface TypedRecordShow<Key extends string, Item extends object> extends RecordShow {
  load(tx: ReadTx, id: Key): Promise<Item>;
}

const DISCLOSED_TO: readonly OperatorRole[] = ['support', 'compliance'];

/** Counterparties of payments are for those who work with money, too. */
export const COUNTERPARTIES_DISCLOSED_TO: readonly OperatorRole[] = [...DISCLOSED_TO, 'finance'];

export function recordShow<Key extends string, Item extends object>(
  show: Pick<RecordShow, 'name' | 'area' | 'summary' | 'type'> &
    Partial<Pick<RecordShow, 'disclosedTo' | 'isOfPerson' | 'item'>> & {
      load(tx: ReadTx, id: Key): Promise<Item>;
    },
): TypedRecordShow<Key, Item> {
  return { disclosedTo: DISCLOSED_TO, isOfPerson: false, item: Type.Object({}), ...show };
}
