import Type, { type Static } from 'typebox';
import { DocumentType } from '#capabilities/documents/schemas.ts';
import type { Page } from '#foundation/http/paging.ts';
import {
  component,
  dateTime,
  idSchema,
  namedEnum,
  page,
  pageQuery,
  queryId,
} from '#foundation/http/schema.ts';

export const VerificationStatus = namedEnum(
  'VerificationStatus',
  'Status of a submission. `RESOLVE_ERRORS`: correct the problems in `errors` and submit again. ' +
    '`IN_PROGRESS`: being checked. `PENDING_MANUAL_REVIEW`: being reviewed by a person. `APPROVED` and ' +
    '`REJECTED` are final. `READY_FOR_VERIFICATION` is reserved and not used.',
  [
    'RESOLVE_ERRORS',
    'PENDING_MANUAL_REVIEW',
    'IN_PROGRESS',
    'APPROVED',
    'REJECTED',
    'READY_FOR_VERIFICATION',
  ],
);

export const ERROR_TYPES = [
  'MISSING_FIELD',
  'INVALID_FIELD',
  'MISSING_LEGAL_PRESENCE_DOCUMENT',
  'MISSING_CONTROL_STRUCTURE_DOCUMENT',
  'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
  'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
  'MISSING_IDENTITY_DOCUMENT',
  'INVALID_DOCUMENT',
  'EXPIRED_DOCUMENT',
  'POOR_QUALITY_DOCUMENT',
  'SUSPECTED_FRAUD_DOCUMENT',
  'WRONG_DOCUMENT_TYPE',
  'INCOMPLETE_DOCUMENT',
  'UNREADABLE_DOCUMENT',
  'DOCUMENT_VERIFICATION_FAILED',
  'APPLICANT_SANCTIONED',
  'APPLICANT_FRAUD',
  'APPLICANT_CRIMINAL_RECORD',
  'APPLICANT_REJECTED',
  'MISSING_BENEFICIAL_OWNER',
  'MISSING_CONTROL_PERSON',
  'MISSING_GOOD_STANDING_DOCUMENT',
] as const;

export type VerificationErrorType = (typeof ERROR_TYPES)[number];

export const VerificationError = component('VerificationError', 'One problem of a submission.', {
  resourceId: Type.String({
    description: 'The customer or beneficial owner with the problem.',
    examples: ['Customer:019542f5-b3e7-7d02-8000-000000000099'],
  }),
  type: namedEnum('VerificationErrorType', 'Kind of the problem.', ERROR_TYPES),
  field: Type.Optional(
    Type.String({
      description:
        'With `MISSING_FIELD` and `INVALID_FIELD`: the field’s path. Bare for an individual, under ' +
        '`customer` for a business, under `personalInfo` for an owner.',
      examples: ['customer.businessInfo.entityType'],
    }),
  ),
  acceptedDocumentTypes: Type.Optional(
    Type.Array(DocumentType, { description: 'Any one of these documents resolves the problem.' }),
  ),
  reason: Type.String({
    description: 'Human-readable description of the problem.',
    examples: ['Birth date is missing.'],
  }),
});

export type VerificationError = Static<typeof VerificationError>;

export const Verification = component(
  'Verification',
  'One submission of a customer for verification, and its outcome.',
  {
    id: idSchema('Verification', { description: 'Id of the submission.' }),
    customerId: idSchema('Customer', { description: 'Id of the submitted customer.' }),
    verificationStatus: VerificationStatus,
    errors: Type.Array(VerificationError, {
      description:
        'Problems to correct (`RESOLVE_ERRORS`) or reasons for the rejection (`REJECTED`); empty otherwise.',
    }),
    createdAt: dateTime({ description: 'When it was submitted.' }),
    updatedAt: Type.Optional(dateTime({ description: 'When it last changed or was submitted again.' })),
  },
);

export type Verification = Static<typeof Verification>;

export const VerificationRequest = component('VerificationRequest', 'The customer to submit.', {
  customerId: idSchema('Customer', { description: 'Id of the customer to verify.' }),
});

export const VerificationPage = Type.Unsafe<Page<Verification>>(
  page('VerificationListResponse', Verification),
);

export const VerificationQuery = pageQuery({
  customerId: Type.Optional(queryId('Customer', { description: 'Only submissions of this customer.' })),
  verificationStatus: Type.Optional(VerificationStatus),
});

export type VerificationQuery = Static<typeof VerificationQuery>;
