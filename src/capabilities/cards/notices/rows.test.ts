// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { givenCard } from '#tests/given/cards.ts';
import {
  advance,
  givenFunds,
  givenPlatform,
  listEventTypes,
  readTransaction,
} from '#tests/given/payments.ts';
import {
  type AskingKind,
  bought,
  type Cardholder,
  fetchBalances,
  givenCardholder,
  loadCardTransaction,
  postedFor,
  purchaseBody,
  type SimulatedKind,
  simulate,
  simulated,
} from '#tests/given/purchases.ts';
import { givenScaPayer, givenWaiting } from '#tests/given/waiting.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

/** One step of a story, and the row after it. */
type Step =
  | { readonly do: AskingKind; readonly amount: number; readonly as?: string }
  | {
      readonly do: 'clearing' | 'authorization_advice' | 'return';
      readonly amount: number;
      readonly on?: number;
    }
  | { readonly do: 'return_reversal'; readonly on: number }
  | { readonly do: 'balance_inquiry'; readonly as?: string }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'spend' | 'fund'; readonly amount: number };

interface Story {
  /** The account's initial balance. */
  readonly has: number;
  readonly steps: readonly Step[];
  /** For each created row, in order: status, authorized/settled, and its events. */
  readonly rows: readonly string[];
  readonly posted: readonly (readonly string[])[];
  /** Balance and total at the end. */
  readonly leaves: readonly [number, number];
}

/** Every row of cards.md §6.1 and §7, and every simulator, as notices and their results. */
const STORIES: Readonly<Record<string, Story>> = {
  'cards.md §6.1.1, §8.11, §7.11, §8.37: an approved authorization is on hold': {
    has: 10_000,
    steps: [{ do: 'authorization', amount: 1_250 }],
    rows: ['AUTHORIZED 1250/- AUTHORIZED'],
    posted: [['L16 AVAIL 1250 → HOLD 1250']],
    leaves: [8_750, 10_000],
  },
  'cards.md §6.1.2, §6.7: a declined authorization moves nothing': {
    has: 1_000,
    steps: [{ do: 'authorization', amount: 1_001 }],
    rows: ['DECLINED 1001/- DECLINED INSUFFICIENT_FUNDS'],
    posted: [[]],
    leaves: [1_000, 1_000],
  },
  'cards.md §6.1.3, §6.1.4, §8.12, §7.12: cleared in parts': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'clearing', amount: 500 },
      { do: 'clearing', amount: 750 },
    ],
    rows: ['SETTLED 1250/1250 AUTHORIZED PARTIALLY_SETTLED SETTLED'],
    posted: [['L16 AVAIL 1250 → HOLD 1250', 'L17 HOLD 500 → RAIL 500', 'L17 HOLD 750 → RAIL 750']],
    leaves: [8_750, 8_750],
  },
  'cards.md §6.1.4, §6.9.3, §7.13: cleared above the authorized amount, the rest is pulled': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'clearing', amount: 1_500 },
    ],
    rows: ['SETTLED 1250/1500 AUTHORIZED SETTLED'],
    posted: [['L16 AVAIL 1250 → HOLD 1250', 'L17 AVAIL 250 + HOLD 1250 → RAIL 1500']],
    leaves: [8_500, 8_500],
  },
  'cards.md §6.1.5, §8.12, §7.15: a clearing of 0 ends it, and releases the rest': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'clearing', amount: 500 },
      { do: 'clearing', amount: 0 },
    ],
    rows: ['SETTLED 1250/500 AUTHORIZED PARTIALLY_SETTLED SETTLED'],
    posted: [['L16 AVAIL 1250 → HOLD 1250', 'L17 HOLD 500 → RAIL 500', 'L16 HOLD 750 → AVAIL 750']],
    leaves: [9_500, 9_500],
  },
  'cards.md §6.1.5, §6.9.8: seven days end it': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'wait', seconds: 7 * 86_400 },
    ],
    rows: ['SETTLED 1250/0 AUTHORIZED SETTLED'],
    posted: [['L16 AVAIL 1250 → HOLD 1250', 'L16 HOLD 1250 → AVAIL 1250']],
    leaves: [10_000, 10_000],
  },
  'cards.md §6.1.6, §8.13, §7.11, §7.15: an advice up and down': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'authorization_advice', amount: 2_000 },
      { do: 'authorization_advice', amount: 1_000 },
    ],
    rows: ['AUTHORIZED 1000/- AUTHORIZED AUTHORIZED AUTHORIZED'],
    posted: [['L16 AVAIL 1250 → HOLD 1250', 'L16 AVAIL 750 → HOLD 750', 'L16 HOLD 1000 → AVAIL 1000']],
    leaves: [9_000, 10_000],
  },
  'cards.md §8.13: an advice that the account does not cover raises the total and not the hold': {
    has: 1_500,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'authorization_advice', amount: 2_000 },
    ],
    rows: ['AUTHORIZED 2000/- AUTHORIZED AUTHORIZED'],
    posted: [['L16 AVAIL 1250 → HOLD 1250']],
    leaves: [250, 1_500],
  },
  'cards.md §6.1.7: an advice down to the cleared amount settles': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'clearing', amount: 500 },
      { do: 'authorization_advice', amount: 400 },
    ],
    rows: ['SETTLED 400/500 AUTHORIZED PARTIALLY_SETTLED SETTLED'],
    posted: [['L16 AVAIL 1250 → HOLD 1250', 'L17 HOLD 500 → RAIL 500', 'L16 HOLD 750 → AVAIL 750']],
    leaves: [9_500, 9_500],
  },
  'cards.md §6.1.8, §6.9.2, §7.14: an amount that cannot be pulled is owed entirely': {
    has: 1_300,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'clearing', amount: 1_500 },
    ],
    rows: ['EXCEPTION 1250/1500 AUTHORIZED EXCEPTION owes 250'],
    posted: [['L16 AVAIL 1250 → HOLD 1250', 'L17 HOLD 1250 → RAIL 1250', 'L23 RECEIVABLE 250 → RAIL 250']],
    leaves: [50, 50],
  },
  'cards.md §6.2, §7.1: money that arrives later does not end the exception': {
    has: 1_300,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'clearing', amount: 1_500 },
      { do: 'fund', amount: 5_000 },
    ],
    rows: ['EXCEPTION 1250/1500 AUTHORIZED EXCEPTION owes 250'],
    posted: [['L16 AVAIL 1250 → HOLD 1250', 'L17 HOLD 1250 → RAIL 1250', 'L23 RECEIVABLE 250 → RAIL 250']],
    leaves: [5_050, 5_050],
  },
  'cards.md §6.1.11, §8.14, §7.16: a return is a row of its own': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'clearing', amount: 1_250 },
      { do: 'return', amount: 400 },
      { do: 'return', amount: 850 },
    ],
    rows: [
      'SETTLED 1250/1250 AUTHORIZED SETTLED',
      'CREDIT SETTLED 400/400 SETTLED of 0',
      'CREDIT SETTLED 850/850 SETTLED of 0',
    ],
    posted: [
      ['L16 AVAIL 1250 → HOLD 1250', 'L17 HOLD 1250 → RAIL 1250'],
      ['L18 RAIL 400 → AVAIL 400'],
      ['L18 RAIL 850 → AVAIL 850'],
    ],
    leaves: [10_000, 10_000],
  },
  'cards.md §7.16, §7.1: a return first repays its purchase’s debt': {
    has: 1_300,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'clearing', amount: 1_500 },
      { do: 'return', amount: 300 },
    ],
    rows: ['EXCEPTION 1250/1500 AUTHORIZED EXCEPTION', 'CREDIT SETTLED 300/300 SETTLED of 0'],
    posted: [
      ['L16 AVAIL 1250 → HOLD 1250', 'L17 HOLD 1250 → RAIL 1250', 'L23 RECEIVABLE 250 → RAIL 250'],
      ['L18 RAIL 300 → AVAIL 50 + RECEIVABLE 250'],
    ],
    leaves: [100, 100],
  },
  'cards.md §6.1.15, §8.15, §7.17: a return is reversed, and can be returned again': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'clearing', amount: 1_250 },
      { do: 'return', amount: 1_250 },
      { do: 'return_reversal', on: 1 },
      { do: 'return', amount: 1_250 },
    ],
    rows: [
      'SETTLED 1250/1250 AUTHORIZED SETTLED',
      'CREDIT SETTLED 1250/1250 SETTLED of 0',
      'SETTLED 1250/1250 SETTLED of 1',
      'CREDIT SETTLED 1250/1250 SETTLED of 0',
    ],
    posted: [
      ['L16 AVAIL 1250 → HOLD 1250', 'L17 HOLD 1250 → RAIL 1250'],
      ['L18 RAIL 1250 → AVAIL 1250'],
      ['L24 AVAIL 1250 → RAIL 1250'],
      ['L18 RAIL 1250 → AVAIL 1250'],
    ],
    leaves: [10_000, 10_000],
  },
  'cards.md §6.1.15, §7.17: an amount that a reversed return cannot pull is owed by its row': {
    has: 1_250,
    steps: [
      { do: 'authorization', amount: 1_250 },
      { do: 'clearing', amount: 1_250 },
      { do: 'return', amount: 1_250 },
      { do: 'spend', amount: 1_000 },
      { do: 'return_reversal', on: 1 },
    ],
    rows: [
      'SETTLED 1250/1250 AUTHORIZED SETTLED',
      'CREDIT SETTLED 1250/1250 SETTLED of 0',
      'SETTLED 1000/1000 SETTLED',
      'EXCEPTION 1250/1250 EXCEPTION owes 1250 of 1',
    ],
    posted: [
      ['L16 AVAIL 1250 → HOLD 1250', 'L17 HOLD 1250 → RAIL 1250'],
      ['L18 RAIL 1250 → AVAIL 1250'],
      ['L17 AVAIL 1000 → RAIL 1000'],
      ['L23 RECEIVABLE 1250 → RAIL 1250'],
    ],
    leaves: [250, 250],
  },
  'cards.md §6.1.12, §8.19, §7.13: one message is approved and taken at once': {
    has: 10_000,
    steps: [{ do: 'financial_authorization', amount: 1_250 }],
    rows: ['SETTLED 1250/1250 SETTLED'],
    posted: [['L17 AVAIL 1250 → RAIL 1250']],
    leaves: [8_750, 8_750],
  },
  'cards.md §8.19: or declined': {
    has: 1_000,
    steps: [{ do: 'financial_authorization', amount: 1_001 }],
    rows: ['DECLINED 1001/- DECLINED INSUFFICIENT_FUNDS'],
    posted: [[]],
    leaves: [1_000, 1_000],
  },
  'cards.md §6.1.12, §8.20, §7.16: one message credits at once': {
    has: 10_000,
    steps: [{ do: 'financial_credit_authorization', amount: 1_250 }],
    rows: ['CREDIT SETTLED 1250/1250 SETTLED'],
    posted: [['L18 RAIL 1250 → AVAIL 1250']],
    leaves: [11_250, 11_250],
  },
  'cards.md §8.17, §8.12, §7.16: a credit is announced, and credited when it is cleared': {
    has: 0,
    steps: [
      { do: 'credit_authorization', amount: 1_250 },
      { do: 'clearing', amount: 1_250 },
    ],
    rows: ['CREDIT SETTLED 1250/1250 AUTHORIZED SETTLED'],
    posted: [['L18 RAIL 1250 → AVAIL 1250']],
    leaves: [1_250, 1_250],
  },
  'cards.md §8.18: by an advice as well': {
    has: 0,
    steps: [{ do: 'credit_authorization_advice', amount: 1_250 }],
    rows: ['CREDIT AUTHORIZED 1250/- AUTHORIZED'],
    posted: [[]],
    leaves: [0, 0],
  },
  'cards.md §6.1.16, §8.16: an inquiry is a row with amount 0': {
    has: 0,
    steps: [{ do: 'balance_inquiry' }],
    rows: ['SETTLED 0/0 SETTLED'],
    posted: [[]],
    leaves: [0, 0],
  },
  'cards.md §8.16: the descriptor does not affect an inquiry': {
    has: 0,
    steps: [{ do: 'balance_inquiry', as: 'CORNER BOOKS 002' }],
    rows: ['SETTLED 0/0 SETTLED'],
    posted: [[]],
    leaves: [0, 0],
  },
  'cards.md §8.33: a clearing waits until the pull is confirmed': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250, as: 'CORNER BOOKS 005' },
      { do: 'clearing', amount: 1_250 },
      { do: 'authorization', amount: 100 },
    ],
    rows: ['AUTHORIZED 1250/- AUTHORIZED', 'AUTHORIZED 100/- AUTHORIZED'],
    posted: [['L16 AVAIL 1250 → HOLD 1250'], ['L16 AVAIL 100 → HOLD 100']],
    leaves: [8_650, 10_000],
  },
  'cards.md §8.33: and is applied then': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250, as: 'CORNER BOOKS 005  ' },
      { do: 'clearing', amount: 1_250 },
      { do: 'wait', seconds: 30 },
    ],
    rows: ['SETTLED 1250/1250 AUTHORIZED SETTLED'],
    posted: [['L16 AVAIL 1250 → HOLD 1250', 'L17 HOLD 1250 → RAIL 1250']],
    leaves: [8_750, 8_750],
  },
  'cards.md §8.34: the pull fails after the approval': {
    has: 10_000,
    steps: [
      { do: 'authorization', amount: 1_250, as: 'CORNER BOOKS 006' },
      { do: 'wait', seconds: 1 },
    ],
    rows: ['EXCEPTION 1250/1250 AUTHORIZED EXCEPTION owes 1250'],
    posted: [['L16 AVAIL 1250 → HOLD 1250', 'L16 HOLD 1250 → AVAIL 1250', 'L23 RECEIVABLE 1250 → RAIL 1250']],
    leaves: [10_000, 10_000],
  },
  'cards.md §8.34: for a single message at once': {
    has: 10_000,
    steps: [{ do: 'financial_authorization', amount: 1_250, as: 'CORNER BOOKS 006' }],
    rows: ['EXCEPTION 1250/1250 EXCEPTION owes 1250'],
    posted: [['L23 RECEIVABLE 1250 → RAIL 1250']],
    leaves: [10_000, 10_000],
  },
  'cards.md §8.34: a credit becomes an exception without an entry': {
    has: 0,
    steps: [
      { do: 'credit_authorization', amount: 1_250, as: 'CORNER BOOKS 006' },
      { do: 'wait', seconds: 1 },
      { do: 'financial_credit_authorization', amount: 300, as: 'CORNER BOOKS 006' },
    ],
    rows: ['CREDIT EXCEPTION 1250/- AUTHORIZED EXCEPTION', 'CREDIT EXCEPTION 300/- EXCEPTION'],
    posted: [[], []],
    leaves: [0, 0],
  },
};

describe('card transactions, by the simulators', () => {
  const world = testWorld();

  for (const [name, story] of Object.entries(STORIES)) {
    it(name, async () => {
      const platform = await givenPlatform(world);
      const holder = await givenCardholder(platform, story.has);
      const rows = await play(platform, holder, story.steps);
      const seen = await Promise.all(rows.map((row) => describeRow(platform, row, rows)));
      assert.deepEqual(seen, story.rows);
      assert.deepEqual(await Promise.all(rows.map((row) => postedFor(platform, row))), story.posted);
      assert.deepEqual(await fetchBalances(platform, holder.payer), story.leaves);
    });
  }

  it('cards.md §6.4: a return does not change its purchase in the API', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { id } = await bought(world, platform, cardId, 1_250);
    const cardTransactionId = `Transaction:${id}`;
    await simulated(world, platform, cardId, 'clearing', { cardTransactionId, amount: 1_250 });
    const before = await readTransaction(platform, cardTransactionId);
    await advance(platform, 60);
    await simulated(world, platform, cardId, 'return', { cardTransactionId, amount: 100 });
    assert.deepEqual(await readTransaction(platform, cardTransactionId), before);
  });

  it('cards.md §6.5: the fields of a card transaction', async () => {
    const platform = await givenPlatform(world);
    const { cardId, payer } = await givenCardholder(platform);
    const merchant = { descriptor: 'CORNER BOOKS', mcc: '5942', country: 'US', city: 'Reno', state: 'NV' };
    const body = { amount: 1_250, currency: { code: 'USD' }, merchant };
    const row = await simulated(world, platform, cardId, 'authorization', body);
    const { createdAt, authorizedAt, updatedAt, customerId, platformCustomerId, ...shown } =
      (await readTransaction(platform, `Transaction:${row.id}`)) as unknown as Record<string, unknown>;
    assert.equal(customerId, payer.id);
    assert.ok(platformCustomerId);
    assert.deepEqual([authorizedAt, updatedAt], [createdAt, createdAt]);
    assert.deepEqual(shown, {
      type: 'CARD',
      id: `Transaction:${row.id}`,
      cardId,
      issuerTransactionToken: row.token,
      status: 'AUTHORIZED',
      direction: 'DEBIT',
      merchant,
      authorizedAmount: {
        amount: 1_250,
        currency: { code: 'USD', name: 'US dollar', symbol: '$', decimals: 2 },
      },
      accountId: payer.account('USD').id,
      description: 'CORNER BOOKS',
    });
  });

  it('cards.md §6.3: every event has the whole row as the transition left it, in order', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const receiver = await platform.receive();
    const { id } = await bought(world, platform, cardId, 1_250);
    const cardTransactionId = `Transaction:${id}`;
    const seen = [await readTransaction(platform, cardTransactionId)];
    for (const amount of [500, 750]) {
      await simulated(world, platform, cardId, 'clearing', { cardTransactionId, amount });
      seen.push(await readTransaction(platform, cardTransactionId));
    }
    const told = receiver.received
      .map(({ body }) => body)
      .filter(({ data }) => data.id === cardTransactionId);
    assert.deepEqual(
      told.map(({ type }) => type),
      ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED'].map((status) => `CARD_TRANSACTION.${status}`),
    );
    assert.deepEqual(
      told.map(({ data }) => data),
      seen,
    );
  });

  it('cards.md §7.4: a changed balance is notified, too, after the card’s event', async () => {
    const platform = await givenPlatform(world);
    const { cardId, payer } = await givenCardholder(platform);
    const { id } = await bought(world, platform, cardId, 1_250);
    const cardTransactionId = `Transaction:${id}`;
    await simulated(world, platform, cardId, 'clearing', { cardTransactionId, amount: 1_250 });
    await bought(world, platform, cardId, 20_000);
    const balance = 'INTERNAL_ACCOUNT.BALANCE_UPDATED';
    const told = await eventsAbout(platform, payer.account('USD').id, 'CARD_TRANSACTION.%');
    assert.deepEqual(told.slice(told.indexOf('CARD_TRANSACTION.AUTHORIZED')), [
      'CARD_TRANSACTION.AUTHORIZED',
      balance,
      'CARD_TRANSACTION.SETTLED',
      balance,
      'CARD_TRANSACTION.DECLINED',
    ]);
  });

  it('cards.md §7.3: the hold of an account is the sum for its cards and its pending payments', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenScaPayer(platform);
    const onHold = async () => {
      const [balance = 0, total = 0] = await fetchBalances(platform, payer);
      return total - balance;
    };
    await givenWaiting(platform, payer);
    const ofPayment = await onHold();
    assert.ok(ofPayment > 0);
    const cardId = (await givenCard(platform, payer)).id;
    const { id } = await bought(world, platform, cardId, 1_250);
    assert.equal(await onHold(), ofPayment + 1_250);
    await simulated(world, platform, cardId, 'clearing', {
      cardTransactionId: `Transaction:${id}`,
      amount: 1_250,
    });
    assert.equal(await onHold(), ofPayment);
  });

  it('cards.md §6.9.8: a hotel’s hold stays for thirty days', async () => {
    for (const mcc of ['3351', '3500', '3501', '3999', '7011', '7512']) {
      const platform = await givenPlatform(world);
      const { cardId, payer } = await givenCardholder(platform);
      const merchant = { descriptor: 'GRAND HOTEL', mcc };
      const body = { amount: 1_250, currency: { code: 'USD' }, merchant };
      await simulated(world, platform, cardId, 'authorization', body);
      await advance(platform, 30 * 86_400 - 1);
      assert.deepEqual(await fetchBalances(platform, payer), [8_750, 10_000], mcc);
      await advance(platform, 1);
      assert.deepEqual(await fetchBalances(platform, payer), [10_000, 10_000], mcc);
    }
  });

  /** Sends the notices of the steps, and returns the created rows in their final state. */
  async function play(
    platform: TestPlatform,
    { payer, cardId }: Cardholder,
    steps: readonly Step[],
  ): Promise<CardTransactionRow[]> {
    const made = new Map<string, CardTransactionRow>();
    const on = (n: number) => `Transaction:${[...made.values()][n]?.id}`;
    const send = async (kind: SimulatedKind, body: object) => {
      const row = await simulated(world, platform, cardId, kind, body);
      made.set(row.id, row);
    };
    for (const step of steps) {
      if (step.do === 'wait') await advance(platform, step.seconds);
      else if (step.do === 'fund') await givenFunds(platform, payer.account('USD').id, step.amount);
      else if (step.do === 'spend') await send('financial_authorization', purchaseBody(step.amount));
      else if (step.do === 'balance_inquiry') {
        await send('balance_inquiry', { merchant: { descriptor: step.as ?? 'CORNER BOOKS' } });
      } else if (step.do === 'return_reversal')
        await send('return_reversal', { cardTransactionId: on(step.on) });
      else if (step.do === 'clearing' || step.do === 'authorization_advice' || step.do === 'return') {
        await send(step.do, { cardTransactionId: on(step.on ?? 0), amount: step.amount });
      } else if ('as' in step) await send(step.do, purchaseBody(step.amount, step.as));
      else await send(step.do, purchaseBody(step.amount));
    }
    const rows = [...made.values()];
    return Promise.all(rows.map(({ token }) => loadCardTransaction(platform, token)));
  }

  it('cards.md §8.1: a notice about an existing row answers with its token, and a return gets a new one', async () => {
    const platform = await givenPlatform(world);
    const { cardId } = await givenCardholder(platform);
    const { id, token } = await bought(world, platform, cardId, 1_250);
    const cardTransactionId = `CardTransaction:${id}`;
    const clearing = await simulate(platform, cardId, 'clearing', { cardTransactionId, amount: 1_250 });
    assert.equal(clearing.body.issuerTransactionToken, token);
    const returned = await simulate(platform, cardId, 'return', { cardTransactionId: id, amount: 1_250 });
    assert.equal(returned.status, 202, returned.raw);
    assert.notEqual(returned.body.issuerTransactionToken, token);
  });
});

/** The types of all events of a resource and of those types, in the order in which they were committed. */
async function eventsAbout(platform: TestPlatform, resourceId: string, types: string): Promise<string[]> {
  const work = await platform.work();
  const rows = await work.read(
    (tx) => tx.sql<{ type: string }>`
      select type from events
       where platform_id = ${tx.platformId} and (resource_id = ${resourceId} or type like ${types}) order by seq`,
  );
  return rows.map(({ type }) => type);
}

async function describeRow(
  platform: TestPlatform,
  row: CardTransactionRow,
  all: readonly CardTransactionRow[],
): Promise<string> {
  const told = await listEventTypes(platform, `Transaction:${row.id}`);
  const original = all.findIndex(({ id }) => id === row.original_id);
  return [
    ...(row.direction === 'CREDIT' ? ['CREDIT'] : []),
    row.status,
    `${row.authorized_amount}/${row.settled_amount ?? '-'}`,
    ...told,
    ...(row.declined_reason === null ? [] : [row.declined_reason]),
    ...(row.receivable === 0n ? [] : [`owes ${row.receivable}`]),
    ...(original === -1 ? [] : [`of ${original}`]),
  ].join(' ');
}
