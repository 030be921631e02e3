import Type, { type Static } from 'typebox';
import { country, words } from '#capabilities/customers/field-schemas.ts';
import type { Page } from '#foundation/http/paging.ts';
import {
  component,
  dateTime,
  idSchema,
  namedEnum,
  page,
  pageQuery,
  stringEnum,
} from '#foundation/http/schema.ts';

export const DocumentType = namedEnum('DocumentType', 'Type of the document.', [
  'PASSPORT',
  'DRIVERS_LICENSE',
  'NATIONAL_ID',
  'PROOF_OF_ADDRESS',
  'BANK_STATEMENT',
  'TAX_RETURN',
  'CERTIFICATE_OF_INCORPORATION',
  'ARTICLES_OF_INCORPORATION',
  'ARTICLES_OF_ASSOCIATION',
  'STATE_REGISTRY_EXCERPT',
  'GOOD_STANDING_CERTIFICATE',
  'INFORMATION_STATEMENT',
  'INCUMBENCY_CERTIFICATE',
  'BUSINESS_LICENSE',
  'SHAREHOLDER_REGISTER',
  'POWER_OF_ATTORNEY',
  'UTILITY_BILL',
  'ELECTRICITY_BILL',
  'RENT_OR_LEASE_AGREEMENT',
  'DIRECTOR_REGISTRY',
  'TRUST_AGREEMENT',
  'STATE_COMPANY_REGISTRY',
  'PARTNERSHIP_CONTROL_AGREEMENT',
  'PARTNERSHIP_AGREEMENT',
  'SELFIE',
  'OTHER',
]);

export type DocumentType = Static<typeof DocumentType>;

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const HOLDER = '(Customer|BeneficialOwner)';

export type DocumentHolderId = `Customer:${string}` | `BeneficialOwner:${string}`;

const documentHolder = Type.Unsafe<DocumentHolderId>({
  type: 'string',
  pattern: `^${HOLDER}:${UUID}$`,
  description: 'Holder of the document: a customer or a beneficial owner.',
  examples: ['Customer:019542f5-b3e7-7d02-8000-000000000099'],
});

const FIELDS = {
  documentType: DocumentType,
  side: Type.Optional(
    stringEnum(['FRONT', 'BACK'], {
      description: 'The side of a card that the file shows. If omitted, the file counts as both sides.',
    }),
  ),
  country: country('Country that issued the document, ISO 3166-1 alpha-2.'),
  documentNumber: Type.Optional(
    words(100, {
      description: 'Number on the document. Required for `PASSPORT`, `DRIVERS_LICENSE` and `NATIONAL_ID`.',
      examples: ['C01X00T47'],
    }),
  ),
  issuingAuthority: Type.Optional(
    words(250, {
      description:
        'Authority that issued the document. Required for `PASSPORT`, `DRIVERS_LICENSE` and `NATIONAL_ID`.',
      examples: ['Stadt Berlin'],
    }),
  ),
};

const file = Type.String({
  format: 'binary',
  description:
    'The file: PDF, JPEG or PNG, at most 10 MB (10,485,760 bytes). Its type is taken from the part’s ' +
    '`Content-Type`, else from the extension of its name, else from its first bytes; ' +
    '`application/octet-stream` and `text/plain` count as no type.',
});

export const DocumentUploadRequest = component('DocumentUploadRequest', 'A document and its details.', {
  documentHolder,
  ...FIELDS,
  file,
});

export type DocumentUploadRequest = Static<typeof DocumentUploadRequest>;

export const DocumentReplaceRequest = component(
  'DocumentReplaceRequest',
  'The new file and its details, which replace the stored ones.',
  { ...FIELDS, file },
);

export type DocumentReplaceRequest = Static<typeof DocumentReplaceRequest>;

export const Document = component('Document', 'A stored document. Its content cannot be downloaded again.', {
  id: idSchema('Document', { description: 'Id of the document.' }),
  documentHolder,
  ...FIELDS,
  fileName: Type.String({ description: 'Name of the uploaded file.', examples: ['passport.pdf'] }),
  createdAt: dateTime({ description: 'When it was first uploaded.' }),
  updatedAt: Type.Optional(dateTime({ description: 'When it was last replaced.' })),
});

export type Document = Static<typeof Document>;

export const DocumentPage = Type.Unsafe<Page<Document>>(page('DocumentListResponse', Document));

export const DocumentQuery = pageQuery({
  documentHolder: Type.Optional(
    Type.String({
      pattern: `^(${HOLDER}:)?${UUID}$`,
      description: 'Only documents of this customer or beneficial owner.',
    }),
  ),
});
