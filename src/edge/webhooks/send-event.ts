import { type Content, type ContentResult, sealResponse } from '#edge/webhooks/content.ts';
import { envelopeBytes } from '#edge/webhooks/envelope.ts';
import type { Render } from '#edge/webhooks/render.ts';
import { attemptOutcome, retryDelayMs } from '#edge/webhooks/retry-schedule.ts';
import type { AttemptResult, ClaimedEvent } from '#edge/webhooks/store.ts';
import type { Target } from '#edge/webhooks/target.ts';
import { type SigningKeys, signatureHeader } from '#foundation/crypto/webhook-key.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import type { HttpResult } from '#foundation/outbound/guarded-agent.ts';
import type { Outbound } from '#foundation/outbound/outbound.ts';

export interface Sender {
  readonly runtime: Runtime;
  readonly names: WireNames;
  readonly outbound: Outbound;
  readonly keys: SigningKeys;
  /** Starts to render the payload of an event that is stored as facts. */
  readonly render: Render;
  /** From 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** How long a receiver may take to answer an event, and a question (platform.md §4.2.2, money.md §7.2). */
  readonly timeoutMs: number;
  readonly questionTimeoutMs: number;
  onError(error: unknown, about: { id: string; platformId: PlatformId }): void;
  /** Called for every attempt that did not deliver. */
  onFailedAttempt(attempt: FailedAttempt): void;
}

export interface FailedAttempt {
  readonly event: string;
  readonly platform: string;
  readonly type: string;
  readonly attempt: number;
  /** The status of the answer, or why there was none. */
  readonly outcome: number | string;
  readonly ms: number;
}

/** An event with the endpoint and key of this attempt. */
export type AddressedEvent = ClaimedEvent & Target;

export interface SendResult {
  readonly result: AttemptResult;
  /** Undefined when nothing was sent. */
  readonly httpResult: HttpResult | undefined;
}

/**
 * Makes one attempt: signs and posts the event. The caller records the result; `signal` aborts the attempt.
 */
export async function sendEvent(
  sender: Sender,
  event: AddressedEvent,
  content: ContentResult,
  signal?: AbortSignal,
): Promise<SendResult> {
  const attempt = event.attempts + 1;
  const delayMs = retryDelayMs(event.retries + 1, sender.random);
  if (content === 'ERASED') {
    return { result: { event, attempt, outcome: 'SKIPPED', delayMs }, httpResult: undefined };
  }
  const resultOf = (httpResult: HttpResult | undefined): AttemptResult => {
    const payload = content instanceof Error ? undefined : content.rendered;
    return { event, attempt, outcome: attemptOutcome(httpResult, event.once), delayMs, payload };
  };
  // An event that is sent only once is not sent again if it may have been sent.
  if (event.endpoint === null || (event.once && event.was_leased)) {
    return { result: resultOf(undefined), httpResult: undefined };
  }
  const at = new Date(sender.runtime.clock.now());
  const began = performance.now();
  const httpResult = await post(sender, event, { url: event.endpoint, at, signal, content });
  const durationMs = Math.round(performance.now() - began);
  const url = sender.runtime.vault.seal(event.endpoint, urlContext(event.id, attempt));
  const sent = { at, url, durationMs, ...(await logged(sender, event, content, httpResult)) };
  const result = { ...resultOf(httpResult), sent };
  if (result.outcome === 'RETRY' || result.outcome === 'EXHAUSTED') {
    const outcome = 'error' in httpResult ? httpResult.error : httpResult.status;
    const { id, platform_id: platform, type } = event;
    sender.onFailedAttempt({ event: id, platform, type, attempt, outcome, ms: durationMs });
  }
  return { result, httpResult };
}

interface Post {
  readonly url: string;
  readonly at: Date;
  readonly signal: AbortSignal | undefined;
  readonly content: Content | Error;
}

async function post(
  sender: Sender,
  event: AddressedEvent,
  { url, at: timestamp, signal, content }: Post,
): Promise<HttpResult> {
  const { names, outbound } = sender;
  let body: Buffer;
  let headers: Record<string, string>;
  try {
    if (content instanceof Error) throw content;
    body = envelopeBytes(names, { id: event.id, type: event.type, timestamp, data: content.text });
    headers = webhookHeaders(sender, event.platform_id, event, body);
  } catch (error) {
    sender.onError(error, { id: event.id, platformId: event.platform_id });
    return { error: 'not sent: the event could not be rendered or signed', cause: 'us' };
  }
  const timeoutMs = event.decision === null ? sender.timeoutMs : sender.questionTimeoutMs;
  return outbound.post({ url, environment: event.environment, headers, body, timeoutMs, signal });
}

/** The headers of a webhook, with the signature over the exact bytes of its body (platform.md §4.1.3). */
export function webhookHeaders(
  { names, keys }: Pick<Sender, 'names' | 'keys'>,
  platformId: PlatformId,
  { key_id, private_key }: Pick<Target, 'key_id' | 'private_key'>,
  body: Buffer,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': `${names.word}-Webhooks/1`,
    [names.signatureHeader]: signatureHeader(keys.keyOf(platformId, key_id, private_key), body),
    [names.signatureKeyIdHeader]: publicId('WebhookKey', key_id),
  };
}

/** The prefix of a logged URL if a listener answered; the id of its token follows. */
export const LISTENER_URL = 'listener:';

/** The encryption context of a logged URL. */
export function urlContext(eventId: EventId, attempt: number): string {
  return `webhook_attempts.url:${eventId}:${attempt}`;
}

/** The encryption context of a logged response. */
export function responseContext(eventId: EventId, attempt: number): string {
  return `webhook_attempts.response:${eventId}:${attempt}`;
}

async function logged(
  sender: Sender,
  event: AddressedEvent,
  content: Content | Error,
  httpResult: HttpResult,
) {
  if ('error' in httpResult) return { status: undefined, error: httpResult.error, response: undefined };
  const people = content instanceof Error ? [] : content.people;
  const context = responseContext(event.id, event.attempts + 1);
  const answer = { body: httpResult.body, context };
  const response = await sealResponse(sender.runtime, event.platform_id, people, answer);
  return { status: httpResult.status, error: undefined, response };
}
