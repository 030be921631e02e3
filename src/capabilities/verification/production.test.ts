// lane: whole — every command of the operator’s desk

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { applyDecision } from '#capabilities/verification/decide.ts';
import { verificationJobs } from '#capabilities/verification/jobs.ts';
import { decideReview, listReviews, type ReviewDecision } from '#capabilities/verification/review.ts';
import { sql } from '#foundation/database/sql.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { Decision, IdentityPort, Submission } from '#foundation/ports/identity.ts';
import { BUSINESS, type CreatedCustomer, givenCustomer, PERSON } from '#tests/given/customers.ts';
import {
  FULL_BUSINESS,
  fetchCustomerStatus,
  givenCompleteBusiness,
  givenCompletePerson,
  givenDocument,
  givenOwner,
  listCustomerEvents,
  listCustomerEventTypes,
  OWNER_PERSON,
  PDF,
  submitted,
} from '#tests/given/packets.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const APPROVE: Decision = { kind: 'APPROVE' };
const REJECT: Decision = {
  kind: 'REJECT',
  problems: [{ type: 'APPLICANT_SANCTIONED', reason: 'On a list.' }],
};
const CORRECTABLE: Decision = {
  kind: 'CORRECTABLE',
  problems: [{ type: 'EXPIRED_DOCUMENT', reason: 'It has expired.', acceptedDocumentTypes: ['PASSPORT'] }],
};

describe('verification by a provider', () => {
  const world = testWorld();
  const production = () => world.platform({ environment: 'PRODUCTION' });

  async function decide(platform: TestPlatform, verificationId: string, decision: Decision) {
    const work = await platform.work();
    return work.write((tx) => applyDecision(tx, uuidOf(verificationId), decision));
  }

  async function review(platform: TestPlatform, customerId: string, decision: ReviewDecision) {
    const work = await platform.work();
    return work.write((tx) => decideReview(tx, uuidOf(customerId), decision));
  }

  async function loadRecord(platform: TestPlatform, verificationId: string) {
    return (await platform.call('getVerification', { params: { verificationId } })).body;
  }

  /** A complete person who was submitted to the provider and is pending. */
  async function waiting(platform: TestPlatform) {
    const customer = await givenCompletePerson(platform);
    const record = await submitted(platform, customer.id);
    assert.equal(record.verificationStatus, 'IN_PROGRESS');
    return { customer, record };
  }

  /** Runs the platform's submissions with the given provider. */
  function provider(submit: IdentityPort['submit']) {
    const { runtime } = world.app;
    const failures: unknown[] = [];
    const runner = new JobRunner(
      {
        ...runtime,
        ports: (environment) => {
          const ports = runtime.ports(environment);
          return { ...ports, identity: { ...ports.identity, submit } };
        },
      },
      verificationJobs,
      { onFailure: (error, { kind }) => void (kind === 'verification.submit' && failures.push(error)) },
    );
    return {
      failures,
      async run(platform: TestPlatform) {
        while ((await runner.step(platform.id)).done > 0);
      },
    };
  }

  describe('customers.md §4.5: transitions', () => {
    it('incomplete submission: unchanged, RESOLVE_ERRORS, no customer event', async () => {
      const platform = await production();
      const customer = await givenCustomer(platform, PERSON);
      assert.equal((await submitted(platform, customer.id)).verificationStatus, 'RESOLVE_ERRORS');
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'UNVERIFIED');
      assert.deepEqual(await listCustomerEventTypes(platform), ['VERIFICATION.RESOLVE_ERRORS']);
    });

    it('customers.md §9: complete submission: PENDING, IN_PROGRESS, customer event; the suffix has no effect', async () => {
      const platform = await production();
      const customer = await givenCompletePerson(platform, 'Ada 002');
      assert.equal((await submitted(platform, customer.id)).verificationStatus, 'IN_PROGRESS');
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'PENDING');
      assert.deepEqual(await listCustomerEventTypes(platform), [
        'VERIFICATION.IN_PROGRESS',
        'CUSTOMER.KYC_PENDING',
      ]);
    });

    it('manual review: PENDING_MANUAL_REVIEW, no customer event; a repeat changes nothing', async () => {
      const platform = await production();
      const { customer, record } = await waiting(platform);
      for (let time = 0; time < 2; time++) {
        assert.equal(await decide(platform, record.id, { kind: 'MANUAL_REVIEW' }), 'APPLIED');
      }
      assert.equal((await loadRecord(platform, record.id)).verificationStatus, 'PENDING_MANUAL_REVIEW');
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'PENDING');
      assert.deepEqual((await listCustomerEventTypes(platform)).slice(2), [
        'VERIFICATION.PENDING_MANUAL_REVIEW',
      ]);
    });

    it('correctable: UNVERIFIED, RESOLVE_ERRORS with POOR_QUALITY_DOCUMENT and the finer types, no customer event', async () => {
      const platform = await production();
      const { customer, record } = await waiting(platform);
      await decide(platform, record.id, CORRECTABLE);
      const { verificationStatus, errors } = await loadRecord(platform, record.id);
      assert.equal(verificationStatus, 'RESOLVE_ERRORS');
      assert.deepEqual(
        errors.map(({ type, resourceId, acceptedDocumentTypes }) => [
          type,
          resourceId,
          acceptedDocumentTypes,
        ]),
        [
          ['POOR_QUALITY_DOCUMENT', customer.id, undefined],
          ['EXPIRED_DOCUMENT', customer.id, ['PASSPORT']],
        ],
      );
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'UNVERIFIED');
      assert.deepEqual((await listCustomerEventTypes(platform)).slice(2), ['VERIFICATION.RESOLVE_ERRORS']);
      const again = await submitted(platform, customer.id);
      assert.notEqual(again.id, record.id);
      assert.equal(again.verificationStatus, 'IN_PROGRESS');
    });

    it('correctable: the general entry is about the customer, even if an owner has one', async () => {
      const platform = await production();
      const business = await givenCompleteBusiness(platform);
      const record = await submitted(platform, business.id);
      const ownerId = 'BeneficialOwner:019542f5-b3e7-7d02-8000-000000000099';
      const poor = { type: 'POOR_QUALITY_DOCUMENT', reason: 'Blurred.' };
      await decide(platform, record.id, { kind: 'CORRECTABLE', problems: [{ ...poor, ownerId }] });
      const { errors } = await loadRecord(platform, record.id);
      assert.deepEqual(
        errors.map(({ resourceId }) => resourceId),
        [business.id, ownerId],
      );
    });

    it('correctable: documents can be replaced, and owners leave review', async () => {
      const platform = await production();
      const business = await givenCompleteBusiness(platform);
      const record = await submitted(platform, business.id);
      const { body: list } = await platform.call('listDocuments', { query: { documentHolder: business.id } });
      const remove = () => platform.call('deleteDocument', { params: { documentId: list.data[0].id } });
      assert.equal((await remove()).status, 409);
      await decide(platform, record.id, { kind: 'CORRECTABLE', problems: [] });
      assert.equal((await remove()).status, 204);
      const { body } = await platform.call('getCustomerById', { params: { customerId: business.id } });
      assert.deepEqual([body.kybStatus, body.beneficialOwners[0].kycStatus], ['UNVERIFIED', 'UNVERIFIED']);
    });

    for (const [decision, status] of [
      [APPROVE, 'APPROVED'],
      [REJECT, 'REJECTED'],
    ] as const) {
      for (const held of [false, true]) {
        it(`${decision.kind} from ${held ? 'HOLD' : 'PENDING'}: ${status}, once, with both events`, async () => {
          const platform = await production();
          const { customer, record } = await waiting(platform);
          if (held) await decide(platform, record.id, { kind: 'HOLD' });
          const outcomes = await Promise.all(
            Array.from({ length: 5 }, () => decide(platform, record.id, decision)),
          );
          assert.equal(outcomes.filter((outcome) => outcome === 'APPLIED').length, 1);
          assert.equal(await decide(platform, record.id, { kind: 'HOLD' }), 'IGNORED');
          assert.equal(await fetchCustomerStatus(platform, customer.id), status);
          const { verificationStatus, errors } = await loadRecord(platform, record.id);
          assert.equal(verificationStatus, status);
          assert.deepEqual(
            errors.map(({ type }) => type),
            status === 'REJECTED' ? ['APPLICANT_SANCTIONED'] : [],
          );
          assert.deepEqual((await listCustomerEventTypes(platform)).slice(2), [
            `VERIFICATION.${status}`,
            `CUSTOMER.KYC_${status}`,
          ]);
        });
      }
    }

    it('reject without a reason about the applicant: APPLICANT_REJECTED comes first', async () => {
      const platform = await production();
      const { record } = await waiting(platform);
      const problems = [{ type: 'SUSPECTED_FRAUD_DOCUMENT', reason: 'Forged.', field: 'x' }];
      await decide(platform, record.id, { kind: 'REJECT', problems });
      const { errors } = await loadRecord(platform, record.id);
      assert.deepEqual(
        errors.map(({ type, field }) => [type, field]),
        [
          ['APPLICANT_REJECTED', undefined],
          ['SUSPECTED_FRAUD_DOCUMENT', undefined],
        ],
      );
    });

    it('hold: HOLD from any non-terminal status, the record unchanged, no event', async () => {
      const platform = await production();
      const { customer, record } = await waiting(platform);
      await decide(platform, record.id, { kind: 'HOLD' });
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'HOLD');
      assert.equal((await loadRecord(platform, record.id)).verificationStatus, 'IN_PROGRESS');
      assert.equal((await listCustomerEventTypes(platform)).length, 2);
      const other = await waiting(platform);
      await decide(platform, other.record.id, CORRECTABLE);
      assert.equal(await decide(platform, other.record.id, { kind: 'HOLD' }), 'APPLIED');
      assert.equal(await fetchCustomerStatus(platform, other.customer.id), 'HOLD');
      assert.equal((await loadRecord(platform, other.record.id)).verificationStatus, 'RESOLVE_ERRORS');
      assert.equal(await decide(platform, other.record.id, APPROVE), 'APPLIED');
      assert.equal(await fetchCustomerStatus(platform, other.customer.id), 'APPROVED');
      assert.equal((await loadRecord(platform, other.record.id)).verificationStatus, 'RESOLVE_ERRORS');
    });

    it('hold: only approve and reject end it; a review and a correction apply to PENDING customers only', async () => {
      const platform = await production();
      const { customer, record } = await waiting(platform);
      await decide(platform, record.id, { kind: 'HOLD' });
      for (const decision of [CORRECTABLE, { kind: 'MANUAL_REVIEW' } as const]) {
        assert.equal(await decide(platform, record.id, decision), 'IGNORED');
      }
      await assert.rejects(
        review(platform, customer.id, CORRECTABLE),
        (error) => error instanceof Refusal && error.code === 'CONFLICT',
      );
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'HOLD');
      assert.equal((await loadRecord(platform, record.id)).verificationStatus, 'IN_PROGRESS');
      assert.equal((await listCustomerEventTypes(platform)).length, 2);
    });

    it('a held customer that is submitted again is PENDING', async () => {
      const platform = await production();
      const { customer, record } = await waiting(platform);
      await decide(platform, record.id, { kind: 'HOLD' });
      assert.equal((await submitted(platform, customer.id)).id, record.id);
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'PENDING');
    });

    it('a late decision changes nothing: for a closed record, a customer with another status, or an unknown record', async () => {
      const platform = await production();
      const { customer, record } = await waiting(platform);
      await decide(platform, record.id, CORRECTABLE);
      for (const decision of [APPROVE, REJECT, CORRECTABLE, { kind: 'MANUAL_REVIEW' } as const]) {
        assert.equal(await decide(platform, record.id, decision), 'IGNORED');
      }
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'UNVERIFIED');
      const next = await submitted(platform, customer.id);
      assert.equal(await decide(platform, record.id, APPROVE), 'IGNORED');
      assert.equal(await decide(platform, next.id, APPROVE), 'APPLIED');
      assert.equal(await decide(platform, next.id, REJECT), 'IGNORED');
      assert.equal(
        await decide(platform, 'Verification:019542f5-b3e7-7d02-8000-000000000099', APPROVE),
        'IGNORED',
      );
      const stranger = await production();
      assert.equal(await decide(stranger, next.id, REJECT), 'IGNORED');
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'APPROVED');
    });

    it('a decision on a deleted customer is ignored', async () => {
      const platform = await production();
      const { customer, record } = await waiting(platform);
      const told = await listCustomerEventTypes(platform);
      await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
      assert.equal(await decide(platform, record.id, APPROVE), 'IGNORED');
      assert.deepEqual(await listCustomerEventTypes(platform), told);
    });

    it('customers.md §9: a regulated business is approved at its first submission without checks, its owners with it', async () => {
      const settings = { isRegulatedFinancialInstitution: true };
      const platform = await world.platform({ environment: 'PRODUCTION', settings });
      const business = await givenCustomer(platform, BUSINESS);
      await givenOwner(platform, business.id, { lastName: 'Babbage 002' });
      assert.equal((await submitted(platform, business.id)).verificationStatus, 'APPROVED');
      const [, event] = await listCustomerEvents(platform);
      assert.equal(event?.type, 'CUSTOMER.KYB_APPROVED');
      assert.equal(event?.data.beneficialOwners[0].kycStatus, 'APPROVED');
    });

    it('a business: owners are PENDING with it and take its outcome', async () => {
      const platform = await production();
      for (const [decision, status] of [
        [APPROVE, 'APPROVED'],
        [REJECT, 'REJECTED'],
      ] as const) {
        const business = await givenCompleteBusiness(platform);
        const record = await submitted(platform, business.id);
        const owners = async () => {
          const { body } = await platform.call('getCustomerById', { params: { customerId: business.id } });
          return body.beneficialOwners.map(({ kycStatus }) => kycStatus);
        };
        assert.deepEqual(await owners(), ['PENDING']);
        await decide(platform, record.id, decision);
        assert.deepEqual(await owners(), [status]);
      }
    });
  });

  describe('customers.md §4.5: submission to the provider', () => {
    it('the packet is sent after the commit, complete, in clear text and with one reference', async () => {
      const platform = await production();
      const business = await givenCompleteBusiness(platform);
      const owner = await givenOwner(
        platform,
        business.id,
        { nationality: 'GB', idType: 'NON_US_TAX_ID', identifier: 'GB-77' },
        { ownershipPercentage: 40 },
      );
      await givenDocument(platform, owner.id, 'PASSPORT');
      await givenDocument(platform, owner.id, 'NATIONAL_ID', { side: 'FRONT' });
      await givenDocument(platform, owner.id, 'NATIONAL_ID', { side: 'BACK' });
      const record = await submitted(platform, business.id);
      const taken: Submission[] = [];
      const contents: string[] = [];
      const { run } = provider(async (submission) => {
        taken.push(submission);
        for (const document of submission.documents) contents.push(await text(await document.content()));
        return undefined;
      });
      await run(platform);
      const [submission, ...more] = taken;
      assert.deepEqual(more, []);
      assert.equal(submission?.reference, record.id);
      const { businessInfo } = (submission as Submission).customer as CreatedCustomer;
      assert.deepEqual(
        [businessInfo.taxId, businessInfo.registrationNumber],
        [FULL_BUSINESS.businessInfo.taxId, FULL_BUSINESS.businessInfo.registrationNumber],
      );
      assert.deepEqual(
        submission?.owners.map(({ personalInfo }) => (personalInfo as { identifier: string }).identifier),
        [OWNER_PERSON.identifier, 'GB-77'],
      );
      assert.deepEqual(
        submission?.documents
          .map(({ documentType, side, documentNumber }) => [documentType, side, documentNumber])
          .slice(-3),
        [
          ['PASSPORT', undefined, 'C01X00T47'],
          ['NATIONAL_ID', 'FRONT', 'C01X00T47'],
          ['NATIONAL_ID', 'BACK', 'C01X00T47'],
        ],
      );
      assert.deepEqual(contents, Array(7).fill(PDF));
      assert.equal((await loadRecord(platform, record.id)).verificationStatus, 'IN_PROGRESS');
    });

    it("a person's identification number goes with the packet", async () => {
      const platform = await production();
      await waiting(platform);
      let identifier: unknown;
      const { run } = provider(async (submission) => {
        identifier = submission.customer.identifier;
        return undefined;
      });
      await run(platform);
      assert.equal(identifier, PERSON.identifier);
    });

    it('an immediate decision of the provider is applied at the end of the job', async () => {
      const platform = await production();
      const { customer, record } = await waiting(platform);
      await provider(async () => APPROVE).run(platform);
      assert.equal((await loadRecord(platform, record.id)).verificationStatus, 'APPROVED');
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'APPROVED');
      const [left] = await world.database.query<{ count: bigint }>(
        sql`select count(*) from jobs where platform_id = ${platform.id} and kind = 'verification.submit'`,
      );
      assert.equal(left?.count, 0n);
    });

    it('a failed provider call is retried later with the same reference', async () => {
      const platform = await production();
      const { customer, record } = await waiting(platform);
      const references: string[] = [];
      const { run, failures } = provider(async ({ reference }) => {
        references.push(reference);
        if (references.length === 1) throw new Error('not reachable');
        return APPROVE;
      });
      await run(platform);
      assert.equal(failures.length, 1);
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'PENDING');
      world.clock.advance(24 * 3_600_000);
      await run(platform);
      assert.deepEqual(references, [record.id, record.id]);
      assert.equal(await fetchCustomerStatus(platform, customer.id), 'APPROVED');
    });

    it('a packet that is no longer pending is not sent', async () => {
      const platform = await production();
      const { customer } = await waiting(platform);
      await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
      let asked = 0;
      await provider(async () => {
        asked++;
        return undefined;
      }).run(platform);
      assert.equal(asked, 0);
    });

    it('without a provider the packet waits for the operator’s review', async () => {
      const platform = await production();
      const { record } = await waiting(platform);
      await world.app.worker.settle(platform.id);
      assert.equal((await loadRecord(platform, record.id)).verificationStatus, 'PENDING_MANUAL_REVIEW');
    });
  });

  describe("the operator's review", () => {
    it('customers.md §4.4.10: lists the waiting customers, longest first, in both environments', async () => {
      for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
        const platform = await world.platform({ environment });
        const first = await givenCompleteBusiness(platform, 'REG-001');
        const record = await submitted(platform, first.id);
        world.clock.advance(1_000);
        const second = await givenCompletePerson(platform, 'Ada 001');
        await submitted(platform, second.id);
        const reviews = await (await platform.work()).read(listReviews);
        assert.deepEqual(
          reviews.map(({ customer }) => `Customer:${customer.id}`),
          [first.id, second.id],
        );
        assert.equal(`Verification:${reviews[0]?.verification?.id}`, record.id);
        await platform.call('deleteCustomerById', { params: { customerId: first.id } });
        const [left, ...others] = await (await platform.work()).read(listReviews);
        assert.deepEqual([`Customer:${left?.customer.id}`, others], [second.id, []]);
        assert.deepEqual(await (await (await world.platform()).work()).read(listReviews), []);
      }
    });

    const outcomes: [ReviewDecision, string, string, string[]][] = [
      [{ kind: 'APPROVE' }, 'APPROVED', 'APPROVED', ['VERIFICATION.APPROVED', 'CUSTOMER.KYB_APPROVED']],
      [
        { kind: 'REJECT', problems: [] },
        'REJECTED',
        'REJECTED',
        ['VERIFICATION.REJECTED', 'CUSTOMER.KYB_REJECTED'],
      ],
      [
        { kind: 'CORRECTABLE', problems: [{ type: 'EXPIRED_DOCUMENT', reason: 'Expired.' }] },
        'UNVERIFIED',
        'RESOLVE_ERRORS',
        ['VERIFICATION.RESOLVE_ERRORS'],
      ],
    ];
    for (const [decision, status, recordStatus, events] of outcomes) {
      it(`customers.md §4.4.10: ${decision.kind} follows 4.5 in the sandbox, is audited, and only once`, async () => {
        const platform = await world.platform();
        const business = await givenCompleteBusiness(platform, 'REG-001');
        const record = await submitted(platform, business.id);
        await review(platform, business.id, decision);
        assert.equal(await fetchCustomerStatus(platform, business.id), status);
        assert.equal((await loadRecord(platform, record.id)).verificationStatus, recordStatus);
        assert.deepEqual((await listCustomerEventTypes(platform)).slice(2), events);
        await assert.rejects(
          review(platform, business.id, decision),
          (error) => error instanceof Refusal && error.code === 'CONFLICT',
        );
        const [row] = await world.database.query<{ resource: string }>(
          sql`select resource from audit_log where platform_id = ${platform.id} and action = ${`review ${decision.kind}`}`,
        );
        assert.equal(row?.resource, business.id);
      });
    }

    it('customers.md §4.4.10: a customer who must correct something reads exactly the operator’s text', async () => {
      const platform = await world.platform();
      const business = await givenCompleteBusiness(platform, 'REG-001');
      const record = await submitted(platform, business.id);
      const problem = { type: 'INVALID_FIELD', reason: 'The address is that of a mail box.' };
      await review(platform, business.id, { kind: 'CORRECTABLE', problems: [problem] });
      const { errors } = await loadRecord(platform, record.id);
      assert.deepEqual(
        errors.map(({ type, reason, resourceId }) => ({ type, reason, resourceId })),
        [{ ...problem, resourceId: business.id }],
      );
    });

    it('a person created into review, without a record, can be decided as well', async () => {
      const platform = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
      const person = await givenCustomer(platform, { ...PERSON, fullName: 'Ada 001' });
      await review(platform, person.id, { kind: 'APPROVE' });
      assert.equal(await fetchCustomerStatus(platform, person.id), 'APPROVED');
    });

    it('owners of a reviewed sandbox business are decided by their names', async () => {
      const platform = await world.platform();
      const business = await givenCompleteBusiness(platform, 'REG-001');
      await givenOwner(platform, business.id, { lastName: 'Babbage 002' }, { ownershipPercentage: 1 });
      await submitted(platform, business.id);
      await review(platform, business.id, { kind: 'APPROVE' });
      const { body } = await platform.call('getCustomerById', { params: { customerId: business.id } });
      assert.deepEqual(
        body.beneficialOwners.map(({ kycStatus }) => kycStatus),
        ['APPROVED', 'REJECTED'],
      );
    });

    it('concurrent submission, decision and deletion run in turn, with one event each', async () => {
      const platform = await world.platform();
      for (let round = 0; round < 6; round++) {
        const business = await givenCompleteBusiness(platform, 'REG-001');
        await submitted(platform, business.id);
        const before = (await listCustomerEventTypes(platform)).length;
        const params = { customerId: business.id };
        const [submission, decision, deletion] = await Promise.all([
          platform.call('createVerification', { body: { customerId: business.id } }),
          review(platform, business.id, { kind: 'APPROVE' }).then(
            () => 'APPLIED',
            (error: Refusal) => error.code,
          ),
          platform.call('deleteCustomerById', { params }),
        ]);
        assert.equal(deletion.status, 200, deletion.raw);
        assert.ok([200, 400, 404].includes(submission.status), submission.raw);
        assert.ok(['APPLIED', 'CUSTOMER_NOT_FOUND'].includes(decision), decision);
        const isApproved = decision === 'APPLIED';
        assert.equal(await fetchCustomerStatus(platform, business.id), isApproved ? 'APPROVED' : 'PENDING');
        assert.deepEqual(
          (await listCustomerEventTypes(platform)).slice(before),
          isApproved ? ['VERIFICATION.APPROVED', 'CUSTOMER.KYB_APPROVED'] : [],
        );
      }
    });

    it('customers.md §4.4.10: an unknown customer, an unknown error type, no problems and a race are refused', async () => {
      const platform = await world.platform();
      const business = await givenCompleteBusiness(platform, 'REG-001');
      await submitted(platform, business.id);
      const problems = [{ type: 'BAD_HAIR', reason: 'x' }];
      const code = (expected: string) => (error: unknown) =>
        error instanceof Refusal && error.code === expected;
      await assert.rejects(
        review(platform, business.id, { kind: 'REJECT', problems }),
        code('INVALID_INPUT'),
      );
      await assert.rejects(
        review(platform, business.id, { kind: 'CORRECTABLE', problems: [] }),
        code('INVALID_INPUT'),
      );
      const unknown = 'Customer:019542f5-b3e7-7d02-8000-000000000099';
      await assert.rejects(review(platform, unknown, { kind: 'APPROVE' }), code('CUSTOMER_NOT_FOUND'));
      const decisions: ReviewDecision[] = [{ kind: 'APPROVE' }, { kind: 'REJECT', problems: [] }];
      const results = await Promise.allSettled(
        decisions.map((decision) => review(platform, business.id, decision)),
      );
      assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      assert.equal((await listCustomerEventTypes(platform)).length, 4);
    });
  });
});
