import { findReceivers, type Receiver } from '#capabilities/platform/listener-store.ts';
import {
  type EventDetailRow,
  type EventState,
  type EventSummaryRow,
  findEvent,
  listAttempts,
  listRecent,
  reopen,
  tellAgain,
} from '#edge/webhooks/log-store.ts';
import { responseContext, urlContext } from '#edge/webhooks/send-event.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { payloadContext } from '#foundation/events/emit.ts';
import { type Renderers, requireRenderer } from '#foundation/events/handlers.ts';
import { type PublicId, parseId, publicId } from '#foundation/lib/ids.ts';
import { notFound, refuse } from '#foundation/lib/refusals.ts';
import { findCustomerOf } from '#foundation/person-keys/customer-of-store.ts';

export interface LoggedEvent {
  /** `Webhook:<uuid>`, as the receiver sees it. */
  readonly id: PublicId<'Webhook'>;
  readonly type: string;
  readonly resourceId: string;
  readonly state: EventState;
  readonly attempts: number;
  /** Business time. */
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  /** When its content was erased. */
  readonly erasedAt: Date | null;
}

export interface ResentEvent extends LoggedEvent {
  readonly sentTo: readonly Receiver[];
}

export interface LoggedAttempt {
  readonly attempt: number;
  /** Real time. */
  readonly at: Date;
  readonly url: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** The first 10 KiB. */
  readonly response: string | null;
}

/** A platform's events, newest first (platform.md §4.2.6). */
export async function listEvents(
  tx: ReadTx,
  options: { state?: EventState; limit?: number } = {},
): Promise<LoggedEvent[]> {
  const rows = await listRecent(tx, options.state, options.limit ?? 50);
  return rows.map(logged);
}

/** One event with its payload, and every attempt that is still in the log. */
export async function showEvent(
  tx: ReadTx,
  renderers: Renderers,
  id: string,
): Promise<LoggedEvent & { data: unknown; log: LoggedAttempt[] }> {
  const event = await readEvent(tx, renderers, id);
  return { ...event, log: await readAttempts(tx, id) };
}

export async function readEvent(
  tx: ReadTx,
  renderers: Renderers,
  id: string,
): Promise<LoggedEvent & { data: unknown }> {
  const row = await loadEvent(tx, id);
  return { ...logged(row), data: await loadEventData(tx, renderers, row) };
}

/** The attempts that are still in the log, the first one first. */
export async function readAttempts(tx: ReadTx, id: string): Promise<LoggedAttempt[]> {
  const row = await loadEvent(tx, id);
  const attempts = await listAttempts(tx, row.id);
  await tx.runtime.personKeys.loadFor(attempts.map(({ response }) => response));
  return attempts.map(({ duration_ms: durationMs, url, response, ...attempt }) => ({
    ...attempt,
    durationMs,
    url: tx.vault.openText(url, urlContext(row.id, attempt.attempt)),
    response: response && (tx.vault.openKept(response, responseContext(row.id, attempt.attempt)) ?? null),
  }));
}

/**
 * Returns the payload as it was sent. An event that has only facts so far is rendered now. The payload is empty if the
 * event, or a person whom it describes, was erased.
 */
export async function loadEventData(tx: ReadTx, renderers: Renderers, row: EventDetailRow): Promise<unknown> {
  if (row.erased_at) return {};
  if (row.payload) return JSON.parse(tx.vault.openKept(row.payload, payloadContext(row.id)) ?? '{}');
  const { id, type, resource_id: resourceId, created_at: createdAt, facts } = row;
  const [data] = await requireRenderer(renderers, type)(tx, [{ id, type, resourceId, createdAt, facts }]);
  return data;
}

/**
 * Sends an event again under the same id, whatever its state. Its retries and their deadline start again. Listeners receive
 * it again, too. A question is not resent, because its answer has taken effect.
 */
export async function resendEvent(tx: Tx, id: string): Promise<ResentEvent> {
  const row = await loadEvent(tx, id);
  if (row.decision !== null) refuse('CONFLICT', 'This event asked for a decision and cannot be sent again.');
  if (row.erased_at)
    refuse(
      'CONFLICT',
      'This event named a customer whose data has been erased. It is empty and is not sent again.',
    );
  await tellAgain(tx, [row.id]);
  await reopen(tx, [row.id]);
  tx.afterCommit(() => tx.runtime.wakeWorker());
  return { ...logged(await loadEvent(tx, id)), sentTo: await findReceivers(tx) };
}

/** Audits the resend, which a call of the API does by itself. */
export async function resendByOperator(tx: Tx, id: string, reason?: string): Promise<ResentEvent> {
  const event = await resendEvent(tx, id);
  audit(tx, {
    action: 'webhook resend',
    resource: event.id,
    customerId: (await findCustomerOf(tx, event.id)) ?? null,
    ...(reason !== undefined && { details: { reason } }),
  });
  return event;
}

export async function loadEvent(tx: ReadTx, id: string): Promise<EventDetailRow> {
  const uuid = parseId('Webhook', id);
  const row = uuid && (await findEvent(tx, uuid));
  if (!row) throw notFound('NOT_FOUND', 'Webhook');
  return row;
}

export function logged(row: EventSummaryRow): LoggedEvent {
  return {
    id: publicId('Webhook', row.id),
    type: row.type,
    resourceId: row.resource_id,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    erasedAt: row.erased_at,
  };
}
