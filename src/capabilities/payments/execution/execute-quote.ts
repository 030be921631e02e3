import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import {
  checkVolume,
  planTransition,
  refusalForReason,
} from '#capabilities/payments/commit/plan-transition.ts';
import { loadPrivate, openPrivate, type Private } from '#capabilities/payments/details.ts';
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
  return planExecution(tx, execution, { scaFactor: call.scaFactor }, (after, shown, facts) =>
    presentQuote(tx, after, tx.now, shown, facts),
  );
}

interface StartOptions {
  readonly scaFactor?: ScaFactor | undefined;
  /** Checks the day's volume before the commit does, for a caller that records refusals. */
  readonly asksVolume?: boolean;
}

/**
 * Plans the execution of a quote: makes the remaining checks, and plans the transition. The quote's private facts are
 * opened once, for the order and for the reply.
 */
export async function planExecution<Body>(
  tx: ReadTx,
  execution: Execution,
  { scaFactor, asksVolume = false }: StartOptions,
  present: (after: TransactionRow, challenge: ScaChallenge | undefined, facts: Private) => Body,
): Promise<SharedPlan<Body> | Refusal> {
  const { row } = execution;
  if (showsPrivate(execution)) await loadPrivate(tx, [row]);
  const refusal = await checkStart(tx, execution);
  if (refusal) return refuseExecution(tx, execution, refusal);
  const asked = await loadExecutionFactor(tx, execution, scaFactor);
  if (asked instanceof Refusal) return asked;
  const challenge = asked && draftPaymentChallenge(tx, row, asked);
  const notice: PaymentNotice = challenge
    ? { kind: 'authorizationRequired', by: challenge.by }
    : { kind: 'executed' };
  const facts = showsPrivate(execution) ? openPrivate(tx.vault, row) : {};
  const transition = PAYMENTS.require(row, notice, tx.now, executionFacts(tx, row, facts));
  const refused =
    (challenge || asksVolume ? await checkVolume(tx, row) : undefined) ??
    (await checkBalance(tx, execution, transition));
  if (refused) return refused;
  return planTransition(tx, transition, present(transition.row, challenge?.shown, facts), challenge);
}

/**
 * Whether the order or the reply has private facts. A payment between two internal accounts has none in either, unless
 * the owner of a wallet signs it.
 */
function showsPrivate({ row, source }: Execution): boolean {
  const isWallet = source?.kind === 'INTERNAL' && source.type === 'EMBEDDED_WALLET';
  return isWallet || row.source.kind !== 'INTERNAL' || row.destination.kind !== 'INTERNAL';
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
