import assert from 'node:assert/strict';
import { MINTS_AND_BURNS, OperationDraft } from '#capabilities/stablecoins/operations/machine.ts';
import type { OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import { type Entry, type Line, reversed } from '#foundation/ledger/entries.ts';
import type { Account, LedgerKind } from '#foundation/ledger/kinds.ts';
import { Machine } from '#foundation/machine/machine.ts';
import type { CoinsMachine } from '#tests/simulator/coins-memory.ts';

/** Faults in the machine of mints and burns, each named as a reviewer would describe it. */

const { description } = MINTS_AND_BURNS;

/** The machine with drafts that do something else in one of their methods. */
function withDraft(Faulty: new (row: OperationRow, now: Date) => OperationDraft): CoinsMachine {
  return new Machine({ ...description, newDraft: (row, now) => new Faulty(row, now) });
}

/** Other entries in place of those of one kind; undefined: the entry is missing. */
function withEntry(kind: LedgerKind, change: (entry: Entry) => Entry | undefined): CoinsMachine {
  return withDraft(
    class extends OperationDraft {
      override addEntry(entry: Entry): void {
        const changed = entry.kind === kind ? change(entry) : entry;
        if (changed) super.addEntry(changed);
      }
    },
  );
}

function swapped(kind: LedgerKind, change: (line: Line) => string): CoinsMachine {
  return withEntry(kind, (entry) => ({
    ...entry,
    lines: entry.lines.map((line) => ({ ...line, account: change(line) as Account })),
  }));
}

/** The rule whose label begins with this text has another condition. */
function when(label: string, applies: (row: OperationRow) => boolean): CoinsMachine {
  const faulty = description.rules.filter((rule) => rule.label.startsWith(label));
  assert.equal(faulty.length, 1, `one rule begins with "${label}"`);
  type AnyRule = (typeof description.rules)[number];
  const rules = description.rules.map((rule) =>
    rule === faulty[0] ? ({ ...rule, when: applies } as AnyRule) : rule,
  );
  return new Machine({ ...description, rules });
}

export const COIN_FAULTS: Readonly<Record<string, () => CoinsMachine>> = {
  'a mint without its entry': () => withEntry('coin.minted', () => undefined),
  'a burn without its entry': () => withEntry('coin.burned', () => undefined),
  'a hold that is not released after a failure': () =>
    withEntry('coin.hold_adjusted', (entry) => (entry.ordinal === 1 ? undefined : entry)),
  'a hold that is not placed': () =>
    withEntry('coin.hold_adjusted', (entry) => (entry.ordinal === 1 ? entry : undefined)),
  'a burn with its sides exchanged': () =>
    withEntry('coin.burned', (entry) => ({ ...entry, lines: reversed(entry.lines) })),
  'a mint for an external wallet that goes to suspense': () =>
    swapped('coin.minted', ({ account, currency }) =>
      account.startsWith('RAIL:SPARK') ? `SUSPENSE:${currency}` : account,
    ),
  'a mint whose dollars are not in the reserve': () =>
    swapped('coin.minted', ({ account, currency }) =>
      account.startsWith('RESERVE') ? `FEES:${currency}` : account,
    ),
  'a mint that is completed twice': () =>
    when('the provider is done', (row) => row.version > 0n && row.status !== 'FAILED'),
  'an operation that expires after its funds have arrived': () =>
    when('its time is over at the provider', (row) => row.version > 0n && row.status !== 'EXPIRED'),
  'a failure after the end': () => when('the provider fails it', (row) => row.version > 0n),
  'an operation that the provider is not asked about again': () =>
    withDraft(
      class extends OperationDraft {
        override schedule(): void {}
      },
    ),
  'a burn of coins that are gone': () =>
    new Machine({
      ...description,
      rules: description.rules.map((rule) => ({
        ...rule,
        does: (draft: OperationDraft, notice: never, facts: { isCovered: boolean; receiver: undefined }) =>
          rule.does(draft, notice, { ...facts, isCovered: true }),
      })) as unknown as typeof description.rules,
    }),
};
