import { shownAction } from '#capabilities/agents/actions/present.ts';
import type { ActionType } from '#capabilities/agents/actions/row.ts';
import {
  findAction,
  type JoinedActionRow,
  listActionsAbout,
  type MeasuredActionRow,
} from '#capabilities/agents/actions/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type {
  Explained,
  Explainer,
  Failure,
  FindRelatives,
  Item,
  Trail,
  Waiting,
} from '#foundation/explanation/explanation.ts';
import { sayAmount } from '#foundation/lib/currencies.ts';
import { bareId, publicId, typeOfId } from '#foundation/lib/ids.ts';

/** Explains agents' actions, with the payment that each made (operator.md §8.1). */
export const actionExplainer: Explainer = {
  types: ['AgentAction'],
  async explain(tx, { uuid }) {
    const action = await findAction(tx, uuid as Id<'AgentAction'>);
    if (!action) return undefined;
    const [measured] = await listActionsAbout(tx, [action.id], 1);
    return explainAction(tx, action, measured && reasonOf(tx, measured));
  },
};

function explainAction(tx: ReadTx, action: JoinedActionRow, why: string | undefined): Explained {
  const { status, failure } = shownAction(action, tx.now);
  const { transaction_id: transactionId } = action;
  const transaction = transactionId === null ? [] : [publicId('Transaction', transactionId)];
  return {
    id: publicId('AgentAction', action.id),
    type: 'AGENT_ACTION',
    status,
    summary: SUMMARIES[status](ASKED[action.type]),
    waiting: status === 'PENDING_APPROVAL' ? waitingOf(tx, action, why) : undefined,
    failure: failure ? failureOf(failure) : undefined,
    related: [
      { id: publicId('Agent', action.agent_id), relation: 'agent' },
      ...transaction.map((id) => ({ id, relation: 'payment' })),
    ],
    // `agentTrail` has its decisions, because they belong to its payment as well.
    items: () => [],
    resources: [publicId('AgentAction', action.id), ...transaction],
    ledgerId: transactionId ?? undefined,
    jobs: [],
    changedAt: action.updated_at,
  };
}

const ASKED: Readonly<Record<ActionType, string>> = {
  EXECUTE_QUOTE: 'execute the quote',
  TRANSFER_OUT: 'transfer money out',
  TRANSFER_IN: 'transfer money in',
};

const SUMMARIES: Readonly<Record<JoinedActionRow['status'], (asked: string) => string>> = {
  PENDING_APPROVAL: (asked) =>
    `Nothing has moved: the agent asked to ${asked}, and the platform has not approved it yet.`,
  APPROVED: (asked) => `The agent’s request to ${asked} was allowed, and the payment started.`,
  REJECTED: (asked) => `Nothing has moved: the agent’s request to ${asked} was rejected.`,
  FAILED: (asked) => `Nothing has moved: the agent’s request to ${asked} could not be carried out.`,
};

/** An action that waited too long fails (agents.md §5.13), every other one because the payment could not start. */
function failureOf({ code, reason }: { readonly code: string; readonly reason: string }): Failure {
  const isLate = code === 'QUOTE_EXPIRED' || code === 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL';
  return { reason: code, sentence: reason, rule: isLate ? 'agents.md §5.13' : 'agents.md §4.4' };
}

function waitingOf(tx: ReadTx, action: JoinedActionRow, why: string | undefined): Waiting {
  const path = `/agents/${publicId('Agent', action.agent_id)}/actions/${publicId('AgentAction', action.id)}`;
  const until = action.approve_by ?? undefined;
  const ways = until
    ? tx.ports.explanations.waysToCause({ kind: 'TIME', at: until, when: 'when the action fails' }, tx.now)
    : [];
  return {
    for: ['The platform has to approve or reject the action, because the agent’s policy requires it.', why]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    since: action.created_at,
    until,
    afterwards: 'At that time the action fails. Nothing is on hold meanwhile.',
    by: [
      {
        who: 'TOKEN',
        how: 'Approve it, so that the money moves.',
        call: { method: 'POST', path: `${path}/approve` },
      },
      { who: 'TOKEN', how: 'Reject it.', call: { method: 'POST', path: `${path}/reject` } },
      ...ways.map((way) => ({ who: 'TOKEN' as const, ...way })),
    ],
  };
}

/**
 * Why an action needs an approval (agents.md §4.3); undefined if the agent was changed since, because its policy of that
 * time is not known.
 */
function reasonOf(tx: ReadTx, action: MeasuredActionRow): string | undefined {
  if (action.agent_updated_at.getTime() > action.created_at.getTime()) return undefined;
  const { amount, currency } = action.policy.approvalThresholds ?? {};
  const { sending_amount: moved, sending_currency: movedIn } = action;
  if (typeof amount !== 'number' || currency === undefined) return EVERY_MOVEMENT;
  const show = (value: bigint, code: string) => sayAmount(value, code, tx.platform.ownCurrencies);
  const threshold = show(BigInt(amount), currency);
  if (moved === null || movedIn !== currency) return `The policy requires an approval above ${threshold}.`;
  return moved > BigInt(amount)
    ? `${show(moved, currency)} is above the policy’s threshold of ${threshold}.`
    : EVERY_MOVEMENT;
}

const EVERY_MOVEMENT = 'The policy requires it for every payment from this account.';

/** The actions of agents belong to their payment: their events, requests and decisions. */
export const agentRelatives: FindRelatives = async (tx, explained) => {
  const isByAgent = explained.related.some(({ relation }) => relation === 'agent');
  if (!isByAgent || typeOfId(explained.id) !== 'Transaction') return undefined;
  const actions = await listActionsAbout(tx, [bareId(explained.id)], ACTIONS_RELATED);
  const last = actions.at(-1);
  const isWaiting = last && shownAction(last, tx.now).status === 'PENDING_APPROVAL';
  return {
    related: actions.map(({ id }) => ({ id: publicId('AgentAction', id), relation: 'agent’s action' })),
    why: isWaiting ? reasonOf(tx, last) : undefined,
  };
};

const ACTIONS_RELATED = 10;

/** The requests of agents about a payment, the verdicts of their policies, and the platform's decisions. */
export const agentTrail: Trail = async (tx, { explained, itemsMax }) => {
  const named = explained.resources.filter((id) =>
    ['Transaction', 'AgentAction'].includes(typeOfId(id) ?? ''),
  );
  if (named.length === 0) return [];
  const actions = await listActionsAbout(tx, named.map(bareId), itemsMax);
  return actions.flatMap((action) => itemsOf(tx, action));
};

function itemsOf(tx: ReadTx, action: MeasuredActionRow): Item[] {
  const { status } = shownAction(action, tx.now);
  const agent = { kind: 'AGENT', actorId: publicId('Agent', action.agent_id) } as const;
  const waited = action.updated_at.getTime() > action.created_at.getTime() || status === 'PENDING_APPROVAL';
  const why = waited ? reasonOf(tx, action) : undefined;
  const threshold = why === undefined ? undefined : action.policy.approvalThresholds;
  const about = {
    ...{ actionId: publicId('AgentAction', action.id), limits: action.limits ?? undefined },
    ...(threshold && { approvalThreshold: threshold }),
  };
  return [
    {
      kind: 'decision',
      at: action.created_at,
      actor: agent,
      causes: ASKING,
      title: waited
        ? `The agent asked to ${ASKED[action.type]}. Its limits allow it, and its policy requires the platform’s approval.${why === undefined ? '' : ` ${why}`}`
        : `The agent asked to ${ASKED[action.type]}. Its limits and its policy allow it without an approval.`,
      rule: waited ? 'agents.md §4.5' : 'agents.md §4.4',
      details: { about: 'AGENT_POLICY', outcome: waited ? 'APPROVAL_REQUIRED' : 'AUTO', ...about },
    },
    {
      kind: 'transition',
      at: action.created_at,
      actor: agent,
      causes: ASKING,
      title: waited ? 'The action waits for the platform.' : ENDINGS[status][0],
      rule: waited ? 'agents.md §4.5' : 'agents.md §4.4',
      details: { of: 'AGENT_ACTION', from: 'none', to: waited ? 'PENDING_APPROVAL' : status },
    },
    ...(waited && status !== 'PENDING_APPROVAL' ? [ending(action, status)] : []),
  ];
}

function ending(
  action: JoinedActionRow,
  status: Exclude<JoinedActionRow['status'], 'PENDING_APPROVAL'>,
): Item {
  const [title, rule, causes] = ENDINGS[status];
  // A lapsed action is shown as failed before anything has written it.
  const isLapsed = status === 'FAILED' && action.status === 'PENDING_APPROVAL';
  return {
    kind: 'transition',
    at: isLapsed ? (action.approve_by ?? action.updated_at) : action.updated_at,
    actor: { kind: isLapsed ? 'SERVICE' : 'TOKEN' },
    title: isLapsed ? 'Nobody decided in time, so the action failed.' : title,
    rule: isLapsed ? 'agents.md §5.13' : rule,
    causes: isLapsed ? undefined : causes,
    details: { of: 'AGENT_ACTION', from: 'PENDING_APPROVAL', to: status },
  };
}

const ASKING = ['agentExecuteQuote', 'agentCreateTransferOut', 'agentCreateTransferIn'];
const APPROVING = ['approveAgentAction', 'approvePendingPayment'];
const REJECTING = ['rejectAgentAction', 'rejectPendingPayment'];

const ENDINGS: Readonly<Record<JoinedActionRow['status'], readonly [string, string, readonly string[]]>> = {
  PENDING_APPROVAL: ['The action waits for the platform.', 'agents.md §4.5', []],
  APPROVED: ['The action was approved, and the payment started.', 'agents.md §5.11', APPROVING],
  REJECTED: ['The action was rejected, or its agent or customer was deleted.', 'agents.md §5.14', REJECTING],
  FAILED: ['The action failed, because the payment could not start.', 'agents.md §5.12', APPROVING],
};
