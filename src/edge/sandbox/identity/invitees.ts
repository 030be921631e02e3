import { type CompleteTable, rowFor } from '#edge/sandbox/table.ts';
import type { InviteesPort } from '#foundation/ports/invitees.ts';

/** platform.md §5.3: an invitation can be tried without an onboarded invitee. */
export const INVITEES_TABLE: CompleteTable<'ACCEPTED'> = {
  id: 'invitees',
  title: 'Claiming an invitation',
  intro:
    'The value of `inviteeUma` when an invitation is claimed. In production it has to be the address of a customer of the ' +
    'claiming platform.',
  column: 'Address',
  operations: ['claimInvitation'],
  rows: [],
  otherwise: {
    value: 'any UMA address but the inviter’s',
    example: '$grace@elsewhere.example',
    effect: 'Claims the invitation, whether or not a customer has it.',
    shows: { status: 'CLAIMED', inviteeUma: '$grace@elsewhere.example' },
    does: 'ACCEPTED',
  },
};

export const sandboxInvitees: InviteesPort = {
  acceptsStranger: (umaAddress) => rowFor(INVITEES_TABLE, umaAddress).does === 'ACCEPTED',
};
