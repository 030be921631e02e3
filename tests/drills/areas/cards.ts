import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Area, Client } from '#tests/drills/areas/area.ts';
import type { Deployment } from '#tests/drills/deployment.ts';
import type { Figures } from '#tests/drills/frame/drill.ts';
import { createRemotePlatform, type RemotePlatform } from '#tests/drills/remote-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { LEASE_LOOK_MS } from '#tests/drills/site.ts';
import { supports } from '#tests/given/accounts.ts';
import { givenCard } from '#tests/given/cards.ts';
import { advance, givenPayer, type Payer } from '#tests/given/payments.ts';
import { fetchBalances, purchaseBody, type SimulatedKind, simulate } from '#tests/given/purchases.ts';

/** The expected final state of a row. */
interface Expected {
  readonly card: string;
  readonly direction: string;
  readonly status: string;
  readonly authorized: number;
  readonly settled: number;
  readonly events: readonly string[];
}

const OPENING_CENTS = 100_000_000;
const LOOK_MS = 50;
const DEADLINE_MS = 300_000;

/**
 * Cards of one account, each with a merchant of its own. All accepted messages must be applied once, in the order they were
 * accepted (cards.md §8.1): rows, events and balances equal those of an undisturbed run.
 */
export async function openCards(deployment: Deployment, random: SeededRandom, count: number): Promise<Area> {
  const settings = ['isRegulatedFinancialInstitution=true', 'requestRate.perSecond=0'];
  const platform = await createRemotePlatform(deployment, settings);
  await supports(platform, ['USD']);
  const payer = await givenPayer(platform, OPENING_CENTS);
  const shops: Shop[] = [];
  for (let i = 0; i < count; i++) {
    const { id: card } = await givenCard(platform, payer);
    shops.push(new Shop(platform, card, new SeededRandom(random.between(0, 2 ** 31))));
  }
  return {
    clients: shops,
    check: () => checkResult(platform, payer, shops),
    close: () => platform.receiver.close(),
  };
}

/** Sells to one card, one purchase after the other. */
class Shop implements Client {
  readonly expected = new Map<string, Expected>();
  messages = 0;
  readonly card: string;
  readonly #platform: RemotePlatform;
  readonly #random: SeededRandom;

  constructor(platform: RemotePlatform, card: string, random: SeededRandom) {
    this.#platform = platform;
    this.card = card;
    this.#random = random;
  }

  async course(): Promise<void> {
    const amount = 2 * this.#random.between(50, 500);
    const kind = this.#random.pick(['authorization', 'authorization', 'authorization', 'single'] as const);
    if (kind === 'single') {
      const token = await this.#send('financial_authorization', purchaseBody(amount));
      this.#expect(token, { status: 'SETTLED', authorized: amount, settled: amount, events: ['SETTLED'] });
      return;
    }
    const token = await this.#send('authorization', purchaseBody(amount));
    await this.#goOn(token, await this.#idOf(token), amount);
  }

  /** The following messages are sent at once, one after the other, and applied later. */
  async #goOn(token: string, cardTransactionId: string, amount: number): Promise<void> {
    const half = amount / 2;
    const about = (kind: SimulatedKind, cents: number) =>
      this.#send(kind, { cardTransactionId, amount: cents });
    const row = (authorized: number, settled: number, between: string) =>
      this.#expect(token, {
        status: 'SETTLED',
        authorized,
        settled,
        events: ['AUTHORIZED', between, 'SETTLED'],
      });
    switch (this.#random.between(0, 3)) {
      case 0:
        await about('clearing', half);
        await about('clearing', half);
        row(amount, amount, 'PARTIALLY_SETTLED');
        break;
      case 1:
        await about('authorization_advice', amount + 100);
        await about('clearing', amount + 100);
        row(amount + 100, amount + 100, 'AUTHORIZED');
        break;
      case 2:
        await about('clearing', half);
        await about('clearing', 0);
        row(amount, half, 'PARTIALLY_SETTLED');
        break;
      default: {
        await about('clearing', half);
        await about('clearing', half);
        row(amount, amount, 'PARTIALLY_SETTLED');
        const returned = await about('return', half);
        const credit = { direction: 'CREDIT', status: 'SETTLED', authorized: half, settled: half };
        this.#expect(returned, { ...credit, events: ['SETTLED'] });
      }
    }
  }

  #expect(token: string, expected: Omit<Expected, 'card' | 'direction'> & { direction?: string }): void {
    this.expected.set(token, { card: this.card, direction: 'DEBIT', ...expected });
  }

  async #send(kind: SimulatedKind, body: object): Promise<string> {
    const reply = await simulate(this.#platform, this.card, kind, body);
    assert.equal(reply.status, 202, reply.raw);
    this.messages++;
    return reply.body.issuerTransactionToken;
  }

  /** Waits until the authorization is applied. Work that a killed process had leased waits for the lease to expire. */
  async #idOf(token: string): Promise<string> {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const query = { cardId: this.card, limit: 5 };
      const { body } = await this.#platform.send('listTransactions', { query });
      const row = (body.data as unknown as CardTransactionReply[]).find(
        (each) => each.issuerTransactionToken === token,
      );
      if (row) return row.id;
      assert.ok(Date.now() < deadline, 'an authorization that was accepted takes effect');
      await delay(LOOK_MS);
    }
  }
}

interface CardTransactionReply {
  readonly id: string;
  readonly cardId: string;
  readonly issuerTransactionToken: string;
  readonly direction: string;
  readonly status: string;
  readonly authorizedAmount: { readonly amount: number };
  readonly settledAmount?: { readonly amount: number };
}

async function checkResult(platform: RemotePlatform, payer: Payer, shops: readonly Shop[]): Promise<Figures> {
  const expected = new Map(shops.flatMap((shop) => [...shop.expected]));
  const rows = await settledRows(platform, expected.size);
  assert.equal(rows.length, expected.size, 'as many rows as were asked for');
  for (const row of rows) {
    const { events, ...should } = expected.get(row.issuerTransactionToken) as Expected;
    const stands = {
      ...{ card: row.cardId, direction: row.direction, status: row.status },
      ...{ authorized: row.authorizedAmount.amount, settled: row.settledAmount?.amount },
    };
    assert.deepEqual(stands, should, row.id);
    assert.deepEqual(receivedTypes(platform, row.id), events, `what was told of ${row.id}`);
  }
  const spent = [...expected.values()].reduce(
    (sum, { direction, settled }) => sum + (direction === 'DEBIT' ? settled : -settled),
    0,
  );
  const left = OPENING_CENTS - spent;
  assert.deepEqual(await fetchBalances(platform, payer), [left, left]);
  return { messages: shops.reduce((sum, shop) => sum + shop.messages, 0), 'card transactions': rows.length };
}

/** All rows, when nothing is open and all events were delivered. */
async function settledRows(platform: RemotePlatform, count: number): Promise<CardTransactionReply[]> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    await advance(platform, 60);
    const rows: CardTransactionReply[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { type: 'CARD', limit: 100, ...(cursor !== undefined && { cursor }) };
      const { body } = await platform.send('listTransactions', { query });
      rows.push(...(body.data as unknown as CardTransactionReply[]));
      cursor = body.nextCursor;
      if (cursor === undefined) break;
    }
    const isOver = ({ id, status }: CardTransactionReply) =>
      status !== 'AUTHORIZED' &&
      status !== 'PARTIALLY_SETTLED' &&
      receivedTypes(platform, id).at(-1) === status;
    if (rows.length >= count && rows.every(isOver)) return rows;
    assert.ok(Date.now() < deadline, `${rows.filter((row) => !isOver(row)).length} rows are not over`);
    await delay(LEASE_LOOK_MS);
  }
}

/** First arrivals of each event about a row, in order. */
function receivedTypes({ receiver }: RemotePlatform, id: string): string[] {
  const first = new Map(
    receiver.received
      .toReversed()
      .flatMap(({ body }, i) => (body.data.id === id ? [[body.id, { i, body }]] : [])),
  );
  return [...first.values()]
    .sort((a, b) => b.i - a.i)
    .map(({ body }) => body.type.slice(body.type.indexOf('.') + 1));
}
