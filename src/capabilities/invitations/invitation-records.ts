import Type from 'typebox';
import type { InvitationRow } from '#capabilities/invitations/invitation-row.ts';
import { invitationStatus } from '#capabilities/invitations/present.ts';
import { listInvitations } from '#capabilities/invitations/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { recordList } from '#foundation/records/record-list.ts';

/** Without the code, which is all that a claim of the invitation needs; the command prints it. */
export const INVITATION_LIST = recordList({
  name: 'invitations',
  area: 'Customers',
  summary: 'Invitations to UMA',
  filters: {
    customer: filterBy.customer,
    status: filterBy.status(['PENDING', 'CLAIMED', 'CANCELLED', 'EXPIRED']),
  },
  item: Type.Object({
    customer: shown.id('Customer', 'The customer who invited.'),
    status: shown.code('Its status.'),
    createdAt: shown.time('When it was created.'),
    expiresAt: shown.time('When it expires.'),
    claimedAt: shown.time('When it was claimed.'),
  }),
  page: (tx, request, { customer: customerId, status }) =>
    listInvitations(tx, request, { customerId, status }, (row) => presentInvitationSummary(tx, row)),
});

export function presentInvitationSummary(tx: ReadTx, row: InvitationRow) {
  return {
    code: row.code,
    customer: publicId('Customer', row.customer_id),
    status: invitationStatus(row, tx.now),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    claimedAt: row.claimed_at,
  };
}
