import type { InvitationRow } from '#capabilities/invitations/invitation-row.ts';
import type { UmaInvitation } from '#capabilities/invitations/schemas.ts';
import { INVITATION_CHANGES, type Invitation } from '#capabilities/invitations/store.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { platformTime } from '#foundation/lib/clock.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { describing } from '#foundation/person-keys/people.ts';

/** The inviter's platform's time counts for an invitation, whichever platform asks (platform.md §5.6). */
export function invitationTime({ platform }: Invitation, { clock }: Pick<Runtime, 'clock'>): Date {
  return platformTime(clock, platform.clockOffsetMs);
}

/** An invitation expires without a write, so its status depends on the time. */
export function invitationStatus({ status, expires_at }: InvitationRow, now: Date): UmaInvitation['status'] {
  const { from, to } = INVITATION_CHANGES.expired;
  return from.some((open) => open === status) && expires_at !== null && expires_at <= now ? to : status;
}

/** Every platform and the event see the same content. */
export function presentInvitation(
  { row, platform }: Invitation,
  now: Date,
  publicUrl: string,
): UmaInvitation {
  const { code, claimed_at, expires_at, invitee_uma, first_name, amount, currency } = row;
  const shown: UmaInvitation = {
    code,
    createdAt: row.created_at.toISOString(),
    ...(claimed_at && { claimedAt: claimed_at.toISOString() }),
    url: `${publicUrl}/i/${code}`,
    ...(expires_at && { expiresAt: expires_at.toISOString() }),
    inviterUma: row.inviter_uma,
    ...(invitee_uma !== null && { inviteeUma: invitee_uma }),
    status: invitationStatus(row, now),
    ...(first_name !== null && { firstName: first_name }),
    ...(amount !== null &&
      currency !== null && { amountToSend: presentAmount(amount, currency, platform.ownCurrencies) }),
  };
  return describing(shown, [row.customer_id, row.claimant_customer_id]);
}
