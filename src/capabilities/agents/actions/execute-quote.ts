import { loadCaller } from '#capabilities/agents/actions/agent-call.ts';
import { checkStanding, judge, type Moved, RefusedByPolicy } from '#capabilities/agents/actions/movement.ts';
import type { AgentAction } from '#capabilities/agents/actions/schemas.ts';
import { wasRejected } from '#capabilities/agents/actions/store.ts';
import { planStart, planSubmission, type Submission } from '#capabilities/agents/actions/submit-action.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { ROUTES_BY_ACTION } from '#capabilities/agents/permissions.ts';
import { planTransition } from '#capabilities/payments/commit/plan-transition.ts';
import { openPrivate } from '#capabilities/payments/details.ts';
import { checkExecutable } from '#capabilities/payments/execution/check-execution.ts';
import { planExecution, refuseExecution } from '#capabilities/payments/execution/execute-quote.ts';
import type { Execution, PaymentParts } from '#capabilities/payments/execution/store.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { presentOwner } from '#capabilities/payments/present-transaction.ts';
import type { PaymentDestination, PaymentSource, TransactionRow } from '#capabilities/payments/row.ts';
import { executionFacts } from '#capabilities/payments/settlement/facts.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Caller, RequestFacts } from '#foundation/http/caller.ts';
import type { SharedPlan } from '#foundation/http/declare/plan.ts';
import { type KeyUse, replayIfUsed } from '#foundation/http/idempotency/idempotency.ts';
import { keyedStamp, readStamp, type SentStamp } from '#foundation/http/signed/signed-retry.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound, Refusal } from '#foundation/lib/refusals.ts';

interface AgentCall {
  readonly caller: Caller;
  readonly quoteId: QuoteId;
  readonly key?: KeyUse | undefined;
  readonly request?: RequestFacts | undefined;
}

/** Prepares the execution of an agent's quote: the checks of agents.md §4.22–4.33, in that order. */
export async function prepareAgentExecution(
  payments: PaymentParts,
  tx: ReadTx,
  call: AgentCall,
): Promise<SharedPlan<AgentAction> | Refusal> {
  const stamp = readStamp(tx, call.request);
  const execution = await loadOwnExecution(payments, tx, call, stamp);
  const { row } = execution;
  const agent = await loadCaller(tx, call.caller);
  requirePolicy(agent, checkStanding(agent, ROUTES_BY_ACTION.EXECUTE_QUOTE));
  const refused = await checkExecutable(tx, execution, stamp);
  const isOpenOrExpired = !refused || refused.refusal.code === 'QUOTE_EXPIRED';
  if (isOpenOrExpired && (await wasRejected(tx, row.id))) {
    return new Refusal(
      'CONFLICT',
      'The platform has rejected the execution of this quote. Create a new one.',
    );
  }
  if (refused) return refuseExecution(tx, execution, refused);
  const verdict = await judge(tx, agent, movementOf(row));
  if ('refusal' in verdict) throw new RefusedByPolicy(agent.id, verdict.refusal);
  const submission = buildSubmission(tx, agent, row, stamp);
  return verdict.mode === 'AUTO'
    ? planStart(tx, submission, verdict.measured, await startExecution(tx, execution))
    : submit(tx, submission, row);
}

/** The look-up of money.md §3.3b, and agents.md §4.22 before agents.md §4.23. */
async function loadOwnExecution(
  payments: PaymentParts,
  tx: ReadTx,
  { caller, quoteId, key }: AgentCall,
  stamp: SentStamp,
): Promise<Execution> {
  const { platformId, now } = tx;
  const signerKey = signerKeyOf(stamp) ?? undefined;
  const { execution, foundKey } = await payments.loadExecution({ platformId, quoteId, key, signerKey, now });
  if (execution?.row.agent_id !== caller.id) throw notFound('QUOTE_NOT_FOUND', 'Quote');
  if (key) await replayIfUsed(tx, key, foundKey);
  return execution;
}

export function requirePolicy(agent: AgentRow, refusal: Refusal | undefined): void {
  if (refusal) throw new RefusedByPolicy(agent.id, refusal);
}

/** agents.md §4.2, §4.3: the whole amount that leaves, and the internal accounts of the quote. */
export function movementOf(row: TransactionRow): Moved {
  const account = (party: PaymentSource | PaymentDestination) =>
    party.kind === 'INTERNAL' ? publicId('InternalAccount', party.account) : undefined;
  return {
    source: account(row.source),
    destination: account(row.destination),
    currency: row.sending_currency,
    amount: row.sending_amount,
  };
}

function buildSubmission(
  { vault }: ReadTx,
  agent: AgentRow,
  row: TransactionRow,
  stamp: SentStamp,
): Submission {
  return {
    agent,
    platformCustomerId: presentOwner(row, openPrivate(vault, row)).platformCustomerId,
    type: 'EXECUTE_QUOTE',
    transaction_id: row.id,
    transfer: null,
    signer_key: signerKeyOf(stamp),
  };
}

function signerKeyOf(stamp: SentStamp): string | null {
  return keyedStamp(stamp)?.publicKey ?? null;
}

/** agents.md §4.33; a refusal that a check throws is treated like a returned one. */
export async function startExecution(
  tx: ReadTx,
  execution: Execution,
): Promise<SharedPlan<TransactionRow> | Refusal> {
  return planExecution(tx, execution, { asksVolume: true }, (after) => after).catch((error: unknown) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
}

function submit(tx: ReadTx, submission: Submission, row: TransactionRow): SharedPlan<AgentAction> {
  const transition = PAYMENTS.require(row, { kind: 'submitted' }, tx.now, executionFacts(tx, row));
  const { change } = planTransition(tx, transition, undefined);
  return planSubmission(tx, submission, { change, row: transition.row });
}
