import { attentionKind, BECAUSE } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';

export const unscreenedAccounts = attentionKind<{ readonly id: string; readonly status: string }>({
  name: 'external-accounts',
  title: 'external accounts that wait for screening or review',
  concerns: 'people',
  roles: ['compliance'],
  scope: 'platform',
  time: 'business',
  find: ({ limit, after }) => sql`
    select a.updated_at as since, a.id::text as key, a.id, a.status from external_accounts a
     where a.platform_id = p.id and a.status in ('PENDING', 'UNDER_REVIEW') and a.deleted_at is null
       and ${after(sql`a.updated_at`, sql`a.id::text`)}
     order by a.updated_at, a.id::text limit ${limit}`,
  present({ id, status }, { onPlatform }) {
    const subject = publicId('ExternalAccount', id);
    const isReview = status === 'UNDER_REVIEW';
    const step = isReview ? 'review' : 'screening';
    return {
      subject,
      why: isReview
        ? 'screening reported a hit, and the account is under review'
        : 'not screened yet, so it cannot be paid',
      commands: [
        `corridor account external ${subject}${onPlatform}`,
        `corridor account ${step} ${subject} clear${onPlatform} ${BECAUSE}`,
      ],
    };
  },
});
