import { type CausedEvent, type EventType, RECIPES, type Recipe } from '@corridor/client/triggers';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { loadClock } from '../../api/clock.ts';
import type { Failure } from '../../api/failure.ts';
import { invalidate, useMutation, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { CodeBox, Command } from '../../ui/code-box.tsx';
import { Delivery } from '../../ui/delivery.tsx';
import { Id } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Text } from '../../ui/text.tsx';
import { formatDuration, Time } from '../../ui/time.tsx';
import { type MadeCall, watchCalls } from './watch-calls.ts';
import { sayClock } from './words.ts';

/** Answers: what causes this event, and does it reach my endpoint? */
export default function Trigger() {
  const { type = '' } = useRoute().params;
  const recipe = type in RECIPES ? RECIPES[type as EventType] : undefined;
  if (recipe === undefined) {
    return (
      <Screen title="There is no such event">
        <Empty title="The address may be mistyped.">
          <p>
            <a href="/console/triggers">All events</a>
          </p>
        </Empty>
      </Screen>
    );
  }
  if (!('act' in recipe)) {
    const who = recipe.by === 'nobody' ? 'This event is' : 'Only the operator can cause this event:';
    return <Screen title={type} answer={`${who} ${recipe.how}.`} children={null} />;
  }
  return (
    <Screen title={type} answer={`Cause: ${recipe.how}.`}>
      <Cause key={type} type={type as EventType} recipe={recipe} />
    </Screen>
  );
}

function Cause({ type, recipe: { clock, needs } }: { type: EventType; recipe: Recipe }) {
  const [calls, setCalls] = useState<readonly MadeCall[]>([]);
  const cause = useMutation(
    async () => watchCalls(type, setCalls),
    () => {
      void loadClock();
      invalidate();
    },
  );
  const run = () => {
    if (cause.isRunning) return;
    setCalls([]);
    void cause.run(undefined);
  };
  return (
    <>
      <Section
        title="Cause this event"
        hint="Makes the calls that lead to the event, with a new customer, account and test money. Their platform ids begin with “trigger-”."
        isCard
      >
        <Facts
          facts={{
            'Moves the clock': clock === undefined ? 'No' : `By ${sayClock(clock)}`,
            Needs: needs,
          }}
        />
        <button type="button" class="primary" aria-disabled={cause.isRunning} onClick={run}>
          {cause.isRunning ? 'Working…' : `Cause ${type}`}
        </button>
        {cause.failure && <NotCome failure={cause.failure} />}
        <details class="folded">
          <summary>The same as a command</summary>
          <Command command={`corridor trigger ${type}`} />
        </details>
      </Section>
      {cause.data && <Came caused={cause.data} />}
      {calls.length > 0 && <Calls calls={calls} />}
    </>
  );
}

/** A recipe that ends early says why, without a code of the API. */
function NotCome({ failure }: { failure: Failure }) {
  if (failure.status !== undefined) return <Failed what="The event did not happen." failure={failure} />;
  return (
    <div class="failed" role="alert">
      <p>
        <strong>The event did not happen.</strong> <Text>{failure.reason}</Text>
      </p>
    </div>
  );
}

/** The event, as its delivery goes on. */
function Came({ caused: { event, resourceId, movedSeconds } }: { caused: CausedEvent }) {
  const { data } = useQuery(['getEventById', event.id], () => corridor.getEventById(event.id), {
    live: 'events',
  });
  const { createdAt } = data ?? event;
  return (
    <Section title="The event happened" isCard>
      <div role="status">
        <Facts
          facts={{
            Event: <Id id={event.id} />,
            About: <Id id={resourceId} />,
            Delivery: <Delivery event={data ?? event} />,
            Happened: <Time at={createdAt} />,
            'Clock moved': movedSeconds > 0 && `By ${formatDuration(movedSeconds * 1_000)}`,
          }}
        />
      </div>
    </Section>
  );
}

function Calls({ calls }: { calls: readonly MadeCall[] }) {
  return (
    <Section title="Calls" hint="In order, each as curl and TypeScript.">
      <ol class="triggers-calls">
        {calls.map(({ call, state }, i) => (
          <li key={i}>
            <details class="folded">
              <summary>
                <Status
                  value={state}
                  kind={state === 'DONE' ? 'good' : state === 'FAILED' ? 'bad' : 'wait'}
                  word={call.operation}
                />
              </summary>
              <CodeBox call={call} />
            </details>
          </li>
        ))}
      </ol>
    </Section>
  );
}
