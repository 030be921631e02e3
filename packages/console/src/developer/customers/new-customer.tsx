import type { Customer, CustomerCreateRequest } from '@corridor/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Call, callOf } from '../../api/call.ts';
import { isSandbox, platformNow } from '../../api/clock.ts';
import { given } from '../../api/given.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor, docsUrl } from '../../api/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices, Field, Form, type FormValues } from '../../ui/form.tsx';
import { placeOf } from '../../ui/id.tsx';
import { toast } from '../../ui/toast.tsx';

type Kind = 'INDIVIDUAL' | 'BUSINESS';

type Examples = Readonly<Record<string, string>>;

/** Complete enough for the sandbox's verification, apart from documents. */
const EXAMPLES: Readonly<Record<Kind, Examples>> = {
  INDIVIDUAL: {
    fullName: 'Ada Lovelace',
    birthDate: '1990-12-10',
    nationality: 'US',
    idType: 'SSN',
    identifier: '123-45-6789',
    email: 'ada@example.com',
    'address.line1': '1 Market St',
    'address.city': 'San Francisco',
    'address.state': 'CA',
    'address.postalCode': '94105',
    'address.country': 'US',
  },
  BUSINESS: {
    'businessInfo.legalName': 'Analytical Engines Inc.',
    'businessInfo.country': 'US',
    'businessInfo.taxId': '12-3456789',
    'businessInfo.incorporatedOn': '2015-06-01',
    email: 'office@example.com',
    'address.line1': '1 Engine Way',
    'address.city': 'Boston',
    'address.state': 'MA',
    'address.postalCode': '02110',
    'address.country': 'US',
  },
};

/** The button that opens the form of a new customer. */
export function NewCustomer() {
  const [isOpen, setOpen] = useState(false);
  const { route } = useLocation();
  const onDone = ({ id }: Customer) => {
    setOpen(false);
    invalidate('listCustomers');
    toast('The customer was created.');
    route(placeOf(id) ?? '/console/customers');
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        New customer
      </button>
      <Dialog title="New customer" isOpen={isOpen} onClose={() => setOpen(false)}>
        <CustomerForm onDone={onDone} />
      </Dialog>
    </>
  );
}

function CustomerForm({ onDone }: { onDone: (customer: Customer) => void }) {
  const [kind, setKind] = useState<Kind>('INDIVIDUAL');
  const [examples, setExamples] = useState<Examples>({});
  const terms = useQuery(['getEndUserTerms'], () => corridor.getEndUserTerms());
  const version = terms.data?.version;
  return (
    <>
      {isSandbox() && (
        <p>
          <button type="button" onClick={() => setExamples(EXAMPLES[kind])}>
            Fill in example data
          </button>{' '}
          <a href={docsUrl('/docs/sandbox')} target="_blank" rel="noopener">
            Some names choose the outcome.
          </a>
        </p>
      )}
      <Form
        key={`${kind} ${examples === EXAMPLES[kind]}`}
        build={(values) => buildCall(kind, values, version)}
        submit="Create customer"
        what="The customer was not created."
        onDone={onDone}
      >
        <Field
          name="customerType"
          label="Type"
          type="select"
          value={kind}
          options={[
            ['INDIVIDUAL', 'Person'],
            ['BUSINESS', 'Business'],
          ]}
          onChange={(value) => {
            setKind(value as Kind);
            setExamples({});
          }}
        />
        <Fields kind={kind} examples={examples} />
        <Choices
          name="terms"
          legend="Terms"
          hint="A customer’s money cannot move until they accept the terms."
          options={[['accepted', `The customer accepted version ${version ?? '…'} with a checkbox`]]}
          chosen={examples === EXAMPLES[kind] ? ['accepted'] : []}
        />
      </Form>
    </>
  );
}

const OWN_FIELDS: Readonly<Record<Kind, readonly (readonly [string, string, ('date' | 'email')?])[]>> = {
  INDIVIDUAL: [
    ['fullName', 'Full name'],
    ['birthDate', 'Date of birth', 'date'],
    ['nationality', 'Nationality (two letters)'],
    ['idType', 'Type of identity number, such as SSN'],
    ['identifier', 'Identity number'],
  ],
  BUSINESS: [
    ['businessInfo.legalName', 'Legal name'],
    ['businessInfo.country', 'Country of incorporation (two letters)'],
    ['businessInfo.taxId', 'Tax number'],
    ['businessInfo.incorporatedOn', 'Date of incorporation', 'date'],
    ['businessInfo.registrationNumber', 'Registration number'],
  ],
};

const SHARED_FIELDS: readonly (readonly [string, string, ('date' | 'email')?])[] = [
  ['email', 'E-mail', 'email'],
  ['phoneNumber', 'Phone number'],
  ['address.line1', 'Street'],
  ['address.city', 'City'],
  ['address.state', 'State'],
  ['address.postalCode', 'Postal code'],
  ['address.country', 'Country (two letters)'],
  ['platformCustomerId', 'Your own id for the customer'],
];

function Fields({ kind, examples }: { kind: Kind; examples: Examples }) {
  return (
    <div class="customers-fields">
      {[...OWN_FIELDS[kind], ...SHARED_FIELDS].map(([name, label, type]) => (
        <Field key={name} name={name} label={label} type={type ?? 'text'} value={examples[name]} />
      ))}
    </div>
  );
}

function buildCall(kind: Kind, values: FormValues, version: string | undefined): Call<Customer> {
  const body: Record<string, unknown> = { customerType: kind };
  for (const [name] of [...OWN_FIELDS[kind], ...SHARED_FIELDS]) setPath(body, name, values.text(name));
  const consent = values.isOn('terms') && version !== undefined;
  return callOf(
    'createCustomer',
    given({
      ...body,
      endUserTermsConsent: consent
        ? {
            acceptedAt: new Date(platformNow()).toISOString(),
            ipAddress: '127.0.0.1',
            termsVersion: version,
            acceptanceMethod: 'CHECKBOX',
          }
        : undefined,
    }) as unknown as CustomerCreateRequest,
  );
}

/** Sets `address.city` within the body; an empty field leaves nothing behind. */
export function setPath(body: Record<string, unknown>, path: string, value: unknown): void {
  if (value === undefined) return;
  const names = path.split('.');
  const last = names.pop() ?? path;
  let place = body;
  for (const name of names) {
    place[name] ??= {};
    place = place[name] as Record<string, unknown>;
  }
  place[last] = value;
}
