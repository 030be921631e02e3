import type { WorkKind } from '../../api/operator/generated/schemas.ts';
import { Filters, useFilters } from '../../ui/filters.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { Share } from '../../ui/share.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { formatDuration } from '../../ui/time.tsx';
import { SCOPE, sayCount, sayKind, scopeOf, useWork } from './kinds.tsx';

/** Answers: what waits for me, and what has waited longest? */
export default function Work() {
  const filters = useFilters(SCOPE);
  const scope = scopeOf(filters);
  const work = useWork(scope);
  return (
    <Screen title="Work" answer={work.data && sayAll(work.data.kinds)}>
      <Filters fields={SCOPE} filters={filters} />
      <Loaded read={work} what="The work could not be loaded." lines={8}>
        {({ kinds }) => <ByConcern kinds={kinds.filter(({ count }) => count > 0)} scope={scope} />}
      </Loaded>
    </Screen>
  );
}

function sayAll(kinds: readonly WorkKind[]): string {
  const waiting = kinds.filter(({ count }) => count > 0);
  const count = waiting.reduce((sum, kind) => sum + kind.count, 0);
  if (count === 0) return 'Nothing waits for you.';
  const oldest = longestOf(waiting);
  const more = waiting.some(({ isCapped }) => isCapped) ? 'More than ' : '';
  const things = count === 1 ? 'thing waits' : 'things wait';
  return `${more}${count.toLocaleString('en')} ${things} for you, the oldest for ${formatDuration(oldest * 1_000)}.`;
}

function longestOf(kinds: readonly WorkKind[]): number {
  return Math.max(...kinds.map(({ oldestAgeSeconds = 0 }) => oldestAgeSeconds));
}

/** How long the oldest item waits, with a bar that compares it with the other kinds. */
function Age({ seconds, longest }: { seconds: number; longest: number }) {
  return (
    <>
      <Share part={seconds} whole={longest} /> {formatDuration(seconds * 1_000)}
    </>
  );
}

const CONCERNS: Readonly<Record<string, string>> = {
  people: 'People',
  money: 'Money',
  service: 'The service',
};

interface ByConcernProps {
  readonly kinds: readonly WorkKind[];
  readonly scope: Readonly<Record<string, string>>;
}

function ByConcern({ kinds, scope }: ByConcernProps) {
  if (kinds.length === 0) {
    return (
      <Empty title="Everything is done.">
        <p>
          Reviews, proposals, late payments, money without an owner and failures of the service appear here.
        </p>
      </Empty>
    );
  }
  const search = new URLSearchParams(scope).toString();
  const longest = longestOf(kinds);
  return (
    <>
      {Object.entries(CONCERNS).map(([concern, title]) => {
        const rows = kinds.filter(({ concerns }) => concerns === concern);
        if (rows.length === 0) return null;
        return (
          <Section key={concern} title={title}>
            <Table
              caption={`Work about ${title.toLowerCase()}`}
              rows={rows}
              keyOf={({ kind }) => kind}
              linkOf={({ kind }) => `/console/operator/work/${kind}${search && `?${search}`}`}
              columns={[
                { title: 'Work', isWide: true, cell: sayKind },
                {
                  title: 'Oldest',
                  cell: ({ oldestAgeSeconds }) =>
                    oldestAgeSeconds !== undefined && <Age seconds={oldestAgeSeconds} longest={longest} />,
                },
                { title: 'How many', align: 'end', cell: sayCount },
              ]}
            />
          </Section>
        );
      })}
    </>
  );
}
