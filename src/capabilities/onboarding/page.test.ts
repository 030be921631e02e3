// lane: whole — the whole hosted page, form by form

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { deleteCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { lockLiveCustomer } from '#capabilities/customers/store.ts';
import { CONSENT_FIELD } from '#capabilities/onboarding/form/consent.ts';
import { saveOwner } from '#capabilities/onboarding/form/save-owner.ts';
import { disablePlatform, enablePlatform } from '#capabilities/platform/set-platform.ts';
import { saveProviderFields } from '#capabilities/platform/store.ts';
import { applyDecision } from '#capabilities/verification/decide.ts';
import { submitCustomer } from '#capabilities/verification/submit-customer.ts';
import { validate } from '#foundation/http/read/validate.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import {
  BUSINESS,
  type CreatedCustomer,
  givenCustomer,
  givenWithoutWallet,
  PERSON,
} from '#tests/given/customers.ts';
import {
  FULL_BUSINESS,
  fetchCustomerStatus,
  givenBusiness,
  givenCompleteBusiness,
  givenCompletePerson,
  givenDocument,
  givenOwner,
  listCustomerEvents,
  listCustomerEventTypes,
  namelessForm,
  OWNER_PERSON,
  PDF,
  submitted,
} from '#tests/given/packets.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const DAY_MS = 24 * 3_600_000;
const LIGHT = { skipVerificationPaperwork: true };

type Fields = Record<string, string | string[]>;
type Files = Record<string, { name?: string; type?: string; content?: string | Uint8Array }>;

/** All fields of a person, by the page's names. */
const WHOLE: Fields = {
  fullName: 'Ada Lovelace',
  birthDate: '1990-12-10',
  nationality: 'US',
  'address.line1': '1 Market St',
  'address.line2': '',
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
const PASSPORT: Files = { 'documents.0.file': { name: 'passport.pdf' } };

const NEW_OWNER: Fields = {
  'owners.0.personalInfo.firstName': 'Charles',
  'owners.0.personalInfo.lastName': 'Babbage',
  'owners.0.personalInfo.birthDate': '1971-12-26',
  'owners.0.personalInfo.nationality': 'US',
  'owners.0.personalInfo.address.line1': '5 Devonshire St',
  'owners.0.personalInfo.address.city': 'Boston',
  'owners.0.personalInfo.address.state': 'MA',
  'owners.0.personalInfo.address.postalCode': '02110',
  'owners.0.personalInfo.address.country': 'US',
  'owners.0.personalInfo.idType': 'SSN',
  'owners.0.personalInfo.identifier': '219-09-9999',
  'owners.0.roles': ['', 'UBO', 'DIRECTOR'],
  'owners.0.ownershipPercentage': '60',
};

const PAPERS = [
  'CERTIFICATE_OF_INCORPORATION',
  'SHAREHOLDER_REGISTER',
  'DIRECTOR_REGISTRY',
  'PROOF_OF_ADDRESS',
];

function papers(): { fields: Fields; files: Files } {
  const fields: Fields = {};
  const files: Files = {};
  for (const [i, type] of PAPERS.entries()) {
    fields[`documents.${i}.documentType`] = type;
    fields[`documents.${i}.country`] = 'US';
    files[`documents.${i}.file`] = { name: `${type.toLowerCase()}.pdf` };
  }
  return { fields, files };
}

describe('the onboarding page (customers.md §6)', () => {
  const world = testWorld();

  async function linkTo(
    platform: TestPlatform,
    customer: CreatedCustomer,
    redirectUri?: string,
  ): Promise<string> {
    const made = await platform.call('createCustomerKycLink', {
      params: { customerId: customer.id },
      body: redirectUri === undefined ? {} : { redirectUri },
    });
    assert.equal(made.status, 201, made.raw);
    const { pathname, search } = new URL(made.body.kycUrl);
    return pathname + search;
  }

  const open = (url: string) => world.app.http.inject({ method: 'GET', url });

  /** The terms are accepted; terms.test.ts covers forms that do not accept them. */
  async function post(url: string, fields: Fields = {}, files: Files = {}) {
    const form = new FormData();
    for (const [name, value] of Object.entries({ [CONSENT_FIELD]: 'V1', ...fields }))
      for (const text of [value].flat()) form.append(name, text);
    for (const [
      name,
      { name: fileName = 'paper.pdf', type = 'application/pdf', content = PDF },
    ] of Object.entries(files))
      form.append(name, new Blob([content as string], { type }), fileName);
    const encoded = new Response(form);
    return world.app.http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
  }

  type Reply = Awaited<ReturnType<typeof post>>;

  /** The errors of a page: the linked field → its text. */
  function errorsOf(reply: Reply): Record<string, string> {
    const [summary = ''] = /<div class="panel wrong" role="alert"[\s\S]*?<\/ul>/.exec(reply.body) ?? [];
    return Object.fromEntries(
      [...summary.matchAll(/<a href="#([^"]+)">([^<]*)<\/a>/g)].map(([, at, text]) => [at, text]),
    );
  }

  const names = (reply: Reply) =>
    [...new Set([...reply.body.matchAll(/ name="([^"]+)"/g)].map(([, name = '']) => name))].filter(
      (name) => !['viewport', 'color-scheme', 'action'].includes(name),
    );

  const read = async (platform: TestPlatform, { id }: CreatedCustomer) =>
    (await platform.call('getCustomerById', { params: { customerId: id } })).body;

  const verifications = async (platform: TestPlatform, { id }: CreatedCustomer) =>
    (await platform.call('listVerifications', { query: { customerId: id } })).body.data;

  const documents = async (platform: TestPlatform, holder: string) =>
    (await platform.call('listDocuments', { query: { documentHolder: holder } })).body.data;

  const bare = (platform: TestPlatform) => givenCustomer(platform, { customerType: 'INDIVIDUAL' });

  it('customers.md §6.4: shows the form with the stored values, but never an identification number', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform);
    const shown = await open(await linkTo(platform, person));
    assert.equal(shown.statusCode, 200);
    for (const text of ['Ada Lovelace', '1990-12-10', '1 Market St', '94105']) {
      assert.ok(shown.body.includes(`value="${text}"`), text);
    }
    assert.match(shown.body, /<option value="SSN" selected>/);
    assert.ok(!shown.body.includes(PERSON.identifier));
    assert.match(shown.body, /On file. Leave this empty to keep it/);
    const business = await givenBusiness(platform);
    await givenOwner(platform, business.id);
    const company = await open(await linkTo(platform, business));
    for (const text of ['Analytical Engines Inc.', 'REG-777', 'Babbage', '5 Devonshire St']) {
      assert.ok(company.body.includes(`value="${text}"`), text);
    }
    assert.ok(!company.body.includes(OWNER_PERSON.identifier));
  });

  it('customers.md §6.4: a number that was just sent is not shown either, valid or not', async () => {
    const platform = await world.platform();
    const url = await linkTo(platform, await bare(platform));
    for (const identifier of ['123-45-6789', '987654321']) {
      const reply = await post(url, { idType: 'SSN', identifier });
      assert.equal(reply.statusCode, 422);
      assert.ok(!reply.body.includes(identifier));
    }
    const company = await linkTo(platform, await givenBusiness(platform));
    const reply = await post(company, { ...NEW_OWNER, 'owners.0.personalInfo.birthDate': '' });
    assert.equal(reply.statusCode, 422);
    assert.ok(!reply.body.includes('219-09-9999'));
    assert.ok(!world.logged.some((line) => /123-45-6789|219-09-9999/.test(line)));
  });

  it('customers.md §6.4: unknown tokens are 404, used and expired ones 410, all as pages', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform);
    const url = await linkTo(platform, person);
    const token = url.split('/').at(-1) ?? '';
    const other = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    const secret = `${token.slice(0, -2)}${token.endsWith('A') ? 'BB' : 'AA'}`;
    for (const wrong of [other, secret, token.slice(1), 'x', '%00', '..%2f..', 'a'.repeat(500)]) {
      for (const reply of [await open(`/onboard/${wrong}`), await post(`/onboard/${wrong}`)]) {
        assert.equal(reply.statusCode, 404, wrong);
        assert.match(String(reply.headers['content-type']), /^text\/html/);
      }
    }
    assert.equal((await open(`/onboard/${other}/done`)).statusCode, 404);
    const late = await linkTo(platform, person);
    assert.equal((await post(url)).statusCode, 303);
    for (const reply of [await open(url), await post(url, { fullName: 'Ada King' })]) {
      assert.equal(reply.statusCode, 410);
      assert.match(String(reply.headers['content-type']), /^text\/html/);
    }
    assert.equal((await open(late)).statusCode, 200);
    await platform.call('advanceSandboxClock', { body: { seconds: DAY_MS / 1_000 - 1 } });
    assert.equal((await open(late)).statusCode, 200);
    await platform.call('advanceSandboxClock', { body: { seconds: 1 } });
    for (const reply of [await open(late), await post(late)]) assert.equal(reply.statusCode, 410);
  });

  it('customers.md §6.4: the token alone authorizes: no cookie, no credentials; its long form also works', async () => {
    const platform = await world.platform();
    const person = await bare(platform);
    const { body } = await platform.call('createCustomerKycLink', { params: { customerId: person.id } });
    const shown = await open(`/onboard/${body.token}`);
    assert.equal(shown.statusCode, 200);
    assert.equal(shown.headers['set-cookie'], undefined);
  });

  it('customers.md §6.4: guessing links uses no database connection that other work needs', async () => {
    const release = Promise.withResolvers<void>();
    // All connections but those for commits.
    const held = Array.from({ length: 18 }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const ended = world.database.transaction(async () => {
        resolve();
        await release.promise;
      });
      return { begun: promise, ended };
    });
    try {
      await Promise.all(held.map(({ begun }) => begun));
      assert.equal((await open(`/onboard/${'A'.repeat(64)}`)).statusCode, 404);
    } finally {
      release.resolve();
      await Promise.all(held.map(({ ended }) => ended));
    }
  });

  it('platform.md §10.3: while a platform is disabled, its links are unknown, like its tokens', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const link = await linkTo(platform, customer);
    const operator = { kind: 'operator', id: 'test' } as const;
    await disablePlatform(world.app.runtime, platform.id, operator);
    assert.equal((await open(link)).statusCode, 404);
    assert.equal((await open(`${link.replace(/\?.*/, '')}/done`)).statusCode, 404);
    assert.equal((await post(link, { ...WHOLE, fullName: 'Somebody Else' }, PASSPORT)).statusCode, 404);
    await enablePlatform(world.app.runtime, platform.id, operator);
    assert.match((await open(link)).body, /Ada Lovelace/);
  });

  it('the page loads nothing, runs no script, cannot be framed and is not cached', async () => {
    const platform = await world.platform();
    const person = await bare(platform);
    const plain = await linkTo(platform, person);
    const back = await linkTo(platform, person, 'https://app.example.com:8443/done?x=1');
    const local = await linkTo(platform, person, 'http://[::1]:3000/done');
    const targets = { [plain]: '', [back]: ' https://app.example.com:8443', [local]: ' http:' };
    for (const [url, target] of Object.entries(targets)) {
      for (const reply of [await open(url), await post(url), await open('/onboard/x')]) {
        const policy = String(reply.headers['content-security-policy']);
        const expected = reply.statusCode === 404 ? '' : target;
        assert.match(
          policy,
          /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]+=*'; img-src data:; base-uri 'none'; /,
        );
        assert.ok(policy.endsWith(`; form-action 'self'${expected}; frame-ancestors 'none'`), policy);
        assert.equal(reply.headers['referrer-policy'], 'no-referrer');
        assert.equal(reply.headers['cache-control'], 'no-store');
        assert.equal(reply.headers['x-content-type-options'], 'nosniff');
        assert.doesNotMatch(
          reply.body,
          /<script|<link (?!rel="icon" href="data:)|<img|<iframe|style="| on[a-z]+="|src="/i,
        );
      }
    }
  });

  it('input of people and platforms is shown as text, never as markup', async () => {
    const platform = await world.platform();
    const nasty = `"><script>alert(1)</script><b a='`;
    const person = await givenCustomer(platform, {
      ...PERSON,
      address: { ...PERSON.address, line1: nasty, city: nasty },
    });
    const url = await linkTo(platform, person);
    const posted = await post(url, { fullName: nasty, 'address.line1': nasty, 'documents.0.country': nasty });
    assert.equal(posted.statusCode, 422);
    const query = await open(`${url}?"><script>alert(1)</script>`);
    await givenDocument(platform, person.id, 'SELFIE');
    for (const { body } of [await open(url), posted, query]) {
      assert.doesNotMatch(body, /<script|<b a=/);
      assert.ok(body.includes('&#34;&#62;&#60;script&#62;'));
    }
  });

  it('customers.md §6.5: the page has up to thirty people; a form with more is refused entirely', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, FULL_BUSINESS);
    const link = await linkTo(platform, business);
    const named = (count: number): Fields =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          [`owners.${i}.personalInfo.firstName`, 'Charles'],
          [`owners.${i}.personalInfo.lastName`, `Babbage ${i}`],
        ]).flat(),
      );
    assert.equal((await post(link, named(31))).statusCode, 400);
    assert.equal((await post(link, { ...named(30), action: 'save' })).statusCode, 422);
  });

  it('customers.md §6.5: if the business has thirty people, the page adds and shows no more', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, FULL_BUSINESS);
    const link = await linkTo(platform, business);
    const name = async (i: number) =>
      void (await givenOwner(
        platform,
        business.id,
        { lastName: `Babbage ${i}` },
        { ownershipPercentage: 1 },
      ));
    for (let i = 0; i < 29; i++) await name(i);
    const cards = async () => {
      const { body } = await open(link);
      return { count: body.match(/class="person"/g)?.length, adds: body.includes('value="addOwner"'), body };
    };
    assert.deepEqual({ ...(await cards()), body: '' }, { count: 29, adds: true, body: '' });
    await name(29);
    await name(30);
    const { count, adds, body } = await cards();
    assert.deepEqual([count, adds], [30, false]);
    assert.match(body, /1 more/);
    const refused = await post(link, { ...NEW_OWNER, action: 'save' });
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, /at most 30 people/);
    const list = await platform.call('listBeneficialOwners', { query: { customerId: business.id } });
    assert.equal(list.body.totalCount, 31);
  });

  it('customers.md §6.5: a form of thirty people with all fields and empty file inputs is accepted', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, FULL_BUSINESS);
    const link = await linkTo(platform, business);
    for (let i = 0; i < 30; i++)
      await givenOwner(platform, business.id, { lastName: `Babbage ${i}` }, { ownershipPercentage: 1 });
    const { body } = await open(link);
    const fields: Fields = {};
    const files: Files = {};
    for (const [, tag, name = ''] of body.matchAll(/<(input|select|textarea)[^>]* name="([^"]+)"/g)) {
      if (name.endsWith('.file')) files[name] = { name: '', content: '', type: 'application/octet-stream' };
      else if (tag !== undefined && !(name in fields)) fields[name] = '';
    }
    assert.ok(Object.keys(files).length > 90);
    const saved = await post(link, { ...fields, action: 'save' }, files);
    assert.ok([200, 422].includes(saved.statusCode), String(saved.statusCode));
  });

  it('customers.md §6.5: a person’s page has personal fields and an identity document', async () => {
    const platform = await world.platform();
    const shown = await open(await linkTo(platform, await bare(platform)));
    assert.deepEqual(
      names(shown).toSorted(),
      [
        ...Object.keys(WHOLE),
        'countryOfIssuance',
        'documents.0.file',
        'documents.1.file',
        'documents.1.side',
        CONSENT_FIELD,
      ].toSorted(),
    );
  });

  it('customers.md §6.5: a business’s page has details, four kinds of documents and its people', async () => {
    const platform = await world.platform();
    const shown = await open(await linkTo(platform, await givenCustomer(platform, BUSINESS)));
    const asked = names(shown);
    const fields = Object.keys(FULL_BUSINESS.businessInfo).map((name) => `businessInfo.${name}`);
    const address = Object.keys(FULL_BUSINESS.address).map((name) => `address.${name}`);
    const wanted = [...fields, ...address, ...Object.keys(papers().fields), ...Object.keys(NEW_OWNER)];
    assert.deepEqual(
      wanted.filter((name) => !asked.includes(name)),
      [],
    );
    assert.ok(asked.includes('owners.0.documents.0.file'));
    assert.match(shown.body, /25 percent or more/);
    for (const title of ['Formation', 'Ownership', 'Control', 'Address'])
      assert.ok(shown.body.includes(`<legend>${title}</legend>`), title);
  });

  for (const [registrationNumber, status] of [
    ['REG-777', 'APPROVED'],
    [undefined, 'APPROVED'],
    ['REG-002', 'REJECTED'],
  ] as const) {
    it(`customers.md §6.6: on a light platform a business with ${registrationNumber} only confirms`, async () => {
      const platform = await world.platform({ settings: LIGHT });
      const businessInfo = { ...BUSINESS.businessInfo, ...(registrationNumber && { registrationNumber }) };
      const business = await givenCustomer(platform, { ...BUSINESS, businessInfo });
      const url = await linkTo(platform, business);
      const shown = await open(url);
      assert.equal(shown.statusCode, 200);
      assert.deepEqual(names(shown), [CONSENT_FIELD]);
      assert.deepEqual(shown.body.match(/<(input|select|textarea|button)[^>]*>/g), [
        `<button name="${CONSENT_FIELD}" value="V1">`,
      ]);
      assert.equal(await fetchCustomerStatus(platform, business.id), 'UNVERIFIED');
      const confirmed = await post(url, { action: 'submit' });
      assert.equal(confirmed.statusCode, 303);
      assert.equal(await fetchCustomerStatus(platform, business.id), status);
      const told = [`VERIFICATION.${status}`, `CUSTOMER.KYB_${status}`];
      assert.deepEqual(await listCustomerEventTypes(platform), told);
      assert.equal((await open(url)).statusCode, 410);
    });
  }

  it('customers.md §6.6: 001 and 003 collect everything even on a light platform', async () => {
    const platform = await world.platform({ settings: LIGHT });
    for (const suffix of ['001', '003']) {
      const business = await givenBusiness(platform, `REG-${suffix}`);
      const url = await linkTo(platform, business);
      assert.ok(names(await open(url)).includes('businessInfo.taxId'));
      assert.equal((await post(url)).statusCode, 422);
      assert.equal(await fetchCustomerStatus(platform, business.id), 'UNVERIFIED');
    }
  });

  it('customers.md §6.7: a decided or reviewed customer sees only the status, and the link stays open', async () => {
    const platform = await world.platform();
    const titles = {
      'Ada Lovelace': 'You are verified',
      'Ada Lovelace 002': 'Verification was not possible',
      'Ada Lovelace 001': 'Your details are being checked',
    };
    for (const [fullName, title] of Object.entries(titles)) {
      const person = await givenCompletePerson(platform, fullName);
      const url = await linkTo(platform, person, 'https://app.example.com/');
      await submitted(platform, person.id);
      const before = await read(platform, person);
      for (const [reply, status] of [
        [await open(url), 200],
        [await post(url, { fullName: 'Somebody Else' }), 409],
      ] as const) {
        assert.equal(reply.statusCode, status);
        assert.ok(reply.body.includes(`<h1>${title}</h1>`), reply.body);
        assert.deepEqual(names(reply), []);
        assert.ok(!reply.body.includes('Lovelace') && !reply.body.includes('<form'));
      }
      assert.deepEqual(await read(platform, person), before);
      assert.equal((await open(url)).statusCode, 200);
    }
  });

  it('customers.md §6.7: a customer on hold sees the status; a pending one without a record does not', async () => {
    const live = await world.platform({ environment: 'PRODUCTION' });
    const person = await givenCompletePerson(live);
    const { id } = await submitted(live, person.id);
    const work = await live.work();
    await work.write((tx) => applyDecision(tx, uuidOf(id), { kind: 'HOLD' }));
    assert.match((await open(await linkTo(live, person))).body, /<h1>Verification is paused<\/h1>/);
    const other = await givenCompletePerson(live);
    const record = uuidOf((await submitted(live, other.id)).id);
    for (const decision of [{ kind: 'CORRECTABLE', problems: [] }, { kind: 'HOLD' }] as const) {
      await work.write((tx) => applyDecision(tx, record, decision));
    }
    assert.match((await open(await linkTo(live, other))).body, /<h1>Verification is paused<\/h1>/);
    const light = await world.platform({ settings: LIGHT });
    const pending = await givenCustomer(light, { ...PERSON, fullName: 'Ada Lovelace 001' });
    assert.equal(await fetchCustomerStatus(light, pending.id), 'PENDING');
    assert.ok(names(await open(await linkTo(light, pending))).includes('fullName'));
  });

  it('customers.md §6.8: an incomplete form is 422 with everything that is missing, creates no record and emits no event', async () => {
    const platform = await world.platform();
    const person = await bare(platform);
    const reply = await post(await linkTo(platform, person));
    assert.equal(reply.statusCode, 422);
    assert.deepEqual(errorsOf(reply), {
      fullName: 'Enter your full name',
      birthDate: 'Enter your date of birth',
      nationality: 'Choose your nationality',
      'address-line1': 'Enter your street and house number',
      'address-city': 'Enter your city',
      'address-postalCode': 'Enter your postal code',
      'address-state': 'Enter your state or province',
      'address-country': 'Choose your country',
      idType: 'Choose the kind of your tax number',
      identifier: 'Enter your tax number',
      'documents-0-file': 'An identity document is missing',
    });
    for (const at of Object.keys(errorsOf(reply))) assert.ok(reply.body.includes(` id="${at}"`), at);
    assert.deepEqual(await verifications(platform, person), []);
    assert.deepEqual(await listCustomerEventTypes(platform), []);
    assert.equal(await fetchCustomerStatus(platform, person.id), 'UNVERIFIED');
  });

  it('customers.md §6.8: valid values are saved next to invalid ones, and all errors are shown together', async () => {
    const platform = await world.platform();
    const person = await bare(platform);
    const url = await linkTo(platform, person);
    const wrong = {
      ...WHOLE,
      fullName: 'Ada  Lovelace',
      birthDate: '2999-01-01',
      nationality: 'XX',
      'address.postalCode': '',
      identifier: '12',
      'documents.0.documentNumber': '',
    };
    const reply = await post(url, wrong, PASSPORT);
    assert.equal(reply.statusCode, 422);
    assert.deepEqual(
      Object.keys(errorsOf(reply)).toSorted(),
      [
        // The rest of the address is not requested again: it is still in the form.
        'address-postalCode',
        'birthDate',
        'documents-0-documentNumber',
        'documents-0-file',
        'fullName',
        'identifier',
        'nationality',
      ].toSorted(),
    );
    assert.ok(reply.body.includes('value="1 Market St"'));
    const stored = await read(platform, person);
    assert.equal(stored.idType, 'SSN');
    assert.equal(stored.fullName, undefined);
    assert.deepEqual(await documents(platform, person.id), []);
    const second = await post(url, { fullName: 'Ada Lovelace', birthDate: '1990-13-10' });
    assert.match(errorsOf(second).birthDate ?? '', /real date/);
    assert.equal((await read(platform, person)).fullName, 'Ada Lovelace');
    const third = await post(url, { ...WHOLE, fullName: '' });
    assert.equal(errorsOf(third).fullName, 'Enter your full name');
    const last = await read(platform, person);
    assert.equal(last.fullName, undefined);
    assert.deepEqual(last.address, PERSON.address);
    assert.equal(last.birthDate, '1990-12-10');
  });

  it('customers.md §6.8: a complete form is submitted like POST /verifications, and the link is used up', async () => {
    const [byPage, byApi] = [await world.platform(), await world.platform()];
    const person = await bare(byPage);
    const url = await linkTo(byPage, person);
    const reply = await post(url, WHOLE, PASSPORT);
    assert.equal(reply.statusCode, 303, reply.body);
    assert.equal(reply.headers.location, `${url}/done`);
    const done = await open(`${url}/done`);
    assert.equal(done.statusCode, 200);
    assert.match(done.body, /<h1>Thank you<\/h1>/);
    await submitted(byApi, (await givenCompletePerson(byApi)).id);
    const shapes = async (platform: TestPlatform) =>
      (await listCustomerEvents(platform)).map(({ type, data }) => [
        type,
        data.verificationStatus ?? data.kycStatus,
      ]);
    assert.deepEqual(await shapes(byPage), await shapes(byApi));
    const [record, ...others] = await verifications(byPage, person);
    assert.equal(record.verificationStatus, 'APPROVED');
    assert.deepEqual(others, []);
    const stored = await read(byPage, person);
    assert.equal(stored.kycStatus, 'APPROVED');
    assert.deepEqual(stored.address, PERSON.address);
    const [passport] = await documents(byPage, person.id);
    assert.equal(passport.fileName, 'passport.pdf');
    assert.equal(passport.documentNumber, 'C01X00T47');
    for (const again of [await open(url), await post(url, WHOLE)]) assert.equal(again.statusCode, 410);
  });

  it('customers.md §6.8: 303 to the unchanged redirectUri, whatever the URL’s query and the outcome', async () => {
    const platform = await world.platform();
    const uri = 'https://App.example.com/a%20b?c=%7B1%7D&d=e#f';
    for (const fullName of ['Ada Lovelace', 'Ada Lovelace 001', 'Ada Lovelace 002', 'Ada Lovelace 003']) {
      const person = await givenCompletePerson(platform, fullName);
      const [path] = (await linkTo(platform, person, uri)).split('?');
      const reply = await post(`${path}?redirectUri=https%3A%2F%2Fevil.example%2F`);
      assert.equal(reply.statusCode, 303);
      assert.equal(reply.headers.location, uri);
    }
  });

  it('customers.md §6.8: RESOLVE_ERRORS keeps the link open, and the page shows the findings', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform, 'Ada Lovelace 003');
    const url = await linkTo(platform, person);
    const first = await post(url);
    assert.equal(first.statusCode, 303);
    assert.match(
      (await open(String(first.headers.location))).body,
      /<h1>There is something to correct<\/h1>/,
    );
    const shown = await open(url);
    assert.equal(shown.statusCode, 200);
    assert.match(shown.body, /Upload a clearer one/);
    assert.deepEqual(await listCustomerEventTypes(platform), ['VERIFICATION.RESOLVE_ERRORS']);
    const second = await post(url, { fullName: 'Ada Lovelace' });
    assert.equal(second.statusCode, 303);
    assert.equal((await open(url)).statusCode, 410);
    assert.equal(await fetchCustomerStatus(platform, person.id), 'APPROVED');
  });

  it('customers.md §6.8: saving for later submits nothing, complete or not', async () => {
    const platform = await world.platform();
    const person = await bare(platform);
    const url = await linkTo(platform, person);
    const part = await post(url, { fullName: 'Ada Lovelace', action: 'save' });
    assert.equal(part.statusCode, 200);
    assert.match(part.body, /Saved\./);
    const whole = await post(url, { ...WHOLE, action: 'save' }, PASSPORT);
    assert.equal(whole.statusCode, 200);
    // Otherwise the description of a saved document would be sent again without its file.
    assert.ok(!whole.body.includes('Department of State"'));
    const words = await post(url, { 'documents.0.issuingAuthority': 'Passport Office', action: 'save' });
    assert.equal(errorsOf(words)['documents-0-file'], 'Choose the file of this document');
    assert.ok(words.body.includes('value="Passport Office"'));
    assert.deepEqual(await verifications(platform, person), []);
    const wrong = await post(url, { birthDate: 'never', action: 'save' });
    assert.equal(wrong.statusCode, 422);
    assert.deepEqual(Object.keys(errorsOf(wrong)), ['birthDate']);
    assert.equal((await post(url)).statusCode, 303);
  });

  it('customers.md §6.8: a business with documents and owners in one form', async () => {
    const platform = await world.platform();
    const business = await givenBusiness(platform);
    const url = await linkTo(platform, business);
    const { fields, files } = papers();
    const reply = await post(url, { ...fields, ...NEW_OWNER }, files);
    assert.equal(reply.statusCode, 303, JSON.stringify(errorsOf(reply)));
    const stored = await read(platform, business);
    assert.equal(stored.kybStatus, 'APPROVED');
    const [owner, ...others] = stored.beneficialOwners;
    assert.deepEqual(others, []);
    const kept = await platform.call('getBeneficialOwner', { params: { beneficialOwnerId: owner.id } });
    assert.deepEqual(kept.body.personalInfo, { ...OWNER_PERSON, countryOfIssuance: 'US' });
    assert.deepEqual(owner.roles, ['UBO', 'DIRECTOR']);
    assert.equal((await documents(platform, business.id)).length, 4);
  });

  it('customers.md §6.8: a foreign owner uploads a passport and both sides of a card', async () => {
    const platform = await world.platform();
    const business = await givenBusiness(platform);
    const url = await linkTo(platform, business);
    const { fields, files } = papers();
    const abroad: Fields = {
      ...NEW_OWNER,
      'owners.0.personalInfo.nationality': 'DE',
      'owners.0.personalInfo.idType': 'NON_US_TAX_ID',
      'owners.0.personalInfo.identifier': 'DE-811907980',
    };
    const first = await post(url, { ...fields, ...abroad }, files);
    assert.equal(first.statusCode, 422);
    assert.deepEqual(errorsOf(first), {
      'owners-0-documents-0-file': 'Charles Babbage: the passport is missing',
      'owners-0-documents-1-file': 'Charles Babbage: an identity document is missing',
    });
    const describedBy = { country: 'DE', documentNumber: 'L01X00T47', issuingAuthority: 'Stadt Berlin' };
    const words = Object.entries(describedBy).flatMap(([name, text]) =>
      [0, 1].map((i) => [`owners.0.documents.${i}.${name}`, text] as const),
    );
    const { body } = await platform.call('listBeneficialOwners', { query: { customerId: business.id } });
    const ownerId = body.data[0].id;
    const second = await post(
      url,
      {
        'owners.0.id': ownerId,
        ...Object.fromEntries(words),
        'owners.0.documents.0.documentType': 'PASSPORT',
        'owners.0.documents.1.documentType': 'NATIONAL_ID',
        'owners.0.documents.2.side': 'BACK',
      },
      Object.fromEntries([0, 1, 2].map((i) => [`owners.0.documents.${i}.file`, {}])),
    );
    assert.equal(second.statusCode, 303, JSON.stringify(errorsOf(second)));
    const held = (await documents(platform, ownerId)).map(({ documentType, side }) => [documentType, side]);
    assert.deepEqual(held.toSorted(), [
      ['NATIONAL_ID', 'BACK'],
      ['NATIONAL_ID', 'FRONT'],
      ['PASSPORT', undefined],
    ]);
  });

  it('customers.md §6.8: a form sent twice adds no owner twice, and owners can be corrected', async () => {
    const platform = await world.platform();
    const business = await givenBusiness(platform);
    const url = await linkTo(platform, business);
    for (let i = 0; i < 2; i++) assert.equal((await post(url, NEW_OWNER)).statusCode, 422);
    const [owner, ...others] = (await read(platform, business)).beneficialOwners;
    assert.deepEqual(others, []);
    const changed = await post(url, {
      'owners.0.id': owner.id,
      'owners.0.ownershipPercentage': '70',
      'owners.0.personalInfo.lastName': '',
      'owners.0.personalInfo.identifier': '',
      'owners.0.roles': [''],
    });
    const errors = errorsOf(changed);
    assert.equal(errors['owners-0-personalInfo-lastName'], 'Enter Charles Babbage’s last name');
    assert.equal(errors['owners-0-roles'], 'Choose Charles Babbage’s part in the business');
    const [after] = (await read(platform, business)).beneficialOwners;
    assert.equal(after.ownershipPercentage, 70);
    assert.deepEqual(after.personalInfo, owner.personalInfo);
    assert.deepEqual(after.roles, owner.roles);
  });

  it('customers.md §6.8: of two forms loaded before any owner existed, one adds the owner and the other finds them', async () => {
    const platform = await world.platform();
    const business = await givenBusiness(platform);
    const work = await platform.work();
    const named = Object.entries(NEW_OWNER).map(([name, value]) => [name.slice(9), [value].flat()] as const);
    const block = { values: new Map(named), documents: [] };
    const save = () => saveOwner(work, business.id, [], block, validate);
    const saved = await Promise.all([save(), save()]);
    const { beneficialOwners } = await read(platform, business);
    assert.equal(beneficialOwners.length, 1);
    const once = { id: beneficialOwners[0].id, problems: [] };
    assert.deepEqual(saved, [once, once]);
  });

  it('customers.md §6.8: a new owner needs all fields; entered values stay in the form', async () => {
    const platform = await world.platform();
    const business = await givenCompleteBusiness(platform);
    const url = await linkTo(platform, business);
    const reply = await post(
      url,
      { 'owners.1.personalInfo.firstName': 'Karl', 'owners.1.ownershipPercentage': '101' },
      { 'owners.1.documents.0.file': {} },
    );
    assert.equal(reply.statusCode, 422);
    const errors = errorsOf(reply);
    assert.equal(errors['owners-1-personalInfo-lastName'], 'Enter Karl’s last name');
    assert.equal(errors['owners-1-ownershipPercentage'], 'Enter the share as a whole number from 0 to 100');
    assert.match(errors['owners-1-documents-0-file'] ?? '', /^Choose this file again/);
    assert.ok(reply.body.includes('value="Karl"'));
    assert.equal((await read(platform, business)).beneficialOwners.length, 1);
    const more = await post(url, { action: 'addOwner' });
    assert.ok(names(more).includes('owners.1.personalInfo.firstName'));
    assert.equal(await fetchCustomerStatus(platform, business.id), 'UNVERIFIED');
  });

  it('customers.md §6.8: an incomplete person stays in the form, which says that the person is not saved', async () => {
    const platform = await world.platform();
    const business = await givenCompleteBusiness(platform);
    const url = await linkTo(platform, business);
    const half: Fields = {
      'owners.1.personalInfo.firstName': 'Karl',
      'owners.1.personalInfo.birthDate': '1970-01-02',
      'owners.1.personalInfo.nationality': 'DE',
      'owners.1.personalInfo.address.city': 'Bonn',
      'owners.1.personalInfo.idType': 'NON_US_TAX_ID',
      'owners.1.personalInfo.identifier': 'DE-811907980',
      'owners.1.ownershipPercentage': '25 %',
      'owners.1.roles': ['', 'TRUSTEE'],
      'owners.1.documents.0.documentType': 'PASSPORT',
      'owners.1.documents.0.country': 'DE',
      'owners.1.documents.0.issuingAuthority': 'Stadt Bonn',
    };
    for (const action of ['save', 'submit', 'addOwner']) {
      const reply = await post(url, { ...half, action });
      assert.equal(reply.statusCode, 422);
      const errors = errorsOf(reply);
      assert.deepEqual(errors, {
        'owners-1-personalInfo-lastName': 'Enter Karl’s last name',
        'owners-1-personalInfo-address-line1': 'Enter Karl’s street and house number',
        'owners-1-personalInfo-address-postalCode': 'Enter Karl’s postal code',
        'owners-1-personalInfo-address-country': 'Choose Karl’s country',
        'owners-1-personalInfo-identifier': 'Enter Karl’s identification number again: it is never shown',
      });
      for (const shown of [
        'value="Karl"',
        'value="1970-01-02"',
        'value="Bonn"',
        'value="25 %"',
        'value="Stadt Bonn"',
        '<option value="NON_US_TAX_ID" selected>',
        'value="TRUSTEE" checked',
      ])
        assert.ok(reply.body.includes(shown), shown);
      assert.match(reply.body, /Karl is not saved yet/);
      assert.ok(!reply.body.includes('DE-811907980'));
      assert.equal((await read(platform, business)).beneficialOwners.length, 1);
    }
    const rest = { lastName: 'Marx', 'address.line1': 'Am Markt 1', 'address.postalCode': '53111' };
    const whole = {
      ...half,
      ...Object.fromEntries(
        Object.entries(rest).map(([name, text]) => [`owners.1.personalInfo.${name}`, text]),
      ),
      'owners.1.personalInfo.address.country': 'DE',
      action: 'save',
    };
    assert.doesNotMatch((await post(url, whole)).body, /not saved yet/);
    const [, karl] = (await read(platform, business)).beneficialOwners;
    assert.deepEqual([karl.personalInfo.lastName, karl.ownershipPercentage], ['Marx', 25]);
  });

  it('customers.md §6.8: no field or file of a minor is stored; typed values stay in the form', async () => {
    const platform = await world.platform();
    const person = await bare(platform);
    const url = await linkTo(platform, person);
    for (const action of ['save', 'submit']) {
      const child = { ...WHOLE, fullName: 'Little Lord', birthDate: '2008-03-03', action };
      const reply = await post(url, child, PASSPORT);
      assert.equal(reply.statusCode, 422);
      const errors = errorsOf(reply);
      assert.match(errors.birthDate ?? '', /^You must be at least 18 years old/);
      assert.match(errors['documents-0-file'] ?? '', /again/);
      for (const shown of ['value="Little Lord"', 'value="2008-03-03"', 'value="1 Market St"'])
        assert.ok(reply.body.includes(shown), shown);
      const { updatedAt, ...stored } = await read(platform, person);
      const { updatedAt: _then, ...before } = person;
      assert.deepEqual(stored, before);
      assert.deepEqual(await documents(platform, person.id), []);
    }
    // From the 18th birthday on it is saved, and an impossible date is an error, not a minor.
    const future = await post(url, { ...WHOLE, birthDate: '2999-01-01', action: 'save' });
    assert.equal(errorsOf(future).birthDate, 'The date of birth cannot be in the future');
    assert.equal((await read(platform, person)).fullName, 'Ada Lovelace');
    assert.equal((await post(url, { ...WHOLE, birthDate: '2008-03-02' }, PASSPORT)).statusCode, 303);
  });

  it('customers.md §6.8: nothing is stored while the stored birth date is that of a minor', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform, { customerType: 'INDIVIDUAL', birthDate: '2015-05-05' });
    const url = await linkTo(platform, person);
    const reply = await post(url, { fullName: 'Little Lord' });
    assert.match(errorsOf(reply).birthDate ?? '', /^You must be at least 18 years old/);
    assert.equal((await read(platform, person)).fullName, undefined);
    assert.equal((await post(url, { ...WHOLE, action: 'save' })).statusCode, 422, 'a file is missing');
    assert.equal((await read(platform, person)).fullName, 'Ada Lovelace');
  });

  it('customers.md §4.3.6: a post box and an invalid postal code are reported next to the typed values, as by POST /verifications', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform);
    const url = await linkTo(platform, person);
    const typed = { ...WHOLE, 'address.line1': 'P.O. Box 12', 'address.postalCode': 'abc' };
    const reply = await post(url, {
      ...typed,
      'documents.0.documentNumber': '',
      'documents.0.issuingAuthority': '',
    });
    assert.equal(reply.statusCode, 422);
    assert.deepEqual(errorsOf(reply), {
      'address-line1': 'Enter the street and house number, not a post box',
      'address-postalCode': 'A US ZIP code has 5 digits, or 5 and 4 such as 94105-1234',
    });
    for (const shown of ['value="P.O. Box 12"', 'value="abc"']) assert.ok(reply.body.includes(shown), shown);
    assert.doesNotMatch(reply.body, /Home address<span>✓/);
    const record = await submitted(platform, person.id);
    assert.equal(record.verificationStatus, 'RESOLVE_ERRORS');
    assert.deepEqual(
      record.errors.map(({ type, field }) => [type, field]),
      [
        ['INVALID_FIELD', 'address.line1'],
        ['INVALID_FIELD', 'address.postalCode'],
      ],
    );
  });

  it('every message is a sentence for people, without the name of a field', async () => {
    const platform = await world.platform();
    await (await platform.work()).write((tx) =>
      saveProviderFields(tx, { USD: { customer: ['FULL_NAME', 'POSTAL_ADDRESS', 'REGISTRATION_NUMBER'] } }),
    );
    const long = 'x'.repeat(7_000);
    const person = await linkTo(platform, await givenCustomer(platform));
    const business = await linkTo(platform, await givenBusiness(platform));
    const company = (value: string): Fields =>
      Object.fromEntries(
        [
          ...Object.keys(FULL_BUSINESS.businessInfo).map((name) => `businessInfo.${name}`),
          ...Object.keys(FULL_BUSINESS.address).map((name) => `address.${name}`),
        ].map((name) => [name, value] as [string, string]),
      );
    const owner = (value: string): Fields =>
      Object.fromEntries(Object.keys(NEW_OWNER).map((name) => [name, value] as [string, string]));
    const replies = [
      await post(person, Object.fromEntries(Object.keys(WHOLE).map((name) => [name, '']))),
      await post(person, Object.fromEntries(Object.keys(WHOLE).map((name) => [name, long])), PASSPORT),
      await post(person, Object.fromEntries(Object.keys(WHOLE).map((name) => [name, '<?>'])), PASSPORT),
      await post(person, {
        idType: 'ITIN',
        identifier: '1',
        countryOfIssuance: 'DE',
        birthDate: '1800-01-01',
      }),
      await post(person, { idType: 'NON_US_TAX_ID', identifier: '1', countryOfIssuance: 'US' }),
      await post(business, { ...company(''), ...owner('') }),
      await post(business, { ...company(long), ...owner(long) }),
      await post(business, { ...company('<?>'), ...owner('<?>') }, { 'documents.0.file': {} }),
      await post(business, { 'businessInfo.purposeOfAccount': 'OTHER', 'businessInfo.taxId': '1' }),
      await post(
        business,
        { 'owners.0.personalInfo.firstName': 'Karl' },
        { 'owners.0.documents.0.file': {} },
      ),
      await post(business, NEW_OWNER),
      await post(business, {
        ...NEW_OWNER,
        'owners.0.ownershipPercentage': '100',
        'owners.0.personalInfo.lastName': 'B',
      }),
    ];
    for (const reply of replies) {
      assert.equal(reply.statusCode, 422);
      const told = Object.values(errorsOf(reply));
      assert.ok(told.length > 0);
      for (const at of Object.keys(errorsOf(reply))) assert.ok(reply.body.includes(` id="${at}"`), at);
      const beside = [...reply.body.matchAll(/class="error"[^>]*>([^<]*)</g)].map(([, text = '']) => text);
      for (const sentence of [...told, ...beside]) {
        assert.ok(sentence.length < 200, 'typed text is not repeated at full length');
        assert.doesNotMatch(sentence, /[a-z]\.[a-z]|[a-z][A-Z]|[A-Z]_[A-Z]|undefined|null/, sentence);
        assert.match(sentence, /^[A-Z][^ ]* [^ ]+/, sentence);
      }
    }
  });

  it('a token reaches its own customer only: other customers’ owners and documents stay unchanged', async () => {
    const platform = await world.platform();
    const mine = await givenBusiness(platform);
    const theirs = await givenBusiness(platform);
    const stranger = await givenOwner(platform, theirs.id);
    const reply = await post(
      await linkTo(platform, mine),
      {
        'owners.0.id': stranger.id,
        'owners.0.personalInfo.firstName': 'Mallory',
        'documents.0.documentHolder': theirs.id,
        'documents.0.documentType': 'UTILITY_BILL',
        'documents.0.country': 'US',
        'owners.0.documents.0.documentType': 'PASSPORT',
      },
      { 'documents.0.file': {}, 'owners.0.documents.0.file': {} },
    );
    assert.equal(reply.statusCode, 422);
    assert.equal((await read(platform, theirs)).beneficialOwners[0].personalInfo.firstName, 'Charles');
    assert.deepEqual(await documents(platform, stranger.id), []);
    assert.deepEqual(await documents(platform, theirs.id), []);
    assert.equal((await documents(platform, mine.id)).length, 1);
  });

  it('customers.md §5: a document replaces the one of its kind; problems of a file are shown', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform);
    const url = await linkTo(platform, person);
    const card = {
      ...WHOLE,
      'documents.0.documentType': 'NATIONAL_ID',
      'documents.1.side': 'BACK',
      action: 'save',
    };
    const both = { 'documents.0.file': { name: 'front.pdf' }, 'documents.1.file': { name: 'back.pdf' } };
    assert.equal((await post(url, card, both)).statusCode, 200);
    assert.equal((await post(url, card, both)).statusCode, 200);
    assert.equal((await documents(platform, person.id)).length, 2);
    const one = await post(url, card, { 'documents.0.file': { name: 'scan.pdf' } });
    assert.equal(one.statusCode, 200);
    const [scan, ...others] = await documents(platform, person.id);
    assert.deepEqual(others, []);
    assert.equal(scan.fileName, 'scan.pdf');
    const back = await post(url, card, { 'documents.1.file': { name: 'back.pdf' } });
    assert.match(errorsOf(back)['documents-1-file'] ?? '', /front and the back together/);
    const bad: [Files[string], RegExp][] = [
      [{ name: 'low_quality.pdf' }, /cannot be read well enough/],
      [{ name: 'letter.txt', type: 'text/html' }, /must be a PDF, a JPEG or a PNG/],
      [{ content: '' }, /must not be empty/],
      [{ content: Buffer.alloc(10_485_761, 'x') }, /at most 10 MB/],
    ];
    for (const [file, expected] of bad) {
      const reply = await post(url, { ...WHOLE, action: 'save' }, { 'documents.0.file': file });
      assert.equal(reply.statusCode, 422);
      assert.match(errorsOf(reply)['documents-0-file'] ?? '', expected);
    }
    assert.equal((await documents(platform, person.id)).length, 1);
  });

  it('customers.md §5.2: a file without type and name is identified by its leading bytes; an empty input is not a file', async () => {
    const platform = await world.platform();
    const person = await bare(platform);
    const link = await linkTo(platform, person);
    const { fullName, ...rest } = WHOLE as Record<string, string>;
    const send = (files: Record<string, string>) => {
      const { body, headers } = namelessForm({ ...rest, action: 'save' }, files);
      return world.app.http.inject({ method: 'POST', url: link, headers, payload: body });
    };
    await send({ 'documents.0.file': '' });
    assert.deepEqual(await documents(platform, person.id), []);
    const refused = await send({ 'documents.0.file': 'MZ nonsense' });
    assert.match(errorsOf(refused)['documents-0-file'] ?? '', /PDF/);
    await send({ 'documents.0.file': '\x89PNG\r\n\x1a\n a picture' });
    const [kept, ...others] = await documents(platform, person.id);
    assert.deepEqual([kept.fileName, others], ['document.png', []]);
    const { body, headers } = namelessForm({}, { 'documents.0.file': PDF });
    const start = body.indexOf(PDF);
    for (const end of [start, start + 1, start + PDF.length]) {
      const broken = { method: 'POST', url: link, headers, payload: body.subarray(0, end) } as const;
      assert.equal((await world.app.http.inject(broken)).statusCode, 400, 'a truncated form');
    }
    assert.equal((await documents(platform, person.id)).length, 1);
  });

  it('customers.md §5.5: a refused file removes neither side of the stored card', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform);
    for (const side of ['FRONT', 'BACK']) await givenDocument(platform, person.id, 'NATIONAL_ID', { side });
    const before = await documents(platform, person.id);
    const url = await linkTo(platform, person);
    const card = { ...WHOLE, 'documents.0.documentType': 'NATIONAL_ID', action: 'save' };
    for (const file of [
      { name: 'low_quality.pdf' },
      { name: 'letter.txt', type: 'text/html' },
      { content: '' },
    ]) {
      const reply = await post(url, card, { 'documents.0.file': file });
      assert.equal(reply.statusCode, 422);
      assert.deepEqual(await documents(platform, person.id), before);
    }
  });

  it('customers.md §3.4: contacts that must be verified again block the submission', async () => {
    const platform = await world.platform();
    const person = await givenWithoutWallet(platform);
    const params = { customerId: person.id };
    for (const word of ['Email', 'Phone'] as const) {
      await platform.call(`sendCustomer${word}Verification`, { params });
      await platform.call(`confirmCustomer${word}Verification`, { params, body: { code: '123456' } });
    }
    const url = await linkTo(platform, person);
    await platform.call('updateCustomerById', {
      params,
      body: { customerType: 'INDIVIDUAL', email: 'new@example.com' },
    });
    const reply = await post(url, WHOLE, PASSPORT);
    assert.equal(reply.statusCode, 422);
    assert.match(reply.body, /Your e-mail address must be verified first/);
    assert.deepEqual(await verifications(platform, person), []);
  });

  it('of concurrent complete forms over two links one is accepted, once', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform);
    const [one, other] = [await linkTo(platform, person), await linkTo(platform, person)];
    const statuses = (await Promise.all([post(one), post(other)])).map(({ statusCode }) => statusCode);
    assert.deepEqual(statuses.toSorted(), [303, 409]);
    assert.equal((await verifications(platform, person)).length, 1);
    assert.deepEqual(await listCustomerEventTypes(platform), [
      'VERIFICATION.APPROVED',
      'CUSTOMER.KYC_APPROVED',
    ]);
  });

  it('customers.md §6.8: the same form sent again gets the same reply, sequentially', async () => {
    const platform = await world.platform();
    const home = 'https://app.example.com/back';
    for (const redirectUri of [undefined, home]) {
      const person = await bare(platform);
      const url = await linkTo(platform, person, redirectUri);
      const first = await post(url, WHOLE, PASSPORT);
      assert.equal(first.statusCode, 303, JSON.stringify(errorsOf(first)));
      for (const again of [await post(url, WHOLE, PASSPORT), await post(url, WHOLE, PASSPORT)]) {
        assert.equal(again.statusCode, 303, again.body);
        assert.equal(again.headers.location, first.headers.location);
      }
      // A different form was not accepted, and the reply does not claim so.
      for (const other of [
        await post(url, { ...WHOLE, fullName: 'Ada King' }, PASSPORT),
        await post(url, WHOLE, { 'documents.0.file': { name: 'passport.pdf', content: 'another' } }),
        await post(url, { ...WHOLE, action: 'save' }, PASSPORT),
        await post(url, WHOLE),
        await open(url),
        await world.app.http.inject({ method: 'POST', url, payload: { fullName: 'Ada Lovelace' } }),
      ])
        assert.equal(other.statusCode, 410);
      assert.equal((await read(platform, person)).fullName, 'Ada Lovelace');
      assert.equal((await verifications(platform, person)).length, 1);
      assert.equal((await documents(platform, person.id)).length, 1);
    }
    const light = await world.platform({ settings: LIGHT });
    const confirmed = await linkTo(light, await givenBusiness(light));
    const locations = [];
    for (let i = 0; i < 2; i++)
      locations.push((await post(confirmed, { action: 'submit' })).headers.location);
    assert.deepEqual(locations, [`${confirmed}/done`, `${confirmed}/done`]);
  });

  it('customers.md §6.8: the same form sent concurrently gets the same reply and is submitted once', async () => {
    const platform = await world.platform();
    const { fields, files } = papers();
    for (const isBusiness of [false, true, false, true]) {
      const customer = isBusiness ? await givenBusiness(platform) : await bare(platform);
      const url = await linkTo(platform, customer);
      // All of them start before the first one saves anything.
      const release = await holdOpen(platform, (tx) => lockLiveCustomer(tx, uuidOf(customer.id)));
      const presses = Array.from({ length: 3 }, () =>
        isBusiness ? post(url, { ...fields, ...NEW_OWNER }, files) : post(url, WHOLE, PASSPORT),
      );
      await untilBlocked(world.databaseUrl, 3, Promise.race(presses));
      await release();
      for (const reply of await Promise.all(presses)) {
        assert.equal(reply.statusCode, 303, JSON.stringify(errorsOf(reply)) || reply.body);
        assert.equal(reply.headers.location, `${url}/done`);
      }
      assert.equal((await verifications(platform, customer)).length, 1);
      assert.equal((await documents(platform, customer.id)).length, isBusiness ? 4 : 1);
      const { beneficialOwners = [] } = await read(platform, customer);
      assert.equal(beneficialOwners.length, isBusiness ? 1 : 0);
    }
  });

  it('customers.md §6.8: a day later the link is used up, whatever is sent', async () => {
    const platform = await world.platform();
    const url = await linkTo(platform, await bare(platform));
    assert.equal((await post(url, WHOLE, PASSPORT)).statusCode, 303);
    await platform.call('advanceSandboxClock', { body: { seconds: DAY_MS / 1_000 } });
    assert.equal((await post(url, WHOLE, PASSPORT)).statusCode, 410);
  });

  it('customers.md §6.7: a form that arrives after the decision, or after the link was used, changes nothing', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform, 'Ada Lovelace 001');
    const url = await linkTo(platform, person);
    const release = await holdOpen(platform, (tx) => submitCustomer(tx, uuidOf(person.id)));
    const posting = post(url, { fullName: 'Somebody Else' }, { 'documents.0.file': { content: 'other' } });
    await untilBlocked(world.databaseUrl, 1, posting);
    await release();
    const reply = await posting;
    assert.equal(reply.statusCode, 409);
    assert.ok(reply.body.includes('<h1>Your details are being checked</h1>'), reply.body);
    assert.equal((await read(platform, person)).fullName, 'Ada Lovelace 001');
  });

  it('customers.md §6.7: a form that adds owners and documents to a business that was confirmed meanwhile changes nothing', async () => {
    const platform = await world.platform();
    const business = await givenCompleteBusiness(platform);
    const url = await linkTo(platform, business);
    const release = await holdOpen(platform, (tx) => submitCustomer(tx, uuidOf(business.id)));
    const fields = { ...NEW_OWNER, 'owners.0.personalInfo.firstName': 'Georgiana', action: 'save' };
    const bill = { 'documents.0.documentType': 'UTILITY_BILL', 'documents.0.country': 'US' };
    const posting = [post(url, fields), post(url, { ...bill, action: 'save' }, { 'documents.0.file': {} })];
    await untilBlocked(world.databaseUrl, 2, Promise.race(posting));
    await release();
    for (const { statusCode } of await Promise.all(posting)) assert.equal(statusCode, 409);
    const { beneficialOwners } = await read(platform, business);
    assert.equal(beneficialOwners.length, 1);
    const types = (await documents(platform, business.id)).map(({ documentType }) => documentType);
    assert.ok(!types.includes('UTILITY_BILL'));
  });

  it('customers.md §2.4.26: a form that arrives while its customer is deleted gets 410', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform);
    const url = await linkTo(platform, person);
    const release = await holdOpen(platform, (tx) => deleteCustomer(tx, uuidOf(person.id)));
    const posting = post(url, { fullName: 'Somebody Else' });
    await untilBlocked(world.databaseUrl, 1, posting);
    await release();
    assert.equal((await posting).statusCode, 410);
    assert.equal((await read(platform, person)).fullName, 'Ada Lovelace');
  });

  it('a form that is refused half way is read to its end: the next request on the connection is answered', async () => {
    const platform = await world.platform();
    const url = await linkTo(platform, await bare(platform));
    const part = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"`;
    const form = Buffer.concat([
      Buffer.from(`${part('fullName')}\r\n\r\n${'a'.repeat(9_000)}\r\n`),
      Buffer.from(`${part('documents.0.file')}; filename="a.pdf"\r\n\r\n`),
      Buffer.alloc(9_000_000, 'x'),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const address = await world.app.http.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.write(
      `POST ${url} HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
        `content-length: ${form.length}\r\n\r\n`,
    );
    socket.write(form);
    socket.write(`GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    const answered = await text(socket);
    assert.deepEqual(
      [...answered.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ['400', '200'],
    );
  });

  it('a form truncated anywhere, in a file or beyond the limits, is 400 with a page', async () => {
    const platform = await world.platform();
    const url = await linkTo(platform, await bare(platform));
    const file = '--b\r\ncontent-disposition: form-data; name="documents.0.file"; filename="a.pdf"\r\n\r\n';
    const cut = '--b\r\ncontent-disposition: form-data; name="x"\r\n\r\nab';
    const nameless = '--b\r\nA:b\r\n\r\nv\r\n';
    const bodies = [
      ...[0, 1, 60_000, 200_000].map((length) => `${file}${'%'.repeat(length)}`),
      ...[1_999, 2_000, 2_001].map((count) => nameless.repeat(count) + cut),
      ...[199, 200, 201].map((count) => `${file}x\r\n`.repeat(count) + file),
      '',
    ];
    for (const payload of bodies) {
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      const reply = await world.app.http.inject({ method: 'POST', url, headers, payload });
      assert.equal(reply.statusCode, 400, `${payload.length} bytes: ${reply.body.slice(0, 300)}`);
      assert.match(String(reply.headers['content-type']), /^text\/html/);
    }
  });

  it('a body that is not a form is 400 with a page', async () => {
    const platform = await world.platform();
    const url = await linkTo(platform, await bare(platform));
    const multipart = 'multipart/form-data; boundary=b';
    const bodies: [string, string | Buffer][] = [
      ['application/x-www-form-urlencoded', 'fullName=Ada'],
      ['application/json', '{}'],
      [multipart, '--b\r\ncontent-disposition: form-data; name="fullName"\r\n\r\nAda'],
      [multipart, `--b\r\ncontent-disposition: form-data; name="fullName"\r\n\r\n\0\r\n--b--\r\n`],
      [
        multipart,
        `--b\r\ncontent-disposition: form-data; name="fullName"\r\n\r\n${'a'.repeat(9_000)}\r\n--b--\r\n`,
      ],
      ['multipart/form-data', 'x'],
      ['text/plain', 'a'.repeat(1_100_000)],
    ];
    for (const [contentType, payload] of bodies) {
      const reply = await world.app.http.inject({
        method: 'POST',
        url,
        headers: { 'content-type': contentType },
        payload,
      });
      assert.equal(reply.statusCode, 400, `${contentType} ${payload.slice(0, 80)}`);
      assert.match(String(reply.headers['content-type']), /^text\/html/);
    }
    const strange: Fields = {
      '__proto__.x': '1',
      'constructor.prototype.y': '1',
      'address.__proto__': '1',
      'owners.0': 'x',
      'owners.999.personalInfo': 'x',
      'documents.0.file': 'text, not a file',
      'businessInfo.legalName': 'x',
      'owners.-1.id': 'x',
    };
    assert.equal((await post(url, strange)).statusCode, 422);
    assert.equal(({} as { x?: string; y?: string }).x ?? ({} as { y?: string }).y, undefined);
  });
});
