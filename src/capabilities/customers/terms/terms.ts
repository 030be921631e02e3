import assert from 'node:assert/strict';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { termsIpContext } from '#capabilities/customers/consent-store.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import type { EndUserTermsConsent } from '#capabilities/customers/schemas.ts';
import { needsOurTerms } from '#capabilities/customers/terms/money-gate.ts';
import type { PersonVault, Vault } from '#foundation/crypto/vault.ts';
import { type Html, html, READING_STYLE, sendHtmlPage } from '#foundation/http/html-page.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** One published version of the end-user terms. Versions are never removed, because consents refer to them. */
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

/** Returns the terms that the customer must accept: those in force, unless already accepted. */
export function termsToAccept(
  platform: Platform,
  { terms_consent }: Pick<CustomerRow, 'terms_consent'>,
  terms: readonly TermsVersion[],
): TermsVersion | undefined {
  const current = currentTerms(terms);
  return needsOurTerms(platform) && terms_consent?.termsVersion !== current.version ? current : undefined;
}

export function termsPath(version: string): string {
  return `/terms/${encodeURIComponent(version)}`;
}

/**
 * Accepts any version ever published (customers.md §2.1.17). Called once all fields are valid (customers.md §2.1.9).
 */
export function requireTermsVersion(
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

/** Returns the consent in its stored form: known fields only, with the time in UTC. */
export function readConsent(sent: EndUserTermsConsent | undefined): EndUserTermsConsent | null {
  if (!sent) return null;
  return {
    acceptedAt: parseDateTime(sent.acceptedAt).toISOString(),
    ipAddress: sent.ipAddress,
    termsVersion: sent.termsVersion,
    acceptanceMethod: sent.acceptanceMethod,
  };
}

/** Returns the columns of the customer's row: the consent, and its address sealed separately. */
export function storedConsent(
  vault: PersonVault,
  customerId: CustomerId,
  { ipAddress, ...consent }: EndUserTermsConsent,
): Pick<CustomerRow, 'terms_consent' | 'terms_ip'> {
  return {
    terms_consent: consent,
    terms_ip: vault.sealFor([customerId], ipAddress, termsIpContext(customerId)),
  };
}

export function openConsent(vault: Vault, row: CustomerRow): EndUserTermsConsent | undefined {
  const { terms_consent: consent, terms_ip: sealed } = row;
  if (!consent) return undefined;
  const { acceptedAt, ipAddress = '', ...rest } = consent;
  const shown = sealed ? vault.openText(sealed, termsIpContext(row.id)) : ipAddress;
  return { acceptedAt, ipAddress: shown, ...rest };
}

/** `/terms/<version>`: a page for people, without scripts; every version ever published stays readable. */
export function registerTermsPage(app: FastifyInstance, terms: readonly TermsVersion[]): void {
  app.get<{ Params: { version: string } }>('/terms/:version', async (request, reply) => {
    const found = terms.find(({ version }) => version === request.params.version);
    return found
      ? send(reply, 200, found.title, termsBody(found))
      : send(
          reply,
          404,
          'Not found',
          html`<h1>Not found</h1>\n<p>There is no such version of the terms.</p>`,
        );
  });
}

function send(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  return sendHtmlPage(reply, {
    status,
    title,
    body: html`<main>\n${body}\n</main>`,
    style: READING_STYLE,
    cacheControl: 'public, max-age=300',
  });
}

function termsBody(terms: TermsVersion): Html {
  const blocks = terms.sections.map(
    ({ heading, paragraphs }, i) => html`<section aria-labelledby="s${i}">
<h2 id="s${i}">${heading}</h2>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}</section>
`,
  );
  return html`<h1>${terms.title}</h1>
<p class="soft">${renderVersion(terms)}</p>
${blocks}`;
}

export function renderVersion({ version, publishedOn }: TermsVersion): Html {
  return html`Version ${version}, published <time datetime="${publishedOn}">${publishedOn}</time>`;
}
