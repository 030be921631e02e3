import { CONSENT_FIELD } from '#capabilities/onboarding/form/consent.ts';
import { COMPANY_FIELDS, PERSON_FIELDS } from '#capabilities/onboarding/form/save-customer.ts';
import type { SavedForm } from '#capabilities/onboarding/form/save-form.ts';
import { elementId } from '#capabilities/onboarding/page/field.ts';
import type { PageData } from '#capabilities/onboarding/page/load-page.ts';
import { ownerCards } from '#capabilities/onboarding/page/owner-cards.ts';
import {
  missingProblems,
  type Problem,
  savingProblems,
  withoutRepeats,
} from '#capabilities/onboarding/page/problems.ts';
import { buildSteps, type FormStep } from '#capabilities/onboarding/page/steps.ts';
import { termsProblems } from '#capabilities/onboarding/page/terms.ts';
import { type Html, html, renderTime } from '#foundation/http/html-page.ts';

export interface FormPage {
  readonly platformName: string;
  /** The URL that the form is posted to: this page's address without a fragment. */
  readonly address: string;
  readonly data: PageData;
  /** The result of saving the form that was just sent. */
  readonly saved: SavedForm | undefined;
  /** The visitor wanted to submit, so every missing value is an error. */
  readonly isSubmitted: boolean;
  /** Reasons against the submission that cannot be resolved on this page. */
  readonly obstacles: readonly string[];
  readonly wantsOwner: boolean;
  readonly expiresAt: Date;
}

export function formPage(page: FormPage): {
  readonly title: string;
  readonly body: Html;
  readonly hasErrors: boolean;
} {
  const { data, saved, isSubmitted, obstacles } = page;
  const cards = ownerCards(data, saved, page.wantsOwner);
  const terms = termsProblems(data, saved);
  const refused = [...(saved ? savingProblems(saved, cards, data) : []), ...terms.refused];
  const missing = [...missingProblems(data, cards, saved), ...terms.missing];
  const all = inPageOrder(data, withoutRepeats([...refused, ...missing]));
  const shown = isSubmitted ? all : inPageOrder(data, withoutRepeats(refused));
  const steps = buildSteps({ data, saved, cards, shown, all });
  const hasErrors = shown.length + obstacles.length > 0;
  const title = data.isBusiness ? 'Verify your business' : 'Verify your identity';
  const body = html`<header><p class="whose">${page.platformName}</p><h1>${title}</h1>
<p class="soft">${INTRO}${data.isBusiness && ` ${PEOPLE_INTRO}`} The link works until ${renderTime(page.expiresAt)}.</p>
${renderSteps(steps, all)}</header>
<main>
${hasErrors && renderSummary(shown, obstacles)}
${saved && !hasErrors && html`<div class="panel good" role="status"><p>Saved. You can go on, or come back later with the same link.</p></div>`}
${data.remarks.length > 0 && renderRemarks(data)}
<form method="post" action="${page.address}" enctype="multipart/form-data" novalidate>
<button name="action" value="save" class="unseen" tabindex="-1" aria-hidden="true">Save</button>
${steps.map(renderStep)}
<div class="actions"><button name="action" value="submit">Save and submit</button>
<button name="action" value="save" class="quiet">Save and finish later</button></div>
</form>
</main>`;
  return { title: hasErrors ? `Please check: ${title}` : title, body, hasErrors };
}

const INTRO =
  'Enter the missing details below and submit them at the end. Each button saves your entries, except ' +
  'those that are then marked.';
const PEOPLE_INTRO = 'A person is saved once all of their details are complete.';

/** The customer's fields in the order of the page, then documents, then people, then the terms. */
function inPageOrder({ isBusiness }: PageData, problems: readonly Problem[]): Problem[] {
  const fields = isBusiness ? COMPANY_FIELDS : PERSON_FIELDS;
  const rank = ({ at }: Problem) => {
    const place = fields.findIndex(({ path }) => path === at);
    if (place >= 0) return place;
    if (at === CONSENT_FIELD) return fields.length + 2;
    return fields.length + (at.startsWith('owners.') ? 1 : 0);
  };
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

function renderSteps(steps: readonly FormStep[], all: readonly Problem[]): Html {
  const items = steps.map(({ id, title, includes }) => {
    const count = all.filter(({ at }) => includes(at)).length;
    const state = count === 0 ? '✓ Complete' : `${count} to do`;
    return html`<li${count === 0 && html` class="done"`}><a href="#${id}">${title}<span>${state}</span></a></li>`;
  });
  return html`<nav aria-label="Steps"><ol class="steps">${items}</ol></nav>`;
}

function renderStep({ id, title, intro, body }: FormStep): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
<p class="soft">${intro}</p>${body}</section>`;
}

/** Renders the error summary, which gets the focus and links to each field. */
function renderSummary(problems: readonly Problem[], obstacles: readonly string[]): Html {
  const count = problems.length + obstacles.length;
  return html`<div class="panel wrong" role="alert" aria-labelledby="wrong-title" tabindex="-1" autofocus>
<h2 id="wrong-title">${count === 1 ? 'One thing needs your attention' : `${count} things need your attention`}</h2>
<ul class="list">${obstacles.map((text) => html`<li>${text}</li>`)}${problems.map(
    ({ at, text }) => html`<li><a href="#${elementId(at)}">${text}</a></li>`,
  )}</ul></div>`;
}

function renderRemarks({ remarks }: PageData): Html {
  return html`<div class="panel wrong"><h2>Your last submission could not be accepted</h2>
<ul class="list">${remarks.map(({ reason }) => html`<li>${reason}</li>`)}</ul></div>`;
}
