/** What `GET /reviews/{id}` answers, as far as this screen reads it; the rest is shown as it is. */
export interface Packet {
  readonly platform: string;
  readonly environment: 'SANDBOX' | 'PRODUCTION';
  readonly customer: Readonly<Record<string, unknown>>;
  readonly verifications: readonly Verification[];
  /** Null: nothing was submitted before. */
  readonly changes: Changes | null;
  readonly decisions: readonly Decision[];
  readonly possibleDuplicates: readonly { readonly customer: string; readonly shares: readonly string[] }[];
  readonly problemsFoundByUs: readonly Problem[];
  readonly beneficialOwners: readonly Readonly<Record<string, unknown>>[];
  readonly documents: readonly DocumentFile[];
}

export interface Verification {
  readonly id: string;
  readonly verificationStatus: string;
  readonly errors: readonly Problem[];
  readonly createdAt: string;
}

export interface Problem {
  readonly type: string;
  readonly reason: string;
  readonly field?: string;
}

export interface Changes {
  readonly since: string;
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface Decision {
  readonly at: string;
  readonly decision: string;
  readonly by: string;
  readonly reason?: string;
  readonly problems?: readonly string[];
}

export interface DocumentFile {
  readonly id: string;
  readonly documentHolder: string;
  readonly documentType: string;
  readonly side?: string;
  readonly country: string;
  readonly documentNumber?: string;
  readonly issuingAuthority?: string;
  readonly fileName: string;
  readonly uploadedAt: string;
}
