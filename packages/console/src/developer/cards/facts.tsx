import type { Card } from '@corridor/client';
import { callOf } from '../../api/call.ts';
import { invalidate } from '../../api/query.ts';
import { Action } from '../../ui/action.tsx';
import { CustomerId, Id } from '../../ui/id.tsx';
import { Facts, Section } from '../../ui/layout.tsx';
import { Status } from '../../ui/status.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

export function CardFacts({ card }: { card: Card }) {
  return (
    <Section title="Card" isCard>
      <Facts
        facts={{
          Id: <Id id={card.id} isWhole />,
          'Your id': card.platformCardId && <Text>{card.platformCardId}</Text>,
          Status: <Status value={card.status} />,
          Reason: card.statusReason && sayName(card.statusReason),
          Customer: <CustomerId id={card.customerId} />,
          'Funding account': <Id id={card.fundingSource} />,
          Currency: card.currency,
          Form: sayName(card.form),
          Created: <Time at={card.createdAt} />,
        }}
      />
    </Section>
  );
}

export function changed(text: string): void {
  invalidate('getCardById', 'listCards');
  toast(text);
}

/** Freeze, unfreeze and close. */
export function CardActions({ card: { id, status } }: { card: Card }) {
  return (
    <>
      {status === 'ACTIVE' && (
        <Action
          label="Freeze"
          call={callOf('updateCardById', id, { status: 'FROZEN' })}
          ask="New purchases will be declined until you unfreeze the card. Open purchases still settle."
          what="The card was not frozen."
          onDone={() => changed('The card is frozen.')}
        />
      )}
      {status === 'FROZEN' && (
        <Action
          label="Unfreeze"
          call={callOf('updateCardById', id, { status: 'ACTIVE' })}
          ask="The card will be able to pay again."
          what="The card was not unfrozen."
          onDone={() => changed('The card can pay again.')}
        />
      )}
      {status !== 'CLOSED' && (
        <Action
          label="Close"
          kind="danger"
          call={callOf('updateCardById', id, { status: 'CLOSED' })}
          ask="The card can never be used again. Open purchases still settle."
          what="The card was not closed."
          onDone={() => changed('The card was closed.')}
        />
      )}
    </>
  );
}
