import { type UmaProvider, umaProvider } from '#capabilities/platform/uma-providers.ts';
import { DELAYS, formatDuration } from '#edge/sandbox/delays-table.ts';
import { PAID, type PayoutOutcome, type RailStage } from '#edge/sandbox/rails/rails-table.ts';
import { type CompleteTable, rowFor, type SandboxRow, type SandboxTable } from '#edge/sandbox/table.ts';
import type { CounterpartyAnswer } from '#foundation/ports/counterparties.ts';
import type { RailNotice } from '#foundation/ports/payments.ts';

/** The behaviour of an address at the sandbox's UMA domain when it is paid (money.md §9.5). */
export interface UmaReceiver {
  readonly lookUp: CounterpartyAnswer;
  /** Whether its provider agrees to a payment. */
  readonly takesPayRequests: boolean;
  readonly payout: PayoutOutcome;
}

/** The behaviour of an address that pays a customer. */
export interface UmaSender {
  /** The steps of the payment after its approval; undefined: there is no sender of this name. */
  readonly incoming: readonly IncomingStage[] | undefined;
  /** The fields of the receiver that it requires. */
  readonly wantsOfReceiver: readonly string[];
}

/** Like a stage of the rails, but the hash of a notice is derived from the transaction. */
export interface IncomingStage extends Omit<RailStage, 'notices'> {
  readonly notices: readonly Exclude<RailNotice['kind'], 'payoutFailed'>[];
}

/** Replaced in the examples by the configured domain (`SANDBOX_UMA_DOMAIN`). */
export const UMA_DOMAIN_PLACEHOLDER = '<sandbox UMA domain>';

const ELSEWHERE = 'an address at another domain';

export function umaReceiver(address: string, domains?: readonly string[]): UmaReceiver {
  return rowFor(UMA_RECEIVERS, scenarioName(address, domains)).does;
}

export function umaSender(address: string, domains?: readonly string[]): UmaSender {
  return rowFor(UMA_SENDERS, scenarioName(address, domains)).does;
}

/**
 * The sandbox's entry in the directory of UMA providers: it accepts the currencies of its receivers (accounts.md §6.9).
 */
export function sandboxUmaProvider(domain: string): UmaProvider {
  const taken = UMA_RECEIVERS.rows.flatMap(({ does: { lookUp } }) =>
    lookUp.kind === 'FOUND' ? lookUp.currencies.map(({ code }) => code) : [],
  );
  return umaProvider(PROVIDER_NAME, domain, [...new Set(taken)].sort());
}

/** `$success.usd`; the domain is checked if the address comes from a caller. */
function scenarioName(address: string, domains?: readonly string[]): string {
  const at = address.indexOf('@');
  return domains?.includes(address.slice(at + 1)) === false ? ELSEWHERE : address.slice(0, at);
}

const STEP_MS = DELAYS.step.ms;
const LONG_MS = DELAYS.long.ms;
const step = formatDuration(STEP_MS);
const long = formatDuration(LONG_MS);

const at = (name: string) => `${name}@${UMA_DOMAIN_PLACEHOLDER}`;

const PROVIDER_NAME = 'Sandbox UMA provider';
const AMOUNT_MAX = 10_000_000n;
const RECEIVER_NAME = 'Sandbox Receiver';
/** The data that the sandbox's provider discloses about a receiver. */
export const RECEIVER_INFORMATION: Readonly<Record<string, string>> = { FULL_NAME: RECEIVER_NAME };

function found(code: string, ...wanted: string[]): CounterpartyAnswer {
  const requiredPayerData = wanted.map((name) => ({ name, mandatory: true, mustBeSent: true }));
  return { kind: 'FOUND', currencies: [{ code, min: 1n, max: AMOUNT_MAX }], requiredPayerData };
}

const pays = (code: string): UmaReceiver => ({ lookUp: found(code), takesPayRequests: true, payout: PAID });
const fails = (lookUp: CounterpartyAnswer): UmaReceiver => ({
  lookUp,
  takesPayRequests: false,
  payout: PAID,
});

function plainReceiver(code: string): SandboxRow<UmaReceiver> {
  const value = `$success.${code.toLowerCase()}`;
  return {
    value,
    example: at(value),
    effect: `Accepts ${code}; a payment is completed after ${step}.`,
    shows: { 'lookup.supportedCurrencies.0.currency.code': code, 'transaction.status': 'COMPLETED' },
    overAfterMs: STEP_MS,
    does: pays(code),
  };
}

export const UMA_RECEIVERS: CompleteTable<UmaReceiver> = {
  id: 'uma-receivers',
  title: 'Paying a UMA address',
  intro:
    'The name before the domain decides the outcome of a look-up and of a payment. Each receiver accepts one currency, from 1 ' +
    `to ${AMOUNT_MAX} of its smallest unit, and is called ${RECEIVER_NAME}.`,
  column: 'Receiver',
  operations: ['lookupUma', 'createQuote', 'executeQuote', 'sandboxSend'],
  rows: [
    plainReceiver('USD'),
    plainReceiver('EUR'),
    plainReceiver('MXN'),
    {
      value: '$pending.long.usd',
      example: at('$pending.long.usd'),
      effect: `\`PROCESSING\` with \`pendingReason: COMPLIANCE_REVIEW\` for ${long}, then completed.`,
      shows: { 'transaction.status': 'COMPLETED' },
      overAfterMs: LONG_MS,
      does: {
        ...pays('USD'),
        payout: {
          stages: [
            { afterMs: 0, notices: [{ kind: 'held' }] },
            { afterMs: LONG_MS, notices: [{ kind: 'delivered' }] },
          ],
        },
      },
    },
    {
      value: '$fail.compliance.usd',
      example: at('$fail.compliance.usd'),
      effect: `The receiver’s provider refuses after ${step}; ${step} later the money is back.`,
      shows: {
        'transaction.status': 'FAILED',
        'transaction.failureReason': 'COMPLIANCE_REJECTED',
        'transaction.refund.status': 'COMPLETED',
      },
      overAfterMs: 2 * STEP_MS,
      does: {
        ...pays('USD'),
        payout: {
          stages: [{ afterMs: STEP_MS, notices: [{ kind: 'payoutFailed', reason: 'COMPLIANCE_REJECTED' }] }],
        },
      },
    },
    {
      value: '$needinfo.usd',
      example: at('$needinfo.usd'),
      effect:
        'Requires `FULL_NAME` and `BIRTH_DATE` of the sender: a quote without them in `senderCustomerInfo` is refused, even if ' +
        'they are on file.',
      shows: {
        'lookup.requiredPayerDataFields.0.name': 'FULL_NAME',
        'lookup.requiredPayerDataFields.1.name': 'BIRTH_DATE',
        'quote.code': 'MISSING_MANDATORY_USER_INFO',
      },
      does: { ...pays('USD'), lookUp: found('USD', 'FULL_NAME', 'BIRTH_DATE') },
    },
    {
      value: '$fail.version.usd',
      example: at('$fail.version.usd'),
      effect: 'Its provider shares no version of UMA with Corridor: the look-up is refused.',
      shows: { 'lookup.code': 'UNSUPPORTED_UMA_VERSION' },
      does: fails({ kind: 'NO_COMMON_VERSION' }),
    },
    {
      value: '$fail.lnurlp.usd',
      example: at('$fail.lnurlp.usd'),
      effect: 'Its provider does not answer the look-up.',
      shows: { 'lookup.code': 'LNURLP_REQUEST_FAILED' },
      does: fails({ kind: 'UNREACHABLE' }),
    },
    {
      value: '$fail.payreq.usd',
      example: at('$fail.payreq.usd'),
      effect:
        'The receiver is found, but its provider does not answer the request to pay: the quote is refused.',
      shows: { 'quote.code': 'PAYREQ_REQUEST_FAILED' },
      does: { ...pays('USD'), takesPayRequests: false },
    },
    {
      value: ELSEWHERE,
      example: '$ada@elsewhere.example',
      effect: 'No other provider can be reached from the sandbox.',
      shows: { 'lookup.code': 'LNURLP_REQUEST_FAILED' },
      does: fails({ kind: 'UNREACHABLE' }),
    },
  ],
  otherwise: {
    value: 'any other name',
    example: at('$nobody'),
    effect: 'The address does not exist.',
    shows: { 'lookup.code': 'UMA_NOT_FOUND' },
    does: fails({ kind: 'NOT_FOUND' }),
  },
};

const ARRIVES: UmaSender = {
  incoming: [{ afterMs: STEP_MS, notices: ['arrived'] }],
  wantsOfReceiver: [],
};

function plainSender(code: string): SandboxRow<UmaSender> {
  const value = `$success.${code.toLowerCase()}`;
  return {
    value,
    example: at(value),
    effect: `Pays; the money arrives ${step} after the approval.`,
    shows: { 'transaction.status': 'COMPLETED' },
    overAfterMs: STEP_MS,
    does: ARRIVES,
  };
}

export const UMA_SENDERS: CompleteTable<UmaSender> = {
  id: 'uma-senders',
  title: 'Being paid by a UMA address',
  intro:
    'The sender of a payment to a customer decides its outcome. The webhook `INCOMING_PAYMENT.PENDING` asks first whether to ' +
    'accept it; the sender determines what happens after an approval.',
  column: 'Sender',
  operations: ['sandboxReceive', 'approvePendingPayment', 'rejectPendingPayment'],
  rows: [
    plainSender('USD'),
    plainSender('EUR'),
    plainSender('MXN'),
    {
      value: '$pending.long.usd',
      example: at('$pending.long.usd'),
      effect: `After the approval the money is held with \`pendingReason: COMPLIANCE_REVIEW\` for ${long}, then it arrives.`,
      shows: { 'transaction.status': 'COMPLETED' },
      overAfterMs: LONG_MS,
      does: {
        ...ARRIVES,
        incoming: [
          { afterMs: 0, notices: ['held'] },
          { afterMs: LONG_MS, notices: ['released'] },
        ],
      },
    },
    {
      value: '$fail.compliance.usd',
      example: at('$fail.compliance.usd'),
      effect: `Refused ${step} after the approval; ${step} later the sender has the money back.`,
      shows: { 'transaction.status': 'FAILED', 'transaction.failureReason': 'COMPLIANCE_REJECTED' },
      overAfterMs: STEP_MS,
      does: { ...ARRIVES, incoming: [{ afterMs: STEP_MS, notices: ['complianceRejected'] }] },
    },
    {
      value: '$needinfo.usd',
      example: at('$needinfo.usd'),
      effect:
        'Requires the `NATIONALITY` of the customer: if it is not on file, the approval has to send it in ' +
        '`receiverCustomerInfo`.',
      shows: { 'approval.code': 'MISSING_MANDATORY_USER_INFO' },
      does: { ...ARRIVES, wantsOfReceiver: ['NATIONALITY'] },
    },
  ],
  otherwise: {
    value: 'any other name, or any other domain',
    example: at('$nobody'),
    effect: 'No sender has this address.',
    shows: { 'transaction.code': 'UMA_NOT_FOUND' },
    does: { incoming: undefined, wantsOfReceiver: [] },
  },
};

/** The data that the sandbox's provider discloses about a sender. */
export const SENDER_INFORMATION: Readonly<Record<string, string>> = {
  FULL_NAME: 'Sandbox Sender',
  BIRTH_DATE: '1990-01-01',
  NATIONALITY: 'US',
  PHONE_NUMBER: '+14155550100',
  EMAIL: 'sender@example.com',
  POSTAL_ADDRESS: '1 Sandbox Street, San Francisco, CA 94105, US',
  TAX_ID: '00-0000000',
  REGISTRATION_NUMBER: 'SANDBOX-1',
  USER_TYPE: 'INDIVIDUAL',
  COUNTRY_OF_RESIDENCE: 'US',
  ACCOUNT_IDENTIFIER: 'sandbox-sender',
  FI_LEGAL_ENTITY_NAME: PROVIDER_NAME,
  FI_ADDRESS: '1 Sandbox Street, San Francisco, CA 94105, US',
  PURPOSE_OF_PAYMENT: 'OTHER',
  ULTIMATE_INSTITUTION_COUNTRY: 'US',
  IDENTIFIER: 'sandbox-sender',
  BUSINESS_TYPE: 'OTHER',
  COMPANY_LEGAL_NAME: 'Sandbox Sender',
  ID_TYPE: 'PASSPORT',
  ID_NUMBER: 'X0000000',
};

export const SENDER_INFORMATION_TABLE: SandboxTable<string> = {
  id: 'uma-sender-information',
  title: 'Information from a UMA sender’s provider',
  intro:
    'A payment shows the sender’s data that the platform requires: the `requiredCounterpartyFields` of the currency in its ' +
    'configuration.',
  column: 'Field',
  operations: ['updatePlatformConfig', 'sandboxReceive'],
  rows: Object.entries(SENDER_INFORMATION).map(([field, told]) => ({
    value: field,
    example: field,
    effect: `Disclosed as ${told}.`,
    shows: { [`counterpartyInformation.${field}`]: told },
    does: told,
  })),
};
