import type { Capability } from '#capabilities/capability.ts';
import type { OperatorParts } from '#capabilities/operators/address.ts';
import { operatorCurtailed } from '#capabilities/operators/announcements.ts';
import { askSecondOperator } from '#capabilities/proposals/ask-second.ts';
import {
  ownProposals,
  proposalsToCheck,
  unacknowledgedBreakGlass,
} from '#capabilities/proposals/attention.ts';
import { withdrawAllOf } from '#capabilities/proposals/decide-proposal.ts';
import { proposalOperations } from '#capabilities/proposals/routes.ts';
import { Proposal } from '#capabilities/proposals/schemas.ts';
import { findPending } from '#capabilities/proposals/store.ts';
import { on } from '#foundation/events/reactions.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/lib/operator-roles.ts';

interface Parts extends OperatorParts {
  operatorOperations(): readonly NamedOperation[];
}

export const proposals = {
  name: 'proposals',
  operatorOperations: (parts: Parts) => proposalOperations(parts),
  searchPlaces: [{ type: 'Proposal', table: 'proposals', platform: 't.platform_id', operators: EVERY_ROLE }],
  reactions: [on(operatorCurtailed, (tx, { operatorId, reason }) => withdrawAllOf(tx, operatorId, reason))],
  attention: [proposalsToCheck, ownProposals, unacknowledgedBreakGlass],
  askSecond: askSecondOperator,
  proposalReply: Proposal,
  findPending,
} satisfies Capability;
