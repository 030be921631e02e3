import { type AuditLine, listNewestChanges } from '#foundation/audit/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { actorOfRow, itemsOfAudit } from '#foundation/explanation/audit-trail.ts';
import { presentEntries } from '#foundation/explanation/entries-trail.ts';
import type {
  AskedId,
  Audience,
  Explained,
  Explainer,
  FindRelatives,
  Item,
  Trail,
  Waiting,
  WaitingWay,
} from '#foundation/explanation/explanation.ts';
import { readJobs } from '#foundation/explanation/jobs-trail.ts';
import type { PresentedItem, TransactionExplanation } from '#foundation/explanation/schemas.ts';
import { ITEMS_MAX, orderItems, type TimedItem, truncateItems } from '#foundation/explanation/timeline.ts';
import { loadClockMove } from '#foundation/jobs/clock-store.ts';
import { listNewestEntries } from '#foundation/ledger/store.ts';
import { isUuid, typeOfId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

/** The parts of all manifests that explanations are made of. */
export interface ExplanationParts {
  readonly explainers: readonly Explainer[];
  readonly trails: readonly Trail[];
  readonly relatives: readonly FindRelatives[];
}

/**
 * Explains a transaction of any kind (operator.md §8.1): its capability says what it is and what it waits for, and the
 * records that every transaction has are read once, here.
 */
export async function explainTransaction(
  tx: ReadTx,
  parts: ExplanationParts,
  id: string,
  audience: Audience,
): Promise<TransactionExplanation> {
  return (await explainWithPhrases(tx, parts, id, audience)).explanation;
}

/** The same with the phrases in its sentences that people wrote. */
export async function explainWithPhrases(
  tx: ReadTx,
  { explainers, trails, relatives }: ExplanationParts,
  id: string,
  audience: Audience,
): Promise<{ readonly explanation: TransactionExplanation; readonly written: readonly string[] }> {
  const found = await findExplained(tx, explainers, id);
  if (!found) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  const explained = await withRelatives(tx, found, relatives);
  // One more than is shown, to know whether there are more.
  const itemsMax = ITEMS_MAX + 1;
  const [audited, entries] = await Promise.all([
    listNewestChanges(tx, explained.resources, itemsMax),
    explained.ledgerId === undefined ? [] : listNewestEntries(tx, explained.ledgerId, itemsMax),
  ]);
  const requestIds = audited.flatMap(({ request_id: requestId }) => requestId ?? []);
  const tracked = { explained, requestIds, audience, itemsMax };
  const recorded = (await Promise.all([readJobs, ...trails].map((trail) => trail(tx, tracked)))).flat();
  const logged = new Set(recorded.flatMap(({ details }) => (details?.requestId as string | undefined) ?? []));
  const items = [
    ...[...explained.items(entries), ...recorded].map((item) => withActor(item, audited, audience)),
    ...presentEntries({ ...tx.platform.ownCurrencies, ...explained.currencies }, entries, audience),
    ...itemsOfAudit(audited, audience, logged),
  ];
  const ordered = orderItems(items, [await loadClockMove(tx)]);
  const explanation = { ...present(explained, ordered, audience), now: tx.now.toISOString() };
  return { explanation, written: explained.written ?? [] };
}

/** Adds the resources of other capabilities, whose records belong to the transaction. */
async function withRelatives(
  tx: ReadTx,
  explained: Explained,
  relatives: readonly FindRelatives[],
): Promise<Explained> {
  const found = (await Promise.all(relatives.map((find) => find(tx, explained)))).filter((one) => !!one);
  const related = found.flatMap((one) => one.related);
  const why = found.flatMap((one) => one.why ?? []);
  const { waiting } = explained;
  return {
    ...explained,
    related: [...explained.related, ...related],
    resources: [...explained.resources, ...related.map(({ id }) => id)],
    waiting: waiting && { ...waiting, for: [waiting.for, ...why].join(' ') },
  };
}

/** Finds the transaction with this id among those of all capabilities. */
export async function findExplained(
  tx: ReadTx,
  explainers: readonly Explainer[],
  id: string,
): Promise<Explained | undefined> {
  const asked = readId(id);
  if (!asked) return undefined;
  for (const explainer of explainers) {
    if (asked.type !== undefined && !explainer.types.includes(asked.type)) continue;
    const found = await explainer.explain(tx, asked);
    if (found) return found;
  }
  return undefined;
}

function readId(text: string): AskedId | undefined {
  if (isUuid(text)) return { type: undefined, uuid: text };
  const type = typeOfId(text);
  return type && { type, uuid: text.slice(type.length + 1) as Id };
}

/** Names the caller of the request that caused a transition, and its real time, which the audit log knows. */
function withActor(item: Item, audited: readonly AuditLine[], audience: Audience): Item {
  const { causes } = item;
  const row = causes && audited.find(({ action }) => causes.includes(action));
  if (!row) return item;
  return {
    ...item,
    recordedAt: item.recordedAt ?? row.at,
    actor: actorOfRow(row, audience),
    requestId: row.request_id ?? undefined,
  };
}

function present(
  explained: Explained,
  ordered: readonly TimedItem[],
  audience: Audience,
): Omit<TransactionExplanation, 'now'> {
  const { items, isTruncated } = truncateItems(ordered);
  const refusal = lastRefusal(explained, ordered);
  const { id, type, status, summary, waiting, failure, related } = explained;
  return {
    ...{ id, type, status },
    summary: refusal
      ? `${summary} The last request about it, at ${refusal.at}, was refused with ${refusal.code}.`
      : summary,
    ...(waiting && { waiting: presentWaiting(waiting, audience) }),
    ...(failure && { failure: withoutUndefined(failure) }),
    ...(refusal && { refusal }),
    related: related.map((one) => ({ ...one })),
    items: items.map((item) => presentItem(item, audience)),
    isTruncated,
  };
}

/**
 * The last refused request, if nothing has changed since, and its check might fail again: it says why the transaction has
 * not moved (operator.md §8.2).
 */
function lastRefusal(
  { changedAt, refusals, passingNow, waiting }: Explained,
  ordered: readonly TimedItem[],
): TransactionExplanation['refusal'] {
  const item = waiting && ordered.findLast(({ kind }) => kind === 'request');
  const answeredAt = item ? item.at.getTime() + Number(item.details?.durationMs ?? 0) : 0;
  if (!item || !isRefused(item.details) || answeredAt < changedAt.getTime()) return undefined;
  const { code, method, path, status, requestId } = item.details as unknown as RefusedRequest;
  if (passingNow?.includes(code)) return undefined;
  const rule = refusals?.[code];
  return {
    ...{ code, at: item.at.toISOString(), method, path, status, requestId },
    ...(rule !== undefined && { rule }),
  };
}

type RefusedRequest = Omit<NonNullable<TransactionExplanation['refusal']>, 'at' | 'rule'>;

function isRefused(details: Item['details']): boolean {
  return typeof details?.code === 'string' && typeof details.status === 'number' && details.status >= 400;
}

function presentWaiting({ since, until, nextCheckAt, by, ...waiting }: Waiting, audience: Audience) {
  return {
    ...withoutUndefined(waiting),
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
    ...(nextCheckAt && { nextCheckAt: nextCheckAt.toISOString() }),
    by: by.flatMap((way) => presentWays(way, audience)),
  };
}

type PresentedWay = NonNullable<TransactionExplanation['waiting']>['by'][number];

/** Operators see their commands instead of what the commands do together. */
function presentWays({ commands, call, ...way }: WaitingWay, audience: Audience): PresentedWay[] {
  if (commands && audience === 'OPERATOR') return commands.map((one) => ({ who: way.who, ...one }));
  return [{ ...withoutUndefined(way), ...(call && { call: withoutUndefined(call) }) }];
}

function presentItem(item: TimedItem, audience: Audience): PresentedItem {
  const { kind, at, recordedAt, actor, title, rule, details, forOperators } = item;
  return {
    kind,
    at: at.toISOString(),
    ...(recordedAt && { recordedAt: recordedAt.toISOString() }),
    ...(actor && { actor: withoutUndefined(actor) }),
    title,
    ...(rule !== undefined && { rule }),
    details: withoutUndefined({ ...details, ...(audience === 'OPERATOR' ? forOperators : {}) }),
  };
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

function withoutUndefined<T extends object>(value: T): Defined<T> {
  const present = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(present) as Defined<T>;
}
