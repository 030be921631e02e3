import type { PlatformConfig } from '@corridor/client';
import { callOf } from '../../api/call.ts';
import { Field, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName } from '../../ui/text.tsx';

const SOURCE = 'USD';

export function Fees({ config, onSaved }: { config: PlatformConfig; onSaved: () => void }) {
  const rows = config.feeConfigs ?? [];
  return (
    <Section title="Fees" hint="The fees that your platform adds to a payment into another currency.">
      {rows.length === 0 ? (
        <Empty title="Your platform charges no fee." />
      ) : (
        <Table
          caption="Fees"
          rows={rows}
          keyOf={({ feeType, sourceCurrency }) => `${feeType} ${sourceCurrency}`}
          columns={[
            { title: 'Type', cell: ({ feeType }) => sayName(feeType) },
            { title: 'From', cell: ({ sourceCurrency }) => sourceCurrency, isWide: true },
            {
              title: 'Variable fee',
              align: 'end',
              cell: ({ variableFeeBps = 0 }) => (
                <span class="money">{(variableFeeBps / 100).toFixed(2)}%</span>
              ),
            },
            {
              title: 'Fixed fee',
              align: 'end',
              cell: ({ fixedFee, sourceCurrency }) => (
                <Money amount={fixedFee?.amount ?? 0} currency={sourceCurrency} />
              ),
            },
          ]}
        />
      )}
      <FeeForm config={config} onSaved={onSaved} />
    </Section>
  );
}

function FeeForm({ config, onSaved }: { config: PlatformConfig; onSaved: () => void }) {
  const now = config.feeConfigs?.find(({ sourceCurrency }) => sourceCurrency === SOURCE);
  return (
    <details class="folded">
      <summary>Change the fee for payments from {SOURCE}</summary>
      <div class="card">
        <Form
          key={JSON.stringify(now)}
          build={(values) =>
            callOf('updatePlatformConfig', {
              feeConfigs: [
                {
                  feeType: 'CROSS_CURRENCY_TRANSACTION',
                  sourceCurrency: SOURCE,
                  variableFeeBps: values.number('feeConfigs.0.variableFeeBps') ?? 0,
                  fixedFee: { amount: values.number('feeConfigs.0.fixedFee.amount') ?? 0, currency: SOURCE },
                },
              ],
            })
          }
          submit="Save"
          what="The fee was not saved."
          onDone={onSaved}
        >
          <Field
            name="feeConfigs.0.variableFeeBps"
            label="Variable fee"
            value={now?.variableFeeBps ?? 0}
            hint="In basis points: 50 is 0.5%."
          />
          <Field
            name="feeConfigs.0.fixedFee.amount"
            label="Fixed fee"
            value={now?.fixedFee?.amount ?? 0}
            hint="In cents."
          />
        </Form>
      </div>
    </details>
  );
}
