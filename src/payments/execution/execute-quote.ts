import { availOf } from '#accounts/ledger-accounts.ts';
import type { ReadTx } from '#database/tx.ts';
import { endIfUsed, type KeyUse } from '#http/idempotency.ts';
import type { SharedPlan } from '#http/plan.ts';
import { notFound, type Refusal } from '#lib/refusals.ts';
import { planTransition, refusalOf } from '#payments/commit/plan-transition.ts';
import { checkExecution, type ExecutionRefusal } from '#payments/execution/check-execution.ts';
import type { Execution, PaymentParts } from '#payments/execution/store.ts';
import type { Transition } from '#payments/machine/draft.ts';
import { advance } from '#payments/machine/table.ts';
import { presentQuote } from '#payments/present-quote.ts';
import type { Quote } from '#payments/schemas.ts';
import { executionFacts } from '#payments/settlement/facts.ts';

/**
 * Prepares the execution of a quote: one look that callers share, which also finds the call's key, and the checks of
 * money.md §3.3 on what it saw.
 */
export async function prepareExecution(
  parts: PaymentParts,
  tx: ReadTx,
  quoteId: string,
  key: KeyUse | undefined,
): Promise<SharedPlan<Quote> | Refusal> {
  const execution = await look(parts, tx, quoteId, key);
  const { row } = execution;
  const refusal = await checkExecution(tx, execution);
  if (refusal) return refuse(tx, execution, refusal);
  const transition = advance(row, { kind: 'executed' }, tx.now, executionFacts(tx, row));
  if (!transition) throw new Error('a quote that passed the checks can be executed');
  const shortage = await balanceRefusal(tx, execution, transition);
  if (shortage) return shortage;
  return planTransition(tx, transition, presentQuote(tx, transition.row, tx.now));
}

/** Refuses here what the commit would refuse, so that strangers who would share it are not held up. */
async function balanceRefusal(
  tx: ReadTx,
  { available, row }: Execution,
  transition: Transition,
): Promise<Refusal | undefined> {
  if (available === undefined || available >= row.sending_amount) return undefined;
  return refusalOf(tx, transition, { name: 'insufficient', account: availOf(row.source_account ?? '') });
}

async function look(
  parts: PaymentParts,
  tx: ReadTx,
  quoteId: string,
  key: KeyUse | undefined,
): Promise<Execution> {
  const { platformId, now } = tx;
  const { execution, foundKey } = await parts.loadExecution({ platformId, quoteId, key, now });
  if (key) await endIfUsed(tx, key, foundKey);
  if (!execution) throw notFound('QUOTE_NOT_FOUND', 'Quote');
  return execution;
}

/** A refusal that leaves its mark keeps it (money.md §12.10); the others change nothing. */
function refuse(
  tx: ReadTx,
  { row }: Execution,
  { refusal, mark }: ExecutionRefusal,
): SharedPlan<Quote> | Refusal {
  const transition = mark && advance(row, { kind: mark }, tx.now, executionFacts(tx, row));
  return transition ? planTransition<Quote>(tx, transition, refusal) : refusal;
}
