import type { Verification } from '#capabilities/verification/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME } from '#foundation/lib/examples.ts';

export const APPROVED_VERIFICATION: Verification = {
  id: EXAMPLE_IDS.adaVerification,
  customerId: EXAMPLE_IDS.ada,
  verificationStatus: 'APPROVED',
  errors: [],
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

export const EMMY_VERIFICATION: Verification = {
  ...APPROVED_VERIFICATION,
  id: EXAMPLE_IDS.emmyVerification,
  customerId: EXAMPLE_IDS.emmy,
};

export const REJECTED_VERIFICATION: Verification = {
  ...APPROVED_VERIFICATION,
  verificationStatus: 'REJECTED',
  errors: [
    { type: 'APPLICANT_REJECTED', reason: 'The application was rejected.', resourceId: EXAMPLE_IDS.ada },
  ],
};

/** A business that has only proved its existence so far. */
export const INCOMPLETE_VERIFICATION: Verification = {
  id: EXAMPLE_IDS.enginesVerification,
  customerId: EXAMPLE_IDS.engines,
  verificationStatus: 'RESOLVE_ERRORS',
  errors: [
    {
      type: 'MISSING_CONTROL_STRUCTURE_DOCUMENT',
      reason: 'A document that proves who controls the business is missing.',
      resourceId: EXAMPLE_IDS.engines,
      acceptedDocumentTypes: [
        'DIRECTOR_REGISTRY',
        'TRUST_AGREEMENT',
        'STATE_COMPANY_REGISTRY',
        'PARTNERSHIP_CONTROL_AGREEMENT',
      ],
    },
    {
      type: 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
      reason: 'A document that proves who owns the business is missing.',
      resourceId: EXAMPLE_IDS.engines,
      acceptedDocumentTypes: ['SHAREHOLDER_REGISTER', 'TRUST_AGREEMENT', 'PARTNERSHIP_AGREEMENT'],
    },
    {
      type: 'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
      reason: 'A document that proves the address of the business is missing.',
      resourceId: EXAMPLE_IDS.engines,
      acceptedDocumentTypes: [
        'PROOF_OF_ADDRESS',
        'UTILITY_BILL',
        'RENT_OR_LEASE_AGREEMENT',
        'ELECTRICITY_BILL',
        'BANK_STATEMENT',
        'TAX_RETURN',
      ],
    },
  ],
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};
