// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deleteCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { sql } from '#foundation/database/sql.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import {
  BUSINESS,
  type CreatedCustomer,
  constraintsOf,
  fieldsOf,
  givenCustomer,
} from '#tests/given/customers.ts';
import {
  givenOwner,
  listCustomerEvents,
  listCustomerEventTypes,
  OWNER_PERSON,
  ownerBody,
  submitted,
} from '#tests/given/packets.ts';
import type { AnyReply } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('beneficial owners', () => {
  const world = testWorld();
  const UNKNOWN = '019542f5-b3e7-7d02-8000-000000000099';

  const create = (platform: TestPlatform, body: unknown) => platform.send('createBeneficialOwner', { body });
  const patch = (platform: TestPlatform, id: string, body: unknown) =>
    platform.send('updateBeneficialOwner', { params: { beneficialOwnerId: id }, body });
  const read = (platform: TestPlatform, id: string) =>
    platform.call('getBeneficialOwner', { params: { beneficialOwnerId: id } });

  async function refused(reply: Promise<AnyReply>, status = 400, code = 'INVALID_INPUT') {
    const { status: given, body, raw } = await reply;
    assert.deepEqual([given, body.code], [status, code], raw);
    return body;
  }

  it('customers.md §4.6.11: an owner is added to a business and read back with the full number', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, BUSINESS);
    const body = ownerBody(business.id, {
      middleName: ' Percy ',
      email: 'c@example.com',
      phoneNumber: '+14155550123',
    });
    const made = await create(platform, {
      ...body,
      roles: ['UBO', 'DIRECTOR', 'UBO'],
      id: 'x',
      kycStatus: 'APPROVED',
    });
    assert.equal(made.status, 201, made.raw);
    assert.deepEqual(made.body, {
      id: made.body.id,
      customerId: business.id,
      roles: ['UBO', 'DIRECTOR'],
      ownershipPercentage: 60,
      personalInfo: {
        ...OWNER_PERSON,
        middleName: 'Percy',
        email: 'c@example.com',
        phoneNumber: '+14155550123',
        countryOfIssuance: 'US',
      },
      kycStatus: 'UNVERIFIED',
      createdAt: '2026-03-02T10:00:00.000Z',
      updatedAt: '2026-03-02T10:00:00.000Z',
    });
    assert.deepEqual((await read(platform, made.body.id)).body, made.body);
    const { body: shown } = await platform.call('getCustomerById', { params: { customerId: business.id } });
    const personalInfo = { ...made.body.personalInfo, identifier: '*******9999' };
    assert.deepEqual(shown.beneficialOwners, [{ ...made.body, personalInfo }]);
  });

  it('customers.md §4.6.11: a customer that is read, listed, changed, deleted or in an event shows only a number’s last four characters', async () => {
    const platform = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
    const receiver = await platform.receive();
    const business = await givenCustomer(platform, BUSINESS);
    await givenOwner(platform, business.id, { idType: 'SSN', identifier: '219-09-1234' });
    const other = { idType: 'NON_US_TAX_ID', identifier: 'DE/811.907', countryOfIssuance: 'DE' };
    await givenOwner(platform, business.id, other);
    await givenOwner(platform, business.id, { ...other, identifier: 'AB12' });
    const shown = ['*******1234', '******.907', 'AB12'];
    const params = { customerId: business.id };
    await submitted(platform, business.id);
    await world.app.worker.settle(platform.id);
    const told = (await listCustomerEvents(platform)).filter(({ type }) => type.startsWith('CUSTOMER.KYB_'));
    const sent = receiver.received.map(({ body }) => body);
    const seen = [
      (await platform.call('getCustomerById', { params })).body,
      (await platform.call('listCustomers')).body.data[0],
      (await platform.call('updateCustomerById', { params, body: { customerType: 'BUSINESS' } })).body,
      ...told.map(({ data }) => data),
      ...sent.filter(({ type }) => type.startsWith('CUSTOMER.KYB_')).map(({ data }) => data),
      (await platform.call('deleteCustomerById', { params })).body,
    ];
    assert.deepEqual([told.length, seen.length], [1, 6]);
    for (const { beneficialOwners } of seen as CreatedCustomer[]) {
      const numbers = beneficialOwners.map(({ personalInfo }) => personalInfo.identifier);
      assert.deepEqual(numbers, shown);
    }
  });

  it('customers.md §4.6.11: all four kinds of number are accepted, each in its own format', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform, BUSINESS);
    const good: Record<string, unknown>[] = [
      { idType: 'SSN', identifier: '219-09-9999' },
      { idType: 'ITIN', identifier: '912-34-5678' },
      { idType: 'EIN', identifier: '12-3456789' },
      { idType: 'NON_US_TAX_ID', identifier: 'DE/811.907', countryOfIssuance: 'DE' },
      { idType: 'NON_US_TAX_ID', identifier: '1234' },
    ];
    for (const person of good) {
      const { personalInfo } = await givenOwner(platform, id, person);
      assert.equal(personalInfo.identifier, person.identifier);
    }
    const bad: [Record<string, unknown>, string][] = [
      [{ idType: 'SSN', identifier: '219099999' }, 'personalInfo.identifier'],
      [{ idType: 'ITIN', identifier: '219-09-9999' }, 'personalInfo.identifier'],
      [{ idType: 'EIN', identifier: '#' }, 'personalInfo.identifier'],
      [{ idType: 'NON_US_TAX_ID', identifier: 'abc' }, 'personalInfo.identifier'],
      [{ idType: 'SSN', countryOfIssuance: 'DE' }, 'personalInfo.countryOfIssuance'],
      [
        { idType: 'NON_US_TAX_ID', identifier: '12345', countryOfIssuance: 'US' },
        'personalInfo.countryOfIssuance',
      ],
      [{ idType: 'PASSPORT' }, 'personalInfo.idType'],
    ];
    for (const [person, field] of bad) {
      assert.deepEqual(fieldsOf(await refused(create(platform, ownerBody(id, person)))), [field]);
    }
  });

  it('customers.md §4.6.11: an unknown customer is 404, an individual 400', async () => {
    const platform = await world.platform();
    const stranger = await world.platform();
    const foreign = await givenCustomer(stranger, BUSINESS);
    const deleted = await givenCustomer(platform, BUSINESS);
    await platform.call('deleteCustomerById', { params: { customerId: deleted.id } });
    for (const id of [`Customer:${UNKNOWN}`, foreign.id, deleted.id]) {
      await refused(create(platform, ownerBody(id)), 404, 'CUSTOMER_NOT_FOUND');
    }
    const person = await givenCustomer(platform);
    assert.deepEqual(fieldsOf(await refused(create(platform, ownerBody(person.id)))), ['customerId']);
    assert.deepEqual(fieldsOf(await refused(create(platform, ownerBody(UNKNOWN)))), ['customerId']);
  });

  it('customers.md §4.6.11: empty roles and a share that is not an integer from 0 to 100 are named', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform, BUSINESS);
    for (const ownershipPercentage of [-1, 101, 12.5, '60', undefined]) {
      const body = { ...ownerBody(id), roles: [], ownershipPercentage };
      assert.deepEqual(fieldsOf(await refused(create(platform, body))), ['roles', 'ownershipPercentage']);
    }
    for (const roles of [['KING'], undefined, 'UBO']) {
      const fields = fieldsOf(await refused(create(platform, { ...ownerBody(id), roles })));
      assert.match(fields.join(), /^roles/);
    }
    for (const ownershipPercentage of [0, 100]) await givenOwner(platform, id, {}, { ownershipPercentage });
  });

  it('customers.md §4.6.11: all invalid fields of the person are named together, in document order', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform, BUSINESS);
    const person = {
      firstName: ' ',
      middleName: 'a  b',
      lastName: 'x'.repeat(251),
      birthDate: '2027-01-01',
      nationality: 'usa',
      email: 'nobody',
      phoneNumber: '0171',
      address: { line1: 'x', country: 'US' },
      idType: 'SSN',
      identifier: '1',
      countryOfIssuance: 'DE',
    };
    const body = await refused(create(platform, ownerBody(id, person)));
    assert.deepEqual(
      fieldsOf(body),
      [
        'firstName',
        'middleName',
        'lastName',
        'birthDate',
        'nationality',
        'email',
        'phoneNumber',
        'address.postalCode',
        'identifier',
        'countryOfIssuance',
      ].map((field) => `personalInfo.${field}`),
    );
    const constraints = constraintsOf(body);
    assert.deepEqual(constraints['personalInfo.birthDate'], { format: 'date' });
    assert.deepEqual(constraints['personalInfo.identifier'], { format: 'us-ssn' });
    const empty = await refused(create(platform, ownerBody(id, {}, { personalInfo: {} })));
    assert.deepEqual(
      fieldsOf(empty),
      ['firstName', 'lastName', 'birthDate', 'nationality', 'address', 'idType', 'identifier'].map(
        (field) => `personalInfo.${field}`,
      ),
    );
    const missing = await refused(create(platform, {}));
    assert.deepEqual(fieldsOf(missing), ['customerId', 'roles', 'ownershipPercentage', 'personalInfo']);
  });

  it('customers.md §4.6.12: an owner added to a terminal business is decided at once by suffix; owners have no events', async () => {
    const platform = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
    const business = await givenCustomer(platform, BUSINESS);
    assert.equal((await givenOwner(platform, business.id)).kycStatus, 'UNVERIFIED');
    await submitted(platform, business.id);
    const told = await listCustomerEventTypes(platform);
    const loadStatus = async (lastName: string) =>
      (await givenOwner(platform, business.id, { lastName })).kycStatus;
    assert.equal(await loadStatus('Babbage 001'), 'PENDING');
    assert.equal(await loadStatus('Babbage 002'), 'REJECTED');
    assert.equal(await loadStatus('Babbage 003'), 'APPROVED');
    assert.equal(await loadStatus('Babbage'), 'APPROVED');
    assert.deepEqual(await listCustomerEventTypes(platform), told);
  });

  it('customers.md §4.6.12: in production an owner added to a terminal business is PENDING', async () => {
    const settings = { isRegulatedFinancialInstitution: true };
    const platform = await world.platform({ environment: 'PRODUCTION', settings });
    const business = await givenCustomer(platform, BUSINESS);
    await submitted(platform, business.id);
    assert.equal((await givenOwner(platform, business.id, { lastName: 'Babbage 002' })).kycStatus, 'PENDING');
  });

  it('customers.md §4.6.12: an owner added while the business is submitted is never left undecided', async () => {
    const platform = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
    for (let round = 0; round < 5; round++) {
      const business = await givenCustomer(platform, BUSINESS);
      await Promise.all([givenOwner(platform, business.id), submitted(platform, business.id)]);
      const { body } = await platform.call('getCustomerById', { params: { customerId: business.id } });
      assert.deepEqual([body.kybStatus, body.beneficialOwners[0].kycStatus], ['APPROVED', 'APPROVED']);
    }
  });

  it('customers.md §2.4.26: an owner cannot be added while the business is being deleted', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, BUSINESS);
    const uuid = uuidOf(business.id);
    const release = await holdOpen(platform, (tx) => deleteCustomer(tx, uuid));
    const adding = create(platform, ownerBody(business.id));
    await untilBlocked(world.databaseUrl, 1, adding);
    await release();
    await refused(adding, 404, 'CUSTOMER_NOT_FOUND');
    const [row] = await world.database.query<{ count: bigint }>(
      sql`select count(*) from beneficial_owners where platform_id = ${platform.id}`,
    );
    assert.equal(row?.count, 0n);
  });

  it('customers.md §4.6.13: the list needs a customer, and is paged, newest first', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, BUSINESS);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.unshift((await givenOwner(platform, business.id)).id);
      world.clock.advance(1_000);
    }
    const list = (query: Record<string, string | number>) => platform.call('listBeneficialOwners', { query });
    assert.deepEqual(fieldsOf(await refused(list({}))), ['customerId']);
    assert.deepEqual(fieldsOf(await refused(list({ customerId: 'Customer:x' }))), ['customerId']);
    const first = await list({ customerId: business.id, limit: 2 });
    assert.deepEqual([first.body.hasMore, first.body.totalCount], [true, 3]);
    const rest = await list({ customerId: business.id, limit: 2, cursor: first.body.nextCursor });
    const listed = [...first.body.data, ...rest.body.data].map(({ id }) => id);
    assert.deepEqual(listed, ids);
    assert.deepEqual((await list({ customerId: `Customer:${UNKNOWN}` })).body.data, []);
    const stranger = await world.platform();
    const foreign = await stranger.call('listBeneficialOwners', { query: { customerId: business.id } });
    assert.deepEqual(foreign.body.data, []);
  });

  it('customers.md §4.6.13: PATCH merges personalInfo by key, replaces address and roles, and keeps the status', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, BUSINESS);
    const owner = await givenOwner(platform, business.id, { email: 'c@example.com', middleName: 'Percy' });
    world.clock.advance(1_000);
    const address = { line1: '2 New Road', postalCode: 'SW1', country: 'GB' };
    const reply = await patch(platform, owner.id, {
      customerId: `Customer:${UNKNOWN}`,
      kycStatus: 'APPROVED',
      roles: ['TRUSTEE'],
      personalInfo: { lastName: 'Babbage 002', address, email: null },
    });
    assert.equal(reply.status, 200, reply.raw);
    const { email, ...person } = owner.personalInfo;
    assert.deepEqual(reply.body, {
      ...owner,
      roles: ['TRUSTEE'],
      personalInfo: { ...person, lastName: 'Babbage 002', address },
      updatedAt: reply.body.updatedAt,
    });
    assert.ok(reply.body.updatedAt > owner.updatedAt);
    assert.deepEqual((await read(platform, owner.id)).body, reply.body);
    const share = await patch(platform, owner.id, { ownershipPercentage: 5 });
    assert.deepEqual([share.body.ownershipPercentage, share.body.roles], [5, ['TRUSTEE']]);
    assert.equal((await patch(platform, owner.id, {})).status, 200);
  });

  it('customers.md §4.6.13: the fields of PATCH are checked together with the stored ones', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, BUSINESS);
    const owner = await givenOwner(platform, business.id);
    const change = (personalInfo: object) => patch(platform, owner.id, { personalInfo });
    assert.deepEqual(fieldsOf(await refused(change({ idType: 'ITIN' }))), ['personalInfo.identifier']);
    assert.deepEqual(fieldsOf(await refused(change({ identifier: 'x' }))), ['personalInfo.identifier']);
    assert.equal((await change({ idType: 'NON_US_TAX_ID', identifier: 'GB-77/1' })).status, 200);
    const bad = await refused(
      patch(platform, owner.id, {
        roles: [],
        ownershipPercentage: 101,
        personalInfo: { firstName: null, birthDate: '1890-01-01' },
      }),
    );
    assert.deepEqual(fieldsOf(bad), [
      'roles',
      'ownershipPercentage',
      'personalInfo.firstName',
      'personalInfo.birthDate',
    ]);
  });

  it('customers.md §2.1.10: PATCH names all invalid fields, alone or combined with the stored ones', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, BUSINESS);
    const owner = await givenOwner(platform, business.id);
    const bad = { ownershipPercentage: 101, personalInfo: { firstName: ' ', identifier: 'not an SSN' } };
    assert.deepEqual(fieldsOf(await refused(patch(platform, owner.id, bad))), [
      'ownershipPercentage',
      'personalInfo.firstName',
      'personalInfo.identifier',
    ]);
    const unknown = await refused(patch(platform, `BeneficialOwner:${UNKNOWN}`, bad));
    assert.deepEqual(fieldsOf(unknown), ['ownershipPercentage', 'personalInfo.firstName']);
  });

  it('customers.md §4.6.13: a change never changes the status, terminal or not', async () => {
    const platform = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
    const business = await givenCustomer(platform, BUSINESS);
    const owner = await givenOwner(platform, business.id);
    await submitted(platform, business.id);
    const renamed = await patch(platform, owner.id, { personalInfo: { lastName: 'Babbage 002' } });
    assert.equal(renamed.body.kycStatus, 'APPROVED');
  });

  it('customers.md §4.6.13: there is no delete', () => {
    const methods = world.app.operations
      .filter(({ path }) => path.startsWith('/beneficial-owners'))
      .map(({ method }) => method);
    assert.deepEqual(methods.sort(), ['GET', 'GET', 'PATCH', 'POST']);
  });

  it('customers.md §1.3: owners that are unknown, foreign or of a deleted customer are 404 NOT_FOUND', async () => {
    const platform = await world.platform();
    const stranger = await world.platform();
    const business = await givenCustomer(platform, BUSINESS);
    const owner = await givenOwner(platform, business.id);
    for (const id of [`BeneficialOwner:${UNKNOWN}`, 'BeneficialOwner:x', `Customer:${UNKNOWN}`]) {
      await refused(read(platform, id), 404, 'NOT_FOUND');
      await refused(patch(platform, id, {}), 404, 'NOT_FOUND');
    }
    await refused(read(stranger, owner.id), 404, 'NOT_FOUND');
    await refused(patch(stranger, owner.id, { ownershipPercentage: 1 }), 404, 'NOT_FOUND');
    assert.equal(
      (await platform.call('deleteCustomerById', { params: { customerId: business.id } })).status,
      200,
    );
    await refused(read(platform, owner.id), 404, 'NOT_FOUND');
    await refused(patch(platform, owner.id, {}), 404, 'NOT_FOUND');
    const list = await platform.call('listBeneficialOwners', { query: { customerId: business.id } });
    assert.deepEqual(list.body.data, []);
  });

  it('concurrent changes to one owner are all kept', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, BUSINESS);
    const { id } = await givenOwner(platform, business.id);
    const changes = [
      { firstName: 'Karl' },
      { middleName: 'Otto' },
      { email: 'k@example.com' },
      { phoneNumber: '+14155550199' },
    ];
    await Promise.all(changes.map((personalInfo) => patch(platform, id, { personalInfo })));
    const { body } = await read(platform, id);
    for (const change of changes) {
      assert.deepEqual({ ...body.personalInfo, ...change }, body.personalInfo);
    }
  });

  it('the number is sealed in its row, and the same number is sealed differently in another row', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, BUSINESS);
    await givenOwner(platform, business.id);
    await givenOwner(platform, business.id);
    const rows = await world.database.query<{ text: string; identifier: Buffer }>(
      sql`select o::text as text, identifier from beneficial_owners o where platform_id = ${platform.id}`,
    );
    assert.equal(rows.length, 2);
    assert.notDeepEqual(rows[0]?.identifier, rows[1]?.identifier);
    for (const { text, identifier } of rows) {
      assert.equal(text.includes(OWNER_PERSON.identifier), false);
      assert.equal(identifier.includes(OWNER_PERSON.identifier), false);
    }
  });
});
