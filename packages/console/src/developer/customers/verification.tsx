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
import { OuterLink, sayField, sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { Documents } from './documents.tsx';
import { statusOf } from './name.ts';
import { setPath } from './new-customer.tsx';

/** The data that is missing before this customer may pay, and how to provide it. */
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
      hint={
        isOpen
          ? 'Submit the data that you have, or send the customer to a hosted page that asks for it.'
          : undefined
      }
    >
      <Loaded read={checks} what="The verifications could not be loaded.">
        {() =>
          latest === undefined ? (
            <Empty
              title={
                isOpen ? 'Nothing has been submitted yet.' : 'The decision was made without a submission.'
              }
            />
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
      what="The verification was not submitted."
      onDone={({ verificationStatus, errors }) => {
        refresh();
        if (errors.length > 0)
          toast(
            `${errors.length === 1 ? 'One item is' : `${errors.length} items are`} still missing. See the list.`,
            'wait',
          );
        else toast(`The verification is ${sayName(verificationStatus).toLowerCase()}.`);
      }}
    />
  );
}

/** Links to the page on which the customer gives data, documents and consent. A link works once, and expires. */
function HostedPage({ id }: { id: string }) {
  const [link, setLink] = useState<{ kycUrl: string; expiresAt: string }>();
  return (
    <div>
      <Action
        label="Create a link to the hosted page"
        call={callOf('createCustomerKycLink', id, {})}
        what="The link was not created."
        onDone={setLink}
      />
      {link && (
        <p role="status">
          <OuterLink href={link.kycUrl}>Open the hosted page</OuterLink>{' '}
          <Copy text={link.kycUrl} label="Copy the link to the hosted page" /> valid until{' '}
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
            { title: 'About', cell: ({ resourceId }) => <Id id={resourceId} /> },
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
        submit="Save"
        what="The data was not saved."
        onDone={() => {
          refresh();
          toast('The data was saved. Submit the verification again.');
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
