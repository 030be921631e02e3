import { randomHex } from '#crypto/secrets.ts';
import { customerCreated } from '#customers/announcements.ts';
import {
  checkContacts,
  checkCurrencies,
  checkProfile,
  checkSent,
  checkWalletContact,
  refusalFor,
  withoutBadFields,
} from '#customers/check-request.ts';
import { emitStatus } from '#customers/events.ts';
import type { CustomerPolicy } from '#customers/policy.ts';
import { presentCustomer } from '#customers/present.ts';
import { type Profile, profileOfRequest, storedProfile } from '#customers/profile.ts';
import { type Before, missingProviderFields } from '#customers/provider-fields.ts';
import { inferRegion, isScaRegion } from '#customers/regions.ts';
import { CustomerCreateRequest, type CustomerReply } from '#customers/schemas.ts';
import { type CustomerRow, insertCustomer, keepConsent } from '#customers/store.ts';
import { checkTermsVersion, readConsent } from '#customers/terms.ts';
import { findUmaProblem, readUmaAddress } from '#customers/uma-address.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';
import { type FieldError, invalidFields } from '#lib/refusals.ts';
import { type PlatformConfig, umaDomainOf } from '#platform/config.ts';
import { loadConfig } from '#platform/store.ts';

/** A request as it came, and where it breaks the schema it was held against. */
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

/** Refuses what cannot become a customer, without writing anything; also for each row of a bulk import. */
export async function checkCustomer(
  tx: ReadTx,
  sent: CheckedBody<CustomerCreateRequest>,
  config: PlatformConfig,
  policy: CustomerPolicy,
): Promise<Draft> {
  const draft = await checkDraft(tx, sent, config, policy);
  checkTermsVersion(policy.terms, draft.body.endUserTermsConsent);
  checkProviderFields(draft.profile, draft.body.currencies ?? [], config);
  return draft;
}

/** The customer with everything that comes with one; refuses a reference or UMA address that is taken. */
export async function addCustomer(
  tx: Tx,
  { body, profile, region, currencies }: Draft,
  config: PlatformConfig,
  policy: CustomerPolicy,
): Promise<CustomerReply> {
  const consent = readConsent(body.endUserTermsConsent);
  const id = tx.newId();
  const mandated = isScaRegion(region) ? 'PENDING' : null;
  const customer = await insertCustomer(tx, id, {
    customer_type: body.customerType,
    platform_customer_id: body.platformCustomerId ?? tx.newId(),
    uma_address: readUmaAddress(body.umaAddress ?? newUmaAddress(config, policy)),
    status: statusAtCreate(tx, profile),
    region,
    currencies,
    ...storedProfile(tx.vault, id, profile),
    email_verification: mandated,
    phone_verification: mandated,
    terms_consent: consent,
  });
  if (consent) await keepConsent(tx, id, consent);
  await announce(tx, customerCreated, { customer });
  return announceStatus(tx, customer);
}

/** What a request amounts to once nothing is wrong with it. */
export interface Draft {
  readonly body: CustomerCreateRequest;
  readonly profile: Profile;
  readonly region: string;
  readonly currencies: string[];
}

async function checkDraft(
  tx: ReadTx,
  { body, problems }: CheckedBody<CustomerCreateRequest>,
  config: PlatformConfig,
  policy: CustomerPolicy,
): Promise<Draft> {
  // Without a type there is no telling which rules apply.
  if (problems.some(({ field }) => field === 'customerType')) throw invalidFields(problems);
  const kept = withoutBadFields(body, problems);
  const profile = profileOfRequest(kept);
  const region = kept.region ?? inferRegion({ country: countryOf(profile), currencies: kept.currencies });
  const supported = config.supportedCurrencies.map((rule) => rule.currencyCode);
  const explicit = kept.currencies && [...new Set(kept.currencies)];
  const found = [
    ...checkSent(kept, tx.now),
    ...checkProfile(profile),
    ...checkCurrencies(body.currencies, { supported, held: [], separate: policy.separateCurrencies }),
    ...checkWalletContact(explicit ?? [], profile),
    ...(isScaRegion(region) && isRegionSure(problems) ? checkContacts(profile) : []),
    ...(await findUmaProblem(tx, kept.umaAddress, config, policy.domains)),
  ];
  const refusal = refusalFor(CustomerCreateRequest, problems, found);
  if (refusal) throw refusal;
  return { body: kept, profile, region, currencies: explicit ?? defaultCurrencies(supported, profile) };
}

function countryOf({ customerType, address, business }: Profile): string | undefined {
  return customerType === 'INDIVIDUAL' ? address?.country : business.country;
}

/** A region that was sent wrong, or would be inferred from what was sent wrong, demands nothing. */
function isRegionSure(problems: readonly FieldError[]): boolean {
  return !problems.some(({ field }) => /^(region|address|businessInfo)(\.country)?$/.test(field));
}

/** All the platform's, but no USDB without a mail address to reach its wallet by (customers.md §2.1.13). */
function defaultCurrencies(supported: readonly string[], { email }: Profile): string[] {
  return supported.filter((code) => code !== 'USDB' || email !== undefined);
}

/** At creation only currencies that somebody asked for by name can be missing something (customers.md §2.1.14). */
export function checkProviderFields(
  profile: Profile,
  currencies: readonly string[],
  config: PlatformConfig,
  before?: Before,
): void {
  const rules = config.supportedCurrencies.filter((rule) => currencies.includes(rule.currencyCode));
  const missing = missingProviderFields(profile, rules, before);
  if (missing.length > 0) throw invalidFields(missing, 'MISSING_MANDATORY_USER_INFO');
}

function newUmaAddress(config: PlatformConfig, { domains }: CustomerPolicy): string {
  return `$${randomHex(10)}@${umaDomainOf(config, domains.defaultUmaDomain)}`;
}

function statusAtCreate(tx: ReadTx, { customerType, person, business }: Profile): CustomerRow['status'] {
  const { fullName } = person;
  const { registrationNumber } = business;
  return tx.ports.identity.atCreate({ customerType, fullName, registrationNumber }, tx.platform.settings);
}

/** Being created in a status is entering it (customers.md §8). */
async function announceStatus(tx: Tx, customer: CustomerRow): Promise<CustomerReply> {
  const reply = await presentCustomer(tx, customer);
  emitStatus(tx, customer, reply);
  return reply;
}
