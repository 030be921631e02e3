import type { Content } from '#edge/webhooks/content.ts';
import { newLease, settleQueues } from '#edge/webhooks/queue-store.ts';
import { type AddressedEvent, type Sender, type SendResult, sendEvent } from '#edge/webhooks/send-event.ts';
import { recordAttempts } from '#edge/webhooks/store.ts';
import { openTarget, type Target } from '#edge/webhooks/target.ts';
import { findOwnTarget } from '#edge/webhooks/target-store.ts';
import { insertOwnTest } from '#edge/webhooks/test-event-store.ts';
import type { Run } from '#foundation/database/database.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { payloadContext } from '#foundation/events/emit.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { callExternal } from '#foundation/http/perform/external-call.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** As the API answers it. */
export interface TestResult {
  readonly response_status: number;
  readonly url: string;
  readonly response_body: string;
}

const LEASE_BEYOND_MS = 15_000;
/** A test event has no data. */
const NOTHING: Content = { text: '{}', people: [] };

/**
 * Sends one signed `TEST` event now and waits for the response, whatever it is (platform.md §4.6). The event is inserted
 * with a lease of this call, so that no worker sends it as well.
 */
export async function sendTest(
  work: CallWork,
  { sender, owner }: { sender: Sender; owner: string },
): Promise<TestResult | Refusal> {
  const { clock } = work.runtime;
  const until = new Date(clock.now() + sender.timeoutMs + LEASE_BEYOND_MS);
  return callExternal(work, {
    until,
    begin: (tx) => claimTest(tx, owner, until),
    call: (event) => sendEvent(sender, event, NOTHING),
    async end(tx, { endpoint, lease }, { result, httpResult }) {
      const [run, now]: [Run, Date] = [(piece) => tx.query(piece), new Date(clock.now())];
      await recordAttempts(run, now, [result]);
      await settleQueues(run, now, [lease]);
      return readResult(endpoint, httpResult);
    },
    lost: () => notSent('WEBHOOK_DELIVERY_ERROR', LOST),
  });
}

const LOST =
  'The call that sent the test event with this Idempotency-Key ended before its answer was known. The key is free again.';

function readResult(url: string, httpResult: SendResult['httpResult']): TestResult | Refusal {
  if (httpResult && 'status' in httpResult) {
    return { response_status: httpResult.status, url, response_body: textOf(httpResult.body) };
  }
  if (httpResult?.cause === 'us') {
    return new Refusal('SVC_SWITCH_ERROR', 'The test webhook could not be signed or sent.');
  }
  return notSent('WEBHOOK_DELIVERY_ERROR', `The webhook endpoint gave no HTTP answer: ${httpResult?.error}.`);
}

async function claimTest(tx: Tx, owner: string, until: Date): Promise<AddressedEvent & { endpoint: string }> {
  const target = await readTarget(tx);
  const id = tx.newId<'Webhook'>();
  const resourceId = publicId('Webhook', id);
  const payload = tx.vault.seal(NOTHING.text, payloadContext(id));
  await insertOwnTest(tx, { id, resourceId, payload, owner, until });
  const lease = newLease({ platform_id: tx.platformId, key: resourceId, owner }, until);
  return {
    id,
    resource_id: resourceId,
    payload,
    created_at: tx.now,
    ...target,
    platform_id: tx.platformId,
    environment: tx.platform.environment,
    type: 'TEST',
    facts: null,
    once: true,
    decision: null,
    attempts: 0,
    retries: 0,
    is_first: true,
    is_ended: false,
    was_leased: false,
    lease,
  };
}

async function readTarget(tx: ReadTx): Promise<Target & { endpoint: string }> {
  const sealed = await findOwnTarget(tx, new Date(tx.runtime.clock.now()));
  const target = sealed && openTarget(tx.vault, tx.platformId, sealed);
  if (!target || target.endpoint === null) {
    throw notSent('WEBHOOK_ENDPOINT_NOT_SET', 'No webhook endpoint is configured.');
  }
  return { ...target, endpoint: target.endpoint };
}

function notSent(cause: 'WEBHOOK_ENDPOINT_NOT_SET' | 'WEBHOOK_DELIVERY_ERROR', reason: string): Refusal {
  return new Refusal('INVALID_INPUT', reason, { cause });
}

/** The body may be cut off in the middle of a character, which is then omitted. */
function textOf(body: Buffer): string {
  return new TextDecoder().decode(body, { stream: true });
}
