import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { openProfile } from '#capabilities/customers/profile/profile.ts';
import { isAlreadyKnown } from '#capabilities/customers/profile/provider-fields.ts';
import { checkedUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import { findCustomerByUma } from '#capabilities/customers/store.ts';
import {
  findLookup,
  type Lookup,
  type LookupCurrency,
} from '#capabilities/external-accounts/receivers/store.ts';
import { shortened } from '#capabilities/payments/parties/rules.ts';
import { transactionOwner } from '#capabilities/payments/parties/source-destination.ts';
import { factsOnFile, isGiven, loadDepositTarget, namesOnFile } from '#capabilities/payments/parties/uma.ts';
import type { ParsedDestination, ParsedQuote } from '#capabilities/payments/quotes/parse-quote.ts';
import type { Parties } from '#capabilities/payments/quotes/quote-parties.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import { currencyRule, effectiveUmaDomain, type PlatformConfig } from '#capabilities/platform/config.ts';
import { isProviderAllowed } from '#capabilities/platform/uma-providers.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type Code, type FieldError, invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';
import type { CounterpartyPayRequest, PayRequestFault } from '#foundation/ports/counterparties.ts';

export interface ReceiverParts {
  readonly config: PlatformConfig;
  readonly domains: ServiceDomains;
}

/** The rows of money.md §2.13 about UMA, in their order. The last one is the consent of the receiver's provider. */
export async function resolveReceiver(
  tx: ReadTx,
  request: ParsedQuote & { readonly destination: Extract<ParsedDestination, { kind: 'UMA' }> },
  { owner }: Parties,
  { config, domains }: ReceiverParts,
) {
  const address = checkedUmaAddress('destination.umaAddress', request.destination.address);
  const domain = address.slice(address.indexOf('@') + 1);
  const ourCustomer = await findCustomerByUma(tx, address);
  if (!ourCustomer && domain === effectiveUmaDomain(config, domains.defaultUmaDomain))
    throw unknownReceiver();
  const lookup = await findReceiverLookup(tx, request, { address, customerId: ourCustomer?.id });
  if (!lookup) throw await missingLookupRefusal(tx, { address, domain, ourCustomer, sender: owner });
  const currency = chosenCurrency(request.destination.currency, lookup);
  const bounds = currencyBounds(lookup, currency);
  const payerData = checkPayerData(tx, request, lookup, owner);
  const destination = { kind: 'UMA', address, currency } as const;
  if (ourCustomer)
    return {
      destination: { ...destination, ...(await customersAccount(tx, ourCustomer, currency)) },
      bounds,
    };
  const counterpartyInformation = await askProvider(tx, {
    address,
    domain,
    senderAddress: owner?.uma_address,
    currency,
    lockedSide: request.lockedSide,
    lockedAmount: request.lockedAmount,
    payerData,
  });
  requireCounterpartyData(config, currency, counterpartyInformation);
  return { destination, bounds, counterpartyInformation };
}

/** The receiver's limits in a currency. */
export function currencyBounds({ currencies }: Lookup, code: string): LookupCurrency | undefined {
  return currencies.find((currency) => currency.code === code);
}

function unknownReceiver(): Refusal {
  return new Refusal('UMA_NOT_FOUND', 'There is no receiver with this UMA address.');
}

/** The look-up that a request names. An agent finds only look-ups that were made for its customer (agents.md §3.4). */
export async function findQuoteLookup(
  tx: ReadTx,
  { lookupId, agent }: ParsedQuote,
): Promise<Lookup | undefined> {
  const lookup = lookupId === undefined ? undefined : await findLookup(tx, lookupId);
  return agent && lookup?.senderCustomerId !== agent.customerId ? undefined : lookup;
}

/** Undefined also if the address has changed hands since the look-up: its new holder is not paid. */
async function findReceiverLookup(
  tx: ReadTx,
  request: ParsedQuote,
  { address, customerId }: { address: string; customerId: CustomerId | undefined },
): Promise<Lookup | undefined> {
  const lookup = await findQuoteLookup(tx, request);
  if (!lookup) return undefined;
  const { receiver } = lookup;
  if (receiver.kind !== 'UMA' || receiver.address !== address) throw otherReceiver();
  return receiver.customerId === customerId ? lookup : undefined;
}

export function otherReceiver(): Refusal {
  return invalidFields([{ field: 'lookupId', message: 'is the lookup of another receiver' }]);
}

export function unknownLookup(): Refusal {
  return new Refusal('LOOKUP_REQUEST_NOT_FOUND', 'There is no such lookup, or it is more than an hour old.');
}

/** An unknown receiver is refused before a missing look-up, so this asks the provider which of the two applies. */
async function missingLookupRefusal(
  tx: ReadTx,
  {
    address,
    domain,
    ourCustomer,
    sender,
  }: { address: string; domain: string; ourCustomer?: unknown; sender: CustomerRow | undefined },
): Promise<Refusal> {
  if (ourCustomer || !isProviderAllowed(tx.platform.settings, domain)) return unknownLookup();
  const request = { address, domain, senderAddress: sender?.uma_address };
  const { kind } = await tx.ports.counterparties.lookUp(request);
  return kind === 'NOT_FOUND' ? unknownReceiver() : unknownLookup();
}

/** money.md §2.3: the receiver's first currency, unless the caller chose another from the receiver's list. */
function chosenCurrency(requested: string | undefined, { currencies }: Lookup): string {
  const codes = currencies.map(({ code }) => code);
  const chosen = requested ?? codes[0];
  if (chosen === undefined || !codes.includes(chosen)) {
    refuse('INVALID_CURRENCY', `The receiver does not accept ${shortened(chosen ?? 'any currency')}.`, {
      currencies: codes,
    });
  }
  return chosen;
}

/**
 * money.md §2.11: every mandatory field must be in the request or on file. Returns the data to send to the provider.
 */
function checkPayerData(
  tx: ReadTx,
  { senderCustomerInfo }: ParsedQuote,
  { requiredPayerData }: Lookup,
  owner: CustomerRow | undefined,
): Readonly<Record<string, unknown>> {
  const notGiven = requiredPayerData.filter(({ name }) => !isGiven(senderCustomerInfo, name));
  const profile = owner && openProfile(tx.vault, owner);
  const missing = notGiven.filter(
    ({ name, mandatory, mustBeSent }) =>
      mandatory && (mustBeSent || profile === undefined || !isAlreadyKnown(profile, name)),
  );
  if (missing.length > 0) {
    const errors: FieldError[] = missing.map(({ name }) => ({
      field: `senderCustomerInfo.${name}`,
      message: 'is required by the receiver’s provider',
    }));
    throw invalidFields(errors, 'MISSING_MANDATORY_USER_INFO');
  }
  return {
    ...senderCustomerInfo,
    ...(profile && factsOnFile(profile, namesOnFile(profile, notGiven))),
  };
}

/** The account behind the UMA address of a customer of this platform (accounts.md §3.2.23, §2.1.11). */
async function customersAccount(tx: ReadTx, receiver: CustomerRow, currency: string) {
  const target = await loadDepositTarget(tx, { receiver, currency });
  const owner = transactionOwner(receiver);
  return 'external' in target
    ? { external: { account: target.external, owner } }
    : { internal: { accountId: target.internal, owner } };
}

async function askProvider(
  tx: ReadTx,
  request: CounterpartyPayRequest,
): Promise<Readonly<Record<string, unknown>>> {
  if (!isProviderAllowed(tx.platform.settings, request.domain)) {
    const details = { domain: request.domain };
    refuse(
      'COUNTERPARTY_NOT_ALLOWED',
      'Payments to this UMA provider are not allowed for your platform.',
      details,
    );
  }
  const answer = await tx.ports.counterparties.requestPayment(request);
  if (answer.kind === 'AGREED') return answer.counterpartyInformation;
  const [code, reason] = FAULTS[answer.kind];
  return refuse(code, reason);
}

const FAULTS: Readonly<Record<PayRequestFault, readonly [code: Code, reason: string]>> = {
  NO_COMMON_VERSION: [
    'NO_COMPATIBLE_UMA_VERSION',
    'The receiver’s provider and this service support no common version of UMA.',
  ],
  UNREACHABLE: ['PAYREQ_REQUEST_FAILED', 'The receiver’s provider did not answer the payment request.'],
  KEYS_UNAVAILABLE: [
    'COUNTERPARTY_PUBKEY_FETCH_ERROR',
    'The public keys of the receiver’s provider could not be read.',
  ],
  UNREADABLE: ['PARSE_PAYREQ_RESPONSE_ERROR', 'The answer of the receiver’s provider could not be read.'],
  INVALID: ['INVALID_PAYREQ_RESPONSE', 'The answer of the receiver’s provider is not valid.'],
  SENDER_NOT_ACCEPTED: [
    'SENDER_NOT_ACCEPTED',
    'The receiver’s provider does not accept payments from this sender.',
  ],
};

/** platform.md §3.2.5: the data about the receiver that our own providers require. */
function requireCounterpartyData(
  config: PlatformConfig,
  currency: string,
  information: Readonly<Record<string, unknown>>,
): void {
  const needed = currencyRule(config, currency)?.providerRequiredCounterpartyCustomerFields ?? [];
  const missing = needed.filter((name) => !isGiven(information, name));
  if (missing.length === 0) return;
  const errors = missing.map((name) => ({
    field: `counterpartyInformation.${name}`,
    message: 'was not provided by the receiver’s provider',
  }));
  throw invalidFields(errors, 'MISSING_MANDATORY_USER_INFO');
}
