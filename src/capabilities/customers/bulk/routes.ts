import { acceptImport } from '#capabilities/customers/bulk/accept-import.ts';
import { CUSTOMERS_CSV, IMPORT_JOB_DONE } from '#capabilities/customers/bulk/examples.ts';
import { presentImport } from '#capabilities/customers/bulk/present.ts';
import {
  BulkCustomerImportJob,
  BulkCustomerImportJobAccepted,
  CustomersCsvUpload,
} from '#capabilities/customers/bulk/schemas.ts';
import { findImport } from '#capabilities/customers/bulk/store.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const area = 'Customers';

/** 100 MB, counted like the limit of documents (customers.md §2.5.27). */
const FILE_MAX_BYTES = 104_857_600;

const upload = operation('uploadCustomersCsv', {
  route: 'POST /customers/bulk/csv',
  area,
  summary: 'Import customers from a CSV file',
  description:
    'Takes the file and makes a customer of each row in the background, as if it were created by itself. What is ' +
    'wrong with the content shows on the import, which `jobId` names, and not here.',
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
  summary: 'See how far an import is',
  description:
    'How many rows were read, how many became customers, and what was wrong with the others. An import can be asked ' +
    'for until 30 days after it ended.',
  access: 'view',
  params: { jobId: { id: 'Job', missing: 'BULK_UPLOAD_JOB_NOT_FOUND' } },
  reply: BulkCustomerImportJob,
  codes: ['BULK_UPLOAD_JOB_NOT_FOUND'],
  examples: { 'An import that is done': { params: { jobId: IMPORT_JOB_DONE.id }, reply: IMPORT_JOB_DONE } },
  // With thousands of errors it is slow, and must not hold up the look-ups of others.
  handle: (work, { params }) =>
    work.read(async (tx) => {
      const row = await findImport(tx, params.jobId);
      return row ? presentImport(tx, row) : notFound('BULK_UPLOAD_JOB_NOT_FOUND', 'Job');
    }),
});

export const bulkOperations = [upload, get];
