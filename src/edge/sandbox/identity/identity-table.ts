import type { CompleteTable, SandboxRow } from '#edge/sandbox/table.ts';
import type {
  DocumentFault,
  FirstIdentityStatus,
  IdentityProblem,
  IdentityStatus,
  InstantDecision,
} from '#foundation/ports/identity.ts';

/** customers.md §4.1, rows of a light platform's `POST /customers`. */
export const PEOPLE_AT_CREATE: CompleteTable<FirstIdentityStatus> = {
  id: 'people-at-create',
  title: 'People on a platform without paperwork',
  intro:
    'If the platform is a regulated institution, or its operator set `skipVerificationPaperwork`, the end of `fullName` ' +
    'decides about people when they are created. No verification is created.',
  column: 'Name ends in',
  operations: ['createCustomer'],
  rows: [
    {
      value: '001',
      example: 'Ada Lovelace 001',
      effect: 'Under review until the operator decides or the person is submitted again.',
      shows: { kycStatus: 'PENDING' },
      does: 'PENDING',
    },
    {
      value: '002',
      example: 'Ada Lovelace 002',
      effect: 'Rejected for good.',
      shows: { kycStatus: 'REJECTED' },
      does: 'REJECTED',
    },
    {
      value: '003',
      example: 'Ada Lovelace 003',
      effect: 'Not decided yet: the person has to be submitted, with everything that a submission requires.',
      shows: { kycStatus: 'UNVERIFIED' },
      does: 'UNVERIFIED',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'Ada Lovelace',
    effect: 'Approved at once.',
    shows: { kycStatus: 'APPROVED' },
    does: 'APPROVED',
  },
};

const APPROVE: InstantDecision = { kind: 'APPROVE' };

const REJECT: InstantDecision = {
  kind: 'REJECT',
  problems: [{ type: 'APPLICANT_REJECTED', reason: 'The application was rejected.' }],
};

const POOR_QUALITY: IdentityProblem = {
  type: 'POOR_QUALITY_DOCUMENT',
  reason: 'The document cannot be read well enough. Upload a clearer one.',
};

/** customers.md §4.1, rows of a complete submission. */
export const PEOPLE_SUBMITTED: CompleteTable<InstantDecision> = {
  id: 'people-submitted',
  title: 'People who are submitted',
  intro:
    'The end of `fullName` decides a complete submission, by the API or the hosted page. The answer to an incomplete one ' +
    'lists the missing items.',
  column: 'Name ends in',
  operations: ['createVerification', 'createCustomerKycLink'],
  rows: [
    {
      value: '001',
      example: 'Ada Lovelace 001',
      effect: 'Reviewed by hand: it stays so until the operator decides.',
      shows: { 'verification.verificationStatus': 'PENDING_MANUAL_REVIEW', 'customer.kycStatus': 'PENDING' },
      does: { kind: 'REVIEW', as: 'PENDING_MANUAL_REVIEW' },
    },
    {
      value: '002',
      example: 'Ada Lovelace 002',
      effect: 'Rejected for good.',
      shows: {
        'verification.verificationStatus': 'REJECTED',
        'verification.errors.0.type': 'APPLICANT_REJECTED',
        'customer.kycStatus': 'REJECTED',
      },
      does: REJECT,
    },
    {
      value: '003',
      example: 'Ada Lovelace 003',
      effect: 'A document cannot be read: replace it, and submit again.',
      shows: {
        'verification.verificationStatus': 'RESOLVE_ERRORS',
        'verification.errors.0.type': 'POOR_QUALITY_DOCUMENT',
        'customer.kycStatus': 'UNVERIFIED',
      },
      does: { kind: 'RESOLVE', problems: [POOR_QUALITY] },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'Ada Lovelace',
    effect: 'Approved at once.',
    shows: { 'verification.verificationStatus': 'APPROVED', 'customer.kycStatus': 'APPROVED' },
    does: APPROVE,
  },
};

const inReview = (value: string): SandboxRow<InstantDecision> => ({
  value,
  example: `REG-${value}`,
  effect:
    'Reviewed by hand, on every platform, if the papers are complete: it stays so until the operator decides.',
  shows: { 'verification.verificationStatus': 'IN_PROGRESS', 'customer.kybStatus': 'PENDING' },
  does: { kind: 'REVIEW', as: 'IN_PROGRESS' },
});

/** customers.md §4.4. */
export const BUSINESSES_SUBMITTED: CompleteTable<InstantDecision> = {
  id: 'businesses-submitted',
  title: 'Businesses that are submitted',
  intro:
    'The end of `businessInfo.registrationNumber` decides a submission. A platform without paperwork gets its approval or ' +
    'rejection without a check of the papers; otherwise they have to be complete.',
  column: 'Number ends in',
  operations: ['createVerification', 'createCustomerKycLink'],
  rows: [
    inReview('001'),
    {
      value: '002',
      example: 'REG-002',
      effect: 'Rejected for good.',
      shows: {
        'verification.verificationStatus': 'REJECTED',
        'verification.errors.0.type': 'APPLICANT_REJECTED',
        'customer.kybStatus': 'REJECTED',
      },
      does: REJECT,
    },
    inReview('003'),
  ],
  otherwise: {
    value: 'anything else',
    example: 'REG-777',
    effect: 'Approved at once.',
    shows: { 'verification.verificationStatus': 'APPROVED', 'customer.kybStatus': 'APPROVED' },
    does: APPROVE,
  },
};

/** customers.md §4.4.9. */
export const OWNERS: CompleteTable<IdentityStatus> = {
  id: 'beneficial-owners',
  title: 'Beneficial owners',
  intro:
    'The end of `personalInfo.lastName` decides about each owner when the business is approved or rejected, or when the ' +
    'owner is added to such a business. The business is not affected.',
  column: 'Last name ends in',
  operations: ['createBeneficialOwner', 'createVerification'],
  rows: [
    {
      value: '001',
      example: 'Babbage 001',
      effect: 'Under review forever.',
      shows: { kycStatus: 'PENDING' },
      does: 'PENDING',
    },
    {
      value: '002',
      example: 'Babbage 002',
      effect: 'Rejected.',
      shows: { kycStatus: 'REJECTED' },
      does: 'REJECTED',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'Babbage',
    effect: 'Approved.',
    shows: { kycStatus: 'APPROVED' },
    does: 'APPROVED',
  },
};

const FAULTS: Readonly<Record<DocumentFault, string>> = {
  LOW_QUALITY: 'The picture cannot be read.',
  DATA_MISMATCH: 'The document contradicts the customer’s data.',
  EXPIRED: 'The document is no longer valid.',
  SUSPECTED_FRAUD: 'The document may be forged.',
  UNSUITABLE_DOCUMENT: 'The document is of the wrong kind.',
  INCOMPLETE: 'A page or a side is missing.',
};

/** customers.md §5.5. */
export const DOCUMENTS: CompleteTable<DocumentFault | undefined> = {
  id: 'documents',
  title: 'Documents that are refused',
  intro:
    'The name of an uploaded file, without its extension and in any case, decides whether the document is accepted. The ' +
    'content of the file does not matter, as long as it is a PDF, JPEG or PNG by its name or type.',
  column: 'File name',
  operations: ['uploadDocument', 'replaceDocument'],
  rows: (Object.keys(FAULTS) as DocumentFault[]).map((fault) => ({
    value: fault,
    example: `${fault.toLowerCase()}.pdf`,
    effect: `${FAULTS[fault]} Refused, and nothing is stored.`,
    shows: { code: fault },
    does: fault,
  })),
  otherwise: {
    value: 'anything else',
    example: 'passport.pdf',
    effect: 'Accepted.',
    shows: { fileName: 'passport.pdf' },
    does: undefined,
  },
};
