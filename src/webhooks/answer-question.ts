import { findPlatform } from '#database/platforms.ts';
import { isConnected } from '#database/server-checks.ts';
import type { Runtime } from '#database/tx.ts';
import { Work } from '#database/work.ts';
import type { Decisions, QuestionResult } from '#events/handlers.ts';
import type { HttpResult } from '#outbound/guarded-agent.ts';
import type { Aimed, Sent } from '#webhooks/send-event.ts';
import { recordAttempts } from '#webhooks/store.ts';

/** The decision itself failed, not the way to the database: it would fail again. */
export class DecisionFailed extends Error {}

/** Hands a question's outcome to whoever decides, in the transaction that records the attempt. */
export async function answerQuestion(
  runtime: Runtime,
  decisions: Decisions,
  event: Aimed,
  { attempted, posted }: Sent,
): Promise<void> {
  const name = event.decision ?? '';
  const decide = Object.hasOwn(decisions, name) ? decisions[name] : undefined;
  const platform = await findPlatform(runtime.database.query, event.platform_id);
  if (!decide || !platform) throw new DecisionFailed(`nobody decides about ${name || event.type}`);
  const work = new Work(runtime, platform, { kind: 'worker', id: 'webhooks' });
  await work.write(async (tx) => {
    const now = new Date(runtime.clock.now());
    const recorded = await recordAttempts((piece) => tx.query(piece), now, [attempted]);
    // Nothing recorded: the lease was lost, and whoever took over answers.
    if (recorded.length === 0) return;
    const question = { eventId: event.id, type: event.type, resourceId: event.resource_id };
    await decide(tx, question, outcomeOf(event, posted)).catch(async (error: unknown) => {
      if (await isConnected(tx))
        throw new DecisionFailed('the answer could not be acted on', { cause: error });
      throw error;
    });
  });
}

function outcomeOf(event: Aimed, posted: HttpResult | undefined): QuestionResult {
  if (event.endpoint === null) return { kind: 'error', reason: 'no webhook endpoint is configured' };
  if (posted === undefined) return { kind: 'none' };
  if ('status' in posted) return { kind: 'answered', status: posted.status, body: parsed(posted.body) };
  return posted.cause === 'timeout' ? { kind: 'none' } : { kind: 'error', reason: posted.error };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
