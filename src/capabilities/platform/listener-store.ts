import type { ReadTx } from '#foundation/database/tx.ts';

/** Records that a listener is connected until then, in real time, and whether it answers questions. */
export async function keepListener(tx: ReadTx, until: Date, isAnswering: boolean): Promise<void> {
  await tx.sql`
    insert into webhook_listeners as l (platform_id, listens_until, answers_until)
    values (${tx.platformId}, ${until}, case when ${isAnswering}::boolean then ${until}::timestamptz else '-infinity' end)
    on conflict (platform_id) do update
       set listens_until = greatest(l.listens_until, excluded.listens_until),
           answers_until = greatest(l.answers_until, excluded.answers_until)
     where l.listens_until < excluded.listens_until or l.answers_until < excluded.answers_until`;
}

/** True if a listener answers questions (platform.md §4.8.6); a platform without an endpoint can then be asked. */
export async function hasAnsweringListener(tx: ReadTx): Promise<boolean> {
  const rows = await tx.sql`
    select 1 from webhook_listeners
     where platform_id = ${tx.platformId} and answers_until > ${new Date(tx.runtime.clock.now())}`;
  return rows.length > 0;
}

export const RECEIVERS = ['ENDPOINT', 'LISTENERS'] as const;
export type Receiver = (typeof RECEIVERS)[number];

/** Returns the receivers of the platform's webhooks now: its endpoint, its connected listeners, or both. */
export async function findReceivers(tx: ReadTx): Promise<Receiver[]> {
  const [row] = await tx.sql<{ has_endpoint: boolean; has_listener: boolean }>`
    select c.webhook_endpoint is not null as has_endpoint,
           exists (select from webhook_listeners l
                    where l.platform_id = c.platform_id
                      and l.listens_until > ${new Date(tx.runtime.clock.now())}) as has_listener
      from platform_configs c where c.platform_id = ${tx.platformId}`;
  return [
    ...(row?.has_endpoint ? ['ENDPOINT' as const] : []),
    ...(row?.has_listener ? ['LISTENERS' as const] : []),
  ];
}
