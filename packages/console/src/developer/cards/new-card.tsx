import type { Card, Customer } from '@corridor/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { isSandbox } from '../../api/clock.ts';
import { given } from '../../api/given.ts';
import { nameOf, useCustomers } from '../../api/names.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { SANDBOX_VALUES } from '../../api/sandbox-values.ts';
import { corridor, docsUrl } from '../../api/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { placeOf } from '../../ui/id.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { toast } from '../../ui/toast.tsx';

const LISTED_MAX = 100;

/** `?new=<id of a customer>` opens the form for this customer. */
export function NewCard() {
  const { query, path, route } = useLocation();
  const [isOpen, setOpen] = useState(query.new !== undefined);
  const onDone = ({ id }: Card) => {
    setOpen(false);
    invalidate('listCards');
    toast('The issuer is creating the card.');
    route(placeOf(id) ?? path);
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        New card
      </button>
      <Dialog title="New card" isOpen={isOpen} onClose={() => setOpen(false)}>
        <CardForm customerId={query.new} onDone={onDone} />
      </Dialog>
    </>
  );
}

function CardForm({ customerId, onDone }: { customerId: string | undefined; onDone: (card: Card) => void }) {
  const [chosen, choose] = useState(customerId);
  const [ending, setEnding] = useState('');
  const people = peopleOf(useCustomers().data ?? []);
  const holder = chosen ?? people[0]?.[0];
  const accounts = useQuery(
    ['listInternalAccounts', { customerId: holder, limit: LISTED_MAX }],
    () => corridor.listInternalAccounts({ customerId: holder ?? '', limit: LISTED_MAX }),
    { isEnabled: holder !== undefined },
  );
  const sources = (accounts.data?.data ?? []).map(
    ({ id, balance }) =>
      [id, `${balance.currency.code}, ${formatMoney(balance.amount, balance.currency)}`] as const,
  );
  const dollars = sources.find(([, word]) => word.startsWith('USD,'))?.[0];
  return (
    <>
      <Field
        name="customer"
        label="Customer"
        type="select"
        value={holder}
        options={people}
        onChange={choose}
        hint="Only a verified customer can have a card, so these come first."
      />
      <Form
        key={`${holder} ${sources.length}`}
        reads={ending}
        build={(values) =>
          callOf(
            'createCard',
            given({
              customerId: holder ?? '',
              form: 'VIRTUAL' as const,
              fundingSource: values.text('fundingSource') ?? '',
              platformCardId: values.text('platformCardId'),
            }),
          )
        }
        submit="Create card"
        what="The card was not created."
        onDone={onDone}
      >
        <Field name="fundingSource" label="Funding account" type="select" value={dollars} options={sources} />
        {isSandbox() && <Outcome ending={ending} onChange={setEnding} />}
        <Field
          key={ending}
          name="platformCardId"
          label="Your own id for the card"
          value={ending === '' ? undefined : `${Date.now().toString(36)}-${ending}`}
        />
      </Form>
    </>
  );
}

/** Verified customers first; the others say why they cannot have a card. */
function peopleOf(customers: readonly Customer[]): (readonly [string, string])[] {
  const isVerified = (customer: Customer) =>
    (customer.customerType === 'INDIVIDUAL' ? customer.kycStatus : customer.kybStatus) === 'APPROVED';
  return customers
    .toSorted((a, b) => Number(isVerified(b)) - Number(isVerified(a)))
    .map((customer) => {
      const name = nameOf(customer) ?? customer.platformCustomerId ?? customer.id;
      return [customer.id, isVerified(customer) ? name : `${name} (not verified)`] as const;
    });
}

/** The sandbox's issuer decides by the end of the id: choosing an outcome fills it in. */
function Outcome({ ending, onChange }: { ending: string; onChange: (ending: string) => void }) {
  const options = SANDBOX_VALUES['card-issuance'].map(
    ([value, , effect]) => [/^\d+$/.test(value) ? value : '', effect] as const,
  );
  return (
    <Field
      name="outcome"
      label="Outcome in the sandbox"
      type="select"
      value={ending}
      options={options.toReversed()}
      onChange={onChange}
      hint={
        <a href={docsUrl('/docs/sandbox#card-issuance')} target="_blank" rel="noopener">
          The end of your id chooses what the issuer does.
        </a>
      }
    />
  );
}
