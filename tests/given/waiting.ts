import assert from 'node:assert/strict';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { givenFunds, givenOutside, type Payer } from '#tests/given/payments.ts';
import { type QuoteReply, quoted, type Wish } from '#tests/given/quotes.ts';
import { givenEuropean, givenScaSession, SCA_CODE } from '#tests/given/sca.ts';
import type { BodyOf, RequestOf } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

/** A customer under strong authentication, logged in, with this much in its USD account and a bank account outside. */
export interface ScaPayer extends Payer {
  readonly usd: string;
  readonly bank: string;
}

export async function givenScaPayer(
  platform: TestPlatform,
  usd = 1_000_000,
  isLoggedIn = true,
): Promise<ScaPayer> {
  const customer = await givenEuropean(platform);
  const accounts = await fetchAccounts(platform, customer.id);
  const account = (code: string) => inCurrency(accounts, code);
  if (usd > 0) await givenFunds(platform, account('USD').id, usd);
  if (isLoggedIn) await givenScaSession(platform, customer);
  const bank = await givenOutside(platform, customer.id);
  return { id: customer.id, accounts, account, usd: account('USD').id, bank };
}

/** An executed quote that waits for its customer. */
export async function givenWaiting(
  platform: TestPlatform,
  payer: ScaPayer,
  wish: Partial<Wish> = {},
): Promise<QuoteReply> {
  const quote = await quoted(platform, { from: payer.usd, to: payer.bank, ...wish });
  const reply = await platform.call('executeQuote', { params: { quoteId: quote.id } });
  assert.equal(reply.status, 200, reply.raw);
  assert.equal(reply.body.status, 'PENDING_AUTHORIZATION');
  return reply.body;
}

export function authorize(
  platform: TestPlatform,
  quoteId: string,
  body: RequestOf<'authorizeQuote'> = { code: SCA_CODE },
) {
  return platform.call('authorizeQuote', { params: { quoteId }, body });
}

/** Trusts an external account, by a text message. */
export async function givenTrusted(platform: TestPlatform, externalAccountId: string): Promise<void> {
  const params = { externalAccountId };
  const started = await platform.call('startBeneficiaryTrust', { params });
  assert.equal(started.status, 200, started.raw);
  const { scaChallenge } = started.body as BodyOf<'startBeneficiaryTrust'>;
  const body = { code: SCA_CODE, challengeId: scaChallenge?.id };
  const done = await platform.call('confirmBeneficiaryTrust', { params, body });
  assert.equal(done.status, 200, done.raw);
}

/** Balance and total balance of the payer's USD account. */
export async function fetchFunds(platform: TestPlatform, payer: Payer): Promise<[number, number]> {
  const account = inCurrency(await fetchAccounts(platform, payer.id), 'USD');
  return [account.balance.amount, account.totalBalance?.amount ?? -1];
}
