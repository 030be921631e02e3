// lane: whole — searches tables for planted values

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { hashUma, openPrivate } from '#capabilities/payments/details.ts';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import { listUnmatched } from '#capabilities/payments/incoming/store.ts';
import { resolveSuspense } from '#capabilities/payments/operator/resolve-suspense.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { sealStoredPayments } from '#capabilities/payments/seal-stored.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { sql } from '#foundation/database/sql.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import { HELD_MS } from '#foundation/person-keys/spare-people.ts';
import { supports } from '#tests/given/accounts.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { example, givenExternalAccount, readExternalAccount } from '#tests/given/external-accounts.ts';
import { askMint, givenSparkWallet, operationRows } from '#tests/given/mints.ts';
import {
  advance,
  execute,
  fetchPayer,
  givenFunds,
  givenPlatform,
  type Payer,
  readTransaction,
} from '#tests/given/payments.ts';
import { lookedUp, quoted } from '#tests/given/quotes.ts';
import { givenCoin } from '#tests/given/stablecoins.ts';
import { findClearValues } from '#tests/harness/clear-values.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** The tables of payments, accounts, invitations and mints. */
const TABLES = [
  ...['transactions', 'payment_receipts', 'payment_bank_references', 'external_accounts', 'lookups'],
  ...['ownership_challenges', 'internal_accounts', 'onboarding_links', 'invitations'],
  ...['stablecoin_operations', 'jobs'],
];

/** Values that stand nowhere else: people are known by them. */
let numbers = 0;
const planted = (about: string) => `${about}-${randomBytes(6).toString('hex')}-${++numbers}`;

describe('values of people in payments, accounts, invitations and mints (decision 0039)', () => {
  const world = testWorld();
  const texts: string[] = [];
  const plant = (about: string) => {
    const text = planted(about);
    texts.push(text);
    return text;
  };
  let platform: TestPlatform;
  let other: TestPlatform;
  let ada: Payer;
  let bob: Payer;
  let umas: { ada: string; bob: string; grace: string };
  const references = { ada: plant('ref-ada'), bob: plant('ref-bob') };
  const words = { description: plant('memo'), remittanceInformation: plant('remittance') };
  const reference = plant('Rent of Ada');

  before(async () => {
    platform = await givenPlatform(world, { settings: { invitationsConfigured: true } });
    other = await givenPlatform(world);
    const [one, two] = [
      await givenCustomer(platform, {
        ...PERSON,
        fullName: plant('Ada'),
        platformCustomerId: references.ada,
        umaAddress: `$${plant('ada')}@${TEST_DOMAINS.defaultUmaDomain}`,
      }),
      await givenCustomer(platform, {
        ...PERSON,
        fullName: plant('Bob'),
        platformCustomerId: references.bob,
        umaAddress: `$${plant('bob')}@${TEST_DOMAINS.defaultUmaDomain}`,
      }),
    ];
    [ada, bob] = [await fetchPayer(platform, one), await fetchPayer(platform, two)];
    await givenFunds(platform, ada.account('USD').id, 1_000_000);
    const grace = await givenCustomer(other, {
      ...PERSON,
      umaAddress: `$${plant('grace')}@${TEST_DOMAINS.defaultUmaDomain}`,
    });
    umas = { ada: String(one.umaAddress), bob: String(two.umaAddress), grace: String(grace.umaAddress) };
  });

  const write = async <T>(steps: Parameters<Awaited<ReturnType<TestPlatform['work']>>['write']>[0]) =>
    (await (await platform.work()).write(steps)) as T;

  const readRow = async (transactionId: string): Promise<TransactionRow> => {
    const work = await platform.work();
    const row = await work.read((tx) => findTransaction(tx, uuidOf(transactionId)));
    assert.ok(row);
    return row;
  };

  const peopleIn = (sealed: Buffer | null) =>
    sealed === null ? [] : readReferences(sealed).map(({ person }) => person);

  /** Keys are held for minutes: afterwards they are fetched again. */
  const forgetKeys = () => world.clock.advance(HELD_MS);

  const list = async (query: object) => {
    const reply = await platform.call('listTransactions', { query });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body.data as Record<string, unknown>[];
  };

  async function payToBank() {
    const { info } = example('EUR_ACCOUNT');
    const beneficiary = { ...(info.beneficiary as object), fullName: plant('Holder') };
    const platformAccountId = plant('account');
    const iban = 'DE89370400440532013000';
    const rest = { customerId: ada.id, platformAccountId };
    const bank = await givenExternalAccount(platform, 'EUR_ACCOUNT', { iban, beneficiary }, rest);
    assert.equal((await readExternalAccount(platform, bank.id)).platformAccountId, platformAccountId);
    const quote = await quoted(platform, { from: ada.account('USD').id, to: bank.id, more: words });
    assert.equal((await execute(platform, quote.id)).status, 200);
    return quote.transactionId;
  }

  async function payTo(address: string) {
    const more = { description: words.description, lookupId: await lookedUp(platform, address) };
    const quote = await quoted(platform, { from: ada.account('USD').id, to: address, more });
    assert.equal((await execute(platform, quote.id)).status, 200);
    await advance(platform, 5);
    return quote.transactionId;
  }

  const arrival = (more: object) => ({
    providerReference: planted('bank'),
    amount: 700n,
    currency: 'USD',
    rail: 'ACH',
    originator: { accountHolderName: plant('Sender') },
    ...more,
  });

  it('a payment is sealed for its owner, and is shown and found as before', async () => {
    const id = await payToBank();
    const shown = await readTransaction(platform, id);
    assert.equal(shown.platformCustomerId, references.ada);
    assert.equal(shown.description, words.description);
    assert.deepEqual(peopleIn((await readRow(id)).private), [uuidOf(ada.id)]);
    const found = await list({ platformCustomerId: references.ada });
    assert.ok(found.some((one) => one.id === id));
  });

  it('a payment between two customers is sealed for both, and its mirror for the receiver', async () => {
    const id = await payTo(umas.bob);
    assert.deepEqual(peopleIn((await readRow(id)).private), [uuidOf(ada.id), uuidOf(bob.id)].toSorted());
    const sent = await list({ receiverAccountIdentifier: umas.bob, customerId: ada.id });
    assert.deepEqual(
      sent.map((one) => [one.id, (one.destination as { umaAddress: string }).umaAddress]),
      [[id, umas.bob]],
    );
    const [mirror] = await list({ customerId: bob.id });
    assert.deepEqual([mirror?.status, mirror?.platformCustomerId], ['COMPLETED', references.bob]);
    assert.deepEqual(peopleIn((await readRow(String(mirror?.id))).private), [uuidOf(bob.id)]);
    assert.ok((await list({ receiverAccountIdentifier: umas.bob })).length >= 2);
  });

  it('the address of a sender at another provider is sealed, and found by its hash', async () => {
    await platform.receive();
    const senderUmaAddress = `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`;
    const body = {
      ...{ senderUmaAddress, customerId: bob.id },
      ...{ receivingCurrencyCode: 'USD', receivingCurrencyAmount: 500 },
    };
    const offered = await platform.call('sandboxReceive', { body });
    assert.equal(offered.status, 200, offered.raw);
    const [found] = await list({ senderAccountIdentifier: senderUmaAddress });
    assert.equal(found?.id, offered.body.id);
    assert.match(JSON.stringify(found?.source), /"\$success\.usd@/);
    const [stored] = await world.database.query(sql`
      select source_uma, destination_uma from transactions
       where platform_id = ${platform.id} and id = ${uuidOf(offered.body.id)}`);
    assert.deepEqual(stored, { source_uma: null, destination_uma: null });
  });

  it('a reference that the payer chose is sealed, and found by its hash', async () => {
    const accountId = uuidOf(ada.account('USD').id);
    const row = await write<TransactionRow>((tx) => receiveDeposit(tx, arrival({ accountId, reference })));
    const [found] = await list({ reference });
    assert.equal(uuidOf(String(found?.id)), row.id);
    assert.deepEqual(found?.reconciliationInstructions, { reference });
    const search = await platform.send('search', { query: { q: reference } });
    assert.ok(search.raw.includes(row.id), search.raw);
  });

  it('the sender of unmatched money is a stranger of the month, until the money is assigned', async () => {
    const notice = arrival({ reference: plant('For somebody') });
    assert.ok((await write((tx) => receiveDeposit(tx, notice))) instanceof Refusal);
    const stored = async () => {
      const [row] = await world.database.query<{
        sender: Buffer;
        stated_reference: Buffer;
        entry_id: string;
      }>(sql`
        select sender, stated_reference, entry_id from payment_receipts
         where platform_id = ${platform.id} and provider_reference = ${notice.providerReference}`);
      assert.ok(row);
      return row;
    };
    const before = await stored();
    const strangers = await (await platform.work()).read(async (tx) =>
      strangersOf(tx.vault, tx.platformId, tx.now),
    );
    assert.deepEqual(
      [peopleIn(before.sender), peopleIn(before.stated_reference)],
      [[strangers], [strangers]],
    );
    forgetKeys();
    const entryId = before.entry_id as Id<'JournalEntry'>;
    const target = { accountId: uuidOf<'InternalAccount'>(ada.account('USD').id) };
    await write((tx) => resolveSuspense(tx, { entryId, target, reason: 'a test' }));
    const after = await stored();
    const own = [uuidOf(ada.id)];
    assert.deepEqual([peopleIn(after.sender), peopleIn(after.stated_reference)], [own, own]);
    const [shown] = await (await platform.work()).read((tx) => listUnmatched(tx, [entryId]));
    assert.equal(shown?.sender, notice.originator.accountHolderName);
  });

  it('platform.md §5.3: another platform reads and claims an invitation with keys that it fetches by person', async () => {
    const firstName = plant('Grace');
    const made = await platform.call('createInvitation', { body: { inviterUma: umas.ada, firstName } });
    assert.equal(made.status, 201, made.raw);
    const params = { invitationCode: made.body.code };
    forgetKeys();
    const read = await other.call('getInvitation', { params });
    assert.deepEqual([read.body.inviterUma, read.body.firstName], [umas.ada, firstName], read.raw);
    forgetKeys();
    const claimed = await other.call('claimInvitation', { params, body: { inviteeUma: umas.grace } });
    assert.equal(claimed.body.inviteeUma, umas.grace, claimed.raw);
    forgetKeys();
    const listed = await platform.call('getInvitation', { params });
    assert.deepEqual([listed.body.inviterUma, listed.body.inviteeUma], [umas.ada, umas.grace]);
    const stranger = await platform.call('createInvitation', { body: { inviterUma: umas.ada } });
    const elsewhere = `$${plant('who')}@elsewhere.example`;
    const more = { params: { invitationCode: stranger.body.code }, body: { inviteeUma: elsewhere } };
    assert.equal((await other.call('claimInvitation', more)).body.inviteeUma, elsewhere);
    const page = await world.app.http.inject({ url: `/i/${stranger.body.code}` });
    assert.ok(page.body.includes(umas.ada), page.body);
  });

  it('links to the hosted page, and challenges of wallets, are sealed for their customer', async () => {
    const redirectUri = `https://app.example/${plant('back')}`;
    const params = { customerId: ada.id };
    const link = await platform.call('createCustomerKycLink', { params, body: { redirectUri } });
    assert.equal(link.status, 201, link.raw);
    const address = `0x${randomBytes(20).toString('hex')}`;
    texts.push(address);
    const strict = await world.platform({ settings: { counterpartyRequirements: true } });
    const owner = await givenCustomer(strict);
    const rest = { ownershipType: 'FIRST_PARTY', customerId: owner.id };
    const wallet = await givenExternalAccount(
      strict,
      'ETHEREUM_WALLET',
      { address, vaspName: undefined },
      rest,
    );
    const challenge = await strict.call('createExternalAccountOwnershipChallenge', {
      params: { externalAccountId: wallet.id },
      body: { method: 'WALLET_SIGNATURE' },
    });
    assert.equal(challenge.status, 201, challenge.raw);
  });

  it('stablecoins.md §5.7: the note of a mint is sealed for the customer', async () => {
    const coins = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(coins, { enabled: true });
    await supports(coins, ['USD', coin.symbol]);
    const owner = await fetchPayer(coins, await givenCustomer(coins));
    const description = plant('note');
    const bank = await givenExternalAccount(coins, 'USD_ACCOUNT', {}, { customerId: owner.id });
    const wallet = await givenSparkWallet(coins);
    const fundingSource = { type: 'ACH_DEBIT', externalAccountId: bank.id };
    const body = { fundingSource, destination: { accountId: wallet.id }, description };
    const mint = await askMint(coins, coin, body);
    assert.deepEqual([mint.status, mint.body.description], [201, description], mint.raw);
    const [row] = await operationRows(coins, coin);
    assert.deepEqual([row?.description, row?.customer_id], [description, uuidOf(owner.id)]);
    forgetKeys();
    await advance(coins, 15);
  });

  it('no planted value stands in clear, or under a data key, in any of the tables', async () => {
    assert.ok(texts.length > 15, `${texts.length}`);
    const { vault } = world.app.runtime;
    assert.deepEqual(await findClearValues(world.database, vault, TABLES, texts), []);
    const sees = await findClearValues(world.database, vault, TABLES, [uuidOf(ada.id)]);
    assert.ok(sees.length > 5, 'the search finds existing text');
  });

  it('rows of an earlier version are shown, found and listed alike, until they are sealed', async () => {
    const id = await payTo(umas.bob);
    const before = await readTransaction(platform, id);
    const row = await readRow(id);
    const { vault } = world.app.runtime;
    const facts = openPrivate(vault, row);
    const { platformCustomerId, receiverPlatformCustomerId, destinationUma, ...others } = facts;
    const details = {
      ...row.details,
      platformCustomerId,
      receiver: { ...row.details.receiver, platformCustomerId: receiverPlatformCustomerId },
    };
    await world.database.query(sql`
      update transactions
         set private = ${vault.seal(JSON.stringify(others), `transactions.private:${row.id}`)},
             details = ${JSON.stringify(details)}, destination_uma = ${destinationUma}, destination_uma_hash = null
       where platform_id = ${platform.id} and id = ${row.id}`);
    assert.deepEqual(await readTransaction(platform, id), before);
    const byAddress = async () =>
      (await list({ receiverAccountIdentifier: umas.bob, customerId: ada.id })).map((one) => one.id);
    const found = await byAddress();
    assert.ok(found.includes(id) && found.length === 2, JSON.stringify(found));
    const clear = await findClearValues(world.database, vault, TABLES, [references.ada, umas.bob]);
    assert.ok(clear.length >= 2, JSON.stringify(clear));
    let after = await write<Awaited<ReturnType<typeof sealStoredPayments>>>((tx) =>
      sealStoredPayments(tx, undefined, 1),
    );
    assert.ok(after);
    while (after) after = await write((tx) => sealStoredPayments(tx, after, 1));
    assert.deepEqual(await readTransaction(platform, id), before);
    assert.deepEqual(await byAddress(), found);
    assert.deepEqual(peopleIn((await readRow(id)).private), peopleIn(row.private));
    assert.deepEqual(await findClearValues(world.database, vault, TABLES, texts), []);
  });

  it('customers.md §2.4.26b: after the receiver is erased, the payer’s payments keep what is the payer’s', async () => {
    const body = {
      ...PERSON,
      platformCustomerId: plant('ref-carol'),
      umaAddress: `$${plant('carol')}@${TEST_DOMAINS.defaultUmaDomain}`,
    };
    const carol = await givenCustomer(platform, body);
    const rest = { customerId: carol.id, defaultUmaDepositAccount: true };
    await givenExternalAccount(platform, 'USD_ACCOUNT', {}, rest);
    const id = await payTo(body.umaAddress);
    const person = uuidOf<'Customer'>(carol.id);
    assert.deepEqual(peopleIn((await readRow(id)).private), [uuidOf(ada.id), person].toSorted());
    const { vault } = world.app.runtime;
    const address = hashUma(vault, body.umaAddress).toStore;
    const paidTo = () =>
      world.database.query<{ id: string }>(sql`
        select id from transactions where platform_id = ${platform.id} and destination_uma_hash = ${address}`);
    assert.deepEqual(
      (await paidTo()).map((row) => row.id),
      [uuidOf(id)],
    );
    const { id: usd } = (await fetchPayer(platform, carol)).account('USD');
    const deposit = arrival({ accountId: uuidOf(usd), reference: plant('stated') });
    assert.ok(!((await write((tx) => receiveDeposit(tx, deposit))) instanceof Refusal));
    const out = await quoted(platform, { from: usd, to: ada.account('USD').id, send: 700 });
    assert.equal((await execute(platform, out.id)).status, 200);
    await advance(platform, 5);
    const gone = await platform.call('deleteCustomerById', { params: { customerId: carol.id } });
    assert.equal(gone.status, 200, gone.raw);
    await write((tx) => eraseCustomer(tx, person));
    const { personKeys } = world.app.runtime as unknown as {
      personKeys: { erase(platformId: string, people: readonly string[]): Promise<void> };
    };
    await personKeys.erase(platform.id, [person]);
    const shown = await readTransaction(platform, id);
    assert.deepEqual([shown.description, shown.platformCustomerId], [words.description, references.ada]);
    assert.match(JSON.stringify(shown.destination), /\$erased-/);
    assert.ok((await list({ customerId: ada.id })).length > 2);
    // A hash of an erased value would still tell anybody with a guess that it was there.
    assert.deepEqual(await paidTo(), []);
    const hashed = await world.database.query(sql`
      select id from transactions
       where platform_id = ${platform.id} and customer_id = ${person}
         and (source_uma_hash = ${address} or destination_uma_hash = ${address} or reference_hash is not null)`);
    assert.deepEqual(hashed, []);
    const [mirror] = await list({ customerId: carol.id });
    assert.equal(mirror?.platformCustomerId, person);
    // As after a restore: the key of one of two customers is gone, but the rows still have their values.
    const lost = await payTo(umas.bob);
    await personKeys.erase(platform.id, [uuidOf(bob.id)]);
    const unopened = await readTransaction(platform, lost);
    assert.deepEqual([unopened.description, unopened.platformCustomerId], [undefined, uuidOf(ada.id)]);
    assert.match(JSON.stringify(unopened.destination), /\$erased@/);
    assert.ok((await list({})).length > 5);
  });
});
