import { centsToUnits } from '#capabilities/cards/machine/draft.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';
import type { PostedEntry } from '#foundation/ledger/store.ts';

/** The amounts that one notice of the network moved, in card cents. The entries of one notice have the same time. */
export interface Movement {
  readonly at: Date;
  readonly recordedAt: Date;
  /** Above zero: put on hold; below: released. */
  readonly held: bigint;
  /** Taken from the account. */
  readonly cleared: bigint;
  /** Paid to the network, but not taken from the account. */
  readonly short: bigint;
  readonly credited: bigint;
  readonly takenBack: bigint;
  readonly isCollected: boolean;
  readonly isWrittenOff: boolean;
}

/** The movements of a card transaction, the oldest first. */
export function movementsOf(row: CardTransactionRow, entries: readonly PostedEntry[]): Movement[] {
  const groups = Map.groupBy(entries, ({ created_at }) => created_at.getTime());
  return [...groups.values()].flatMap((group) => (group[0] ? [movementOf(row, group, group[0])] : []));
}

function movementOf(row: CardTransactionRow, group: readonly PostedEntry[], first: PostedEntry): Movement {
  const unit = centsToUnits(row, 1n);
  const sum = (kinds: readonly LedgerKind[]) =>
    group.filter(({ kind }) => kinds.includes(kind)).reduce((total, entry) => total + debitsOf(entry), 0n) /
    unit;
  const held = group
    .filter(({ kind }) => kind === 'card.hold_adjusted')
    .reduce((total, entry) => total + holdChange(entry), 0n);
  return {
    at: first.created_at,
    recordedAt: first.recorded_at,
    held: held / unit,
    cleared: sum(['card.cleared']),
    short: sum(['card.shortfall_owed']),
    credited: sum(['card.credited', 'receipt.suspended']),
    takenBack: sum(['card.credit_reversed']),
    isCollected: group.some(({ kind }) => kind === 'card.shortfall_collected'),
    isWrittenOff: group.some(({ kind }) => kind === 'debt.written_off'),
  };
}

function debitsOf({ amounts }: PostedEntry): bigint {
  return amounts.reduce((total, amount) => (amount > 0n ? total + amount : total), 0n);
}

/** A credit of HOLD raises the hold. */
function holdChange({ accounts, amounts }: PostedEntry): bigint {
  const i = accounts.findIndex((account) => account.startsWith('HOLD:'));
  return -(amounts[i] ?? 0n);
}
