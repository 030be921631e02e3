import type { Card } from '@corridor/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { given } from '../../api/given.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
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
  const customers = useQuery(['listCustomers', 'names'], () => corridor.listCustomers({ limit: LISTED_MAX }));
  const people = (customers.data?.data ?? []).map(
    (customer) =>
      [
        customer.id,
        (customer.customerType === 'INDIVIDUAL' ? customer.fullName : customer.businessInfo?.legalName) ??
          customer.platformCustomerId,
      ] as const,
  );
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
        hint="Only a verified customer can have a card."
      />
      <Form
        key={`${holder} ${sources.length}`}
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
        <Field
          name="platformCardId"
          label="Your own id for the card"
          hint="In the sandbox, the last characters choose what the issuer does."
        />
      </Form>
    </>
  );
}
