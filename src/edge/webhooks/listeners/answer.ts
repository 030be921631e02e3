import { parsed, questionOf, requireDecide } from '#edge/webhooks/answer-question.ts';
import type { EventAnswer } from '#edge/webhooks/listeners/schemas.ts';
import { type QuestionRow, takeQuestion } from '#edge/webhooks/listeners/store.ts';
import { type LoggedEvent, loadEvent, loadEventData, logged } from '#edge/webhooks/log.ts';
import { type EventDetailRow, listAttempts } from '#edge/webhooks/log-store.ts';
import { attemptOutcome } from '#edge/webhooks/retry-schedule.ts';
import { LISTENER_URL, responseContext, urlContext } from '#edge/webhooks/send-event.ts';
import { type AttemptResult, LISTENERS, recordAttempts } from '#edge/webhooks/store.ts';
import { findOwnTarget } from '#edge/webhooks/target-store.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Decisions, Renderers } from '#foundation/events/handlers.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';
import { RESPONSE_MAX_BYTES } from '#foundation/outbound/outbound.ts';
import { describedBy, peopleIn } from '#foundation/person-keys/people.ts';

export interface Answering {
  readonly decisions: Decisions;
  readonly renderers: Renderers;
  /** How long a question waits for its answer (money.md §7.2). */
  readonly questionMs: number;
}

/**
 * Decides a question by the answer of a listener's receiver, as by an endpoint's answer: the record and the decision
 * commit together, and only the first answer counts (platform.md §4.8.7).
 */
export async function answerByListener(
  tx: Tx,
  { decisions, renderers, questionMs }: Answering,
  eventId: EventId,
  { status, body = '' }: EventAnswer,
): Promise<LoggedEvent> {
  if (Buffer.byteLength(body) > RESPONSE_MAX_BYTES) throw invalidFields([TOO_LONG]);
  const event = await loadEvent(tx, eventId);
  const question = await takeQuestion(tx, event.id, questionMs);
  if (!question) return refuseAnswer(tx, await loadEvent(tx, eventId), questionMs);
  const now = new Date(tx.runtime.clock.now());
  const data = await loadEventData(tx, renderers, event);
  const people = [...peopleIn(JSON.stringify(data)), ...describedBy(data)];
  const attempt = buildAttempt(tx, question, { status, body, people });
  await recordAttempts((piece) => tx.query(piece), now, [attempt]);
  await requireDecide(decisions, question)(tx, questionOf(question), {
    kind: 'answered',
    status,
    body: parsed(body),
  });
  return logged(await loadEvent(tx, eventId));
}

const TOO_LONG = { field: 'body', message: `has more than ${RESPONSE_MAX_BYTES} bytes in UTF-8` };

/** An answer, and the people whom the question describes. */
type Answered = Required<EventAnswer> & { readonly people: readonly PersonId[] };

/** In the log of attempts, a listener's attempt has the id of its token in place of a URL. */
function buildAttempt(tx: Tx, question: QuestionRow, { status, body, people }: Answered): AttemptResult {
  const { id, attempts } = question;
  const attempt = attempts + 1;
  const httpResult = { status, body: Buffer.from(body) };
  const durationMs = Math.max(0, tx.now.getTime() - question.created_at.getTime());
  return {
    event: { platform_id: tx.platformId, id, resource_id: question.resource_id, lease: { owner: LISTENERS } },
    attempt,
    outcome: attemptOutcome(httpResult, true),
    delayMs: 0,
    sent: {
      at: new Date(tx.runtime.clock.now() - durationMs),
      url: tx.vault.seal(`${LISTENER_URL}${publicId('Token', tx.actor.id)}`, urlContext(id, attempt)),
      durationMs,
      status,
      error: undefined,
      response: body === '' ? undefined : tx.vault.sealNaming(people, body, responseContext(id, attempt)),
    },
  };
}

async function refuseAnswer(tx: Tx, event: EventDetailRow, questionMs: number): Promise<never> {
  if (event.decision === null) refuse('CONFLICT', 'This event does not ask for a decision.');
  const answers = await listAttempts(tx, event.id);
  if (answers.length > 0) refuse('CONFLICT', 'This question was answered already.');
  if (event.state !== 'PENDING' || event.created_at.getTime() + questionMs <= tx.now.getTime())
    refuse(
      'CONFLICT',
      `A question can be answered within ${questionMs / 1000} seconds. This answer is too late.`,
    );
  const target = await findOwnTarget(tx, new Date(tx.runtime.clock.now()));
  return refuse(
    'CONFLICT',
    target?.endpoint
      ? 'The platform’s webhook endpoint answers this question.'
      : 'This question is decided without an answer.',
  );
}
