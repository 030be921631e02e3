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
  onDone,
}: {
  kind: string;
  target: string;
  customerId: string | undefined;
  looked: LookedUp | undefined;
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
      {looked && <Found looked={looked} />}
    </div>
  );
}

function Found({ looked: { supportedCurrencies, requiredPayerDataFields } }: { looked: LookedUp }) {
  const wanted = requiredPayerDataFields
    .filter(({ mandatory }) => mandatory)
    .map(({ name }) => sayName(name));
  return (
    <div role="status">
      <p>The receiver can be paid in these currencies and amounts:</p>
      <ul>
        {supportedCurrencies.map(({ currency, estimatedExchangeRate, min, max }) => (
          <li key={currency.code}>
            {formatMoney(min, currency)} to {formatMoney(max, currency)}, at about {estimatedExchangeRate}
          </li>
        ))}
      </ul>
      {wanted.length > 0 && (
        <p>The receiver’s provider requires this data about the payer: {wanted.join(', ')}.</p>
      )}
    </div>
  );
}
