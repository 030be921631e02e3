import {
  type Channel,
  confirmContactCode,
  issueContactCode,
} from '#capabilities/customers/contacts/contact-verification.ts';
import { EMMY_REACHED } from '#capabilities/customers/examples.ts';
import { CUSTOMER_PARAM } from '#capabilities/customers/routes.ts';
import { ContactVerificationConfirmRequest, CustomerReply } from '#capabilities/customers/schemas.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';

interface Contact {
  readonly channel: Channel;
  readonly word: 'Email' | 'Phone';
  readonly what: string;
  readonly path: 'verify-email' | 'verify-phone';
}

const CONTACTS: readonly Contact[] = [
  { channel: 'EMAIL', word: 'Email', what: 'e-mail address', path: 'verify-email' },
  { channel: 'PHONE', word: 'Phone', what: 'phone number', path: 'verify-phone' },
];

/** One pair of operations for each of the two channels. */
export const contactVerificationOperations = CONTACTS.flatMap((contact) => [send(contact), confirm(contact)]);

function send({ channel, word, what, path }: Contact) {
  return operation(`sendCustomer${word}Verification`, {
    route: `POST /customers/:customerId/${path}`,
    area: 'Contact Verification',
    summary: `Send a code to the customer's ${what}`,
    description:
      'Voids the previous code. Only for customers in regions that require verified contacts. In the sandbox the ' +
      'code is [always the same](/docs/sandbox#codes), and the message can be read at `GET /sandbox/messages`. ' +
      'Production answers 501 for a channel that has no provider.',
    access: 'manage',
    params: CUSTOMER_PARAM,
    codes: ['CONFLICT', 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
    examples: { 'A code is sent': { params: { customerId: EXAMPLE_IDS.emmy } } },
    async write(tx, { params }) {
      await issueContactCode(tx, params.customerId, channel);
      return undefined as never;
    },
  });
}

function confirm({ channel, word, what, path }: Contact) {
  return operation(`confirmCustomer${word}Verification`, {
    route: `POST /customers/:customerId/${path}/confirm`,
    area: 'Contact Verification',
    summary: `Confirm the customer's ${what} with a code`,
    description: 'A code is valid for ten minutes. In production, five wrong tries void it.',
    access: 'manage',
    params: CUSTOMER_PARAM,
    body: ContactVerificationConfirmRequest,
    reply: CustomerReply,
    codes: ['CONFLICT'],
    examples: {
      'The right code': {
        params: { customerId: EXAMPLE_IDS.emmy },
        body: { code: '123456' },
        reply: EMMY_REACHED[word],
      },
    },
    write: (tx, { params, body }) => confirmContactCode(tx, params.customerId, channel, body.code),
  });
}
