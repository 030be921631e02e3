import { attentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';

/**
 * Omits events that are sent only once, which are test webhooks and questions (platform.md §4.2), and erased events, which
 * have no content left to send.
 */
export const exhaustedWebhooks = attentionKind<{ readonly id: string; readonly type: string }>({
  name: 'webhooks',
  title: 'webhooks that were given up after seven days',
  concerns: 'service',
  roles: ['support', 'admin'],
  scope: 'platform',
  time: 'real',
  find: ({ limit, after }) => sql`
    select e.finished_at as since, e.id::text as key, e.id, e.type from events e
     where e.platform_id = p.id and e.state = 'EXHAUSTED' and not e.once and e.erased_at is null
       and ${after(sql`e.finished_at`, sql`e.id::text`)}
     order by e.finished_at, e.id::text limit ${limit}`,
  present({ id, type }, { onPlatform }) {
    const subject = publicId('Webhook', id);
    return {
      subject,
      why: `the platform's endpoint never accepted ${type}`,
      commands: [
        `corridor webhook show ${subject}${onPlatform}`,
        `corridor webhook resend ${subject}${onPlatform}`,
      ],
    };
  },
});
