import type { Corridor, ErrorCode, Quote, WebhookEvent } from '@corridor/client';
import { type SigningKey, signed } from '@corridor/client/wallet';

/** Compiled but never run: shows which calls compile and which do not. */
export async function use(corridor: Corridor, key: SigningKey, event: WebhookEvent): Promise<void> {
  const quote: Quote = await corridor.createQuote({
    source: { sourceType: 'ACCOUNT', accountId: 'InternalAccount:1' },
    destination: { destinationType: 'ACCOUNT', accountId: 'ExternalAccount:1' },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 1,
  });
  // @ts-expect-error a body without a required field
  await corridor.createQuote({ lockedCurrencySide: 'SENDING' });
  // @ts-expect-error a body that is missing
  await corridor.createQuote();
  // @ts-expect-error a value that is none of the list
  await corridor.listTransactions({ type: 'SIDEWAYS' });
  // @ts-expect-error a parameter that there is not
  await corridor.listCustomers({ customer: 'Ada' });
  // @ts-expect-error no id for the path
  await corridor.getQuoteById();
  // @ts-expect-error an operation that there is not
  await corridor.createMoney();
  // @ts-expect-error a field that replies do not have
  quote.totalAmount;

  await corridor.executeQuote(quote.id);
  await corridor.executeQuote(quote.id, {}, { idempotencyKey: 'mine', maxRetries: 0 });
  // @ts-expect-error an option that there is not
  await corridor.executeQuote(quote.id, {}, { idempotencykey: 'mine' });
  await corridor.startScaLogin({ customerId: 'Customer:1', factor: 'SMS_OTP' });
  // @ts-expect-error what goes into the query is required too
  await corridor.startScaLogin({ factor: 'SMS_OTP' });

  for await (const { fullName } of only(corridor.listCustomers(), 'INDIVIDUAL'))
    fullName satisfies string | undefined;
  // @ts-expect-error a reply that is not a list cannot be iterated
  for await (const _none of corridor.getPlatformConfig());

  const session = await signed(key, (options) =>
    corridor.refreshAuthSession('Session:1', { clientPublicKey: '02' }, options),
  );
  session.expiresAt satisfies string;
  // @ts-expect-error both legs are done: there is no payload to sign any more
  session.payloadToSign;

  if (event.type === 'INVITATION.CLAIMED') event.data.code satisfies string;
  'INSUFFICIENT_FUNDS' satisfies ErrorCode;
  // @ts-expect-error a code that there is not
  'OUT_OF_MONEY' satisfies ErrorCode;
}

/** Customers of one kind. */
async function* only<T extends { customerType?: string }, Kind extends T['customerType']>(
  all: AsyncIterable<T>,
  kind: Kind,
) {
  for await (const one of all) if (one.customerType === kind) yield one as Extract<T, { customerType: Kind }>;
}
