import type { EventAttempt, EventDetail } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { useAgain } from '../../api/again.ts';
import { useQuery } from '../../api/query.ts';
import { consoleFetch, corridor } from '../../api/session.ts';
import { Code } from '../../ui/code-box.tsx';
import { Delivery, hasFailed } from '../../ui/delivery.tsx';
import { Id } from '../../ui/id.tsx';
import { Json } from '../../ui/json.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { HttpStatus } from '../../ui/status.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { ResendOne } from './resend.tsx';
import { SignatureCheck } from './signature-check.tsx';
import { isAccepted } from './words.ts';

const ATTEMPTS_MAX = 100;

/** Answers: did my endpoint receive this event, what did it answer, and what exactly was signed? */
export default function Event() {
  const { id = '' } = useRoute().params;
  const read = useQuery(['getEventById', id, 'with attempts'], () => readWhole(id), { live: 'events' });
  const { event, attempts } = read.data ?? {};
  useAgain(event?.state === 'PENDING', read.retry);
  return (
    <Screen
      title={event?.type ?? 'Event'}
      answer={event && answerOf(event, attempts?.at(-1))}
      actions={event && event.erasedAt === undefined && <ResendOne id={id} />}
    >
      <Loaded read={read} what="The event could not be loaded." lines={12}>
        {(found) => <Shown {...found} />}
      </Loaded>
    </Screen>
  );
}

interface Whole {
  readonly event: EventDetail;
  readonly attempts: readonly EventAttempt[];
}

async function readWhole(id: string): Promise<Whole> {
  const [event, attempts] = await Promise.all([
    corridor.getEventById(id),
    corridor.listEventAttempts(id, { limit: ATTEMPTS_MAX }),
  ]);
  return { event, attempts: attempts.data };
}

function answerOf(event: EventDetail, last: EventAttempt | undefined): string {
  const { state, erasedAt } = event;
  if (erasedAt !== undefined)
    return 'The content of this event was erased with a customer, so it is not sent again.';
  if (state === 'DELIVERED')
    return `Your endpoint received the event and answered ${last?.status ?? 'with success'}.`;
  if (state === 'ACKED_DUPLICATE') return 'Your endpoint answered 409, because it already knew the event.';
  if (state === 'SKIPPED')
    return 'The event was not sent, because your platform had no webhook endpoint when it happened.';
  if (!hasFailed(event)) return 'The event is waiting to be sent.';
  const why = last === undefined ? 'failed' : sayOutcome(last);
  const next = state === 'EXHAUSTED' ? 'The service has given up.' : 'The service will retry by itself.';
  return `Your endpoint did not receive the event: the last attempt ${why}. ${next}`;
}

function sayOutcome({ status, error }: EventAttempt): string {
  return status === undefined
    ? `got no answer (${error ?? 'unknown reason'})`
    : `was answered with ${status}`;
}

function Shown({ event, attempts }: Whole) {
  const { id, resourceId, createdAt, attemptCount, nextAttemptAt } = event;
  return (
    <>
      <Section title="Event" isCard>
        <Facts
          facts={{
            Delivery: <Delivery event={event} />,
            About: <Id id={resourceId} />,
            Happened: <Time at={createdAt} isMixed />,
            Attempts: String(attemptCount),
            'Next attempt': nextAttemptAt && <Time at={nextAttemptAt} clock="real" isMixed />,
            Id: <Id id={id} isWhole />,
          }}
        />
      </Section>
      <Section title="Attempts" hint="Every delivery attempt, with the answer of your endpoint.">
        <Attempts attempts={attempts} />
      </Section>
      <Section title="Payload" hint="The resource as it was when the event happened. It never changes later.">
        <Json value={event.data} label="payload" />
      </Section>
      <Signature event={event} attempts={attempts} />
    </>
  );
}

function Attempts({ attempts }: { attempts: readonly EventAttempt[] }) {
  if (attempts.length === 0) return <Empty title="Nothing has been sent yet." />;
  return (
    <ol class="events-attempts" reversed>
      {attempts.toReversed().map((attempt) => (
        <Attempt key={attempt.attempt} attempt={attempt} />
      ))}
    </ol>
  );
}

function Attempt({ attempt }: { attempt: EventAttempt }) {
  const { url, at, durationMs, status, error, responseBody } = attempt;
  return (
    <li class={isAccepted(attempt) ? 'card' : 'card events-failed'}>
      <div class="events-attempt">
        <HttpStatus code={status} />
        <span>
          <Text>{url}</Text>
        </span>
        <span class="soft">{durationMs} ms</span>
        <Time at={at} clock="real" isMixed />
      </div>
      {error !== undefined && (
        <p class="events-error">
          <Text>{error}</Text>
        </p>
      )}
      {responseBody !== undefined && responseBody !== '' && (
        <details class="folded" open={!isAccepted(attempt)}>
          <summary>Answer</summary>
          <Code text={responseBody} label={`answer to attempt ${attempt.attempt}`} />
        </details>
      )}
    </li>
  );
}

/** The exact bytes of each attempt, which differ in their time. Signatures are not stored. */
function Signature({ event, attempts }: Whole) {
  const isKept = attempts.length > 0 && event.erasedAt === undefined;
  const payload = useQuery(['getEventById', event.id, 'as sent'], () => readPayload(event.id), {
    isEnabled: isKept,
  });
  if (!isKept) return null;
  return (
    <Section
      title="Signature"
      hint="The service signed the exact bytes of this body, which it sent in the last attempt, using ECDSA with P-256 and SHA-256. Signatures are not stored."
    >
      <Loaded read={payload} what="The body could not be loaded.">
        {(data) => <Signed bodies={attempts.map(({ at }) => bodyOf(event, at, data))} />}
      </Loaded>
    </Section>
  );
}

function Signed({ bodies }: { bodies: readonly string[] }) {
  return (
    <>
      <div class="events-signed">
        <Code text={bodies.at(-1) ?? ''} label="body that was signed" />
      </div>
      <h3>Check the signature that your endpoint received</h3>
      <SignatureCheck bodies={bodies} />
    </>
  );
}

function bodyOf({ id, type }: EventDetail, timestamp: string, data: unknown): string {
  return JSON.stringify({ id, type, timestamp, data });
}

/** Reads the payload as the service writes it: the client translates the names of a renamed service. */
async function readPayload(id: string): Promise<unknown> {
  const reply = await consoleFetch(`/console/api/platform/events/${id}`);
  const { data = null } = (await reply.json()) as { data?: unknown };
  return data;
}
