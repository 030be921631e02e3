import type { AuditLine } from '#foundation/audit/store.ts';
import type { Audience, Item, ItemActor } from '#foundation/explanation/explanation.ts';
import { publicId } from '#foundation/lib/ids.ts';

const ACTORS: Readonly<Record<string, ItemActor['kind']>> = {
  token: 'TOKEN',
  agent: 'AGENT',
  operator: 'OPERATOR',
  worker: 'SERVICE',
  page: 'VISITOR',
};

/** The actor of an audit row. An operator's name is for operators only (operator.md §8.4). */
export function actorOfRow(row: Pick<AuditLine, 'actor_kind' | 'actor_id'>, audience: Audience): ItemActor {
  const kind = ACTORS[row.actor_kind] ?? 'SERVICE';
  if (kind === 'TOKEN') return { kind, actorId: publicId('Token', row.actor_id) };
  if (kind === 'AGENT') return { kind, actorId: publicId('Agent', row.actor_id) };
  return kind === 'OPERATOR' && audience === 'OPERATOR' ? { kind, actorId: row.actor_id } : { kind };
}

/**
 * What the audit log adds to the other records: acts of the operator, reports that changed nothing, and requests that the
 * request log no longer has.
 */
export function itemsOfAudit(
  rows: readonly AuditLine[],
  audience: Audience,
  loggedRequests: ReadonlySet<string>,
): Item[] {
  return rows.flatMap((row) => {
    const item = itemOfRow(row, audience, loggedRequests);
    return item ? [item] : [];
  });
}

function itemOfRow(row: AuditLine, audience: Audience, logged: ReadonlySet<string>): Item | undefined {
  const common = { recordedAt: row.at, actor: actorOfRow(row, audience) };
  if (row.actor_kind === 'operator') {
    return {
      ...common,
      kind: 'decision',
      title: `The operator intervened: ${row.action}.`,
      details: { about: 'OPERATOR', outcome: row.action },
      forOperators: { reason: row.details.reason, bankReference: row.details.bankReference },
    };
  }
  if (row.action === 'payment notice ignored') {
    return {
      ...common,
      kind: 'order',
      actor: { kind: 'RAIL' },
      title: `The rail reported “${row.details.notice}”, which came late or twice, and changed nothing.`,
      rule: 'money.md §4.1',
      details: { order: 'REPORT', state: 'IGNORED', notice: row.details.notice },
    };
  }
  if (row.request_id === null || logged.has(row.request_id)) return undefined;
  return {
    ...common,
    kind: 'request',
    title: `A request performed ${row.action}.`,
    details: { requestId: row.request_id, operation: row.action },
  };
}
