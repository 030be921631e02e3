import { type AccountRef, parseAccountId } from '#capabilities/payments/parties/accounts.ts';
import { chooseFundingTypes } from '#capabilities/payments/quotes/funding.ts';
import { QuoteRequest } from '#capabilities/payments/quotes/schemas.ts';
import type { FeeRate } from '#capabilities/pricing/fees.ts';
import type { ScaFactor } from '#capabilities/sca/schemas.ts';
import { inDocumentOrder } from '#foundation/http/read/validate.ts';
import { isKnownCurrency, type OwnCurrencies } from '#foundation/lib/currencies.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { isFiat, type PaymentRail } from '#foundation/lib/rails-by-currency.ts';
import { type FieldError, invalidFields, refuse } from '#foundation/lib/refusals.ts';
import { NETWORKS, type Network } from '#foundation/ports/network-fees.ts';

/** An agent that requests a quote. It can see only the customer that it acts for (agents.md §3.2). */
export interface QuotingAgent {
  readonly id: AgentId;
  readonly customerId: CustomerId;
}

/** The body of a request for a quote, with its ids as bare UUIDs. The named objects may not exist. */
export interface ParsedQuote {
  /** Undefined if the platform makes the request. */
  readonly agent?: QuotingAgent;
  readonly lookupId: Id<'Lookup'> | undefined;
  readonly source: ParsedSource;
  readonly destination: ParsedDestination;
  readonly lockedSide: 'SENDING' | 'RECEIVING';
  readonly lockedAmount: bigint;
  /** Never with real-time funding, where the arrival of the funds executes the quote (money.md §2.6). */
  readonly immediatelyExecute: boolean;
  readonly description: string | undefined;
  readonly remittanceInformation: string | undefined;
  readonly purposeOfPayment: string | undefined;
  readonly feeOverride: FeeOverride | undefined;
  readonly senderCustomerInfo: Readonly<Record<string, unknown>> | undefined;
  readonly scaFactor: ScaFactor | undefined;
}

export type ParsedSource =
  | { readonly kind: 'ACCOUNT'; readonly account: AccountRef; readonly customerId: CustomerId | undefined }
  | {
      readonly kind: 'REALTIME';
      readonly currency: string;
      /** Set for a stablecoin. */
      readonly network: Network | undefined;
      readonly customerId: CustomerId | undefined;
    };

export type ParsedDestination =
  | {
      readonly kind: 'ACCOUNT';
      readonly account: AccountRef;
      readonly currency: unknown;
      readonly rail: PaymentRail | undefined;
    }
  | { readonly kind: 'UMA'; readonly address: string; readonly currency: string | undefined };

export interface FeeOverride {
  readonly rate: FeeRate;
  readonly fixedCurrency: string;
}

/**
 * Refuses all invalid fields at once: those that the schema found, and those that are invalid only in combination. An
 * amount of zero or less has its own code and is refused after them (money.md §2.13).
 */
export function parseQuote(
  body: QuoteRequest,
  problems: readonly FieldError[],
  own: OwnCurrencies,
): ParsedQuote {
  const isSound = (field: string) => !problems.some((known) => overlaps(known.field, field));
  const found = [
    ...(isSound('source') ? sourceProblems(body, own) : []),
    ...(isSound('destination') ? destinationProblems(body) : []),
    ...(isSound('source') && isSound('platformFeeOverride') ? feeProblems(body) : []),
    ...(isSound('senderCustomerInfo') ? senderProblems(body) : []),
  ];
  const errors = [...problems, ...found];
  if (errors.length > 0) throw invalidFields(inDocumentOrder(QuoteRequest, errors, body));
  if (body.lockedCurrencyAmount <= 0) {
    const error = { field: 'lockedCurrencyAmount', message: 'must be greater than zero' };
    throw invalidFields([error], 'INVALID_AMOUNT');
  }
  return parse(body, own);
}

const SENDER_INFO_MAX = 10_000;

/** The receiver's provider chooses these fields, so the schema has no limits for them, and all of them are stored. */
function senderProblems({ senderCustomerInfo = {} }: QuoteRequest): FieldError[] {
  if (JSON.stringify(senderCustomerInfo).length <= SENDER_INFO_MAX) return [];
  const message = `must have at most ${SENDER_INFO_MAX} characters of JSON`;
  return [{ field: 'senderCustomerInfo', constraint: { maxLength: SENDER_INFO_MAX }, message }];
}

function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

function sourceProblems({ source }: QuoteRequest, own: OwnCurrencies): FieldError[] {
  const owner =
    source.customerId !== undefined && parseId('Customer', source.customerId, 'full') === undefined
      ? [{ field: 'source.customerId', message: 'must be the id of a customer' }]
      : [];
  if (source.sourceType === 'ACCOUNT')
    return [...accountProblems('source.accountId', source.accountId), ...owner];
  return [...owner, ...networkProblems(source, own)];
}

function accountProblems(field: string, accountId: string): FieldError[] {
  return parseAccountId(accountId)
    ? []
    : [{ field, message: 'must be the id of an internal or external account' }];
}

/** money.md §2.9: a stablecoin arrives on one network, which the caller names. */
function networkProblems(
  source: { currency: string; cryptoNetwork?: string },
  own: OwnCurrencies,
): FieldError[] {
  if (!needsNetwork(source.currency, own)) return [];
  const field = 'source.cryptoNetwork';
  const networks = NETWORKS.filter((network) => chooseFundingTypes(source.currency, network).length > 0);
  const constraint = { enum: networks };
  if (source.cryptoNetwork === undefined)
    return [{ field, constraint, message: 'is required for a stablecoin' }];
  if (networks.some((network) => network === source.cryptoNetwork)) return [];
  return [{ field, constraint, message: `is not a network over which ${source.currency} can be received` }];
}

/** An unknown currency needs none here, because it is refused later (money.md §2.13). */
function needsNetwork(currency: string, own: OwnCurrencies): boolean {
  return isKnownCurrency(currency, own) && !isFiat(currency) && currency !== 'BTC';
}

function destinationProblems({ destination, lookupId }: QuoteRequest): FieldError[] {
  if (destination.destinationType === 'ACCOUNT') {
    return accountProblems('destination.accountId', destination.accountId);
  }
  return lookupId === undefined ? [{ field: 'lookupId', message: 'is required for a UMA address' }] : [];
}

/** For real-time funding only, where the body names the sending currency; quote-parties.ts checks accounts. */
function feeProblems({ source, platformFeeOverride }: QuoteRequest): FieldError[] {
  if (source.sourceType !== 'REALTIME_FUNDING' || !platformFeeOverride) return [];
  return overrideProblems(source.currency, platformFeeOverride.platformFixedFee.currency);
}

/** money.md §1.10: allowed only if US dollars are sent, with the fixed part in the sending currency. */
export function overrideProblems(sending: string, fixedCurrency: string): FieldError[] {
  return [
    ...(sending === 'USD'
      ? []
      : [{ field: 'platformFeeOverride', message: 'is allowed only when USD is sent' }]),
    ...(fixedCurrency === sending
      ? []
      : [
          {
            field: 'platformFeeOverride.platformFixedFee.currency',
            constraint: { enum: [sending] },
            message: 'must be the sending currency',
          },
        ]),
  ];
}

function parse(body: QuoteRequest, own: OwnCurrencies): ParsedQuote {
  const { platformFeeOverride: override, lookupId } = body;
  const source = parseSource(body, own);
  return {
    lookupId: lookupId === undefined ? undefined : parseId('Lookup', lookupId),
    source,
    destination: parseDestination(body),
    lockedSide: body.lockedCurrencySide,
    lockedAmount: BigInt(body.lockedCurrencyAmount),
    immediatelyExecute: source.kind === 'ACCOUNT' && (body.immediatelyExecute ?? false),
    description: body.description,
    remittanceInformation: body.remittanceInformation,
    purposeOfPayment: body.purposeOfPayment,
    feeOverride: override && {
      rate: {
        variableBps: override.platformVariableFeeBps,
        fixed: BigInt(override.platformFixedFee.amount),
      },
      fixedCurrency: override.platformFixedFee.currency,
    },
    senderCustomerInfo: body.senderCustomerInfo,
    scaFactor: body.scaFactor,
  };
}

function parseSource({ source }: QuoteRequest, own: OwnCurrencies): ParsedSource {
  const customerId = source.customerId === undefined ? undefined : parseId('Customer', source.customerId);
  if (source.sourceType === 'ACCOUNT') {
    return { kind: 'ACCOUNT', account: accountRef(source.accountId), customerId };
  }
  const { currency, cryptoNetwork } = source;
  const network = needsNetwork(currency, own) ? NETWORKS.find((known) => known === cryptoNetwork) : undefined;
  return { kind: 'REALTIME', currency, network, customerId };
}

function parseDestination({ destination }: QuoteRequest): ParsedDestination {
  if (destination.destinationType === 'UMA_ADDRESS') {
    return { kind: 'UMA', address: destination.umaAddress, currency: destination.currency };
  }
  return {
    kind: 'ACCOUNT',
    account: accountRef(destination.accountId),
    // Not in the contract's schema; accepted if it is the account's own currency (money.md §2.3).
    currency: (destination as { currency?: unknown }).currency,
    rail: destination.paymentRail,
  };
}

function accountRef(accountId: string): AccountRef {
  return parseAccountId(accountId) ?? refuse('INVALID_INPUT', 'The id of an account is malformed.');
}
