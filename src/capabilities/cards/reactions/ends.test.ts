// lane: whole — every closure and deletion that a card prevents

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { closeAccount } from '#capabilities/accounts/change-status.ts';
import { createCard } from '#capabilities/cards/create-card.ts';
import { receiveNotice } from '#capabilities/cards/notices/receive-notice.ts';
import { resolveException } from '#capabilities/cards/notices/resolve-exception.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { updateCard } from '#capabilities/cards/update-card.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';
import { posts } from '#tests/given/accounts.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import {
  askCard,
  type CardReply,
  changedCard,
  givenCard,
  givenCardPlatform,
  givenNewCard,
  patchCard,
  readCard,
} from '#tests/given/cards.ts';
import { fieldsOf } from '#tests/given/customers.ts';
import { advance, givenPayer, type Payer } from '#tests/given/payments.ts';
import { bought, loadCardTransaction, settle, simulate, simulated } from '#tests/given/purchases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** The time after which an authorization expires. */
const WEEK_SECONDS = 7 * 24 * 3_600;

describe('accounts and customers that end while cards need them', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await givenCardPlatform(world);
  });

  const usdOf = (payer: Payer) => payer.account('USD');
  const closing = async (payer: Payer) =>
    (await platform.work()).write((tx) => closeAccount(tx, { accountId: uuidOf(usdOf(payer)) }));
  const dropping = (payer: Payer) => {
    const body = { customerType: 'INDIVIDUAL', currencies: ['EUR', 'USDB'] } as const;
    return platform.call('updateCustomerById', { params: { customerId: payer.id }, body });
  };
  const deleting = (payer: Payer) =>
    platform.call('deleteCustomerById', { params: { customerId: payer.id } });
  const erasing = async (payer: Payer) =>
    (await platform.work()).write((tx) => eraseCustomer(tx, uuidOf(payer)));

  /** Asserts that neither the operator nor the platform can close the account or delete its owner. */
  async function assertStays(payer: Payer, why: RegExp): Promise<void> {
    await assert.rejects(closing(payer), (error: Refusal) => error.code === 'CONFLICT');
    const dropped = await dropping(payer);
    assert.deepEqual([dropped.status, fieldsOf(dropped.body)], [400, ['currencies']]);
    const deleted = await deleting(payer);
    assert.deepEqual([deleted.status, deleted.body.code], [409, 'CONFLICT']);
    assert.match(deleted.raw, why);
  }

  /** The ways to end an account that nothing keeps open. */
  const ENDINGS = {
    'the operator closes it': async (payer: Payer) => assert.equal((await closing(payer)).status, 'CLOSED'),
    'its currency is dropped': async (payer: Payer) => assert.equal((await dropping(payer)).status, 200),
    'its owner is deleted': async (payer: Payer) => assert.equal((await deleting(payer)).status, 200),
  };

  const CARD = /has a card that is not closed/;
  const ROW = /card transaction of the customer is open, or its debt/;

  for (const [ending, end] of Object.entries(ENDINGS)) {
    for (const status of ['PROCESSING', 'ACTIVE', 'FROZEN']) {
      it(`cards.md §7.2, accounts.md §2.1.7, customers.md §2.4.26: an account that funds a card which is ${status} stays until the card is closed, and then ${ending}`, async () => {
        const payer = await givenPayer(platform, 0);
        const card = await givenCard(platform, payer);
        if (status === 'FROZEN') await changedCard(platform, card.id, { status });
        if (status === 'PROCESSING') {
          await changedCard(platform, card.id, { status: 'CLOSED' });
          await givenNewCard(platform, payer, { platformCardId: `${newUuid()}-002` });
        }
        await assertStays(payer, CARD);
        if (status === 'PROCESSING') await advance(platform, 1);
        else await changedCard(platform, card.id, { status: 'CLOSED' });
        await end(payer);
        assert.equal((await readCard(platform, card.id)).status, 'CLOSED');
      });
    }
  }

  it('cards.md §7.2: an account that was replaced on its card may be closed', async () => {
    const payer = await givenPayer(platform, 0);
    const { id } = await givenCard(platform, payer);
    await changedCard(platform, id, { fundingSource: payer.account('USDB').id });
    assert.equal((await dropping(payer)).status, 200);
    assert.equal((await readCard(platform, id)).status, 'ACTIVE');
  });

  /** A closed card with a blocking row, and the step that resolves it. */
  const ROWS: Record<string, (card: CardReply, payer: Payer) => Promise<() => Promise<unknown>>> = {
    'is a credit that was not cleared': async ({ id }) => {
      const row = await bought(world, platform, id, 500, 'CORNER BOOKS', 'credit_authorization');
      assert.deepEqual([row.status, row.hold], ['AUTHORIZED', 0n]);
      return () => advance(platform, WEEK_SECONDS);
    },
    'is open without a hold': async ({ id }, payer) => {
      const row = await bought(world, platform, id, 500);
      const about = { cardTransactionId: `Transaction:${row.id}` };
      await simulated(world, platform, id, 'authorization_advice', { ...about, amount: 900 });
      const cleared = await simulated(world, platform, id, 'clearing', { ...about, amount: 500 });
      assert.deepEqual([cleared.status, cleared.hold], ['PARTIALLY_SETTLED', 0n]);
      await assertEmpty(payer);
      return () => advance(platform, WEEK_SECONDS);
    },
    'owes what a return repays': async (card, payer) => {
      const row = await givenOwing(card);
      await posts(platform, usdOf(payer), 'withdrawal', 500n);
      await assertEmpty(payer);
      const body = { cardTransactionId: `Transaction:${row.id}`, amount: 500 };
      return () => simulated(world, platform, card.id, 'return', body);
    },
    'owes what the operator collects': async (card) => {
      const { id } = await givenOwing(card);
      return () => resolving(id, 'collect');
    },
    'owes what the operator writes off': async (card, payer) => {
      const { id } = await givenOwing(card);
      await posts(platform, usdOf(payer), 'withdrawal', 500n);
      await assertEmpty(payer);
      return () => resolving(id, 'write off');
    },
  };

  /** A purchase of the whole balance, whose pull failed. */
  async function givenOwing({ id }: CardReply): Promise<CardTransactionRow> {
    const { token } = await bought(world, platform, id, 500, 'CORNER BOOKS 006');
    await advance(platform, 1);
    const row = await loadCardTransaction(platform, token);
    assert.deepEqual([row.status, row.receivable], ['EXCEPTION', 500n]);
    return row;
  }

  async function resolving(id: TransactionId, how: 'collect' | 'write off'): Promise<void> {
    await (await platform.work()).write((tx) => resolveException(tx, { id, how, reason: 'case 4711' }));
  }

  async function assertEmpty(payer: Payer): Promise<void> {
    const { body } = await platform.call('listCustomerInternalAccounts', {
      query: { customerId: payer.id, currency: 'USD' },
    });
    const [account] = body.data;
    assert.deepEqual([account?.balance.amount, account?.totalBalance.amount], [0, 0]);
  }

  for (const [name, given] of Object.entries(ROWS)) {
    for (const [ending, end] of Object.entries(ENDINGS)) {
      it(`cards.md §7.2, customers.md §2.4.26: an account with a row that ${name} stays, whatever the card’s status, until it is resolved and ${ending}`, async () => {
        const payer = await givenPayer(platform, name.startsWith('is a credit') ? 0 : 500);
        const card = await givenCard(platform, payer);
        const getOver = await given(card, payer);
        await changedCard(platform, card.id, { status: 'CLOSED' });
        await assertStays(payer, ROW);
        await getOver();
        await end(payer);
      });
    }
  }

  it('customers.md §2.4.26: cards and rows of a deleted customer can still be read', async () => {
    const payer = await givenPayer(platform, 500);
    const card = await givenCard(platform, payer);
    const row = await bought(world, platform, card.id, 500, 'CORNER BOOKS', 'financial_authorization');
    const closed = await changedCard(platform, card.id, { status: 'CLOSED' });
    assert.equal((await deleting(payer)).status, 200);
    assert.deepEqual(await readCard(platform, card.id), closed);
    const params = { transactionId: `Transaction:${row.id}` };
    assert.equal((await platform.call('getTransactionById', { params })).status, 200);
    const again = await patchCard(platform, card.id, { status: 'ACTIVE' });
    assert.deepEqual([again.status, again.body.code], [409, 'INVALID_STATE_TRANSITION']);
  });

  it('customers.md §2.4.26a: erasing removes the number with its last four digits, the platform’s references and merchants, and keeps amounts', async () => {
    const payer = await givenPayer(platform, 500, { platformCustomerId: 'ada-of-cards' });
    const card = await givenCard(platform, payer);
    const row = await bought(world, platform, card.id, 500, 'CORNER BOOKS', 'financial_authorization');
    const closed = await changedCard(platform, card.id, { status: 'CLOSED' });
    const params = { transactionId: `Transaction:${row.id}` };
    const before = (await platform.call('getTransactionById', { params })).body;
    assert.equal(before.platformCustomerId, 'ada-of-cards');
    await deleting(payer);
    assert.deepEqual(await erasing(payer), { erased: true });
    const { last4, ...rest } = closed;
    assert.match(`${last4}`, /^\d{4}$/);
    assert.deepEqual(await readCard(platform, card.id), { ...rest, platformCardId: uuidOf(card) });
    const after = (await platform.call('getTransactionById', { params })).body;
    const erased = { merchant: { descriptor: 'erased' }, description: 'erased' };
    assert.deepEqual(after, { ...before, ...erased, platformCustomerId: uuidOf(payer) });
    const named = await world.database.query(sql`
      select 1 from card_transactions t
       where t.platform_id = ${platform.id} and t.customer_id = ${uuidOf(payer)} and t.details is not null
      union all
      select 1 from cards c where c.platform_id = ${platform.id} and c.id = ${uuidOf(card)}
         and num_nonnulls(c.pan, c.details, c.reference_hash) > 0`);
    assert.deepEqual(named, []);
  });

  it('customers.md §2.4.26a, cards.md §7.2: a clearing after the deletion is owed by its row, and the customer is not erased before it is repaid', async () => {
    const payer = await givenPayer(platform, 0);
    const card = await givenCard(platform, payer);
    await changedCard(platform, card.id, { status: 'CLOSED' });
    assert.equal((await deleting(payer)).status, 200);
    const work = await platform.work();
    const cardId = uuidOf(card);
    const merchant = { descriptor: 'LATE BOOKS' };
    const [token, returnToken] = [newUuid(), newUuid()];
    const about = { cardId, amount: 700n, merchant };
    await receiveNotice(work, { ...about, kind: 'clearing', id: newUuid(), token, direction: 'DEBIT' });
    assert.deepEqual([(await loadCardTransaction(platform, token)).receivable], [700n]);
    await assert.rejects(erasing(payer), (error: Refusal) => error.code === 'CONFLICT');
    const back = {
      ...about,
      kind: 'return',
      id: newUuid(),
      token: returnToken,
      purchaseToken: token,
    } as const;
    await receiveNotice(work, back);
    assert.equal((await loadCardTransaction(platform, token)).receivable, 0n);
    assert.deepEqual(await erasing(payer), { erased: true });
    assert.equal((await loadCardTransaction(platform, token)).platform_customer_id, uuidOf(payer));
    // Even later notices name the customer only by its id.
    const last = newUuid();
    await receiveNotice(work, {
      ...about,
      kind: 'clearing',
      id: newUuid(),
      token: last,
      direction: 'DEBIT',
    });
    const late = await loadCardTransaction(platform, last);
    assert.equal(late.platform_customer_id, uuidOf(payer));
    assert.equal(late.merchant.descriptor, 'erased');
  });

  /** A card starts to need the account, in a transaction that is still open. */
  const COMMITS: Record<string, (tx: Tx, payer: Payer, card: CardReply) => Promise<unknown>> = {
    'a create': (tx, payer) => {
      const { id } = usdOf(payer);
      const limits = {
        max_spend_per_transaction: null,
        max_spend_per_day: null,
        max_transactions_per_day: null,
      };
      return createCard(tx, {
        customerId: uuidOf(payer),
        fundingSource: id,
        platformCardId: undefined,
        ...limits,
      });
    },
    'a change of the source': (tx, payer, card) =>
      updateCard(tx, uuidOf(card), { fundingSource: usdOf(payer).id as never }, []),
  };

  for (const [name, commit] of Object.entries(COMMITS)) {
    for (const [ending, end] of Object.entries({ closing, deleting, dropping })) {
      it(`cards.md §7.2, customers.md §2.4.26: ${ending} that waits for ${name} is refused`, async () => {
        const payer = await givenPayer(platform, 0);
        const card = await givenCard(platform, payer, { fundingSource: payer.account('USDB').id });
        const letGo = await holdOpen(platform, async (tx) => {
          await commit(tx, payer, card);
          await tx.flush();
        });
        const ended: Promise<unknown> = end(payer).then(
          ({ status }) => status,
          (error: Refusal) => error.code,
        );
        await untilBlocked(world.databaseUrl, 1, ended);
        await letGo();
        assert.ok(['CONFLICT', 400, 409].includes((await ended) as never), String(await ended));
      });
    }
  }

  it('cards.md §7.2: concurrent creates, changes of the source, purchases and closings leave no live card or open row without its account', async () => {
    for (let round = 0; round < 6; round++) {
      const payer = await givenPayer(platform, 0);
      const card = await givenCard(platform, payer, { fundingSource: payer.account('USDB').id });
      await Promise.allSettled([
        askCard(platform, payer),
        patchCard(platform, card.id, { fundingSource: usdOf(payer).id }),
        simulate(platform, card.id, 'credit_authorization', {
          amount: 100,
          currency: { code: 'USD' },
          merchant: { descriptor: 'CORNER BOOKS' },
        }).then(() => settle(world, platform)),
        closing(payer),
        ...(round % 2 ? [patchCard(platform, card.id, { status: 'CLOSED' }), deleting(payer)] : []),
      ]);
    }
    const orphans = await world.database.query(sql`
      select 1 from cards c
        join internal_accounts a on a.platform_id = c.platform_id and a.id = c.funding_source
        join customers h on h.platform_id = c.platform_id and h.id = c.customer_id
       where c.platform_id = ${platform.id} and c.status <> 'CLOSED'
         and (a.status = 'CLOSED' or h.deleted_at is not null)
      union all
      select 1 from card_transactions t
        join internal_accounts a on a.platform_id = t.platform_id and a.id = t.account_id
       where t.platform_id = ${platform.id} and t.status in ('AUTHORIZED', 'PARTIALLY_SETTLED') and a.status = 'CLOSED'`);
    assert.deepEqual(orphans, []);
  });
});
