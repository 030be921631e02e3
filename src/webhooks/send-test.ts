import { sql } from '#database/sql.ts';
import type { Work } from '#database/work.ts';
import { payloadContext } from '#events/emit.ts';
import { publicId } from '#lib/ids.ts';
import { Refusal } from '#lib/refusals.ts';
import type { Sender, Sent } from '#webhooks/send-event.ts';
import { sendEvent } from '#webhooks/send-event.ts';
import { type Claimed, insertOwnTest, recordAttempts } from '#webhooks/store.ts';

export interface TestResult {
  readonly responseStatus: number;
  readonly url: string;
  readonly responseBody: string;
}

const LEASE_BEYOND_MS = 15_000;

/**
 * Sends one signed `TEST` event now and waits for the answer, whatever it is (platform.md §4.6). The event is
 * leased to this call from its first moment, so that no worker sends it as well.
 */
export async function sendTest(
  work: Work,
  { sender, owner }: { sender: Sender; owner: string },
): Promise<TestResult | Refusal> {
  const { clock, database } = work.surroundings;
  const target = await readTarget(work);
  const sent = await attempt(work, sender, owner, target);
  await recordAttempts(database.query, new Date(clock.now()), [sent.attempted]);
  const { posted } = sent;
  if (posted && 'status' in posted) {
    return { responseStatus: posted.status, url: target.endpoint, responseBody: textOf(posted.body) };
  }
  if (posted?.because === 'us') {
    return new Refusal('SVC_SWITCH_ERROR', 'The test webhook could not be signed or sent.');
  }
  return notSent('WEBHOOK_DELIVERY_ERROR', `The webhook endpoint gave no HTTP answer: ${posted?.error}.`);
}

async function attempt(work: Work, sender: Sender, owner: string, target: Target): Promise<Sent> {
  const { clock, vault } = work.surroundings;
  const until = new Date(clock.now() + sender.timeoutMs + LEASE_BEYOND_MS);
  const event = await work.write(async (tx) => {
    const id = tx.newId();
    const resourceId = publicId('Webhook', id);
    const payload = vault.seal('{}', payloadContext(id));
    await insertOwnTest(tx, { id, resourceId, payload, owner, until });
    return { id, resource_id: resourceId, payload, created_at: tx.now };
  });
  const claimed: Claimed = {
    ...event,
    ...target,
    platform_id: work.platform.id,
    environment: work.platform.environment,
    seq: 0n,
    type: 'TEST',
    facts: null,
    once: true,
    decision: null,
    attempts: 0,
    retries: 0,
    is_first: true,
    was_leased: false,
    has_more: false,
    claimed_at: new Date(clock.now()),
    leased_until: until,
    lease_owner: owner,
  };
  return sendEvent(sender, claimed);
}

interface Target {
  readonly endpoint: string;
  readonly private_key: Buffer;
}

async function readTarget({ platform, surroundings }: Work): Promise<Target> {
  const [row] = await surroundings.database.query<{ endpoint: string | null; private_key: Buffer }>(sql`
    select c.webhook_endpoint as endpoint, p.webhook_private_key as private_key
      from platforms p left join platform_configs c on c.platform_id = p.id
     where p.id = ${platform.id}`);
  if (!row?.endpoint) throw notSent('WEBHOOK_ENDPOINT_NOT_SET', 'No webhook endpoint is configured.');
  return { endpoint: row.endpoint, private_key: row.private_key };
}

function notSent(cause: 'WEBHOOK_ENDPOINT_NOT_SET' | 'WEBHOOK_DELIVERY_ERROR', reason: string): Refusal {
  return new Refusal('INVALID_INPUT', reason, { cause });
}

/** A character that the cut went through is left out. */
function textOf(body: Buffer): string {
  return new TextDecoder().decode(body, { stream: true });
}
