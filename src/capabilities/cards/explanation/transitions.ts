import { atMerchant, showCents as show } from '#capabilities/cards/explanation/declines.ts';
import { type Movement, movementsOf } from '#capabilities/cards/explanation/history.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import type { Item, ItemActor } from '#foundation/explanation/explanation.ts';
import type { PostedEntry } from '#foundation/ledger/store.ts';

interface Step {
  readonly to: CardTransactionRow['status'];
  readonly title: string;
  readonly rule: string;
  readonly actor?: ItemActor['kind'];
}

/** The changes of a card transaction: its creation, and each notice that moved money. */
export function cardTransitions(row: CardTransactionRow, entries: readonly PostedEntry[]): Item[] {
  const movements = movementsOf(row, entries);
  const isFirst = ({ at }: Movement) => at.getTime() === row.created_at.getTime();
  const teller = new Teller(row);
  const first = movements.find(isFirst);
  const items = [teller.tell(row.created_at, first?.recordedAt, firstStep(row, first), first)];
  for (const movement of movements.filter((one) => !isFirst(one))) {
    items.push(teller.tell(movement.at, movement.recordedAt, teller.stepOf(movement), movement));
  }
  // An authorization without a hold ends without an entry.
  if (teller.status !== row.status) items.push(teller.tell(row.updated_at, undefined, ended(row), undefined));
  return items;
}

/** Follows the status and the cleared amount from one movement to the next. */
class Teller {
  status: string = 'none';
  #settled = 0n;
  readonly #row: CardTransactionRow;

  constructor(row: CardTransactionRow) {
    this.#row = row;
  }

  tell(at: Date, recordedAt: Date | undefined, step: Step, movement: Movement | undefined): Item {
    const from = this.status;
    this.status = step.to;
    if (movement) this.#settled += movement.cleared + movement.short + movement.credited + movement.takenBack;
    return {
      kind: 'transition',
      at,
      recordedAt,
      actor: { kind: step.actor ?? 'NETWORK' },
      title: step.title,
      rule: step.rule,
      details: { of: 'CARD_TRANSACTION', from, to: step.to },
    };
  }

  stepOf(movement: Movement): Step {
    const { cleared, short, credited, held } = movement;
    if (movement.isCollected)
      return {
        to: 'SETTLED',
        title: 'The operator took the missing amount from the account.',
        rule: 'cards.md §6.1.13',
        actor: 'OPERATOR',
      };
    if (movement.isWrittenOff)
      return {
        to: 'SETTLED',
        title: 'The operator wrote off the missing amount.',
        rule: 'cards.md §6.1.13',
        actor: 'OPERATOR',
      };
    if (short > 0n) return this.#exception(movement);
    if (cleared + credited > 0n) return this.#cleared(cleared + credited);
    return this.#changed(held);
  }

  #exception({ cleared, short }: Movement): Step {
    const taken = cleared > 0n ? `${show(this.#row, cleared)} was taken from the account, and ` : '';
    return {
      to: 'EXCEPTION',
      title: `The merchant cleared ${show(this.#row, cleared + short)}: ${taken}${show(this.#row, short)} could not be taken.`,
      rule: 'cards.md §6.9.2',
    };
  }

  #cleared(amount: bigint): Step {
    const settled = this.#settled + amount;
    const isException = this.status === 'EXCEPTION';
    const isPartial = !isException && settled < this.#row.authorized_amount && this.status !== 'SETTLED';
    const taken = show(this.#row, amount);
    if (isException)
      return {
        to: 'EXCEPTION',
        title: `The merchant cleared another ${taken}.`,
        rule: 'cards.md §6.1.10',
      };
    return isPartial
      ? {
          to: 'PARTIALLY_SETTLED',
          title: `The merchant cleared ${taken}, ${show(this.#row, settled)} in total so far.`,
          rule: 'cards.md §6.1.3',
        }
      : { to: 'SETTLED', title: `The merchant cleared ${taken}.`, rule: 'cards.md §6.1.4' };
  }

  #changed(held: bigint): Step {
    const to = this.status as Step['to'];
    if (held > 0n)
      return {
        to,
        title: `The authorized amount was raised by ${show(this.#row, held)}.`,
        rule: 'cards.md §6.1.6',
      };
    const isEnd = this.#row.status === 'SETTLED' && (this.#row.settled_amount ?? 0n) === this.#settled;
    return isEnd
      ? ended(this.#row)
      : {
          to,
          title: `The authorized amount was lowered by ${show(this.#row, -held)}.`,
          rule: 'cards.md §6.1.6',
        };
  }
}

function ended(row: CardTransactionRow): Step {
  return {
    to: row.status,
    title: 'The authorization expired or was reversed, and the rest of the hold was released.',
    rule: 'cards.md §6.1.5',
  };
}

function firstStep(row: CardTransactionRow, movement: Movement | undefined): Step {
  const asked = show(row, row.authorized_amount);
  if (row.declined_reason !== null)
    return {
      to: 'DECLINED',
      title: `An authorization of ${asked}${atMerchant(row)} was declined.`,
      rule: 'cards.md §6.1.2',
      actor: 'SERVICE',
    };
  const booked = movement && movement.cleared + movement.short + movement.credited + movement.takenBack > 0n;
  if (booked) return bookedStep(row, movement);
  if (row.kind === 'INQUIRY')
    return {
      to: 'SETTLED',
      title: 'The merchant asked for the balance of the account.',
      rule: 'cards.md §6.1.16',
    };
  const title =
    movement && movement.held > 0n
      ? `${asked}${atMerchant(row)} was authorized and put on hold.`
      : `${asked}${atMerchant(row)} was authorized without a hold.`;
  return { to: 'AUTHORIZED', title, rule: 'cards.md §6.1.1' };
}

/** A row that was booked when it was made. */
function bookedStep(row: CardTransactionRow, { short }: Movement): Step {
  const to = short > 0n ? 'EXCEPTION' : 'SETTLED';
  const amount = show(row, row.authorized_amount);
  if (row.kind === 'RETURN')
    return { to, title: `The merchant returned ${amount}.`, rule: 'cards.md §6.1.11' };
  if (row.kind === 'RETURN_REVERSAL')
    return { to, title: `The merchant reversed a return of ${amount}.`, rule: 'cards.md §6.1.15' };
  if (row.direction === 'CREDIT')
    return { to, title: `The merchant paid ${amount} to the card.`, rule: 'cards.md §6.1.12' };
  return {
    to,
    title: `The merchant took ${amount} without a separate authorization.`,
    rule: 'cards.md §6.1.14',
  };
}
