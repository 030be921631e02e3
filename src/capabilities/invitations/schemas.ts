import Type, { type Static } from 'typebox';
import {
  CurrencyAmount,
  component,
  dateTime,
  movedAmount,
  page,
  pageQuery,
  queryId,
  stringEnum,
  text,
} from '#foundation/http/schema.ts';

/** One line of plain text that is not only spaces. */
const FIRST_NAME_PATTERN = '^(?=.*\\S)[^\\u0000-\\u001F\\u007F-\\u009F]*$';

export const UmaInvitationCreateRequest = component(
  'UmaInvitationCreateRequest',
  'The inviter and the invited person.',
  {
    inviterUma: Type.String({
      description: 'The UMA address of the customer who invites, in any case.',
      examples: ['$ada@example.com'],
    }),
    firstName: Type.Optional(
      text(1, 100, {
        pattern: FIRST_NAME_PATTERN,
        description: 'First name of the invited person, shown on the page: one line of plain text.',
        examples: ['Grace'],
      }),
    ),
    amountToSend: Type.Optional(
      movedAmount({
        description:
          'Amount that the inviter intends to send once the invitation is claimed, in the smallest unit of ' +
          'their first currency. It is only shown: you make the payment yourself.',
        examples: [1000],
      }),
    ),
    expiresAt: Type.Optional(
      dateTime({ description: 'When the invitation expires. If omitted, it never expires.' }),
    ),
  },
);

export type UmaInvitationCreateRequest = Static<typeof UmaInvitationCreateRequest>;

export const UmaInvitationClaimRequest = component(
  'UmaInvitationClaimRequest',
  'The address that accepts the invitation.',
  {
    inviteeUma: Type.String({
      description:
        'The UMA address of the invited person, in any case. In production it must belong to one of your customers.',
      examples: ['$grace@example.org'],
    }),
  },
);

export type UmaInvitationClaimRequest = Static<typeof UmaInvitationClaimRequest>;

const STATUS = stringEnum(['PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED'], {
  description: 'Only a `PENDING` invitation can be claimed or cancelled; the other statuses are final.',
});

export const UmaInvitation = component(
  'UmaInvitation',
  'An invitation to UMA. All times are by the clock of the platform that created it.',
  {
    code: Type.String({
      description: 'Ten characters that identify the invitation on any platform of the environment.',
      examples: ['7h3qk2vd9x'],
    }),
    createdAt: dateTime({ description: 'When it was created.' }),
    claimedAt: Type.Optional(dateTime({ description: 'When it was claimed.' })),
    url: Type.String({
      description: 'The page for the invited person: it names the inviter and says what to do next.',
      examples: ['https://pay.example.com/i/7h3qk2vd9x'],
    }),
    expiresAt: Type.Optional(
      dateTime({ description: 'When the invitation expires. Absent: it never expires.' }),
    ),
    inviterUma: Type.String({
      description: 'The UMA address of the inviter.',
      examples: ['$ada@example.com'],
    }),
    inviteeUma: Type.Optional(
      Type.String({
        description: 'The UMA address that claimed it.',
        examples: ['$grace@example.org'],
      }),
    ),
    status: STATUS,
    firstName: Type.Optional(
      Type.String({
        description: 'First name of the invited person, shown on the page.',
        examples: ['Grace'],
      }),
    ),
    amountToSend: Type.Optional({
      ...CurrencyAmount,
      description: 'Amount that the inviter intends to send once it is claimed.',
    }),
  },
);

export type UmaInvitation = Static<typeof UmaInvitation>;

export const UmaInvitationListResponse = page('UmaInvitationListResponse', UmaInvitation);

export const UmaInvitationsQuery = pageQuery({
  customerId: Type.Optional(queryId('Customer', { description: 'Invitations from this customer.' })),
  status: Type.Optional(STATUS),
});
