import fc from 'fast-check';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import type { Terms as CardTerms } from '#tests/model/cards-model.ts';
import { OPENING as CARDS_OPENING, step as cardStep } from '#tests/model/cards-steps.ts';
import { inBigInts, OPENING as MONEY_OPENING } from '#tests/model/money-model.ts';
import { Sequences } from '#tests/model/sequences.ts';
import { step as moneyStep, terms } from '#tests/model/steps.ts';
import { simulateCards } from '#tests/simulator/cards.ts';
import { simulateMoney } from '#tests/simulator/money.ts';

/** The machines of all areas; a planted fault replaces one of them. */
export const MACHINES = { payments: PAYMENTS, cards: CARD_TRANSACTIONS_MACHINE };

export type Machines = typeof MACHINES;

export interface Simulation {
  readonly machines: Machines;
  /** Draws what goes wrong with commits. */
  readonly seed: number;
  /** Counts what happened. */
  count(what: string): void;
}

export interface Area {
  /** The share of all steps, in percent. */
  readonly share: number;
  /** The steps of one drawn sequence, without its opening. */
  readonly length: number;
  /** The same arbitraries as in the area's test on PostgreSQL: a seed draws the same sequences there. */
  property(simulation: Simulation): fc.IRawProperty<unknown, false>;
}

/** Both ways of cards.md §6.8. */
const cardTerms = fc.constantFrom<CardTerms>(
  { approvesUncovered: false, uncoveredMax: null },
  { approvesUncovered: true, uncoveredMax: null },
  { approvesUncovered: true, uncoveredMax: 6_000n },
);

export const AREAS: Readonly<Record<string, Area>> = {
  payments: {
    share: 45,
    length: 310,
    property: ({ machines, ...run }) =>
      fc.property(terms, new Sequences(moneyStep), (drawn, steps) =>
        simulateMoney(inBigInts(drawn), [...MONEY_OPENING, ...steps], { ...run, machine: machines.payments }),
      ),
  },
  cards: {
    share: 30,
    length: 290,
    property: ({ machines, ...run }) =>
      fc.property(cardTerms, new Sequences(cardStep), (drawn, steps) =>
        simulateCards(drawn, [...CARDS_OPENING, ...steps], { ...run, machine: machines.cards }),
      ),
  },
};
