import fc from 'fast-check';
import { AGENT_ACTIONS } from '#capabilities/agents/actions/machine.ts';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { MINTS_AND_BURNS } from '#capabilities/stablecoins/operations/machine.ts';
import {
  OPENING as AGENTS_OPENING,
  step as agentStep,
  EXPECTED as EXPECTED_OF_AGENTS,
} from '#tests/model/agents-steps.ts';
import { EXPECTED as EXPECTED_OF_CARDS } from '#tests/model/cards-cases.ts';
import type { Terms as CardTerms } from '#tests/model/cards-model.ts';
import { OPENING as CARDS_OPENING, step as cardStep } from '#tests/model/cards-steps.ts';
import {
  OPENING as COINS_OPENING,
  step as coinStep,
  EXPECTED as EXPECTED_OF_COINS,
} from '#tests/model/coins-steps.ts';
import { EXPECTED as EXPECTED_OF_MONEY } from '#tests/model/money-cases.ts';
import { inBigInts, OPENING as MONEY_OPENING } from '#tests/model/money-model.ts';
import { Sequences } from '#tests/model/sequences.ts';
import { step as moneyStep, terms } from '#tests/model/steps.ts';
import { simulateAgents } from '#tests/simulator/agents.ts';
import { simulateCards } from '#tests/simulator/cards.ts';
import { simulateCoins } from '#tests/simulator/coins.ts';
import { simulateMoney } from '#tests/simulator/money.ts';

/** The machines of all areas; a planted fault replaces one of them. */
export const MACHINES = {
  payments: PAYMENTS,
  cards: CARD_TRANSACTIONS_MACHINE,
  coins: MINTS_AND_BURNS,
  actions: AGENT_ACTIONS,
};

export type Machines = typeof MACHINES;

export interface Simulation {
  readonly machines: Machines;
  /** Draws what goes wrong with commits. */
  readonly seed: number;
  /** Counts what happened. */
  count(what: string): void;
}

export interface Area {
  /** The rules that its steps prove, for the test's name. */
  readonly proves: string;
  /** The share of all steps, in percent. */
  readonly share: number;
  /** The steps of one drawn sequence, without its opening. */
  readonly length: number;
  /** The cases that a useful run must reach. */
  readonly expected: readonly string[];
  /** The same arbitraries as in the area's test on PostgreSQL: a seed draws the same sequences there. */
  property(simulation: Simulation): fc.IRawProperty<unknown, false>;
}

/** As many as in the test on PostgreSQL. */
const AGENT_STEPS = 160;

/** Both ways of cards.md §6.8. */
const cardTerms = fc.constantFrom<CardTerms>(
  { approvesUncovered: false, uncoveredMax: null },
  { approvesUncovered: true, uncoveredMax: null },
  { approvesUncovered: true, uncoveredMax: 6_000n },
);

export const AREAS: Readonly<Record<string, Area>> = {
  payments: {
    proves: 'money.md §12.1–12.9, §12.11',
    share: 45,
    length: 310,
    expected: EXPECTED_OF_MONEY,
    property: ({ machines, ...run }) =>
      fc.property(terms, new Sequences(moneyStep), (drawn, steps) => {
        simulateMoney(inBigInts(drawn), [...MONEY_OPENING, ...steps], { ...run, machine: machines.payments });
      }),
  },
  cards: {
    proves: 'cards.md §6.1, §6.6, §6.9, §6.10, §6.11, §7.1, §7.3',
    share: 30,
    length: 290,
    expected: EXPECTED_OF_CARDS,
    property: ({ machines, ...run }) =>
      fc.property(cardTerms, new Sequences(cardStep), (drawn, steps) => {
        simulateCards(drawn, [...CARDS_OPENING, ...steps], { ...run, machine: machines.cards });
      }),
  },
  'mints and burns': {
    proves: 'stablecoins.md §5.9, §5.10, §6.2, §7.1, money.md §12.12–12.15',
    share: 13,
    length: 330,
    expected: EXPECTED_OF_COINS,
    property: ({ machines, ...run }) =>
      fc.property(new Sequences(coinStep), (steps) => {
        simulateCoins([...COINS_OPENING, ...steps], { ...run, machine: machines.coins });
      }),
  },
  'actions of agents': {
    proves: 'agents.md §1.4, §4.1–4.8, §5.11–5.15',
    share: 12,
    length: 205,
    expected: EXPECTED_OF_AGENTS,
    property: ({ machines, ...run }) =>
      fc.property(new Sequences(agentStep, AGENT_STEPS), (steps) => {
        simulateAgents([...AGENTS_OPENING, ...steps], { ...run, machine: machines.actions });
      }),
  },
};
