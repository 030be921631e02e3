import { attentionKind, BECAUSE } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';

interface StaleRow {
  readonly currency: string | null;
  readonly trouble: string | null;
}

/**
 * Rates that expired and were not replaced; a single line if there is no rate at all. The table has a few hundred rows
 * at most. The operator clears a rate that was set by hand and is no longer needed.
 */
export const staleRates = attentionKind<StaleRow>({
  name: 'rates',
  title: 'production exchange rates that are too old for pricing',
  concerns: 'service',
  roles: ['treasury'],
  scope: 'installation',
  time: 'real',
  find: ({ now, concernsSince, limit, after }) => sql`
    select coalesce(r.since, ${concernsSince}) as since, coalesce(r.currency, '') as key, r.currency, q.trouble
      from rate_poll q
      left join (
        select max(e.expires_at) as since, e.currency
          from exchange_rates e
         where not exists (select from stopped_currencies s where s.currency = e.currency)
         group by e.currency) r on true
     where coalesce(r.since <= ${now}, true)
       and ${after(sql`coalesce(r.since, ${concernsSince})`, sql`coalesce(r.currency, '')`)}
     order by 1, 2 limit ${limit}`,
  present({ currency, trouble }) {
    const why = currency === null ? 'there are no rates: nothing can be priced' : 'its last rate has expired';
    return {
      subject: currency ?? 'all currencies',
      why: trouble === null ? why : `${why}; the source: ${trouble}`,
      plainWhy: why,
      commands: [
        'corridor rates show',
        'corridor rates poll',
        `corridor rates set ${currency ?? '<currency>'}=<units per US dollar> ${BECAUSE}`,
        ...(currency === null ? [] : [`corridor rates clear ${currency} ${BECAUSE}`]),
      ],
    };
  },
});
