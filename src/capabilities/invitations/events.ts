import { CLAIMED_INVITATION } from '#capabilities/invitations/examples.ts';
import { UmaInvitation } from '#capabilities/invitations/schemas.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';

/** Emits the event to the inviter's platform, whichever platform claimed. */
export function emitClaimed(changes: Changes, data: UmaInvitation): void {
  emit(changes, { type: 'INVITATION.CLAIMED', resourceId: data.code, data });
}

export const invitationWebhook: WebhookDeclaration<UmaInvitation> = {
  name: 'invitation-claimed',
  summary: 'An invitation was claimed',
  description:
    'Sent only to the platform that created the invitation. No money has moved: if an amount was promised, ' +
    'now is the time to send it to `inviteeUma`.',
  body: webhookBody(
    'InvitationClaimedWebhook',
    ['INVITATION.CLAIMED'],
    UmaInvitation,
    'An invitation that was claimed.',
  ),
  examples: { 'INVITATION.CLAIMED': CLAIMED_INVITATION },
};
