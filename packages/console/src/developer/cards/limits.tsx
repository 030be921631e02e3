import type { Card } from '@corridor/client';
import { callOf } from '../../api/call.ts';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { formatAmount, parseAmount } from '../../ui/money.tsx';
import { changed } from './facts.tsx';

/** What one purchase, and what a day may cost. */
export function Limits({ card }: { card: Card }) {
  const { id, status, currency, maxSpendPerTransaction, maxSpendPerDay, maxTransactionsPerDay } = card;
  const say = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? undefined : formatAmount(amount, currency).replaceAll(',', '');
  const read = (values: FormValues, name: string) => {
    const text = values.text(name);
    return text === undefined ? null : (parseAmount(text, currency) ?? Number.NaN);
  };
  return (
    <Section
      title="Limits"
      hint="They limit new authorizations. A clearing may exceed them. An empty field is no limit."
      isCard
    >
      {status === 'CLOSED' ? (
        <p class="soft">A closed card has no use for limits.</p>
      ) : (
        <Form
          key={[maxSpendPerTransaction, maxSpendPerDay, maxTransactionsPerDay].join()}
          build={(values) =>
            callOf('updateCardById', id, {
              maxSpendPerTransaction: read(values, 'maxSpendPerTransaction'),
              maxSpendPerDay: read(values, 'maxSpendPerDay'),
              maxTransactionsPerDay: values.number('maxTransactionsPerDay') ?? null,
            })
          }
          submit="Save the limits"
          what="The limits were not saved."
          onDone={() => changed('The limits are saved.')}
        >
          <Field
            name="maxSpendPerTransaction"
            label={`One purchase, in ${currency ?? 'its currency'}`}
            value={say(maxSpendPerTransaction)}
          />
          <Field
            name="maxSpendPerDay"
            label={`All purchases of a day, in ${currency ?? 'its currency'}`}
            value={say(maxSpendPerDay)}
          />
          <Field
            name="maxTransactionsPerDay"
            label="Number of purchases a day"
            value={maxTransactionsPerDay ?? undefined}
          />
        </Form>
      )}
    </Section>
  );
}
