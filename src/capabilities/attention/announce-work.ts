import { claimRound, rememberItems } from '#capabilities/attention/announce-store.ts';
import type { WorkParts } from '#capabilities/attention/kinds.ts';
import { insertMails, type NewMail } from '#capabilities/attention/mail-store.ts';
import { type ItemRow, listWaiting, type WorkScope } from '#capabilities/attention/store.ts';
import type { OperatorParts } from '#capabilities/operators/address.ts';
import type { OperatorRow } from '#capabilities/operators/row.ts';
import { listActive } from '#capabilities/operators/store.ts';
import type { AttentionKind } from '#foundation/database/attention.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { OperatorRole } from '#foundation/lib/operator-roles.ts';

/** operator.md §6.6. A process begins its rounds a little late, so each may begin a little early. */
const PAUSE_MS = 10 * 60 * 1000 - 1_000;
/** A round looks at this many of the oldest items of each kind. */
const WATCHED_MAX = 1_000;

export type AnnounceParts = WorkParts & OperatorParts;

/** New items of one kind, which concern operators with a role. */
interface News {
  readonly kind: AttentionKind;
  readonly rows: readonly ItemRow[];
}

/**
 * Notes what is new among the work of operators and, in the same commit, a mail for each operator whose work it is
 * (operator.md §6.6), where mail is set. Sandboxes mail nobody.
 */
export async function announceWork(tx: Tx, parts: AnnounceParts): Promise<void> {
  const { messages } = tx.runtime.ports('PRODUCTION');
  const now = new Date(tx.runtime.clock.now());
  if (!messages.supports('EMAIL') || !(await claimRound(tx, now, PAUSE_MS))) return;
  const news: News[] = [];
  for (const kind of parts.workKinds().filter(({ isOwn }) => !isOwn)) {
    const rows = await readKind(tx, kind, now);
    const fresh = await rememberItems(tx, kind, rows, { isWhole: rows.length <= WATCHED_MAX });
    if (fresh.length > 0) news.push({ kind, rows: fresh });
  }
  if (news.length === 0) return;
  const operators = await listActive(tx);
  const mails = operators.map((operator) => mailTo(parts, operator, news));
  await insertMails(
    tx,
    mails.filter(({ counts }) => Object.keys(counts).length > 0),
    now,
  );
}

/** Stores a mail about one new item for each operator who is told at once, in the commit that adds the item. */
export async function mailAtOnce(tx: Tx, kind: AttentionKind): Promise<void> {
  const told = (await listActive(tx)).filter(({ roles }) => isMailedAtOnce(kind, roles));
  const mails = told.map(({ id }) => ({ operator: id, counts: { [kind.name]: 1 } }));
  await insertMails(tx, mails, new Date(tx.runtime.clock.now()));
}

function isMailedAtOnce({ mailedAtOnce = [] }: AttentionKind, roles: readonly OperatorRole[]): boolean {
  return roles.some((role) => mailedAtOnce.includes(role));
}

function readKind(tx: Tx, kind: AttentionKind, now: Date): Promise<ItemRow[]> {
  const scope: WorkScope = { now, environment: 'PRODUCTION', platformId: undefined, reader: undefined };
  return listWaiting(tx.runtime.database, kind, scope, { limit: WATCHED_MAX, after: undefined });
}

function mailTo(parts: AnnounceParts, operator: OperatorRow, news: readonly News[]): NewMail {
  const counts = news.map(({ kind, rows }) => {
    const own = rows.filter((row) => concerns(parts, operator, kind, row));
    return [kind.name, own.length] as const;
  });
  return { operator: operator.id, counts: Object.fromEntries(counts.filter(([, count]) => count > 0)) };
}

/**
 * An item concerns the roles of its kind, or those who may do the operation and are not the operator who began it. Some roles
 * have a mail about it already.
 */
function concerns(
  parts: AnnounceParts,
  { id, roles }: OperatorRow,
  kind: AttentionKind,
  row: ItemRow,
): boolean {
  if (isMailedAtOnce(kind, roles)) return false;
  const decides = kind.decidedBy?.(row as never);
  const allowed = decides
    ? (parts.operatorOperations().find((one) => one.id === decides.operation)?.operator?.roles ?? [])
    : kind.roles;
  const isMeant = decides?.only === undefined ? decides?.except !== id : decides.only === id;
  return isMeant && roles.some((role) => allowed.includes(role));
}
