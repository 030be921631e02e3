import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

interface View {
  readonly name: string;
  /** The filters, as they stand in the address. Personal values are not in it. */
  readonly search: string;
}

const BUILT_IN: readonly View[] = [
  { name: 'All', search: '' },
  { name: 'Failed', search: 'status=FAILED' },
  { name: 'Processing', search: 'status=PROCESSING' },
  { name: 'Pending', search: 'status=PENDING' },
  { name: 'Card purchases', search: 'type=CARD' },
];

const KEY = 'corridor-console-payment-views';

/** Named filters: those that everybody needs, and those that were saved in this browser. */
export function Views() {
  const { path, query } = useLocation();
  const saved = useSignal(readSaved());
  const [isNaming, setNaming] = useState(false);
  const current = new URLSearchParams(query).toString();
  const store = (views: readonly View[]) => {
    saved.value = views;
    localStorage.setItem(KEY, JSON.stringify(views));
  };
  const isKnown = [...BUILT_IN, ...saved.value].some(({ search }) => search === current);
  return (
    <nav class="payments-views" aria-label="Views">
      {[...BUILT_IN, ...saved.value].map(({ name, search }) => (
        <a
          key={`${name} ${search}`}
          href={search === '' ? path : `${path}?${search}`}
          aria-current={search === current ? 'true' : undefined}
        >
          <bdi>{name}</bdi>
        </a>
      ))}
      {!isKnown && !isNaming && (
        <button type="button" class="quiet" onClick={() => setNaming(true)}>
          Save view
        </button>
      )}
      {isNaming && (
        <NameView
          save={(name) => {
            if (name !== '') store([...saved.value, { name, search: current }]);
            setNaming(false);
          }}
        />
      )}
      {saved.value.some(({ search }) => search === current) && (
        <button
          type="button"
          class="quiet"
          onClick={() => store(saved.value.filter(({ search }) => search !== current))}
        >
          Delete view
        </button>
      )}
    </nav>
  );
}

function NameView({ save }: { save: (name: string) => void }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save(String(new FormData(event.currentTarget as HTMLFormElement).get('name') ?? '').trim());
  };
  return (
    <form class="payments-name" onSubmit={submit}>
      <label>
        Name of the view{' '}
        <input name="name" autoComplete="off" maxLength={40} ref={(input) => input?.focus()} />
      </label>
      <button type="submit">Save</button>
    </form>
  );
}

/** Ignores views that another version stored, or that were edited. */
function readSaved(): readonly View[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? found.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is View {
  const { name, search } = (value ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof search === 'string';
}
