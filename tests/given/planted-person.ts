import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { updateCustomerStatus } from '#capabilities/customers/store.ts';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import { decideReview } from '#capabilities/verification/review.ts';
import { HOLDER } from '#tests/checks/external-account-examples.ts';
import { executeAs, givenAgentQuote } from '#tests/given/actions.ts';
import { APPROVAL, agentBody, redeem } from '#tests/given/agents.ts';
import { cardFor } from '#tests/given/cards.ts';
import { EUROPEAN, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenDelegatedKey } from '#tests/given/delegated-keys.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { askMint, givenSparkWallet } from '#tests/given/mints.ts';
import { documentFields, documentForm, FULL_BUSINESS, givenOwner, PDF } from '#tests/given/packets.ts';
import { advance, execute, fetchPayer, givenFunds, type Payer } from '#tests/given/payments.ts';
import { purchaseBody, type SimulatedKind, simulate } from '#tests/given/purchases.ts';
import { lookedUp, quoted } from '#tests/given/quotes.ts';
import { approved, givenPasskey, givenTotp, startedLogin } from '#tests/given/sca.ts';
import type { CoinReply } from '#tests/given/stablecoins.ts';
import { TEST_DOMAINS, type TestPlatform } from '#tests/harness/harness.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { callSigned, logIn } from '#tests/harness/wallet-client.ts';

/** The values of one person, which stand nowhere else. Each text contains the mark; the numbers cannot. */
export type PlantedValues = ReturnType<typeof plantedValues>;

/** A mark is a word of letters, and the digits are two. */
export function plantedValues(mark: string, digits: string) {
  const low = mark.toLowerCase();
  return {
    mark,
    numbers: {
      phone: `+1415${digits}39${digits}7`,
      secondPhone: `+49151${digits}48${digits}72`,
      birthDate: `19${digits}-07-19`,
      ownerBirthDate: `19${digits}-03-27`,
      identifier: `219-${digits}-9461`,
      ownerIdentifier: `217-${digits}-8352`,
      taxId: `${digits}-7305816`,
      iban: `DE893704004405${digits}013000`,
      liveIban: ibanOf(`3704004405${digits}013777`),
      bankNumber: `90817${digits}65999`,
      termsAddress: `203.0.113.1${digits}`,
      loginAddress: `198.51.100.1${digits}`,
    },
    texts: {
      fullName: `${mark} Fullname`,
      email: `${low}.mail@people.example`,
      street: `7 ${mark} Lane`,
      city: `${mark}town`,
      formerCity: `${mark}ham`,
      reference: `${low}-reference`,
      uma: `$${low}@${TEST_DOMAINS.defaultUmaDomain}`,
      legalName: `${mark} Engines`,
      officeEmail: `office@${low}.example`,
      businessReference: `${low}-business`,
      funds: `Sales of ${mark}`,
      ownerFirstName: `${mark}owner`,
      ownerLastName: `Of${mark}`,
      europeanName: `${mark} Noether`,
      europeanEmail: `${low}.europe@people.example`,
      europeanReference: `${low}-european`,
      importedName: `${mark} Imported`,
      importedReference: `${low}-imported`,
      documentNumber: `${mark}N1`,
      authority: `Office of ${mark}`,
      fileName: `${low}-passport.pdf`,
      formerFileName: `${low}-former.pdf`,
      newFileName: `${low}-new.pdf`,
      fileContent: `${PDF} of ${mark}`,
      problem: `Not legible: ${mark}`,
      redirect: `https://app.example/${low}-back`,
      holder: `${mark} Holder`,
      bankReference: `${low}-bank`,
      memo: `Rent of ${mark} ${'and more '.repeat(90)}`,
      remittance: `Invoice of ${mark}`,
      umaMemo: `A gift from ${mark}`,
      senderInfo: `${mark} Senderinfo`,
      depositSender: `${mark} Depositor`,
      depositReference: `Deposit by ${mark}`,
      bookedSender: `${mark} Booked`,
      bookedReason: `The statement names ${mark}`,
      cardReference: `${low}-card`,
      merchant: `SHOP ${mark}`,
      freezeReason: `${mark} lost it`,
      closeReason: `${mark} asked to close`,
      keyNickname: `Groceries of ${mark}`,
      passkeyNickname: `Phone of ${mark}`,
      agent: `Booker of ${mark}`,
      agentMemo: `Booked for ${mark}`,
      rejection: `${mark} says no`,
      firstName: `${mark}friend`,
      invitee: `$${low}.friend@elsewhere.example`,
      coinNote: `Coins of ${mark}`,
      coinHolder: `${mark} Coinholder`,
      proposalReason: `${mark} wants it closed`,
      proposalRejection: `${mark} keeps it`,
      disclosureReason: `${mark} called us`,
      workNote: `Asked ${mark} for a scan`,
      liveName: `${mark} Livename`,
      liveEmail: `${low}.live@people.example`,
      liveReference: `${low}-live`,
      liveHolder: `${mark} Liveholder`,
      liveDeposit: `Deposit of ${mark}`,
      liveSender: `${mark} Livesender`,
      breakReason: `${mark} has explained it`,
      creditPayer: `${mark} Creditor`,
      creditText: `Credit of ${mark}`,
      lineParty: `${mark} Counterparty`,
      lineText: `Line of ${mark}`,
      lineReference: `${low}-line`,
      fileReceiver: `${mark} Filereceiver`,
    },
  };
}

/** A German IBAN with its check digits. */
function ibanOf(account: string): string {
  const remainder = BigInt(`${account}131400`) % 97n;
  return `DE${String(98n - remainder).padStart(2, '0')}${account}`;
}

/** A planted person: several customers, because no customer can have everything. */
export interface PlantedPerson {
  readonly values: PlantedValues;
  readonly payer: Payer;
  readonly businessId: string;
  readonly europeanId: string;
}

/** Where people are planted. */
export interface Soil {
  readonly platform: TestPlatform;
  readonly coin: CoinReply;
  /** Runs a command of the operator. */
  operate(...words: string[]): Promise<string>;
}

/** A person with these values in every area, except payments to another one. */
export async function givenPlantedPerson(soil: Soil, values: PlantedValues): Promise<PlantedPerson> {
  const { platform } = soil;
  const payer = await givenIndividual(platform, values);
  await givenPapers(platform, payer.id, values);
  const person = {
    ...{ values, payer },
    businessId: await givenBusiness(platform, values),
    europeanId: await givenEnrolled(platform, values),
  };
  const bank = await givenBanks(platform, person);
  await givenDeposits(soil, person);
  await pay(platform, payer.account('USD').id, bank.eur, {
    ...{ description: values.texts.memo, remittanceInformation: values.texts.remittance },
    senderCustomerInfo: { FULL_NAME: values.texts.senderInfo },
  });
  await givenCard(soil, person);
  await givenWallet(platform, person);
  await givenAgent(platform, person, bank.usd);
  await givenInvitation(platform, values);
  await givenMint(soil, person, bank.usd);
  return person;
}

async function givenIndividual(platform: TestPlatform, { texts, numbers }: PlantedValues): Promise<Payer> {
  const consent = { acceptedAt: '2026-03-01T00:00:00Z', termsVersion: 'V1', acceptanceMethod: 'CHECKBOX' };
  const address = { ...PERSON.address, line1: texts.street, city: texts.formerCity };
  const customer = await givenCustomer(platform, {
    ...PERSON,
    ...{ fullName: texts.fullName, email: texts.email, address, umaAddress: texts.uma },
    ...{ birthDate: numbers.birthDate, phoneNumber: numbers.phone, identifier: numbers.identifier },
    platformCustomerId: texts.reference,
    endUserTermsConsent: { ...consent, ipAddress: numbers.termsAddress },
  });
  const params = { customerId: customer.id };
  const changed = await platform.call('updateCustomerById', {
    params,
    body: { customerType: 'INDIVIDUAL', address: { ...address, city: texts.city } },
  });
  assert.equal(changed.status, 200, changed.raw);
  const link = await platform.call('createCustomerKycLink', {
    params,
    body: { redirectUri: texts.redirect },
  });
  assert.equal(link.status, 201, link.raw);
  const payer = await fetchPayer(platform, customer);
  await givenFunds(platform, payer.account('USD').id, 500_000);
  return payer;
}

async function givenPapers(platform: TestPlatform, holder: string, { texts }: PlantedValues): Promise<void> {
  const { authority: issuingAuthority, documentNumber } = texts;
  const fields = documentFields(holder, 'PASSPORT', { issuingAuthority, documentNumber });
  const made = await platform.call('uploadDocument', {
    body: documentForm(fields, { name: texts.fileName, content: texts.fileContent }),
  });
  assert.equal(made.status, 201, made.raw);
}

/** A document of a business whose verification is open, which was replaced. */
async function givenReplaced(
  platform: TestPlatform,
  holder: string,
  { texts }: PlantedValues,
): Promise<void> {
  const { documentHolder, ...others } = documentFields(holder, 'PROOF_OF_ADDRESS');
  const content = `${texts.fileContent} ${'again '.repeat(2_000)}`;
  const made = await platform.call('uploadDocument', {
    body: documentForm({ documentHolder: holder, ...others }, { name: texts.formerFileName, content }),
  });
  assert.equal(made.status, 201, made.raw);
  const replaced = await platform.call('replaceDocument', {
    params: { documentId: made.body.id },
    body: documentForm(others, { name: texts.newFileName, content }),
  });
  assert.equal(replaced.status, 200, replaced.raw);
}

/** A business with an owner, whose verification found a problem. */
async function givenBusiness(platform: TestPlatform, values: PlantedValues): Promise<string> {
  const { texts, numbers } = values;
  const address = { ...FULL_BUSINESS.address, line1: texts.street, city: texts.city };
  const { legalName, funds: sourceOfFunds } = texts;
  const { id } = await givenCustomer(platform, {
    ...FULL_BUSINESS,
    ...{ address, email: texts.officeEmail, platformCustomerId: texts.businessReference },
    businessInfo: { ...FULL_BUSINESS.businessInfo, legalName, sourceOfFunds, taxId: numbers.taxId },
  });
  await givenOwner(platform, id, {
    ...{ firstName: texts.ownerFirstName, lastName: texts.ownerLastName, address },
    ...{ birthDate: numbers.ownerBirthDate, identifier: numbers.ownerIdentifier },
  });
  const work = await platform.work();
  const problems = [{ type: 'EXPIRED_DOCUMENT', reason: texts.problem } as const];
  await work.write(async (tx) => {
    await updateCustomerStatus(tx, uuidOf<'Customer'>(id as never), 'PENDING');
    await decideReview(tx, uuidOf<'Customer'>(id as never), { kind: 'CORRECTABLE', problems }, texts.problem);
  });
  await givenReplaced(platform, id, values);
  return id;
}

/** A customer with verified contacts and all factors, who logged in. */
async function givenEnrolled(platform: TestPlatform, { texts, numbers }: PlantedValues): Promise<string> {
  const waiting = await givenCustomer(platform, {
    ...EUROPEAN,
    ...{ fullName: texts.europeanName, email: texts.europeanEmail, phoneNumber: numbers.secondPhone },
    platformCustomerId: texts.europeanReference,
  });
  const params = { customerId: waiting.id };
  for (const operation of ['sendCustomerEmailVerification', 'sendCustomerPhoneVerification']) {
    const sent = await platform.send(operation, { params });
    assert.ok(sent.status < 300, sent.raw);
  }
  await advance(platform, 5);
  const customer = await approved(platform, waiting);
  await givenTotp(platform, customer);
  await givenPasskey(platform, customer);
  const body = { ...(await startedLogin(platform, customer)), endUserIpAddress: numbers.loginAddress };
  await advance(platform, 5);
  const done = await platform.call('completeScaLogin', { query: { customerId: customer.id }, body });
  assert.equal(done.status, 200, done.raw);
  return customer.id;
}

async function givenBanks(platform: TestPlatform, { values: { texts, numbers }, payer }: PlantedPerson) {
  const beneficiary = { ...HOLDER, fullName: texts.holder, email: texts.email };
  const rest = { customerId: payer.id };
  const eur = await givenExternalAccount(
    platform,
    'EUR_ACCOUNT',
    { iban: numbers.iban, beneficiary },
    { ...rest, platformAccountId: texts.bankReference },
  );
  const usd = await givenExternalAccount(
    platform,
    'USD_ACCOUNT',
    { accountNumber: numbers.bankNumber, beneficiary: { ...beneficiary, fullName: texts.coinHolder } },
    rest,
  );
  return { eur: eur.id, usd: usd.id };
}

async function givenDeposits({ platform, operate }: Soil, { values, payer }: PlantedPerson): Promise<void> {
  const { depositSender, depositReference: reference, bookedSender, bookedReason } = values.texts;
  const { id } = payer.account('USD');
  const arrival = {
    ...{ accountId: uuidOf<'InternalAccount'>(id as never), amount: 700n, currency: 'USD', rail: 'ACH' },
    providerReference: randomBytes(6).toString('hex'),
    ...{ reference, originator: { accountHolderName: depositSender } },
  };
  await (await platform.work()).write((tx) => receiveDeposit(tx, arrival));
  const book = ['deposit', 'book', id, '--amount', '800', '--currency', 'USD', '--sender', bookedSender];
  const reference2 = randomBytes(6).toString('hex');
  await operate(...book, '--bank-reference', reference2, '--reason', bookedReason, '--yes');
}

/** Pays to an account or to a UMA address. */
export async function pay(platform: TestPlatform, from: string, to: string, more: object, send = 10_000) {
  const lookup = to.startsWith('$') ? { lookupId: await lookedUp(platform, to) } : {};
  const quote = await quoted(platform, { from, to, send, more: { ...more, ...lookup } });
  const done = await execute(platform, quote.id);
  assert.equal(done.status, 200, done.raw);
  await advance(platform, 10);
  return quote.transactionId;
}

async function givenCard({ platform, operate }: Soil, { values, payer }: PlantedPerson): Promise<void> {
  const { cardReference: platformCardId, merchant, freezeReason, closeReason } = values.texts;
  const made = await platform.call('createCard', { body: cardFor(payer, { platformCardId }) });
  assert.equal(made.status, 201, made.raw);
  const { id } = made.body;
  await advance(platform, 1);
  const sent = async (kind: SimulatedKind, body: object) => {
    const reply = await simulate(platform, id, kind, body);
    assert.equal(reply.status, 202, reply.raw);
    await advance(platform, 1);
  };
  await sent('authorization', purchaseBody(1_500, merchant));
  await sent('financial_authorization', purchaseBody(300, merchant));
  const { body } = await platform.call('listTransactions', { query: { cardId: id } });
  const open = body.data.find(({ status }) => status === 'AUTHORIZED');
  assert.ok(open);
  await sent('clearing', { cardTransactionId: open.id, amount: 1_500 });
  const frozen = await platform.call('updateCardById', {
    params: { id },
    body: { status: 'FROZEN', reason: freezeReason },
  });
  assert.equal(frozen.status, 200, frozen.raw);
  await operate('card', 'close', id, '--reason', closeReason, '--yes');
}

/** A passkey of the wallet, and a key that a card pays with. */
async function givenWallet(platform: TestPlatform, { values, payer }: PlantedPerson): Promise<void> {
  const accountId = payer.account('USDB').id;
  const { keyNickname, passkeyNickname } = values.texts;
  const { body } = await platform.call('listAuthCredentials', { query: { accountId } });
  const { key } = await logIn(platform, body.data[0]?.id ?? '');
  const challenge = randomBytes(32).toString('base64url');
  const attestation = createPasskey().register(challenge);
  const added = await callSigned(platform, key, 'createAuthCredential', {
    body: { type: 'PASSKEY', accountId, nickname: passkeyNickname, challenge, attestation },
  });
  assert.equal(added.status, 201, added.raw);
  const paid = await platform.call('createCard', {
    body: { customerId: payer.id, form: 'VIRTUAL', fundingSource: accountId },
  });
  assert.equal(paid.status, 201, paid.raw);
  await givenDelegatedKey(platform, {
    ...{ cardId: paid.body.id, internalAccountId: accountId, nickname: keyNickname },
  });
  await advance(platform, 1);
  const closed = await platform.call('updateCardById', {
    params: { id: paid.body.id },
    body: { status: 'CLOSED' },
  });
  assert.equal(closed.status, 200, closed.raw);
}

async function givenAgent(platform: TestPlatform, { values, payer }: PlantedPerson, to: string) {
  const { agent: name, agentMemo: description, rejection: reason } = values.texts;
  const made = await platform.send('createAgent', { body: { ...agentBody(payer.id, APPROVAL), name } });
  assert.equal(made.status, 201, made.raw);
  const { agent, deviceCode } = made.body;
  const { accessToken } = (await redeem(platform, deviceCode.code)).body;
  const wish = { from: payer.account('USD').id, to, send: 1_000, more: { description } };
  const quote = await givenAgentQuote(platform, { accessToken }, wish);
  const action = await executeAs(platform, { accessToken }, quote.id);
  const params = { agentId: agent.id, actionId: action.body.id };
  const rejected = await platform.call('rejectAgentAction', { params, body: { reason } });
  assert.equal(rejected.status, 200, rejected.raw);
}

async function givenInvitation(platform: TestPlatform, { texts }: PlantedValues): Promise<void> {
  const made = await platform.call('createInvitation', {
    body: { inviterUma: texts.uma, firstName: texts.firstName },
  });
  assert.equal(made.status, 201, made.raw);
  const claimed = await platform.call('claimInvitation', {
    params: { invitationCode: made.body.code },
    body: { inviteeUma: texts.invitee },
  });
  assert.ok(claimed.status < 300, claimed.raw);
}

async function givenMint({ platform, coin }: Soil, { values }: PlantedPerson, bankId: string): Promise<void> {
  const wallet = await givenSparkWallet(platform, values.mark);
  const mint = await askMint(platform, coin, {
    fundingSource: { type: 'ACH_DEBIT', externalAccountId: bankId },
    destination: { accountId: wallet.id },
    description: values.texts.coinNote,
  });
  assert.equal(mint.status, 201, mint.raw);
  await advance(platform, 15);
}
