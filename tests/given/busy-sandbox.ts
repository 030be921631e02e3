import assert from 'node:assert/strict';
import { executeAs, givenAgentQuote } from '#tests/given/actions.ts';
import { APPROVAL, agentBody, redeem } from '#tests/given/agents.ts';
import { givenCard, givenCardPlatform, givenNewCard } from '#tests/given/cards.ts';
import { BUSINESS, EUROPEAN, givenCustomer } from '#tests/given/customers.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { givenCoins } from '#tests/given/mints.ts';
import { documentFields, documentForm } from '#tests/given/packets.ts';
import { advance, givenPayer, type Payer } from '#tests/given/payments.ts';
import { purchaseBody, settle, simulate } from '#tests/given/purchases.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenCoin } from '#tests/given/stablecoins.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';
import type { Receiver } from '#tests/harness/receiver.ts';

/** A sandbox with something of every kind, and the ids of one thing of each. */
export interface BusySandbox {
  readonly platform: TestPlatform;
  readonly customers: readonly string[];
  readonly account: string;
  readonly wallet: string;
  readonly externalAccount: string;
  readonly quote: string;
  /** Completed, failed, open, with a card and by an agent. */
  readonly payments: readonly string[];
  readonly card: string;
  readonly agent: string;
  readonly coin: string;
  readonly mint: string;
  readonly importJob: string;
  /** Refused, because of a field that a stranger named. */
  readonly request: string;
  /** Refused by its receiver, with a page. */
  readonly event: string;
}

/** People's names have no marks of markup; they may be long, and from right to left. */
const LONG_NAME = `אדה ${'W'.repeat(90)}`;

/** Every field that strangers fill contains `text`, as far as its limits allow. */
export async function givenBusySandbox(world: World, text: string): Promise<BusySandbox> {
  const platform = await givenCardPlatform(world);
  const receiver = await platform.receive();
  receiver.answer({ status: 500, body: text, headers: { 'content-type': 'text/html' } });
  const payer = await givenPayer(platform, 1_000_000, { fullName: LONG_NAME, platformCustomerId: text });
  const people = await givenPeople(platform, payer, text);
  const { card, purchase } = await givenPurchases(world, platform, payer, text);
  const { coin, mint } = await givenMint(platform);
  const externalAccount = await givenPayee(platform, payer, '999', text);
  const completed = await givenPayment(platform, payer, externalAccount, text);
  const failed = await givenPayment(platform, payer, await givenPayee(platform, payer, '002', text), text);
  await advance(platform, 60);
  const { agent, waiting } = await givenAgentPayment(platform, payer, externalAccount, text);
  const { id: quote } = await quoted(platform, {
    ...{ from: payer.account('USD').id, to: externalAccount, more: { description: text } },
  });
  const open = await givenPayment(platform, payer, externalAccount, text);
  const importJob = await givenImport(world, platform, text);
  await givenInvitation(platform, payer, text);
  const request = await givenRefusal(platform, text);
  const event = await givenRefusedEvent(world, platform, receiver);
  return {
    ...{ platform, account: payer.account('USD').id, wallet: payer.account('USDB').id, externalAccount },
    ...{ customers: [payer.id, ...people], quote, payments: [completed, failed, open, purchase, waiting] },
    ...{ card, agent, coin, mint, importJob, request, event },
  };
}

/** A business, and a person whose contacts have to be verified; the payer has a document. */
async function givenPeople(platform: TestPlatform, payer: Payer, text: string): Promise<string[]> {
  const business = await givenCustomer(platform, {
    ...BUSINESS,
    businessInfo: { ...BUSINESS.businessInfo, legalName: text },
  });
  const european = await givenCustomer(platform, {
    ...EUROPEAN,
    fullName: LONG_NAME,
    platformCustomerId: `emmy ${text}`,
  });
  const code = await platform.call('sendCustomerEmailVerification', { params: { customerId: european.id } });
  assert.equal(code.status, 204, code.raw);
  const body = documentForm(documentFields(payer.id), { name: `${text}.pdf` });
  const document = await platform.send('uploadDocument', { body });
  assert.equal(document.status, 201, document.raw);
  const token = await platform.call('createToken', { body: { name: text, permissions: ['VIEW'] } });
  assert.equal(token.status, 201, token.raw);
  return [business.id, european.id];
}

/** A bank account of a stranger; the suffix of its number decides the outcome. */
async function givenPayee(
  platform: TestPlatform,
  payer: Payer,
  suffix: string,
  text: string,
): Promise<string> {
  const account = await givenExternalAccount(
    platform,
    'EUR_ACCOUNT',
    {
      iban: `DE8937040044053201${suffix.padStart(4, '3')}`,
      // A bank's customer has no invisible characters in the name.
      beneficiary: {
        beneficiaryType: 'INDIVIDUAL',
        fullName: text.replaceAll(/\p{Cf}/gu, ''),
        countryOfResidence: 'FR',
      },
    },
    { customerId: payer.id, platformAccountId: `${suffix} ${text}` },
  );
  return account.id;
}

/** An executed payment, whose rail has not answered yet. */
async function givenPayment(platform: TestPlatform, payer: Payer, to: string, text: string): Promise<string> {
  const { transactionId } = await quoted(platform, {
    ...{ from: payer.account('USD').id, to, more: { description: text, immediatelyExecute: true } },
  });
  return transactionId;
}

/** A purchase that is settled in part, one that was declined, and a card that its issuer has not decided on. */
async function givenPurchases(world: World, platform: TestPlatform, payer: Payer, text: string) {
  const card = await givenCard(platform, payer, { platformCardId: text });
  await simulate(platform, card.id, 'authorization', purchaseBody(1_250, text));
  await settle(world, platform);
  const { body } = await platform.call('listTransactions', { query: { cardId: card.id } });
  const purchase = body.data[0]?.id ?? assert.fail('no purchase');
  await simulate(platform, card.id, 'clearing', { cardTransactionId: purchase, amount: 500 });
  await simulate(platform, card.id, 'authorization', purchaseBody(99_000_000, text));
  await settle(world, platform);
  await givenNewCard(platform, payer);
  return { card: card.id, purchase };
}

async function givenMint(platform: TestPlatform) {
  const coin = await givenCoin(platform, { enabled: true });
  const mint = await givenCoins(platform, coin, 25_000_000n);
  return { coin: coin.id, mint: mint.id };
}

/** An agent's payment that waits for the platform's approval. */
async function givenAgentPayment(platform: TestPlatform, payer: Payer, to: string, text: string) {
  const made = await platform.send('createAgent', { body: { ...agentBody(payer.id, APPROVAL), name: text } });
  assert.equal(made.status, 201, made.raw);
  const { body: connected } = await redeem(platform, made.body.deviceCode.code);
  const from = payer.account('USD').id;
  const quote = await givenAgentQuote(platform, connected, { from, to, send: 5_000 });
  const executed = await executeAs(platform, connected, quote.id);
  assert.equal(executed.body.status, 'PENDING_APPROVAL', executed.raw);
  return { agent: made.body.agent.id, waiting: quote.transactionId };
}

/** A file of one row, which is wrong. */
async function givenImport({ app }: World, platform: TestPlatform, text: string): Promise<string> {
  const cell = `"${text.replaceAll('"', '""')}"`;
  const form = new FormData();
  const rows = `platformCustomerId,customerType\n${cell},${cell}\n`;
  form.append('file', new Blob([rows], { type: 'text/csv' }), `${text}.csv`);
  const sent = await platform.send('uploadCustomersCsv', { body: form });
  assert.equal(sent.status, 202, sent.raw);
  await app.worker.settle(platform.id);
  return sent.body.jobId;
}

/** The first name of an invited person has at most 100 characters. */
async function givenInvitation(platform: TestPlatform, payer: Payer, text: string): Promise<void> {
  const { body: customer } = await platform.call('getCustomerById', { params: { customerId: payer.id } });
  const body = { inviterUma: customer.umaAddress, firstName: text.slice(0, 100), amountToSend: 1_000 };
  const invited = await platform.send('createInvitation', { body });
  assert.equal(invited.status, 201, invited.raw);
}

async function givenRefusal(platform: TestPlatform, text: string): Promise<string> {
  const refused = await platform.send('createToken', { body: { name: '', permissions: [text], [text]: 1 } });
  assert.equal(refused.status, 400, refused.raw);
  const { body } = await platform.call('listRequestLogs', { query: { statusClass: '4XX', limit: 1 } });
  return body.data[0]?.id ?? assert.fail('no request');
}

async function givenRefusedEvent(
  { app }: World,
  platform: TestPlatform,
  { received }: Receiver,
): Promise<string> {
  await app.worker.settle(platform.id);
  return received.at(-1)?.body.id ?? assert.fail('no delivery');
}
