import type {
  BulkCustomerImportJob,
  BulkCustomerImportJobSummary,
} from '#capabilities/customers/bulk/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME } from '#foundation/lib/examples.ts';

/** One row that can be imported, and one with an incomplete address. */
export const CUSTOMERS_CSV = [
  'umaAddress,platformCustomerId,customerType,addressLine1,city,state,postalCode,country,fullName,birthDate',
  '$grace@uma.localhost,user-4713,INDIVIDUAL,1 Navy Yard,Washington,DC,20374,US,Grace Hopper,1986-12-09',
  '$alan@uma.localhost,user-4714,INDIVIDUAL,,London,,SW1Y 4JH,GB,Alan Turing,1982-06-23',
].join('\n');

export const IMPORT_JOB_DONE: BulkCustomerImportJob = {
  id: EXAMPLE_IDS.importJob,
  status: 'COMPLETED',
  progress: { total: 2, processed: 2, successful: 1, failed: 1 },
  errors: [
    {
      correlationId: 'user-4714',
      code: 'INVALID_FIELD',
      message: 'Invalid: addressLine1, state.',
      details: {
        errors: [
          { field: 'addressLine1', message: 'is required' },
          { field: 'state', message: 'is required' },
        ],
      },
    },
  ],
  completedAt: EXAMPLE_TIME,
};

export const LISTED_IMPORT: BulkCustomerImportJobSummary = {
  id: EXAMPLE_IDS.importJob,
  status: 'COMPLETED',
  progress: IMPORT_JOB_DONE.progress,
  createdAt: EXAMPLE_TIME,
  completedAt: EXAMPLE_TIME,
};

/** An import of which no row succeeded. */
export const FAILED_IMPORT_JOB: BulkCustomerImportJob = {
  ...IMPORT_JOB_DONE,
  status: 'FAILED',
  progress: { total: 1, processed: 1, successful: 0, failed: 1 },
};
