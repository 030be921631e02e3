import { CARD_STATUS_CHANGES, type CardRow, canChange } from '#capabilities/cards/card-row.ts';
import { findCard, isNumberUsed, lockCard } from '#capabilities/cards/card-store.ts';
import { changeCard, closeCard } from '#capabilities/cards/change-card.ts';
import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { type CallHandler, concerning, type JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import type { IssueAnswer, IssuedCard, IssueRequest } from '#foundation/ports/cards.ts';

/** Scheduled work: asks the issuer for a card, and asks again until it has decided. */
export const ISSUE_CARD = 'cards.issue';

interface IssueJob {
  readonly id: CardId;
  /** Whether the platform gave the card its own id. */
  readonly isNamed: boolean;
  /** How many numbers were rejected because another card has them. */
  readonly takenNumbers?: number;
}

const issueHandler: CallHandler = {
  async call(work, job) {
    const payload = job.payload as IssueJob;
    const request = await work.read((tx) => issueRequest(tx, payload));
    const answer = request && (await work.ports.cards.issue(request));
    return async (tx) => {
      if (answer) await applyAnswer(tx, payload, answer);
    };
  },
};

/** Returns undefined if the card was issued, rejected or closed since. */
async function issueRequest(tx: ReadTx, payload: IssueJob): Promise<IssueRequest | undefined> {
  const { id, isNamed, takenNumbers = 0 } = payload;
  const card = await findCard(tx, id);
  if (!card || !canChange(card, 'activate')) return undefined;
  return {
    cardId: id,
    customerId: card.customer_id,
    platformCardId: isNamed ? card.platform_card_id : undefined,
    requestedAt: card.created_at,
    now: tx.now,
    seed: tx.vault.fingerprint(`${id}:${takenNumbers}`, 'card number'),
  };
}

async function applyAnswer(tx: Tx, payload: IssueJob, answer: IssueAnswer): Promise<void> {
  const card = await lockCard(tx, payload.id);
  if (!card || !canChange(card, 'activate')) return;
  if (answer.outcome === 'REJECTED') await closeCard(tx, card, 'reject');
  else if (answer.outcome === 'PENDING') askAgain(tx, payload, answer.askAgainAfterMs);
  else if (await isNumberUsed(tx, numberHash(tx, answer.card.pan))) askForAnother(tx, payload);
  else activateCard(tx, card, answer.card);
}

/** Does nothing without a time: the issuer then reports by itself. */
function askAgain(tx: Tx, payload: IssueJob, afterMs: number | undefined): void {
  if (afterMs === undefined) return;
  schedule(tx, { kind: ISSUE_CARD, key: payload.id, payload: { ...payload }, afterMs });
}

const ASKED_AT_ONCE = 10;
const PAUSE_MS = 60 * 60_000;

/** A number exists only once (cards.md §1.5). The pauses spare an issuer that has no other number. */
function askForAnother(tx: Tx, payload: IssueJob): void {
  const takenNumbers = (payload.takenNumbers ?? 0) + 1;
  askAgain(tx, { ...payload, takenNumbers }, takenNumbers % ASKED_AT_ONCE === 0 ? PAUSE_MS : 0);
}

function numberHash({ vault }: ReadTx, pan: string): KeyedHash {
  return vault.hash(pan, 'cards.pan');
}

/**
 * The issuer has made the card (cards.md §1.5). Its number is encrypted, and a keyed hash prevents a second card with
 * it.
 */
function activateCard(tx: Tx, card: CardRow, issued: IssuedCard): CardRow {
  const { brand, pan, expMonth, expYear, processorRef, issuerRef } = issued;
  return changeCard(tx, card, {
    status: CARD_STATUS_CHANGES.activate.to,
    brand,
    last4: pan.slice(-4),
    exp_month: expMonth,
    exp_year: expYear,
    pan: tx.vault.sealFor([card.customer_id], pan, panContext(card.id)),
    pan_hash: numberHash(tx, pan).toStore,
    processor_ref: processorRef,
    issuer_ref: issuerRef,
    activated_at: tx.now,
  });
}

/** Binds the encrypted number to this card. */
export function panContext(cardId: CardId): string {
  return `cards.pan:${cardId}`;
}

export const cardJobs: JobDeclarations = {
  [ISSUE_CARD]: {
    ...issueHandler,
    due: concerning('Card', (id) => `The issuer decides about the card ${id}.`),
  },
};
