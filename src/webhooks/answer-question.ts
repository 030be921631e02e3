import { findPlatform } from '#database/platforms.ts';
import { isConnected } from '#database/server-checks.ts';
import type { Runtime } from '#database/tx.ts';
import { Work } from '#database/work.ts';
import type { Decisions, QuestionResult } from '#events/handlers.ts';
import type { HttpResult } from '#outbound/guarded-agent.ts';
import type { AddressedEvent, SendResult } from '#webhooks/send-event.ts';
import { recordAttempts } from '#webhooks/store.ts';

/** The function that acts on the answer failed, not the connection to the database: retrying would fail again. */
export class DecisionFailed extends Error {}

/** Passes a question's result to the function that decides, in the transaction that records the attempt. */
export async function answerQuestion(
  runtime: Runtime,
  decisions: Decisions,
  event: AddressedEvent,
  { result, httpResult }: SendResult,
): Promise<void> {
  const name = event.decision ?? '';
  const decide = Object.hasOwn(decisions, name) ? decisions[name] : undefined;
  const platform = await findPlatform(runtime.database.query, event.platform_id);
  if (!decide || !platform) throw new DecisionFailed(`no function decides about ${name || event.type}`);
  const work = new Work(runtime, platform, { kind: 'worker', id: 'webhooks' });
  await work.write(async (tx) => {
    const now = new Date(runtime.clock.now());
    const recorded = await recordAttempts((piece) => tx.query(piece), now, [result]);
    // Nothing was recorded: the lease was lost, and the process that has it now acts on the answer.
    if (recorded.length === 0) return;
    const question = { eventId: event.id, type: event.type, resourceId: event.resource_id };
    await decide(tx, question, questionResult(event, httpResult)).catch(async (error: unknown) => {
      if (await isConnected(tx))
        throw new DecisionFailed('the answer could not be acted on', { cause: error });
      throw error;
    });
  });
}

function questionResult(event: AddressedEvent, httpResult: HttpResult | undefined): QuestionResult {
  if (event.endpoint === null) return { kind: 'error', reason: 'no webhook endpoint is configured' };
  if (httpResult === undefined) return { kind: 'none' };
  if ('status' in httpResult)
    return { kind: 'answered', status: httpResult.status, body: parsed(httpResult.body) };
  return httpResult.cause === 'timeout' ? { kind: 'none' } : { kind: 'error', reason: httpResult.error };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
