import type { Card } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { OuterLink, sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

/** Draws the card. Its number is never here: a separate page shows it, in a separate tab. */
export function Picture({ card }: { card: Card }) {
  const { customerId, brand, last4 = '····', expMonth, expYear, status } = card;
  const holder = useQuery(['getCustomerById', customerId], () => corridor.getCustomerById(customerId));
  const name =
    holder.data?.customerType === 'BUSINESS' ? holder.data.businessInfo?.legalName : holder.data?.fullName;
  const expiry =
    expMonth === undefined ? '··/··' : `${String(expMonth).padStart(2, '0')}/${String(expYear).slice(-2)}`;
  return (
    <>
      <div class={`cards-picture cards-${status.toLowerCase()}`}>
        <span class="cards-brand">{brand ? sayName(brand) : 'Card'}</span>
        <span class="cards-status">{sayName(status)}</span>
        <span class="cards-number">
          <span aria-hidden="true">•••• •••• •••• </span>
          <span class="unseen">ends in </span>
          {last4}
        </span>
        <span class="cards-holder">
          <Text>{name}</Text>
        </span>
        <span class="cards-expiry">
          <span class="unseen">expires </span>
          {expiry}
        </span>
      </div>
      {(status === 'ACTIVE' || status === 'FROZEN') && <Reveal id={card.id} />}
    </>
  );
}

function Reveal({ id }: { id: string }) {
  const [page, setPage] = useState<{ panEmbedUrl: string; expiresAt: string }>();
  return (
    <div class="cards-reveal">
      <Action
        label="Show card number"
        call={callOf('revealCard', id)}
        what="The card number cannot be shown."
        onDone={setPage}
      />
      {page && (
        <p role="status">
          <OuterLink href={page.panEmbedUrl}>Open the page with the card number</OuterLink>, until{' '}
          <Time at={page.expiresAt} isExact />
        </p>
      )}
    </div>
  );
}
