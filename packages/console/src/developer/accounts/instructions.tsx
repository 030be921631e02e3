import type { InternalAccount } from '@corridor/client';
import { Section } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { InfoFacts } from './info-facts.tsx';

/** How somebody outside sends money to this account. */
export function Instructions({ account }: { account: InternalAccount }) {
  const all = account.fundingPaymentInstructions;
  return (
    <Section title="How money gets here" hint="Give these to those who pay into the account.">
      {all.length === 0 && <p class="soft">This account has no instructions for deposits.</p>}
      {all.map(({ accountOrWalletInfo, instructionsNotes }, i) => (
        <div key={i} class="card accounts-instructions">
          <InfoFacts info={accountOrWalletInfo} />
          {instructionsNotes && (
            <p>
              <Text>{instructionsNotes}</Text>
            </p>
          )}
        </div>
      ))}
    </Section>
  );
}
