// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { PERSON } from '#tests/given/customers.ts';
import { givenFunds, givenOutside, givenPlatform, postedKinds } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenEuropean, givenScaSession } from '#tests/given/sca.ts';
import { authorize, givenTrusted } from '#tests/given/waiting.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import {
  type ClientKey,
  givenWallet,
  logIn,
  requirePayload,
  signStamp,
} from '#tests/harness/wallet-client.ts';

/** Everything that one execution may have to pass, in the order of money.md §3.3b. */
interface Case {
  /** Whether the source is an embedded wallet, whose owner has to sign; `isSigned`: the owner did. */
  readonly isWallet: boolean;
  readonly isSigned: boolean;
  readonly isSca: boolean;
  readonly isTrusted: boolean;
  readonly hasSession: boolean;
  /** False if the customer was put on hold after the quote was created; checked between stamp and challenge. */
  readonly isReady: boolean;
}

const NAMES = ['isWallet', 'isSigned', 'isSca', 'isTrusted', 'hasSession', 'isReady'] as const;

/** All possible combinations: only wallets need a signature, and only customers under SCA trust accounts and log in. */
const CASES: readonly Case[] = Array.from({ length: 2 ** NAMES.length }, (_, bits) =>
  Object.fromEntries(NAMES.map((name, i) => [name, (bits & (1 << i)) !== 0])),
)
  .map((each) => each as unknown as Case)
  .filter(({ isWallet, isSigned }) => isWallet || isSigned)
  .filter(({ isSca, isTrusted, hasSession }) => isSca || (isTrusted && hasSession));

/** The expected result by that order. */
function expected({ isWallet, isSigned, isSca, isTrusted, hasSession, isReady }: Case): string {
  if (isWallet && !isSigned) return '401 WALLET_SIGNATURE_MISSING';
  if (!isReady) return '403 USER_NOT_READY';
  if (!isSca) return '200 PROCESSING';
  if (!isTrusted) return '200 PENDING_AUTHORIZATION';
  return hasSession ? '200 PROCESSING' : '409 SCA_SESSION_REQUIRED';
}

describe('signature, strong authentication and trust on one execution', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDB'] });
  });

  async function givenCase({ isWallet, isSca, isTrusted, hasSession, isReady }: Case) {
    const customer = isSca
      ? await givenEuropean(platform)
      : (await givenWallet(platform, { ...PERSON, platformCustomerId: undefined })).customer;
    const account = inCurrency(await fetchAccounts(platform, customer.id), isWallet ? 'USDB' : 'USD');
    await givenFunds(platform, account.id, 10_000_000);
    const to = await givenOutside(platform, customer.id);
    if (isSca && isTrusted) await givenTrusted(platform, to);
    if (isSca && hasSession) await givenScaSession(platform, customer);
    const quote = await quoted(platform, { from: account.id, to, send: 1_000_000 });
    const key = isWallet ? await walletKey(account.id) : undefined;
    if (!isReady) {
      const work = await platform.work();
      await work.write((tx) => setCustomerStatus(tx, uuidOf(customer), 'HOLD'));
    }
    return { customer, quote, key };
  }

  async function walletKey(accountId: string): Promise<ClientKey> {
    const { body } = await platform.call('listAuthCredentials', { query: { accountId } });
    return (await logIn(platform, body.data[0]?.id ?? '')).key;
  }

  for (const each of CASES) {
    const name = NAMES.filter((flag) => each[flag]).join(', ');
    it(`money.md §3.3b, §3.3, customers.md §7.10b: ${name || 'nothing'}: ${expected(each)}`, async () => {
      const { customer, quote, key } = await givenCase(each);
      const headers =
        key && each.isSigned ? { 'svc-wallet-signature': await signStamp(key, requirePayload(quote)) } : {};
      const params = { quoteId: quote.id };
      const reply = await platform.call('executeQuote', { params, headers });
      const { status, code } = reply.body as { status?: string; code?: string };
      assert.equal(`${reply.status} ${code ?? status}`, expected(each), reply.raw);
      const kinds = await postedKinds(platform, quote.transactionId);
      if (status !== 'PENDING_AUTHORIZATION') {
        assert.deepEqual(kinds.slice(0, 1), reply.status === 200 ? ['L2'] : []);
        return;
      }
      assert.deepEqual(kinds, ['L3a']);
      // customers.md §7.10b: the stamp was required only once.
      if (!each.hasSession) await givenScaSession(platform, customer);
      assert.equal((await authorize(platform, quote.id)).body.status, 'PROCESSING');
    });
  }
});
