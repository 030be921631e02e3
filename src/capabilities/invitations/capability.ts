import type { Capability } from '#capabilities/capability.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { invitationWebhook } from '#capabilities/invitations/events.ts';
import { INVITATION_LIST } from '#capabilities/invitations/invitation-records.ts';
import { registerInvitationPage } from '#capabilities/invitations/page.ts';
import { invitationReactions } from '#capabilities/invitations/reactions.ts';
import { invitationOperations } from '#capabilities/invitations/routes.ts';
import { invitationExpiries } from '#capabilities/invitations/store.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const invitations = {
  name: 'invitations',
  operations: ({ policy }: { readonly policy: CustomerPolicy }) => invitationOperations(policy),
  operatorOperations: recordOperations([INVITATION_LIST], []),
  pages: (http, { runtime }: { readonly runtime: Runtime }) => registerInvitationPage(http, runtime),
  dueSources: [invitationExpiries],
  reactions: invitationReactions,
  webhooks: [invitationWebhook],
} satisfies Capability;
