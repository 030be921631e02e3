import type { IdentityPort } from '#rails/identity.ts';

/**
 * Identity checks made by people: every complete packet is put on the operator's desk, and the operator decides
 * (`corridor review`). What production runs on until a provider is connected.
 */
export const reviewDesk: IdentityPort = {
  matchesLeadingBytes: true,
  // The platform answers for its own customers; a business is told about at its first submission (customers.md §4.1,
  // §4.5).
  atCreate: ({ customerType }, { isRegulatedFinancialInstitution }) =>
    customerType === 'INDIVIDUAL' && isRegulatedFinancialInstitution ? 'APPROVED' : 'UNVERIFIED',
  beforeChecks: ({ customerType }, { isRegulatedFinancialInstitution }) =>
    customerType === 'BUSINESS' && isRegulatedFinancialInstitution ? { kind: 'APPROVE' } : undefined,
  decideInstantly: () => 'SUBMIT',
  // Whoever decides on the business has looked at its owners.
  ownerResolved: (_lastName, business) => business,
  ownerAdded: () => 'PENDING',
  precheck: async () => undefined,
  submit: async () => ({ kind: 'MANUAL_REVIEW' }),
};
