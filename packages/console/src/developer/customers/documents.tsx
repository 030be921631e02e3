import type { Customer, DocumentType, VerificationError } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf } from '../../api/call.ts';
import { given } from '../../api/given.ts';
import { invalidate, usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { nameOf } from './name.ts';

interface DocumentsProps {
  readonly customer: Customer;
  readonly errors: readonly VerificationError[];
}

const USUAL: readonly DocumentType[] = [
  'PASSPORT',
  'DRIVERS_LICENSE',
  'NATIONAL_ID',
  'PROOF_OF_ADDRESS',
  'SELFIE',
];

/** Lists the uploaded documents, and uploads another. */
export function Documents({ customer, errors }: DocumentsProps) {
  const documents = usePages(['listDocuments', customer.id], (cursor) =>
    corridor.listDocuments({ documentHolder: customer.id, limit: 20, ...(cursor && { cursor }) }),
  );
  return (
    <>
      <PagedTable
        caption="Documents"
        what="The documents could not be loaded."
        pages={documents}
        keyOf={({ id }) => id}
        empty={<p class="soft">No documents have been uploaded.</p>}
        columns={[
          { title: 'Document', cell: ({ documentType }) => sayName(documentType) },
          { title: 'File', isWide: true, cell: ({ fileName }) => <Text>{fileName}</Text> },
          { title: 'Country', cell: ({ country }) => <Text>{country}</Text> },
          { title: 'Uploaded', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
      {!customer.isDeleted && <Upload customer={customer} errors={errors} />}
    </>
  );
}

function Upload({ customer, errors }: DocumentsProps) {
  const [isOpen, setOpen] = useState(false);
  const onDone = () => {
    setOpen(false);
    invalidate('listDocuments');
    toast('The document was uploaded.');
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Upload a document
      </button>
      <Dialog title="Upload a document" isOpen={isOpen} onClose={() => setOpen(false)}>
        <UploadForm customer={customer} errors={errors} onDone={onDone} />
      </Dialog>
    </>
  );
}

function UploadForm({ customer, errors, onDone }: DocumentsProps & { onDone: () => void }) {
  const accepted = [...new Set(errors.flatMap(({ acceptedDocumentTypes = [] }) => acceptedDocumentTypes))];
  return (
    <Form
      build={(values) =>
        callOf(
          'uploadDocument',
          given({
            documentHolder: values.text('documentHolder') ?? customer.id,
            documentType: (values.text('documentType') ?? 'OTHER') as DocumentType,
            country: values.text('country') ?? '',
            documentNumber: values.text('documentNumber'),
            issuingAuthority: values.text('issuingAuthority'),
            file: values.file('file') ?? new File([], ''),
          }),
        )
      }
      submit="Upload"
      what="The document was not uploaded."
      onDone={onDone}
    >
      <Field name="documentHolder" label="Holder" type="select" options={holdersOf(customer)} />
      <Field
        name="documentType"
        label="Kind"
        type="select"
        options={(accepted.length > 0 ? accepted : USUAL).map((type) => [type, sayName(type)] as const)}
      />
      <Field name="country" label="Issuing country (two letters)" value={customer.region} isRequired />
      <Field name="documentNumber" label="Number" />
      <Field name="issuingAuthority" label="Issued by" />
      <Field
        name="file"
        label="File"
        type="file"
        hint="PDF, JPEG or PNG. The sandbox checks the file name, not the content."
        isRequired
      />
    </Form>
  );
}

function holdersOf(customer: Customer): (readonly [string, string])[] {
  const owners = customer.customerType === 'BUSINESS' ? (customer.beneficialOwners ?? []) : [];
  return [
    [customer.id, nameOf(customer) ?? 'The customer'],
    ...owners.map(
      ({ id, personalInfo }) => [id, `${personalInfo.firstName} ${personalInfo.lastName}`] as const,
    ),
  ];
}
