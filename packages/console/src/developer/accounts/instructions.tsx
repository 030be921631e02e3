import type { InternalAccount } from '@corridor/client';
import { Section } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { InfoFacts } from './info-facts.tsx';

/** How somebody outside sends money to this account. */
export function Instructions({ account }: { account: InternalAccount }) {
  const all = account.fundingPaymentInstructions;
  return (
    <Section title="Deposit instructions" hint="Give these to anyone who pays into this account.">
      {all.length === 0 && <p class="soft">This account has no deposit instructions.</p>}
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
