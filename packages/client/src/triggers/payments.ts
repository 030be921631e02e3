import { ConflictError } from '../errors.ts';
import type { Quote } from '../generated/schemas.ts';
import { approvedPerson, europeanPerson, fetchAccountId } from './people.ts';
import { type Recipe, type Recipes, type Scene, TriggerError } from './scene.ts';

export interface Payer {
  readonly customerId: string;
  readonly dollars: string;
}

/** An approved customer with 1,000.00 USD. */
export async function newPayer(scene: Scene, find = approvedPerson): Promise<Payer> {
  const customerId = await find(scene);
  const dollars = await fetchAccountId(scene, customerId, 'USD');
  await scene.corridor.sandboxFundInternalAccount(dollars, { amount: 100_000 });
  return { customerId, dollars };
}

const BENEFICIARY = {
  beneficiaryType: 'INDIVIDUAL',
  fullName: 'Trigger Example',
  countryOfResidence: 'DE',
} as const;

/** The payee's account. The end of the IBAN decides the outcome of the payment. */
export function euroAccount(iban: string) {
  return {
    currency: 'EUR',
    accountInfo: { accountType: 'EUR_ACCOUNT', iban, beneficiary: BENEFICIARY },
  } as const;
}

/** The sandbox pays this one; other IBANs make payments fail (/docs/sandbox, "Payments into another currency"). */
export const GOOD_IBAN = 'DE89370400440532013000';
const FAILS = 'DE78370400440532013004';
const REFUND_FAILS = 'DE94370400440532013007';

export function quoteRequest(dollars: string, receiver: string) {
  return {
    source: { sourceType: 'ACCOUNT', accountId: dollars },
    destination: { destinationType: 'ACCOUNT', accountId: receiver },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 2_500,
  } as const;
}

async function quote(scene: Scene, payer: Payer, iban = GOOD_IBAN): Promise<Quote> {
  const { corridor } = scene;
  const receiver = await corridor.createCustomerExternalAccount({
    customerId: payer.customerId,
    ...euroAccount(iban),
  });
  return corridor.createQuote(quoteRequest(payer.dollars, receiver.id));
}

/** Pays 25.00 USD to an account in euros, then moves the clock ahead by this many seconds. */
const payment = (how: string, { iban = GOOD_IBAN, seconds = 0 } = {}): Recipe => ({
  how,
  ...(seconds > 0 && { clock: `${seconds}s` }),
  async act(scene) {
    const { id, transactionId } = await quote(scene, await newPayer(scene), iban);
    await scene.corridor.executeQuote(id);
    if (seconds > 0) await scene.advance(seconds);
    return transactionId;
  },
});

export const OUTGOING: Recipes<'OUTGOING_PAYMENT'> = {
  'OUTGOING_PAYMENT.PENDING': {
    how: 'a quote, not executed',
    act: async (scene) => (await quote(scene, await newPayer(scene))).transactionId,
  },
  'OUTGOING_PAYMENT.PENDING_AUTHORIZATION': {
    how: 'a payment that a customer in Germany has to authorize',
    async act(scene) {
      const { id, transactionId } = await quote(scene, await newPayer(scene, europeanPerson));
      await scene.corridor.executeQuote(id);
      return transactionId;
    },
  },
  'OUTGOING_PAYMENT.PROCESSING': payment('a payment that is executed'),
  'OUTGOING_PAYMENT.COMPLETED': payment('a payment that arrives', { seconds: 1 }),
  'OUTGOING_PAYMENT.FAILED': payment('a payment that the receiver’s bank refuses', {
    iban: FAILS,
    seconds: 1,
  }),
  'OUTGOING_PAYMENT.EXPIRED': {
    how: 'a quote that is not executed in time',
    clock: '5m',
    async act(scene) {
      const { createdAt, expiresAt, transactionId } = await quote(scene, await newPayer(scene));
      await scene.advance(Math.ceil((Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000));
      return transactionId;
    },
  },
  'OUTGOING_PAYMENT.REFUND_PENDING': payment('a payment that fails', { iban: FAILS, seconds: 1 }),
  'OUTGOING_PAYMENT.REFUND_COMPLETED': payment('a payment that fails and is paid back', {
    iban: FAILS,
    seconds: 2,
  }),
  'OUTGOING_PAYMENT.REFUND_FAILED': payment('a payment that fails, and whose refund fails, too', {
    iban: REFUND_FAILS,
    seconds: 2,
  }),
};

/** Pulls money from an external account, which needs no approval. */
const collection = (how: string, { accountNumber = '000123456789', seconds = 0 } = {}): Recipe => ({
  how,
  ...(seconds > 0 && { clock: `${seconds}s` }),
  async act(scene) {
    const { corridor } = scene;
    const { customerId, dollars } = await newPayer(scene);
    const { id } = await corridor.createCustomerExternalAccount({
      customerId,
      currency: 'USD',
      accountInfo: {
        ...{
          accountType: 'USD_ACCOUNT',
          accountNumber,
          routingNumber: '021000021',
          beneficiary: BENEFICIARY,
        },
      },
    });
    const incoming = await corridor.createTransferIn({
      source: { accountId: id },
      destination: { accountId: dollars },
      amount: 2_500,
    });
    if (seconds > 0) await scene.advance(seconds);
    return incoming.id;
  },
});

/** Receives a payment over UMA that fails a review after its approval: the only kind that is paid back. */
const reviewed = (how: string, seconds: number): Recipe => ({
  how,
  clock: `${seconds}s`,
  needs: 'a webhook endpoint or `listen --forward-to`, which decides whether to accept the payment',
  async act(scene) {
    const { corridor } = scene;
    const { customerId } = await newPayer(scene);
    const { id } = await corridor.sandboxReceive({
      senderUmaAddress: `$fail.compliance.usd@${await sandboxUmaDomain(scene)}`,
      ...{ customerId, receivingCurrencyCode: 'USD', receivingCurrencyAmount: 2_500 },
    });
    await corridor.approvePendingPayment(id).catch((error) => {
      // The endpoint answered first. If it refused, the payment has ended, and the event is not found.
      if (!(error instanceof ConflictError)) throw error;
    });
    await scene.advance(seconds);
    return id;
  },
});

async function sandboxUmaDomain({ corridor }: Scene): Promise<string> {
  for await (const { name, domain } of corridor.getAvailableUmaProviders()) {
    if (name === 'Sandbox UMA provider' && domain !== undefined) return domain;
  }
  throw new TriggerError('The server’s sandbox has no UMA provider.');
}

export const INCOMING: Recipes<'INCOMING_PAYMENT'> = {
  'INCOMING_PAYMENT.PENDING': collection('money pulled from an external account'),
  'INCOMING_PAYMENT.COMPLETED': collection('money pulled from an external account, which arrives', {
    seconds: 1,
  }),
  'INCOMING_PAYMENT.FAILED': collection('money pulled from an external account, which its bank refuses', {
    ...{ accountNumber: '000123456004', seconds: 1 },
  }),
  'INCOMING_PAYMENT.REFUND_PENDING': reviewed('a payment over UMA that fails a review', 1),
  'INCOMING_PAYMENT.REFUND_COMPLETED': reviewed('a payment over UMA that fails a review and is paid back', 2),
  'INCOMING_PAYMENT.REFUND_FAILED': {
    by: 'the operator',
    how: 'corridor payment fail <transaction>, while its refund is pending: in the sandbox for one second',
  },
};
