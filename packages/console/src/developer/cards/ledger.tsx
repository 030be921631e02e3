import type { InternalAccount } from '@corridor/client';
import { Id } from '../../ui/id.tsx';
import { Facts, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';

/** The account beside the terminal: what each message did to the money. */
export function Ledger({ accountId, account }: { accountId: string; account: InternalAccount | undefined }) {
  const currency = account?.balance.currency;
  const spendable = account?.balance.amount;
  const total = account?.totalBalance.amount;
  const held = spendable === undefined || total === undefined ? undefined : total - spendable;
  return (
    <Section title="The account" isCard>
      <Facts
        facts={{
          Account: <Id id={accountId} />,
          'Can be spent': <Money amount={spendable} currency={currency} />,
          'On hold': <Money amount={held} currency={currency} />,
          Total: <Money amount={total} currency={currency} />,
        }}
      />
    </Section>
  );
}
