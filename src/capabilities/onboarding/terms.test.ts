import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { lockLiveCustomer } from '#capabilities/customers/store.ts';
import { SAMPLE_TERMS } from '#capabilities/customers/terms/sample-terms.ts';
import type { TermsVersion } from '#capabilities/customers/terms/terms.ts';
import { CONSENT_FIELD } from '#capabilities/onboarding/form/consent.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { supports } from '#tests/given/accounts.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { BUSINESS, type CreatedCustomer, givenCustomer } from '#tests/given/customers.ts';
import {
  fetchCustomerStatus,
  givenCompleteBusiness,
  givenCompletePerson,
  listCustomerEventTypes,
  PDF,
  submitted,
} from '#tests/given/packets.ts';
import { execute, fetchPayer, givenFunds, givenOutside, givenQuote } from '#tests/given/payments.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const ACCEPTED = { [CONSENT_FIELD]: 'V1' };
const LIGHT = { skipVerificationPaperwork: true };
const CHANGED = 'The terms have changed: read the new version and accept it';
const MISSING = 'Read the terms and accept them';

const WHOLE = {
  fullName: 'Ada Lovelace',
  birthDate: '1990-12-10',
  nationality: 'US',
  'address.line1': '1 Market St',
  'address.city': 'San Francisco',
  'address.state': 'CA',
  'address.postalCode': '94105',
  'address.country': 'US',
  idType: 'SSN',
  identifier: '123-45-6789',
  'documents.0.documentType': 'PASSPORT',
  'documents.0.country': 'US',
  'documents.0.documentNumber': 'C01X00T47',
  'documents.0.issuingAuthority': 'Department of State',
};

const [V1] = SAMPLE_TERMS as readonly [TermsVersion];
const V2: TermsVersion = {
  ...V1,
  version: 'V2',
  publishedOn: '2026-02-01',
  sections: [{ heading: 'What is new', paragraphs: ['Fees are <shown> before each payment.'] }],
};

describe('the terms on the onboarding page (customers.md §6.6a)', () => {
  const world = testWorld();

  async function linkTo(platform: TestPlatform, { id }: CreatedCustomer): Promise<string> {
    const made = await platform.call('createCustomerKycLink', { params: { customerId: id } });
    return new URL(made.body.kycUrl).pathname;
  }

  const open = (url: string, app: App = world.app) => app.http.inject({ method: 'GET', url });

  async function post(
    url: string,
    fields: Record<string, string>,
    options: { app?: App; passport?: boolean } = {},
  ) {
    const form = new FormData();
    for (const [name, text] of Object.entries(fields)) form.append(name, text);
    if (options.passport)
      form.append('documents.0.file', new Blob([PDF], { type: 'application/pdf' }), 'passport.pdf');
    const encoded = new Response(form);
    return (options.app ?? world.app).http.inject({
      method: 'POST',
      url,
      remoteAddress: '198.51.100.9',
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
  }

  type Reply = Awaited<ReturnType<typeof post>>;

  const told = ({ body }: Reply) => /<a href="#endUserTermsConsent-termsVersion">([^<]*)</.exec(body)?.[1];

  const asks = ({ body }: Reply) => body.includes(`name="${CONSENT_FIELD}"`);

  const loadConsent = async (platform: TestPlatform, { id }: CreatedCustomer) =>
    (await platform.call('getCustomerById', { params: { customerId: id } })).body.endUserTermsConsent;

  const kept = (customer: CreatedCustomer) =>
    world.database.query<{ terms_version: string; acceptance_method: string }>(
      sql`select terms_version, acceptance_method from end_user_terms_consents
           where customer_id = ${uuidOf(customer.id)} order by recorded_at`,
    );

  const bare = (platform: TestPlatform) => givenCustomer(platform, { customerType: 'INDIVIDUAL' });

  /** The same service after new terms were published, like another process. */
  async function withNewTerms<T>(use: (app: App) => Promise<T>): Promise<T> {
    const { clock, vault, personKeys, serviceKey, ports } = world.app.runtime;
    const app = await createApp({
      ...{ database: world.database, vault, personKeys, serviceKey, clock, newId: newUuid },
      names: wireNames('Svc'),
      ...{ domains: TEST_DOMAINS, storage: ports('SANDBOX').storage, terms: [V1, V2] },
      log: pino({ level: 'silent' }),
    });
    try {
      return await use(app);
    } finally {
      await app.close();
    }
  }

  it('customers.md §6.6a, §1.7: a customer onboarded by the page alone can pay', async () => {
    const platform = await world.platform();
    await supports(platform, ['USD', 'EUR']);
    const person = await bare(platform);
    const url = await linkTo(platform, person);
    assert.equal((await post(url, { ...WHOLE, ...ACCEPTED }, { passport: true })).statusCode, 303);
    const payer = await fetchPayer(platform, person);
    await givenFunds(platform, payer.account('USD').id, 100_000);
    const to = await givenOutside(platform, person.id);
    const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to });
    const executed = await execute(platform, quote.id);
    assert.equal(executed.status, 200, executed.raw);
  });

  it('customers.md §6.6a: the text is on the page with its version; a form that does not accept it is 422 and saved', async () => {
    const platform = await world.platform();
    const person = await bare(platform);
    const url = await linkTo(platform, person);
    const shown = await open(url);
    for (const { heading, paragraphs } of V1.sections)
      for (const text of [heading, ...paragraphs]) assert.ok(shown.body.includes(text), text);
    assert.match(shown.body, /Version V1, published/);
    assert.match(shown.body, /<a href="\/terms\/V1" target="_blank" rel="noopener">/);
    const refused = await post(url, WHOLE, { passport: true });
    assert.equal(refused.statusCode, 422);
    assert.equal(told(refused), MISSING);
    assert.match(
      refused.body,
      /id="endUserTermsConsent-termsVersion"[^>]* aria-describedby="[^"]+" aria-invalid="true"/,
    );
    assert.deepEqual(await listCustomerEventTypes(platform), []);
    assert.equal(await loadConsent(platform, person), undefined);
    assert.equal((await post(url, ACCEPTED)).statusCode, 303);
    assert.equal(await fetchCustomerStatus(platform, person.id), 'APPROVED');
  });

  it('customers.md §6.6a: an acceptance is recorded like the API’s, with time, address and method', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform);
    await platform.call('advanceSandboxClock', { body: { seconds: 3_600 } });
    const at = (await platform.call('getSandboxClock')).body.now;
    const saved = await post(await linkTo(platform, person), { ...ACCEPTED, action: 'save' });
    assert.equal(saved.statusCode, 200);
    assert.match(saved.body, /You accepted version V1 on/);
    assert.ok(!asks(saved));
    assert.deepEqual(await loadConsent(platform, person), {
      acceptedAt: at,
      ipAddress: '198.51.100.9',
      termsVersion: 'V1',
      acceptanceMethod: 'CHECKBOX',
    });
    assert.deepEqual(await kept(person), [{ terms_version: 'V1', acceptance_method: 'CHECKBOX' }]);
    assert.deepEqual(await listCustomerEventTypes(platform), []);
  });

  it('customers.md §6.6a: a customer who accepted the current terms, or of a regulated institution, is not asked', async () => {
    const platform = await world.platform();
    const endUserTermsConsent = {
      acceptedAt: '2026-03-01T10:00:00.000Z',
      ipAddress: '203.0.113.7',
      termsVersion: 'V1',
      acceptanceMethod: 'CHECKBOX',
    };
    const person = await givenCustomer(platform, { customerType: 'INDIVIDUAL', endUserTermsConsent });
    const url = await linkTo(platform, person);
    assert.ok(!asks(await open(url)));
    // A second tab from before still sends the checkbox.
    assert.equal((await post(url, { ...ACCEPTED, ...WHOLE }, { passport: true })).statusCode, 303);
    assert.deepEqual(await loadConsent(platform, person), endUserTermsConsent);
    assert.equal((await kept(person)).length, 1);
    const regulated = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
    const business = await givenCustomer(regulated, BUSINESS);
    const confirming = await linkTo(regulated, business);
    const shown = await open(confirming);
    assert.ok(!asks(shown) && !shown.body.includes('/terms/'));
    assert.equal((await post(confirming, { ...ACCEPTED, action: 'submit' })).statusCode, 303);
    assert.equal(await loadConsent(regulated, business), undefined);
  });

  it('customers.md §6.6a: terms that change while the page is open must be accepted again, even by a customer who accepted the old ones', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform);
    const url = await linkTo(platform, person);
    assert.ok((await open(url)).body.includes('value="V1"'));
    await withNewTerms(async (app) => {
      for (const action of ['save', 'submit']) {
        const late = await post(url, { ...ACCEPTED, action }, { app });
        assert.equal(late.statusCode, 422);
        assert.equal(told(late), CHANGED);
        assert.match(late.body, /name="endUserTermsConsent.termsVersion" value="V2" aria-/, 'not ticked');
        assert.match(late.body, /Fees are &#60;shown&#62; before each payment\./);
      }
      assert.equal(await loadConsent(platform, person), undefined);
      const before = await post(url, { ...ACCEPTED, action: 'save' });
      assert.equal(before.statusCode, 200, 'a process that does not have V2 yet');
      assert.ok(asks(await open(url, app)));
      assert.equal(told(await post(url, {}, { app })), MISSING);
      assert.equal((await post(url, { [CONSENT_FIELD]: 'V2' }, { app })).statusCode, 303);
    });
    assert.equal((await loadConsent(platform, person))?.termsVersion, 'V2');
    assert.deepEqual(
      (await kept(person)).map(({ terms_version }) => terms_version),
      ['V1', 'V2'],
    );
  });

  it('customers.md §6.6a: concurrent clicks and tabs record one acceptance', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform);
    const urls = [await linkTo(platform, person), await linkTo(platform, person)];
    const release = await holdOpen(platform, (tx) => lockLiveCustomer(tx, uuidOf(person.id)));
    const presses = [...urls, ...urls].map((url) => post(url, { ...ACCEPTED, action: 'save' }));
    await untilBlocked(world.databaseUrl, 4, Promise.race(presses));
    await release();
    for (const { statusCode } of await Promise.all(presses)) assert.equal(statusCode, 200);
    assert.equal((await kept(person)).length, 1);
    const submits = await Promise.all(urls.map((url) => post(url, ACCEPTED)));
    assert.deepEqual(submits.map(({ statusCode }) => statusCode).toSorted(), [303, 409]);
    assert.equal((await kept(person)).length, 1);
  });

  it('customers.md §6.6a: an unknown version, text in its place and several of them accept nothing', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform);
    const url = await linkTo(platform, person);
    for (const version of ['V0', 'v1', 'on', 'x'.repeat(5_000), '__proto__', '<b>']) {
      const reply = await post(url, { [CONSENT_FIELD]: version });
      assert.equal(reply.statusCode, 422, version);
      assert.equal(told(reply), CHANGED);
    }
    for (const version of ['', '  '])
      assert.equal(told(await post(url, { [CONSENT_FIELD]: version })), MISSING);
    assert.deepEqual(await kept(person), []);
  });

  it('customers.md §6.6a, §6.6: a business that only confirms accepts with the button, in the commit that submits it', async () => {
    const platform = await world.platform({ settings: LIGHT });
    const business = await givenCustomer(platform, BUSINESS);
    const url = await linkTo(platform, business);
    const shown = await open(url);
    assert.match(shown.body, /<button name="endUserTermsConsent.termsVersion" value="V1">/);
    assert.match(shown.body, /By confirming you accept these terms for Analytical Engines Inc\./);
    await withNewTerms(async (app) => {
      const late = await post(url, ACCEPTED, { app });
      assert.equal(late.statusCode, 422);
      assert.ok(late.body.includes(CHANGED) && late.body.includes('value="V2"'));
    });
    assert.equal(await fetchCustomerStatus(platform, business.id), 'UNVERIFIED');
    for (let i = 0; i < 2; i++) assert.equal((await post(url, ACCEPTED)).statusCode, 303);
    assert.equal(await fetchCustomerStatus(platform, business.id), 'APPROVED');
    assert.equal((await loadConsent(platform, business))?.acceptanceMethod, 'CLICK_TO_ACCEPT');
    assert.equal((await kept(business)).length, 1);
  });

  it('customers.md §6.6: a confirmation without terms is still the first submission, and accepts none', async () => {
    const platform = await world.platform({ settings: LIGHT });
    const business = await givenCustomer(platform, BUSINESS);
    assert.equal((await post(await linkTo(platform, business), { action: 'submit' })).statusCode, 303);
    assert.equal(await loadConsent(platform, business), undefined);
  });

  it('customers.md §6.6a, §6.7: a business accepts in its form; one under review is not asked', async () => {
    const platform = await world.platform();
    const business = await givenCompleteBusiness(platform);
    const url = await linkTo(platform, business);
    assert.match((await open(url)).body, /accept them for the business, which I am entitled to act for/);
    assert.equal(told(await post(url, {})), MISSING);
    assert.equal((await post(url, ACCEPTED)).statusCode, 303);
    assert.equal((await loadConsent(platform, business))?.acceptanceMethod, 'CHECKBOX');
    const person = await givenCompletePerson(platform, 'Ada Lovelace 001');
    await submitted(platform, person.id);
    const waiting = await linkTo(platform, person);
    assert.ok(!asks(await open(waiting)));
    assert.equal((await post(waiting, ACCEPTED)).statusCode, 409);
    assert.equal(await loadConsent(platform, person), undefined);
  });
});
