import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { CardRow } from '#capabilities/cards/card-row.ts';
import { findCard } from '#capabilities/cards/card-store.ts';
import { panContext } from '#capabilities/cards/issue-card.ts';
import { sql } from '#foundation/database/sql.ts';
import { type CardReply, givenCard, givenCardPlatform, givenNewCard, readCard } from '#tests/given/cards.ts';
import { advance, givenPayer, listEventTypes, type Payer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('the issuer’s decision on a card', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;

  before(async () => {
    platform = await givenCardPlatform(world);
    ada = await givenPayer(platform, 0);
  });

  const loadRow = async ({ id }: CardReply): Promise<CardRow> => {
    const row = await (await platform.work()).read((tx) => findCard(tx, uuidOf(id)));
    assert.ok(row);
    return row;
  };

  /** The number in the clear, which no reply ever contains. */
  const loadNumber = async (card: CardReply): Promise<string> => {
    const { pan, id } = await loadRow(card);
    return world.app.runtime.vault.openText(pan as Buffer, panContext(id));
  };

  it('cards.md §1.21: a card that ends in 001 stays PROCESSING', async () => {
    const { id } = await givenNewCard(platform, ada, { platformCardId: 'stays-001' });
    await advance(platform, 7 * 24 * 3_600);
    assert.equal((await readCard(platform, id)).status, 'PROCESSING');
    assert.deepEqual(await listEventTypes(platform, id), []);
  });

  it('cards.md §1.22, §2.3, §0.2: a card that ends in 002 is rejected within a second: CLOSED, with its reason and an event', async () => {
    const { id } = await givenNewCard(platform, ada, { platformCardId: 'rejected-002' });
    await advance(platform, 1);
    const { status, statusReason, ...card } = await readCard(platform, id);
    assert.deepEqual([status, statusReason], ['CLOSED', 'ISSUER_REJECTED']);
    for (const name of ['brand', 'last4', 'expMonth', 'expYear', 'processorRef', 'issuerRef'] as const) {
      assert.equal(card[name], undefined);
    }
    assert.deepEqual(await listEventTypes(platform, id), ['STATUS_CHANGE']);
  });

  it('cards.md §1.23: a card that ends in 005 is ACTIVE after half a minute', async () => {
    const { id } = await givenNewCard(platform, ada, { platformCardId: 'slow-005' });
    await advance(platform, 29);
    assert.equal((await readCard(platform, id)).status, 'PROCESSING');
    await advance(platform, 1);
    const { status, last4 } = await readCard(platform, id);
    assert.deepEqual([status, last4], ['ACTIVE', '4883']);
    assert.deepEqual(await listEventTypes(platform, id), ['STATUS_CHANGE']);
  });

  for (const [platformCardId, last4] of [
    ['card-abc', '4789'],
    ['card-999', '4777'],
    // One character where two others are missing, and characters that are more than one code unit.
    ['7', '4500'],
    ['xx-a💳ü', '4792'],
  ] as const) {
    it(`cards.md §1.24, §2.2: ${platformCardId} is ACTIVE within a second, and its number ends in ${last4}`, async () => {
      const card = await givenCard(platform, ada, { platformCardId });
      assert.equal(card.last4, last4);
      assert.deepEqual(await listEventTypes(platform, card.id), ['STATUS_CHANGE']);
    });
  }

  const last4Of = (text: string) =>
    `4${[...text]
      .slice(-3)
      .map((character) => (character.codePointAt(0) ?? 0) % 10)
      .join('')}`;

  it('cards.md §1.24: without a platformCardId the end of customerId decides', async () => {
    const card = await givenCard(platform, ada);
    assert.equal(card.last4, last4Of(ada.id));
  });

  it('cards.md §1.5: the activation gives brand, expiry 36 months later, references and a number that passes the Luhn check', async () => {
    const card = await givenCard(platform, ada, { platformCardId: 'card-xyz' });
    assert.equal(card.brand, 'VISA');
    const { activated_at } = await loadRow(card);
    const month = new Date(activated_at ?? 0);
    month.setUTCMonth(month.getUTCMonth() + 36);
    assert.deepEqual([card.expYear, card.expMonth], [month.getUTCFullYear(), month.getUTCMonth() + 1]);
    assert.match(card.processorRef ?? '', /^card_[0-9a-f]{8}$/);
    assert.match(card.issuerRef ?? '', /^iss_card_[0-9a-f]{8}$/);
    const number = await loadNumber(card);
    assert.match(number, /^400000\d{10}$/);
    assert.ok(number.endsWith(card.last4 ?? 'none'));
    const doubled = [...number].map((digit, i) => Number(digit) * (i % 2 === 0 ? 2 : 1));
    const sum = doubled.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
    assert.equal(sum % 10, 0);
  });

  it('cards.md §1.5: a number of another card, on any platform and closed or not, is replaced by another one at once', async () => {
    const other = await givenCardPlatform(world);
    const holder = await givenCard(other);
    const card = await givenNewCard(platform, ada, { platformCardId: 'wanted-abc' });
    // The first three numbers for the card belong to other cards.
    const taken: Buffer[] = [];
    for (const attempt of [0, 1, 2]) taken.push(await hashOfAttempt(card, attempt));
    const rows = [holder, await givenCard(other), await givenCard(other)];
    for (const [i, row] of rows.entries()) {
      await world.database.query(
        sql`update cards set pan_hash = ${taken[i]} where platform_id = ${other.id} and id = ${uuidOf(row)}`,
      );
    }
    await advance(platform, 1);
    const issued = await loadRow(card);
    assert.equal(issued.status, 'ACTIVE');
    assert.deepEqual(issued.pan_hash, await hashOfAttempt(card, 3));
    assert.equal(issued.last4, '4789');
    assert.deepEqual(await listEventTypes(platform, card.id), ['STATUS_CHANGE']);
  });

  /** The number that the sandbox's issuer gives to a card's nth request, as the unique index stores it. */
  async function hashOfAttempt(card: CardReply, attempt: number): Promise<Buffer> {
    const { vault, ports } = world.app.runtime;
    const now = new Date('2026-03-02T10:00:00Z');
    const answer = await ports('SANDBOX').cards.issue({
      cardId: uuidOf(card.id),
      customerId: uuidOf(card.customerId),
      platformCardId: card.platformCardId,
      requestedAt: new Date(now.getTime() - 60_000),
      now,
      seed: vault.fingerprint(`${uuidOf(card.id)}:${attempt}`, 'card number'),
    });
    assert.equal(answer.outcome, 'ISSUED');
    return vault.hash(answer.card.pan, 'cards.pan').toStore;
  }

  it('cards.md §1.5: cards with the same ending have different numbers', async () => {
    const ids: CardId[] = [];
    for (let i = 0; i < 30; i++) {
      ids.push(uuidOf(await givenNewCard(platform, ada, { platformCardId: `same ${i} end` })));
    }
    await advance(platform, 1);
    const work = await platform.work();
    const rows = await Promise.all(ids.map((id) => work.read((tx) => findCard(tx, id))));
    assert.equal(new Set(rows.map((row) => row?.pan_hash?.toString('hex'))).size, 30);
    assert.equal(new Set(rows.map((row) => row?.last4)).size, 1);
  });

  it('cards.md §5.7: no column of the database has the number in the clear, and a closed card has none at all', async () => {
    const card = await givenCard(platform, ada);
    const number = await loadNumber(card);
    const [row] = await world.database.query<{ row: string }>(
      sql`select t::text as row from cards t where platform_id = ${platform.id} and id = ${uuidOf(card)}`,
    );
    const text = row?.row ?? '';
    assert.ok(!text.includes(number) && !text.includes(Buffer.from(number).toString('hex')));
    await platform.call('updateCardById', { params: { id: card.id }, body: { status: 'CLOSED' } });
    assert.equal((await loadRow(card)).pan, null);
  });
});
