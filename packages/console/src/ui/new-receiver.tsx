import type { ExternalAccount, ExternalAccountCreateRequest } from '@corridor/client';
import { useState } from 'preact/hooks';
import { type Call, callOf } from '../api/call.ts';
import { isSandbox } from '../api/clock.ts';
import { nameOf, useCustomers } from '../api/names.ts';
import { invalidate } from '../api/query.ts';
import { docsUrl } from '../api/session.ts';
import { Dialog } from './dialog.tsx';
import { Field, Form } from './form.tsx';
import { shortId } from './id.tsx';
import {
  ADDRESS_FIELDS,
  exampleOf,
  OTHER_EXAMPLE,
  OTHER_KIND,
  OUTCOME_OPTIONS,
  RECEIVER_KINDS,
  type ReceiverKind,
  readReceiver,
  sayWithin,
} from './receiver-kinds.ts';
import { toast } from './toast.tsx';

/** The id of the owner that stands for the platform itself. */
const PLATFORM = '';

interface NewReceiverProps {
  /** The customer for whom the form opens at once. */
  readonly customerId?: string | undefined;
  readonly onDone: (account: ExternalAccount) => void;
}

/** The button that opens the form of a new external account. */
export function NewReceiver({ customerId, onDone }: NewReceiverProps) {
  const [isOpen, setOpen] = useState(customerId !== undefined);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        New receiver
      </button>
      <Dialog title="New receiver" isOpen={isOpen} onClose={close}>
        <p>A receiver is an external account, such as an account at a bank, that you can pay.</p>
        <ReceiverForm
          customerId={customerId}
          onDone={(account) => {
            close();
            invalidate(
              'listInternalAccounts',
              'listCustomerExternalAccounts',
              'listPlatformExternalAccounts',
            );
            toast('The receiver was created.');
            onDone(account);
          }}
        />
      </Dialog>
    </>
  );
}

function ReceiverForm({ customerId, onDone }: NewReceiverProps) {
  const [type, setType] = useState(RECEIVER_KINDS[0]?.type ?? OTHER_KIND);
  const [suffix, setSuffix] = useState('');
  const [owner, setOwner] = useState(customerId ?? PLATFORM);
  const kind = RECEIVER_KINDS.find((one) => one.type === type);
  return (
    <Form
      build={(values) => callFor(owner, readReceiver(kind, values))}
      submit="Create the receiver"
      what="The receiver was not created."
      reads={[type, suffix, owner].join()}
      onDone={onDone}
    >
      <Owner value={owner} onChange={setOwner} />
      <Field
        name="type"
        label="Account"
        type="select"
        value={type}
        options={[
          ...RECEIVER_KINDS.map((one) => [one.type, one.word] as const),
          [OTHER_KIND, 'Another kind, as JSON'],
        ]}
        onChange={setType}
      />
      {kind ? <KindFields kind={kind} suffix={suffix} setSuffix={setSuffix} /> : <OtherFields />}
    </Form>
  );
}

function callFor(owner: string, body: Record<string, unknown>): Call<ExternalAccount> {
  // The fields depend on the account's type, and the API checks them.
  const details = body as unknown as Omit<ExternalAccountCreateRequest, 'customerId'>;
  return owner === PLATFORM
    ? callOf('createPlatformExternalAccount', details)
    : callOf('createCustomerExternalAccount', { customerId: owner, ...details });
}

function Owner({ value, onChange }: { value: string; onChange: (owner: string) => void }) {
  const { data = [] } = useCustomers();
  const people = data.map((customer) => [customer.id, nameOf(customer) ?? shortId(customer.id)] as const);
  const isKnown = value === PLATFORM || people.some(([id]) => id === value);
  return (
    <Field
      name="customerId"
      label="Paid by"
      type="select"
      value={value}
      options={[
        [PLATFORM, 'Your platform'],
        ...(isKnown ? [] : [[value, shortId(value)] as const]),
        ...people,
      ]}
      onChange={onChange}
    />
  );
}

interface KindFieldsProps {
  readonly kind: ReceiverKind;
  readonly suffix: string;
  readonly setSuffix: (suffix: string) => void;
}

function KindFields({ kind, suffix, setSuffix }: KindFieldsProps) {
  return (
    <>
      {isSandbox() && <Outcome suffix={suffix} onChange={setSuffix} />}
      {kind.fields.map((field) => (
        <Field
          key={`${kind.type} ${field.name} ${suffix}`}
          name={`accountInfo.${field.name}`}
          label={field.label}
          value={isSandbox() ? exampleOf(field, suffix) : undefined}
          isRequired
        />
      ))}
      <Beneficiary country={isSandbox() ? kind.country : undefined} key={kind.type} />
    </>
  );
}

/** The sandbox's bank decides by the last three digits of the account: choosing an outcome fills them in. */
function Outcome({ suffix, onChange }: { suffix: string; onChange: (suffix: string) => void }) {
  const within = sayWithin(suffix);
  return (
    <Field
      name="outcome"
      label="Outcome in the sandbox"
      type="select"
      value={suffix}
      options={OUTCOME_OPTIONS}
      onChange={onChange}
      hint={
        <>
          {within !== undefined && `A payment in the account’s own currency: ${within} `}
          <a href={docsUrl('/docs/sandbox#cross-currency-payouts')} target="_blank" rel="noopener">
            All values
          </a>
        </>
      }
    />
  );
}

function Beneficiary({ country }: { country: string | undefined }) {
  const [type, setType] = useState('INDIVIDUAL');
  const at = 'accountInfo.beneficiary';
  const example = isSandbox() ? (type === 'INDIVIDUAL' ? 'Jean Dupont' : 'Dupont SARL') : undefined;
  return (
    <>
      <Field
        name={`${at}.beneficiaryType`}
        label="Holder"
        type="select"
        value={type}
        options={[
          ['INDIVIDUAL', 'Person'],
          ['BUSINESS', 'Business'],
        ]}
        onChange={setType}
      />
      <Field
        key={type}
        name={type === 'INDIVIDUAL' ? `${at}.fullName` : `${at}.legalName`}
        label="Name"
        value={example}
        isRequired
      />
      <Field name={`${at}.countryOfResidence`} label="Country of the holder (two letters)" value={country} />
      <details class="folded">
        <summary>Address of the holder</summary>
        {ADDRESS_FIELDS.map(([name, label]) => (
          <Field key={name} name={`${at}.address.${name}`} label={label} />
        ))}
      </details>
    </>
  );
}

function OtherFields() {
  return (
    <>
      <Field name="currency" label="Currency" value={isSandbox() ? 'MXN' : undefined} isRequired />
      <Field
        name="accountInfo"
        label="Account details"
        type="textarea"
        value={OTHER_EXAMPLE}
        hint={
          <>
            JSON, as in the{' '}
            <a href={docsUrl('/docs/')} target="_blank" rel="noopener">
              API reference
            </a>
            .
          </>
        }
        isRequired
      />
    </>
  );
}
