import { type SigningKeys, signatureHeader } from '#crypto/webhook-key.ts';
import type { Runtime } from '#database/tx.ts';
import { payloadContext } from '#events/emit.ts';
import type { WireNames } from '#lib/wire-names.ts';
import type { HttpResult } from '#outbound/guarded-agent.ts';
import type { Outbound } from '#outbound/outbound.ts';
import { resultOf, retryDelayMs } from '#webhooks/attempt-result.ts';
import { envelopeBytes } from '#webhooks/envelope.ts';
import type { Render } from '#webhooks/render.ts';
import type { Attempted, Claimed } from '#webhooks/store.ts';
import type { Target } from '#webhooks/target.ts';

export interface Sender {
  readonly runtime: Runtime;
  readonly names: WireNames;
  readonly outbound: Outbound;
  readonly keys: SigningKeys;
  /** Begins to make the payload of an event that has only facts so far. */
  readonly render: Render;
  /** From 0 to 1, for the spread of retries. */
  readonly random: () => number;
  /** What a receiver has to answer an event, and a question (platform.md §4.2.2, money.md §7.2). */
  readonly timeoutMs: number;
  readonly questionTimeoutMs: number;
  onError(error: unknown, event: { id: string; platformId: string }): void;
}

/** An event with the endpoint of this attempt, opened. */
export type Aimed = Omit<Claimed, 'endpoint'> & Target;

export interface Sent {
  readonly attempted: Attempted;
  /** Undefined when nothing was sent. */
  readonly posted: HttpResult | undefined;
}

/**
 * One attempt: render, stamp, sign, post, resultOf. Touches no event row; recording is the caller's. `cut` breaks it off.
 */
export async function sendEvent(sender: Sender, event: Aimed, cut?: AbortSignal): Promise<Sent> {
  const attempt = event.attempts + 1;
  const delayMs = retryDelayMs(event.retries + 1, sender.random);
  const rendered = event.payload ? undefined : await event.rendering;
  const of = (posted: HttpResult | undefined): Attempted => {
    const payload = typeof rendered === 'string' ? sealPayload(sender, event, rendered) : undefined;
    return { event, attempt, outcome: resultOf(posted, event.once), delayMs, payload };
  };
  // Sent once means: not again when it is unknown whether it went out.
  if (event.endpoint === null || (event.once && event.was_leased)) {
    return { attempted: of(undefined), posted: undefined };
  }
  const at = new Date(sender.runtime.clock.now());
  const began = performance.now();
  const posted = await post(sender, event, { url: event.endpoint, at, cut, rendered });
  const durationMs = Math.round(performance.now() - began);
  const url = sender.runtime.vault.seal(event.endpoint, urlContext(event.id, attempt));
  const sent = { at, url, durationMs, ...logged(sender, event, attempt, posted) };
  return { attempted: { ...of(posted), sent }, posted };
}

interface Post {
  readonly url: string;
  readonly at: Date;
  readonly cut: AbortSignal | undefined;
  readonly rendered: string | Error | undefined;
}

async function post(
  sender: Sender,
  event: Aimed,
  { url, at: timestamp, cut, rendered }: Post,
): Promise<HttpResult> {
  const { names, outbound } = sender;
  let body: Buffer;
  let signature: string;
  try {
    const data = openData(sender, event, rendered);
    body = envelopeBytes(names, { id: event.id, type: event.type, timestamp, data });
    signature = signatureHeader(sender.keys.keyOf(event.platform_id, event.private_key), body);
  } catch (error) {
    sender.onError(error, { id: event.id, platformId: event.platform_id });
    return { error: 'not sent: the event could not be rendered or signed', cause: 'us' };
  }
  const headers = {
    'content-type': 'application/json',
    'user-agent': `${names.word}-Webhooks/1`,
    [names.signatureHeader]: signature,
  };
  const timeoutMs = event.decision === null ? sender.timeoutMs : sender.questionTimeoutMs;
  return outbound.post({ url, environment: event.environment, headers, body, timeoutMs, signal: cut });
}

function openData(sender: Sender, event: Aimed, rendered: string | Error | undefined): string {
  if (event.payload) return sender.runtime.vault.openText(event.payload, payloadContext(event.id));
  if (typeof rendered === 'string') return rendered;
  throw rendered ?? new Error('the event is empty');
}

function sealPayload(sender: Sender, event: Aimed, data: string): Buffer {
  return sender.runtime.vault.seal(data, payloadContext(event.id));
}

/** The place a logged URL is sealed to. */
export function urlContext(eventId: string, attempt: number): string {
  return `webhook_attempts.url:${eventId}:${attempt}`;
}

/** The place a logged response is sealed to. */
export function responseContext(eventId: string, attempt: number): string {
  return `webhook_attempts.response:${eventId}:${attempt}`;
}

function logged(sender: Sender, event: Aimed, attempt: number, posted: HttpResult) {
  if ('error' in posted) return { status: undefined, error: posted.error, response: undefined };
  const { vault } = sender.runtime;
  const response =
    posted.body.length > 0 ? vault.seal(posted.body, responseContext(event.id, attempt)) : undefined;
  return { status: posted.status, error: undefined, response };
}
