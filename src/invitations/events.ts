import type { Changes } from '#database/tx.ts';
import { emit } from '#events/emit.ts';
import { webhookBody } from '#events/webhook-body.ts';
import type { WebhookDeclaration } from '#http/openapi.ts';
import { CLAIMED_INVITATION } from '#invitations/examples.ts';
import { UmaInvitation } from '#invitations/schemas.ts';

/** Tells the inviter's platform, whoever claimed. */
export function emitClaimed(changes: Changes, data: UmaInvitation): void {
  emit(changes, { type: 'INVITATION.CLAIMED', resourceId: data.code, data });
}

export const invitationWebhook: WebhookDeclaration<UmaInvitation> = {
  name: 'invitation-claimed',
  summary: 'An invitation was claimed',
  description:
    'Sent to the platform that made the invitation, and to no other. No money has moved: where an amount was promised, ' +
    'this is the moment to send it to `inviteeUma`.',
  body: webhookBody(
    'InvitationClaimedWebhook',
    ['INVITATION.CLAIMED'],
    UmaInvitation,
    'An invitation that was claimed.',
  ),
  examples: { 'INVITATION.CLAIMED': CLAIMED_INVITATION },
};
