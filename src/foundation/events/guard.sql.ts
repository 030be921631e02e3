import { guardFunction } from '#foundation/database/guards.ts';

export default `${guardFunction({
  table: 'events',
  name: 'events_guard',
  conditions: [
    ['events_names', `new.type <> '' and new.resource_id <> ''`],
    ['events_content', '(new.payload is null) <> (new.facts is null)'],
    ['events_question', 'new.decision is null or new.once'],
    [
      'events_state',
      `case when new.state = 'PENDING' then new.finished_at is null
            else new.finished_at is not null
             and new.state in ('DELIVERED', 'ACKED_DUPLICATE', 'EXHAUSTED', 'SKIPPED') end`,
    ],
  ],
})}
create or replace trigger events_sound before insert or update on events
  for each row execute function events_guard();
`;
