import type { AddressedEvent, SendResult } from '#edge/webhooks/send-event.ts';
import { findTraceparent } from '#edge/webhooks/store.ts';
import type { Run } from '#foundation/database/database.ts';
import { isTracing, openSpan } from '#foundation/lib/tracing.ts';

/**
 * Records one attempt as a span of the trace in which its event was emitted. The receiver belongs to others, so it gets no
 * trace header, and its address stays out of the span.
 */
export async function traceAttempt(
  run: Run,
  event: AddressedEvent,
  send: () => Promise<SendResult>,
): Promise<SendResult> {
  if (!isTracing()) return send();
  const parent = await findTraceparent(run, event).catch(() => undefined);
  const span = openSpan({
    name: `webhook ${event.type}`,
    kind: 'client',
    parent,
    attributes: {
      'corridor.event_id': event.id,
      'corridor.platform_id': event.platform_id,
      'corridor.attempt': event.attempts + 1,
    },
  });
  const sent = await (span ? span.within(send) : send());
  const { httpResult } = sent;
  const status = httpResult && 'status' in httpResult ? httpResult.status : undefined;
  const failure =
    sent.result.outcome === 'RETRY' || sent.result.outcome === 'EXHAUSTED' ? 'failed' : undefined;
  span?.end(status === undefined ? {} : { 'http.response.status_code': status }, failure);
  return sent;
}
