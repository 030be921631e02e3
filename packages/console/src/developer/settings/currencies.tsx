import type { PlatformConfig, PlatformCurrencyConfig } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf } from '../../api/call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices, Field, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName } from '../../ui/text.tsx';

interface ConfigProps {
  readonly config: PlatformConfig;
  readonly onSaved: () => void;
}

export function Currencies({ config, onSaved }: ConfigProps) {
  const rows = config.supportedCurrencies ?? [];
  return (
    <Section
      title="Currencies"
      hint="A payment in one of these currencies must be between its minimum and its maximum. The service’s own limit for one payment applies as well, and can be lower."
    >
      {rows.length === 0 ? (
        <Empty title="No currency is configured." />
      ) : (
        <Table
          caption="Currencies"
          rows={rows}
          keyOf={({ currencyCode }) => currencyCode}
          columns={[
            { title: 'Currency', cell: ({ currencyCode }) => currencyCode },
            {
              title: 'Directions',
              isWide: true,
              cell: ({ enabledTransactionTypes }) => enabledTransactionTypes.map(sayName).join(', '),
            },
            {
              title: 'Minimum',
              align: 'end',
              cell: ({ minAmount, currencyCode }) => <Money amount={minAmount} currency={currencyCode} />,
            },
            {
              title: 'Maximum',
              align: 'end',
              cell: ({ maxAmount, currencyCode }) => <Money amount={maxAmount} currency={currencyCode} />,
            },
            {
              title: 'Change',
              cell: (row) => <Change all={rows} row={row} onSaved={onSaved} />,
            },
          ]}
        />
      )}
    </Section>
  );
}

type Direction = PlatformCurrencyConfig['enabledTransactionTypes'][number];

interface ChangeProps {
  readonly all: readonly PlatformCurrencyConfig[];
  readonly row: PlatformCurrencyConfig;
  readonly onSaved: () => void;
}

function Change(props: ChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const { currencyCode } = props.row;
  const close = () => setOpen(false);
  const onSaved = () => {
    close();
    props.onSaved();
  };
  return (
    <>
      <button type="button" aria-label={`Change ${currencyCode}`} onClick={() => setOpen(true)}>
        Change
      </button>
      <Dialog title={`Payments in ${currencyCode}`} isOpen={isOpen} onClose={close}>
        <ChangeForm {...props} onSaved={onSaved} />
      </Dialog>
    </>
  );
}

function ChangeForm({ all, row, onSaved }: ChangeProps) {
  const at = `supportedCurrencies.${all.indexOf(row)}`;
  return (
    <Form
      build={(values) => {
        const changed = {
          ...sendable(row),
          minAmount: values.number(`${at}.minAmount`) ?? 0,
          maxAmount: values.number(`${at}.maxAmount`) ?? 0,
          enabledTransactionTypes: values.all(`${at}.enabledTransactionTypes`) as Direction[],
        };
        // The API replaces the whole list, so the other currencies are sent as they are.
        const supportedCurrencies = all.map((other) => (other === row ? changed : sendable(other)));
        return callOf('updatePlatformConfig', { supportedCurrencies });
      }}
      submit="Save"
      what="The currency was not saved."
      onDone={onSaved}
    >
      <Field
        name={`${at}.minAmount`}
        label="Minimum"
        value={row.minAmount}
        hint="In the smallest unit of the currency."
      />
      <Field
        name={`${at}.maxAmount`}
        label="Maximum"
        value={row.maxAmount}
        hint="In the smallest unit of the currency."
      />
      <Choices
        name={`${at}.enabledTransactionTypes`}
        legend="Directions"
        chosen={row.enabledTransactionTypes}
        options={[
          ['INCOMING', 'Incoming'],
          ['OUTGOING', 'Outgoing'],
        ]}
      />
    </Form>
  );
}

/** What can be changed of a currency. */
function sendable(row: PlatformCurrencyConfig) {
  const { currencyCode, minAmount, maxAmount, requiredCounterpartyFields, enabledTransactionTypes } = row;
  return { currencyCode, minAmount, maxAmount, requiredCounterpartyFields, enabledTransactionTypes };
}
