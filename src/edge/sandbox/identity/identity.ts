import {
  BUSINESSES_SUBMITTED,
  DOCUMENTS,
  OWNERS,
  PEOPLE_AT_CREATE,
  PEOPLE_SUBMITTED,
} from '#edge/sandbox/identity/identity-table.ts';
import { lastThree, rowFor } from '#edge/sandbox/table.ts';
import type { Applicant, IdentityPort, InstantDecision } from '#foundation/ports/identity.ts';

/** The sandbox's identity provider: the last three characters of a name or number choose the outcome. */
export const sandboxIdentity: IdentityPort = {
  checksLeadingBytes: false,
  atCreate(applicant, { isRegulatedFinancialInstitution, skipVerificationPaperwork }) {
    const isLight = isRegulatedFinancialInstitution || skipVerificationPaperwork;
    if (!isLight || applicant.customerType === 'BUSINESS') return 'UNVERIFIED';
    return rowFor(PEOPLE_AT_CREATE, lastThree(applicant.fullName ?? '')).does;
  },
  beforeChecks(applicant, { isRegulatedFinancialInstitution, skipVerificationPaperwork }) {
    const isLight = isRegulatedFinancialInstitution || skipVerificationPaperwork;
    if (!isLight || applicant.customerType === 'INDIVIDUAL') return undefined;
    const decision = decideBusiness(applicant);
    return decision.kind === 'REVIEW' ? undefined : decision;
  },
  decideInstantly: (applicant) =>
    applicant.customerType === 'INDIVIDUAL'
      ? rowFor(PEOPLE_SUBMITTED, lastThree(applicant.fullName ?? '')).does
      : decideBusiness(applicant),
  ownerResolved: (lastName) => rowFor(OWNERS, lastThree(lastName)).does,
  ownerAdded: (lastName) => rowFor(OWNERS, lastThree(lastName)).does,
  async precheck({ fileName }) {
    const stem = fileName.replace(/\.[^.]*$/, '').toUpperCase();
    return rowFor(DOCUMENTS, stem).does;
  },
  /** Never called: everything is decided in the transaction. */
  submit: async () => undefined,
};

function decideBusiness({ registrationNumber = '' }: Applicant): InstantDecision {
  return rowFor(BUSINESSES_SUBMITTED, lastThree(registrationNumber)).does;
}
