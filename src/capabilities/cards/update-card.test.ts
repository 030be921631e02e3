// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { findCard } from '#capabilities/cards/card-store.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { listAccountWebhooks } from '#tests/given/accounts.ts';
import {
  changedCard,
  givenCard,
  givenCardPlatform,
  givenNewCard,
  patchCard,
  readCard,
} from '#tests/given/cards.ts';
import { fieldsOf } from '#tests/given/customers.ts';
import { advance, givenPayer, listEventTypes, type Payer } from '#tests/given/payments.ts';
import { withWritten } from '#tests/harness/audit-lines.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('changing cards', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;

  before(async () => {
    platform = await givenCardPlatform(world);
    ada = await givenPayer(platform, 0);
  });

  const codeOf = ({ status, body }: Answered<{ code?: string }>) => [status, body.code];
  const causeOf = ({ body }: Answered<{ details?: object }>) => (body.details as { cause?: string })?.cause;

  const givenClosed = async () => {
    const card = await givenCard(platform, ada);
    return changedCard(platform, card.id, { status: 'CLOSED' });
  };

  it('cards.md §2.4, §2.5: a card is frozen and unfrozen, at once and with an event each', async () => {
    const { id } = await givenCard(platform, ada);
    const frozen = await changedCard(platform, id, { status: 'FROZEN' });
    assert.deepEqual([frozen.status, frozen.statusReason], ['FROZEN', undefined]);
    assert.equal((await changedCard(platform, id, { status: 'ACTIVE' })).status, 'ACTIVE');
    const told = (await listAccountWebhooks(platform, 'CARD.')).filter(({ resourceId }) => resourceId === id);
    assert.deepEqual(
      told.map(({ type, data }) => [type, data.status]),
      ['ACTIVE', 'FROZEN', 'ACTIVE'].map((status) => ['CARD.STATUS_CHANGE', status]),
    );
    assert.deepEqual(told[1]?.data, frozen);
  });

  for (const from of ['ACTIVE', 'FROZEN']) {
    it(`cards.md §2.6, §0.2: a card that is ${from} is closed for good, and can still be read`, async () => {
      const card = await givenCard(platform, ada);
      if (from === 'FROZEN') await changedCard(platform, card.id, { status: 'FROZEN' });
      const closed = await changedCard(platform, card.id, { status: 'CLOSED' });
      assert.deepEqual([closed.status, closed.statusReason], ['CLOSED', 'CLOSED_BY_PLATFORM']);
      assert.deepEqual([closed.last4, closed.brand], [card.last4, card.brand]);
      assert.deepEqual(await readCard(platform, card.id), closed);
      const query = { customerId: ada.id, status: 'CLOSED', platformCardId: card.platformCardId };
      assert.deepEqual((await platform.send('listCards', { query })).body.data, [closed]);
      assert.equal((await listEventTypes(platform, card.id)).length, from === 'FROZEN' ? 3 : 2);
    });
  }

  it('cards.md §3: an unknown card, one of another platform and a malformed id are 404, whatever the body says', async () => {
    const other = await givenCardPlatform(world);
    const foreign = await givenCard(other);
    for (const id of [publicId('Card', newUuid()), foreign.id, 'Card:nothing', ada.id]) {
      for (const body of [{ status: 'FROZEN' }, {}, { status: 'BROKEN' }, { fundingSources: 7 }]) {
        assert.deepEqual(codeOf(await patchCard(platform, id, body)), [404, 'NOT_FOUND'], id);
      }
    }
    assert.equal((await readCard(other, foreign.id)).status, 'ACTIVE');
  });

  it('cards.md §0.3: a card is named by its full id or the bare UUID', async () => {
    const { id } = await givenCard(platform, ada);
    await changedCard(platform, uuidOf(id), { status: 'FROZEN' });
    assert.equal((await readCard(platform, uuidOf(id))).status, 'FROZEN');
  });

  it('cards.md §3.11: nothing to change, an unknown status and an empty fundingSources are 400, even for a closed card', async () => {
    for (const { id } of [await givenCard(platform, ada), await givenClosed()]) {
      for (const [body, fields] of [
        [{}, ['status']],
        [{ reason: 'because', substatus: 'x' }, ['status']],
        [{ unknown: true }, ['status']],
        [{ status: 'PROCESSING' }, ['status']],
        [{ status: 'PENDING_KYC' }, ['status']],
        [{ state: 'BROKEN' }, ['state']],
        [{ status: null }, ['status']],
        [{ fundingSources: [] }, ['fundingSources']],
        [{ fundingSource: null }, ['fundingSource']],
        [{ fundingSource: 'nothing' }, ['fundingSource']],
        [{ fundingSources: ['nothing'] }, ['fundingSources.0']],
        [
          { maxSpendPerDay: 0, maxSpendPerTransaction: 0.5, maxTransactionsPerDay: 2 ** 53 },
          ['maxSpendPerDay', 'maxSpendPerTransaction', 'maxTransactionsPerDay'],
        ],
        [{ status: 'BROKEN', maxSpendPerDay: 'x', reason: 5 }, ['maxSpendPerDay', 'reason', 'status']],
      ] as const) {
        const reply = await patchCard(platform, id, body);
        assert.deepEqual(codeOf(reply), [400, 'INVALID_INPUT'], JSON.stringify(body));
        assert.deepEqual(fieldsOf(reply.body).sort(), fields);
      }
    }
  });

  it('cards.md §3.12: closing excludes other changes, even of a closed card', async () => {
    const fundingSource = ada.account('USDB').id;
    for (const { id } of [await givenCard(platform, ada), await givenClosed()]) {
      for (const more of [{ fundingSource }, { maxSpendPerDay: null }, { maxTransactionsPerDay: 3 }]) {
        const reply = await patchCard(platform, id, { status: 'CLOSED', ...more });
        assert.deepEqual([...codeOf(reply), fieldsOf(reply.body)], [400, 'INVALID_INPUT', ['status']]);
      }
    }
    const { id } = await givenCard(platform, ada);
    await changedCard(platform, id, { status: 'CLOSED', reason: 'lost', substatus: 'BY_HOLDER' });
  });

  it('cards.md §3.13, §3.14, §3.15: a closed card does not change, with a code for each kind of change', async () => {
    const card = await givenClosed();
    const fundingSource = ada.account('EUR').id;
    for (const [body, code] of [
      [{ status: 'CLOSED' }, 'CARD_ALREADY_CLOSED'],
      [{ status: 'ACTIVE' }, 'INVALID_STATE_TRANSITION'],
      [{ status: 'FROZEN', fundingSource }, 'INVALID_STATE_TRANSITION'],
      [{ fundingSource }, 'CARD_NOT_MUTABLE'],
      [{ maxSpendPerDay: null }, 'CARD_NOT_MUTABLE'],
    ] as const) {
      assert.deepEqual(codeOf(await patchCard(platform, card.id, body)), [409, code]);
    }
    assert.deepEqual(await readCard(platform, card.id), card);
  });

  it('cards.md §3.16: a card that the issuer has not made accepts no status, and no card accepts its present status', async () => {
    const fresh = await givenNewCard(platform, ada, { platformCardId: 'cp6-001' });
    for (const status of ['ACTIVE', 'FROZEN', 'CLOSED']) {
      const reply = await patchCard(platform, fresh.id, { status });
      assert.deepEqual(codeOf(reply), [409, 'INVALID_STATE_TRANSITION'], status);
      assert.match(reply.raw, /only the operator of the service can close it/);
    }
    const { id } = await givenCard(platform, ada);
    for (const status of ['ACTIVE', 'FROZEN']) {
      if (status === 'FROZEN') await changedCard(platform, id, { status });
      // Before cards.md §3.18.
      const reply = await patchCard(platform, id, { status, fundingSource: ada.account('EUR').id });
      assert.deepEqual(codeOf(reply), [409, 'INVALID_STATE_TRANSITION'], status);
    }
  });

  it('cards.md §3.17: limits and source of a card that is PROCESSING change, and the activation keeps them', async () => {
    const { id } = await givenNewCard(platform, ada, { platformCardId: 'cp7', maxSpendPerDay: 9 });
    const fundingSource = ada.account('USDB').id;
    const changed = await changedCard(platform, id, { fundingSource, maxSpendPerTransaction: 500 });
    assert.deepEqual([changed.status, changed.fundingSource], ['PROCESSING', fundingSource]);
    await advance(platform, 1);
    const { status, maxSpendPerTransaction, maxSpendPerDay, ...card } = await readCard(platform, id);
    assert.deepEqual([status, card.fundingSource], ['ACTIVE', fundingSource]);
    assert.deepEqual([maxSpendPerTransaction, maxSpendPerDay], [500, 9]);
    assert.deepEqual(await listEventTypes(platform, id), ['FUNDING_SOURCE_CHANGE', 'STATUS_CHANGE']);
  });

  it('cards.md §3.18: a source is refused as at the creation', async () => {
    const [{ id }, other, frozen] = [
      await givenCard(platform, ada),
      await givenPayer(platform, 0),
      await givenPayer(platform, 0),
    ];
    const theirs = await givenCard(platform, frozen, { fundingSource: frozen.account('USDB').id });
    const work = await platform.work();
    await work.write((tx) => freezeAccount(tx, { accountId: uuidOf(frozen.account('USD')) }));
    for (const [card, fundingSource] of [
      [id, other.account('USD').id],
      [theirs.id, frozen.account('USD').id],
      [id, ada.account('EUR').id],
      [id, 'InternalAccount:019542f5-b3e7-7d02-8000-000000000002'],
      [id, 'InternalAccount:019542f5-b3e7-7d02-8000-000000000003'],
    ] as const) {
      const reply = await patchCard(platform, card, { fundingSource });
      assert.deepEqual(
        [...codeOf(reply), causeOf(reply)],
        [400, 'INVALID_INPUT', 'FUNDING_SOURCE_INELIGIBLE'],
      );
    }
    const unknown = await patchCard(platform, id, { fundingSource: publicId('InternalAccount', newUuid()) });
    assert.deepEqual(codeOf(unknown), [404, 'ACCOUNT_NOT_FOUND']);
  });

  it('cards.md §3.1: a status and a source apply both, with events in this order, or neither', async () => {
    const { id } = await givenCard(platform, ada);
    const before = await readCard(platform, id);
    const refused = await patchCard(platform, id, {
      status: 'FROZEN',
      fundingSource: ada.account('EUR').id,
      maxSpendPerDay: 7,
    });
    assert.deepEqual(codeOf(refused), [400, 'INVALID_INPUT']);
    assert.deepEqual(await readCard(platform, id), before);
    const fundingSource = ada.account('USDB').id;
    const both = await changedCard(platform, id, { fundingSource, maxSpendPerDay: 7, status: 'FROZEN' });
    assert.deepEqual([both.status, both.fundingSource, both.maxSpendPerDay], ['FROZEN', fundingSource, 7]);
    const told = (await listAccountWebhooks(platform, 'CARD.')).filter(({ resourceId }) => resourceId === id);
    assert.deepEqual(
      told.slice(1).map(({ type, data }) => [type, data]),
      [
        ['CARD.STATUS_CHANGE', both],
        ['CARD.FUNDING_SOURCE_CHANGE', both],
      ],
    );
  });

  it('cards.md §3.2, wallets.md §6.8.43: another source sends an event and makes a new binding; the present one is 200 without an event, frozen or not', async () => {
    const holder = await givenPayer(platform, 0);
    const { id, fundingSource } = await givenCard(platform, holder);
    const work = await platform.work();
    const binding = () => work.read(async (tx) => (await findCard(tx, uuidOf(id)))?.binding_id);
    const first = await binding();
    await work.write((tx) => freezeAccount(tx, { accountId: uuidOf(fundingSource) }));
    await changedCard(platform, id, { fundingSource });
    assert.deepEqual(await listEventTypes(platform, id), ['STATUS_CHANGE']);
    assert.equal(await binding(), first);
    const changed = await changedCard(platform, id, { fundingSource: holder.account('USDB').id });
    assert.deepEqual([changed.currency, changed.fundingSource], ['USD', holder.account('USDB').id]);
    assert.deepEqual(await listEventTypes(platform, id), ['STATUS_CHANGE', 'FUNDING_SOURCE_CHANGE']);
    assert.notEqual(await binding(), first);
  });

  it('cards.md §3.3: null clears a limit, and an omitted limit stays', async () => {
    const limits = { maxSpendPerTransaction: 5, maxSpendPerDay: 10, maxTransactionsPerDay: 2 };
    const { id } = await givenCard(platform, ada, limits);
    const changed = await changedCard(platform, id, { maxSpendPerTransaction: null, maxSpendPerDay: 11 });
    assert.deepEqual(
      [changed.maxSpendPerTransaction, changed.maxSpendPerDay, changed.maxTransactionsPerDay],
      [null, 11, 2],
    );
    assert.deepEqual(await listEventTypes(platform, id), ['STATUS_CHANGE']);
  });

  it('cards.md §3.3: substatus and reason are in the audit row of the call, and in no reply', async () => {
    const { id } = await givenCard(platform, ada);
    const notes = { substatus: 'LOST', reason: 'left in a taxi' };
    const reply = await patchCard(platform, id, { status: 'FROZEN', ...notes });
    assert.equal(reply.status, 200);
    assert.doesNotMatch(reply.raw, /taxi|LOST/);
    const rows = await (await platform.work()).read(
      (tx) => tx.sql<{ id: Id<'AuditRow'>; private: Buffer | null; action: string; details: unknown }>`
        select id, private, action, details from audit_log
         where platform_id = ${tx.platformId} and resource = ${id} and action <> 'createCard'`,
    );
    assert.deepEqual(await withWritten(world.app.runtime, rows), [
      { action: 'updateCardById', details: notes },
    ]);
  });

  it('cards.md §0.1: a change may use the earlier names; both with different values are 400', async () => {
    const { id } = await givenCard(platform, ada);
    const [usd, usdb] = [ada.account('USD').id, ada.account('USDB').id];
    const changed = await changedCard(platform, id, { state: 'FROZEN', fundingSources: [usdb, usd] });
    assert.deepEqual([changed.status, changed.fundingSource], ['FROZEN', usdb]);
    assert.ok(!('state' in changed) && !('fundingSources' in changed));
    const twice = { state: 'FROZEN', status: 'ACTIVE', fundingSource: usd, fundingSources: [usdb] };
    const reply = await patchCard(platform, id, twice);
    assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, ['state', 'fundingSources']]);
    const same = { state: 'ACTIVE', status: 'ACTIVE', fundingSource: usd, fundingSources: [usd] };
    assert.equal((await changedCard(platform, id, same)).status, 'ACTIVE');
  });
});
