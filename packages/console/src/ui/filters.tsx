import { signal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useNames } from '../api/names.ts';
import { knownOf } from '../api/operator/names.ts';
import { shortId } from './id.tsx';
import { sayName } from './text.tsx';

export interface FilterField {
  /** The name in the address, and usually that of the query parameter. */
  readonly name: string;
  readonly label: string;
  /** `customer`, `platform` and `operator` take an id or a name, and their value is the id. */
  readonly kind: 'text' | 'select' | 'date' | 'customer' | 'platform' | 'operator';
  readonly options?: readonly string[];
  /** Words for options that do not explain themselves; for `''`, which is no choice, in place of "All". */
  readonly words?: Readonly<Record<string, string>>;
  /** What can be entered, where the label does not say it. */
  readonly placeholder?: string;
  /** A value that identifies a person stays out of the address, and so out of history and logs. */
  readonly isPersonal?: boolean;
}

/** Personal values by page: in memory only, so that `back` finds them and nothing stores them. */
const personal = signal<Readonly<Record<string, Readonly<Record<string, string>>>>>({});

export function setPersonalFilter(path: string, name: string, value: string): void {
  const before = personal.peek();
  personal.value = { ...before, [path]: { ...before[path], [name]: value } };
}

export interface FilterValues {
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly set: (name: string, value: string) => void;
  readonly clear: () => void;
  readonly isAny: boolean;
}

/** Filters in the address, so that they can be shared and `back` works. */
export function useFilters(fields: readonly FilterField[]): FilterValues {
  const { path, query, route } = useLocation();
  const kept = personal.value[path] ?? {};
  const values = Object.fromEntries(
    fields.map(({ name, isPersonal }) => [name, (isPersonal ? kept[name] : query[name]) || undefined]),
  );
  const set = (name: string, value: string) => {
    if (fields.find((field) => field.name === name)?.isPersonal) return setPersonalFilter(path, name, value);
    const search = new URLSearchParams({ ...query, [name]: value });
    if (value === '') search.delete(name);
    return route(search.size > 0 ? `${path}?${search}` : path, true);
  };
  const clear = () => {
    personal.value = { ...personal.value, [path]: {} };
    const names = fields.map(({ name }) => name);
    const search = new URLSearchParams(Object.entries(query).filter(([name]) => !names.includes(name)));
    route(search.size > 0 ? `${path}?${search}` : path, true);
  };
  return { values, set, clear, isAny: Object.values(values).some((value) => value !== undefined) };
}

/** The row of fields above a list. `/` goes to the first of them. */
export function Filters({ fields, filters }: { fields: readonly FilterField[]; filters: FilterValues }) {
  return (
    <search class="filters">
      {fields.map((field) => (
        <div key={field.name} class="filter">
          <label for={`filter-${field.name}`}>{field.label}</label>
          <FilterInput field={field} value={filters.values[field.name] ?? ''} set={filters.set} />
        </div>
      ))}
      {filters.isAny && (
        <button type="button" class="quiet" onClick={filters.clear}>
          Clear
        </button>
      )}
    </search>
  );
}

interface FilterInputProps {
  readonly field: FilterField;
  readonly value: string;
  readonly set: FilterValues['set'];
}

function CustomerInput(props: FilterInputProps) {
  return <NamedInput {...props} names={useNames()} />;
}

interface NamedInputProps extends FilterInputProps {
  readonly names: ReadonlyMap<string, string>;
}

/** Shows names, and keeps only the id in the address. */
function NamedInput({ field: { name }, value, set, names }: NamedInputProps) {
  const choices = [...names].map(([id, word]) => [id, word, `${word} (${shortId(id)})`] as const);
  const choose = (event: Event) => {
    const text = (event.currentTarget as HTMLInputElement).value.trim();
    const wanted = text.toLowerCase();
    const exact = choices.filter(([, word, whole]) => word === text || whole === text);
    const near = choices.filter(([, word]) => word.toLowerCase().includes(wanted));
    const [only] = exact.length > 0 ? exact : near.length === 1 ? near : [];
    set(name, text === '' ? '' : (only?.[0] ?? text));
  };
  return (
    <>
      <input
        id={`filter-${name}`}
        name={name}
        type="search"
        list={`filter-${name}-names`}
        value={names.get(value) ?? value}
        placeholder="Name or id"
        onChange={choose}
        autoComplete="off"
      />
      <datalist id={`filter-${name}-names`}>
        {choices.map(([id, , whole]) => (
          <option key={id} value={whole} />
        ))}
      </datalist>
    </>
  );
}

function FilterInput({ field, value, set }: FilterInputProps) {
  const { name, kind, options = [], words = {}, placeholder, isPersonal } = field;
  const onChange = (event: Event) => set(name, (event.currentTarget as HTMLInputElement).value.trim());
  if (kind === 'customer') return <CustomerInput field={field} value={value} set={set} />;
  if (kind === 'platform' || kind === 'operator') {
    const names = knownOf(kind === 'platform' ? 'Platform' : 'Operator');
    return <NamedInput field={field} value={value} set={set} names={names} />;
  }
  if (kind === 'select') {
    return (
      <select id={`filter-${name}`} name={name} value={value} onChange={onChange}>
        <option value="">{words[''] ?? 'All'}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {words[option] ?? sayName(option)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      id={`filter-${name}`}
      name={name}
      type={(kind === 'date' ? 'date' : 'search') as 'search'}
      value={value}
      placeholder={placeholder}
      onChange={onChange}
      autoComplete="off"
      data-personal={isPersonal}
    />
  );
}
