import assert from 'node:assert/strict';
import { loadCaller } from '#capabilities/agents/actions/agent-call.ts';
import { requirePolicy } from '#capabilities/agents/actions/execute-quote.ts';
import { checkStanding, judge, type Moved, RefusedByPolicy } from '#capabilities/agents/actions/movement.ts';
import type { AgentAction } from '#capabilities/agents/actions/schemas.ts';
import { planStart, planSubmission, type Submission } from '#capabilities/agents/actions/submit-action.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { ROUTES_BY_ACTION } from '#capabilities/agents/permissions.ts';
import { checkFunds, checkVolume, planTransition } from '#capabilities/payments/commit/plan-transition.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { publicAccountId } from '#capabilities/payments/present-transaction.ts';
import { type TransactionRow, transferAccounts } from '#capabilities/payments/row.ts';
import { executionFacts } from '#capabilities/payments/settlement/facts.ts';
import { planNewTransfer, type Transfer } from '#capabilities/payments/transfers/create-transfer.ts';
import {
  checkOneCurrency,
  describeTransferIn,
  describeTransferOut,
  loadTransferIn,
  loadTransferOut,
  type NamedTransferIn,
  type NamedTransferOut,
  resolveTransferIn,
  resolveTransferOut,
} from '#capabilities/payments/transfers/resolve-transfer.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Caller } from '#foundation/http/caller.ts';
import type { SharedPlan } from '#foundation/http/declare/plan.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/** A transfer with existing accounts, in either direction. */
type Named =
  | ({ readonly type: 'OUTGOING' } & NamedTransferOut)
  | ({ readonly type: 'INCOMING' } & NamedTransferIn);

/** An agent's request, which always names the amount (agents.md §3.18). */
export type AgentTransferRequest =
  | { readonly type: 'OUTGOING'; readonly request: NamedTransferOut['request'] & { readonly amount: number } }
  | { readonly type: 'INCOMING'; readonly request: NamedTransferIn['request'] };

/** The agent, if it may make transfers now (agents.md §4.43, §4.44). */
export async function loadTransferring(
  tx: ReadTx,
  caller: Caller,
  action: 'TRANSFER_IN' | 'TRANSFER_OUT',
): Promise<AgentRow> {
  const agent = await loadCaller(tx, caller);
  requirePolicy(agent, checkStanding(agent, ROUTES_BY_ACTION[action]));
  return agent;
}

/** Prepares an agent's transfer: the checks of agents.md §4.46–4.51, in that order. */
export async function prepareAgentTransfer(
  tx: ReadTx,
  agent: AgentRow,
  asked: AgentTransferRequest,
): Promise<SharedPlan<AgentAction> | Refusal> {
  const named = await loadTransfer(tx, asked, agent.customer_id);
  refuseIf(checkOneCurrency(named));
  const verdict = await judge(tx, agent, movementOf(named));
  if ('refusal' in verdict) throw new RefusedByPolicy(agent.id, verdict.refusal);
  const submission = buildSubmission(agent, named);
  if (verdict.mode === 'AUTO') {
    const started = await startNew(tx, named, agent.id).catch(requireRefusal);
    return planStart(tx, submission, verdict.measured, started);
  }
  const described =
    named.type === 'OUTGOING' ? await describeTransferOut(tx, named) : describeTransferIn(named);
  const how = { type: named.type, kind: 'submitted' } as const;
  const plan = planNewTransfer(tx, { ...described, agentId: agent.id }, how, (row) => row);
  return planSubmission(tx, submission, { change: plan.change, row: plan.answer as TransactionRow });
}

function requireRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

async function loadTransfer(
  tx: ReadTx,
  { type, request }: AgentTransferRequest,
  ownedBy: CustomerId,
): Promise<Named> {
  return type === 'OUTGOING'
    ? { type, ...(await loadTransferOut(tx, request, ownedBy)) }
    : { type, ...(await loadTransferIn(tx, request, ownedBy)) };
}

function resolve(tx: ReadTx, named: Named): Promise<Transfer> {
  return named.type === 'OUTGOING' ? resolveTransferOut(tx, named) : resolveTransferIn(tx, named);
}

function movementOf({ type, internal, external, request }: Named): Moved {
  const account = publicId('InternalAccount', internal.account.id);
  return {
    ...(type === 'OUTGOING' ? { source: account } : { destination: account }),
    currency: external.account.currency,
    amount: BigInt(request.amount ?? 0),
  };
}

function buildSubmission(agent: AgentRow, { type, owner, external, request }: Named): Submission {
  assert(owner, 'an agent acts for the owner of the accounts');
  return {
    agent,
    platformCustomerId: owner.platform_customer_id,
    type: type === 'OUTGOING' ? 'TRANSFER_OUT' : 'TRANSFER_IN',
    transaction_id: null,
    transfer: {
      amount: request.amount ?? 0,
      currency: external.account.currency,
      sourceAccountId: request.source.accountId,
      destinationAccountId: request.destination.accountId,
    },
    signer_key: null,
  };
}

async function startNew(
  tx: ReadTx,
  named: Named,
  agentId: AgentId,
): Promise<SharedPlan<TransactionRow> | Refusal> {
  const transfer = { ...(await resolve(tx, named)), agentId };
  const how = { type: named.type, kind: 'executed' } as const;
  const plan = planNewTransfer(tx, transfer, how, (row) => row);
  return (await checkRoom(tx, named, plan.answer as TransactionRow)) ?? plan;
}

/**
 * Starts a transfer that waited. All checks of money.md §5 are repeated, with the current accounts (agents.md §5.1).
 */
export async function startWaitingTransfer(
  tx: ReadTx,
  agent: AgentRow,
  row: TransactionRow,
): Promise<SharedPlan<TransactionRow> | Refusal> {
  const named = await loadTransfer(tx, transferRequestOf(row), agent.customer_id);
  await resolve(tx, named);
  const transition = PAYMENTS.require(row, { kind: 'executed' }, tx.now, executionFacts(tx, row));
  return (await checkRoom(tx, named, transition.row)) ?? planTransition(tx, transition, transition.row);
}

/** The commit would detect this as well. Detecting it here keeps the failed action. */
async function checkRoom(tx: ReadTx, named: Named, row: TransactionRow): Promise<Refusal | undefined> {
  const funds =
    named.type === 'OUTGOING' ? checkFunds(tx, named.internal.account, row.sending_amount) : undefined;
  return (await checkVolume(tx, row)) ?? funds;
}

/** The request of a waiting transfer, as far as its checks need it. */
function transferRequestOf(row: TransactionRow): AgentTransferRequest {
  const { paymentRail, railSelectionMode } = row.details;
  const { source, destination } = transferAccounts(row);
  const request = {
    source: { accountId: publicAccountId(source) },
    destination: {
      accountId: publicAccountId(destination),
      ...(railSelectionMode === 'MANUAL' && paymentRail && { paymentRail }),
    },
    amount: Number(row.sending_amount),
  };
  return { type: row.type, request } as AgentTransferRequest;
}
