import { audit } from '#audit/audit.ts';
import { newWebhookKey } from '#crypto/webhook-key.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { payloadContext } from '#events/emit.ts';
import { parseId, publicId } from '#lib/ids.ts';
import { refuse } from '#lib/refusals.ts';
import { saveWebhookKey } from '#platform/platform-store.ts';
import {
  type EventState,
  type EventSummary,
  findEvent,
  listAttempts,
  listRecent,
  reopen,
} from '#webhooks/log-store.ts';
import { responseContext, urlContext } from '#webhooks/send-event.ts';

export interface LoggedEvent {
  /** `Webhook:<uuid>`, as the receiver sees it. */
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  readonly state: EventState;
  readonly attempts: number;
  /** Business time. */
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
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

/** One event with every attempt that is still in the log. */
export async function showEvent(
  tx: ReadTx,
  id: string,
): Promise<LoggedEvent & { data: unknown; log: LoggedAttempt[] }> {
  const uuid = uuidOf(id);
  const row = (await findEvent(tx, uuid)) ?? notFound(id);
  const attempts = await listAttempts(tx, uuid);
  return {
    ...logged(row),
    data: row.payload ? JSON.parse(tx.vault.openText(row.payload, payloadContext(uuid))) : undefined,
    log: attempts.map(({ duration_ms: durationMs, url, response, ...attempt }) => ({
      ...attempt,
      durationMs,
      url: tx.vault.openText(url, urlContext(uuid, attempt.attempt)),
      response: response && tx.vault.openText(response, responseContext(uuid, attempt.attempt)),
    })),
  };
}

/**
 * Sends an event again under the same id, whatever its state; its retries, and the time after which they end, start
 * again. A question is not sent again: its answer has been acted on.
 */
export async function resendEvent(tx: Tx, id: string): Promise<void> {
  const uuid = uuidOf(id);
  const row = (await findEvent(tx, uuid)) ?? notFound(id);
  if (row.decision !== null) refuse('CONFLICT', 'This event asked for a decision and cannot be sent again.');
  await reopen(tx, uuid);
  audit(tx, { action: 'webhook resend', resource: publicId('Webhook', uuid) });
  tx.afterCommit(() => tx.runtime.wakeWorker());
}

/** From the commit on every attempt is signed with the new key (platform.md §4.1.3). Returns its public half. */
export async function rotateWebhookKey(tx: Tx): Promise<string> {
  const { publicKeyPem, sealedPrivateKey } = newWebhookKey(tx.vault, tx.platformId);
  await saveWebhookKey(tx, publicKeyPem, sealedPrivateKey);
  audit(tx, { action: 'webhook rotate-key' });
  return publicKeyPem;
}

function uuidOf(id: string): string {
  return parseId('Webhook', id) ?? notFound(id);
}

function notFound(id: string): never {
  return refuse('NOT_FOUND', `There is no webhook event ${id}.`);
}

function logged(row: EventSummary): LoggedEvent {
  return {
    id: publicId('Webhook', row.id),
    type: row.type,
    resourceId: row.resource_id,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
  };
}
