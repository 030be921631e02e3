// lane: whole — takes seven seconds and more

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { closeAccount } from '#capabilities/accounts/change-status.ts';
import { findOwnedAccounts } from '#capabilities/accounts/store.ts';
import { findLiveCustomer } from '#capabilities/customers/store.ts';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import { receiveOffer } from '#capabilities/payments/incoming/receive-offer.ts';
import type { Arrival } from '#capabilities/payments/incoming/store.ts';
import { resolveSuspense } from '#capabilities/payments/operator/resolve-suspense.ts';
import { type ManualReport, settleByHand } from '#capabilities/payments/operator/settle-by-hand.ts';
import { writeOff } from '#capabilities/payments/operator/write-off.ts';
import { receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { countOverdue } from '#capabilities/payments/settlement/store.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { loadSum } from '#foundation/ledger/store.ts';
import { NIL_ID, newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import { inCurrency, platformAccounts, posts } from '#tests/given/accounts.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { listReceivables, listSuspended } from '#tests/given/open-items.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { freeze, quoted } from '#tests/given/quotes.ts';
import { givenRates } from '#tests/given/rates.ts';
import { withWritten } from '#tests/harness/audit-lines.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const bare = (id: string) => id.slice(id.indexOf(':') + 1) as Id<never>;

describe('the operator’s commands on payments', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 100_000_000);
  });

  async function write<T>(steps: (tx: Tx) => Promise<T>, on = platform): Promise<T> {
    return (await on.work()).write(steps);
  }

  const say = (transactionId: string, says: ManualReport['action'], more: Partial<ManualReport> = {}) =>
    write((tx) =>
      settleByHand(tx, [], {
        transactionId: bare(transactionId),
        action: says,
        reason: 'case 4711',
        ...more,
      }),
    );

  async function audited(resource: string): Promise<{ action: string; details: { reason?: string } }[]> {
    const rows = await write(
      (tx) => tx.sql<{ id: Id<'AuditRow'>; private: Buffer | null; action: string; details: object }>`
        select id, private, action, details from audit_log
         where platform_id = ${tx.platformId} and resource = ${resource} and actor_kind = 'operator'
         order by at, id`,
    );
    return withWritten(world.app.runtime, rows);
  }

  /** A payment that settles in six minutes. */
  async function waiting(suffix = '003', send = 10_000): Promise<string> {
    const to = await givenOutside(platform, payer.id, suffix);
    const quote = await quoted(platform, { from: payer.account('USD').id, to, send });
    assert.equal((await execute(platform, quote.id)).status, 200);
    await world.app.worker.settle(platform.id);
    return quote.transactionId;
  }

  describe('payment settle, fail and return', () => {
    it('settles a payout, with entry, event and audit row; the rail’s own report then changes nothing', async () => {
      const id = await waiting();
      await say(id, 'settle');
      assert.equal((await readTransaction(platform, id)).status, 'COMPLETED');
      assert.deepEqual(await postedKinds(platform, id), ['L2', 'L6', 'L7']);
      await advance(platform, 400);
      assert.deepEqual(await listEventTypes(platform, id), ['PENDING', 'PROCESSING', 'COMPLETED']);
      const [row] = await audited(id);
      assert.equal(row?.action, 'payment settle');
      assert.equal(row?.details.reason, 'case 4711');
    });

    it('money.md §9.8, §11.L12: fails a payout for a reason, then settles or fails its refund', async () => {
      const paidBack = await waiting();
      await say(paidBack, 'fail', { failure: 'ACCOUNT_INVALID' });
      const failed = await readTransaction(platform, paidBack);
      assert.deepEqual([failed.failureReason, failed.refund.status], ['ACCOUNT_INVALID', 'PENDING']);
      await say(paidBack, 'settle');
      assert.equal((await readTransaction(platform, paidBack)).refund.status, 'COMPLETED');
      const stuck = await waiting();
      await say(stuck, 'fail');
      assert.equal((await readTransaction(platform, stuck)).failureReason, 'QUOTE_EXECUTION_FAILED');
      await say(stuck, 'fail');
      assert.equal((await readTransaction(platform, stuck)).refund.status, 'FAILED');
      assert.deepEqual(await postedKinds(platform, stuck), ['L2', 'L6', 'L9', 'L10', 'L12']);
    });

    it('returns a completed payout', async () => {
      const id = await waiting('999');
      await advance(platform, 2);
      await say(id, 'return');
      const after = await readTransaction(platform, id);
      assert.deepEqual([after.status, after.failureReason], ['FAILED', 'PAYOUT_RETURNED']);
      await advance(platform, 2);
    });

    it('settles and fails a collection, and reverses one that was credited: spent money is owed', async () => {
      const own = await givenPayer(platform, 0);
      const from = await givenOutside(platform, own.id, '005', 'USD_ACCOUNT');
      const pull = async () => {
        const quote = await quoted(platform, { from, to: own.account('USD').id, send: 5_000 });
        assert.equal((await execute(platform, quote.id)).status, 200);
        return quote.transactionId as string;
      };
      const failed = await pull();
      await say(failed, 'fail');
      assert.equal((await readTransaction(platform, failed)).failureReason, 'COLLECTION_FAILED');
      const settled = await pull();
      await say(settled, 'settle');
      assert.equal(await fetchBalance(platform, own, 'USD'), 5_000);
      const to = await givenOutside(platform, own.id);
      const spent = await quoted(platform, { from: own.account('USD').id, to, send: 3_000 });
      await execute(platform, spent.id);
      await say(settled, 'return');
      assert.equal((await readTransaction(platform, settled)).status, 'FAILED');
      assert.deepEqual(await postedKinds(platform, settled), ['L1', 'L19']);
      assert.equal(await fetchBalance(platform, own, 'USD'), 0);
      const owed = await write((tx) => listReceivables(tx));
      assert.deepEqual(
        owed.map(({ account, balance }) => [account, balance]),
        [[`RECEIVABLE:${bare(own.id)}:USD`, 3_000n]],
      );
      const giveUp = (amount: bigint) =>
        write((tx) => writeOff(tx, { ownerId: bare(own.id), currency: 'USD', amount, reason: 'insolvent' }));
      for (const wrong of [0n, -1n, 3_001n]) await assert.rejects(giveUp(wrong), refusal('CONFLICT'));
      assert.equal(await giveUp(1_000n), 2_000n);
      const fees = await write((tx) => loadSum(tx, 'FEES:USD'));
      assert.equal(fees.debit >= 1_000n, true);
      // Later credits repay the debt first.
      const funded = await platform.call('sandboxFundInternalAccount', {
        params: { accountId: own.account('USD').id },
        body: { amount: 2_500 },
      });
      assert.equal(funded.body.balance.amount, 500);
      assert.deepEqual(await write((tx) => listReceivables(tx)), []);
      await assert.rejects(
        write((tx) => writeOff(tx, { ownerId: bare(own.id), currency: 'USD', reason: 'again' })),
        refusal('CONFLICT'),
      );
    });

    it('reverses a pull that fed a payment to an internal account: its owner owes it, once', async () => {
      const own = await givenPayer(platform, 0);
      const from = await givenOutside(platform, own.id, '555', 'USD_ACCOUNT');
      const more = { immediatelyExecute: true };
      const across = await quoted(platform, { from, to: own.account('EUR').id, send: 5_000, more });
      await advance(platform, 2);
      await say(across.transactionId, 'return');
      await assert.rejects(say(across.transactionId, 'return'), refusal('CONFLICT'));
      const owed = (await write((tx) => listReceivables(tx))).filter(({ account }) =>
        account.includes(bare(own.id)),
      );
      assert.deepEqual(
        owed.map(({ currency, balance }) => [currency, balance]),
        [['USD', 5_000n]],
      );
      assert.equal((await readTransaction(platform, across.transactionId)).status, 'COMPLETED');
    });

    describe('for an incoming UMA payment', () => {
      let own: TestPlatform;

      before(async () => {
        own = await givenPlatform(world);
        await own.receive();
      });

      /** Approved by the webhook's answer; the money has not arrived yet. */
      async function approved(scenario: string, isOutside: boolean): Promise<string> {
        const customer = await givenPayer(own, 0);
        if (isOutside) {
          const more = { customerId: customer.id, defaultUmaDepositAccount: true };
          await givenExternalAccount(own, 'USD_ACCOUNT', { accountNumber: '4455005' }, more);
        }
        const body = {
          senderUmaAddress: `$${scenario}@${TEST_DOMAINS.sandboxUmaDomain}`,
          customerId: customer.id,
          receivingCurrencyCode: 'USD',
          receivingCurrencyAmount: 5_000,
        };
        const { body: offer } = await own.call('sandboxReceive', { body });
        await world.app.worker.settle(own.id);
        return offer.id;
      }

      for (const [name, scenario, isOutside, words, ends, kinds] of [
        ['settles its arrival', 'success.usd', false, ['settle'], ['COMPLETED'], ['L13a', 'L13b']],
        ['ends its hold', 'pending.long.usd', false, ['settle'], ['COMPLETED'], ['L13a', 'L14a', 'L14b']],
        ['refuses it', 'success.usd', false, ['fail'], ['FAILED', 'COMPLIANCE_REJECTED'], ['L13a', 'L15a']],
        ['settles it outside', 'success.usd', true, ['settle', 'settle'], ['COMPLETED'], ['L13a', 'L13b']],
        ['fails it outside', 'success.usd', true, ['settle', 'fail'], ['FAILED', 'OFFRAMP_FAILED'], ['L13a', 'L15a']], // biome-ignore format: a table
      ] as const) {
        it(`money.md §7.4: ${name}`, async () => {
          const id = await approved(scenario, isOutside);
          for (const says of words) {
            const word = {
              transactionId: bare(id),
              action: says,
              reason: 'case 4711',
              transactionHash: 'ab',
            };
            await write((tx) => settleByHand(tx, [], word), own);
          }
          const { status, failureReason } = await readTransaction(own, id);
          assert.deepEqual([status, failureReason], [ends[0], ends[1]]);
          assert.deepEqual(await postedKinds(own, id), kinds);
          await advance(own, 400);
          assert.equal((await readTransaction(own, id)).status, status, 'later reports change nothing');
        });
      }
    });

    it('refuses if nothing is pending, and says so', async () => {
      const done = await waiting('999');
      await advance(platform, 2);
      const to = await givenOutside(platform, payer.id);
      const unused = await quoted(platform, { from: payer.account('USD').id, to });
      for (const [id, says] of [
        [done, 'settle'],
        [done, 'fail'],
        [unused.transactionId, 'settle'],
        [unused.transactionId, 'fail'],
        [unused.transactionId, 'return'],
      ] as const) {
        await assert.rejects(say(id, says), refusal('CONFLICT'));
      }
      await assert.rejects(say(`Transaction:${newUuid()}`, 'settle'), refusal('TRANSACTION_NOT_FOUND'));
      assert.deepEqual(await audited(unused.transactionId), []);
    });

    it('only one of two operators settles', async () => {
      const id = await waiting();
      const tries = await Promise.allSettled([say(id, 'settle'), say(id, 'fail')]);
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length >= 1, true);
      await advance(platform, 3);
      const { status } = await readTransaction(platform, id);
      assert.ok(status === 'COMPLETED' || status === 'FAILED');
    });
  });

  describe('in production, where no rail is connected', () => {
    let live: TestPlatform;
    let usd: string;

    before(async () => {
      live = await givenPlatform(world, { environment: 'PRODUCTION' });
      await givenRates(world);
      await write(async (tx) => {
        await tx.sql`
          update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED'
           where platform_id = ${tx.platformId}`;
      }, live);
      const account = inCurrency(await platformAccounts(live), 'USD');
      await posts(live, account, 'deposit', 100_000n);
      usd = account.id;
    });

    async function paid(to: string): Promise<string> {
      const quote = await quoted(live, { from: usd, to, send: 10_000 });
      assert.equal((await execute(live, quote.id)).body.status, 'PROCESSING');
      await world.app.worker.settle(live.id);
      return quote.transactionId;
    }

    it('money.md §9.8: a payout stays PROCESSING, whatever its account ends in, until the operator reports', async () => {
      const to = await givenExternalAccount(live, 'EUR_ACCOUNT', { iban: 'DE35370400440532013002' });
      await write(
        (tx) => tx.sql`update external_accounts set status = 'ACTIVE' where platform_id = ${tx.platformId}`,
        live,
      );
      const id = await paid(to.id);
      world.clock.advance(24 * 60 * 60 * 1000);
      await world.app.worker.settle(live.id);
      assert.equal((await readTransaction(live, id)).status, 'PROCESSING');
      await write(
        (tx) => settleByHand(tx, [], { transactionId: bare(id), action: 'settle', reason: 'case 4711' }),
        live,
      );
      assert.equal((await readTransaction(live, id)).status, 'COMPLETED');
      assert.deepEqual(await listEventTypes(live, id), ['PENDING', 'PROCESSING', 'COMPLETED']);
    });

    it('money.md §9.8: an internal payment is completed', async () => {
      const id = await paid(inCurrency(await platformAccounts(live), 'EUR').id);
      const { status, receivedAmount } = await readTransaction(live, id);
      assert.deepEqual([status, receivedAmount.amount], ['COMPLETED', 9_154]);
    });
  });

  describe('money that arrived (money.md §7.1)', () => {
    const arrival = (more: Partial<Arrival>): Arrival => ({
      providerReference: newUuid(),
      amount: 700n,
      currency: 'USD',
      rail: 'ACH',
      ...more,
    });

    it('is credited once to the account whose bank details it was sent to, even if it is reported repeatedly', async () => {
      const own = await givenPayer(platform, 0);
      const notice = arrival({
        accountId: bare(own.account('USD').id),
        originator: { accountHolderName: 'Grace Hopper', bankName: 'A Bank', paymentRail: 'ACH' },
      });
      const rows = await Promise.all([1, 2, 3].map(() => write((tx) => receiveDeposit(tx, notice))));
      const ids = new Set(rows.map((row) => (row instanceof Refusal ? 'refused' : row.id)));
      assert.equal(ids.size, 1);
      assert.equal(await fetchBalance(platform, own, 'USD'), 700);
      const shown = await readTransaction(platform, `Transaction:${[...ids][0]}`);
      assert.equal(shown.status, 'COMPLETED');
      assert.deepEqual(shown.source, {
        sourceType: 'REALTIME_FUNDING',
        currency: 'USD',
        accountHolderName: 'Grace Hopper',
        bankName: 'A Bank',
        paymentRail: 'ACH',
      });
      assert.deepEqual(await listEventTypes(platform, shown.id), ['COMPLETED']);
    });

    it('money.md §6.7, §7.1: shows its reference and, if it came over a chain, its hash', async () => {
      const own = await givenPayer(platform, 0);
      const accountId = bare(own.account('USD').id);
      const more = { reference: 'INV-7', network: 'SOLANA', transactionHash: 'abc' } as const;
      const row = await write((tx) => receiveDeposit(tx, arrival({ accountId, ...more })));
      assert.ok(!(row instanceof Refusal));
      const { source, reconciliationInstructions } = await readTransaction(platform, `Transaction:${row.id}`);
      assert.deepEqual(source.onChainTransaction, { transactionHash: 'abc', network: 'SOLANA' });
      assert.deepEqual(reconciliationInstructions, { reference: 'INV-7', transactionHash: 'abc' });
    });

    it('money.md §4.1: money in another currency does not fund the quote, and is booked to suspense', async () => {
      const { transactionId, reference } = await awaited(await givenPayer(platform, 0));
      const answer = await write((tx) => receiveDeposit(tx, arrival({ reference, currency: 'EUR' })));
      assert.equal(answer instanceof Refusal && answer.code, 'REFERENCE_NOT_FOUND');
      assert.equal((await readTransaction(platform, transactionId)).status, 'PENDING');
    });

    it('is credited to a frozen account, but not to a closed one', async () => {
      const own = await givenPayer(platform, 0);
      const [usd, eur] = [own.account('USD'), own.account('EUR')];
      await freeze(platform, usd.id);
      const kept = await write((tx) => receiveDeposit(tx, arrival({ accountId: bare(usd.id) })));
      assert.ok(!(kept instanceof Refusal));
      assert.equal(await fetchBalance(platform, own, 'USD'), 700);
      await write((tx) => closeAccount(tx, { accountId: bare(eur.id) }));
      const late = arrival({ accountId: bare(eur.id), currency: 'EUR' });
      assert.ok((await write((tx) => receiveDeposit(tx, late))) instanceof Refusal);
    });

    it('is booked to suspense if it is more than the account can hold', async () => {
      const own = await givenPayer(platform, 0);
      const amount = BigInt(Number.MAX_SAFE_INTEGER);
      const accountId = bare(own.account('USD').id);
      assert.ok(
        !((await write((tx) => receiveDeposit(tx, arrival({ accountId, amount })))) instanceof Refusal),
      );
      const more = arrival({ accountId, amount: 1n });
      assert.ok((await write((tx) => receiveDeposit(tx, more))) instanceof Refusal);
      assert.equal(await fetchBalance(platform, own, 'USD'), Number.MAX_SAFE_INTEGER);
      const waits = await write((tx) => listSuspended(tx));
      assert.ok(waits.some((item) => item.kind === 'receipt.suspended' && item.amount === 1n));
    });

    it('money.md §4.1: funds the quote whose reference it carries; after the expiry it is credited to the owner', async () => {
      const own = await givenPayer(platform, 0);
      const to = await givenOutside(platform, own.id);
      const from = { realtime: 'USD', customerId: own.id };
      const quote = await quoted(platform, { from, to, send: 700 });
      const { reference } = (await readTransaction(platform, quote.transactionId)).reconciliationInstructions;
      const first = arrival({ reference });
      await write((tx) => receiveDeposit(tx, first));
      assert.equal((await readTransaction(platform, quote.transactionId)).status, 'PROCESSING');
      await write((tx) => receiveDeposit(tx, first));
      assert.equal(await fetchBalance(platform, own, 'USD'), 0, 'the same report again');
      const late = await write((tx) => receiveDeposit(tx, arrival({ reference })));
      assert.ok(!(late instanceof Refusal));
      assert.equal(await fetchBalance(platform, own, 'USD'), 700, 'another payment under the same reference');
      await advance(platform, 3);
    });

    /** A customer's real-time quote, and the funds that are due under its reference. */
    async function awaited(own: Payer): Promise<{ transactionId: string; reference: string }> {
      const from = { realtime: 'USD', customerId: own.id };
      const { transactionId } = await quoted(platform, {
        from,
        to: await givenOutside(platform, undefined),
        send: 700,
      });
      const { reconciliationInstructions } = await readTransaction(platform, transactionId);
      return { transactionId, reference: reconciliationInstructions.reference };
    }

    it('money.md §2.9, §4.1: if two payments for one quote arrive at once, the first funds it; the other is credited to the owner', async () => {
      const own = await givenPayer(platform, 0);
      const { transactionId, reference } = await awaited(own);
      const letGo = await holdOpen(platform, (tx) => receiveDeposit(tx, arrival({ reference })));
      const second = write((tx) => receiveDeposit(tx, arrival({ reference })));
      await untilBlocked(world.databaseUrl, 1, second);
      await letGo();
      const row = await second;
      assert.ok(!(row instanceof Refusal));
      assert.notEqual(`Transaction:${row.id}`, transactionId);
      assert.equal(await fetchBalance(platform, own, 'USD'), 700);
      await advance(platform, 3);
      assert.deepEqual(await postedKinds(platform, transactionId), ['L4', 'L6', 'L7']);
    });

    it('money.md §4.1, §11.L20: for a deleted customer’s quote it is booked to suspense; no account is opened', async () => {
      const own = await givenPayer(platform, 0);
      const { reference } = await awaited(own);
      await advance(platform, 300);
      const gone = await platform.call('deleteCustomerById', { params: { customerId: own.id } });
      assert.equal(gone.status, 200, gone.raw);
      const notice = arrival({ reference });
      const answer = await write((tx) => receiveDeposit(tx, notice));
      assert.equal(answer instanceof Refusal && answer.code, 'REFERENCE_NOT_FOUND');
      const live = await write((tx) => findOwnedAccounts(tx, bare(own.id), 'USD'));
      assert.deepEqual(live, []);
    });

    it('money.md §7.1, §11.L20: is booked to suspense if it matches nothing, and the reporter gets a refusal', async () => {
      const own = await givenPlatform(world);
      const euros = inCurrency(await platformAccounts(own), 'EUR');
      const wrong = [
        arrival({ reference: 'nothing', providerReference: 'r-1' }),
        arrival({ accountId: newUuid(), providerReference: 'r-2' }),
        arrival({ accountId: bare(payer.account('USD').id), providerReference: 'r-3' }),
        arrival({ accountId: uuidOf(euros), providerReference: 'r-4' }),
      ];
      for (const notice of [...wrong, ...wrong]) {
        const answer = await write((tx) => receiveDeposit(tx, notice), own);
        assert.equal(answer instanceof Refusal && answer.code, 'REFERENCE_NOT_FOUND');
      }
      const waits = await write((tx) => listSuspended(tx), own);
      assert.deepEqual(
        waits.map(({ kind, amount }) => [kind, amount]),
        Array(4).fill(['receipt.suspended', 700n]),
      );
    });
  });

  describe('suspense', () => {
    /** A refund that failed. */
    async function suspended(): Promise<{ transactionId: string; entryId: Id<'JournalEntry'> }> {
      const transactionId = await waiting('007', 4_000);
      await advance(platform, 3);
      const waits = await write((tx) => listSuspended(tx));
      const found = waits.find(({ transaction_id }) => transaction_id === bare(transactionId));
      assert.ok(found);
      return { transactionId, entryId: found.id };
    }

    it('money.md §11.L21: is listed until the operator resolves it, then credited once, with an audit row', async () => {
      const { entryId } = await suspended();
      const before = await fetchBalance(platform, payer, 'USD');
      const accountId = bare(payer.account('USD').id);
      const resolve = () =>
        write((tx) => resolveSuspense(tx, { entryId, target: { accountId }, reason: 'paid by hand' }));
      const tries = await Promise.allSettled([resolve(), resolve(), resolve()]);
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await fetchBalance(platform, payer, 'USD'), before + 4_000);
      assert.ok(!(await write((tx) => listSuspended(tx))).some(({ id }) => id === entryId));
      const [row] = await audited(`JournalEntry:${entryId}`);
      assert.equal(row?.details.reason, 'paid by hand');
      await assert.rejects(resolve(), refusal('REFERENCE_NOT_FOUND'));
    });

    it('customers.md §2.4.26a: the reason of a resolution is sealed, for the receiving customer or for the month', async () => {
      const { vault } = world.app.runtime;
      const month = strangersOf(vault, platform.id, new Date(world.clock.now()));
      const own = inCurrency(await platformAccounts(platform), 'USD').id;
      for (const [target, person] of [
        [{ accountId: bare(payer.account('USD').id) }, bare(payer.id)],
        [{ accountId: bare(own) }, month],
        [{ rail: 'ACH' }, month],
      ] as const) {
        const { entryId } = await suspended();
        await write((tx) => resolveSuspense(tx, { entryId, target, reason: 'Ada called' }));
        const [row] = await write(
          (tx) => tx.sql<{ private: Buffer; details: { customerId?: string } }>`
            select private, details from audit_log where resource = ${`JournalEntry:${entryId}`}`,
        );
        assert.ok(row && !JSON.stringify(row.details).includes('Ada'));
        assert.deepEqual(
          readReferences(row.private).map((one) => one.person),
          [person],
        );
        assert.equal(row.details.customerId, person === month ? undefined : payer.id);
        const [opened] = await audited(`JournalEntry:${entryId}`);
        assert.equal(opened?.details.reason, 'Ada called');
      }
    });

    it('if two operators resolve it at the same moment, one is told that the other was first', async () => {
      for (const target of [{ rail: 'ACH' }, { accountId: bare(payer.account('USD').id) }]) {
        const { entryId } = await suspended();
        const resolve = (tx: Tx) => resolveSuspense(tx, { entryId, target, reason: 'sent back' });
        const letGo = await holdOpen(platform, resolve);
        const second = write(resolve);
        const refused = assert.rejects(second, refusal('CONFLICT'));
        await untilBlocked(world.databaseUrl, 1, second);
        await letGo();
        await refused;
      }
    });

    it('money.md §10.4, §11.b: repays the owner’s debt first; if nothing is left, no balance event is sent', async () => {
      const own = await givenPayer(platform, 0);
      const from = await givenOutside(platform, own.id, '555', 'USD_ACCOUNT');
      const usd = own.account('USD').id;
      const pull = await quoted(platform, { from, to: usd, send: 4_500, more: { immediatelyExecute: true } });
      await advance(platform, 1);
      const to = await givenOutside(platform, own.id);
      await quoted(platform, { from: usd, to, send: 4_500, more: { immediatelyExecute: true } });
      await say(pull.transactionId, 'return');
      const tellings: number[] = [];
      for (const balance of [0, 3_500]) {
        const { entryId } = await suspended();
        const target = { accountId: bare(usd) };
        const before = (await listEventTypes(platform, usd)).length;
        await write((tx) => resolveSuspense(tx, { entryId, target, reason: 'found its owner' }));
        tellings.push((await listEventTypes(platform, usd)).length - before);
        assert.equal(await fetchBalance(platform, own, 'USD'), balance);
      }
      assert.deepEqual(tellings, [0, 1]);
    });

    it('money.md §11.L21: can be paid out over a rail', async () => {
      const { entryId } = await suspended();
      const before = await write((tx) => loadSum(tx, 'SUSPENSE:USD'));
      const target = { rail: 'ACH' };
      await write((tx) => resolveSuspense(tx, { entryId, target, reason: 'sent back' }));
      const after = await write((tx) => loadSum(tx, 'SUSPENSE:USD'));
      assert.equal(after.debit - before.debit, 4_000n);
    });

    it('cannot be assigned to an account in another currency or of another platform, nor without a suspended entry', async () => {
      const { entryId } = await suspended();
      const into = (accountId: AccountId, id = entryId) =>
        write((tx) => resolveSuspense(tx, { entryId: id, target: { accountId }, reason: 'x' }));
      await assert.rejects(into(bare(payer.account('EUR').id)), refusal('CONFLICT'));
      await assert.rejects(into(newUuid()), refusal('ACCOUNT_NOT_FOUND'));
      const usd = bare((await givenPayer(platform, 0)).account('USD').id);
      await write((tx) => closeAccount(tx, { accountId: usd }));
      await assert.rejects(into(usd), refusal('CONFLICT'), 'closed');
      await assert.rejects(into(bare(payer.account('USD').id), newUuid()), refusal('REFERENCE_NOT_FOUND'));
    });
  });

  it('decision 0014: a payment that is PROCESSING for too long shows in the metrics, and only then', async () => {
    const own = await givenPlatform(world);
    const customer = await givenPayer(own, 50_000);
    const to = await givenOutside(own, customer.id, '003');
    const quote = await quoted(own, { from: customer.account('USD').id, to, send: 1_000 });
    await execute(own, quote.id);
    const count = async (seconds: number) => {
      const now = new Date(world.clock.now() + seconds * 1_000);
      const all = await countOverdue(world.database, now);
      return all.filter((row) => row.platform === own.id);
    };
    assert.deepEqual(await count(3_600), []);
    assert.deepEqual(await count(3_601), [
      { platform: own.id, environment: 'sandbox', state: 'PROCESSING', count: 1 },
    ]);
    const page = await world.app.http.inject({ method: 'GET', url: '/metrics' });
    assert.equal(page.statusCode, 200);
    assert.match(page.body, /corridor_payments_overdue/);
  });

  it('decision 0014: a payment over a slow rail is not overdue before that rail’s own time is over', async () => {
    const own = await givenPlatform(world);
    const customer = await givenPayer(own, 50_000);
    const accountId = await givenOutside(own, customer.id, '005', 'USD_ACCOUNT');
    const destination = { destinationType: 'ACCOUNT', accountId, paymentRail: 'ACH' };
    const more = { destination, immediatelyExecute: true };
    await quoted(own, { from: customer.account('USD').id, to: accountId, send: 1_000, more });
    const count = async (seconds: number) => {
      const all = await countOverdue(world.database, new Date(world.clock.now() + seconds * 1_000));
      return all.filter((row) => row.platform === own.id).length;
    };
    assert.deepEqual([await count(86_400 + 3_600), await count(86_400 + 3_601)], [0, 1]);
    const to = customer.account('USD').id;
    await quoted(own, { from: accountId, to, send: 1_000, more: { immediatelyExecute: true } });
    const all = await countOverdue(world.database, new Date(world.clock.now() + 3_601_000));
    assert.deepEqual(
      all.filter((row) => row.platform === own.id),
      [{ platform: own.id, environment: 'sandbox', state: 'COLLECTING', count: 1 }],
    );
  });

  it('decision 0014: a refund that is pending for too long shows in the metrics, whatever happened to its payment', async () => {
    const own = await givenPlatform(world);
    const customer = await givenPayer(own, 50_000);
    const to = await givenOutside(own, customer.id, '003');
    const quotes = [
      await quoted(own, { from: customer.account('USD').id, to, send: 1_000 }),
      await quoted(own, { from: customer.account('USD').id, to, send: 1_000 }),
    ];
    for (const { id } of quotes) await execute(own, id);
    const [failed, cancelled] = quotes.map(({ transactionId }) => bare(transactionId));
    const work = await own.work();
    await work.write((tx) =>
      receiveReports(tx, [
        { reference: failed ?? NIL_ID, notices: [{ kind: 'payoutFailed', reason: 'ACCOUNT_INVALID' }] },
        { reference: cancelled ?? NIL_ID, notices: [{ kind: 'cancelled' }] },
      ]),
    );
    const count = async (seconds: number) => {
      const all = await countOverdue(world.database, new Date(world.clock.now() + seconds * 1_000));
      return all.filter((row) => row.platform === own.id);
    };
    assert.deepEqual(await count(3_600), []);
    assert.deepEqual(await count(3_601), [
      { platform: own.id, environment: 'sandbox', state: 'REFUNDING', count: 2 },
    ]);
  });

  it('money.md §7.2: an offer that a provider repeats is the same offer', async () => {
    const own = await givenPlatform(world);
    await own.receive();
    const customer = await givenPayer(own, 0);
    const work = await own.work();
    const rows = await work.write(async (tx) => {
      const receiver = await findLiveCustomer(tx, uuidOf(customer.id));
      assert.ok(receiver);
      const offer = {
        senderAddress: '$someone@else.test',
        receiver,
        amount: 10n,
        currency: 'USD',
        senderData: {},
        requestedData: [],
        providerReference: 'offer-1',
      };
      return [await receiveOffer(tx, offer), await receiveOffer(tx, offer)];
    });
    assert.equal(rows[0]?.id, rows[1]?.id);
    assert.deepEqual(await listEventTypes(own, `Transaction:${rows[0]?.id}`), ['PENDING']);
  });

  function refusal(code: string): (error: unknown) => boolean {
    return (error) => error instanceof Refusal && error.code === code;
  }
});
