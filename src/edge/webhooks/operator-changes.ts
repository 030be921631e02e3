import Type from 'typebox';
import { RECEIVERS } from '#capabilities/platform/listener-store.ts';
import { resendByOperator } from '#edge/webhooks/log.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema, stringEnum } from '#foundation/http/schema.ts';

/** What operators do with events (operator.md §6). The command calls the same function. */
export const webhookChanges = [
  operatorChange('resendWebhook', {
    area: 'Events',
    route: 'POST /webhooks/:webhookId/resend',
    summary: 'Send an event again',
    description: 'Sends an event again under its id, in any state. Its retries start again.',
    roles: ['support', 'admin'],
    params: { webhookId: { id: 'Webhook', missing: 'NOT_FOUND' } },
    reply: component('ResentWebhook', 'An event that is sent again.', {
      id: idSchema('Webhook'),
      state: Type.String({ description: 'Its state now.' }),
      sentTo: Type.Array(stringEnum(RECEIVERS), { description: 'The receivers of the event.' }),
    }),
    codes: ['CONFLICT'],
    async change(tx, { params: { webhookId }, body: { reason } }) {
      const { id, state, sentTo } = await resendByOperator(tx, webhookId, reason);
      return { id, state, sentTo: [...sentTo] };
    },
  }),
];
