import { attentionKind, BECAUSE } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';

export const cardExceptions = attentionKind<{ readonly id: string }>({
  name: 'card-exceptions',
  title: 'card purchases that were paid to the network and that no account could pay for',
  concerns: 'money',
  roles: ['finance'],
  scope: 'platform',
  time: 'business',
  find: ({ limit, after }) => sql`
    select t.created_at as since, t.id::text as key, t.id from card_transactions t
     where t.platform_id = p.id and t.status = 'EXCEPTION'
       and ${after(sql`t.created_at`, sql`t.id::text`)}
     order by t.created_at, t.id::text limit ${limit}`,
  present({ id }, { onPlatform }) {
    const subject = publicId('Transaction', id);
    return {
      subject,
      why: 'its account had too little money, so the purchase is a debt',
      commands: [
        `corridor payment show ${subject}${onPlatform}`,
        `corridor card exceptions collect ${subject}${onPlatform} ${BECAUSE}`,
        `corridor card exceptions write-off ${subject}${onPlatform} ${BECAUSE}`,
      ],
    };
  },
});
