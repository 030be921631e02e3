import type { FastifyReply } from 'fastify';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import type { TermsVersion } from '#capabilities/customers/terms/terms.ts';
import { CONSENT_FIELD } from '#capabilities/onboarding/form/consent.ts';
import { STYLE } from '#capabilities/onboarding/page/style.ts';
import { renderTermsText } from '#capabilities/onboarding/page/terms.ts';
import { type Html, html, sendHtmlPage } from '#foundation/http/html-page.ts';

function plainPage(status: number, title: string, body: Html, whose = ''): PlainPage {
  return {
    status,
    title,
    body: html`<header>${whose !== '' && html`<p class="whose">${whose}</p>`}<h1>${title}</h1></header>
<main><div class="panel">${body}</div></main>`,
  };
}

export const UNKNOWN_LINK: PlainPage = plainPage(
  404,
  'This link does not exist',
  html`<p>Please check that you have copied the whole address, or ask for a new link where you got this one.</p>`,
);

export const SPENT_LINK: PlainPage = plainPage(
  410,
  'This link is no longer valid',
  html`<p>It has already been used or has expired. If you have just sent the form, it has arrived and there is nothing
left to do.</p><p>Otherwise ask for a new link where you got this one.</p>`,
);

export const UNREADABLE: PlainPage = plainPage(
  400,
  'The form could not be read',
  html`<p>It arrived incomplete or is too large. Please go back and try again; files may have up to 10 MB
each.</p>`,
);

/** The form may have been saved even though the reply was lost. */
export const UNAVAILABLE: PlainPage = plainPage(
  503,
  'Please try again in a moment',
  html`<p>This page cannot be served right now. If you have just sent the form it may have arrived: open your link
again in a minute to check.</p>`,
);

export function failurePage(requestId: string): PlainPage {
  return plainPage(
    500,
    'Something failed on our side',
    html`<p>Please try again in a moment. If this continues, quote this number when you ask for help: ${requestId}</p>`,
  );
}

const STATUS_TEXTS: Readonly<Record<CustomerRow['status'], readonly [title: string, text: string]>> = {
  APPROVED: ['You are verified', 'Everything has been checked. There is nothing left to do here.'],
  REJECTED: [
    'Verification was not possible',
    'The details were checked and could not be accepted. Please contact the company that sent you here.',
  ],
  PENDING: ['Your details are being checked', 'There is nothing to do for now. You will be told the result.'],
  UNVERIFIED: [
    'Your details are being checked',
    'There is nothing to do for now. You will be told the result.',
  ],
  HOLD: ['Verification is paused', 'There is nothing to do for now. You will be told when it continues.'],
};

/** Shows the customer's status and nothing else (customers.md §6.7). */
export function statusPage(
  status: number,
  { status: standing }: CustomerRow,
  whose: string,
  redirectUri: string | null,
): PlainPage {
  const [title, text] = STATUS_TEXTS[standing];
  const back =
    redirectUri !== null &&
    html`<p><a href="${redirectUri}" rel="noreferrer">Back to ${new URL(redirectUri).host}</a></p>`;
  return plainPage(status, title, html`<p role="status">${text}</p>${back}`, whose);
}

export interface ConfirmPage {
  readonly status: number;
  readonly customer: CustomerRow;
  readonly whose: string;
  readonly address: string;
  /** The terms that the button accepts, if the business must accept any. */
  readonly terms: TermsVersion | undefined;
  readonly obstacles?: readonly string[];
}

/** For customers who only confirm: a single button also accepts the terms (customers.md §6.6, §6.6a). */
export function confirmPage({ status, customer, terms, obstacles = [], ...page }: ConfirmPage): PlainPage {
  const { profile } = customer;
  const name = (profile as { legalName?: string }).legalName ?? 'your business';
  return plainPage(
    status,
    'Confirm your business',
    html`${obstacles.length > 0 && html`<div role="alert"><ul class="list">${obstacles.map((text) => html`<li>${text}</li>`)}</ul></div>`}
<p>Please confirm that ${name} is to be verified. No documents are needed.</p>
${terms && html`<p>By confirming you accept these terms for ${name}, which you are entitled to act for.</p>\n<h2>${terms.title}</h2>\n${renderTermsText(terms)}`}
<form method="post" action="${page.address}" enctype="multipart/form-data"><div class="actions">${
      terms
        ? html`<button name="${CONSENT_FIELD}" value="${terms.version}">Accept the terms, confirm and submit</button>`
        : html`<button name="action" value="submit">Confirm and submit</button>`
    }</div></form>`,
    page.whose,
  );
}

export function donePage(whose: string): PlainPage {
  return plainPage(
    200,
    'Thank you',
    html`<p role="status">We have everything we need and will check it now. You can close this page.</p>`,
    whose,
  );
}

/** Links back to the form, which shows what to correct. */
export function correctionPage(token: string, whose: string): PlainPage {
  return plainPage(
    200,
    'There is something to correct',
    html`<p role="status">Your details could not be accepted yet.</p>
<p><a class="button" href="/onboard/${token}">See what to correct</a></p>`,
    whose,
  );
}

export interface PlainPage {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** The content security policy must allow it, because browsers also check the redirect after a form. */
  readonly redirectUri?: string | null | undefined;
}

export function sendPage(reply: FastifyReply, { status, title, body, redirectUri }: PlainPage): FastifyReply {
  const target = redirectUri ? ` ${sourceOf(new URL(redirectUri))}` : '';
  return sendHtmlPage(reply, {
    status,
    title,
    body,
    style: STYLE,
    formAction: `'self'${target}`,
    headers: { 'x-robots-tag': 'noindex' },
  });
}

/** A content security policy cannot name an IPv6 address; the scheme is the narrowest source that it can name. */
function sourceOf({ protocol, hostname, origin }: URL): string {
  return hostname.startsWith('[') ? protocol : origin;
}
