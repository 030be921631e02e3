import { type AuditLine, listNewestChanges } from '#foundation/audit/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { actorOfRow } from '#foundation/explanation/audit-trail.ts';
import { type ExplanationParts, findExplained } from '#foundation/explanation/explain.ts';
import type { ItemActor } from '#foundation/explanation/explanation.ts';
import type { BookEntry } from '#foundation/journal/lines-store.ts';

/** The transaction of an entry, and who caused the entry. */
export interface ExplainedEntry {
  readonly transaction?: { readonly id: string; readonly type: string; readonly status: string };
  /** The act in the audit log that posted the entry; without one, the service acted by itself. */
  readonly cause: {
    readonly actor: ItemActor;
    readonly action?: string;
    readonly requestId?: string | undefined;
  };
}

/** An act and its entry are written in one commit, at almost the same real time. */
const SAME_COMMIT_MS = 2_000;
const CHANGES_MAX = 500;

/** Says to which transaction an entry belongs, and who caused it, for operators. */
export async function explainEntry(
  tx: ReadTx,
  { explainers, relatives }: Pick<ExplanationParts, 'explainers' | 'relatives'>,
  { transaction_id: id, recorded_at: recordedAt }: BookEntry,
): Promise<ExplainedEntry> {
  const service = { actor: { kind: 'SERVICE' } } as const;
  const explained = id === null ? undefined : await findExplained(tx, explainers, id);
  if (!explained) return { cause: service };
  const related = (await Promise.all(relatives.map((find) => find(tx, explained)))).flatMap(
    (one) => one?.related.map((resource) => resource.id) ?? [],
  );
  const audited = await listNewestChanges(tx, [...explained.resources, ...related], CHANGES_MAX);
  const row = nearestTo(recordedAt, audited);
  return {
    transaction: { id: explained.id, type: explained.type, status: explained.status },
    cause: row
      ? { actor: actorOfRow(row, 'OPERATOR'), action: row.action, requestId: row.request_id ?? undefined }
      : service,
  };
}

function nearestTo(time: Date, rows: readonly AuditLine[]): AuditLine | undefined {
  const distance = ({ at }: AuditLine) => Math.abs(at.getTime() - time.getTime());
  const [nearest] = rows.toSorted((a, b) => distance(a) - distance(b));
  return nearest && distance(nearest) <= SAME_COMMIT_MS ? nearest : undefined;
}
