import { isDeepStrictEqual } from 'node:util';
import {
  type ContactField,
  contactChange,
  customerContactChanged,
  customerContactChanging,
  customerCurrenciesChanged,
} from '#capabilities/customers/announcements.ts';
import { insertConsent } from '#capabilities/customers/consent-store.ts';
import { voidContactCode } from '#capabilities/customers/contacts/contact-verification.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import {
  type CheckedBody,
  requireProviderFields,
  withWallet,
} from '#capabilities/customers/lifecycle/create-customer.ts';
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
import {
  mergeProfile,
  openProfile,
  type Profile,
  storedProfile,
} from '#capabilities/customers/profile/profile.ts';
import { problem } from '#capabilities/customers/profile/profile-rules.ts';
import { checkUmaDomain, readUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import { type CustomerReply, CustomerUpdateRequest } from '#capabilities/customers/schemas.ts';
import {
  addCurrencies,
  customerNotFound,
  dropCurrencies,
  findLiveCustomer,
  lockLiveCustomer,
  updateCustomer,
} from '#capabilities/customers/store.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { readConsent, requireTermsVersion, storedConsent } from '#capabilities/customers/terms/terms.ts';
import type { PlatformConfig } from '#capabilities/platform/config.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { throwStale } from '#foundation/database/reasons.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import type { OwnPlan } from '#foundation/http/declare/plan.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';

/** PATCH /customers/{id} (customers.md §2.3). */
export async function prepareUpdate(
  tx: ReadTx,
  customerId: CustomerId,
  sent: CheckedBody<CustomerUpdateRequest>,
  policy: CustomerPolicy,
): Promise<OwnPlan<CustomerReply>> {
  const stored = await findLiveCustomer(tx, customerId);
  if (!stored) throw sent.problems.length > 0 ? invalidFields(sent.problems) : customerNotFound();
  const config = await loadConfig(tx);
  const change = await checkChange(tx, stored, sent, config, policy);
  requireTermsVersion(policy.terms, change.body.endUserTermsConsent);
  const before = { profile: change.before, currencies: stored.currencies };
  requireProviderFields(change.profile, change.currencies, config, before);
  return {
    subjects: change.contacts.map((field) => contactChange.of(buildContactChange(stored, change, field))),
    async commit(tx) {
      for (const field of change.contacts) {
        await announce(tx, customerContactChanging, { customer: stored, field });
      }
      if (!isDeepStrictEqual(await lockLiveCustomer(tx, customerId), stored)) throwStale();
      return presentCustomer(tx, await applyChange(tx, stored, change));
    },
  };
}

interface Change {
  readonly body: CustomerUpdateRequest;
  readonly before: Profile;
  readonly profile: Profile;
  readonly currencies: string[];
  readonly added: string[];
  /** Currencies in which accounts are opened: the added ones and, with the first e-mail address, the wallet's. */
  readonly opened: string[];
  readonly dropped: string[];
  readonly contacts: readonly ContactField[];
}

async function checkChange(
  tx: ReadTx,
  stored: CustomerRow,
  { body, problems }: CheckedBody<CustomerUpdateRequest>,
  config: PlatformConfig,
  policy: CustomerPolicy,
): Promise<Change> {
  if (problems.some(({ field }) => field === 'customerType')) throw invalidFields(problems);
  if (body.customerType !== stored.customer_type) throw invalidFields([typeProblem(stored)]);
  const valid = withoutInvalidFields(body, problems);
  const before = openProfile(tx.vault, stored);
  const profile = mergeProfile(before, valid);
  const currencies = valid.currencies ? [...new Set(valid.currencies)] : stored.currencies;
  const rules = currencyRules(stored, config, policy);
  const found = [
    ...checkUnchanged(stored, valid),
    ...checkSingleContact(body),
    ...checkCustomerFields(valid, tx.now),
    ...checkProfile(profile),
    ...checkCurrencies(body.currencies, rules),
    ...checkWalletContact(currencies, profile),
    ...(stored.email_verification === null ? [] : checkContacts(profile)),
    ...(await checkChangedUma(tx, stored, valid.umaAddress, config, policy)),
  ];
  const refusal = fieldsRefusal(CustomerUpdateRequest, problems, found);
  if (refusal) throw refusal;
  const added = currencies.filter((code) => !stored.currencies.includes(code));
  return {
    body: valid,
    before,
    profile,
    currencies,
    added,
    opened: before.email === undefined ? addWalletCurrency(added, currencies, profile, rules) : added,
    dropped: stored.currencies.filter((code) => !currencies.includes(code)),
    contacts: (['email', 'phoneNumber'] as const).filter((field) => before[field] !== profile[field]),
  };
}

/** accounts.md §2.1.2: the embedded wallet comes with the first e-mail address. */
function addWalletCurrency(
  added: readonly string[],
  currencies: readonly string[],
  profile: Profile,
  rules: CurrencyRules,
): string[] {
  const gained = withWallet(currencies, profile, rules).filter((code) => !currencies.includes(code));
  return [...added, ...gained];
}

function typeProblem({ customer_type }: CustomerRow): FieldError {
  return problem('customerType', `is ${customer_type} and cannot change`, { enum: [customer_type] });
}

/** Fields that cannot change may be sent with their stored value (customers.md §2.3.21). */
function checkUnchanged(
  stored: CustomerRow,
  { region, platformCustomerId }: CustomerUpdateRequest,
): FieldError[] {
  return [
    ...(region !== undefined && region !== stored.region ? [problem('region', 'cannot be changed')] : []),
    ...(platformCustomerId !== undefined && platformCustomerId !== stored.platform_customer_id
      ? [problem('platformCustomerId', 'cannot be changed')]
      : []),
  ];
}

/** One contact at a time (customers.md §2.3.22), whatever the values are. */
function checkSingleContact({ email, phoneNumber }: CustomerUpdateRequest): FieldError[] {
  if (email === undefined || phoneNumber === undefined) return [];
  return [
    problem('email', 'cannot be changed together with phoneNumber'),
    problem('phoneNumber', 'cannot be changed together with email'),
  ];
}

function currencyRules(stored: CustomerRow, config: PlatformConfig, { separateCurrencies }: CustomerPolicy) {
  const supported = config.supportedCurrencies.map((rule) => rule.currencyCode);
  return { supported, held: stored.currencies, separate: separateCurrencies };
}

/** An unchanged address may keep a domain that is no longer the platform's (platform.md §3.2.2). */
async function checkChangedUma(
  tx: ReadTx,
  stored: CustomerRow,
  sent: string | undefined,
  config: PlatformConfig,
  { domains }: CustomerPolicy,
): Promise<FieldError[]> {
  if (sent !== undefined && readUmaAddress(sent) === stored.uma_address) return [];
  return checkUmaDomain(tx, sent, config, domains);
}

function buildContactChange(customer: CustomerRow, { profile }: Change, field: ContactField) {
  const from = (field === 'email' ? customer.email : customer.phone_number) ?? undefined;
  return { customer, field, from, to: profile[field], canBeSigned: true };
}

async function applyChange(tx: Tx, stored: CustomerRow, change: Change): Promise<CustomerRow> {
  const { body, profile, currencies, added, opened, dropped, contacts } = change;
  const consent = readConsent(body.endUserTermsConsent);
  const customer = await updateCustomer(tx, stored.id, {
    ...stored,
    ...storedProfile(tx.vault, stored.id, profile),
    uma_address: body.umaAddress === undefined ? stored.uma_address : readUmaAddress(body.umaAddress),
    currencies,
    // A changed contact must be verified again (customers.md §2.3.23).
    email_verification: pendingIfChanged(stored.email_verification, contacts.includes('email')),
    phone_verification: pendingIfChanged(stored.phone_verification, contacts.includes('phoneNumber')),
    ...(consent && storedConsent(tx.vault, stored.id, consent)),
  });
  if (consent) await insertConsent(tx, stored.id, consent);
  if (added.length > 0) await addCurrencies(tx, customer, added);
  if (dropped.length > 0) await dropCurrencies(tx, customer.id, dropped);
  if (opened.length + dropped.length > 0) {
    await announce(tx, customerCurrenciesChanged, { customer, added: opened, dropped });
  }
  for (const field of contacts) {
    await voidContactCode(tx, customer.id, field === 'email' ? 'EMAIL' : 'PHONE');
    const before = field === 'email' ? stored.email_verification : stored.phone_verification;
    await announce(tx, customerContactChanged, { customer, field, wasVerified: before === 'VERIFIED' });
  }
  return customer;
}

function pendingIfChanged(status: CustomerRow['email_verification'], isChanged: boolean) {
  return status !== null && isChanged ? 'PENDING' : status;
}
