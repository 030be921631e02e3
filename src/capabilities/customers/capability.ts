import type { Capability } from '#capabilities/capability.ts';
import { customerErased } from '#capabilities/customers/announcements.ts';
import { eraseReference } from '#capabilities/customers/bulk/error-store.ts';
import { bulkUploadWebhook } from '#capabilities/customers/bulk/events.ts';
import { importJobs } from '#capabilities/customers/bulk/jobs.ts';
import { bulkOperations } from '#capabilities/customers/bulk/routes.ts';
import { contactExpiries, contactJobs } from '#capabilities/customers/contacts/contact-verification.ts';
import { contactVerificationOperations } from '#capabilities/customers/contacts/routes.ts';
import { findErasedCustomers } from '#capabilities/customers/erasure/erase-store.ts';
import { hashNamesJobs } from '#capabilities/customers/erasure/hash-names.ts';
import { sealAddressesJobs } from '#capabilities/customers/erasure/seal-addresses.ts';
import { sealPeopleJobs } from '#capabilities/customers/erasure/seal-people.ts';
import { customerWebhook } from '#capabilities/customers/events.ts';
import { hashWords } from '#capabilities/customers/name-words.ts';
import { beneficialOwnerOperations } from '#capabilities/customers/owners/routes.ts';
import { customerOperations } from '#capabilities/customers/routes.ts';
import { hashCustomer } from '#capabilities/customers/sealed-customer.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { registerTermsPage } from '#capabilities/customers/terms/terms.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { on } from '#foundation/events/reactions.ts';
import { plainPhoneNumber } from '#foundation/lib/identifiers/phone.ts';
import { isUuid } from '#foundation/lib/ids.ts';

function hashed(field: 'reference' | 'email' | 'uma') {
  return { column: `${field}_hash`, hash: (vault: Vault, text: string) => hashCustomer(vault, field, text) };
}

/** Returns the hashes of the words of a name. Returns none for an e-mail address, a UMA address or an id. */
function hashNameToFind(hashing: Parameters<typeof hashWords>[0], text: string) {
  return text.includes('@') || isUuid(text) ? [] : hashWords(hashing, text);
}

interface Parts {
  readonly policy: CustomerPolicy;
}

export const customers = {
  name: 'customers',
  operations: ({ policy }: Parts) => [
    ...customerOperations(policy),
    ...bulkOperations,
    ...contactVerificationOperations,
    ...beneficialOwnerOperations,
  ],
  pages: (http, { policy }: Parts) => registerTermsPage(http, policy.terms),
  jobs: ({ policy }: Parts) => ({
    ...{ ...sealAddressesJobs, ...sealPeopleJobs, ...hashNamesJobs },
    ...importJobs(policy),
  }),
  messageJobs: contactJobs,
  dueSources: contactExpiries,
  reactions: [
    on(customerErased, async (tx, { names }) => {
      if (names) await eraseReference(tx, names.platform_customer_id);
    }),
  ],
  webhooks: [customerWebhook, bulkUploadWebhook],
  findErased: findErasedCustomers,
  searchPlaces: [
    {
      type: 'Customer',
      table: 'customers',
      texts: {
        // Rows of earlier versions are in clear text until a job has sealed them.
        platformCustomerId: [hashed('reference'), { column: 'platform_customer_id' }],
        email: [hashed('email'), { column: 'email', isFolded: true }],
        umaAddress: [hashed('uma'), { column: 'uma_address' }],
      },
      operatorTexts: {
        phoneNumber: {
          column: 'phone_hash',
          hash: (vault, text) => hashCustomer(vault, 'phone', plainPhoneNumber(text)),
        },
        name: { column: 'name_hashes', words: hashNameToFind },
      },
    },
    { type: 'BeneficialOwner', table: 'beneficial_owners' },
    { type: 'Job', table: 'customer_imports' },
  ],
} satisfies Capability;
