import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { invalidate } from '../../api/query.ts';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { placeOf } from '../../ui/id.tsx';
import { parseAmount } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Accounts, externalOptions, internalOptions } from './accounts.ts';

/** Money of one currency between an internal account and an external one, without a quote. */
export function TransferForm({ accounts, direction }: { accounts: Accounts; direction: 'IN' | 'OUT' }) {
  const { route } = useLocation();
  const inside = internalOptions(accounts);
  const [chosen, setChosen] = useState(inside[0]?.[0] ?? '');
  const account = accounts.internal.find(({ id }) => id === chosen);
  const outside = externalOptions(
    {
      ...accounts,
      external: accounts.external.filter(({ currency }) => currency === account?.balance.currency.code),
    },
    account?.customerId,
  );
  const isOut = direction === 'OUT';
  if (inside.length === 0) return <Empty title="There are no internal accounts." />;
  const internalField = (
    <Field
      key="internal"
      name={isOut ? 'source.accountId' : 'destination.accountId'}
      label={isOut ? 'From' : 'To'}
      type="select"
      options={inside}
      value={chosen}
      onChange={setChosen}
    />
  );
  const externalField = (
    <Field
      key={`external ${chosen}`}
      name={isOut ? 'destination.accountId' : 'source.accountId'}
      label={isOut ? 'To' : 'From'}
      type="select"
      options={outside}
      hint={outside.length === 0 ? 'There is no external account in this currency.' : undefined}
    />
  );
  return (
    <Form
      build={(values) => build(values, isOut, account?.balance.currency)}
      submit={isOut ? 'Send the money' : 'Collect the money'}
      what="Nothing was transferred."
      reads={chosen}
      onDone={({ id }) => {
        invalidate();
        route(placeOf(id) ?? '/console/payments');
      }}
    >
      {isOut ? [internalField, externalField] : [externalField, internalField]}
      <Field name="amount" label="Amount" placeholder="250.00" isRequired />
    </Form>
  );
}

function build(values: FormValues, isOut: boolean, currency: Parameters<typeof parseAmount>[1]) {
  const amount = parseAmount(values.text('amount') ?? '', currency);
  const body = {
    source: { accountId: values.text('source.accountId') ?? '' },
    destination: { accountId: values.text('destination.accountId') ?? '' },
    ...(amount !== undefined && { amount }),
  };
  return isOut ? callOf('createTransferOut', body) : callOf('createTransferIn', body);
}
