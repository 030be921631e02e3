import type { IdentityPort } from '#foundation/ports/identity.ts';

/**
 * Manual identity checks: the operator decides on every complete packet (`corridor review`). Production uses them
 * until a provider is connected.
 */
export const reviewDesk: IdentityPort = {
  checksLeadingBytes: true,
  // A regulated institution vouches for its own customers; a business is approved at its first submission (customers.md
  // §4.1, §4.5).
  atCreate: ({ customerType }, { isRegulatedFinancialInstitution }) =>
    customerType === 'INDIVIDUAL' && isRegulatedFinancialInstitution ? 'APPROVED' : 'UNVERIFIED',
  beforeChecks: ({ customerType }, { isRegulatedFinancialInstitution }) =>
    customerType === 'BUSINESS' && isRegulatedFinancialInstitution ? { kind: 'APPROVE' } : undefined,
  decideInstantly: () => 'SUBMIT',
  // The operator decides on a business and its owners together.
  ownerResolved: (_lastName, business) => business,
  ownerAdded: () => 'PENDING',
  precheck: async () => undefined,
  submit: async () => ({ kind: 'MANUAL_REVIEW' }),
};
