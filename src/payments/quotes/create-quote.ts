import type { ReadTx } from '#database/tx.ts';
import type { SharedPlan } from '#http/plan.ts';
import { Refusal } from '#lib/refusals.ts';
import { planTransition } from '#payments/commit/plan-transition.ts';
import { partyRefusal } from '#payments/execution/check-execution.ts';
import type { Execution } from '#payments/execution/store.ts';
import type { Draft } from '#payments/machine/draft.ts';
import { take } from '#payments/machine/table.ts';
import { presentQuote } from '#payments/present-quote.ts';
import { planQuote } from '#payments/quotes/draft-quote.ts';
import { scheduleExpiry } from '#payments/quotes/expire-quotes.ts';
import { priceQuote, type QuoteInput } from '#payments/quotes/price-quote.ts';
import type { Quote } from '#payments/schemas.ts';
import { executionFacts } from '#payments/settlement/facts.ts';

/** A request whose fields were judged, with accounts, customers, rates and fees looked up. */
export interface ResolvedQuote {
  readonly input: QuoteInput;
  /** How the parties stand, for a quote that is executed in the same call (money.md §2.6); absent: it is not. */
  readonly execute?: Omit<Execution, 'row' | 'isEnabled'> | undefined;
}

/** Prepares a quote with its transaction and, where asked for, its execution: all in one commit. */
export function prepareQuote(tx: ReadTx, resolved: ResolvedQuote): SharedPlan<Quote> | Refusal {
  const draft = draftQuote(tx, resolved);
  if (draft instanceof Refusal) return draft;
  const transition = draft.finish();
  if (!transition) throw new Error('a new row is always a transition');
  return planTransition(tx, transition, presentQuote(tx, transition.row, tx.now));
}

function draftQuote(tx: ReadTx, { input, execute }: ResolvedQuote): Draft | Refusal {
  const priced = priceQuote(input, tx.platform.settings);
  if (priced instanceof Refusal) return priced;
  const draft = planQuote(tx, input, priced);
  if (!execute) {
    scheduleExpiry(draft);
    return draft;
  }
  const late = partyRefusal(tx, { ...execute, row: draft.row });
  if (late) return late;
  take(draft, { kind: 'executed' }, executionFacts(tx, draft.row));
  return draft;
}
