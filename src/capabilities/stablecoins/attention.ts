import { FOLLOW_OPERATION } from '#capabilities/stablecoins/follow.ts';
import { OPEN } from '#capabilities/stablecoins/open-operations-store.ts';
import { attentionKind, BECAUSE } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';

export const unapprovedCoins = attentionKind<{ readonly id: string; readonly symbol: string }>({
  name: 'coins',
  title: 'coins whose platform requests them for internal accounts',
  concerns: 'money',
  roles: ['treasury'],
  scope: 'platform',
  time: 'business',
  find: ({ limit, after }) => sql`
    select c.updated_at as since, c.id::text as key, c.id, c.symbol from stablecoins c
     where c.platform_id = p.id and c.svc_operations_status = 'PENDING_APPROVAL'
       and ${after(sql`c.updated_at`, sql`c.id::text`)}
     order by c.updated_at, c.id::text limit ${limit}`,
  present({ id, symbol }, { onPlatform }) {
    const subject = publicId('Stablecoin', id);
    return {
      subject,
      why: `${symbol} waits for the operator's approval`,
      commands: [
        `corridor stablecoin show ${subject}${onPlatform}`,
        `corridor stablecoin approve ${subject}${onPlatform} ${BECAUSE}`,
      ],
    };
  },
});

interface UnansweredRow {
  readonly id: string;
  readonly status: string;
  readonly is_linked: boolean;
  readonly last_error: string | null;
}

/** Longer than a provider needs on any rail. */
const SILENT_SECONDS = 24 * 60 * 60;

export const unansweredOperations = attentionKind<UnansweredRow>({
  name: 'coin-operations',
  title: 'mints and burns without an answer from the provider',
  concerns: 'money',
  roles: ['treasury'],
  scope: 'platform',
  time: 'business',
  // `offset 0` keeps the planner from reading all coins or all jobs for a few open operations.
  find: ({ now, limit, after }) => sql`
    select o.since, o.id::text as key, o.id, o.status, l.is_linked, j.last_error
      from (
        select t.updated_at as since, t.id, t.status, t.stablecoin_id from stablecoin_operations t
         where t.platform_id = p.id and ${OPEN}
           and ${after(sql`t.updated_at`, sql`t.id::text`)}
         order by t.updated_at, t.id::text offset 0) o
     cross join lateral (
       select a.status = 'ACTIVE' as is_linked
         from stablecoins c
         join stablecoin_provider_accounts a on a.platform_id = c.platform_id and a.id = c.provider_account
        where c.platform_id = p.id and c.id = o.stablecoin_id offset 0) l
      left join lateral (
       select j.id, j.last_error from jobs j
        where j.platform_id = p.id and j.kind = ${FOLLOW_OPERATION} and j.key = o.id::text and j.attempts > 0
       offset 0) j on true
     where not l.is_linked or j.id is not null
        or o.status <> 'PENDING_FUNDING' and o.since < ${now} - make_interval(secs => ${SILENT_SECONDS})
     order by o.since, o.id::text limit ${limit}`,
  present({ id, status, is_linked, last_error }, { onPlatform }) {
    const subject = publicId('StablecoinOperation', id);
    const silent = last_error === null ? `${status} for over a day` : 'the provider returns an error';
    const plainWhy = is_linked
      ? silent
      : 'its account at the provider is no longer linked, so its status cannot be read';
    return {
      subject,
      why: is_linked && last_error !== null ? `${silent}: ${last_error}` : plainWhy,
      plainWhy,
      commands: [
        `corridor stablecoin operation show ${subject}${onPlatform}`,
        `corridor stablecoin operation complete ${subject}${onPlatform} ${BECAUSE}`,
        `corridor stablecoin operation fail ${subject}${onPlatform} ${BECAUSE}`,
      ],
    };
  },
});
