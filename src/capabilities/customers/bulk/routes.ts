import { acceptImport } from '#capabilities/customers/bulk/accept-import.ts';
import { CUSTOMERS_CSV, IMPORT_JOB_DONE, LISTED_IMPORT } from '#capabilities/customers/bulk/examples.ts';
import { presentImport, presentListed } from '#capabilities/customers/bulk/present.ts';
import {
  BulkCustomerImportJob,
  BulkCustomerImportJobAccepted,
  BulkCustomerImportJobListResponse,
  BulkCustomerImportJobsQuery,
  CustomersCsvUpload,
} from '#capabilities/customers/bulk/schemas.ts';
import { findImport, listImports } from '#capabilities/customers/bulk/store.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { exampleList } from '#foundation/lib/examples.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const area = 'Customers';

/** 100 MB, counted like the limit of documents (customers.md §2.5.27). */
const FILE_MAX_BYTES = 104_857_600;

const upload = operation('uploadCustomersCsv', {
  route: 'POST /customers/bulk/csv',
  area,
  summary: 'Import customers from a CSV file',
  description:
    'Accepts the file and creates a customer from each row in the background, as `POST /customers` would. Problems ' +
    'in the content are not reported here, but on the import that `jobId` names.',
  access: 'manage',
  multipart: { fileField: 'file', fileMaxBytes: FILE_MAX_BYTES },
  body: CustomersCsvUpload,
  reply: BulkCustomerImportJobAccepted,
  status: 202,
  codes: [],
  examples: {
    'Two people': {
      body: { file: CUSTOMERS_CSV },
      fileName: 'customers.csv',
      reply: { jobId: IMPORT_JOB_DONE.id, status: 'PENDING' },
    },
  },
  write: (tx, { file }) => acceptImport(tx, file),
});

const get = operation('getBulkCustomerImportJob', {
  route: 'GET /customers/bulk/jobs/:jobId',
  area,
  summary: 'Read the progress of an import',
  description:
    'Returns how many rows were read, how many became customers, and the errors of the others. An import can be ' +
    'read until 30 days after it ended.',
  access: 'view',
  params: { jobId: { id: 'Job', missing: 'BULK_UPLOAD_JOB_NOT_FOUND' } },
  reply: BulkCustomerImportJob,
  codes: ['BULK_UPLOAD_JOB_NOT_FOUND'],
  examples: { 'A completed import': { params: { jobId: IMPORT_JOB_DONE.id }, reply: IMPORT_JOB_DONE } },
  // With thousands of errors this is slow, and must not block other callers' look-ups.
  handle: (work, { params }) =>
    work.read(async (tx) => {
      const row = await findImport(tx, params.jobId);
      return row ? presentImport(tx, row) : notFound('BULK_UPLOAD_JOB_NOT_FOUND', 'Job');
    }),
});

const list = operation('listBulkCustomerImportJobs', {
  route: 'GET /customers/bulk/jobs',
  area,
  summary: 'List imports',
  description:
    'Newest first, without the errors of their rows. An import is listed until 30 days after it ended.',
  access: 'view',
  isBeyondContract: true,
  query: BulkCustomerImportJobsQuery,
  reply: BulkCustomerImportJobListResponse,
  codes: [],
  examples: {
    'Completed imports': { query: { status: 'COMPLETED' }, reply: exampleList(LISTED_IMPORT) },
  },
  read: (tx, { query }) =>
    listImports(tx, pageRequest('listBulkCustomerImportJobs', query), query.status, presentListed),
});

export const bulkOperations = [upload, get, list];
