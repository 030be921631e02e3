import Type, { type Static } from 'typebox';
import { PARTIES, Quote, TransactionOneOf } from '#capabilities/payments/schemas.ts';
import {
  component,
  dateTime,
  idSchema,
  namedEnum,
  page,
  pageQuery,
  queryId,
  stringEnum,
} from '#foundation/http/schema.ts';

const AgentActionStatus = namedEnum(
  'AgentActionStatus',
  '`PENDING_APPROVAL`: it waits for your decision. `APPROVED`: it has started, by the policy or by your approval. ' +
    '`REJECTED`: you rejected it, or its agent or customer was deleted. `FAILED`: it could not start, or there was no ' +
    'decision in time.',
  ['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'],
);

const AgentActionType = namedEnum('AgentActionType', 'The kind of action.', [
  'EXECUTE_QUOTE',
  'TRANSFER_OUT',
  'TRANSFER_IN',
]);

const AgentTransferDetails = component('AgentTransferDetails', 'The transfer that an agent requested.', {
  amount: Type.Integer({ description: 'In the smallest unit of the currency.' }),
  currency: Type.String({ description: 'The currency of both accounts.', examples: ['USD'] }),
  sourceAccountId: Type.String({ description: 'The account that pays.' }),
  destinationAccountId: Type.String({ description: 'The account that is paid.' }),
});
export type AgentTransferDetails = Static<typeof AgentTransferDetails>;

export const AgentAction = component('AgentAction', 'One request of an agent that moves money.', {
  id: idSchema('AgentAction', { description: 'Id of the action.' }),
  agentId: idSchema('Agent', { description: 'The agent that requested it.' }),
  customerId: idSchema('Customer', { description: 'The customer that the agent acts for.' }),
  platformCustomerId: Type.String({ description: 'Your own id for the customer.' }),
  status: AgentActionStatus,
  type: AgentActionType,
  quote: Type.Optional(Quote),
  transferDetails: Type.Optional(AgentTransferDetails),
  transaction: Type.Optional(TransactionOneOf),
  // Beyond the contract: the approver has to see the payee, even before there is a transaction.
  ...PARTIES,
  rejectionReason: Type.Optional(Type.String({ description: 'Why it was rejected, if a reason was given.' })),
  failure: Type.Optional(
    Type.Object(
      {
        code: Type.String({ description: 'Code of the error.', examples: ['INSUFFICIENT_FUNDS'] }),
        reason: Type.String({ description: 'The error as text.' }),
      },
      { description: 'Why it failed: the code and reason of the error.' },
    ),
  ),
  createdAt: dateTime({ description: 'When the agent requested it.' }),
  updatedAt: dateTime({ description: 'When it was decided; until then, when the agent requested it.' }),
});
export type AgentAction = Static<typeof AgentAction>;

export const AgentActionListResponse = page('AgentActionListResponse', AgentAction);

export const AgentActionsQuery = pageQuery({
  status: Type.Optional(AgentActionStatus),
});

const BOUNDS_AND_ORDER = {
  startDate: Type.Optional(dateTime({ description: 'Requested at this time or later.' })),
  endDate: Type.Optional(dateTime({ description: 'Requested at this time or earlier.' })),
  sortOrder: Type.Optional(
    stringEnum(['asc', 'desc'], { default: 'desc', description: 'Order of `createdAt`.' }),
  ),
};

export const AgentApprovalsQuery = pageQuery({
  agentId: Type.Optional(queryId('Agent', { description: 'Actions of this agent.' })),
  customerId: Type.Optional(queryId('Customer', { description: 'Actions of the agents of this customer.' })),
  ...BOUNDS_AND_ORDER,
});

export const ActionsOfAgentQuery = pageQuery({
  status: Type.Optional(AgentActionStatus),
  type: Type.Optional(AgentActionType),
  ...BOUNDS_AND_ORDER,
});

export const AgentActionRejectRequest = component('AgentActionRejectRequest', 'The rejection of an action.', {
  reason: Type.Optional(Type.String({ maxLength: 1_000, description: 'The reason, which the agent sees.' })),
});
