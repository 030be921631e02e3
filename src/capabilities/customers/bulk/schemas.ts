import Type, { type Static } from 'typebox';
import { component, dateTime, idOf, oneOf } from '#foundation/http/schema.ts';

export const CustomersCsvUpload = component(
  'CustomersCsvUpload',
  {
    file: Type.String({
      format: 'binary',
      description:
        'CSV in UTF-8 with a header row, up to 100 MB. Columns in any order: `umaAddress`, `platformCustomerId`, ' +
        '`customerType`, `addressLine1`, `city`, `state`, `postalCode` and `country` for every row, `fullName` ' +
        'and `birthDate` for people, `businessLegalName` for businesses; if wanted `addressLine2`, `email`, ' +
        '`phoneNumber`, `region`, `platformAccountId` and `description`, and for businesses ' +
        '`businessRegistrationNumber`, `businessTaxId`, `businessIncorporatedOn`, `primaryContactFirstName` and ' +
        '`primaryContactLastName`. Where contacts have to be verified, `email`, `phoneNumber` and a business’s ' +
        'primary contact are required.',
    }),
  },
  { description: 'A file of new customers.' },
);

export const BulkCustomerImportJobAccepted = component(
  'BulkCustomerImportJobAccepted',
  {
    jobId: idOf('Job', { description: 'The import; ask for its progress with it.' }),
    status: oneOf(['PENDING', 'PROCESSING'], { description: 'Where the import stands.' }),
  },
  { description: 'The file is here; its rows are imported in the background.' },
);

export type BulkCustomerImportJobAccepted = Static<typeof BulkCustomerImportJobAccepted>;

const BulkCustomerImportErrorEntry = component(
  'BulkCustomerImportErrorEntry',
  {
    correlationId: Type.String({
      description:
        "The row's `platformCustomerId`; without a usable one `row_` and its number, the first after the header " +
        'being 1 and the header itself 0.',
      examples: ['user-4711'],
    }),
    code: Type.Optional(
      Type.String({
        description:
          '`INVALID_FIELD`, `CONFLICT` or `UMA_ADDRESS_EXISTS` for a row, `invalid_csv_format` for the file.',
        examples: ['INVALID_FIELD'],
      }),
    ),
    message: Type.Optional(Type.String({ description: 'What is wrong, for a person.' })),
    details: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'For `INVALID_FIELD`: `errors`, one for each bad column of the row.',
        },
      ),
    ),
  },
  { description: 'A row that was not imported, or what made the file useless.' },
);

export type BulkCustomerImportErrorEntry = Static<typeof BulkCustomerImportErrorEntry>;

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1000] });

export const BulkCustomerImportJob = component(
  'BulkCustomerImportJob',
  {
    id: idOf('Job', { description: 'The import.' }),
    status: oneOf(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'], {
      description:
        'Where it stands. `COMPLETED` with at least one customer made, else `FAILED`; both are final.',
    }),
    progress: Type.Object(
      {
        total: count('Rows in the file; 0 until it was looked through.'),
        processed: count('Rows done: successful and failed ones.'),
        successful: count('Customers made.'),
        failed: count('Rows that were refused.'),
      },
      { description: 'How far it is.' },
    ),
    errors: Type.Optional(
      Type.Array(BulkCustomerImportErrorEntry, {
        description: 'Why rows failed, in the order of the file: the first 10,000. Absent without any.',
      }),
    ),
    completedAt: Type.Optional(dateTime({ description: 'When it ended; absent before.' })),
  },
  { description: 'An import of customers and how far it is.' },
);

export type BulkCustomerImportJob = Static<typeof BulkCustomerImportJob>;
