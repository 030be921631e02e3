import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';

/** New items by the names of their kinds. */
export type NewItems = Readonly<Record<string, number>>;

export interface NewMail {
  readonly operator: Id<'Operator'>;
  readonly counts: NewItems;
}

/** A mail that is being sent, with the operator as he or she is now. */
export interface ClaimedMail extends NewMail {
  readonly id: string;
  readonly made_at: Date;
  readonly name: string;
  readonly email: string;
  readonly status: string;
}

export async function insertMails(tx: Tx, mails: readonly NewMail[], now: Date): Promise<void> {
  const operators = mails.map(({ operator }) => operator);
  const counts = mails.map((mail) => JSON.stringify(mail.counts));
  await tx.sql`
    insert into work_mails (id, operator, made_at, counts)
    select gen_random_uuid(), m.operator, ${now}, m.counts::jsonb
      from unnest(${operators}::uuid[], ${counts}::text[]) as m (operator, counts)`;
}

/** Leases all mails that no process is sending, the oldest first. */
export function claimMails(tx: Tx, now: Date, until: Date): Promise<ClaimedMail[]> {
  return tx.query<ClaimedMail>(sql`
    with free as materialized (
      select m.id from work_mails m
       where m.leased_until is null or m.leased_until <= ${now} for update skip locked),
    claimed as (
      update work_mails m set leased_until = ${until} from free where m.id = free.id
      returning m.id, m.made_at, m.operator, m.counts)
    select c.id, c.made_at, c.operator, c.counts, o.name, o.email, o.status
      from claimed c
      join operators o on o.id = c.operator
     order by c.made_at, c.id`);
}

/** Deletes mails that the mail server took, or that nobody should get any more. */
export async function deleteMails(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.sql`delete from work_mails where id = any(${ids}::uuid[])`;
}

/** Ends the leases of mails that were not sent, so that the next attempt need not wait for them. */
export async function releaseMails(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.sql`update work_mails set leased_until = null where id = any(${ids}::uuid[])`;
}
