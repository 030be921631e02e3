import type { OperatorParts } from '#capabilities/operators/address.ts';
import { verifyApproval } from '#capabilities/operators/confirmations.ts';
import { breakGlassOperations } from '#capabilities/proposals/break-glass-routes.ts';
import {
  approveProposal,
  rejectProposal,
  takeProposal,
  withdrawProposal,
} from '#capabilities/proposals/decide-proposal.ts';
import { discloseField } from '#capabilities/proposals/disclose-field.ts';
import { realNow } from '#capabilities/proposals/machine.ts';
import { presentProposal, presentSummary } from '#capabilities/proposals/present.ts';
import { operatorOf, requireOperator } from '#capabilities/proposals/require-operator.ts';
import type { ProposalId, StoredProposal } from '#capabilities/proposals/row.ts';
import {
  DisclosedProposalField,
  Proposal,
  ProposalApproveRequest,
  ProposalFieldRequest,
  ProposalListResponse,
  ProposalReasonRequest,
  ProposalSecret,
  type ProposalSummaryReply,
  ProposalsQuery,
} from '#capabilities/proposals/schemas.ts';
import { showSecret } from '#capabilities/proposals/show-secret.ts';
import { findProposal, listProposals, type ProposalFilter } from '#capabilities/proposals/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Caller, OperatorCaller } from '#foundation/http/caller.ts';
import { type NamedOperation, operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE, type OperatorRule } from '#foundation/http/operator-rule.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { notFound, Refusal, refuse } from '#foundation/lib/refusals.ts';

/** The operators' operations; they are known once all manifests are read. */
type Operations = () => readonly NamedOperation[];

const AREA = 'Proposals';
const params = { proposalId: { id: 'Proposal', missing: 'PROPOSAL_NOT_FOUND' } } as const;
/** Roles that may do nothing have nothing to decide. */
const DECIDING = EVERY_ROLE.filter((role) => role !== 'viewer');
const ON_ONE: OperatorRule = { roles: DECIDING, on: 'resource' };
const COMMON = { area: AREA, access: 'operator', params } as const;

const list = (operations: Operations) =>
  operation('listProposals', {
    route: 'GET /proposals',
    ...{ area: AREA, access: 'operator', operator: { roles: EVERY_ROLE, on: 'platforms' } },
    summary: 'List proposals',
    description: 'Newest first, of all platforms and of the installation.',
    query: ProposalsQuery,
    reply: ProposalListResponse,
    codes: ['INVALID_INPUT'],
    read(tx, { query, caller }) {
      const filter = { ...filterOf(tx, caller, query.view, operations()), resource: query.resource };
      const now = realNow(tx);
      return listProposals(
        tx,
        pageRequest('listProposals', query),
        filter,
        (row): ProposalSummaryReply => presentSummary(row, now),
      );
    },
  });

function filterOf(
  tx: ReadTx,
  caller: Caller,
  view: 'TO_CHECK' | 'MINE' | 'DECIDED' | 'ALL' = 'TO_CHECK',
  operations: readonly NamedOperation[] = [],
): ProposalFilter {
  const now = realNow(tx);
  const own = operatorOf(caller);
  if (view === 'MINE') return { now, maker: own };
  if (view === 'DECIDED') return { now, isOpen: false };
  if (view === 'ALL') return { now };
  const mine = operations.filter((one) => mayDo(caller, one)).map(({ id }) => id);
  return { now, checker: own, operations: mine, isOpen: true };
}

const show = (operations: Operations) =>
  operation('getProposalById', {
    ...COMMON,
    route: 'GET /proposals/:proposalId',
    operator: { roles: EVERY_ROLE, on: 'resource' },
    summary: 'Read a proposal',
    description: 'Operators without a role that may do the operation get neither its input nor its effect.',
    reply: Proposal,
    codes: ['PROPOSAL_NOT_FOUND'],
    async read(tx, { params: { proposalId }, caller }) {
      const row = await findProposal(tx, proposalId);
      return row
        ? presentProposal(tx, row, seenBy(caller, row, operations()))
        : notFound('PROPOSAL_NOT_FOUND', 'Proposal');
    },
  });

const approve = ({ operatorOperations, ...parts }: RouteParts) =>
  operation('approveProposal', {
    ...COMMON,
    route: 'POST /proposals/:proposalId/approve',
    operator: ON_ONE,
    summary: 'Approve a proposal',
    description:
      'Performs the operation and records the approval in one commit. The passkey signs a challenge that is made from the ' +
      'proposal’s `hash`: `POST /console/api/operator/step-up/challenge` with `signs`. Where operators sign in at an issuer, ' +
      '`POST /console/api/operator/issuer/step-up` with `signs` leads to a confirmation instead. If the operation would have another ' +
      'effect by now, the answer is `PROPOSAL_STALE` with the new preview. If the operation refuses, the proposal is `FAILED`.',
    body: ProposalApproveRequest,
    reply: Proposal,
    codes: [
      ...(['PROPOSAL_NOT_FOUND', 'PROPOSAL_DECIDED', 'PROPOSAL_STALE', 'CONFLICT', 'FORBIDDEN'] as const),
      'STEP_UP_REQUIRED',
    ],
    async write(tx, { params: { proposalId }, body, caller }) {
      const { row, checker, session } = await requireChecker(tx, proposalId, caller, operatorOperations());
      const { reason } = body;
      const proof = await verifyApproval(tx, parts, { id: session, operatorId: checker }, body, row.hash);
      const decided = await approveProposal(tx, operatorOperations(), proposalId, {
        ...{ by: caller.id, operator: checker, proof },
        details: { checkerSession: session, checkerReason: reason },
      });
      return presentProposal(tx, decided, declaredOf(decided, operatorOperations()));
    },
  });

/** Locks the operator, who must still have a role that may do what is proposed: the session was read before. */
function requireStill(tx: Tx, caller: Caller, row: StoredProposal, operations: readonly NamedOperation[]) {
  requireRole(caller, row, operations);
  return requireOperator(tx, operatorOf(caller), declaredOf(row, operations)?.operator?.roles ?? []);
}

/** Locks the second operator. */
async function requireChecker(tx: Tx, id: ProposalId, caller: Caller, operations: readonly NamedOperation[]) {
  const row = await requireProposal(tx, id);
  const checker = operatorOf(caller);
  const { approvesFrom } = await requireStill(tx, caller, row, operations);
  if (approvesFrom && approvesFrom > realNow(tx)) {
    refuse('FORBIDDEN', `You have a new passkey, and can approve from ${approvesFrom.toISOString()} on.`);
  }
  const session = caller.kind === 'operator' ? caller.session?.id : undefined;
  if (session === undefined) throw new Refusal('FORBIDDEN', 'This call needs the session of an operator.');
  return { row, checker, session };
}

const reject = (operations: Operations) =>
  operation('rejectProposal', {
    ...COMMON,
    route: 'POST /proposals/:proposalId/reject',
    operator: ON_ONE,
    summary: 'Reject a proposal',
    description:
      'Ends a proposal of another operator, without any effect. It needs a role that may do the operation.',
    body: ProposalReasonRequest,
    reply: Proposal,
    codes: ['PROPOSAL_NOT_FOUND', 'PROPOSAL_DECIDED', 'FORBIDDEN'],
    async write(tx, { params: { proposalId }, body: { reason }, caller }) {
      const before = await requireProposal(tx, proposalId);
      if (before.maker === operatorOf(caller))
        refuse('FORBIDDEN', 'Withdraw what you have proposed yourself.');
      await requireStill(tx, caller, before, operations());
      const rejected = await rejectProposal(tx, proposalId, { by: caller.id, reason });
      return presentProposal(tx, rejected, declaredOf(rejected, operations()));
    },
  });

const withdraw = (operations: Operations) =>
  operation('withdrawProposal', {
    ...COMMON,
    route: 'POST /proposals/:proposalId/withdraw',
    operator: ON_ONE,
    summary: 'Withdraw a proposal',
    description: 'Ends a proposal that the caller has made, without any effect.',
    body: ProposalReasonRequest,
    reply: Proposal,
    codes: ['PROPOSAL_NOT_FOUND', 'PROPOSAL_DECIDED', 'FORBIDDEN'],
    async write(tx, { params: { proposalId }, body: { reason }, caller }) {
      const decider = { by: caller.id, operator: operatorOf(caller), reason };
      const withdrawn = await withdrawProposal(tx, proposalId, decider);
      return presentProposal(tx, withdrawn, declaredOf(withdrawn, operations()));
    },
  });

const take = (operations: Operations) =>
  operation('takeProposal', {
    ...COMMON,
    route: 'POST /proposals/:proposalId/take',
    operator: { ...ON_ONE, stepUp: true },
    summary: 'Take a proposal',
    description:
      'Makes a proposal that somebody made at the command line in the caller’s name the caller’s own. Others can decide it then.',
    body: ProposalReasonRequest,
    reply: Proposal,
    codes: ['PROPOSAL_NOT_FOUND', 'PROPOSAL_DECIDED', 'CONFLICT', 'FORBIDDEN'],
    async write(tx, { params: { proposalId }, caller }) {
      requireRole(caller, await requireProposal(tx, proposalId), operations());
      const taken = await takeProposal(tx, proposalId, operatorOf(caller));
      return presentProposal(tx, taken, declaredOf(taken, operations()));
    },
  });

const secret = (operations: Operations) =>
  operation('showProposalSecret', {
    ...COMMON,
    route: 'POST /proposals/:proposalId/secret',
    operator: { ...ON_ONE, stepUp: true },
    summary: 'Show the secret that an approved operation made',
    description:
      'Shows it once, to the maker, within a day of the approval: the secret of a token, for example.',
    body: ProposalReasonRequest,
    reply: ProposalSecret,
    idempotency: { key: 'optional', secretReply: true },
    codes: ['PROPOSAL_NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
    async write(tx, { params: { proposalId }, caller }) {
      // A maker who has lost the role since, or the session, gets no access by what was approved before.
      await requireStill(tx, caller, await requireProposal(tx, proposalId), operations());
      return showSecret(tx, proposalId, operatorOf(caller));
    },
  });

const disclose = (operations: Operations) =>
  operation('discloseProposalField', {
    ...COMMON,
    route: 'POST /proposals/:proposalId/disclose',
    operator: { ...ON_ONE, stepUp: true },
    summary: 'Show one field of a proposed input in clear',
    description:
      'Shows a field that the proposal masks, for a reason, to operators who may do what is proposed: they sign the ' +
      'complete input. It is recorded who looked at which field.',
    body: ProposalFieldRequest,
    reply: DisclosedProposalField,
    status: 200,
    idempotency: { key: 'ignored' },
    codes: ['PROPOSAL_NOT_FOUND', 'INVALID_INPUT', 'CONFLICT', 'FORBIDDEN'],
    async write(tx, { params: { proposalId }, body: { field, reason }, caller }) {
      const row = await requireProposal(tx, proposalId);
      requireRole(caller, row, operations());
      return discloseField(tx, row, { caller: caller as OperatorCaller, field, reason });
    },
  });

interface RouteParts extends OperatorParts {
  readonly operatorOperations: Operations;
}

/** What operators do with each other's proposals (operator.md §5). */
export function proposalOperations(parts: RouteParts) {
  const { operatorOperations: all } = parts;
  return [
    ...[
      list(all),
      show(all),
      approve(parts),
      reject(all),
      withdraw(all),
      take(all),
      secret(all),
      disclose(all),
    ],
    ...breakGlassOperations(all),
  ];
}

function mayDo(caller: Caller, { operator }: NamedOperation): boolean {
  const own = caller.kind === 'operator' ? caller.roles : [];
  return operator?.two !== undefined && operator.roles.some((role) => own.includes(role));
}

function declaredOf(row: StoredProposal, operations: readonly NamedOperation[]): NamedOperation | undefined {
  return operations.find(({ id }) => id === row.operation);
}

/** The operation, for those who see its input and effect: the maker, and all who may do it. */
function seenBy(
  caller: Caller,
  row: StoredProposal,
  operations: readonly NamedOperation[],
): NamedOperation | undefined {
  const proposed = declaredOf(row, operations);
  return proposed && (row.maker === operatorOf(caller) || mayDo(caller, proposed)) ? proposed : undefined;
}

/** Refuses an operator who may not do the operation that is proposed. */
function requireRole(caller: Caller, row: StoredProposal, operations: readonly NamedOperation[]): void {
  const proposed = operations.find(({ id }) => id === row.operation);
  if (proposed && mayDo(caller, proposed)) return;
  const roles = proposed?.operator?.roles ?? [];
  refuse('FORBIDDEN', `This needs an operator who may do ${row.operation}: ${roles.join(', ')}.`, { roles });
}

async function requireProposal(tx: Tx, id: ProposalId): Promise<StoredProposal> {
  const row = await findProposal(tx, id);
  if (!row) throw notFound('PROPOSAL_NOT_FOUND', 'Proposal');
  return row;
}
