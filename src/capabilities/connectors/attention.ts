import type { BreakKind } from '#capabilities/connectors/apply-report.ts';
import { attentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';
import { sayReported } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface StoppedRow {
  readonly name: string;
  readonly paused_because: string | null;
}

const WHY: Readonly<Record<string, string>> = {
  STORE: 'it answers from another store than before: it lost or restored its records',
  FILES: 'its files are not those that the database knows: a backup was restored, or a file was changed',
  CURSOR: 'it no longer knows the place up to which its events were read',
};

/** Connectors that stopped without an operator's decision (connectors.md §2.8, §6.6, §7.7). */
export const stoppedConnectors = attentionKind<StoppedRow>({
  name: 'connectors',
  title: 'connectors that are down, or paused because of what they answer',
  concerns: 'money',
  roles: ['treasury'],
  scope: 'installation',
  time: 'real',
  find: ({ limit, after }) => sql`
    select coalesce(c.paused_at, c.down_since) as since, c.name as key, c.name, c.paused_because
      from connectors c
     where c.removed_at is null and (c.paused_because in ('STORE', 'CURSOR', 'FILES') or (c.paused_because is null and c.down_since is not null))
       and ${after(sql`coalesce(c.paused_at, c.down_since)`, sql`c.name`)}
     order by 1, 2 limit ${limit}`,
  present: ({ name, paused_because }) => ({
    subject: name,
    why: WHY[paused_because ?? ''] ?? 'it does not answer',
    commands: [
      `corridor connector show ${name}`,
      ...(paused_because === 'STORE'
        ? [`corridor connector resume ${name} --new-store --reason <text>`]
        : []),
      ...(paused_because === 'FILES' ? [`corridor connector resume ${name} --adopt --reason <text>`] : []),
      ...(paused_because === 'CURSOR' ? [`corridor connector rewind ${name} --reason <text>`] : []),
    ],
  }),
});

interface EndingRow {
  readonly name: string;
  readonly until: Date;
}

/** Client certificates that end within 30 days: from then on no call succeeds (connectors.md §1.6). */
export const endingCertificates = attentionKind<EndingRow>({
  name: 'connector-certificates',
  title: 'client certificates of connectors that end within 30 days',
  concerns: 'money',
  roles: ['treasury'],
  scope: 'installation',
  time: 'real',
  find: ({ now, limit, after }) => sql`
    select c.client_certificate_until - interval '30 days' as since, c.name as key, c.name,
           c.client_certificate_until as until
      from connectors c
     where c.removed_at is null and c.client_certificate_until - interval '30 days' <= ${now}
       and ${after(sql`c.client_certificate_until - interval '30 days'`, sql`c.name`)}
     order by 1, 2 limit ${limit}`,
  present: ({ name, until }) => ({
    subject: name,
    why: `its client certificate ends on ${until.toISOString().slice(0, 10)}`,
    commands: [
      `corridor connector set ${name} --client-certificate <file> --client-key <file> --reason <text>`,
    ],
  }),
});

interface BreakRow {
  readonly id: string;
  readonly kind: BreakKind;
  readonly what: string;
  readonly amount: bigint | null;
  readonly currency: string | null;
}

/** Their sentences have amounts already. */
const WITH_AMOUNTS: readonly BreakKind[] = ['AMOUNT_DIFFERS', 'UNPROVEN'];

function sayBreak({ kind, what, amount, currency }: BreakRow): string {
  const isSaid = amount === null || currency === null || WITH_AMOUNTS.includes(kind);
  return isSaid ? what : `${sayReported({ amount, currency })}: ${what}`;
}

/** Contradictions between the books and connectors or banks (connectors.md §9.5, bank-files.md §6.3). */
export const openBreaks = attentionKind<BreakRow>({
  name: 'breaks',
  title: 'contradictions between the books and connectors or banks',
  concerns: 'money',
  roles: ['finance', 'treasury'],
  scope: 'installation',
  time: 'real',
  find: ({ limit, after }) => sql`
    select b.opened_at as since, b.id::text as key, b.id, b.kind, b.what, b.amount, b.currency from connector_breaks b
     where b.resolved_at is null and ${after(sql`b.opened_at`, sql`b.id::text`)}
     order by b.opened_at, b.id::text limit ${limit}`,
  present: (row) => ({
    subject: publicId('Break', row.id),
    why: sayBreak(row),
    commands: [
      `corridor break show ${publicId('Break', row.id)}`,
      `corridor break resolve ${publicId('Break', row.id)} --reason <text>`,
    ],
  }),
});
