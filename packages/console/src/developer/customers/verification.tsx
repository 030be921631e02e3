import type {
  Verification as Check,
  Customer,
  CustomerUpdateRequest,
  VerificationError,
} from '@corridor/client';
import { useState } from 'preact/hooks';
import { type Call, callOf } from '../../api/call.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { Id } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { OuterLink, sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { Documents } from './documents.tsx';
import { statusOf } from './name.ts';
import { setPath } from './new-customer.tsx';

/** What is missing until this customer may pay, and how it gets there. */
export function Verification({ customer }: { customer: Customer }) {
  const { id } = customer;
  const checks = useQuery(
    ['listVerifications', id],
    () => corridor.listVerifications({ customerId: id, limit: 5 }),
    { live: 'events' },
  );
  const latest = checks.data?.data[0];
  const isOpen = !['APPROVED', 'REJECTED'].includes(statusOf(customer) ?? '');
  return (
    <Section
      title="Verification"
      hint={isOpen ? 'Submit what you know, or send the customer to a page that asks for it.' : undefined}
    >
      <Loaded read={checks} what="The verifications could not be read.">
        {() =>
          latest === undefined ? (
            <Empty title="Nothing was submitted yet." />
          ) : (
            <Latest check={latest} customer={customer} />
          )
        }
      </Loaded>
      {isOpen && (
        <div class="customers-steps">
          <Submit id={id} isFirst={latest === undefined} />
          <HostedPage id={id} />
        </div>
      )}
      <Documents customer={customer} errors={latest?.errors ?? []} />
    </Section>
  );
}

function refresh(): void {
  invalidate('getCustomerById', 'listCustomers', 'listVerifications', 'listDocuments');
}

function Submit({ id, isFirst }: { id: string; isFirst: boolean }) {
  return (
    <Action
      label={isFirst ? 'Verify' : 'Submit again'}
      kind="primary"
      call={callOf('createVerification', { customerId: id })}
      what="Nothing was submitted."
      onDone={({ verificationStatus, errors }) => {
        refresh();
        if (errors.length > 0) toast(`Still missing: ${errors.length}. The list says what.`, 'wait');
        else toast(`The verification is ${sayName(verificationStatus).toLowerCase()}.`);
      }}
    />
  );
}

/** The page on which the customer gives names, documents and consent. Its address works once, for a while. */
function HostedPage({ id }: { id: string }) {
  const [link, setLink] = useState<{ kycUrl: string; expiresAt: string }>();
  return (
    <div>
      <Action
        label="Ask for documents by the hosted page"
        call={callOf('createCustomerKycLink', id, {})}
        what="The page has no address."
        onDone={setLink}
      />
      {link && (
        <p role="status">
          <OuterLink href={link.kycUrl}>Open the hosted page</OuterLink>{' '}
          <Copy text={link.kycUrl} label="Copy the address of the hosted page" /> valid until{' '}
          <Time at={link.expiresAt} isExact />
        </p>
      )}
    </div>
  );
}

function Latest({ check, customer }: { check: Check; customer: Customer }) {
  return (
    <>
      <p>
        <Status value={check.verificationStatus} /> submitted <Time at={check.createdAt} />
      </p>
      {check.errors.length > 0 && (
        <Table
          caption="What is missing"
          rows={check.errors}
          keyOf={(error) => JSON.stringify(error)}
          columns={[
            { title: 'Missing', cell: ({ type }) => sayName(type) },
            { title: 'Why', isWide: true, cell: Why },
            ...(check.errors.some(({ field }) => field)
              ? [{ title: 'Field', cell: ({ field }: VerificationError) => <code>{field}</code> }]
              : []),
            { title: 'Of', cell: ({ resourceId }) => <Id id={resourceId} /> },
          ]}
        />
      )}
      <MissingFields customer={customer} errors={check.errors} />
    </>
  );
}

function Why({ reason, acceptedDocumentTypes = [] }: VerificationError) {
  return (
    <>
      <Text>{reason}</Text>
      {acceptedDocumentTypes.length > 0 && (
        <div class="soft">Accepted: {acceptedDocumentTypes.map(sayName).join(', ')}</div>
      )}
    </>
  );
}

/** A field for each value that is missing or wrong. Lists are left to the API. */
function MissingFields({ customer, errors }: { customer: Customer; errors: readonly VerificationError[] }) {
  const fields = errors
    .filter(({ resourceId, field }) => resourceId === customer.id && field !== undefined)
    .map(({ field = '', reason }) => ({ field, reason }))
    .filter(({ field }) => !/Categories|countries|Countries|Jurisdictions|contactVerification/.test(field));
  if (fields.length === 0) return null;
  return (
    <div class="card customers-missing">
      <Form
        key={fields.map(({ field }) => field).join()}
        build={(values) =>
          buildUpdate(
            customer,
            fields.map(({ field }) => field),
            values,
          )
        }
        submit="Save what was missing"
        what="Nothing was saved."
        onDone={() => {
          refresh();
          toast('It is saved. Submit it again.');
        }}
      >
        {fields.map(({ field, reason }) => (
          <Field
            key={field}
            name={field}
            label={sayField(field)}
            hint={<Text>{reason}</Text>}
            type={/Date|On$/.test(field) ? 'date' : 'text'}
          />
        ))}
      </Form>
    </div>
  );
}

function buildUpdate(customer: Customer, fields: readonly string[], values: FormValues): Call {
  const body: Record<string, unknown> = { customerType: customer.customerType };
  for (const field of fields) setPath(body, field, values.text(field));
  return callOf('updateCustomerById', customer.id, body as unknown as CustomerUpdateRequest);
}

/** `address.postalCode` as "Address postal code". */
function sayField(field: string): string {
  return sayName(field.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`).replaceAll('.', ' '));
}
