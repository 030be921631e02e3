import { JEAN_LOOKUP, UMA_LOOKUP, UMA_RECEIVER } from '#capabilities/external-accounts/examples.ts';
import {
  lookUpExternalAccount,
  lookUpUma,
} from '#capabilities/external-accounts/receivers/look-up-receiver.ts';
import {
  ReceiverExternalAccountLookupResponse,
  ReceiverUmaLookupResponse,
  SenderQuery,
} from '#capabilities/external-accounts/receivers/schemas.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';

const AREA = 'Cross-Currency Transfers';

export function receiverOperations(domains: ServiceDomains) {
  return [
    operation('lookupUma', {
      route: 'GET /receiver/uma/:receiverUmaAddress',
      area: AREA,
      summary: 'Look up a receiver by UMA address',
      description:
        'The currencies that the receiver accepts, their approximate rates, and the data about the sender that must be ' +
        'given. A quote can use the look-up within an hour.',
      access: 'view',
      params: {
        receiverUmaAddress: {
          text: '`$user@domain`; `$` and `@` may be percent-encoded.',
          isPersonal: true,
        },
      },
      query: SenderQuery,
      reply: ReceiverUmaLookupResponse,
      codes: [
        'INVALID_UMA_ADDRESS',
        'SELF_PAYMENT',
        'INVALID_RECEIVER',
        'INVALID_CURRENCY',
        'QUOTE_REQUEST_FAILED',
        'PARSE_LNURLP_RESPONSE_ERROR',
        'LOOKUP_REQUEST_FAILED',
        'COUNTERPARTY_NOT_ALLOWED',
        'CUSTOMER_NOT_FOUND',
        'UMA_NOT_FOUND',
        'UNSUPPORTED_UMA_VERSION',
        'LNURLP_REQUEST_FAILED',
        'COUNTERPARTY_PUBKEY_FETCH_ERROR',
      ],
      examples: {
        'A receiver of pesos': {
          params: { receiverUmaAddress: UMA_RECEIVER },
          query: { customerId: EXAMPLE_IDS.ada },
          reply: UMA_LOOKUP,
        },
      },
      handle: (work, { params, query }) => lookUpUma(work, params.receiverUmaAddress, query, domains),
    }),
    lookupExternalAccount,
  ];
}

const lookupExternalAccount = operation('lookupExternalAccount', {
  route: 'GET /receiver/external-account/:accountId',
  area: AREA,
  summary: 'Look up a receiver by external account',
  description:
    'The account’s currency, its approximate rate, and the amounts that it can receive. A quote can use the look-up ' +
    'within an hour.',
  access: 'view',
  params: { accountId: { id: 'ExternalAccount', missing: 'ACCOUNT_NOT_FOUND' } },
  query: SenderQuery,
  reply: ReceiverExternalAccountLookupResponse,
  codes: [
    'INVALID_UMA_ADDRESS',
    'INVALID_RECEIVER',
    'INVALID_CURRENCY',
    'QUOTE_REQUEST_FAILED',
    'INVALID_BANK_ACCOUNT',
    'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    'CUSTOMER_NOT_FOUND',
    // The same codes as for a look-up by address, although an account needs no call to another provider.
    'UNSUPPORTED_UMA_VERSION',
    'LNURLP_REQUEST_FAILED',
  ],
  examples: {
    'A bank account in the euro area': {
      params: { accountId: EXAMPLE_IDS.jeanEur },
      query: { customerId: EXAMPLE_IDS.ada },
      reply: JEAN_LOOKUP,
    },
  },
  handle: (work, { params, query }) => lookUpExternalAccount(work, params.accountId, query),
});
