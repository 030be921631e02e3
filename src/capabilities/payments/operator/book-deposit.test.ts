import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { closeAccount } from '#capabilities/accounts/change-status.ts';
import { bookDeposit, type DepositToBook } from '#capabilities/payments/operator/book-deposit.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { listSuspended } from '#tests/given/open-items.ts';
import { givenPlatform, listEventTypes, postedKinds, readTransaction } from '#tests/given/payments.ts';
import { countTransactions, freeze } from '#tests/given/quotes.ts';
import { withWritten } from '#tests/harness/audit-lines.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
  describe(`deposits booked by hand, ${environment}`, () => {
    const world = testWorld();
    let platform: TestPlatform;
    let accountId: AccountId;

    before(async () => {
      platform = await givenPlatform(world, { environment });
      await (await platform.work()).write(async (tx) => {
        await tx.sql`
          update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED'
           where platform_id = ${tx.platformId}`;
      });
      accountId = uuidOf(inCurrency(await platformAccounts(platform), 'EUR'));
    });

    const deposit = (more: Partial<DepositToBook> = {}): DepositToBook => ({
      accountId,
      amount: 12_500n,
      currency: 'EUR',
      sender: 'Grace Hopper',
      bankReference: newUuid(),
      rail: 'SEPA',
      reason: 'statement of 3 March',
      ...more,
    });
    const book = async (wanted: DepositToBook) =>
      (await platform.work()).write((tx) => bookDeposit(tx, wanted));
    const booked = async (wanted: DepositToBook) => {
      const outcome = await book(wanted);
      assert.ok(!(outcome instanceof Refusal), outcome instanceof Refusal ? outcome.message : '');
      return outcome;
    };
    const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : String(error));
    const balance = async (id = accountId) =>
      (await platformAccounts(platform)).find((account) => account.id.endsWith(id))?.balance.amount ?? 0;
    const audited = async () =>
      withWritten(
        world.app.runtime,
        await world.database.query<{
          id: Id<'AuditRow'>;
          private: Buffer | null;
          resource: string | null;
          details: Record<string, unknown>;
        }>(sql`
          select id, private, resource, details from audit_log
           where platform_id = ${platform.id} and action = 'deposit book' order by at, id`),
      );

    it('money.md §7.1, §11.L1: is credited at once as a completed incoming payment, with an event and an audit row', async () => {
      const before = await balance();
      const wanted = deposit();
      const { row } = await booked(wanted);
      const id = `Transaction:${row.id}`;
      assert.equal(await balance(), before + 12_500);
      const shown = await readTransaction(platform, id);
      assert.deepEqual(
        [shown.type, shown.status, shown.direction, shown.receivedAmount.amount, shown.fees],
        ['INCOMING', 'COMPLETED', 'CREDIT', 12_500, 0],
      );
      assert.equal(shown.source.sourceType, 'REALTIME_FUNDING');
      assert.deepEqual([shown.source.accountHolderName, shown.source.paymentRail], ['Grace Hopper', 'SEPA']);
      assert.deepEqual(await postedKinds(platform, id), ['L1']);
      assert.deepEqual(await listEventTypes(platform, id), ['COMPLETED']);
      assert.deepEqual(await listEventTypes(platform, `InternalAccount:${accountId}`), ['BALANCE_UPDATED']);
      const last = (await audited()).at(-1);
      assert.deepEqual(
        [last?.resource, last?.details],
        [
          id,
          {
            reason: 'statement of 3 March',
            bankReference: wanted.bankReference,
            account: `InternalAccount:${accountId}`,
            amount: '12500',
            currency: 'EUR',
          },
        ],
      );
    });

    it('the same reference again changes nothing, also if operators book at the same moment', async () => {
      const before = await balance();
      const wanted = deposit();
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => booked(wanted)));
      const again = await booked(wanted);
      assert.equal(new Set([...outcomes, again].map(({ row }) => row.id)).size, 1);
      assert.equal(outcomes.filter(({ isNew }) => isNew).length, 1);
      assert.equal(again.isNew, false);
      assert.equal(await balance(), before + 12_500);
      const rows = (await audited()).filter(({ details }) => details.bankReference === wanted.bankReference);
      assert.equal(rows.length, 1);
    });

    it('the same reference for another amount, currency or account is refused, also at the same moment', async () => {
      const usd = uuidOf(inCurrency(await platformAccounts(platform), 'USD'));
      const before = await balance();
      const wanted = deposit();
      await booked(wanted);
      for (const other of [{ amount: 12_501n }, { accountId: usd, currency: 'USD' }]) {
        await assert.rejects(book({ ...wanted, ...other }), (error) => codeOf(error) === 'CONFLICT');
      }
      const pair = deposit();
      const both = await Promise.allSettled([book(pair), book({ ...pair, amount: 1n })]);
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      const won = both[0]?.status === 'fulfilled' ? 12_500 : 1;
      assert.equal(await balance(), before + 12_500 + won);
    });

    it('a frozen account is credited for its owner', async () => {
      const frozen = await anotherAccount();
      await freeze(platform, `InternalAccount:${frozen}`);
      const { row } = await booked(deposit({ accountId: frozen }));
      assert.equal((await readTransaction(platform, `Transaction:${row.id}`)).status, 'COMPLETED');
    });

    it('money.md §11.L20: for a closed account it is booked to suspense, once, and the operator is told', async () => {
      const closed = await anotherAccount();
      await (await platform.work()).write((tx) => closeAccount(tx, { accountId: closed, reason: 'test' }));
      const suspended = async () => (await (await platform.work()).read((tx) => listSuspended(tx))).length;
      const [before, count] = [await suspended(), await countTransactions(platform)];
      const wanted = deposit({ accountId: closed });
      for (const told of [/is CLOSED: the money was booked to suspense/, /already booked to suspense/]) {
        const outcome = await book(wanted);
        assert.ok(outcome instanceof Refusal);
        assert.match(outcome.message, told);
      }
      assert.equal(await suspended(), before + 1);
      assert.equal(await countTransactions(platform), count);
      await assert.rejects(book({ ...wanted, amount: 1n }), (error) => codeOf(error) === 'CONFLICT');
      const rows = (await audited()).filter(({ details }) => details.bankReference === wanted.bankReference);
      assert.equal(rows.length, 1);
    });

    it('invalid input is refused, and nothing is booked', async () => {
      const foreign = await givenPlatform(world, { environment });
      const theirs = uuidOf(inCurrency(await platformAccounts(foreign), 'EUR'));
      const count = await countTransactions(platform);
      for (const [wrong, code] of [
        [{ accountId: newUuid() }, 'ACCOUNT_NOT_FOUND'],
        [{ accountId: theirs }, 'ACCOUNT_NOT_FOUND'],
        [{ currency: 'USD' }, 'INVALID_CURRENCY'],
        [{ amount: 0n }, 'INVALID_INPUT'],
        [{ amount: -1n }, 'INVALID_INPUT'],
        [{ amount: 2n ** 53n }, 'INVALID_INPUT'],
        [{ sender: ' ' }, 'INVALID_INPUT'],
        [{ sender: 'x'.repeat(256) }, 'INVALID_INPUT'],
        [{ sender: 'Grace\nHopper' }, 'INVALID_INPUT'],
        [{ bankReference: '' }, 'INVALID_INPUT'],
        [{ bankReference: 'x'.repeat(256) }, 'INVALID_INPUT'],
        [{ bankReference: 'a\u0000b' }, 'INVALID_INPUT'],
        // A different key than the same text without the space: the deposit would be booked twice.
        [{ bankReference: '2026030300017 ' }, 'INVALID_INPUT'],
        [{ bankReference: '\u00a02026030300017' }, 'INVALID_INPUT'],
        [{ bankReference: '2026030300017\u200b' }, 'INVALID_INPUT'],
        [{ rail: 'ach' }, 'INVALID_INPUT'],
        [{ reason: '' }, 'INVALID_INPUT'],
      ] as const) {
        await assert.rejects(
          book(deposit(wrong)),
          (error) => codeOf(error) === code,
          JSON.stringify(Object.keys(wrong)),
        );
      }
      assert.equal(await countTransactions(platform), count);
    });

    /** A new customer's account in euros. */
    async function anotherAccount(): Promise<AccountId> {
      const work = await platform.work();
      const customer = await platform.call('createCustomer', {
        body: {
          customerType: 'INDIVIDUAL',
          fullName: 'Ada Lovelace',
          region: 'US',
          email: `${newUuid()}@example.com`,
        },
      });
      assert.equal(customer.status, 201, customer.raw);
      return work.write(async (tx) => {
        const [account] = await tx.sql<{ id: AccountId }>`
          update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED'
           where platform_id = ${tx.platformId} and currency = 'EUR'
             and customer_id = ${uuidOf(customer.body.id)}
          returning id`;
        assert.ok(account);
        return account.id;
      });
    }
  });
}
