import assert from 'node:assert/strict';
import type { EndUserTermsConsent } from '#customers/schemas.ts';
import { parseDateTime } from '#lib/dates.ts';
import { Refusal } from '#lib/refusals.ts';

/** One published version of the end-user terms. Versions are only ever added: consents name them. */
export interface TermsVersion {
  readonly version: string;
  readonly title: string;
  /** `YYYY-MM-DD` */
  readonly publishedOn: string;
  readonly sections: readonly TermsSection[];
}

export interface TermsSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/** The version in force: the last one published. */
export function currentTerms(terms: readonly TermsVersion[]): TermsVersion {
  const current = terms.at(-1);
  assert(current, 'at least one version of the end-user terms is published');
  return current;
}

export function termsPath(version: string): string {
  return `/terms/${encodeURIComponent(version)}`;
}

/**
 * Any version ever published is accepted (customers.md §2.1.17); this is asked once all fields are well (customers.md
 * §2.1.9).
 */
export function checkTermsVersion(
  terms: readonly TermsVersion[],
  consent: EndUserTermsConsent | undefined,
): void {
  if (!consent || terms.some(({ version }) => version === consent.termsVersion)) return;
  throw new Refusal(
    'END_USER_TERMS_VERSION_NOT_FOUND',
    'This version of the end-user terms was never published.',
    {
      field: 'endUserTermsConsent.termsVersion',
    },
  );
}

/** As it is kept and returned: known fields only, the time in UTC. */
export function readConsent(sent: EndUserTermsConsent | undefined): EndUserTermsConsent | null {
  if (!sent) return null;
  return {
    acceptedAt: parseDateTime(sent.acceptedAt).toISOString(),
    ipAddress: sent.ipAddress,
    termsVersion: sent.termsVersion,
    acceptanceMethod: sent.acceptanceMethod,
  };
}
