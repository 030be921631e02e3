import type { AddressedEvent, SendResult } from '#edge/webhooks/send-event.ts';
import { recordAttempts } from '#edge/webhooks/store.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { isConnected } from '#foundation/database/server-checks.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { Decide, Decisions, Question, QuestionResult } from '#foundation/events/handlers.ts';
import type { HttpResult } from '#foundation/outbound/guarded-agent.ts';

/** The function that acts on the answer failed, not the connection to the database: retrying would fail again. */
export class DecisionFailed extends Error {}

/** Passes a question's result to the function that decides, in the transaction that records the attempt. */
export async function answerQuestion(
  runtime: Runtime,
  decisions: Decisions,
  event: AddressedEvent,
  { result, httpResult }: SendResult,
): Promise<void> {
  const decide = requireDecide(decisions, event);
  const platform = await findPlatform(runtime.database.query, event.platform_id);
  if (!platform) throw new DecisionFailed('the platform does not exist');
  const work = new Work(runtime, platform, { kind: 'worker', id: 'webhooks' });
  await work.write(async (tx) => {
    const now = new Date(runtime.clock.now());
    const recorded = await recordAttempts((piece) => tx.query(piece), now, [result]);
    // Nothing was recorded: the lease was lost, and the process that has it now acts on the answer.
    if (recorded.length === 0) return;
    await decide(tx, questionOf(event), questionResult(event, httpResult)).catch(async (error: unknown) => {
      if (await isConnected(tx))
        throw new DecisionFailed('the answer could not be acted on', { cause: error });
      throw error;
    });
  });
}

type QuestionEvent = Pick<AddressedEvent, 'id' | 'type' | 'resource_id' | 'decision'>;

/** The function that acts on the answer to a question. */
export function requireDecide(decisions: Decisions, { decision, type }: QuestionEvent): Decide {
  const decide = decision !== null && Object.hasOwn(decisions, decision) ? decisions[decision] : undefined;
  if (!decide) throw new DecisionFailed(`no function decides about ${decision ?? type}`);
  return decide;
}

export function questionOf({ id, type, resource_id }: QuestionEvent): Question {
  return { eventId: id, type, resourceId: resource_id };
}

/** A question that was leased before may have been sent, or its listener never answered. */
function questionResult(event: AddressedEvent, httpResult: HttpResult | undefined): QuestionResult {
  if (event.endpoint === null && !event.was_leased)
    return { kind: 'error', reason: 'no webhook endpoint is configured' };
  if (httpResult === undefined) return { kind: 'none' };
  if ('status' in httpResult)
    return { kind: 'answered', status: httpResult.status, body: parsed(httpResult.body.toString('utf8')) };
  return httpResult.cause === 'timeout' ? { kind: 'none' } : { kind: 'error', reason: httpResult.error };
}

export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
