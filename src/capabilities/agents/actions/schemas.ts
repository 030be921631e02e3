import Type, { type Static } from 'typebox';
import { PARTIES, Quote, TransactionOneOf } from '#capabilities/payments/schemas.ts';
import {
  component,
  dateTime,
  idOf,
  namedSchema,
  oneOf,
  page,
  pageQuery,
  queryId,
} from '#foundation/http/schema.ts';

const AgentActionStatus = namedSchema(
  'AgentActionStatus',
  oneOf(['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'], {
    description:
      '`PENDING_APPROVAL`: it waits for you. `APPROVED`: it was started, by itself or by you. `REJECTED`: you said no, or ' +
      'its agent or customer was deleted. `FAILED`: it could not start, or nobody decided in time.',
  }),
);

const AgentActionType = namedSchema(
  'AgentActionType',
  oneOf(['EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN'], { description: 'What the agent asked for.' }),
);

const AgentTransferDetails = component(
  'AgentTransferDetails',
  {
    amount: Type.Integer({ description: 'In the smallest unit of the currency.' }),
    currency: Type.String({ description: 'The currency of both accounts.', examples: ['USD'] }),
    sourceAccountId: Type.String({ description: 'The account that pays.' }),
    destinationAccountId: Type.String({ description: 'The account that is paid.' }),
  },
  { description: 'The transfer that an agent asked for.' },
);
export type AgentTransferDetails = Static<typeof AgentTransferDetails>;

export const AgentAction = component(
  'AgentAction',
  {
    id: idOf('AgentAction', { description: 'Id of the action.' }),
    agentId: idOf('Agent', { description: 'The agent that asked.' }),
    customerId: idOf('Customer', { description: 'The customer that it acts for.' }),
    platformCustomerId: Type.String({ description: 'Your id of the customer.' }),
    status: AgentActionStatus,
    type: AgentActionType,
    quote: Type.Optional(Quote),
    transferDetails: Type.Optional(AgentTransferDetails),
    transaction: Type.Optional(TransactionOneOf),
    // Beyond the contract: the person who decides has to see who is paid, even before there is a transaction.
    ...PARTIES,
    rejectionReason: Type.Optional(Type.String({ description: 'Why it was rejected, if that was said.' })),
    failure: Type.Optional(
      Type.Object(
        {
          code: Type.String({ description: 'Code of the error.', examples: ['INSUFFICIENT_FUNDS'] }),
          reason: Type.String({ description: 'What was wrong, for people.' }),
        },
        { description: 'Why it has failed: code and reason of the error that it met.' },
      ),
    ),
    createdAt: dateTime({ description: 'When the agent asked.' }),
    updatedAt: dateTime({ description: 'When it was decided; until then, when the agent asked.' }),
  },
  { description: 'One thing that an agent asked for which moves money.' },
);
export type AgentAction = Static<typeof AgentAction>;

export const AgentActionListResponse = page('AgentActionListResponse', AgentAction);

export const AgentActionsQuery = pageQuery({
  status: Type.Optional(AgentActionStatus),
});

export const AgentApprovalsQuery = pageQuery({
  agentId: Type.Optional(queryId('Agent', { description: 'Actions of this agent.' })),
  customerId: Type.Optional(queryId('Customer', { description: 'Actions of the agents of this customer.' })),
  startDate: Type.Optional(dateTime({ description: 'Asked for then or later.' })),
  endDate: Type.Optional(dateTime({ description: 'Asked for then or earlier.' })),
  sortOrder: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc', description: 'Order of `createdAt`.' })),
});

export const AgentActionRejectRequest = component(
  'AgentActionRejectRequest',
  { reason: Type.Optional(Type.String({ maxLength: 1_000, description: 'Why; the agent sees it.' })) },
  { description: 'What goes with a rejection.' },
);
