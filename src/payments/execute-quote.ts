import { Change, type ReadTx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { endWith, forgetKey } from '#http/idempotency.ts';
import { notFound } from '#http/register.ts';
import { accompany, type Companion, companionOf } from '#http/request-work.ts';
import { Refusal } from '#lib/refusals.ts';
import { applyStep } from '#payments/apply.ts';
import { type ExecutionRefusal, judgeExecution } from '#payments/execution-checks.ts';
import { executionFacts } from '#payments/execution-facts.ts';
import { refusalOf } from '#payments/execution-refusals.ts';
import type { Execution } from '#payments/load-execution.ts';
import { advance } from '#payments/machine/table.ts';
import type { PaymentParts } from '#payments/parts.ts';
import { presentQuote } from '#payments/present-quote.ts';
import type { Quote } from '#payments/schemas.ts';

const ATTEMPTS_MAX = 20;

/**
 * Executes a quote: one look that callers share, the checks of money.md §3.3 on what it saw, one commit that they
 * share (architecture.md §3.3). Where somebody was quicker the look is repeated.
 */
export function executeQuote(parts: PaymentParts, work: Work, quoteId: string): Promise<Quote | Refusal> {
  const companion = companionOf(work);
  return work.read(async (tx) => {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const execution = await look(parts, tx, quoteId, companion);
      const answer = await execute(tx, execution, companion);
      if (answer) return answer;
    }
    throw new Refusal(
      'SERVICE_UNAVAILABLE',
      'The quote is being changed by other calls at the same time. Retry in a moment.',
    );
  });
}

async function look(
  parts: PaymentParts,
  tx: ReadTx,
  quoteId: string,
  { key }: Companion,
): Promise<Execution> {
  const { platformId, now } = tx;
  const { execution, storedKey, isKeyExpired } = await parts.loadExecution({ platformId, quoteId, key, now });
  if (key && storedKey) endWith(tx.vault, platformId, key, storedKey);
  if (key && isKeyExpired) await forgetKey(tx, key);
  if (!execution) throw notFound('QUOTE_NOT_FOUND', 'Quote');
  return execution;
}

/** Undefined: somebody else was quicker. */
async function execute(
  tx: ReadTx,
  execution: Execution,
  companion: Companion,
): Promise<Quote | Refusal | undefined> {
  const { row } = execution;
  const judged = await judgeExecution(tx, execution);
  if (judged) return refuse(tx, execution, judged);
  const step = advance(row, { kind: 'executed' }, tx.now, executionFacts(tx, row));
  if (!step) return undefined;
  const quote = presentQuote(tx, step.row, tx.now);
  const reply = { status: 200, body: JSON.stringify(quote) };
  const change = new Change(tx);
  applyStep(change, step);
  accompany(change, companion, reply);
  const reason = await tx.surroundings.commit(change);
  return reason ? refusalOf(tx, step, reason) : quote;
}

/** A refusal that leaves its mark keeps it (money.md §12.10); the others change nothing. */
async function refuse(
  tx: ReadTx,
  { row }: Execution,
  { refusal, mark }: ExecutionRefusal,
): Promise<Refusal | undefined> {
  if (mark === undefined) return refusal;
  const step = advance(row, { kind: mark }, tx.now, executionFacts(tx, row));
  if (!step) return refusal;
  const change = new Change(tx);
  applyStep(change, step);
  return (await tx.surroundings.commit(change)) ? undefined : refusal;
}
