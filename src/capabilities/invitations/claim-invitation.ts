import assert from 'node:assert/strict';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { checkedUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import { lockCustomerByUma } from '#capabilities/customers/store.ts';
import { emitClaimed } from '#capabilities/invitations/events.ts';
import type { InvitationRow } from '#capabilities/invitations/invitation-row.ts';
import { invitationStatus, presentInvitation } from '#capabilities/invitations/present.ts';
import type { UmaInvitation, UmaInvitationClaimRequest } from '#capabilities/invitations/schemas.ts';
import { lockInvitation, markCancelled, markClaimed } from '#capabilities/invitations/store.ts';
import { onPlatform, type ReadTx, type Tx } from '#foundation/database/tx.ts';
import { invalidFields, Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';

/**
 * POST /invitations/{code}/claim (platform.md §5.3 and §5.4): one platform's call changes another platform's
 * invitation and emits the event to that platform, in one commit.
 */
export async function claimInvitation(
  tx: Tx,
  code: string,
  request: UmaInvitationClaimRequest,
  publicUrl: string,
): Promise<UmaInvitation> {
  const inviteeUma = checkedUmaAddress('inviteeUma', request.inviteeUma);
  // Customers are locked before invitations, in the same order as at a customer's deletion.
  const invitee = await lockCustomerByUma(tx, inviteeUma);
  const { row, platform } = await lockInvitation(tx, code);
  refuseIf(checkInvitee(tx, row, inviteeUma, invitee));
  const inviterSide = onPlatform(tx, platform);
  refuseIf(checkPending(row, inviterSide.now));
  const claimed = await markClaimed(tx, row, {
    at: inviterSide.now,
    inviteeUma,
    customerId: invitee?.id,
  });
  assert(claimed, 'the row is locked');
  const shown = presentInvitation({ row: claimed, platform }, inviterSide.now, publicUrl);
  emitClaimed(inviterSide, shown);
  return shown;
}

/** POST /invitations/{code}/cancel: only for the platform that created the invitation. */
export async function cancelInvitation(tx: Tx, code: string, publicUrl: string): Promise<UmaInvitation> {
  const { row, platform } = await lockInvitation(tx, code);
  if (platform.id !== tx.platformId)
    refuse('FORBIDDEN', 'Only the platform that created the invitation can cancel it.');
  refuseIf(checkPending(row, tx.now));
  const cancelled = await markCancelled(tx, row.code);
  assert(cancelled, 'the row is locked');
  return presentInvitation({ row: cancelled, platform }, tx.now, publicUrl);
}

/** Compares customers, because the inviter's address may have changed since. */
function checkInvitee(
  tx: ReadTx,
  { platform_id, customer_id, inviter_uma }: InvitationRow,
  inviteeUma: string,
  invitee: CustomerRow | undefined,
): Refusal | undefined {
  const isInviter = platform_id === tx.platformId && customer_id === invitee?.id;
  if (isInviter || inviteeUma === inviter_uma)
    return new Refusal('SELF_PAYMENT', 'A customer cannot claim their own invitation.');
  if (invitee || tx.ports.invitees.acceptsStranger(inviteeUma)) return undefined;
  return invalidFields([{ field: 'inviteeUma', message: 'is not the address of one of your customers' }]);
}

/** platform.md §5.4. */
function checkPending(row: InvitationRow, now: Date): Refusal | undefined {
  const status = invitationStatus(row, now);
  if (status === 'PENDING') return undefined;
  if (status === 'CLAIMED') {
    const details = { status, inviteeUma: row.invitee_uma };
    return new Refusal('INVITATION_ALREADY_CLAIMED', 'The invitation has already been claimed.', details);
  }
  if (status === 'CANCELLED')
    return new Refusal('INVITATION_CANCELLED', 'The invitation was cancelled.', { status });
  const expiresAt = row.expires_at?.toISOString();
  return new Refusal('INVALID_INPUT', `The invitation expired at ${expiresAt}.`, { status, expiresAt });
}
