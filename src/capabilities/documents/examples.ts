import type { Document, DocumentUploadRequest } from '#capabilities/documents/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME } from '#foundation/lib/examples.ts';

/** Content of an uploaded file; the sandbox accepts any. */
const PDF = '%PDF-1.7';

const MADE = { createdAt: EXAMPLE_TIME, updatedAt: EXAMPLE_TIME };

const PASSPORT_FACTS = {
  documentType: 'PASSPORT',
  country: 'US',
  documentNumber: 'C01X00T47',
  issuingAuthority: 'Department of State',
} satisfies Partial<Document>;

export const PASSPORT_REQUEST: DocumentUploadRequest = {
  documentHolder: EXAMPLE_IDS.ada,
  ...PASSPORT_FACTS,
  file: PDF,
};

export const PASSPORT: Document = {
  id: EXAMPLE_IDS.adaPassport,
  documentHolder: EXAMPLE_IDS.ada,
  ...PASSPORT_FACTS,
  fileName: 'passport.pdf',
  ...MADE,
};

export const NEW_PASSPORT_REQUEST = { ...PASSPORT_FACTS, documentNumber: 'C01X00T48', file: PDF };

export const NEW_PASSPORT: Document = {
  ...PASSPORT,
  documentNumber: 'C01X00T48',
  fileName: 'new-passport.pdf',
};

const EMMY_PASSPORT_FACTS = {
  documentHolder: EXAMPLE_IDS.emmy,
  documentType: 'PASSPORT',
  country: 'DE',
  documentNumber: 'C01X0006H',
  issuingAuthority: 'Stadt Erlangen',
} satisfies Partial<Document>;

export const EMMY_PASSPORT_REQUEST: DocumentUploadRequest = { ...EMMY_PASSPORT_FACTS, file: PDF };

export const EMMY_PASSPORT: Document = {
  id: EXAMPLE_IDS.emmyPassport,
  ...EMMY_PASSPORT_FACTS,
  fileName: 'reisepass.pdf',
  ...MADE,
};

const CERTIFICATE_FACTS = {
  documentHolder: EXAMPLE_IDS.engines,
  documentType: 'CERTIFICATE_OF_INCORPORATION',
  country: 'US',
} satisfies Partial<Document>;

export const CERTIFICATE_REQUEST: DocumentUploadRequest = { ...CERTIFICATE_FACTS, file: PDF };

export const CERTIFICATE: Document = {
  id: EXAMPLE_IDS.enginesCertificate,
  ...CERTIFICATE_FACTS,
  fileName: 'certificate.pdf',
  ...MADE,
};
