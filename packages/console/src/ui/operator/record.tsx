import type { ComponentChildren } from 'preact';
import { Id, placeOf } from '../id.tsx';
import { Facts, Section } from '../layout.tsx';
import { Money } from '../money.tsx';
import { Status } from '../status.tsx';
import { Table } from '../table.tsx';
import { sayField, sayName, Text } from '../text.tsx';
import { Time, type TimeProps } from '../time.tsx';

type Fields = Readonly<Record<string, unknown>>;
type Clock = NonNullable<TimeProps['clock']>;

/** A field in clear, if the operator may have it shown. */
export type Disclose = (path: string) => ComponentChildren;

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;
const ID = /^[A-Z][A-Za-z]+:[0-9a-f-]{36}$/;
const CODE = /^[A-Z][A-Z0-9_]+$/;
/** Masked as operator.md §4.1 says: first letters, or an end behind dots. */
const MASKED = /…|^(?:\S\. ?)+$/;

/** A value of a record, by what it looks like: operators' records have the names of the API, but no schema. */
export function Value({ name, value, clock }: { name: string; value: unknown; clock?: Clock }) {
  if (value === null || value === undefined) return <span class="soft">–</span>;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (isMoney(value)) return <Money amount={value.amount} currency={value.currency} />;
  if (name === 'details' && isFields(value)) return <Text>{sayDetails(value)}</Text>;
  if (typeof value === 'object') return <Text>{sayObject(value)}</Text>;
  const text = String(value);
  if (/status$/i.test(name) && typeof value === 'string') return <Status value={text} />;
  if (TIME.test(text)) return <Time at={text} isMixed {...(clock && { clock })} />;
  if (ID.test(text)) return <Id id={text} />;
  return (
    <Text>
      {CODE.test(text) && (text.length > 4 || name === 'type' || name === 'kind') ? sayName(text) : text}
    </Text>
  );
}

function isMoney(value: unknown): value is { amount: number | bigint; currency: string | { code?: string } } {
  return typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value;
}

/** Makes one value of an amount in the smallest unit and its currency, which some records have beside each other. */
function withMoney(record: Fields): Fields {
  const { amount, currency, ...others } = record;
  const isUnits = Number.isInteger(amount) || (typeof amount === 'string' && /^-?\d+$/.test(amount));
  if (!isUnits || typeof currency !== 'string') return record;
  return { ...others, amount: { amount: BigInt(amount as number | string), currency } };
}

function sayObject(value: object): string {
  return Object.values(value)
    .map((one) => (typeof one === 'object' && one !== null ? sayObject(one) : String(one)))
    .filter((said) => said !== '')
    .join(', ');
}

function sayDetails(details: Fields): string {
  return Object.entries(details)
    .map(([name, value]) => [name, isFields(value) ? sayDetails(value) : sayObject([value])] as const)
    .filter(([, said]) => said !== '')
    .map(([name, said]) => `${sayField(name)}: ${said}`)
    .join(' · ');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface RecordFactsProps {
  readonly record: Fields;
  readonly disclose?: Disclose | undefined;
  /** Where these fields are in the whole record. */
  readonly path?: string;
}

/** All of a record: its own values, then each part with a heading, and each list as a table. */
export function RecordFacts({ record, disclose, path = '' }: RecordFactsProps) {
  const entries = Object.entries(withMoney(record));
  const own = entries
    .filter(([, value]) => isMoney(value) || !isFields(value))
    .filter(([, value]) => !isRows(value));
  const parts = entries.filter(
    (entry): entry is [string, Fields] => isFields(entry[1]) && !isMoney(entry[1]) && hasValues(entry[1]),
  );
  const lists = entries.filter((entry): entry is [string, Fields[]] => isRows(entry[1]));
  return (
    <>
      {own.length > 0 && (
        <Facts
          facts={Object.fromEntries(
            own.map(([name, value]) => [
              sayField(name),
              <Shown key={name} name={name} value={value} disclose={disclose} path={path + name} />,
            ]),
          )}
        />
      )}
      {parts.map(([name, part]) => (
        <Section key={name} title={sayField(path + name)}>
          <RecordFacts record={part} disclose={disclose} path={`${path}${name}.`} />
        </Section>
      ))}
      {lists.map(([name, rows]) => (
        <Section key={name} title={sayField(path + name)}>
          <Table
            caption={sayField(path + name)}
            columns={columnsOf(rows)}
            rows={rows}
            keyOf={(row) => JSON.stringify(row)}
            linkOf={(row) => linkOf(row)}
          />
        </Section>
      ))}
    </>
  );
}

/** Returns whether a part has something to show: its own parts may all be empty. */
function hasValues(part: Fields): boolean {
  return Object.values(part).some((value) => !isFields(value) || hasValues(value));
}

function isRows(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFields);
}

interface ShownProps {
  readonly name: string;
  readonly value: unknown;
  readonly disclose: Disclose | undefined;
  readonly path: string;
}

function Shown({ name, value, disclose, path }: ShownProps) {
  if (Array.isArray(value) && value.length === 0) return <Value name={name} value={null} />;
  if (Array.isArray(value)) {
    if (value.some((one) => !ID.test(String(one)))) return <Text>{value.map(String).join(', ')}</Text>;
    return value.map((id) => <Id key={id} id={id} />);
  }
  const isMasked = typeof value === 'string' && (MASKED.test(value) || name === 'birthDate');
  return (
    <>
      <Value name={name} value={value} />
      {isMasked && disclose?.(path)}
    </>
  );
}

const COLUMNS_MAX = 7;
/** Columns of sentences. */
const WIDE = ['details', 'what', 'roles'];

/** The columns that rows have: the platform by its name, and no more than fit. */
export function columnsOf(rows: readonly Fields[], names?: readonly string[], clock: Clock = 'platform') {
  const found = names ?? [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, COLUMNS_MAX);
  return found.map((name, index) => ({
    title: sayField(name),
    cell: (row: Fields) =>
      index === 0 ? (
        <Name value={row[name]} clock={clock} />
      ) : (
        <Value name={named(name)} value={withMoney(row)[name] ?? row[name]} clock={clock} />
      ),
    ...(rows.some((row) => isMoney(withMoney(row)[name])) && { align: 'end' as const }),
    ...(WIDE.includes(name) && { isWide: true }),
  }));
}

/** The state of a row is a status. In a record, it may be that of an address. */
const named = (name: string) => (name === 'state' ? 'status' : name);

/** The first cell is inside the row's link, so it has no link of its own. */
function Name({ value, clock }: { value: unknown; clock: Clock }) {
  const text = typeof value === 'string' ? value : '';
  const end = ID.test(text) ? `…${text.slice(-8)}` : undefined;
  return end === undefined ? <Value name="" value={value} clock={clock} /> : <code title={text}>{end}</code>;
}

/** The page of a row: that of the id in its first column. */
export function linkOf(row: Fields, column = Object.keys(row)[0]): string | undefined {
  const first = column === undefined ? undefined : row[column];
  return typeof first === 'string' ? placeOf(first) : undefined;
}
