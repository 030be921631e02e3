import {
  APPROVED_VERIFICATION,
  EMMY_VERIFICATION,
  INCOMPLETE_VERIFICATION,
} from '#capabilities/verification/examples.ts';
import { presentVerification } from '#capabilities/verification/present.ts';
import {
  Verification,
  VerificationPage,
  VerificationQuery,
  VerificationRequest,
} from '#capabilities/verification/schemas.ts';
import {
  findVerification,
  openVerifications,
  type StoredVerification,
  verificationPage,
} from '#capabilities/verification/store.ts';
import { submitCustomer } from '#capabilities/verification/submit-customer.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { keysetPage, pageRequest } from '#foundation/http/paging.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';
import { bareId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const area = 'KYC/KYB Verifications';

const create = operation('createVerification', {
  route: 'POST /verifications',
  area,
  summary: 'Submit a customer for verification',
  description:
    'Checks that the customer’s data is complete and submits it. An incomplete submission is accepted as ' +
    'well, and its reply lists every problem in `errors`. Correct them and submit again. Submitting again ' +
    'while a submission is being checked updates the same submission.',
  access: 'manage',
  body: VerificationRequest,
  reply: Verification,
  codes: ['CUSTOMER_NOT_FOUND'],
  examples: {
    'A business with missing documents': {
      body: { customerId: EXAMPLE_IDS.engines },
      reply: INCOMPLETE_VERIFICATION,
    },
    'A person, complete': { body: { customerId: EXAMPLE_IDS.ada }, reply: APPROVED_VERIFICATION },
    'A person whose contacts are verified': {
      body: { customerId: EXAMPLE_IDS.emmy },
      reply: EMMY_VERIFICATION,
    },
  },
  write: (tx, { body }) => submitCustomer(tx, bareId(body.customerId)),
});

const list = operation('listVerifications', {
  route: 'GET /verifications',
  area,
  summary: 'List submissions',
  description: 'Newest first.',
  access: 'view',
  query: VerificationQuery,
  reply: VerificationPage,
  codes: [],
  examples: {
    'Submissions of a person': {
      query: { customerId: EXAMPLE_IDS.ada },
      reply: exampleList(APPROVED_VERIFICATION),
    },
  },
  async read(tx, { query }) {
    const request = pageRequest('listVerifications', query);
    const found = await keysetPage(
      tx,
      request,
      verificationPage(tx, query),
      (row: StoredVerification) => row,
    );
    const verifications = await openVerifications(tx, found.data);
    return { ...found, data: verifications.map(presentVerification) };
  },
});

const get = operation('getVerification', {
  route: 'GET /verifications/:verificationId',
  area,
  summary: 'Read a submission',
  description: 'Returns its status and, if something is missing, the problems to correct.',
  access: 'view',
  params: { verificationId: { id: 'Verification', missing: 'VERIFICATION_NOT_FOUND' } },
  reply: Verification,
  codes: ['VERIFICATION_NOT_FOUND'],
  examples: {
    'A person, approved': {
      params: { verificationId: APPROVED_VERIFICATION.id },
      reply: APPROVED_VERIFICATION,
    },
  },
  async read(tx, { params: { verificationId } }) {
    const row = await findVerification(tx, verificationId);
    return row ? presentVerification(row) : notFound('VERIFICATION_NOT_FOUND', 'Verification');
  },
});

export const verificationOperations = [create, list, get];
