import { findActiveAccounts } from '#capabilities/accounts/store.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { checkedUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import { customerNotFound, findCustomerByUma, findLiveCustomer } from '#capabilities/customers/store.ts';
import { checkForPayment, openPaymentAccount } from '#capabilities/external-accounts/check-for-payment.ts';
import {
  belowOwnershipThreshold,
  estimatedRate,
  receivingBounds,
} from '#capabilities/external-accounts/receivers/receiver-terms.ts';
import {
  insertLookup,
  type Lookup,
  type LookupCurrency,
} from '#capabilities/external-accounts/receivers/store.ts';
import { externalAccountNotFound, findExternalAccount } from '#capabilities/external-accounts/store.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import { effectiveUmaDomain, platformFee } from '#capabilities/platform/config.ts';
import type { CustomerInfoFieldName } from '#capabilities/platform/schemas.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { isProviderAllowed } from '#capabilities/platform/uma-providers.ts';
import {
  canPrice,
  hasRate,
  type RateTable,
  readRates,
  refuseForRates,
  roundedRate,
} from '#capabilities/pricing/rates.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { isCurrencyCode, NO_OWN_CURRENCIES, presentCurrency } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type Code, invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';
import type {
  CounterpartyAnswer,
  CounterpartyCurrency,
  CounterpartyFault,
} from '#foundation/ports/counterparties.ts';

export interface LookupSender {
  readonly senderUmaAddress?: string | undefined;
  readonly customerId?: CustomerId | undefined;
}

/** GET /receiver/uma/{address}: one of the platform's customers, or a customer of another UMA provider. */
export async function lookUpUma(work: Work, sent: string, query: LookupSender, domains: ServiceDomains) {
  const address = checkedUmaAddress('receiverUmaAddress', sent);
  const found = await work.read(async (tx) => {
    const sender = await findSender(tx, query);
    if (sender?.uma_address === address) refuse('SELF_PAYMENT', 'The sender and the receiver are the same.');
    const own = await findCustomerByUma(tx, address);
    const answer = own
      ? await answerForCustomer(tx, own)
      : await askCounterparty(tx, address, sender, domains);
    if (answer.kind !== 'FOUND') throw refuseAnswer(answer.kind);
    const receiver = { kind: 'UMA', address, ...(own && { customerId: own.id }) } as const;
    return loadTerms(tx, { receiver, sender, ...answer });
  });
  return { ...(await storeLookup(work, found)), receiverUmaAddress: address };
}

export async function lookUpExternalAccount(work: Work, accountId: ExternalAccountId, query: LookupSender) {
  const found = await work.read(async (tx) => {
    const row = await findExternalAccount(tx, accountId);
    if (!row) throw externalAccountNotFound();
    const sender = await findSender(tx, query);
    const account = openPaymentAccount(tx, row);
    const refusal = checkForPayment(account, { role: 'destination', isLarge: false });
    if (refusal) throw refusal;
    return loadTerms(tx, {
      receiver: { kind: 'EXTERNAL_ACCOUNT', accountId },
      sender,
      currencies: [{ code: account.currency }],
      requiredPayerData: [],
      isCapped: account.status === 'PENDING_OWNERSHIP_VERIFICATION',
    });
  });
  return { ...(await storeLookup(work, found)), accountId: publicId('ExternalAccount', accountId) };
}

/** accounts.md §6.1. */
async function findSender(tx: ReadTx, { customerId, senderUmaAddress }: LookupSender) {
  const address =
    senderUmaAddress === undefined ? undefined : checkedUmaAddress('senderUmaAddress', senderUmaAddress);
  const byAddress = address === undefined ? undefined : await findCustomerByUma(tx, address);
  const byId = customerId === undefined ? undefined : await findLiveCustomer(tx, customerId);
  if ((address !== undefined && !byAddress) || (customerId !== undefined && !byId)) throw customerNotFound();
  if (byId && byAddress && byId.id !== byAddress.id) {
    throw invalidFields([{ field: 'customerId', message: 'is not the customer of senderUmaAddress' }]);
  }
  return byId ?? byAddress;
}

/** accounts.md §6.8: the currencies of the customer's active accounts, the oldest account first. */
async function answerForCustomer(tx: ReadTx, customer: CustomerRow): Promise<CounterpartyAnswer> {
  const accounts = await findActiveAccounts(tx, customer.id);
  if (accounts.length === 0)
    refuse('INVALID_RECEIVER', 'The receiver has no account that can receive this payment.');
  const codes = [...new Set(accounts.map((account) => account.currency))];
  return { kind: 'FOUND', currencies: codes.map((code) => ({ code })), requiredPayerData: [] };
}

async function askCounterparty(
  tx: ReadTx,
  address: string,
  sender: CustomerRow | undefined,
  { defaultUmaDomain }: ServiceDomains,
): Promise<CounterpartyAnswer> {
  const domain = address.slice(address.indexOf('@') + 1);
  if (domain === effectiveUmaDomain(await loadConfig(tx), defaultUmaDomain)) return { kind: 'NOT_FOUND' };
  if (!isProviderAllowed(tx.platform.settings, domain)) {
    refuse('COUNTERPARTY_NOT_ALLOWED', 'Payments to this UMA provider are not allowed for your platform.', {
      domain,
    });
  }
  return tx.ports.counterparties.lookUp({ address, domain, senderAddress: sender?.uma_address });
}

/** accounts.md §6.9, §6.11. */
const REFUSALS: Readonly<Record<CounterpartyFault, readonly [code: Code, reason: string]>> = {
  NOT_FOUND: ['UMA_NOT_FOUND', 'There is no receiver with this UMA address.'],
  NO_COMMON_VERSION: [
    'UNSUPPORTED_UMA_VERSION',
    'The receiver’s provider and this service support no common version of UMA.',
  ],
  UNREACHABLE: ['LNURLP_REQUEST_FAILED', 'The receiver’s provider cannot be reached.'],
  KEYS_UNAVAILABLE: [
    'COUNTERPARTY_PUBKEY_FETCH_ERROR',
    'The public keys of the receiver’s provider could not be read.',
  ],
  UNREADABLE: ['PARSE_LNURLP_RESPONSE_ERROR', 'The answer of the receiver’s provider could not be read.'],
  REFUSED: ['LOOKUP_REQUEST_FAILED', 'The receiver’s provider refused the look-up.'],
};

function refuseAnswer(fault: CounterpartyFault): Refusal {
  const [code, reason] = REFUSALS[fault];
  return new Refusal(code, reason);
}

interface ReceiverSnapshot {
  readonly receiver: Lookup['receiver'];
  readonly sender: CustomerRow | undefined;
  readonly currencies: readonly CounterpartyCurrency[];
  readonly requiredPayerData: Lookup['requiredPayerData'];
  /** Only amounts below the ownership threshold are allowed (accounts.md §6.5). */
  readonly isCapped?: boolean;
}

/** The terms in the reply, and the facts that are stored for a quote. */
async function loadTerms(tx: ReadTx, found: ReceiverSnapshot) {
  const { receiver, sender, requiredPayerData } = found;
  const reading = await readRates(tx);
  // A coin is never looked up (stablecoins.md §8.3), not even while there are no rates at all.
  const offered = found.currencies.filter(
    ({ code }) => isCurrencyCode(code) && (!reading || reading.isOffered(code)),
  );
  if (offered.length === 0)
    refuse('INVALID_CURRENCY', 'Payments in the receiver’s currency are not available.');
  const rates: RateTable = reading?.table ?? new Map();
  const from = await sendingCurrency(tx, sender, rates);
  const feeBps = platformFee(await loadConfig(tx), from)?.variableBps ?? 0;
  const currencies = offered
    .filter(({ code }) => canPrice(rates, { from, to: code }))
    .map((currency) => withBounds(tx, from, currency, rates, found.isCapped));
  if (currencies.length === 0) refuseForRates();
  const lookup: Lookup = { receiver, senderCustomerId: sender?.id, currencies, requiredPayerData };
  const supportedCurrencies = currencies.map(({ code, min, max }) => ({
    currency: presentCurrency(code, NO_OWN_CURRENCIES),
    estimatedExchangeRate: roundedRate(estimatedRate({ from, to: code }, feeBps, rates)),
    min: Number(min),
    max: Number(max),
  }));
  return { lookup, supportedCurrencies };
}

/** accounts.md §6.2: a quote refers to the look-up by its id. */
async function storeLookup(
  work: Work,
  { lookup, supportedCurrencies }: Awaited<ReturnType<typeof loadTerms>>,
) {
  const id = await work.write((tx) => insertLookup(tx, lookup));
  const requiredPayerDataFields = lookup.requiredPayerData.map(({ name, mandatory }) => ({
    name: name as CustomerInfoFieldName,
    mandatory,
  }));
  return { supportedCurrencies, requiredPayerDataFields, lookupId: publicId('Lookup', id) };
}

/**
 * accounts.md §6.3: the currency of the customer's oldest active account; dollars if there is no such account or
 * customer.
 */
async function sendingCurrency(
  tx: ReadTx,
  sender: CustomerRow | undefined,
  rates: RateTable,
): Promise<string> {
  const accounts = sender ? await findActiveAccounts(tx, sender.id) : [];
  return accounts.map((account) => account.currency).find((code) => hasRate(rates, code)) ?? 'USD';
}

function withBounds(
  tx: ReadTx,
  from: string,
  currency: CounterpartyCurrency,
  rates: RateTable,
  isCapped: boolean | undefined,
): LookupCurrency {
  const { settings } = tx.platform;
  const { code } = currency;
  const bounds = receivingBounds({ from, to: code }, settings, rates, currency);
  if (!isCapped) return { code, ...bounds };
  const threshold = belowOwnershipThreshold(code, settings, rates);
  return { code, ...receivingBounds({ from, to: code }, settings, rates, { ...bounds, max: threshold }) };
}
