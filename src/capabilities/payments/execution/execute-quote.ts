import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import {
  checkVolume,
  planTransition,
  refusalForReason,
} from '#capabilities/payments/commit/plan-transition.ts';
import {
  checkExecutable,
  checkStart,
  type ExecutionRefusal,
  payerOf,
} from '#capabilities/payments/execution/check-execution.ts';
import type { Execution, PaymentParts } from '#capabilities/payments/execution/store.ts';
import type { PaymentTransition } from '#capabilities/payments/machine/draft.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import {
  destinationOf,
  draftPaymentChallenge,
  loadRequiredFactor,
} from '#capabilities/payments/parties/authentication.ts';
import { presentQuote } from '#capabilities/payments/present-quote.ts';
import { payerAccount, type TransactionRow } from '#capabilities/payments/row.ts';
import type { Quote } from '#capabilities/payments/schemas.ts';
import { executionFacts } from '#capabilities/payments/settlement/facts.ts';
import type { ScaChallenge, ScaFactor } from '#capabilities/sca/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { RequestFacts } from '#foundation/http/caller.ts';
import type { SharedPlan } from '#foundation/http/declare/plan.ts';
import { type KeyUse, replayIfUsed } from '#foundation/http/idempotency/idempotency.ts';
import { keyedStamp, readStamp, type SentStamp } from '#foundation/http/signed/signed-retry.ts';
import { notFound, Refusal } from '#foundation/lib/refusals.ts';

/** A request to execute a quote; `request` may carry the stamp of a wallet's owner. */
interface ExecutionCall {
  readonly quoteId: QuoteId;
  readonly scaFactor?: ScaFactor | undefined;
  readonly key?: KeyUse | undefined;
  readonly request?: RequestFacts | undefined;
}

/**
 * Prepares the execution of a quote. One look-up, shared by concurrent callers, also finds the request's idempotency
 * key and whether the key of its stamp may sign. Then the checks of money.md §3.3 follow.
 */
export async function prepareExecution(
  parts: PaymentParts,
  tx: ReadTx,
  call: ExecutionCall,
): Promise<SharedPlan<Quote> | Refusal> {
  const stamp = readStamp(tx, call.request);
  const execution = await load(parts, tx, call, stamp);
  const refusal = await checkExecutable(tx, execution, stamp);
  if (refusal) return refuseExecution(tx, execution, refusal);
  return planExecution(tx, execution, { scaFactor: call.scaFactor }, (after, shown) =>
    presentQuote(tx, after, tx.now, shown),
  );
}

interface StartOptions {
  readonly scaFactor?: ScaFactor | undefined;
  /** Checks the day's volume before the commit does, for a caller that records refusals. */
  readonly asksVolume?: boolean;
}

/** Starts a quote that can be executed: makes the remaining checks, and plans the transition. */
export async function planExecution<Body>(
  tx: ReadTx,
  execution: Execution,
  { scaFactor, asksVolume = false }: StartOptions,
  present: (after: TransactionRow, challenge: ScaChallenge | undefined) => Body,
): Promise<SharedPlan<Body> | Refusal> {
  const { row } = execution;
  const refusal = await checkStart(tx, execution);
  if (refusal) return refuseExecution(tx, execution, refusal);
  const asked = await loadExecutionFactor(tx, execution, scaFactor);
  if (asked instanceof Refusal) return asked;
  const challenge = asked && draftPaymentChallenge(tx, row, asked);
  const notice: PaymentNotice = challenge
    ? { kind: 'authorizationRequired', by: challenge.by }
    : { kind: 'executed' };
  const transition = PAYMENTS.require(row, notice, tx.now, executionFacts(tx, row));
  const refused =
    (challenge || asksVolume ? await checkVolume(tx, row) : undefined) ??
    (await checkBalance(tx, execution, transition));
  if (refused) return refused;
  return planTransition(tx, transition, present(transition.row, challenge?.shown), challenge);
}

/**
 * The challenge before the customer's money leaves. A pull into an internal account needs none (customers.md §7.10a).
 */
async function loadExecutionFactor(tx: ReadTx, execution: Execution, scaFactor: ScaFactor | undefined) {
  const { row } = execution;
  if (row.type === 'INCOMING') return undefined;
  const factor = scaFactor ?? row.details.scaFactor;
  return loadRequiredFactor(tx, { payer: payerOf(execution), destination: destinationOf(row), factor });
}

/** The commit would refuse this as well. Refusing it here avoids a delay for others that share the commit. */
async function checkBalance(
  tx: ReadTx,
  { available, row }: Execution,
  transition: PaymentTransition,
): Promise<Refusal | undefined> {
  if (available === undefined || available >= row.sending_amount) return undefined;
  return refusalForReason(tx, transition, {
    name: 'insufficient',
    account: availAccountOf(payerAccount(row)),
  });
}

async function load(
  parts: PaymentParts,
  tx: ReadTx,
  { quoteId, key }: ExecutionCall,
  stamp: SentStamp,
): Promise<Execution> {
  const { platformId, now } = tx;
  const signerKey = keyedStamp(stamp)?.publicKey;
  const { execution, foundKey } = await parts.loadExecution({ platformId, quoteId, key, signerKey, now });
  if (key) await replayIfUsed(tx, key, foundKey);
  if (!execution) throw notFound('QUOTE_NOT_FOUND', 'Quote');
  return execution;
}

/** Commits a refusal's mark on the transaction with the refusal (money.md §12.10); without a mark nothing changes. */
export function refuseExecution<Body>(
  tx: ReadTx,
  { row }: Execution,
  { refusal, mark }: ExecutionRefusal,
): SharedPlan<Body> | Refusal {
  const transition = mark && PAYMENTS.advance(row, { kind: mark }, tx.now, executionFacts(tx, row));
  return transition ? planTransition<Body>(tx, transition, refusal) : refusal;
}
