import { Screen, Tabs } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useAccounts } from './accounts.ts';
import { QuoteForm } from './quote-form.tsx';
import { TransferForm } from './transfer-form.tsx';

/** Answers: what would this payment cost, and how do I make it? */
export default function Pay() {
  const accounts = useAccounts();
  return (
    <Screen
      title="Pay"
      answer="Choose the payer, the receiver and the amount. You see the price and the fees before any money moves."
    >
      <Loaded read={accounts} what="The accounts could not be loaded." lines={10}>
        {(found) =>
          found.external.length === 0 && found.internal.length < 2 ? (
            <Empty title="There is no account to pay yet.">
              <p>
                <a href="/console">The first payment, step by step</a>, creates one.
              </p>
            </Empty>
          ) : (
            <Tabs
              label="Kinds of payment"
              tabs={{
                Payment: () => (
                  <div class="pay-form">
                    <QuoteForm accounts={found} />
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
