import type { ExternalAccount } from '@corridor/client';
import { useLocation } from 'preact-iso/router';
import { Screen, Tabs } from '../../ui/layout.tsx';
import { NewReceiver } from '../../ui/new-receiver.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { payerOf, useAccounts } from './accounts.ts';
import { QuoteForm } from './quote-form.tsx';
import { TransferForm } from './transfer-form.tsx';

/** Answers: what would this payment cost, and how do I make it? */
export default function Pay() {
  const accounts = useAccounts();
  const { query, route } = useLocation();
  /** The form opens again with the new receiver, and an account of its owner. */
  const choose = ({ id, customerId }: ExternalAccount) => {
    const from = query.from ?? (accounts.data && payerOf(accounts.data, customerId));
    const search = new URLSearchParams({ ...query, ...(from !== undefined && { from }), to: id });
    route(`/console/pay?${search}`);
  };
  return (
    <Screen
      title="Pay"
      answer="Choose the payer, the receiver and the amount. You see the price and the fees before any money moves."
      actions={<NewReceiver onDone={choose} />}
    >
      <Loaded read={accounts} what="The accounts could not be loaded." lines={10}>
        {(found) =>
          found.external.length === 0 && found.internal.length < 2 ? (
            <Empty title="There is no account to pay yet.">
              <p>
                Create a receiver here, or follow <a href="/console">the first payment, step by step</a>.
              </p>
            </Empty>
          ) : (
            <Tabs
              label="Kinds of payment"
              tabs={{
                Payment: () => (
                  <div class="pay-form">
                    <QuoteForm key={query.to} accounts={found} />
                  </div>
                ),
                'Transfer out': () => (
                  <div key="OUT" class="pay-form">
                    <TransferForm accounts={found} direction="OUT" />
                  </div>
                ),
                'Transfer in': () => (
                  <div key="IN" class="pay-form">
                    <TransferForm accounts={found} direction="IN" />
                  </div>
                ),
              }}
            />
          )
        }
      </Loaded>
    </Screen>
  );
}
