import { customerCreated } from '#capabilities/customers/announcements.ts';
import { insertConsent } from '#capabilities/customers/consent-store.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { emitStatus } from '#capabilities/customers/events.ts';
import {
  type CurrencyRules,
  checkContacts,
  checkCurrencies,
  checkCustomerFields,
  checkProfile,
  checkWalletContact,
  fieldsRefusal,
  withoutInvalidFields,
} from '#capabilities/customers/profile/check-request.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import { type Profile, profileOfRequest, storedProfile } from '#capabilities/customers/profile/profile.ts';
import {
  missingProviderFields,
  type PreviousCustomer,
} from '#capabilities/customers/profile/provider-fields.ts';
import { inferRegion, isScaRegion } from '#capabilities/customers/profile/regions.ts';
import { checkUmaDomain, readUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import { CustomerCreateRequest, type CustomerReply } from '#capabilities/customers/schemas.ts';
import { insertCustomer } from '#capabilities/customers/store.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { readConsent, requireTermsVersion, storedConsent } from '#capabilities/customers/terms/terms.ts';
import { effectiveUmaDomain, type PlatformConfig } from '#capabilities/platform/config.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { randomHex } from '#foundation/crypto/secrets.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';

/** A request's body and its violations of the schema. */
export interface CheckedBody<Body> {
  readonly body: Body;
  readonly problems: readonly FieldError[];
}

/** POST /customers. Checks run in the order of customers.md §2.1.9. */
export async function createCustomer(
  tx: Tx,
  sent: CheckedBody<CustomerCreateRequest>,
  policy: CustomerPolicy,
): Promise<CustomerReply> {
  const config = await loadConfig(tx);
  return addCustomer(tx, await checkCustomer(tx, sent, config, policy), config, policy);
}

/** Refuses an invalid request without writing anything; also used for each row of a bulk import. */
export async function checkCustomer(
  tx: ReadTx,
  sent: CheckedBody<CustomerCreateRequest>,
  config: PlatformConfig,
  policy: CustomerPolicy,
): Promise<CustomerDraft> {
  const draft = await checkDraft(tx, sent, config, policy);
  requireTermsVersion(policy.terms, draft.body.endUserTermsConsent);
  requireProviderFields(draft.profile, draft.body.currencies ?? [], config);
  return draft;
}

/** Stores the customer and its related rows; refuses a reference or UMA address that is taken. */
export async function addCustomer(
  tx: Tx,
  { body, profile, region, currencies, accounts }: CustomerDraft,
  config: PlatformConfig,
  policy: CustomerPolicy,
): Promise<CustomerReply> {
  const consent = readConsent(body.endUserTermsConsent);
  const id = tx.newCustomerId();
  const mandated = isScaRegion(region) ? 'PENDING' : null;
  const customer = await insertCustomer(tx, id, {
    customer_type: body.customerType,
    platform_customer_id: body.platformCustomerId ?? tx.newId(),
    uma_address: readUmaAddress(body.umaAddress ?? newUmaAddress(config, policy)),
    status: initialStatus(tx, profile),
    region,
    currencies,
    ...storedProfile(tx.vault, id, profile),
    email_verification: mandated,
    phone_verification: mandated,
    ...(consent ? storedConsent(tx.vault, id, consent) : { terms_consent: null, terms_ip: null }),
  });
  if (consent) await insertConsent(tx, id, consent);
  await announce(tx, customerCreated, { customer, accounts });
  return emitInitialStatus(tx, customer);
}

/** A customer to be added, from a valid request. */
export interface CustomerDraft {
  readonly body: CustomerCreateRequest;
  readonly profile: Profile;
  readonly region: string;
  readonly currencies: string[];
  /** Currencies in which accounts are opened: the customer's own and the wallet's. */
  readonly accounts: string[];
}

async function checkDraft(
  tx: ReadTx,
  { body, problems }: CheckedBody<CustomerCreateRequest>,
  config: PlatformConfig,
  policy: CustomerPolicy,
): Promise<CustomerDraft> {
  // Which rules apply depends on the type.
  if (problems.some(({ field }) => field === 'customerType')) throw invalidFields(problems);
  const valid = withoutInvalidFields(body, problems);
  const profile = profileOfRequest(valid);
  const region = valid.region ?? inferRegion({ country: countryOf(profile), currencies: valid.currencies });
  const supported = config.supportedCurrencies.map((rule) => rule.currencyCode);
  const explicit = valid.currencies && [...new Set(valid.currencies)];
  const rules = { supported, held: [], separate: policy.separateCurrencies };
  const found = [
    ...checkCustomerFields(valid, tx.now),
    ...checkProfile(profile),
    ...checkCurrencies(body.currencies, rules),
    ...checkWalletContact(explicit ?? [], profile),
    ...(isScaRegion(region) && isRegionReliable(problems) ? checkContacts(profile) : []),
    ...(await checkUmaDomain(tx, valid.umaAddress, config, policy.domains)),
  ];
  const refusal = fieldsRefusal(CustomerCreateRequest, problems, found);
  if (refusal) throw refusal;
  const currencies = explicit ?? defaultCurrencies(supported, profile);
  return { body: valid, profile, region, currencies, accounts: withWallet(currencies, profile, rules) };
}

/**
 * accounts.md §2.1.2: if the platform supports USDB, every customer with an e-mail address has an embedded wallet, even
 * if USDB is not among its currencies.
 */
export function withWallet(
  currencies: readonly string[],
  { email }: Profile,
  rules: Pick<CurrencyRules, 'supported' | 'separate'>,
): string[] {
  const both = [...new Set([...currencies, 'USDB'])];
  const isSeparate = rules.separate.some((set) => set.every((code) => both.includes(code)));
  const hasWallet = email !== undefined && rules.supported.includes('USDB') && !isSeparate;
  return hasWallet ? both : [...currencies];
}

function countryOf({ customerType, address, business }: Profile): string | undefined {
  return customerType === 'INDIVIDUAL' ? address?.country : business.country;
}

/** False if the region, or the country that it would be inferred from, is invalid. */
function isRegionReliable(problems: readonly FieldError[]): boolean {
  return !problems.some(({ field }) => /^(region|address|businessInfo)(\.country)?$/.test(field));
}

/**
 * Returns all of the platform's currencies. USDB is included only if the customer has the e-mail address that its wallet
 * needs (customers.md §2.1.13).
 */
function defaultCurrencies(supported: readonly string[], { email }: Profile): string[] {
  return supported.filter((code) => code !== 'USDB' || email !== undefined);
}

/** At creation, only the currencies named in the request require these fields (customers.md §2.1.14). */
export function requireProviderFields(
  profile: Profile,
  currencies: readonly string[],
  config: PlatformConfig,
  previous?: PreviousCustomer,
): void {
  const rules = config.supportedCurrencies.filter((rule) => currencies.includes(rule.currencyCode));
  const missing = missingProviderFields(profile, rules, previous);
  if (missing.length > 0) throw invalidFields(missing, 'MISSING_MANDATORY_USER_INFO');
}

function newUmaAddress(config: PlatformConfig, { domains }: CustomerPolicy): string {
  return `$${randomHex(10)}@${effectiveUmaDomain(config, domains.defaultUmaDomain)}`;
}

function initialStatus(tx: ReadTx, { customerType, person, business }: Profile): CustomerRow['status'] {
  const { fullName } = person;
  const { registrationNumber } = business;
  return tx.ports.identity.atCreate({ customerType, fullName, registrationNumber }, tx.platform.settings);
}

/** A new customer's first status has an event, like a change of status (customers.md §8). */
async function emitInitialStatus(tx: Tx, customer: CustomerRow): Promise<CustomerReply> {
  const reply = await presentCustomer(tx, customer);
  emitStatus(tx, customer, reply);
  return reply;
}
