import { renderVersion, type TermsVersion, termsPath } from '#capabilities/customers/terms/terms.ts';
import { CONSENT_FIELD } from '#capabilities/onboarding/form/consent.ts';
import type { SavedForm } from '#capabilities/onboarding/form/save-form.ts';
import { firstValue } from '#capabilities/onboarding/form/values.ts';
import { describedBy, elementId, renderProblem } from '#capabilities/onboarding/page/field.ts';
import type { PageData, PageTerms } from '#capabilities/onboarding/page/load-page.ts';
import type { Problem } from '#capabilities/onboarding/page/problems.ts';
import { type Html, html, renderTime } from '#foundation/http/html-page.ts';

/** Renders the text in its own box, which also scrolls with the keyboard. */
export function renderTermsText(terms: TermsVersion): Html {
  const { version, title, sections } = terms;
  return html`<div class="terms" role="region" aria-label="${title}, version ${version}" tabindex="0">
<p class="soft">${renderVersion(terms)}</p>
${sections.map(({ heading, paragraphs }) => html`<h3>${heading}</h3>\n${paragraphs.map((text) => html`<p>${text}</p>\n`)}`)}</div>
<p>${termsLink(terms, 'Open the terms on a page of their own')}</p>`;
}

function termsLink({ version }: TermsVersion, text: string): Html {
  return html`<a href="${termsPath(version)}" target="_blank" rel="noopener">${text} (in a new tab)</a>`;
}

/** Renders the step that accepts the terms, or shows that they were accepted (customers.md §6.6a). */
export function renderConsent(
  { inForce, acceptedAt }: PageTerms,
  { isBusiness }: PageData,
  saved: SavedForm | undefined,
  problem: string | undefined,
): Html {
  const { version, title } = inForce;
  if (acceptedAt) {
    return html`<p class="filed">You accepted version ${version} on ${renderTime(acceptedAt)}.</p>
<p>${termsLink(inForce, 'Read the terms')}</p>`;
  }
  const id = elementId(CONSENT_FIELD);
  const isTicked = firstValue(saved?.block.values, CONSENT_FIELD) === version;
  const whom = isBusiness ? ' for the business, which I am entitled to act for' : '';
  return html`${renderTermsText(inForce)}
<label class="consent" for="${id}"><input type="checkbox" id="${id}" name="${CONSENT_FIELD}" value="${version}"${
    isTicked && html` checked`
  }${describedBy(CONSENT_FIELD, undefined, problem)}>I have read the ${title.toLowerCase()}, version ${version}, and accept them${whom}.</label>
${renderProblem(CONSENT_FIELD, problem)}`;
}

/** Lists the problems of the acceptance, and a missing acceptance. */
export function termsProblems(
  { terms }: PageData,
  saved: SavedForm | undefined,
): { readonly refused: Problem[]; readonly missing: Problem[] } {
  const problem = (text: string) => [{ at: CONSENT_FIELD, text }];
  return {
    refused: saved?.termsProblem === undefined ? [] : problem(saved.termsProblem),
    missing: terms && !terms.acceptedAt ? problem('Read the terms and accept them') : [],
  };
}
