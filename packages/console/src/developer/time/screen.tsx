import type { SandboxClockDueItem } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf, withCommand } from '../../api/call.ts';
import { clockOffsetMs, loadClock, platformNow, shownPlatformNow } from '../../api/clock.ts';
import { invalidate, type Pages, usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { Sentence } from '../../ui/id.tsx';
import { Columns, Facts, Screen, Section } from '../../ui/layout.tsx';
import { Empty, Skeleton } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { formatDuration, formatUtc, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

const SECOND_MS = 1_000;
const UNITS = [
  ['1', 'seconds'],
  ['60', 'minutes'],
  ['3600', 'hours'],
  ['86400', 'days'],
] as const;

/** Answers: what time is it for this sandbox, what happens next, and what happens if time moves? */
export default function TimeScreen() {
  const due = usePages(
    ['listSandboxClockDue'],
    (cursor) => corridor.listSandboxClockDue({ limit: 50, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  const [first] = due.rows;
  const [seconds, setSeconds] = useState(3_600);
  const [past, setPast] = useState<readonly SandboxClockDueItem[]>([]);
  /** Everything that was loaded may have changed with the time. */
  const moved = async () => {
    const { rows } = due;
    await loadClock();
    setPast(rows.filter(({ dueAt }) => Date.parse(dueAt) <= platformNow()));
    invalidate();
    toast(`It is now ${formatUtc(new Date(platformNow()).toISOString())} in the sandbox.`);
  };
  return (
    <Screen title="Time" answer={<Answer first={first} isLoading={due.isLoading} />}>
      {due.isLoading ? (
        <Skeleton lines={10} />
      ) : (
        <Columns
          main={
            <>
              <Past items={past} />
              <Section
                title="What is due"
                hint="When you move to an item, everything before it also happens, each at its own time."
              >
                <DueTable due={due} onMoved={moved} />
              </Section>
            </>
          }
          side={
            <>
              {first && <NextStep first={first} onMoved={moved} />}
              <ByAmount due={due} seconds={seconds} setSeconds={setSeconds} onMoved={moved} />
              <Clocks />
            </>
          }
        />
      )}
    </Screen>
  );
}

function Answer({ first, isLoading }: { first: SandboxClockDueItem | undefined; isLoading: boolean }) {
  if (isLoading) return <>&nbsp;</>;
  const now = `It is ${formatUtc(new Date(shownPlatformNow()).toISOString()).slice(0, 16)} UTC in the sandbox.`;
  if (!first) return <>{now} Nothing is due, so moving the clock changes only the time.</>;
  const wait = Date.parse(first.dueAt) - shownPlatformNow();
  return (
    <>
      {now} Next, in {formatDuration(Math.max(wait, SECOND_MS))}: <Sentence text={first.sentence} />
    </>
  );
}

/** The items that the last move has passed, with links to what they concern. */
function Past({ items }: { items: readonly SandboxClockDueItem[] }) {
  if (items.length === 0) return null;
  return (
    <Section title="What happened" hint="These items were due. Each link shows the result." isCard>
      <ul class="time-past">
        {items.map(({ id, sentence }) => (
          <li key={id}>
            <Sentence text={sentence} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

type Moved = { readonly onMoved: () => void };

function NextStep({ first, onMoved }: { first: SandboxClockDueItem } & Moved) {
  return (
    <Section title="Move to the next item" isCard>
      <p>
        <Sentence text={first.sentence} />
      </p>
      <Action
        label="Move to the next item"
        kind="primary"
        call={callOf('advanceSandboxClock', { until: 'next' })}
        what="The clock was not moved."
        ask={sayMove(first.dueAt)}
        onDone={onMoved}
      />
    </Section>
  );
}

function DueTable({ due, onMoved }: { due: Pages<SandboxClockDueItem> } & Moved) {
  return (
    <PagedTable
      caption="What is due"
      what="What is due could not be loaded."
      pages={due}
      keyOf={({ id }) => id}
      empty={
        <Empty title="Nothing is due.">
          <p>
            Steps of payments, retries of webhooks and everything that expires appear here, for example after
            you <a href="/console/pay">create a payment</a>.
          </p>
        </Empty>
      }
      columns={[
        { title: 'When', cell: ({ dueAt }) => <Time at={dueAt} /> },
        { title: 'What will happen', isWide: true, cell: ({ sentence }) => <Sentence text={sentence} /> },
        {
          title: 'Action',
          cell: (item) => (
            <span class="time-move">
              <MoveTo item={item} onMoved={onMoved} />
            </span>
          ),
        },
      ]}
    />
  );
}

/** The clock never goes back, so the question says how far it goes. */
function sayMove(dueAt: string): string {
  const wait = Math.max(Date.parse(dueAt) - platformNow(), SECOND_MS);
  return `The clock will move by ${formatDuration(wait)}, to ${formatUtc(dueAt)}. It cannot be moved back.`;
}

function MoveTo({ item: { id, dueAt }, onMoved }: { item: SandboxClockDueItem } & Moved) {
  return (
    <Action
      label="Move to this item"
      call={callOf('advanceSandboxClock', { until: id })}
      what="The clock was not moved."
      ask={sayMove(dueAt)}
      onDone={onMoved}
    />
  );
}

/** Says in advance what will happen in a duration. */
function ByAmount({
  due,
  seconds,
  setSeconds,
  onMoved,
}: {
  due: Pages<SandboxClockDueItem>;
  seconds: number;
  setSeconds: (seconds: number) => void;
} & Moved) {
  const build = (values: FormValues) => {
    const given = Math.round((values.number('seconds') ?? 0) * (values.number('unit') ?? 1));
    if (given !== seconds && Number.isFinite(given)) setSeconds(given);
    return withCommand(callOf('advanceSandboxClock', { seconds: given }), `corridor clock advance ${given}s`);
  };
  return (
    <Section title="Move by a duration" isCard>
      <Form build={build} submit="Move the clock" what="The clock was not moved." onDone={onMoved}>
        <Field name="seconds" label="Duration" type="number" value={1} />
        <Field name="unit" label="Unit" type="select" options={UNITS} value="3600" />
        <p role="status">
          <Sentence text={sayEffect(due, seconds)} />
        </p>
      </Form>
    </Section>
  );
}

function sayEffect({ rows, more, isLoading }: Pages<SandboxClockDueItem>, seconds: number): string {
  if (isLoading) return '';
  const until = platformNow() + seconds * SECOND_MS;
  const count = rows.filter(({ dueAt }) => Date.parse(dueAt) <= until).length;
  if (count === 0) return 'Nothing on the list happens until then.';
  const many = count === rows.length && more !== undefined ? `${count} or more items` : `${count} items`;
  return count === 1
    ? `One item will happen: ${rows[0]?.sentence}`
    : `${many} will happen, and everything that they start.`;
}

/** Both clocks, running. */
function Clocks() {
  const now = shownPlatformNow();
  const offset = clockOffsetMs.value;
  return (
    <Section title="Now" isCard>
      <Facts
        facts={{
          'Sandbox time': <span class="money">{formatUtc(new Date(now).toISOString())}</span>,
          'Real time': <span class="money">{formatUtc(new Date(now - offset).toISOString())}</span>,
          Ahead: offset === 0 ? 'The clock was never moved.' : formatDuration(offset),
        }}
      />
    </Section>
  );
}
