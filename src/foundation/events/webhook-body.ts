import type { TSchema } from 'typebox';
import Type from 'typebox';
import { EVENT_TYPES, type EventType } from '#foundation/events/types.ts';

const WebhookType = {
  type: 'string',
  enum: [...EVENT_TYPES],
  description: 'The type of the event: the resource and the state that it entered.',
  'x-component': 'WebhookType',
};

const BaseWebhook = Type.Object(
  {
    id: Type.String({
      description: 'The id of the event. It is the same on every attempt, so use it to detect duplicates.',
      examples: ['Webhook:019542f5-b3e7-7d02-8000-000000000099'],
    }),
    type: Type.Unsafe<EventType>(WebhookType),
    timestamp: Type.String({
      format: 'date-time',
      description: 'When this attempt was sent. A retry has a later timestamp and a new signature.',
    }),
  },
  { description: 'The fields of every webhook.', 'x-component': 'BaseWebhook' },
);

/** The body of one kind of webhook, for the OpenAPI document: the envelope with these types and this `data`. */
export function webhookBody(
  name: string,
  types: readonly EventType[],
  data: TSchema | undefined,
  description: string,
): TSchema {
  const own = Type.Object({
    type: Type.Unsafe<EventType>({ type: 'string', enum: [...types], description: 'The type of the event.' }),
    ...(data && { data: described(data) }),
  });
  return Type.Intersect([BaseWebhook, data ? own : Type.Partial(own)], { description, 'x-component': name });
}

function described(data: TSchema): TSchema {
  return 'description' in data ? data : { ...data, description: 'The resource at the time of the event.' };
}
