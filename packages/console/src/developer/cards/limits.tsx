import type { Card } from '@corridor/client';
import { callOf } from '../../api/call.ts';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { formatAmount, parseAmount } from '../../ui/money.tsx';
import { changed } from './facts.tsx';

/** The limits per purchase and per day. */
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
      hint="The limits apply to new authorizations; a clearing may exceed them. Leave a field empty for no limit."
      isCard
    >
      {status === 'CLOSED' ? (
        <p class="soft">A closed card has no limits.</p>
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
          submit="Save limits"
          what="The limits were not saved."
          onDone={() => changed('The limits were saved.')}
        >
          <Field
            name="maxSpendPerTransaction"
            label={`Limit per purchase, in ${currency ?? 'its currency'}`}
            value={say(maxSpendPerTransaction)}
          />
          <Field
            name="maxSpendPerDay"
            label={`Limit per day, in ${currency ?? 'its currency'}`}
            value={say(maxSpendPerDay)}
          />
          <Field
            name="maxTransactionsPerDay"
            label="Purchases per day"
            value={maxTransactionsPerDay ?? undefined}
          />
        </Form>
      )}
    </Section>
  );
}
