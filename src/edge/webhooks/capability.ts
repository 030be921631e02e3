import { webhookEndpointChanged } from '#capabilities/platform/announcements.ts';
import { exhaustedWebhooks } from '#edge/webhooks/attention.ts';
import type { Deliverer } from '#edge/webhooks/deliverer.ts';
import { webhookRetries } from '#edge/webhooks/due-store.ts';
import { eraseEvents } from '#edge/webhooks/erase-store.ts';
import { EVENT_LIST, eventShow } from '#edge/webhooks/event-records.ts';
import { eventTrail } from '#edge/webhooks/event-trail.ts';
import { resendJobs } from '#edge/webhooks/events/resend-failed.ts';
import { eventOperations } from '#edge/webhooks/events/routes.ts';
import { webhookKeyOperations } from '#edge/webhooks/keys/routes.ts';
import type { Feed } from '#edge/webhooks/listeners/feed.ts';
import { listenerOperations } from '#edge/webhooks/listeners/routes.ts';
import { purgeAttempts, purgeEvents } from '#edge/webhooks/log-store.ts';
import { webhookChanges } from '#edge/webhooks/operator-changes.ts';
import { webhookOperations } from '#edge/webhooks/routes.ts';
import { testWebhook } from '#edge/webhooks/test-declaration.ts';
import { emitTest } from '#foundation/events/emit.ts';
import type { Decisions, Renderers } from '#foundation/events/handlers.ts';
import { on } from '#foundation/events/reactions.ts';
import type { Manifest } from '#foundation/manifest.ts';
import { recordOperations } from '#foundation/records/operations.ts';

interface Parts {
  readonly deliverer: Deliverer;
  readonly feed: Feed;
  readonly renderers: Renderers;
  readonly decisions: Decisions;
}

export const webhooks = {
  name: 'webhooks',
  operations: ({ deliverer, feed, renderers, decisions }: Parts) => [
    ...webhookOperations(deliverer),
    ...webhookKeyOperations,
    ...eventOperations({ renderers }),
    ...listenerOperations({ feed, decisions }),
  ],
  operatorOperations: ({ renderers }: Parts) => [
    ...recordOperations([EVENT_LIST], [eventShow(renderers)]),
    ...webhookChanges,
  ],
  jobs: resendJobs,
  dueSources: [webhookRetries],
  purges: [purgeAttempts, purgeEvents],
  reactions: [on(webhookEndpointChanged, async (tx) => void emitTest(tx))],
  webhooks: [testWebhook],
  erasers: [eraseEvents],
  trail: eventTrail,
  attention: [exhaustedWebhooks],
  searchPlaces: [{ type: 'Webhook', table: 'events' }],
} satisfies Manifest;
