import type { TSchema } from 'typebox';
import Type from 'typebox';
import { EVENT_TYPES, type EventType } from '#foundation/events/types.ts';

const WebhookType = {
  type: 'string',
  enum: [...EVENT_TYPES],
  description: 'What happened: the resource and the state it entered.',
  'x-component': 'WebhookType',
};

const BaseWebhook = Type.Object(
  {
    id: Type.String({
      description: 'The event: the same on every attempt, so deduplicate by it.',
      examples: ['Webhook:019542f5-b3e7-7d02-8000-000000000099'],
    }),
    type: Type.Unsafe<EventType>(WebhookType),
    timestamp: Type.String({
      format: 'date-time',
      description: 'When this attempt was sent. A repetition carries a later one and is signed anew.',
    }),
  },
  { description: 'What every webhook carries.', 'x-component': 'BaseWebhook' },
);

/** The body of one kind of webhook, for the OpenAPI document: the envelope with these types and this `data`. */
export function webhookBody(
  name: string,
  types: readonly EventType[],
  data: TSchema | undefined,
  description: string,
): TSchema {
  const own = Type.Object({
    type: Type.Unsafe<EventType>({ type: 'string', enum: [...types], description: 'What happened.' }),
    ...(data && { data: described(data) }),
  });
  return Type.Intersect([BaseWebhook, data ? own : Type.Partial(own)], { description, 'x-component': name });
}

function described(data: TSchema): TSchema {
  return 'description' in data ? data : { ...data, description: 'The resource as it was at that moment.' };
}
