import Type, { type Static } from 'typebox';
import { component, dateTime, idSchema, page, pageQuery, stringEnum, text } from '#foundation/http/schema.ts';
import { PLATFORMS_QUERY } from '#foundation/records/open-platforms.ts';

const KIND = { description: 'The name of a kind: `reviews`, `payments-overdue`.' };

export const WorkQuery = Type.Object({ ...PLATFORMS_QUERY });

const WorkKind = component('WorkKind', 'Waiting items of one kind.', {
  kind: Type.String(KIND),
  title: Type.String({ description: 'Describes the items, for a heading.' }),
  concerns: stringEnum(['people', 'money', 'service'], { description: 'What the items are about.' }),
  count: Type.Integer({ description: 'The number of items, at most 10,000.' }),
  isCapped: Type.Boolean({ description: 'Whether there are more than 10,000.' }),
  oldestSince: Type.Optional(
    dateTime({ description: 'Since when the oldest item waits. Absent: there is none.' }),
  ),
  oldestAgeSeconds: Type.Optional(
    Type.Integer({ description: 'Its age, by the clock that matters for its kind.' }),
  ),
  list: Type.String({ description: 'The address that lists the items, below `/console/api`.' }),
});

export const WorkReply = component('Work', 'Items that wait for an operator, by kind.', {
  kinds: Type.Array(WorkKind, {
    description: 'People first, then money, then the service itself. A kind without items has the count 0.',
  }),
});
export type WorkReplyBody = Static<typeof WorkReply>;

export const WorkItemsQuery = pageQuery({ kind: Type.String(KIND), ...PLATFORMS_QUERY });

const WorkItem = component('WorkItem', 'One item that waits for an operator, or is stuck.', {
  id: Type.String({ description: 'Names the item, to take it: it is no resource of its own.' }),
  kind: Type.String(KIND),
  key: Type.String({ description: 'Names the item within its kind and platform.' }),
  platform: Type.Optional(
    idSchema('Platform', { description: 'Absent: the item concerns the installation.' }),
  ),
  platformName: Type.Optional(Type.String({ description: 'The name of the platform.' })),
  subject: Type.String({ description: 'The id of the waiting resource, or its name.' }),
  why: Type.String({ description: 'Why it waits.' }),
  since: dateTime({ description: 'Since when.' }),
  ageSeconds: Type.Integer({ description: 'Its age, by the clock that matters for its kind.' }),
  takenBy: Type.Optional(
    idSchema('Operator', { description: 'The operator who has taken it. Absent: nobody has.' }),
  ),
  takenByName: Type.Optional(Type.String({ description: 'The name of this operator.' })),
  takenAt: Type.Optional(dateTime({ description: 'When it was taken.' })),
  note: Type.Optional(Type.String({ description: 'The note of this operator for others.' })),
});
export type WorkItemReply = Static<typeof WorkItem>;

const ITEM = Type.String({ minLength: 1, maxLength: 2_000, description: 'The `id` of the item.' });

export const TakeWorkRequest = component('TakeWorkRequest', 'The item that the caller takes.', {
  item: ITEM,
  takeOver: Type.Optional(
    Type.Boolean({ description: 'Whether to take it from another operator, too. Default: `false`.' }),
  ),
});

export const ReleaseWorkRequest = component('ReleaseWorkRequest', 'The item that the caller gives back.', {
  item: ITEM,
});

export const NoteWorkRequest = component(
  'NoteWorkRequest',
  'A note of the caller for others about an item.',
  {
    item: ITEM,
    note: Type.Union([text(1, 500), Type.Null()], {
      description: 'At most 500 characters. `null` removes it.',
    }),
  },
);

export const TakenWork = component('TakenWork', 'The operator who has taken an item of work.', {
  item: Type.String({ description: 'The id of the item.' }),
  takenBy: Type.Optional(idSchema('Operator', { description: 'Absent: nobody has.' })),
  takenAt: Type.Optional(dateTime({ description: 'When it was taken.' })),
});

export const WorkItems = page('WorkItemList', WorkItem, { total: false });
