import type { Readable } from 'node:stream';
import type { PlatformSettings } from '#lib/platform-settings.ts';

/** `kycStatus` of a person, `kybStatus` of a business. */
export type IdentityStatus = 'UNVERIFIED' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'HOLD';

export type TerminalStatus = 'APPROVED' | 'REJECTED';

/** What a verdict may depend on without a look at the whole packet. */
export interface Applicant {
  readonly customerType: 'INDIVIDUAL' | 'BUSINESS';
  /** Of an individual. */
  readonly fullName?: string | undefined;
  /** Of a business. */
  readonly registrationNumber?: string | undefined;
}

/** A problem as the provider names it: on the applicant, unless it says on which owner. */
export interface IdentityProblem {
  readonly type: string;
  readonly reason: string;
  /** `BeneficialOwner:<uuid>` */
  readonly ownerId?: string | undefined;
  readonly field?: string | undefined;
  readonly acceptedDocumentTypes?: readonly string[] | undefined;
}

/** What becomes of a submission, where that is known at once. */
export type InstantDecision =
  | { readonly kind: 'APPROVE' }
  | { readonly kind: 'REJECT'; readonly problems: readonly IdentityProblem[] }
  /** Somebody looks at it: the customer is pending. */
  | { readonly kind: 'REVIEW'; readonly as: 'IN_PROGRESS' | 'PENDING_MANUAL_REVIEW' }
  /** The customer keeps its status and has something to put right. */
  | { readonly kind: 'RESOLVE'; readonly problems: readonly IdentityProblem[] };

/** What the provider says about a submission that it took (customers.md §4.5). */
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

/** A document as it was received, before anything of it is kept. */
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
  /** `Verification:<uuid>`: one reference is one case, however often it is submitted. */
  readonly reference: string;
  readonly customerType: 'INDIVIDUAL' | 'BUSINESS';
  /** The customer with identification numbers in clear, field names as in the API. */
  readonly customer: Readonly<Record<string, unknown>>;
  readonly owners: readonly Readonly<Record<string, unknown>>[];
  readonly documents: readonly SubmittedDocument[];
}

/** Whoever judges people and businesses. Only `precheck` and `submit` may take time. */
export interface IdentityPort {
  /** Whether an upload's leading bytes must fit its declared type (customers.md §5.2). */
  readonly matchesLeadingBytes: boolean;

  /** The status a customer is created with (customers.md §4.1, §4.4). */
  atCreate(applicant: Applicant, settings: PlatformSettings): IdentityStatus;

  /** A verdict for which nobody looks at the packet: it need not be complete. */
  beforeChecks(applicant: Applicant, settings: PlatformSettings): InstantDecision | undefined;

  /** The verdict on a complete packet; `SUBMIT` when it has to be handed to the provider first. */
  decideInstantly(applicant: Applicant): InstantDecision | 'SUBMIT';

  /** The status of an owner whose business turns terminal in this commit (customers.md §4.4.9). */
  ownerResolved(lastName: string, business: TerminalStatus): IdentityStatus;

  /** The status of an owner who is added to a business that is terminal already (customers.md §4.6.12). */
  ownerAdded(lastName: string): IdentityStatus;

  /** Refuses a document before it is kept (customers.md §5.5). */
  precheck(offer: DocumentOffer): Promise<DocumentFault | undefined>;

  /** Hands a packet over; what the provider decides at once is answered, the rest arrives later. */
  submit(submission: Submission): Promise<Decision | undefined>;
}
