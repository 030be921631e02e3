import { deleteDocument } from '#capabilities/documents/delete-document.ts';
import {
  CERTIFICATE,
  CERTIFICATE_REQUEST,
  EMMY_PASSPORT,
  EMMY_PASSPORT_REQUEST,
  NEW_PASSPORT,
  NEW_PASSPORT_REQUEST,
  PASSPORT,
  PASSPORT_REQUEST,
} from '#capabilities/documents/examples.ts';
import { presentDocument } from '#capabilities/documents/present.ts';
import { replaceDocument } from '#capabilities/documents/replace-document.ts';
import { FILE_MAX_BYTES } from '#capabilities/documents/rules.ts';
import {
  Document,
  DocumentPage,
  DocumentQuery,
  DocumentReplaceRequest,
  DocumentUploadRequest,
} from '#capabilities/documents/schemas.ts';
import {
  documentPage,
  findDocument,
  openDocuments,
  type StoredDocument,
} from '#capabilities/documents/store.ts';
import { uploadDocument } from '#capabilities/documents/upload-document.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { keysetPage, pageRequest } from '#foundation/http/paging.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';
import { type Code, notFound } from '#foundation/lib/refusals.ts';
import { DOCUMENT_FAULTS } from '#foundation/ports/identity.ts';

const area = 'Documents';
const params = { documentId: { id: 'Document', missing: 'NOT_FOUND' } } as const;
const multipart = { fileField: 'file', fileMaxBytes: FILE_MAX_BYTES };
const faults: readonly Code[] = DOCUMENT_FAULTS;

const upload = operation('uploadDocument', {
  route: 'POST /documents',
  area,
  summary: 'Upload a document',
  description:
    'Stores a document of a customer or beneficial owner for their verification. There is one document per ' +
    'type and side; a file without `side` counts as both. The content is sealed and cannot be read back.',
  access: 'manage',
  multipart,
  body: DocumentUploadRequest,
  checksBody: true,
  reply: Document,
  status: 201,
  codes: ['DOCUMENT_HOLDER_NOT_FOUND', 'DOCUMENT_ALREADY_EXISTS', ...faults],
  examples: {
    'A passport': { body: PASSPORT_REQUEST, fileName: PASSPORT.fileName, reply: PASSPORT },
    'A passport of Germany': {
      body: EMMY_PASSPORT_REQUEST,
      fileName: EMMY_PASSPORT.fileName,
      reply: EMMY_PASSPORT,
    },
    'A document of a business': {
      body: CERTIFICATE_REQUEST,
      fileName: CERTIFICATE.fileName,
      reply: CERTIFICATE,
    },
  },
  handle: (work, input) => uploadDocument(work, input),
});

const list = operation('listDocuments', {
  route: 'GET /documents',
  area,
  summary: 'List documents',
  description: 'Newest first.',
  access: 'view',
  query: DocumentQuery,
  reply: DocumentPage,
  codes: [],
  examples: {
    'Documents of a person': { query: { documentHolder: EXAMPLE_IDS.ada }, reply: exampleList(PASSPORT) },
  },
  async read(tx, { query }) {
    const request = pageRequest('listDocuments', query);
    const search = documentPage(tx, query.documentHolder);
    const found = await keysetPage(tx, request, search, (row: StoredDocument) => row);
    const documents = await openDocuments(tx, found.data);
    return { ...found, data: documents.map((row) => presentDocument(tx.vault, row)) };
  },
});

const get = operation('getDocument', {
  route: 'GET /documents/:documentId',
  area,
  summary: 'Read a document’s details',
  description: 'Returns its type, its holder and its details, but not the file itself.',
  access: 'view',
  params,
  reply: Document,
  codes: ['NOT_FOUND'],
  examples: { 'A passport': { params: { documentId: PASSPORT.id }, reply: PASSPORT } },
  async read(tx, { params: { documentId } }) {
    const row = await findDocument(tx, documentId);
    return row ? presentDocument(tx.vault, row) : notFound('NOT_FOUND', 'Document');
  },
});

const replace = operation('replaceDocument', {
  route: 'PUT /documents/:documentId',
  area,
  summary: 'Replace a document',
  description:
    'Replaces the file and the details of a document. Refused while the document is part of an open ' +
    'verification, and after its customer was approved or rejected.',
  access: 'manage',
  params,
  multipart,
  body: DocumentReplaceRequest,
  checksBody: true,
  reply: Document,
  codes: ['NOT_FOUND', 'CONFLICT', 'DOCUMENT_ALREADY_EXISTS', ...faults],
  examples: {
    'A newer passport': {
      params: { documentId: PASSPORT.id },
      body: NEW_PASSPORT_REQUEST,
      fileName: NEW_PASSPORT.fileName,
      reply: NEW_PASSPORT,
    },
  },
  handle: (work, input) => replaceDocument(work, input.params.documentId, input),
});

const remove = operation('deleteDocument', {
  route: 'DELETE /documents/:documentId',
  area,
  summary: 'Delete a document',
  description:
    'Permanent. Refused while the document is part of an open verification, and after its customer was approved or rejected.',
  access: 'manage',
  params,
  codes: ['NOT_FOUND', 'CONFLICT'],
  examples: { 'A document of a business': { params: { documentId: CERTIFICATE.id } } },
  async write(tx, { params: { documentId } }) {
    await deleteDocument(tx, documentId);
  },
});

export const documentOperations = [upload, list, get, replace, remove];
