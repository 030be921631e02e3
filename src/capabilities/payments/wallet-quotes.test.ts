// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { prepareExecution } from '#capabilities/payments/execution/execute-quote.ts';
import { noTestSignatures } from '#edge/providers/no-provider.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { fetchAccounts, inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import {
  advance,
  execute,
  givenFunds,
  givenOutside,
  givenPlatform,
  listEventTypes,
  paymentPartsOf,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, countTransactions, lookedUp, type QuoteReply, quoted } from '#tests/given/quotes.ts';
import { commitPlan } from '#tests/harness/commit-plan.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import {
  type ClientKey,
  callSigned,
  executeSigned,
  givenWallet,
  logIn,
  newClientKey,
  requirePayload,
  signStamp,
  type Wallet,
} from '#tests/harness/wallet-client.ts';

const LITERAL = 'sandbox-valid-signature';

describe('paying from an embedded wallet', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let wallet: Wallet;
  let owner: ClientKey;
  let outside: string;

  before(async () => {
    platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDB'] });
    wallet = await givenFundedWallet(platform, 100_000_000);
    owner = (await logIn(platform, wallet.credentialId)).key;
    outside = await givenOutside(platform, undefined);
  });

  const createQuote = (send = 1_000_000) => quoted(platform, { from: wallet.accountId, to: outside, send });

  async function balance(on = platform, { customer } = wallet): Promise<number> {
    return inCurrency(await fetchAccounts(on, customer.id), 'USDB').balance.amount;
  }

  /** Executes with this text in place of a stamp, or without one. */
  async function executeWith(quoteId: string, stamp: string | undefined, on = platform, more: object = {}) {
    const headers = stamp === undefined ? {} : { 'svc-wallet-signature': stamp };
    return on.call('executeQuote', { params: { quoteId }, headers, ...more });
  }

  async function assertExecutable(quote: QuoteReply, on = platform): Promise<void> {
    assert.equal((await readTransaction(on, quote.transactionId)).status, 'PENDING');
    assert.deepEqual(await postedKinds(on, quote.transactionId), []);
    assert.deepEqual(await listEventTypes(on, quote.transactionId), ['PENDING']);
  }

  describe('its quote', () => {
    it('wallets.md §6.12.50, §3.8, §3.9, money.md §2.10: has the payload that binds its terms, and the wallet’s own address', async () => {
      const { accountId, customer } = await givenFundedWallet(platform, 1_000_000);
      const quote = await quoted(platform, { from: accountId, to: outside, send: 500_000 });
      const { data: sessions } = (await platform.call('listAuthSessions', { query: { accountId } })).body;
      assert.deepEqual(sessions, [], 'no login is needed yet');
      const [signed, address, ...others] = quote.paymentInstructions ?? [];
      assert.deepEqual(others, []);
      assert.equal(signed?.accountOrWalletInfo.accountType, 'EMBEDDED_WALLET');
      const uuid = accountId.slice('InternalAccount:'.length).replaceAll('-', '');
      const terms = JSON.stringify({
        destination: outside,
        quoteId: quote.id,
        receivingCurrency: 'EUR',
        sendingCurrency: 'USDB',
        totalReceivingAmount: quote.totalReceivingAmount,
        totalSendingAmount: 500_000,
      });
      const payload = requirePayload(quote);
      const { timestampMs } = JSON.parse(payload) as { timestampMs: string };
      assert.equal(
        payload,
        `{"organizationId":"org_${uuid}","parameters":{"signWith":"wallet_${uuid}",` +
          `"type":"TRANSACTION_TYPE_WALLET",` +
          `"unsignedTransaction":"${createHash('sha256').update(terms).digest('hex')}"},` +
          `"timestampMs":"${timestampMs}","type":"ACTIVITY_TYPE_SIGN_TRANSACTION_V2"}`,
      );
      assert.ok(Number(timestampMs) >= Date.parse(quote.createdAt));
      const { address: spark, ...info } = address?.accountOrWalletInfo ?? { accountType: '' };
      assert.deepEqual(info, { accountType: 'SPARK_WALLET', assetType: 'USDB' });
      assert.match(String(spark), /^spark\w*1[0-9a-z]{50,}$/);
      const again = await quoted(platform, { from: accountId, to: outside, send: 500_000 });
      assert.equal(again.paymentInstructions?.[1]?.accountOrWalletInfo.address, spark);
      assert.equal(quote.source.customerId, customer.id);
    });

    it('wallets.md §6.12.50, §3.7, money.md §2.10: every quote has its own payload, and every read returns the same bytes', async () => {
      const made = await Promise.all([createQuote(), createQuote(), createQuote()]);
      const stamps = made.map((quote) => JSON.parse(requirePayload(quote)).timestampMs);
      assert.equal(new Set(stamps).size, made.length, 'each has a later date than the one before');
      const quote = made[0];
      const read = async () =>
        (await platform.call('getQuoteById', { params: { quoteId: quote.id } })).body.paymentInstructions;
      assert.deepEqual(await read(), quote.paymentInstructions);
      const transaction = await readTransaction(platform, quote.transactionId);
      assert.deepEqual(
        'paymentInstructions' in transaction && transaction.paymentInstructions,
        quote.paymentInstructions,
      );
      const executed = await executeSigned(platform, quote, owner);
      assert.deepEqual(executed.body, { ...quote, status: 'PROCESSING' }, executed.raw);
      await advance(platform, 1);
      assert.deepEqual(await read(), quote.paymentInstructions);
    });

    it('wallets.md §3.8: for a UMA address, the address is signed', async () => {
      const to = '$success.eur@sandbox.corridor.test';
      const lookupId = await lookedUp(platform, to);
      const quote = await quoted(platform, {
        from: wallet.accountId,
        to,
        send: 2_000_000,
        more: { lookupId },
      });
      const terms = {
        destination: to,
        quoteId: quote.id,
        receivingCurrency: 'EUR',
        sendingCurrency: 'USDB',
        totalReceivingAmount: quote.totalReceivingAmount,
        totalSendingAmount: quote.totalSendingAmount,
      };
      const digest = createHash('sha256').update(JSON.stringify(terms)).digest('hex');
      assert.equal(JSON.parse(requirePayload(quote)).parameters.unsignedTransaction, digest);
      assert.equal((await executeSigned(platform, quote, owner)).status, 200);
    });

    it('money.md §2.10, §2.13: the available balance is checked at once, after all other checks, and nothing is stored', async () => {
      const poor = await givenFundedWallet(platform, 1_000_000);
      const before = await countTransactions(platform);
      const ask = async (send: number, to = outside) => {
        const { status, body } = await askQuote(platform, { from: poor.accountId, to, send });
        return [status, body.code];
      };
      assert.deepEqual(await ask(1_000_001), [400, 'INSUFFICIENT_FUNDS']);
      const refused = await askQuote(platform, { from: poor.accountId, to: outside, send: 1_000_001 });
      assert.deepEqual(refused.body.details, {
        accountId: poor.accountId,
        currency: 'USDB',
        available: 1_000_000,
        required: 1_000_001,
      });
      assert.deepEqual(await ask(1_000_000_000_000), [400, 'AMOUNT_OUT_OF_RANGE']);
      assert.deepEqual(await ask(2_000_000, poor.accountId), [400, 'SELF_PAYMENT']);
      assert.equal(await countTransactions(platform), before);
      assert.equal((await ask(1_000_000))[0], 201);
    });

    it('money.md §2.6, wallets.md §6.12.50: cannot be executed in the same request', async () => {
      const more = { immediatelyExecute: true };
      const reply = await askQuote(platform, { from: wallet.accountId, to: outside, more });
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
      assert.deepEqual(
        reply.body.details.errors.map(({ field }) => field),
        ['immediatelyExecute'],
      );
    });

    it('wallets.md §6.1.20: from a wallet that is PENDING or FAILED it is 409, even if the wallet is empty', async () => {
      const { accountId } = await givenWallet(platform);
      for (const status of ['PENDING', 'FAILED']) {
        await world.database.query(sql`
          update internal_accounts set status = ${status}
           where platform_id = ${platform.id} and id = ${parseId('InternalAccount', accountId)}`);
        const reply = await askQuote(platform, { from: accountId, to: outside, send: 1_000_000 });
        assert.deepEqual([reply.status, reply.body.code], [409, 'WALLET_NOT_PROVISIONED'], status);
      }
    });
  });

  describe('its execution', () => {
    it('wallets.md §6.12.51, money.md §3.2: with the owner’s stamp the money moves, and the usual events are sent', async () => {
      const before = await balance();
      const quote = await createQuote(2_000_000);
      const reply = await executeSigned(platform, quote, owner);
      assert.equal(reply.status, 200, reply.raw);
      assert.deepEqual(reply.body, { ...quote, status: 'PROCESSING' });
      assert.equal(await balance(), before - 2_000_000);
      await advance(platform, 1);
      assert.equal((await readTransaction(platform, quote.transactionId)).status, 'COMPLETED');
      assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2', 'L6', 'L7']);
      assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
        'PENDING',
        'PROCESSING',
        'COMPLETED',
      ]);
    });

    it('wallets.md §6.7.42, §6.12.51: any ACTIVE session of the wallet signs, also one that began after the quote was created', async () => {
      const quotes = [await createQuote(), await createQuote()] as const;
      const second = (await logIn(platform, wallet.credentialId)).key;
      assert.equal((await executeSigned(platform, quotes[0], second)).status, 200);
      assert.equal((await executeSigned(platform, quotes[1], owner)).status, 200);
    });

    it('wallets.md §6.12.51: a Request-Id is ignored', async () => {
      const quote = await createQuote();
      const headers = {
        'svc-wallet-signature': await signStamp(owner, requirePayload(quote)),
        'request-id': 'Request:00000000-0000-7000-8000-000000000000',
      };
      const reply = await platform.call('executeQuote', { params: { quoteId: quote.id }, headers });
      assert.equal(reply.status, 200, reply.raw);
    });

    it('wallets.md §4.14, §6.12.51: a quote that is not from a wallet ignores the header, whatever it contains', async () => {
      const own = inCurrency(await platformAccounts(platform), 'USD').id;
      await givenFunds(platform, own, 100_000);
      const foreign = await signStamp(newClientKey(), 'anything');
      for (const stamp of [undefined, '', 'no stamp', foreign, LITERAL]) {
        const quote = await quoted(platform, { from: own, to: outside, send: 1_000 });
        assert.equal(quote.paymentInstructions, undefined);
        const reply = await executeWith(quote.id, stamp);
        assert.equal(reply.status, 200, `${stamp}: ${reply.raw}`);
      }
    });

    it('wallets.md §7: the sandbox accepts its literal as a stamp; production does not', async () => {
      const quote = await createQuote();
      const { platform: row, actor, runtime } = await platform.work();
      const strict: Runtime = {
        ...runtime,
        ports: (environment) => ({ ...runtime.ports(environment), walletSignatures: noTestSignatures }),
      };
      const request = requestWith(LITERAL);
      const quoteId = uuidOf(quote.id);
      await assert.rejects(
        commitPlan(new Work(strict, row, actor), (tx) =>
          prepareExecution(paymentPartsOf(world), tx, { quoteId, request }),
        ),
        { code: 'WALLET_SIGNATURE_MALFORMED' },
      );
      await assertExecutable(quote);
      assert.equal((await executeWith(quote.id, LITERAL)).status, 200);
    });

    it('wallets.md §6.12.51: a stamp over another quote’s payload is WALLET_SIGNATURE_INVALID, and so is one over changed bytes', async () => {
      const [quote, other] = [await createQuote(), await createQuote()];
      const payload = requirePayload(quote);
      for (const bytes of [requirePayload(other), `${payload}\n`, payload.replace('"', "'"), '']) {
        const reply = await executeWith(quote.id, await signStamp(owner, bytes));
        assert.deepEqual([reply.status, reply.body.code], [401, 'WALLET_SIGNATURE_INVALID'], bytes);
      }
      await assertExecutable(quote);
      assert.equal((await executeSigned(platform, quote, owner)).status, 200);
    });

    it('wallets.md §6.7.42, §6.12.51: a session of another wallet or another platform never signs', async () => {
      const neighbour = await givenFundedWallet(platform, 1_000_000);
      const abroad = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDB'] });
      const stranger = await givenFundedWallet(abroad, 1_000_000);
      const quote = await createQuote();
      for (const { key } of [
        await logIn(platform, neighbour.credentialId),
        await logIn(abroad, stranger.credentialId),
        { key: newClientKey() },
      ]) {
        const reply = await executeSigned(platform, quote, key);
        assert.deepEqual([reply.status, reply.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
      }
      const unknown = await executeWith(quote.id, await signStamp(owner, requirePayload(quote)), abroad);
      assert.deepEqual([unknown.status, unknown.body.code], [404, 'QUOTE_NOT_FOUND']);
      await assertExecutable(quote);
      assert.equal((await executeSigned(platform, quote, owner)).status, 200);
    });

    it('wallets.md §6.7.42, §6.12.51, §1: a session signs for 900 seconds, and not once it is revoked', async () => {
      const mine = await givenFundedWallet(platform, 10_000_000);
      const { key: old } = await logIn(platform, mine.credentialId);
      await advance(platform, 899);
      const quote = await quoted(platform, { from: mine.accountId, to: outside, send: 1_000_000 });
      const early = await quoted(platform, { from: mine.accountId, to: outside, send: 1_000_000 });
      assert.equal((await executeSigned(platform, early, old)).status, 200);
      await advance(platform, 1);
      const late = await executeSigned(platform, quote, old);
      assert.deepEqual([late.status, late.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
      const { key, session } = await logIn(platform, mine.credentialId);
      const gone = await callSigned(platform, key, 'revokeAuthSession', { params: { id: session.id } });
      assert.equal(gone.status, 204, gone.raw);
      const revoked = await executeSigned(platform, quote, key);
      assert.deepEqual([revoked.status, revoked.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
      await assertExecutable(quote);
      const { key: fresh } = await logIn(platform, mine.credentialId);
      assert.equal((await executeSigned(platform, quote, fresh)).status, 200);
      owner = (await logIn(platform, wallet.credentialId)).key;
    });

    it('platform.md §1.3.9, wallets.md §6.12.51: each stamp that fails leaves one audit row, and never the stamp', async () => {
      const quote = await createQuote();
      const stamp = await signStamp(newClientKey(), requirePayload(quote));
      const wrong = await signStamp(owner, 'something else');
      for (const each of [undefined, 'no stamp', stamp, wrong]) await executeWith(quote.id, each);
      const rows = await world.database.query<{ resource: string; details: Record<string, string> }>(sql`
        select resource, details from audit_log
         where platform_id = ${platform.id} and action = 'proof failed' order by at desc, id desc limit 4`);
      assert.deepEqual(rows.map(({ details }) => details.reason).reverse(), [
        'The Svc-Wallet-Signature header is missing.',
        'The Svc-Wallet-Signature header is not a stamp: it is not base64url.',
        'The key of the signature may not sign this call now.',
        'The signature does not match the payload to sign.',
      ]);
      for (const { resource, details } of rows) {
        assert.deepEqual(
          [resource, details.customerId, details.proof],
          [wallet.accountId, wallet.customer.id, 'WALLET_SIGNATURE'],
        );
      }
      const text = JSON.stringify(rows);
      for (const secret of ['no stamp', stamp, wrong]) assert.ok(!text.includes(secret));
      await assertExecutable(quote);
    });
  });

  describe('two at once', () => {
    it('money.md §3.4, §12.8, wallets.md §6.12.51: only one of several executions with the same stamp moves the money', async () => {
      const before = await balance();
      const quote = await createQuote();
      const stamp = await signStamp(owner, requirePayload(quote));
      const replies = await Promise.all(Array.from({ length: 8 }, () => executeWith(quote.id, stamp)));
      const codes = replies.map(({ status }) => status).sort();
      assert.deepEqual(codes, [200, ...Array.from({ length: 7 }, () => 409)]);
      assert.equal(await balance(), before - 1_000_000);
      assert.deepEqual((await postedKinds(platform, quote.transactionId)).slice(0, 2), ['L2', 'L6']);
    });

    it('money.md §3.4: if signed quotes exceed the wallet together, as many succeed as it covers', async () => {
      const mine = await givenFundedWallet(platform, 2_500_000);
      const { key } = await logIn(platform, mine.credentialId);
      const quotes = await Promise.all(
        Array.from({ length: 4 }, () =>
          quoted(platform, { from: mine.accountId, to: outside, send: 1_000_000 }),
        ),
      );
      const replies = await Promise.all(quotes.map((quote) => executeSigned(platform, quote, key)));
      const codes = replies.map(({ status, body }) => (status === 200 ? 'OK' : body.code)).sort();
      assert.deepEqual(codes, ['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS', 'OK', 'OK']);
      const refused = quotes.find((_, i) => replies[i]?.status !== 200) as QuoteReply;
      await assertExecutable(refused);
      await givenFunds(platform, mine.accountId, 500_000);
      assert.equal((await executeSigned(platform, refused, key)).status, 200);
    });

    it('wallets.md §6.12.51: executions that share a look-up each get their own answer, signed or not', async () => {
      const own = inCurrency(await platformAccounts(platform), 'USD').id;
      await givenFunds(platform, own, 100_000);
      const plain = () => quoted(platform, { from: own, to: outside, send: 1_000 });
      const [good, foreign, unsigned] = [await createQuote(), await createQuote(), await createQuote()];
      const [first, second] = [await plain(), await plain()];
      const stamps = await Promise.all([
        signStamp(owner, requirePayload(good)),
        signStamp(newClientKey(), requirePayload(foreign)),
      ]);
      const replies = await Promise.all([
        executeWith(first.id, undefined),
        executeWith(good.id, stamps[0]),
        executeWith(foreign.id, stamps[1]),
        executeWith(second.id, stamps[1]),
        executeWith(unsigned.id, undefined),
      ]);
      assert.deepEqual(
        replies.map(({ status, body }) => (status === 200 ? 'OK' : body.code)),
        ['OK', 'OK', 'WALLET_SIGNATURE_INVALID', 'OK', 'WALLET_SIGNATURE_MISSING'],
      );
    });
  });

  /** money.md §3.3b: if several things are wrong, the earliest of these checks answers. */
  describe('the order of its checks', () => {
    const STAMPS = ['missing', 'malformed', 'of a foreign key', 'over other bytes'] as const;
    const CODES = {
      missing: 'WALLET_SIGNATURE_MISSING',
      malformed: 'WALLET_SIGNATURE_MALFORMED',
      'of a foreign key': 'WALLET_SIGNATURE_INVALID',
      'over other bytes': 'WALLET_SIGNATURE_INVALID',
    };

    async function badStamp(which: (typeof STAMPS)[number], payload: string): Promise<string | undefined> {
      if (which === 'missing') return undefined;
      if (which === 'malformed') return 'bm90IGEgc3RhbXA';
      if (which === 'of a foreign key') return signStamp(newClientKey(), payload);
      return signStamp(owner, `${payload} `);
    }

    it('wallets.md §6.12.51, money.md §3.3b: a quote that does not exist is 404 before any stamp is looked at', async () => {
      const quoteId = 'Quote:00000000-0000-7000-8000-000000000000';
      for (const which of STAMPS) {
        const reply = await executeWith(quoteId, await badStamp(which, ''));
        assert.deepEqual([reply.status, reply.body.code], [404, 'QUOTE_NOT_FOUND'], which);
      }
    });

    it('wallets.md §6.12.51, money.md §3.3b: a used key gives the stored reply, whatever the stamp', async () => {
      const quote = await createQuote();
      const payload = requirePayload(quote);
      const done = await executeSigned(platform, quote, owner, 'a-wallet-key');
      assert.equal(done.status, 200);
      await advance(platform, 600);
      for (const which of STAMPS) {
        const stamp = await badStamp(which, payload);
        const reply = await executeWith(quote.id, stamp, platform, { key: 'a-wallet-key' });
        assert.deepEqual([reply.status, reply.raw], [200, done.raw], which);
      }
      owner = (await logIn(platform, wallet.credentialId)).key;
    });

    it('wallets.md §6.12.51: a failed stamp leaves the idempotency key free', async () => {
      const quote = await createQuote();
      const key = 'another-wallet-key';
      const stamp = await badStamp('over other bytes', requirePayload(quote));
      assert.equal((await executeWith(quote.id, stamp, platform, { key })).status, 401);
      const done = await executeSigned(platform, quote, owner, key);
      assert.equal(done.status, 200, done.raw);
    });

    it('wallets.md §6.12.51, money.md §3.3b: the key of the stamp is checked before its signature', async () => {
      const quote = await createQuote();
      const reply = await executeWith(quote.id, await signStamp(newClientKey(), 'other bytes'));
      assert.match(reply.body.reason, /may not sign/);
    });

    it('wallets.md §6.12.51, money.md §3.3, §3.3b: the stamp is checked before the state, the expiry, the parties and the funds', async () => {
      const quotes = await givenRefusable();
      for (const [name, { quote, key, code, on }] of Object.entries(quotes)) {
        const before = (await readTransaction(on, quote.transactionId)).status;
        const rows = await stored(on, quote);
        for (const which of STAMPS) {
          const stamp =
            which === 'over other bytes'
              ? await signStamp(key, 'x')
              : await badStamp(which, requirePayload(quote));
          const reply = await executeWith(quote.id, stamp, on);
          assert.deepEqual([reply.status, reply.body.code], [401, CODES[which]], `${which}, ${name}`);
        }
        assert.equal((await readTransaction(on, quote.transactionId)).status, before, name);
        assert.deepEqual(await stored(on, quote), rows, `${name}: a failed stamp marks nothing`);
        const reply = await executeSigned(on, quote, key);
        assert.equal(reply.body.code, code, name);
      }
    });

    it('money.md §3.3: with a good stamp the state comes before the expiry, and the expiry before the funds', async () => {
      const mine = await givenFundedWallet(platform, 1_500_000);
      const { key } = await logIn(platform, mine.credentialId);
      const wish = { from: mine.accountId, to: outside, send: 1_000_000 };
      const [first, second] = [await quoted(platform, wish), await quoted(platform, wish)];
      assert.equal((await executeSigned(platform, first, key)).status, 200);
      await advance(platform, 300);
      const answers = [await executeSigned(platform, first, key), await executeSigned(platform, second, key)];
      assert.deepEqual(
        answers.map(({ body }) => body.code),
        ['CONFLICT', 'QUOTE_EXPIRED'],
      );
    });

    interface Refusable {
      readonly quote: QuoteReply;
      readonly key: ClientKey;
      /** The code that a valid stamp gets. */
      readonly code: string;
      readonly on: TestPlatform;
    }

    /** Quotes from wallets that cannot be executed, each for a different reason. */
    async function givenRefusable(): Promise<Record<string, Refusable>> {
      const on = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDB'] });
      const to = await givenOutside(on, undefined);
      const make = async (code: string): Promise<Refusable & { readonly wallet: Wallet }> => {
        const mine = await givenFundedWallet(on, 1_000_000);
        const quote = await quoted(on, { from: mine.accountId, to, send: 1_000_000 });
        return { quote, code, on, wallet: mine, key: (await logIn(on, mine.credentialId)).key };
      };
      const expired = await make('QUOTE_EXPIRED');
      // Only the clock moves: the timer that would mark the quote has not run.
      world.clock.advance(300_000);
      const executed = await make('CONFLICT');
      await executeSigned(on, executed.quote, executed.key);
      const frozen = await make('USER_NOT_READY');
      const accountId = uuidOf(frozen.wallet.accountId);
      await (await on.work()).write((tx) => freezeAccount(tx, { accountId }));
      const spent = await make('INSUFFICIENT_FUNDS');
      const other = await quoted(on, { from: spent.wallet.accountId, to, send: 600_000 });
      assert.equal((await executeSigned(on, other, spent.key)).status, 200);
      return { expired, executed, frozen, spent, withdrawn: await givenWithdrawn() };
    }

    /** The platform no longer sends the wallet's currency. */
    async function givenWithdrawn(): Promise<Refusable> {
      const on = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDB'] });
      const to = await givenOutside(on, undefined);
      const mine = await givenFundedWallet(on, 1_000_000);
      const { key } = await logIn(on, mine.credentialId);
      const quote = await quoted(on, { from: mine.accountId, to, send: 1_000_000 });
      await supports(on, ['USD', 'EUR']);
      return { quote, key, code: 'QUOTE_RATE_UNAVAILABLE', on };
    }

    const stored = (on: TestPlatform, { transactionId }: QuoteReply) =>
      world.database.query(sql`
        select status, version from transactions
         where platform_id = ${on.id} and id = ${parseId('Transaction', transactionId)}`);
  });

  it('wallets.md §6.12.51: a quote from a wallet is never executed without a stamp, not even by a call without the header', async () => {
    const quote = await createQuote();
    const reply = await execute(platform, quote.id);
    assert.deepEqual([reply.status, reply.body.code], [401, 'WALLET_SIGNATURE_MISSING']);
    await assertExecutable(quote);
  });
});

async function givenFundedWallet(platform: TestPlatform, amount: number): Promise<Wallet> {
  const wallet = await givenWallet(platform);
  await givenFunds(platform, wallet.accountId, amount);
  return wallet;
}

function requestWith(stamp: string) {
  return {
    id: 'test',
    path: '/',
    search: '',
    remoteAddress: undefined,
    headers: { 'svc-wallet-signature': stamp },
  } as never;
}
