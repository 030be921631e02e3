import { Screen, Section } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';

/** Answers: how do I price a currency by hand, or stop it? */
export default function Rates() {
  return (
    <Screen
      title="Rates"
      answer="Rates come from the source that the service is configured with; these override it."
    >
      {CHANGES.map(({ operation, title, text }) => (
        <Section
          key={operation}
          title={title}
          isCard
          actions={
            <ChangeButton
              operation={operation}
              label={title}
              kind={operation === 'stopRates' ? 'danger' : 'primary'}
            />
          }
        >
          <p>{text}</p>
        </Section>
      ))}
    </Screen>
  );
}

const CHANGES = [
  {
    operation: 'setRates',
    title: 'Set rates',
    text: 'Production prices with these rates until they expire. A second operator has to approve them.',
  },
  {
    operation: 'clearRates',
    title: 'Clear rates',
    text: 'The source’s rates apply again, and currencies that were stopped are priced again. A second operator has to approve it.',
  },
  {
    operation: 'stopRates',
    title: 'Stop currencies',
    text: 'New quotes in these currencies are refused at once. One operator is enough for this.',
  },
] as const;
