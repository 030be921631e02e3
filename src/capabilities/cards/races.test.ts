// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeAccount, freezeAccount } from '#capabilities/accounts/change-status.ts';
import { lockCard } from '#capabilities/cards/card-store.ts';
import { closeCard } from '#capabilities/cards/change-card.ts';
import { deleteCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import {
  askCard,
  changedCard,
  givenCard,
  givenCardPlatform,
  givenNewCard,
  patchCard,
  readCard,
} from '#tests/given/cards.ts';
import { advance, givenPayer, listEventTypes, type Payer } from '#tests/given/payments.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('cards that are created and changed at the same moment', () => {
  const world = testWorld();

  const codeOf = ({ status, body }: Answered<{ code?: string }>) => `${status} ${body.code ?? ''}`.trim();
  const counted = (replies: readonly Answered<{ code?: string }>[]) => {
    const counts: Record<string, number> = {};
    for (const reply of replies) counts[codeOf(reply)] = (counts[codeOf(reply)] ?? 0) + 1;
    return counts;
  };
  /** Calls this process and another one on the same database alternately. */
  const tenTimes = async (
    platform: TestPlatform,
    call: (on: TestPlatform, i: number) => Promise<Answered<never>>,
  ) => {
    const other = await world.elsewhere(platform);
    return Promise.all(Array.from({ length: 10 }, (_, i) => call(i % 2 === 0 ? platform : other, i)));
  };
  /** Asserts that the places taken equal the live cards, for the platform and for each cardholder. */
  const loadPlaces = async (platform: TestPlatform) =>
    (await platform.work()).read(
      (tx) => tx.sql<{ taken: number; live: number }>`
        select p.taken, (select count(*)::integer from cards c
                          where c.platform_id = p.platform_id and c.status <> 'CLOSED'
                            and p.owner_id in (c.platform_id, c.customer_id)) as live
          from card_places p where p.platform_id = ${tx.platformId}`,
    );
  const assertPlaces = async (platform: TestPlatform) => {
    for (const { taken, live } of await loadPlaces(platform)) assert.equal(taken, live);
  };

  const LIMITS = {
    'of the platform': { settings: { cards: { liveMax: 3 } } },
    'of the cardholder': { settings: { cards: { liveMaxPerCardholder: 3 } } },
  } as const;

  for (const [whose, options] of Object.entries(LIMITS)) {
    it(`cards.md §1.2, §1.19: of ten creates at once in two processes, with one place ${whose} left, exactly one is 201`, async () => {
      const platform = await givenCardPlatform(world, options);
      const payer = await givenPayer(platform, 0);
      for (let i = 0; i < 2; i++) await givenNewCard(platform, payer);
      const replies = await tenTimes(platform, (on) => askCard(on, payer) as never);
      assert.deepEqual(counted(replies), { 201: 1, '409 CARD_LIMIT_REACHED': 9 });
      await assertPlaces(platform);
    });

    it(`cards.md §1.2: a card that is closed, and one that the issuer rejects, frees its place ${whose}`, async () => {
      const platform = await givenCardPlatform(world, options);
      const payer = await givenPayer(platform, 0);
      await givenNewCard(platform, payer, { platformCardId: 'stays-001' });
      const rejected = await givenNewCard(platform, payer, { platformCardId: 'goes-002' });
      const card = await givenCard(platform, payer, { platformCardId: 'card' });
      assert.equal((await readCard(platform, rejected.id)).status, 'CLOSED');
      await givenNewCard(platform, payer, { platformCardId: 'second-001' });
      assert.equal(codeOf(await askCard(platform, payer)), '409 CARD_LIMIT_REACHED');
      await changedCard(platform, card.id, { status: 'FROZEN' });
      assert.equal(codeOf(await askCard(platform, payer)), '409 CARD_LIMIT_REACHED');
      await changedCard(platform, card.id, { status: 'CLOSED' });
      await givenNewCard(platform, payer, { platformCardId: 'third-001' });
      assert.equal(codeOf(await askCard(platform, payer)), '409 CARD_LIMIT_REACHED');
      await assertPlaces(platform);
    });
  }

  it('cards.md §1.2: one cardholder’s cards take no place from another, and a refused request takes none', async () => {
    const platform = await givenCardPlatform(world, { settings: { cards: { liveMaxPerCardholder: 1 } } });
    const [ada, emmy] = [await givenPayer(platform, 0), await givenPayer(platform, 0)];
    await givenNewCard(platform, ada, { platformCardId: 'one' });
    assert.equal(codeOf(await askCard(platform, ada)), '409 CARD_LIMIT_REACHED');
    assert.equal(codeOf(await askCard(platform, emmy, { platformCardId: 'one' })), '409 CONFLICT');
    await givenNewCard(platform, emmy);
    await assertPlaces(platform);
  });

  it('cards.md §1.2: no card can be created if the limit is 0', async () => {
    const none = await givenCardPlatform(world, { settings: { cards: { liveMax: 0 } } });
    assert.equal(codeOf(await askCard(none, await givenPayer(none, 0))), '409 CARD_LIMIT_REACHED');
    assert.deepEqual(await loadPlaces(none), []);
  });

  for (const [name, options] of [
    ['any number of places', {}],
    ['one place', { settings: { cards: { liveMax: 1 } } }],
  ] as const) {
    it(`cards.md §1.18: of ten creates at once with one platformCardId and ${name} left one is 201, the others CONFLICT`, async () => {
      const platform = await givenCardPlatform(world, options);
      const payer = await givenPayer(platform, 0);
      const replies = await tenTimes(
        platform,
        (on) => askCard(on, payer, { platformCardId: 'wanted' }) as never,
      );
      assert.deepEqual(counted(replies), { 201: 1, '409 CONFLICT': 9 });
      await assertPlaces(platform);
    });
  }

  it('cards.md §2.6: of ten closings at once one is 200, and one place is free', async () => {
    const platform = await givenCardPlatform(world);
    const card = await givenCard(platform);
    const replies = await tenTimes(platform, (on) => patchCard(on, card.id, { status: 'CLOSED' }) as never);
    assert.deepEqual(counted(replies), { 200: 1, '409 CARD_ALREADY_CLOSED': 9 });
    assert.deepEqual(await listEventTypes(platform, card.id), ['STATUS_CHANGE', 'STATUS_CHANGE']);
    await assertPlaces(platform);
  });

  it('cards.md §1.2: concurrent creates, freezes, closings and issuer decisions leave as many places taken as live cards', async () => {
    const platform = await givenCardPlatform(world, { settings: { cards: { liveMax: 8 } } });
    const other = await world.elsewhere(platform);
    const payers = [await givenPayer(platform, 0), await givenPayer(platform, 0)];
    const cards: string[] = [];
    for (let round = 0; round < 6; round++) {
      const suffix = ['002', 'abc', '001'][round % 3];
      const made = await Promise.all(
        Array.from({ length: 6 }, (_, i) =>
          askCard(i % 2 ? other : platform, payers[i % 2] as Payer, {
            platformCardId: `${round}-${i}-${suffix}`,
          }),
        ),
      );
      cards.push(...made.filter(({ status }) => status === 201).map(({ body }) => body.id));
      await Promise.all([
        advance(platform, 1),
        ...cards.slice(-6).map((id, i) => patchCard(i % 2 ? other : platform, id, { status: 'CLOSED' })),
        ...cards.slice(-3).map((id) => patchCard(platform, id, { status: 'FROZEN' })),
      ]);
      await assertPlaces(platform);
      const [whole] = (await loadPlaces(platform)).toSorted((a, b) => b.taken - a.taken);
      assert.ok((whole?.taken ?? 0) <= 8);
    }
  });

  /** The first step, and the refusals of a create and a change of the source that wait for it. */
  const ENDS: readonly [string, (tx: Tx, payer: Payer) => Promise<unknown>, RegExp][] = [
    [
      'the closing',
      (tx, payer) => closeAccount(tx, { accountId: uuidOf(payer.account('USDB')) }),
      /is CLOSED/,
    ],
    [
      'the freezing',
      (tx, payer) => freezeAccount(tx, { accountId: uuidOf(payer.account('USDB')) }),
      /is FROZEN/,
    ],
  ];

  for (const [name, end, why] of ENDS) {
    for (const wish of ['a create', 'a change'] as const) {
      it(`cards.md §1.17, §3.18: ${wish} that waits for ${name} of its account is refused`, async () => {
        const platform = await givenCardPlatform(world);
        const payer = await givenPayer(platform, 0);
        const { id } = await givenCard(platform, payer);
        const fundingSource = payer.account('USDB').id;
        const letGo = await holdOpen(platform, (tx) => end(tx, payer));
        const asked =
          wish === 'a create'
            ? askCard(platform, payer, { fundingSource })
            : patchCard(platform, id, { fundingSource, status: 'FROZEN' });
        await untilBlocked(world.databaseUrl, 1, asked);
        await letGo();
        const reply = await asked;
        assert.equal(codeOf(reply), '400 INVALID_INPUT');
        assert.match(reply.raw, why);
        assert.equal((await readCard(platform, id)).status, 'ACTIVE');
        await assertPlaces(platform);
      });
    }
  }

  it('cards.md §1.15: a create that waits for the deletion of its customer is refused', async () => {
    const platform = await givenCardPlatform(world);
    const payer = await givenPayer(platform, 0);
    const letGo = await holdOpen(platform, (tx) => deleteCustomer(tx, uuidOf(payer)));
    const asked = askCard(platform, payer);
    await untilBlocked(world.databaseUrl, 1, asked);
    await letGo();
    assert.equal(codeOf(await asked), '404 CUSTOMER_NOT_FOUND');
    assert.deepEqual(await loadPlaces(platform), []);
  });

  for (const [body, code] of [
    [{ status: 'FROZEN' }, 'INVALID_STATE_TRANSITION'],
    [{ status: 'CLOSED' }, 'CARD_ALREADY_CLOSED'],
    [{ maxSpendPerDay: 5 }, 'CARD_NOT_MUTABLE'],
  ] as const) {
    it(`cards.md §3.13–3.15: ${JSON.stringify(body)} that waits for a closing is ${code}`, async () => {
      const platform = await givenCardPlatform(world);
      const { id } = await givenCard(platform);
      const letGo = await holdOpen(platform, (tx) => close(tx, id));
      const asked = patchCard(platform, id, body);
      await untilBlocked(world.databaseUrl, 1, asked);
      await letGo();
      assert.equal(codeOf(await asked), `409 ${code}`);
    });
  }

  it('cards.md §2.7, §2.2: a card that is closed while the issuer activates it stays closed, without a number', async () => {
    const platform = await givenCardPlatform(world);
    const { id } = await givenNewCard(platform, await givenPayer(platform, 0));
    const letGo = await holdOpen(platform, (tx) => close(tx, id));
    const advancing = advance(platform, 1);
    await untilBlocked(world.databaseUrl, 1, advancing);
    await letGo();
    await advancing;
    const { status, statusReason, last4 } = await readCard(platform, id);
    assert.deepEqual([status, statusReason, last4], ['CLOSED', 'CLOSED_BY_SVC', undefined]);
    assert.deepEqual(await listEventTypes(platform, id), ['STATUS_CHANGE']);
  });

  async function close(tx: Tx, id: string): Promise<void> {
    const card = await lockCard(tx, uuidOf(id));
    assert.ok(card);
    await closeCard(tx, card, 'closeByOperator');
  }
});
