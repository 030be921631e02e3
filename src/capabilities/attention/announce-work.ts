import { claimRound, forgetItems, rememberItems } from '#capabilities/attention/announce-store.ts';
import type { WorkParts } from '#capabilities/attention/kinds.ts';
import { type ItemRow, listWaiting, type WorkScope } from '#capabilities/attention/store.ts';
import { type OperatorParts, relyingPartyOf } from '#capabilities/operators/address.ts';
import type { OperatorRow } from '#capabilities/operators/row.ts';
import { listActive } from '#capabilities/operators/store.ts';
import type { AttentionKind } from '#foundation/database/attention.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

/** operator.md §6.6. A process begins its rounds a little late, so each may begin a little early. */
const PAUSE_MS = 10 * 60 * 1000 - 1_000;
/** Beyond so many items of a kind nobody counts new ones. */
const WATCHED_MAX = 1_000;

export type AnnounceParts = WorkParts & OperatorParts;

/** New items of one kind, which concern operators with a role. */
interface News {
  readonly kind: AttentionKind;
  readonly rows: readonly ItemRow[];
}

/**
 * Mails operators what is new among their work, where mail is set (operator.md §6.6). Sandboxes mail nobody. Nothing is lost
 * with a mail that no server takes: the next round tells it again, and the work stands.
 */
export function announceWork(parts: AnnounceParts): (tx: Tx) => Promise<void> {
  return async (tx) => {
    const { messages } = tx.runtime.ports('PRODUCTION');
    const now = new Date(tx.runtime.clock.now());
    if (!messages.supports('EMAIL') || !(await claimRound(tx, now, PAUSE_MS))) return;
    const news: News[] = [];
    for (const kind of parts.workKinds().filter(({ isOwn }) => !isOwn)) {
      const rows = await readKind(tx, kind, now);
      const fresh = await rememberItems(tx, kind, rows, { isWhole: rows.length <= WATCHED_MAX });
      if (fresh.length > 0) news.push({ kind, rows: fresh });
    }
    const operators = news.length > 0 ? await listActive(tx) : [];
    tx.afterCommit(() => void mailAll(tx, parts, operators, news));
  };
}

function readKind(tx: Tx, kind: AttentionKind, now: Date): Promise<ItemRow[]> {
  const scope: WorkScope = { now, environment: 'PRODUCTION', platformId: undefined, reader: undefined };
  return listWaiting(tx.runtime.database, kind, scope, { limit: WATCHED_MAX, after: undefined });
}

async function mailAll(
  tx: Tx,
  parts: AnnounceParts,
  operators: readonly OperatorRow[],
  news: readonly News[],
): Promise<void> {
  const outcomes = operators.map((operator) => mailOne(tx, parts, operator, news).catch(() => false));
  if ((await Promise.all(outcomes)).every(Boolean)) return;
  const work = new Work(tx.runtime, INSTALLATION, tx.actor);
  await work.write(async (again) => {
    for (const { kind, rows } of news) await forgetItems(again, kind.name, rows);
  });
}

/** Whether there was nothing to tell, or the mail server took it. */
async function mailOne(
  { runtime }: Tx,
  parts: AnnounceParts,
  operator: OperatorRow,
  news: readonly News[],
): Promise<boolean> {
  const lines = news.flatMap(({ kind, rows }) => {
    const count = rows.filter((row) => concerns(parts, operator, kind, row)).length;
    return count === 0 ? [] : [`${count}: ${kind.title}`];
  });
  if (lines.length === 0) return true;
  const at = new Date(runtime.clock.now());
  const outcome = await runtime.ports('PRODUCTION').messages.send({
    ...{ reference: `work:${operator.id}:${at.getTime()}`, platformId: INSTALLATION.id, at },
    ...{ channel: 'EMAIL', recipient: operator.email, senderName: 'Corridor' },
    subject: 'New work waits for you',
    text: `Hello ${operator.name},\n\nnew items wait for you:\n\n${lines.join('\n')}\n\n${relyingPartyOf(parts).origin}/console/operator\n`,
  });
  return outcome === 'sent';
}

/** An item concerns the roles of its kind, or those who may do the operation and are not the ones who began it. */
function concerns(
  parts: AnnounceParts,
  { id, roles }: OperatorRow,
  kind: AttentionKind,
  row: ItemRow,
): boolean {
  const decides = kind.decidedBy?.(row as never);
  const allowed = decides
    ? (parts.operatorOperations().find((one) => one.id === decides.operation)?.operator?.roles ?? [])
    : kind.roles;
  const isMeant = decides?.only === undefined ? decides?.except !== id : decides.only === id;
  return isMeant && roles.some((role) => allowed.includes(role));
}
