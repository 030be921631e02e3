import type { ReceiverExternalAccountLookupResponse, ReceiverUmaLookupResponse } from '@corridor/client';
import { type Call, callOf } from '../../api/call.ts';
import { Action } from '../../ui/action.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { sayName } from '../../ui/text.tsx';

export type LookedUp = ReceiverUmaLookupResponse | ReceiverExternalAccountLookupResponse;

/** Looks up whether the receiver can be paid, in which currencies and amounts. */
export function LookUp({
  kind,
  target,
  customerId,
  looked,
  sending,
  onDone,
}: {
  kind: string;
  target: string;
  customerId: string | undefined;
  looked: LookedUp | undefined;
  sending: string | undefined;
  onDone: (found: LookedUp) => void;
}) {
  if (target === '') return null;
  const by = customerId === undefined ? {} : { customerId };
  const call: Call<LookedUp> =
    kind === 'UMA_ADDRESS' ? callOf('lookupUma', target, by) : callOf('lookupExternalAccount', target, by);
  return (
    <div class="pay-look-up">
      <Action
        key={target}
        label="Look up the receiver"
        call={call}
        what="The receiver was not found."
        onDone={onDone}
      />
      {looked && <Found looked={looked} sending={sending} />}
    </div>
  );
}

function Found({ looked, sending }: { looked: LookedUp; sending: string | undefined }) {
  const { supportedCurrencies, requiredPayerDataFields } = looked;
  const wanted = requiredPayerDataFields
    .filter(({ mandatory }) => mandatory)
    .map(({ name }) => sayName(name));
  return (
    <div role="status">
      <p>The receiver can be paid in these currencies and amounts:</p>
      <ul>
        {supportedCurrencies.map(({ currency, estimatedExchangeRate, min, max }) => (
          <li key={currency.code}>
            {formatMoney(min, currency)} to {formatMoney(max, currency)}, at about{' '}
            {sayRate(estimatedExchangeRate, currency.code, sending)}
          </li>
        ))}
      </ul>
      {wanted.length > 0 && (
        <p>The receiver’s provider requires this data about the payer: {wanted.join(', ')}.</p>
      )}
    </div>
  );
}

/** `1.08695652 USD for 1 EUR`, as the quote says it; the look-up has the amount received for one unit. */
function sayRate(rate: number, receiving: string | undefined, sending: string | undefined): string {
  if (sending === undefined || rate <= 0) return `${rate} ${receiving ?? ''} for each unit sent`;
  return `${Number((1 / rate).toFixed(8))} ${sending} for 1 ${receiving ?? ''}`;
}
