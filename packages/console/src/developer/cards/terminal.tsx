import type { Card } from '@corridor/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { invalidate } from '../../api/query.ts';
import { docsUrl } from '../../api/session.ts';
import { Field, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { formatAmount, formatMoney } from '../../ui/money.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { MESSAGES, type Message } from './messages.ts';
import { type CardTransaction, isOpen, openAmountOf } from './purchases.tsx';

/** The sandbox takes up to a second until a message has its effect. */
const EFFECT_MS = 1_300;

interface TerminalProps {
  readonly card: Card;
  readonly purchases: readonly CardTransaction[];
}

/** The merchant's side of the card: each choice is one message of the card network. */
export function Terminal({ card, purchases }: TerminalProps) {
  const [name, choose] = useState<string>(MESSAGES[0]?.name ?? '');
  const message = MESSAGES.find((one) => one.name === name) ?? MESSAGES[0];
  const sent = useAfterEffect();
  if (message === undefined) return null;
  const fitting = purchases.filter((purchase) => message.fits?.(purchase) ?? false);
  return (
    <Section
      title="Terminal"
      hint="Simulate the merchant and the card network. A message takes effect within a second, and its result appears below."
      isCard
    >
      <Field
        name="message"
        label="Message"
        type="select"
        value={message.name}
        options={MESSAGES.map(({ name: value, word }) => [value, word] as const)}
        hint={message.hint}
        onChange={choose}
      />
      {message.fits && fitting.length === 0 ? (
        <p class="soft cards-none">This card has no transaction for this message. {message.needs}</p>
      ) : (
        <MessageForm key={message.name} card={card} message={message} fitting={fitting} onDone={sent} />
      )}
      <Newest purchase={purchases[0]} />
    </Section>
  );
}

/** Reads again what a message changes, now and when it has taken effect. */
function useAfterEffect(): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    clearTimeout(timer.current);
    const read = () => invalidate('listTransactions', 'listInternalAccounts', 'listInternalAccountEntries');
    timer.current = setTimeout(read, EFFECT_MS);
  };
}

interface MessageFormProps {
  readonly card: Card;
  readonly message: Message;
  readonly fitting: readonly CardTransaction[];
  readonly onDone: () => void;
}

function MessageForm({ card, message, fitting, onDone }: MessageFormProps) {
  const { fields } = message;
  // Until somebody chooses one, the newest is meant.
  const [chosen, choose] = useState<string>();
  const parent = fitting.find(({ id }) => id === chosen) ?? fitting[0];
  const amount = message.fits && parent ? firstAmount(parent, card) : '12.50';
  const box = useRef<HTMLDivElement>(null);
  // The remaining amount changes with every message. The field keeps the focus.
  useEffect(() => {
    const input = box.current?.querySelector<HTMLInputElement>('[name=amount]');
    if (input) input.value = amount;
  }, [amount, parent?.id]);
  return (
    <Form
      build={(values) => message.build(card, values)}
      submit={message.word}
      what="The network refused the message."
      onDone={onDone}
      reads={`${amount} ${fitting.map(({ id }) => id).join()}`}
    >
      {message.fits && (
        <Field
          name="cardTransactionId"
          label="Transaction"
          type="select"
          value={parent?.id}
          options={fitting.map((purchase) => [purchase.id, sayPurchase(purchase)] as const)}
          onChange={choose}
        />
      )}
      {fields.includes('amount') && (
        <div ref={box}>
          <Field
            name="amount"
            label={`${message.amountLabel ?? 'Amount'}, in ${card.currency ?? 'USD'}`}
            value={amount}
            isRequired
          />
        </div>
      )}
      {fields.includes('merchant') && <MerchantFields />}
      {fields.includes('token') && (
        <>
          <Field
            name="channel"
            label="Send the code by"
            type="select"
            options={[
              ['', 'The channel that the platform has configured'],
              ['EMAIL', 'E-mail'],
              ['SMS', 'Text message'],
            ]}
          />
          <Field
            name="code"
            label="Code"
            hint="Leave it empty to send a code. Then enter the code from the message."
          />
        </>
      )}
    </Form>
  );
}

function MerchantFields() {
  return (
    <div class="cards-merchant">
      <Field
        name="merchant.descriptor"
        label="Merchant"
        value="CORNER BOOKS"
        hint={
          <a href={docsUrl('/docs/sandbox#card-merchants')} target="_blank" rel="noopener">
            Its last three characters choose the outcome.
          </a>
        }
        isRequired
      />
      <Field name="merchant.mcc" label="Category (MCC)" value="5942" />
      <Field name="merchant.city" label="City" />
      <Field name="merchant.country" label="Country (two letters)" />
    </div>
  );
}

function firstAmount(parent: CardTransaction, card: Card): string {
  const amount = isOpen(parent) ? openAmountOf(parent) : (parent.settledAmount?.amount ?? 0);
  return formatAmount(amount, card.currency ?? parent.authorizedAmount.currency).replaceAll(',', '');
}

function sayPurchase(purchase: CardTransaction): string {
  const { merchant, status, authorizedAmount, settledAmount } = purchase;
  const settled = settledAmount ? `${formatAmount(settledAmount.amount, settledAmount.currency)} of ` : '';
  const amount = formatMoney(authorizedAmount.amount, authorizedAmount.currency);
  return `${merchant.descriptor}: ${settled}${amount}, ${sayName(status).toLowerCase()}`;
}

/** The result of the last message, also for screen readers. */
function Newest({ purchase }: { purchase: CardTransaction | undefined }) {
  return (
    <p class="cards-newest" role="status">
      {purchase && (
        <>
          Newest: <Text>{sayPurchase(purchase)}</Text>
          {purchase.cardDeclinedReason &&
            `, because of this reason: ${sayName(purchase.cardDeclinedReason).toLowerCase()}`}
        </>
      )}
    </p>
  );
}
