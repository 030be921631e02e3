// lane: whole — takes seven seconds and more

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setPlatform } from '#capabilities/platform/set-platform.ts';
import {
  BUSINESS,
  type CreatedCustomer,
  EUROPEAN,
  fieldsOf,
  givenCustomer,
  PERSON,
} from '#tests/given/customers.ts';
import {
  fetchCustomerStatus,
  givenBusiness,
  givenCompleteBusiness,
  givenCompletePerson,
  givenDocument,
  givenOwner,
  listCustomerEvents,
  listCustomerEventTypes,
  submitted,
} from '#tests/given/packets.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const REGULATED = { settings: { isRegulatedFinancialInstitution: true } };
const SKIPPING = { settings: { skipVerificationPaperwork: true } };
const UNKNOWN = '019542f5-b3e7-7d02-8000-000000000099';

describe('verification', () => {
  const world = testWorld();

  const submit = (platform: TestPlatform, customerId: unknown) =>
    platform.send('createVerification', { body: { customerId } });

  async function rename(platform: TestPlatform, customerId: string, fullName: string): Promise<void> {
    const body = { customerType: 'INDIVIDUAL', fullName };
    const reply = await platform.call('updateCustomerById', { params: { customerId }, body });
    assert.equal(reply.status, 200, reply.raw);
  }

  async function renumber(
    platform: TestPlatform,
    customerId: string,
    registrationNumber: string,
  ): Promise<void> {
    const body = { customerType: 'BUSINESS', businessInfo: { registrationNumber } };
    const reply = await platform.call('updateCustomerById', { params: { customerId }, body });
    assert.equal(reply.status, 200, reply.raw);
  }

  async function verifications(platform: TestPlatform, query: Record<string, string> = {}) {
    const reply = await platform.call('listVerifications', { query });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body.data;
  }

  describe('customers.md §4.1: individuals', () => {
    it('customers.md §8.1, platform.md §1.1.2: create, STRICT: UNVERIFIED whatever the suffix, no event, no verification', async () => {
      const platform = await world.platform();
      for (const suffix of ['001', '002', '003', 'Smith']) {
        const customer = await givenCustomer(platform, { ...PERSON, fullName: `Ada ${suffix}` });
        assert.equal(customer.kycStatus, 'UNVERIFIED');
      }
      assert.deepEqual(await listCustomerEventTypes(platform), []);
      assert.deepEqual(await verifications(platform), []);
    });

    for (const [mode, options] of Object.entries({ regulated: REGULATED, 'skip option': SKIPPING })) {
      it(`customers.md §8.1: create, LIGHT sandbox (${mode}): by suffix, with its event and no verification`, async () => {
        const rows: [string | undefined, string, string[]][] = [
          ['Ada 001', 'PENDING', ['CUSTOMER.KYC_PENDING']],
          ['Ada 002', 'REJECTED', ['CUSTOMER.KYC_REJECTED']],
          ['Ada 003', 'UNVERIFIED', []],
          ['Ada Lovelace', 'APPROVED', ['CUSTOMER.KYC_APPROVED']],
          ['  Ada 002  ', 'REJECTED', ['CUSTOMER.KYC_REJECTED']],
          [undefined, 'APPROVED', ['CUSTOMER.KYC_APPROVED']],
        ];
        for (const [fullName, status, events] of rows) {
          const platform = await world.platform(options);
          const { fullName: _, ...nameless } = PERSON;
          const customer = await givenCustomer(platform, { ...nameless, ...(fullName && { fullName }) });
          assert.equal(customer.kycStatus, status, String(fullName));
          assert.deepEqual(await listCustomerEventTypes(platform), events, String(fullName));
          assert.deepEqual(await verifications(platform), []);
        }
      });
    }

    it('create, production: APPROVED when regulated, else UNVERIFIED; the suffix has no effect', async () => {
      const rows: [object, string][] = [
        [REGULATED, 'APPROVED'],
        [{}, 'UNVERIFIED'],
      ];
      for (const [options, status] of rows) {
        const platform = await world.platform({ ...options, environment: 'PRODUCTION' });
        assert.equal((await givenCustomer(platform, { ...PERSON, fullName: 'Ada 002' })).kycStatus, status);
      }
    });

    it('submission, incomplete: the status stays, the record lists every problem', async () => {
      const platform = await world.platform();
      const customer = await givenCustomer(platform, { customerType: 'INDIVIDUAL', region: 'US' });
      const record = await submitted(platform, customer.id);
      assert.equal(record.verificationStatus, 'RESOLVE_ERRORS');
      assert.deepEqual(
        record.errors.map(({ type, field }) => field ?? type),
        [
          'fullName',
          'birthDate',
          'nationality',
          'idType',
          'identifier',
          'address.line1',
          'address.city',
          'address.postalCode',
          'address.country',
          'address.state',
          'MISSING_IDENTITY_DOCUMENT',
        ],
      );
      for (const error of record.errors) assert.equal(error.resourceId, customer.id);
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'UNVERIFIED');
      assert.deepEqual(await listCustomerEventTypes(platform), ['VERIFICATION.RESOLVE_ERRORS']);
    });

    it('submission, incomplete, of a PENDING customer: the status stays', async () => {
      const platform = await world.platform(REGULATED);
      const customer = await givenCustomer(platform, { ...PERSON, fullName: 'Ada 001' });
      assert.equal((await submitted(platform, customer.id)).verificationStatus, 'RESOLVE_ERRORS');
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'PENDING');
      assert.deepEqual(await listCustomerEventTypes(platform), [
        'CUSTOMER.KYC_PENDING',
        'VERIFICATION.RESOLVE_ERRORS',
      ]);
    });

    const complete: [string, string, string, string[]][] = [
      [
        '001',
        'PENDING',
        'PENDING_MANUAL_REVIEW',
        ['VERIFICATION.PENDING_MANUAL_REVIEW', 'CUSTOMER.KYC_PENDING'],
      ],
      ['002', 'REJECTED', 'REJECTED', ['VERIFICATION.REJECTED', 'CUSTOMER.KYC_REJECTED']],
      ['003', 'UNVERIFIED', 'RESOLVE_ERRORS', ['VERIFICATION.RESOLVE_ERRORS']],
      ['Smith', 'APPROVED', 'APPROVED', ['VERIFICATION.APPROVED', 'CUSTOMER.KYC_APPROVED']],
    ];
    for (const [suffix, status, recordStatus, events] of complete) {
      it(`customers.md §8.2: submission, complete, ${suffix}: ${status}, ${recordStatus}, verification event before customer event`, async () => {
        const platform = await world.platform();
        const customer = await givenCompletePerson(platform, `Ada ${suffix}`);
        const record = await submitted(platform, customer.id);
        assert.equal(record.verificationStatus, recordStatus);
        assert.equal(await fetchCustomerStatus(platform, customer.id), status);
        const told = await listCustomerEvents(platform);
        assert.deepEqual(
          told.map(({ type }) => type),
          events,
        );
        assert.deepEqual(told[0]?.data, record);
        if (told[1]) {
          const { body } = await platform.call('getCustomerById', { params: { customerId: customer.id } });
          assert.deepEqual(told[1].data, body);
        }
      });
    }

    it('submission, complete, 001, already PENDING: no second customer event', async () => {
      const platform = await world.platform(SKIPPING);
      const customer = await givenCompletePerson(platform, 'Ada 001');
      assert.equal((await submitted(platform, customer.id)).verificationStatus, 'PENDING_MANUAL_REVIEW');
      assert.deepEqual(await listCustomerEventTypes(platform), [
        'CUSTOMER.KYC_PENDING',
        'VERIFICATION.PENDING_MANUAL_REVIEW',
      ]);
    });

    it('submission, complete, 003: one POOR_QUALITY_DOCUMENT on the customer, and a PENDING one stays PENDING', async () => {
      const platform = await world.platform();
      const customer = await givenCompletePerson(platform, 'Ada 003');
      const { errors } = await submitted(platform, customer.id);
      assert.deepEqual(errors, [
        { resourceId: customer.id, type: 'POOR_QUALITY_DOCUMENT', reason: errors[0].reason },
      ]);
      const waiting = await givenCompletePerson(platform, 'Ada 001');
      await submitted(platform, waiting.id);
      await rename(platform, waiting.id, 'Ada 003');
      assert.equal((await submitted(platform, waiting.id)).verificationStatus, 'RESOLVE_ERRORS');
      assert.equal(await fetchCustomerStatus(platform, waiting.id), 'PENDING');
    });

    it('submission of a terminal customer: 400 INVALID_INPUT with "is already" and the status, and no record', async () => {
      const platform = await world.platform(REGULATED);
      for (const [fullName, status] of [
        ['Ada Lovelace', 'APPROVED'],
        ['Ada 002', 'REJECTED'],
      ] as const) {
        const customer = await givenCustomer(platform, { ...PERSON, fullName });
        const { status: answered, body } = await submit(platform, customer.id);
        assert.deepEqual([answered, body.code], [400, 'INVALID_INPUT']);
        // Public clients depend on these words.
        for (const text of [body.reason, body.message, body.details.errors[0].message])
          assert.ok(text.includes(`is already ${status}`), text);
      }
      assert.deepEqual(await verifications(platform), []);
    });

    it('the mode is read at each submission: a customer created under STRICT is still decided by its data', async () => {
      const platform = await world.platform();
      const customer = await givenCustomer(platform, { ...PERSON, fullName: 'Ada Lovelace' });
      world.clock.advance(1_000);
      const operator = { kind: 'operator', id: 'test' } as const;
      await setPlatform(world.app.runtime, platform.id, operator, SKIPPING);
      assert.equal((await submitted(platform, customer.id)).verificationStatus, 'RESOLVE_ERRORS');
      assert.equal((await givenCustomer(platform, PERSON)).kycStatus, 'APPROVED');
    });
  });

  describe('customers.md §4.2: submissions', () => {
    it('customers.md §4.2.1: a missing or malformed customerId is 400, an unknown, foreign or deleted one 404', async () => {
      const platform = await world.platform();
      const stranger = await world.platform();
      for (const bad of [undefined, 'x', UNKNOWN, 7]) {
        const reply = await submit(platform, bad);
        assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, ['customerId']]);
      }
      const deleted = await givenCustomer(platform);
      await platform.call('deleteCustomerById', { params: { customerId: deleted.id } });
      const foreign = await givenCustomer(stranger);
      for (const id of [`Customer:${UNKNOWN}`, deleted.id, foreign.id]) {
        const reply = await submit(platform, id);
        assert.deepEqual([reply.status, reply.body.code], [404, 'CUSTOMER_NOT_FOUND']);
      }
    });

    it('customers.md §3.4: a submission is 400 until both contacts are verified, and names the others', async () => {
      const platform = await world.platform();
      const customer = await givenCustomer(platform, EUROPEAN);
      const params = { customerId: customer.id };
      const fields = async () => {
        const reply = await submit(platform, customer.id);
        assert.equal(reply.status, 400);
        return fieldsOf(reply.body);
      };
      assert.deepEqual(await fields(), ['contactVerification.email', 'contactVerification.phone']);
      await platform.call('sendCustomerEmailVerification', { params });
      await platform.call('confirmCustomerEmailVerification', { params, body: { code: '123456' } });
      assert.deepEqual(await fields(), ['contactVerification.phone']);
      await platform.call('sendCustomerPhoneVerification', { params });
      await platform.call('confirmCustomerPhoneVerification', { params, body: { code: '123456' } });
      assert.equal((await submitted(platform, customer.id)).verificationStatus, 'RESOLVE_ERRORS');
    });

    it('customers.md §3.4: the decision at creation needs no verified contacts', async () => {
      const platform = await world.platform(REGULATED);
      assert.equal((await givenCustomer(platform, EUROPEAN)).kycStatus, 'APPROVED');
    });

    it('customers.md §4.2.2: each submission creates a new record; old ones keep their result', async () => {
      const platform = await world.platform();
      const customer = await givenCustomer(platform, PERSON);
      const first = await submitted(platform, customer.id);
      const second = await submitted(platform, customer.id);
      await givenDocument(platform, customer.id);
      const third = await submitted(platform, customer.id);
      assert.equal(new Set([first.id, second.id, third.id]).size, 3);
      const kept = await platform.call('getVerification', { params: { verificationId: first.id } });
      assert.deepEqual(kept.body, first);
      assert.deepEqual(
        (await verifications(platform)).map(({ verificationStatus }) => verificationStatus).sort(),
        ['APPROVED', 'RESOLVE_ERRORS', 'RESOLVE_ERRORS'],
      );
    });

    it('customers.md §4.2.2: a complete resubmission decides the open record again: the same outcome updates updatedAt and emits no event', async () => {
      const platform = await world.platform();
      const customer = await givenCompletePerson(platform, 'Ada 001');
      const first = await submitted(platform, customer.id);
      const told = await listCustomerEventTypes(platform);
      world.clock.advance(60_000);
      const again = await submitted(platform, customer.id);
      assert.deepEqual({ ...again, updatedAt: '' }, { ...first, updatedAt: '' });
      assert.ok(again.updatedAt > first.updatedAt);
      assert.deepEqual(await listCustomerEventTypes(platform), told);
      assert.equal((await verifications(platform)).length, 1);
    });

    it('customers.md §4.2.2: a different outcome changes the open record and emits events', async () => {
      const platform = await world.platform();
      const customer = await givenCompletePerson(platform, 'Ada 001');
      const first = await submitted(platform, customer.id);
      await rename(platform, customer.id, 'Ada Lovelace');
      const moved = await submitted(platform, customer.id);
      assert.deepEqual([moved.id, moved.verificationStatus], [first.id, 'APPROVED']);
      assert.deepEqual((await listCustomerEventTypes(platform)).slice(2), [
        'VERIFICATION.APPROVED',
        'CUSTOMER.KYC_APPROVED',
      ]);
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'APPROVED');
    });

    it('customers.md §4.2.2: an incomplete resubmission does not change the open record', async () => {
      const platform = await world.platform();
      const customer = await givenCompletePerson(platform, 'Ada 001');
      const open = await submitted(platform, customer.id);
      await rename(platform, customer.id, 'Ada001');
      const incomplete = await submitted(platform, customer.id);
      assert.notEqual(incomplete.id, open.id);
      assert.equal(incomplete.verificationStatus, 'RESOLVE_ERRORS');
      const { body } = await platform.call('getVerification', { params: { verificationId: open.id } });
      assert.deepEqual(body, open);
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'PENDING');
    });

    it('customers.md §4.2.3: errors is always present; a rejection has one APPLICANT_REJECTED on the customer', async () => {
      const platform = await world.platform();
      const approved = await submitted(platform, (await givenCompletePerson(platform)).id);
      assert.deepEqual(approved.errors, []);
      const pending = await submitted(platform, (await givenCompletePerson(platform, 'Ada 001')).id);
      assert.deepEqual(pending.errors, []);
      const customer = await givenCompletePerson(platform, 'Ada 002');
      const { errors } = await submitted(platform, customer.id);
      assert.deepEqual(errors, [
        { resourceId: customer.id, type: 'APPLICANT_REJECTED', reason: errors[0].reason },
      ]);
    });

    it('customers.md §4.2.4: of concurrent submissions one decides, with one event each; the rest are refused as terminal', async () => {
      const platform = await world.platform();
      const customer = await givenCompletePerson(platform);
      const replies = await Promise.all(Array.from({ length: 10 }, () => submit(platform, customer.id)));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(400)]);
      assert.deepEqual(await listCustomerEventTypes(platform), [
        'VERIFICATION.APPROVED',
        'CUSTOMER.KYC_APPROVED',
      ]);
    });

    it('customers.md §4.2.4: concurrent submissions into review share one record', async () => {
      const platform = await world.platform();
      const customer = await givenCompleteBusiness(platform, 'REG-001');
      const replies = await Promise.all(Array.from({ length: 6 }, () => submitted(platform, customer.id)));
      assert.equal(new Set(replies.map(({ id }) => id)).size, 1);
      assert.deepEqual(await listCustomerEventTypes(platform), [
        'VERIFICATION.IN_PROGRESS',
        'CUSTOMER.KYB_PENDING',
      ]);
    });

    it('customers.md §4.2.5: the filter READY_FOR_VERIFICATION finds nothing; an unknown value is 400', async () => {
      const platform = await world.platform();
      await submitted(platform, (await givenCustomer(platform)).id);
      assert.deepEqual(await verifications(platform, { verificationStatus: 'READY_FOR_VERIFICATION' }), []);
      const bad = await platform.call('listVerifications', { query: { verificationStatus: 'DONE' } });
      assert.deepEqual(fieldsOf(bad.body), ['verificationStatus']);
    });

    it('customers.md §1.4: the list is newest first, filtered by customer and status, in pages', async () => {
      const platform = await world.platform();
      const one = await givenCustomer(platform, PERSON);
      const two = await givenCompletePerson(platform);
      const ids: string[] = [];
      for (const customer of [one, one, two]) {
        ids.unshift((await submitted(platform, customer.id)).id);
        world.clock.advance(1_000);
      }
      const listIds = async (query?: Record<string, string>) =>
        (await verifications(platform, query)).map(({ id }) => id);
      assert.deepEqual(await listIds(), ids);
      assert.deepEqual(await listIds({ customerId: one.id }), ids.slice(1));
      assert.deepEqual(await listIds({ verificationStatus: 'APPROVED' }), ids.slice(0, 1));
      assert.deepEqual(await listIds({ customerId: one.id, verificationStatus: 'APPROVED' }), []);
      assert.deepEqual(await listIds({ customerId: `Customer:${UNKNOWN}` }), []);
      const first = await platform.call('listVerifications', { query: { limit: 2 } });
      const rest = await platform.call('listVerifications', {
        query: { limit: 2, cursor: first.body.nextCursor },
      });
      assert.deepEqual(
        [...first.body.data, ...rest.body.data].map(({ id }) => id),
        ids,
      );
      const stranger = await world.platform();
      assert.deepEqual(await verifications(stranger), []);
    });

    it('customers.md §1.3: unknown, foreign and a deleted customer’s verifications are 404 VERIFICATION_NOT_FOUND', async () => {
      const platform = await world.platform();
      const stranger = await world.platform();
      const customer = await givenCustomer(platform);
      const { id } = await submitted(platform, customer.id);
      const read = (of: TestPlatform, verificationId: string) =>
        of.call('getVerification', { params: { verificationId } });
      assert.equal((await read(platform, id)).status, 200);
      await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
      for (const reply of [
        await read(stranger, id),
        await read(platform, id),
        await read(platform, `Verification:${UNKNOWN}`),
        await read(platform, 'x'),
      ]) {
        assert.deepEqual([reply.status, reply.body.code], [404, 'VERIFICATION_NOT_FOUND']);
      }
      assert.deepEqual(await verifications(platform), []);
    });

    it('platform.md §2: an Idempotency-Key replays the reply without a second submission', async () => {
      const platform = await world.platform();
      const { id: customerId } = await givenCustomer(platform);
      const call = () => platform.call('createVerification', { body: { customerId }, key: 'once' });
      const [first, again] = [await call(), await call()];
      assert.equal(again.raw, first.raw);
      assert.equal((await verifications(platform)).length, 1);
    });
  });

  describe('customers.md §4.4: businesses in the sandbox', () => {
    it('create: UNVERIFIED in any mode, whatever the number', async () => {
      for (const options of [{}, REGULATED, SKIPPING]) {
        const platform = await world.platform(options);
        for (const number of ['R-001', 'R-002', 'R-777']) {
          assert.equal((await givenBusiness(platform, number)).kybStatus, 'UNVERIFIED');
        }
        assert.deepEqual(await listCustomerEventTypes(platform), []);
      }
    });

    for (const suffix of ['001', '003']) {
      for (const [mode, options] of Object.entries({
        STRICT: {},
        LIGHT: REGULATED,
        'LIGHT by skipping': SKIPPING,
      })) {
        it(`${suffix}, ${mode}: incomplete stays with RESOLVE_ERRORS, complete is PENDING and IN_PROGRESS`, async () => {
          const platform = await world.platform(options);
          const customer = await givenBusiness(platform, `REG-${suffix}`);
          assert.equal((await submitted(platform, customer.id)).verificationStatus, 'RESOLVE_ERRORS');
          assert.equal(await fetchCustomerStatus(platform, customer.id), 'UNVERIFIED');
          const whole = await givenCompleteBusiness(platform, `REG-${suffix}`);
          assert.equal((await submitted(platform, whole.id)).verificationStatus, 'IN_PROGRESS');
          assert.equal(await fetchCustomerStatus(platform, whole.id), 'PENDING');
          assert.deepEqual(await listCustomerEventTypes(platform), [
            'VERIFICATION.RESOLVE_ERRORS',
            'VERIFICATION.IN_PROGRESS',
            'CUSTOMER.KYB_PENDING',
          ]);
          // There is no automatic decision, even after a long time.
          await platform.call('advanceSandboxClock', { body: { seconds: 86_400 * 30 } });
          assert.equal(await fetchCustomerStatus(platform, whole.id), 'PENDING');
        });
      }
    }

    for (const [suffix, status] of [
      ['002', 'REJECTED'],
      ['777', 'APPROVED'],
    ] as const) {
      it(`${suffix}, STRICT: incomplete stays with RESOLVE_ERRORS, complete is ${status}`, async () => {
        const platform = await world.platform();
        const customer = await givenBusiness(platform, `REG-${suffix}`);
        assert.equal((await submitted(platform, customer.id)).verificationStatus, 'RESOLVE_ERRORS');
        assert.equal(await fetchCustomerStatus(platform, customer.id), 'UNVERIFIED');
        const whole = await givenCompleteBusiness(platform, `REG-${suffix}`);
        assert.equal((await submitted(platform, whole.id)).verificationStatus, status);
        assert.equal(await fetchCustomerStatus(platform, whole.id), status);
        assert.deepEqual((await listCustomerEventTypes(platform)).slice(1), [
          `VERIFICATION.${status}`,
          `CUSTOMER.KYB_${status}`,
        ]);
      });

      it(`${suffix}, LIGHT: ${status} without checking the packet`, async () => {
        for (const options of [REGULATED, SKIPPING]) {
          const platform = await world.platform(options);
          const businessInfo = { ...BUSINESS.businessInfo, registrationNumber: `R${suffix}` };
          const customer = await givenCustomer(platform, { ...BUSINESS, businessInfo });
          assert.equal((await submitted(platform, customer.id)).verificationStatus, status);
          assert.deepEqual(await listCustomerEventTypes(platform), [
            `VERIFICATION.${status}`,
            `CUSTOMER.KYB_${status}`,
          ]);
        }
      });
    }

    it('LIGHT: a business without a registration number counts as other', async () => {
      const platform = await world.platform(REGULATED);
      const customer = await givenCustomer(platform, BUSINESS);
      assert.equal((await submitted(platform, customer.id)).verificationStatus, 'APPROVED');
    });

    it('terminal: 400 INVALID_INPUT with "is already" and the status', async () => {
      const platform = await world.platform(REGULATED);
      const customer = await givenCustomer(platform, BUSINESS);
      await submitted(platform, customer.id);
      const reply = await submit(platform, customer.id);
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
      assert.match(reply.body.reason, /is already APPROVED/);
    });

    it('the number is read at submission: an open record changes with it', async () => {
      const platform = await world.platform();
      const customer = await givenCompleteBusiness(platform, 'REG-001');
      const open = await submitted(platform, customer.id);
      await renumber(platform, customer.id, 'REG-002');
      const moved = await submitted(platform, customer.id);
      assert.deepEqual([moved.id, moved.verificationStatus], [open.id, 'REJECTED']);
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'REJECTED');
    });

    it('customers.md §4.4.9: owners are decided in the same commit by their last names, and never affect the business', async () => {
      const platform = await world.platform(REGULATED);
      const customer = await givenCustomer(platform, BUSINESS);
      for (const lastName of ['Babbage', 'Babbage 001', 'Babbage 002', 'Babbage 003']) {
        await givenOwner(platform, customer.id, { lastName });
      }
      assert.equal((await submitted(platform, customer.id)).verificationStatus, 'APPROVED');
      const statuses = (of: CreatedCustomer) => of.beneficialOwners.map(({ kycStatus }) => kycStatus);
      const expected = ['APPROVED', 'PENDING', 'REJECTED', 'APPROVED'];
      const [, event] = await listCustomerEvents(platform);
      assert.equal(event?.type, 'CUSTOMER.KYB_APPROVED');
      assert.deepEqual(statuses(event?.data as CreatedCustomer), expected);
      const { body } = await platform.call('getCustomerById', { params: { customerId: customer.id } });
      assert.deepEqual([body.kybStatus, statuses(body)], ['APPROVED', expected]);
    });

    it('customers.md §4.6.12: owners are PENDING once the business enters PENDING, and its event shows them as PENDING', async () => {
      const platform = await world.platform();
      const customer = await givenCompleteBusiness(platform, 'REG-003');
      await submitted(platform, customer.id);
      const [, event] = await listCustomerEvents(platform);
      assert.equal(event?.data.beneficialOwners[0].kycStatus, 'PENDING');
    });
  });

  it('submitting needs MANAGE, reading needs VIEW, and both need credentials', async () => {
    const viewer = await world.platform({ permissions: ['VIEW'] });
    assert.equal((await submit(viewer, `Customer:${UNKNOWN}`)).status, 403);
    assert.deepEqual(await verifications(viewer), []);
    const nobody = await viewer.call('createVerification', { body: {}, as: 'nobody' });
    assert.equal(nobody.status, 401);
  });
});
