import Type, { type Static } from 'typebox';
import { CurrencyAmount, component, dateTime, movedAmount, oneOf, text } from '#foundation/http/schema.ts';

/** One line of plain text that is not only spaces. */
const FIRST_NAME_PATTERN = '^(?=.*\\S)[^\\u0000-\\u001F\\u007F-\\u009F]*$';

export const UmaInvitationCreateRequest = component(
  'UmaInvitationCreateRequest',
  {
    inviterUma: Type.String({
      description: 'The UMA address of the customer who invites, in any case.',
      examples: ['$ada@example.com'],
    }),
    firstName: Type.Optional(
      text(1, 100, {
        pattern: FIRST_NAME_PATTERN,
        description: 'What the page calls whoever is invited: one line of plain text.',
        examples: ['Grace'],
      }),
    ),
    amountToSend: Type.Optional(
      movedAmount({
        description:
          'What the inviter means to send once the invitation is claimed, in the smallest unit of the first of their ' +
          'currencies. It is only shown: you make the payment yourself.',
        examples: [1000],
      }),
    ),
    expiresAt: Type.Optional(
      dateTime({ description: 'Until when it can be claimed. Left out: it never expires.' }),
    ),
  },
  { description: 'Whom to invite, and in whose name.' },
);

export type UmaInvitationCreateRequest = Static<typeof UmaInvitationCreateRequest>;

export const UmaInvitationClaimRequest = component(
  'UmaInvitationClaimRequest',
  {
    inviteeUma: Type.String({
      description:
        'The UMA address of whoever was invited, in any case. In production: of one of your customers.',
      examples: ['$grace@example.org'],
    }),
  },
  { description: 'Who accepts the invitation.' },
);

export type UmaInvitationClaimRequest = Static<typeof UmaInvitationClaimRequest>;

export const UmaInvitation = component(
  'UmaInvitation',
  {
    code: Type.String({
      description: 'Ten characters that lead to the invitation, on any platform of the environment.',
      examples: ['7h3qk2vd9x'],
    }),
    createdAt: dateTime({ description: 'When it was made.' }),
    claimedAt: Type.Optional(dateTime({ description: 'When it was claimed.' })),
    url: Type.String({
      description: 'The page for whoever is invited: who invites them, and what to do next.',
      examples: ['https://pay.example.com/i/7h3qk2vd9x'],
    }),
    expiresAt: Type.Optional(
      dateTime({ description: 'Until when it can be claimed. Absent: it never expires.' }),
    ),
    inviterUma: Type.String({
      description: 'The UMA address of whoever invites.',
      examples: ['$ada@example.com'],
    }),
    inviteeUma: Type.Optional(
      Type.String({
        description: 'The UMA address of whoever claimed it.',
        examples: ['$grace@example.org'],
      }),
    ),
    status: oneOf(['PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED'], {
      description: 'Only a `PENDING` one can be claimed or cancelled; the others are final.',
    }),
    firstName: Type.Optional(
      Type.String({ description: 'What the page calls whoever is invited.', examples: ['Grace'] }),
    ),
    amountToSend: Type.Optional({
      ...CurrencyAmount,
      description: 'What the inviter means to send once it is claimed.',
    }),
  },
  { description: 'An invitation to UMA. All times are by the clock of the platform that made it.' },
);

export type UmaInvitation = Static<typeof UmaInvitation>;
