import { RECIPES } from '@corridor/client/triggers';
import { EVENT_TYPES, type EventType } from '../../api/event-types.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Screen } from '../../ui/layout.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName } from '../../ui/text.tsx';
import { sayClock } from './words.ts';

const FAMILIES = [...new Set(EVENT_TYPES.map(familyOf))];

const CAUSED = EVENT_TYPES.filter((type) => 'act' in RECIPES[type]);

/** Answers: what causes each event, and how do I cause one? */
export default function Triggers() {
  const filters = useFilters(FIELDS);
  const { family, text } = filters.values;
  const rows = EVENT_TYPES.filter(
    (type) =>
      (family === undefined || familyOf(type) === family) &&
      (text === undefined || `${type} ${RECIPES[type].how}`.toLowerCase().includes(text.toLowerCase())),
  );
  return (
    <Screen
      title="Triggers"
      answer={`${CAUSED.length} of the ${EVENT_TYPES.length} events can be caused here, each with the calls that lead to it in production.`}
    >
      <Filters fields={FIELDS} filters={filters} />
      {rows.length === 0 ? (
        <Empty title="No event matches these filters." />
      ) : (
        <Table
          caption="Events and their causes"
          rows={rows}
          keyOf={(type) => type}
          linkOf={(type) => `/console/triggers/${type}`}
          columns={[
            { title: 'Event', cell: (type) => <code>{type}</code> },
            { title: 'Cause', isWide: true, cell: (type) => RECIPES[type].how },
            { title: 'Moves the clock', cell: sayMove },
            { title: 'Who causes it', cell: sayCause },
            { title: 'Action', cell: CauseLink },
          ]}
        />
      )}
    </Screen>
  );
}

function familyOf(type: EventType): string {
  return type.split('.')[0] ?? type;
}

function sayMove(type: EventType): string {
  const recipe = RECIPES[type];
  return 'clock' in recipe && recipe.clock !== undefined ? `By ${sayClock(recipe.clock)}` : '–';
}

function CauseLink(type: EventType) {
  return 'act' in RECIPES[type] ? (
    <a class="button" href={`/console/triggers/${type}`} aria-label={`Cause ${type}`}>
      Cause…
    </a>
  ) : (
    <span class="soft">–</span>
  );
}

function sayCause(type: EventType): string {
  const recipe = RECIPES[type];
  return 'act' in recipe ? 'You' : sayName(recipe.by);
}

const FIELDS: readonly FilterField[] = [
  { name: 'text', label: 'Text', kind: 'text' },
  { name: 'family', label: 'Family', kind: 'select', options: FAMILIES },
];
