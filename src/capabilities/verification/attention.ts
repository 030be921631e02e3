import { attentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';

export const waitingReviews = attentionKind<{ readonly id: string; readonly status: string }>({
  name: 'reviews',
  title: 'customers waiting for a decision',
  concerns: 'people',
  roles: ['compliance'],
  scope: 'platform',
  time: 'business',
  find: ({ limit, after }) => sql`
    select c.updated_at as since, c.id::text as key, c.id, c.status from customers c
     where c.platform_id = p.id and c.status in ('PENDING', 'HOLD') and c.deleted_at is null
       and ${after(sql`c.updated_at`, sql`c.id::text`)}
     order by c.updated_at, c.id::text limit ${limit}`,
  present({ id, status }, { onPlatform }) {
    const subject = publicId('Customer', id);
    return {
      subject,
      why:
        status === 'HOLD' ? 'on hold until the operator decides' : 'under review until the operator decides',
      commands: [
        `corridor review show ${subject}${onPlatform}`,
        `corridor review approve ${subject}${onPlatform}`,
      ],
    };
  },
});
