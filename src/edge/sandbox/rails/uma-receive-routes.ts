import Type, { type Static } from 'typebox';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { ADA } from '#capabilities/customers/examples.ts';
import { checkedUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import { findCustomerByUma, findLiveCustomer } from '#capabilities/customers/store.ts';
import {
  REFUSED_RECEIPT,
  REVIEWED_RECEIPT,
  REVIEWED_SENDER,
  UMA_RECEIPT,
  UMA_SENDER,
} from '#capabilities/payments/examples.ts';
import { receiveOffer } from '#capabilities/payments/incoming/receive-offer.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import { IncomingPayment, type IncomingTransaction } from '#capabilities/payments/schemas.ts';
import { SENDER_INFORMATION, umaSender } from '#edge/sandbox/rails/uma-table.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { component, idSchema, movedAmount } from '#foundation/http/schema.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { NIL_ID, parseId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, refuse } from '#foundation/lib/refusals.ts';

const SandboxUmaReceiveRequest = component(
  'SandboxUmaReceiveRequest',
  'A payment from a sender at another provider to a customer.',
  {
    senderUmaAddress: Type.String({
      description: 'The sender: a scenario at the sandbox’s own UMA domain.',
      examples: ['$success.usd@sandbox.example'],
    }),
    receiverUmaAddress: Type.Optional(Type.String({ description: 'The customer’s UMA address.' })),
    customerId: Type.Optional(
      idSchema('Customer', { description: 'The customer, instead of the address or together with it.' }),
    ),
    receivingCurrencyCode: Type.String({
      description: 'The currency that the customer receives.',
      examples: ['USD'],
    }),
    receivingCurrencyAmount: movedAmount({
      description: 'The amount, in the smallest unit.',
      examples: [5_000],
    }),
  },
);

type SandboxUmaReceiveRequest = Static<typeof SandboxUmaReceiveRequest>;

const TO_CUSTOMER: SandboxUmaReceiveRequest = {
  senderUmaAddress: UMA_SENDER,
  customerId: EXAMPLE_IDS.ada,
  receivingCurrencyCode: 'USD',
  receivingCurrencyAmount: 5_000,
};

const TO_ADDRESS: SandboxUmaReceiveRequest = {
  senderUmaAddress: UMA_SENDER,
  receiverUmaAddress: ADA.umaAddress,
  receivingCurrencyCode: 'USD',
  receivingCurrencyAmount: 7_500,
};

const FROM_REVIEWED: SandboxUmaReceiveRequest = {
  ...TO_CUSTOMER,
  senderUmaAddress: REVIEWED_SENDER,
  receivingCurrencyAmount: 9_900,
};

/** money.md §9.6. */
export function sandboxUmaReceiveOperations(sandboxUmaDomains: readonly string[]) {
  return [
    operation('sandboxReceive', {
      route: 'POST /sandbox/uma/receive',
      area: 'Sandbox',
      summary: 'Receive a UMA payment',
      description:
        'Lets a sender at a UMA domain of the sandbox offer a payment to a customer, and returns the pending transaction. ' +
        'The webhook then asks the platform whether to accept it; the next steps depend on the sender.',
      access: 'transact',
      sandboxOnly: true,
      body: SandboxUmaReceiveRequest,
      reply: IncomingPayment,
      codes: [
        'INVALID_INPUT',
        'INVALID_AMOUNT',
        'INVALID_UMA_ADDRESS',
        'INVALID_CURRENCY',
        'INVALID_RECEIVER',
        'AMOUNT_OUT_OF_RANGE',
        'WEBHOOK_ENDPOINT_NOT_SET',
        'UMA_NOT_FOUND',
        'USER_NOT_FOUND',
        'CUSTOMER_NOT_FOUND',
        'USER_NOT_READY',
      ],
      examples: {
        'To a customer': { body: TO_CUSTOMER, reply: UMA_RECEIPT },
        'To a UMA address': { body: TO_ADDRESS, reply: REFUSED_RECEIPT },
        'From a sender who fails a review': { body: FROM_REVIEWED, reply: REVIEWED_RECEIPT },
      },
      write: (tx, { body }) => receive(tx, body, sandboxUmaDomains),
    }),
  ];
}

async function receive(
  tx: Tx,
  body: SandboxUmaReceiveRequest,
  domains: readonly string[],
): Promise<IncomingTransaction> {
  const { receiverUmaAddress, customerId } = body;
  if (receiverUmaAddress === undefined && customerId === undefined) {
    const message = 'is required, unless customerId names the receiver';
    throw invalidFields([{ field: 'receiverUmaAddress', message }]);
  }
  const senderAddress = checkedUmaAddress('senderUmaAddress', body.senderUmaAddress);
  const sender = umaSender(senderAddress, domains);
  if (sender.incoming === undefined) refuse('UMA_NOT_FOUND', 'No sender has this UMA address.');
  const row = await receiveOffer(tx, {
    senderAddress,
    receiver: await findReceiver(tx, body),
    amount: BigInt(body.receivingCurrencyAmount),
    currency: body.receivingCurrencyCode,
    senderData: SENDER_INFORMATION,
    requestedData: sender.wantsOfReceiver.map((name) => ({ name, mandatory: true })),
  });
  return presentTransaction(tx, row, tx.now) as IncomingTransaction;
}

/** The address and the id must name the same customer. */
async function findReceiver(
  tx: ReadTx,
  { receiverUmaAddress, customerId }: SandboxUmaReceiveRequest,
): Promise<CustomerRow> {
  const byAddress =
    receiverUmaAddress === undefined ? undefined : await findByAddress(tx, receiverUmaAddress);
  if (customerId === undefined && byAddress) return byAddress;
  const byId = await findLiveCustomer(tx, parseId('Customer', customerId ?? '') ?? NIL_ID);
  if (!byId) throw notFound('CUSTOMER_NOT_FOUND', 'Customer');
  if (!byAddress || byAddress.id === byId.id) return byId;
  throw invalidFields([{ field: 'receiverUmaAddress', message: 'is not the address of customerId' }]);
}

async function findByAddress(tx: ReadTx, sent: string): Promise<CustomerRow> {
  const customer = await findCustomerByUma(tx, checkedUmaAddress('receiverUmaAddress', sent));
  return customer ?? refuse('USER_NOT_FOUND', 'No customer has this UMA address.');
}
