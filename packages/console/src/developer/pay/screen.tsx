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
      answer="Say from where, to whom and how much. You see the price and the fees before any money moves."
    >
      <Loaded read={accounts} what="The accounts could not be read." lines={10}>
        {(found) =>
          found.external.length === 0 && found.internal.length < 2 ? (
            <Empty title="There is nobody to pay yet.">
              <p>
                <a href="/console">The first payment, step by step</a>, begins with an external account.
              </p>
            </Empty>
          ) : (
            <Tabs
              label="Kinds of payments"
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
