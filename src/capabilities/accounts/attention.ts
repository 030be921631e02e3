import { attentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';

export const unprovisionedAccounts = attentionKind<{ readonly id: string; readonly currency: string }>({
  name: 'accounts',
  title: 'internal accounts that are not provisioned',
  concerns: 'people',
  roles: ['treasury'],
  scope: 'platform',
  time: 'business',
  find: ({ limit, after }) => sql`
    select a.created_at as since, a.id::text as key, a.id, a.currency from internal_accounts a
     where a.platform_id = p.id and a.status = 'PENDING' and a.withdrawn_at is null
       and ${after(sql`a.created_at`, sql`a.id::text`)}
     order by a.created_at, a.id::text limit ${limit}`,
  present({ id, currency }, { onPlatform }) {
    const subject = publicId('InternalAccount', id);
    return {
      subject,
      why: `PENDING: it cannot receive ${currency}`,
      commands: [
        `corridor account show ${subject}${onPlatform}`,
        `corridor account provision ${subject}${onPlatform} --coordinates <file>`,
      ],
    };
  },
});
