import type { Authorization, NetworkNotice } from '#capabilities/cards/machine/notice.ts';
import { keepNotice } from '#capabilities/cards/notices/notice-store.ts';
import type { Cardholder } from '#capabilities/cards/sealed-purchase.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import type { FollowUp, IssuerVerdict } from '#foundation/ports/cards.ts';

/** Scheduled work: applies a card's due notices. Stored jobs have this name, so it keeps the older word. */
export const RECEIVE_NOTICES = 'cards.messages';

/** Stores a notice that is applied later, after all notices that were accepted for the card before it. */
export function queueNotice(changes: Changes, holder: Cardholder, notice: NetworkNotice, dueAt: Date): void {
  keepNotice(changes, holder, { notice, dueAt });
  schedule(changes, { kind: RECEIVE_NOTICES, payload: { cardId: notice.cardId }, dueAt });
}

/** Schedules the card's due notices for now. */
export function scheduleNotices(changes: Changes, cardId: CardId): void {
  schedule(changes, { kind: RECEIVE_NOTICES, payload: { cardId }, afterMs: 0 });
}

/** The notices that follow a purchase, if it was decided as the issuer wanted. */
export function queueFollowUps(
  changes: Changes,
  holder: Cardholder,
  purchase: Authorization,
  { declined, follows = [] }: IssuerVerdict,
  isDeclined: boolean,
): void {
  if (isDeclined !== (declined !== undefined)) return;
  for (const [n, { kind, afterMs }] of follows.entries()) {
    // Notices of one commit are applied in the order of their ids.
    const notice = followUp(purchase, kind, `${purchase.id}:${n}:${kind}`);
    queueNotice(changes, holder, notice, new Date(changes.now.getTime() + afterMs));
  }
}

function followUp(
  { cardId, token, amount, merchant }: Authorization,
  kind: FollowUp['kind'],
  id: string,
): NetworkNotice {
  const named = { id, cardId, token };
  switch (kind) {
    case 'clearing':
      return { kind, ...named, direction: 'DEBIT', amount, merchant };
    case 'increment':
      return { kind, ...named, amount, merchant };
    default:
      return { kind, ...named };
  }
}
