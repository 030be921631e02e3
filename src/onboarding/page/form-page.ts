import {
  ACTIVITY,
  COMPANY,
  COMPANY_ADDRESS,
  COMPANY_CONTACT,
  COMPANY_PLACES,
  type FormField,
  PERSON_ABOUT,
  PERSON_ADDRESS,
  PERSON_NUMBER,
  PERSON_PLACES,
} from '#onboarding/form/fields-table.ts';
import { COMPANY_FIELDS, PERSON_FIELDS } from '#onboarding/form/save-customer.ts';
import type { SavedForm } from '#onboarding/form/save-form.ts';
import { drawFields, idOf, type Scene } from '#onboarding/page/field.ts';
import { type Html, html } from '#onboarding/page/html.ts';
import type { PageData } from '#onboarding/page/load-page.ts';
import { type OwnerCard, ownerCards } from '#onboarding/page/owner-cards.ts';
import { drawPapers } from '#onboarding/page/papers.ts';
import { drawPeople } from '#onboarding/page/people.ts';
import { missingProblems, type Problem, savingProblems, withoutRepeats } from '#onboarding/page/problems.ts';

export interface FormPage {
  readonly platformName: string;
  /** Where the form is sent: this page, without the place in it that somebody jumped to. */
  readonly address: string;
  readonly data: PageData;
  /** What became of the form that was just sent. */
  readonly saved: SavedForm | undefined;
  /** Sent to be submitted, so everything that is missing is an error. */
  readonly isSubmitted: boolean;
  /** What stands in the way but cannot be changed here. */
  readonly obstacles: readonly string[];
  readonly wantsOwner: boolean;
  readonly expiresAt: Date;
}

/** One step of the page. */
interface Step {
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly body: Html;
  /** Whether a field of this name stands here. */
  holds(name: string): boolean;
}

export function formPage(page: FormPage): {
  readonly title: string;
  readonly body: Html;
  readonly isBad: boolean;
} {
  const { data, saved, isSubmitted, obstacles } = page;
  const cards = ownerCards(data, saved, page.wantsOwner);
  const refused = saved ? savingProblems(saved, cards, data.isBusiness) : [];
  const missing = missingProblems(data, cards);
  const all = inPageOrder(data, withoutRepeats([...refused, ...missing]));
  const shown = isSubmitted ? all : inPageOrder(data, withoutRepeats(refused));
  const steps = stepsOf(page, cards, shown, all);
  const isBad = shown.length + obstacles.length > 0;
  const title = data.isBusiness ? 'Verify your business' : 'Verify your identity';
  const body = html`<header><p class="whose">${page.platformName}</p><h1>${title}</h1>
<p class="soft">${INTRO} The link works until ${drawTime(page.expiresAt)}.</p>
${drawSteps(steps, all)}</header>
<main>
${isBad && drawSummary(shown, obstacles)}
${saved && !isBad && html`<div class="panel good" role="status"><p>Saved. You can go on, or come back later with the same link.</p></div>`}
${data.remarks.length > 0 && drawRemarks(data)}
<form method="post" action="${page.address}" enctype="multipart/form-data" novalidate>
<button name="action" value="save" class="unseen" tabindex="-1" aria-hidden="true">Save</button>
${steps.map(drawStep)}
<div class="actions"><button name="action" value="submit">Save and submit</button>
<button name="action" value="save" class="quiet">Save and finish later</button></div>
</form>
</main>`;
  return { title: isBad ? `Please check: ${title}` : title, body, isBad };
}

const INTRO =
  'Enter what is missing below and submit it at the end. Whatever is right is saved each time you press a button.';

/** The fields of a customer in the order of the page, then documents and people as they come. */
function inPageOrder({ isBusiness }: PageData, problems: readonly Problem[]): Problem[] {
  const fields = isBusiness ? COMPANY_FIELDS : PERSON_FIELDS;
  const rank = ({ at }: Problem) => {
    const place = fields.findIndex(({ path }) => path === at);
    if (place >= 0) return place;
    return fields.length + (at.startsWith('owners.') ? 1 : 0);
  };
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

function stepsOf(
  page: FormPage,
  cards: readonly OwnerCard[],
  shown: readonly Problem[],
  all: readonly Problem[],
): Step[] {
  const { data, saved } = page;
  const problems = new Map(shown.map(({ at, text }) => [at, text]));
  const open = new Set(all.map(({ at }) => at));
  const { stored, hasIdentifier: hasNumber } = data;
  const scene: Scene = { prefix: '', stored, posted: saved?.block.values, problems, hasNumber };
  const step = (id: string, title: string, intro: string, fields: readonly FormField[]): Step => ({
    id,
    title,
    intro,
    body: drawFields(fields, scene),
    holds: (name) => fields.some(({ path }) => path === name),
  });
  const places = data.isBusiness ? COMPANY_PLACES : PERSON_PLACES;
  const documents = data.documents.filter(({ documentHolder }) => documentHolder === data.customerId);
  const posted = saved?.block.documents ?? [];
  const papers: Step = {
    id: 'documents',
    title: data.isBusiness ? 'Documents' : 'Identity document',
    intro: data.isBusiness ? 'One of each kind.' : 'A clear photo or scan, with all four corners in view.',
    body: drawPapers({ prefix: '', places, documents, posted, problems, open }),
    holds: (name) => name.startsWith('documents.'),
  };
  if (!data.isBusiness) {
    return [
      step('about', 'About you', 'As it stands in your identity document.', PERSON_ABOUT),
      step('address', 'Home address', 'Where you live, not a post box.', PERSON_ADDRESS),
      step('number', 'Tax number', 'It is stored encrypted and never shown again.', PERSON_NUMBER),
      papers,
    ];
  }
  const company = data.needsContact ? [...COMPANY, ...COMPANY_CONTACT] : COMPANY;
  return [
    step('company', 'Company', 'As it is registered.', company),
    step('address', 'Address', 'Where the business is.', COMPANY_ADDRESS),
    step('activity', 'Activity', 'What you plan to do with the account.', ACTIVITY),
    papers,
    {
      id: 'people',
      title: 'People',
      intro:
        'Name everyone who owns 25 percent or more, and at least one person who controls the business: ' +
        'a director, an officer or the like. One person can be both.',
      body: drawPeople({ cards, documents: data.documents, problems, open }),
      holds: (name) => name.startsWith('owners.'),
    },
  ];
}

function drawSteps(steps: readonly Step[], all: readonly Problem[]): Html {
  const items = steps.map(({ id, title, holds }) => {
    const count = all.filter(({ at }) => holds(at)).length;
    const state = count === 0 ? '✓ Complete' : `${count} to do`;
    return html`<li${count === 0 && html` class="done"`}><a href="#${id}">${title}<span>${state}</span></a></li>`;
  });
  return html`<nav aria-label="Steps"><ol class="steps">${items}</ol></nav>`;
}

function drawStep({ id, title, intro, body }: Step): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
<p class="soft">${intro}</p>${body}</section>`;
}

/** Gets the focus when the page comes back, and leads to each field. */
function drawSummary(problems: readonly Problem[], obstacles: readonly string[]): Html {
  const count = problems.length + obstacles.length;
  return html`<div class="panel wrong" role="alert" aria-labelledby="wrong-title" tabindex="-1" autofocus>
<h2 id="wrong-title">${count === 1 ? 'One thing needs your attention' : `${count} things need your attention`}</h2>
<ul class="list">${obstacles.map((text) => html`<li>${text}</li>`)}${problems.map(
    ({ at, text }) => html`<li><a href="#${idOf(at)}">${text}</a></li>`,
  )}</ul></div>`;
}

function drawRemarks({ remarks }: PageData): Html {
  return html`<div class="panel wrong"><h2>Your last submission could not be accepted</h2>
<ul class="list">${remarks.map(({ reason }) => html`<li>${reason}</li>`)}</ul></div>`;
}

function drawTime(at: Date): Html {
  const text = at.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 10)}, ${text.slice(11, 16)} UTC</time>`;
}
