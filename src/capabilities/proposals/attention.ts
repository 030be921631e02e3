import { type AttentionReader, attentionKind } from '#foundation/database/attention.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { DECIDING_ROLES } from '#foundation/lib/operator-roles.ts';

interface ProposedRow {
  readonly id: string;
  readonly operation: string;
  readonly status: string;
  readonly maker: Id<'Operator'>;
}

const UNDECIDED = sql`t.status in ('UNCLAIMED', 'PENDING')`;

/** Once its maker has taken it, an unclaimed proposal is new for those who decide it. */
const KEY = sql`t.id || ':' || t.status`;

/** Proposals that wait for a second operator: those that the reader may decide. */
export const proposalsToCheck = attentionKind<ProposedRow>({
  name: 'proposals',
  title: 'proposals that wait for a second operator',
  concerns: 'money',
  roles: DECIDING_ROLES,
  scope: 'operator',
  time: 'real',
  find: ({ now, limit, after, reader }) => sql`
    select t.created_at as since, ${KEY} as key, t.id, t.operation, t.status, t.maker from proposals t
     where ${UNDECIDED} and t.expires_at > ${now} and ${ofOthers(reader)} and ${after(sql`t.created_at`, KEY)}
     order by t.created_at, ${KEY} limit ${limit}`,
  present: presentProposed,
  decidedBy: ({ operation, status, maker }) =>
    status === 'UNCLAIMED' ? { operation, only: maker } : { operation, except: maker },
});

/** A command sees all of them; nobody approves an own one. */
function ofOthers(reader: AttentionReader | undefined): Sql {
  if (!reader) return sql`true`;
  const { operatorId, operations } = reader;
  return sql`t.status = 'PENDING' and t.maker <> ${operatorId} and t.operation = any(${operations}::text[])`;
}

/** The reader's own proposals that are undecided, and those that the reader has to take first. */
export const ownProposals = attentionKind<ProposedRow>({
  name: 'own-proposals',
  title: 'own proposals that are undecided',
  concerns: 'money',
  roles: DECIDING_ROLES,
  scope: 'operator',
  isOwn: true,
  time: 'real',
  find: ({ now, limit, after, reader }) => sql`
    select t.created_at as since, t.id::text as key, t.id, t.operation, t.status, t.maker from proposals t
     where t.maker = ${reader?.operatorId ?? null}::uuid and ${UNDECIDED} and t.expires_at > ${now}
       and ${after(sql`t.created_at`, sql`t.id::text`)}
     order by t.created_at, t.id::text limit ${limit}`,
  present: presentProposed,
});

function presentProposed({ id, operation, status }: ProposedRow) {
  const subject = publicId('Proposal', id);
  const why =
    status === 'UNCLAIMED' ? 'its operator has to take it' : 'another operator has to approve or reject it';
  return { subject, why: `${operation}: ${why}`, commands: [`corridor proposal show ${subject}`] };
}

interface UsedRow {
  readonly id: string;
  readonly operation: string;
  readonly made_by: string;
  readonly operator: Id<'Operator'> | null;
}

/** Uses of `--break-glass` that nobody has acknowledged yet (operator.md §7.2). */
export const unacknowledgedBreakGlass = attentionKind<UsedRow>({
  name: 'break-glass',
  title: 'changes without a second operator that another operator has to acknowledge',
  concerns: 'service',
  roles: DECIDING_ROLES,
  // The command may be killed or lack the settings of mail, and somebody may acknowledge the use before the next round.
  mailedAtOnce: ['admin'],
  scope: 'operator',
  time: 'real',
  find: ({ limit, after, reader }) => sql`
    select t.created_at as since, t.id::text as key, t.id, t.operation, t.made_by, t.operator from break_glass_uses t
     where t.acknowledged_at is null and ${acknowledgeable(reader)} and ${after(sql`t.created_at`, sql`t.id::text`)}
     order by t.created_at, t.id::text limit ${limit}`,
  present: ({ id, operation, made_by }) => ({
    subject: publicId('BreakGlass', id),
    why: `${made_by} did ${operation}; an operator acknowledges it by POST /console/api/break-glass/{id}/acknowledge`,
    plainWhy: `${made_by} did ${operation}`,
    commands: [`corridor audit list --resource ${publicId('BreakGlass', id)}`],
  }),
  decidedBy: ({ operation, operator }) => ({ operation, except: operator }),
});

/** Another operator who may do the operation acknowledges it. */
function acknowledgeable(reader: AttentionReader | undefined): Sql {
  if (!reader) return sql`true`;
  const { operatorId, operations } = reader;
  return sql`t.operator is distinct from ${operatorId}::uuid and t.operation = any(${operations}::text[])`;
}
