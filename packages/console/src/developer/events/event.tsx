import type { EventAttempt, EventDetail } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { useAgain } from '../../api/again.ts';
import { useQuery } from '../../api/query.ts';
import { consoleFetch, corridor } from '../../api/session.ts';
import { Code } from '../../ui/code-box.tsx';
import { Id } from '../../ui/id.tsx';
import { Json } from '../../ui/json.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { HttpStatus, Status } from '../../ui/status.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { ResendOne } from './resend.tsx';
import { SignatureCheck } from './signature-check.tsx';
import { hasFailed, isAccepted, STATE_WORDS } from './words.ts';

const ATTEMPTS_MAX = 100;

/** Answers: was my server told of this, what did it answer, and what exactly was signed? */
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
      <Loaded read={read} what="The event could not be read." lines={12}>
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
    return 'Its content was erased with a customer that it named. It is not sent again.';
  if (state === 'DELIVERED') return `Your server was told, and answered ${last?.status ?? 'with success'}.`;
  if (state === 'ACKED_DUPLICATE') return 'Your server answered 409: it knew the event already.';
  if (state === 'SKIPPED') return 'Your server was not told: there was no webhook endpoint when it happened.';
  if (!hasFailed(event)) return 'It waits to be sent.';
  const why = last === undefined ? 'failed' : sayOutcome(last);
  const next = state === 'EXHAUSTED' ? 'The service has given up.' : 'The service tries again by itself.';
  return `Your server was not told: the last attempt ${why}. ${next}`;
}

function sayOutcome({ status, error }: EventAttempt): string {
  return status === undefined ? `got no answer (${error ?? 'unknown reason'})` : `was answered ${status}`;
}

function Shown({ event, attempts }: Whole) {
  const { id, state, resourceId, createdAt, attemptCount, nextAttemptAt } = event;
  return (
    <>
      <Section title="The event" isCard>
        <Facts
          facts={{
            Delivery: <Status value={state} word={STATE_WORDS[state]} />,
            About: <Id id={resourceId} />,
            Happened: <Time at={createdAt} />,
            Attempts: String(attemptCount),
            'Next attempt': nextAttemptAt && <Time at={nextAttemptAt} clock="real" />,
            Id: <Id id={id} isWhole />,
          }}
        />
      </Section>
      <Section title="Attempts" hint="Each attempt, with what your server answered.">
        <Attempts attempts={attempts} />
      </Section>
      <Section title="Payload" hint="The resource as it was when this happened, which never changes later.">
        <Json value={event.data} label="payload" />
      </Section>
      <Signature event={event} attempts={attempts} />
    </>
  );
}

function Attempts({ attempts }: { attempts: readonly EventAttempt[] }) {
  if (attempts.length === 0) return <Empty title="Nothing was sent yet." />;
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
        <Time at={at} clock="real" />
      </div>
      {error !== undefined && (
        <p class="events-error">
          <Text>{error}</Text>
        </p>
      )}
      {responseBody !== undefined && responseBody !== '' && (
        <details class="folded" open={!isAccepted(attempt)}>
          <summary>What it answered</summary>
          <Code text={responseBody} label={`answer to attempt ${attempt.attempt}`} />
        </details>
      )}
    </li>
  );
}

/** The exact bytes of each attempt, which differ in their time. A signature was sent with each, and not kept. */
function Signature({ event, attempts }: Whole) {
  const isKept = attempts.length > 0 && event.erasedAt === undefined;
  const payload = useQuery(['getEventById', event.id, 'as sent'], () => readPayload(event.id), {
    isEnabled: isKept,
  });
  if (!isKept) return null;
  return (
    <Section
      title="Signature"
      hint="This is the body of the last attempt, and what was signed: ECDSA with P-256 and SHA-256 over these bytes. The signature itself is sent with each attempt and not kept."
    >
      <Loaded read={payload} what="The body could not be read.">
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
      <h3>Does the header fit that your receiver got?</h3>
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
