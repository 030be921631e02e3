import type { Customer } from '@corridor/client';
import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { Accounts, Agents, Cards, ExternalAccounts, Factors, Payments } from './belongings.tsx';
import { Contacts } from './contacts.tsx';
import { nameOf, statusOf } from './name.ts';
import { Verification } from './verification.tsx';

/** Answers: who is this, may they pay, and if not, what is missing? */
export default function OneCustomer() {
  const { id = '' } = useRoute().params;
  const customer = useQuery(['getCustomerById', id], () => corridor.getCustomerById(id), { live: 'events' });
  return (
    <Screen
      title={shortId(id)}
      name={customer.data && nameOf(customer.data)}
      answer={customer.data && <Answer customer={customer.data} />}
      actions={customer.data && !customer.data.isDeleted && <DeleteCustomer id={id} />}
    >
      <Loaded read={customer} what="The customer could not be loaded." lines={10}>
        {(found) => (
          <>
            <Who customer={found} />
            {!found.isDeleted && <Verification customer={found} />}
            {!found.isDeleted && <Contacts customer={found} />}
            <Payments customerId={id} />
            <Accounts customerId={id} />
            <ExternalAccounts customerId={id} />
            <Cards customerId={id} />
            {found.contactVerification && <Factors customerId={id} />}
            <Agents customerId={id} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

const ANSWERS: Readonly<Record<string, string>> = {
  APPROVED: 'is verified, and can pay and be paid.',
  UNVERIFIED: 'is not verified yet. The list below shows what is missing.',
  PENDING: 'is being verified. You do not need to send anything.',
  REJECTED: 'was rejected and cannot pay.',
  HOLD: 'is on hold until the operator decides.',
  DELETED: 'was deleted and can neither pay nor be paid.',
};

function Answer({ customer }: { customer: Customer }) {
  const status = statusOf(customer);
  return (
    <>
      <strong>
        <Text>{nameOf(customer) ?? 'This customer'}</Text>
      </strong>{' '}
      {(status && ANSWERS[status]) ?? 'has no verification status.'}
    </>
  );
}

function Who({ customer }: { customer: Customer }) {
  const consent = customer.endUserTermsConsent;
  return (
    <Section title="Profile" isCard>
      <Facts
        facts={{
          Id: <Id id={customer.id} isWhole />,
          'Your id': <Text>{customer.platformCustomerId}</Text>,
          Type: sayName(customer.customerType),
          Verification: <Status value={statusOf(customer)} />,
          'UMA address': <Text>{customer.umaAddress}</Text>,
          Region: <Text>{customer.region}</Text>,
          Currencies: (customer.currencies ?? []).join(', ') || undefined,
          Terms: consent ? <Time at={consent.acceptedAt} /> : 'Not accepted, so their money cannot move',
          Created: <Time at={customer.createdAt} />,
          ...(customer.customerType === 'INDIVIDUAL' ? personFacts(customer) : businessFacts(customer)),
          Address: customer.address && <Text>{sayAddress(customer.address)}</Text>,
        }}
      />
    </Section>
  );
}

function sayAddress({
  line1,
  line2,
  city,
  state,
  postalCode,
  country,
}: NonNullable<Customer['address']>): string {
  return [line1, line2, city, state, postalCode, country].filter(Boolean).join(', ');
}

type Person = Extract<Customer, { customerType: 'INDIVIDUAL' }>;
type Business = Extract<Customer, { customerType: 'BUSINESS' }>;

function personFacts(person: Person): Record<string, ComponentChildren> {
  const { birthDate, nationality, idType, identifier } = person;
  return {
    'Date of birth': birthDate && <Text>{birthDate}</Text>,
    Nationality: nationality && <Text>{nationality}</Text>,
    'Identity number': idType && (
      <>
        {sayName(idType)}{' '}
        {identifier === undefined ? <span class="soft">(not shown)</span> : <Text>{identifier}</Text>}
      </>
    ),
  };
}

function businessFacts({ businessInfo, beneficialOwners = [] }: Business): Record<string, ComponentChildren> {
  return {
    'Trade name': businessInfo?.doingBusinessAs && <Text>{businessInfo.doingBusinessAs}</Text>,
    'Tax number': businessInfo?.taxId && <Text>{businessInfo.taxId}</Text>,
    'Registration number': businessInfo?.registrationNumber && <Text>{businessInfo.registrationNumber}</Text>,
    Incorporated: businessInfo?.incorporatedOn && <Text>{businessInfo.incorporatedOn}</Text>,
    Owners:
      beneficialOwners.length > 0 &&
      beneficialOwners.map(({ id, personalInfo, ownershipPercentage, kycStatus }) => (
        <div key={id}>
          <Text>{`${personalInfo.firstName} ${personalInfo.lastName}`}</Text>, {ownershipPercentage}%{' '}
          <Status value={kycStatus} />
        </div>
      )),
  };
}

function DeleteCustomer({ id }: { id: string }) {
  const { route } = useLocation();
  return (
    <Action
      label="Delete"
      kind="danger"
      call={callOf('deleteCustomerById', id)}
      ask="The customer will no longer be able to pay or be paid. This cannot be undone."
      what="The customer was not deleted."
      onDone={() => {
        invalidate('listCustomers', 'getCustomerById');
        toast('The customer was deleted.');
        route('/console/customers');
      }}
    />
  );
}
