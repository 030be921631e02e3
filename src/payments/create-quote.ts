import { Change, type ReadTx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { accompany, type Companion, companionOf, endIfReplayed } from '#http/request-work.ts';
import { Refusal } from '#lib/refusals.ts';
import { applyStep } from '#payments/apply.ts';
import { partyRefusal } from '#payments/execution-checks.ts';
import { executionFacts } from '#payments/execution-facts.ts';
import { refusalOf } from '#payments/execution-refusals.ts';
import type { Execution } from '#payments/load-execution.ts';
import type { Draft } from '#payments/machine/draft.ts';
import { take } from '#payments/machine/table.ts';
import { planQuote, scheduleExpiry } from '#payments/plan-quote.ts';
import { presentQuote } from '#payments/present-quote.ts';
import { priceQuote } from '#payments/price-quote.ts';
import type { QuoteInput } from '#payments/quote-input.ts';
import type { Quote } from '#payments/schemas.ts';

/** A request whose fields were judged, and how it becomes an input: reads only, refuses by throwing. */
export interface QuoteRequest {
  /** Accounts, customers, rates and fees looked up. */
  resolve(tx: ReadTx): Promise<ResolvedQuote>;
}

export interface ResolvedQuote {
  readonly input: QuoteInput;
  /** How the parties stand, for a quote that is executed in the same call (money.md §2.6); absent: it is not. */
  readonly execute?: Omit<Execution, 'row' | 'isEnabled'> | undefined;
}

/** Makes a quote with its transaction and, where asked for, executes it: one commit, shared with other callers'. */
export async function createQuote(work: Work, request: QuoteRequest): Promise<Quote | Refusal> {
  await endIfReplayed(work);
  const companion = companionOf(work);
  return work.read(async (tx) => {
    for (let attempt = 1; ; attempt++) {
      const resolved = await request.resolve(tx);
      const draft = draftQuote(tx, resolved);
      const answer = draft instanceof Refusal ? draft : await store(tx, draft, companion);
      if (answer) return answer;
      if (attempt === ATTEMPTS_MAX)
        throw new Refusal(
          'SERVICE_UNAVAILABLE',
          'Too many calls change the same data at once. Retry in a moment.',
        );
      await endIfReplayed(work, companion);
    }
  });
}

const ATTEMPTS_MAX = 20;

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

/** Undefined: somebody else was quicker. */
async function store(tx: ReadTx, draft: Draft, companion: Companion): Promise<Quote | Refusal | undefined> {
  const step = draft.finish();
  if (!step) throw new Error('a new row is always a step');
  const quote = presentQuote(tx, step.row, tx.now);
  const reply = { status: 201, body: JSON.stringify(quote) };
  const change = new Change(tx);
  applyStep(change, step);
  accompany(change, companion, reply);
  const reason = await tx.surroundings.commit(change);
  return reason ? refusalOf(tx, step, reason) : quote;
}
