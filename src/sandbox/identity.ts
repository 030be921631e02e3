import {
  type Applicant,
  DOCUMENT_FAULTS,
  type IdentityPort,
  type IdentityProblem,
  type IdentityStatus,
  type InstantDecision,
} from '#rails/identity.ts';

/** The sandbox's identity provider: the last three characters of a name or number choose the outcome. */
export const sandboxIdentity: IdentityPort = {
  matchesLeadingBytes: false,
  atCreate(applicant, { isRegulatedFinancialInstitution, skipVerificationPaperwork }) {
    const isLight = isRegulatedFinancialInstitution || skipVerificationPaperwork;
    if (!isLight || applicant.customerType === 'BUSINESS') return 'UNVERIFIED';
    return PERSON_AT_CREATE[suffixOf(applicant)] ?? 'APPROVED';
  },
  beforeChecks(applicant, { isRegulatedFinancialInstitution, skipVerificationPaperwork }) {
    const isLight = isRegulatedFinancialInstitution || skipVerificationPaperwork;
    if (!isLight || applicant.customerType === 'INDIVIDUAL') return undefined;
    const verdict = decideBusiness(applicant);
    return verdict.kind === 'REVIEW' ? undefined : verdict;
  },
  decideInstantly: (applicant) =>
    applicant.customerType === 'INDIVIDUAL'
      ? (PERSON_SUBMITTED[suffixOf(applicant)] ?? APPROVED)
      : decideBusiness(applicant),
  ownerResolved: (lastName) => OWNER[lastThree(lastName)] ?? 'APPROVED',
  ownerAdded: (lastName) => OWNER[lastThree(lastName)] ?? 'APPROVED',
  async precheck({ fileName }) {
    const stem = fileName.replace(/\.[^.]*$/, '').toUpperCase();
    return DOCUMENT_FAULTS.find((fault) => fault === stem);
  },
  /** Everything is decided in the transaction; nothing is ever handed over. */
  submit: async () => undefined,
};

const APPROVED: InstantDecision = { kind: 'APPROVE' };

const REJECTED: InstantDecision = {
  kind: 'REJECT',
  problems: [{ type: 'APPLICANT_REJECTED', reason: 'The application was rejected.' }],
};

const POOR_QUALITY: IdentityProblem = {
  type: 'POOR_QUALITY_DOCUMENT',
  reason: 'The document cannot be read well enough. Upload a clearer one.',
};

/** customers.md §4.1, rows of a light platform's `POST /customers`. */
const PERSON_AT_CREATE: Readonly<Record<string, IdentityStatus>> = {
  '001': 'PENDING',
  '002': 'REJECTED',
  '003': 'UNVERIFIED',
};

/** customers.md §4.1, rows of a complete submission. */
const PERSON_SUBMITTED: Readonly<Record<string, InstantDecision>> = {
  '001': { kind: 'REVIEW', as: 'PENDING_MANUAL_REVIEW' },
  '002': REJECTED,
  '003': { kind: 'RESOLVE', problems: [POOR_QUALITY] },
};

/** customers.md §4.4. */
const BUSINESS_SUBMITTED: Readonly<Record<string, InstantDecision>> = {
  '001': { kind: 'REVIEW', as: 'IN_PROGRESS' },
  '002': REJECTED,
  '003': { kind: 'REVIEW', as: 'IN_PROGRESS' },
};

/** customers.md §4.4.9. */
const OWNER: Readonly<Record<string, IdentityStatus>> = { '001': 'PENDING', '002': 'REJECTED' };

function decideBusiness(applicant: Applicant): InstantDecision {
  return BUSINESS_SUBMITTED[suffixOf(applicant)] ?? APPROVED;
}

function suffixOf({ customerType, fullName, registrationNumber }: Applicant): string {
  return lastThree((customerType === 'INDIVIDUAL' ? fullName : registrationNumber) ?? '');
}

function lastThree(text: string): string {
  return text.trim().slice(-3);
}
