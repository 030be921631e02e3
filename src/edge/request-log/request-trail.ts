import { listRequestsAbout, type RequestAbout } from '#edge/request-log/store.ts';
import type { Item, Trail } from '#foundation/explanation/explanation.ts';
import { bareId, publicId } from '#foundation/lib/ids.ts';

/** The requests that created or changed a transaction, and those that were refused, while the log has them. */
export const requestTrail: Trail = async (tx, { explained, requestIds, itemsMax }) => {
  const uuids = [...explained.resources.map(bareId), ...(explained.traces ?? [])];
  const rows = await listRequestsAbout(tx, { uuids, requestIds }, itemsMax);
  let latest = 0;
  return rows.toReversed().map((row): Item => {
    // The log has the time of the answer. A request never comes before one that was answered earlier.
    latest = Math.max(latest, row.created_at.getTime() - row.duration_ms);
    return presentRequest(row, new Date(latest));
  });
};

function presentRequest(row: RequestAbout, recordedAt: Date): Item {
  const { method, route, status, code } = row;
  const answer = code === null ? `was answered with ${status}` : `was refused with ${status} ${code}`;
  return {
    kind: 'request',
    recordedAt,
    actor:
      row.caller_kind === 'agent'
        ? { kind: 'AGENT', actorId: publicId('Agent', row.caller_id) }
        : { kind: 'TOKEN', actorId: publicId('Token', row.caller_id) },
    title: `${method} ${route} ${answer}.`,
    rule: 'platform.md §11.1',
    details: {
      requestLogId: publicId('RequestLog', row.id),
      requestId: row.request_id,
      ...{ method, route, path: row.path, status, code: code ?? undefined, durationMs: row.duration_ms },
    },
  };
}
