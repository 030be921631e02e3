import type { Readable } from 'node:stream';
import type { PlatformSettings } from '#foundation/lib/platform.ts';

/** `kycStatus` of a person, `kybStatus` of a business. */
export type IdentityStatus = 'UNVERIFIED' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'HOLD';

/** The statuses a customer can be created with. */
export const FIRST_IDENTITY_STATUSES = ['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED'] as const;
export type FirstIdentityStatus = (typeof FIRST_IDENTITY_STATUSES)[number];

export type TerminalStatus = 'APPROVED' | 'REJECTED';

/** The data for an instant decision, without the whole packet. */
export interface Applicant {
  readonly customerType: 'INDIVIDUAL' | 'BUSINESS';
  /** For an individual. */
  readonly fullName?: string | undefined;
  /** For a business. */
  readonly registrationNumber?: string | undefined;
}

/** A problem that the provider reports: with the applicant, unless an owner is named. */
export interface IdentityProblem {
  readonly type: string;
  readonly reason: string;
  /** `BeneficialOwner:<uuid>` */
  readonly ownerId?: string | undefined;
  readonly field?: string | undefined;
  readonly acceptedDocumentTypes?: readonly string[] | undefined;
}

/** The result of a submission, if it is known at once. */
export type InstantDecision =
  | { readonly kind: 'APPROVE' }
  | { readonly kind: 'REJECT'; readonly problems: readonly IdentityProblem[] }
  /** A person reviews it: the customer is pending. */
  | { readonly kind: 'REVIEW'; readonly as: 'IN_PROGRESS' | 'PENDING_MANUAL_REVIEW' }
  /** The customer keeps its status and has to correct something. */
  | { readonly kind: 'RESOLVE'; readonly problems: readonly IdentityProblem[] };

/** The provider's decision about a submission that it accepted (customers.md §4.5). */
export type Decision =
  | { readonly kind: 'APPROVE' }
  | { readonly kind: 'REJECT'; readonly problems: readonly IdentityProblem[] }
  | { readonly kind: 'MANUAL_REVIEW' }
  | { readonly kind: 'CORRECTABLE'; readonly problems: readonly IdentityProblem[] }
  | { readonly kind: 'HOLD' };

export const DOCUMENT_FAULTS = [
  'LOW_QUALITY',
  'DATA_MISMATCH',
  'EXPIRED',
  'SUSPECTED_FRAUD',
  'UNSUITABLE_DOCUMENT',
  'INCOMPLETE',
] as const;

export type DocumentFault = (typeof DOCUMENT_FAULTS)[number];

/** A document as it was received, before it is stored. */
export interface DocumentOffer {
  readonly documentHolder: string;
  readonly documentType: string;
  readonly side: string | undefined;
  readonly country: string;
  readonly fileName: string;
  readonly mediaType: string;
  content(): Promise<Readable>;
}

export interface SubmittedDocument {
  readonly id: string;
  readonly documentHolder: string;
  readonly documentType: string;
  readonly side: string | undefined;
  readonly country: string;
  readonly documentNumber: string | undefined;
  readonly issuingAuthority: string | undefined;
  readonly fileName: string;
  readonly mediaType: string;
  content(): Promise<Readable>;
}

/** A complete packet on its way to the provider. */
export interface Submission {
  /** `Verification:<uuid>`: repeated submissions with one reference are one case. */
  readonly reference: string;
  readonly customerType: 'INDIVIDUAL' | 'BUSINESS';
  /** The customer with unencrypted identification numbers, field names as in the API. */
  readonly customer: Readonly<Record<string, unknown>>;
  readonly owners: readonly Readonly<Record<string, unknown>>[];
  readonly documents: readonly SubmittedDocument[];
}

/** Verifies people and businesses. Only `precheck` and `submit` may take time. */
export interface IdentityPort {
  /** Whether an upload's leading bytes must match its declared type (customers.md §5.2). */
  readonly checksLeadingBytes: boolean;

  /** The status a customer is created with (customers.md §4.1, §4.4). */
  atCreate(applicant: Applicant, settings: PlatformSettings): FirstIdentityStatus;

  /** A decision that does not depend on the packet, which may still be incomplete. */
  beforeChecks(applicant: Applicant, settings: PlatformSettings): InstantDecision | undefined;

  /** The decision on a complete packet; `SUBMIT` if it has to be submitted to the provider first. */
  decideInstantly(applicant: Applicant): InstantDecision | 'SUBMIT';

  /** The status of an owner whose business is decided in this commit (customers.md §4.4.9). */
  ownerResolved(lastName: string, business: TerminalStatus): IdentityStatus;

  /** The status of an owner who is added to an already decided business (customers.md §4.6.12). */
  ownerAdded(lastName: string): IdentityStatus;

  /** Refuses a document before it is stored (customers.md §5.5). */
  precheck(offer: DocumentOffer): Promise<DocumentFault | undefined>;

  /** Submits a packet; returns the provider's instant decision; undefined: the decision arrives later. */
  submit(submission: Submission): Promise<Decision | undefined>;
}
