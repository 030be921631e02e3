import { attentionKind, BECAUSE } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { isMonth } from '#foundation/person-keys/known-store.ts';

/** People whose data cannot be opened, because their keys are lost. */
export const lostKeys = attentionKind<{ readonly person_id: string }>({
  name: 'lost-keys',
  title: 'people whose keys are missing in the database of keys',
  concerns: 'service',
  roles: ['admin'],
  scope: 'platform',
  time: 'real',
  find: ({ limit, after }) => sql`
    select l.found_at as since, l.person_id::text as key, l.person_id from lost_person_keys l
     where l.platform_id = p.id and ${after(sql`l.found_at`, sql`l.person_id::text`)}
     order by l.found_at, l.person_id::text limit ${limit}`,
  present: ({ person_id: id }) => ({
    subject: isMonth(id) ? `the strangers of one month (${id})` : publicId('Customer', id),
    why: 'the key was neither destroyed nor replaced: restore the newest backup of the database of keys, or promote its replica',
    commands: [`corridor person-keys repair ${BECAUSE}`],
  }),
});
