import Type, { type Static } from 'typebox';
import { component, dateTime, idSchema, page, pageQuery, stringEnum } from '#foundation/http/schema.ts';

export const CustomersCsvUpload = component('CustomersCsvUpload', 'A file of new customers.', {
  file: Type.String({
    format: 'binary',
    description:
      'CSV in UTF-8 with a header row, up to 100 MB. Columns in any order: `umaAddress`, `platformCustomerId`, ' +
      '`customerType`, `addressLine1`, `city`, `state`, `postalCode` and `country` for every row, `fullName` ' +
      'and `birthDate` for people, `businessLegalName` for businesses; optionally `addressLine2`, `email`, ' +
      '`phoneNumber`, `region`, `platformAccountId` and `description`, and for businesses ' +
      '`businessRegistrationNumber`, `businessTaxId`, `businessIncorporatedOn`, `primaryContactFirstName` and ' +
      '`primaryContactLastName`. In regions that require verified contacts, `email`, `phoneNumber` and a ' +
      'business’s primary contact are required.',
  }),
});

export const BulkCustomerImportJobAccepted = component(
  'BulkCustomerImportJobAccepted',
  'The file was received; its rows are imported in the background.',
  {
    jobId: idSchema('Job', { description: 'Id of the import, with which you can read its progress.' }),
    status: stringEnum(['PENDING', 'PROCESSING'], { description: 'Status of the import.' }),
  },
);

export type BulkCustomerImportJobAccepted = Static<typeof BulkCustomerImportJobAccepted>;

const BulkCustomerImportErrorEntry = component(
  'BulkCustomerImportErrorEntry',
  'A row that was not imported, or the problem with the whole file.',
  {
    correlationId: Type.String({
      description:
        "The row's `platformCustomerId`. If it has no usable one, `row_` and its number: 0 is the header, 1 the " +
        'first row after it.',
      examples: ['user-4711'],
    }),
    code: Type.Optional(
      Type.String({
        description:
          '`INVALID_FIELD`, `CONFLICT` or `UMA_ADDRESS_EXISTS` for a row, `invalid_csv_format` for the file.',
        examples: ['INVALID_FIELD'],
      }),
    ),
    message: Type.Optional(Type.String({ description: 'Human-readable description of the problem.' })),
    details: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'For `INVALID_FIELD`: `errors`, one for each invalid column of the row.',
        },
      ),
    ),
  },
);

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1000] });

const STATUS = stringEnum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'], {
  description:
    'Status of the import. `COMPLETED` if it created at least one customer, else `FAILED`; both are final.',
});
const PROGRESS = Type.Object(
  {
    total: count('Rows in the file; 0 until the file has been read once.'),
    processed: count('Processed rows: successful and failed ones.'),
    successful: count('Customers created.'),
    failed: count('Rows that were refused.'),
  },
  { description: 'Progress of the import.' },
);
const COMPLETED_AT = Type.Optional(dateTime({ description: 'When the import ended; absent before that.' }));

export const BulkCustomerImportJob = component(
  'BulkCustomerImportJob',
  'An import of customers and its progress.',
  {
    id: idSchema('Job', { description: 'Id of the import.' }),
    status: STATUS,
    progress: PROGRESS,
    errors: Type.Optional(
      Type.Array(BulkCustomerImportErrorEntry, {
        description: 'The first 10,000 errors, in the order of the file. Absent if there are none.',
      }),
    ),
    completedAt: COMPLETED_AT,
  },
);

export type BulkCustomerImportJob = Static<typeof BulkCustomerImportJob>;

const BulkCustomerImportJobSummary = component(
  'BulkCustomerImportJobSummary',
  'An import of customers in a list, without the errors of its rows.',
  {
    id: idSchema('Job', { description: 'Id of the import.' }),
    status: STATUS,
    progress: PROGRESS,
    createdAt: dateTime({ description: 'When the file was uploaded.' }),
    completedAt: COMPLETED_AT,
  },
);
export type BulkCustomerImportJobSummary = Static<typeof BulkCustomerImportJobSummary>;

export const BulkCustomerImportJobListResponse = page(
  'BulkCustomerImportJobListResponse',
  BulkCustomerImportJobSummary,
);

export const BulkCustomerImportJobsQuery = pageQuery({ status: Type.Optional(STATUS) });
