import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { termsToAccept } from '#capabilities/customers/terms/terms.ts';
import { readPostedConsent, TERMS_CHANGED } from '#capabilities/onboarding/form/consent.ts';
import { type ReadForm, readOnboardingForm } from '#capabilities/onboarding/form/read-form.ts';
import type { SaveParts } from '#capabilities/onboarding/form/save-customer.ts';
import { hasProblems, type SavedForm, saveForm } from '#capabilities/onboarding/form/save-form.ts';
import {
  formKey,
  type RequestOrigin,
  type Submission,
  type SubmitOutcome,
  submitPacket,
  wasSubmitted,
} from '#capabilities/onboarding/form/submit-packet.ts';
import { formPage } from '#capabilities/onboarding/page/form-page.ts';
import { loadPage } from '#capabilities/onboarding/page/load-page.ts';
import {
  confirmPage,
  correctionPage,
  donePage,
  failurePage,
  type PlainPage,
  SPENT_LINK,
  sendPage,
  statusPage,
  UNAVAILABLE,
  UNKNOWN_LINK,
  UNREADABLE,
} from '#capabilities/onboarding/page/plain-pages.ts';
import type { LinkRow } from '#capabilities/onboarding/store.ts';
import {
  findVisitor,
  LateVisit,
  openVisit,
  type Visit,
  type VisitLookup,
  VisitWork,
} from '#capabilities/onboarding/visit.ts';
import { audit } from '#foundation/audit/audit.ts';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { StorageUnavailable } from '#foundation/ports/storage.ts';
import { RequestUploads } from '#foundation/uploads/uploads.ts';

export interface OnboardingPageParts extends SaveParts {
  readonly runtime: Runtime;
}

/** `/onboard/<token>`: the hosted page for end users, without scripts (customers.md §6.4–6.8). */
export function registerOnboardingPage(app: FastifyInstance, parts: OnboardingPageParts): void {
  const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;
  const errorHandler = replyFailure;
  app.get('/onboard/:token', { errorHandler }, async (request, reply) => {
    const found = await openVisit(parts.runtime, tokenOf(request));
    return sendPage(reply, await pageFor(found, request.url, parts.policy));
  });
  app.post('/onboard/:token', { errorHandler }, async (request, reply) => {
    const found = await openVisit(parts.runtime, tokenOf(request));
    if (found.kind === 'gone') return repeatSubmission(found, request, reply, parts);
    if (found.kind === 'unknown') return sendPage(reply, UNKNOWN_LINK);
    return submitForm(found.visit, request, reply, parts);
  });
  app.get('/onboard/:token/done', { errorHandler }, async (request, reply) => {
    const found = await findVisitor(parts.runtime, tokenOf(request));
    if (!found) return sendPage(reply, UNKNOWN_LINK);
    const { name } = found.work.platform;
    return sendPage(
      reply,
      found.link.used_at === null ? correctionPage(tokenOf(request), name) : donePage(name),
    );
  });
}

async function pageFor(found: VisitLookup, address: string, policy: CustomerPolicy): Promise<PlainPage> {
  if (found.kind !== 'open') return found.kind === 'gone' ? SPENT_LINK : UNKNOWN_LINK;
  const { work, customer, link, stage } = found.visit;
  const { name } = work.platform;
  if (stage === 'status') return statusPage(200, customer, name, link.redirect_uri);
  const page =
    stage === 'confirm'
      ? renderConfirmPage(found.visit, 200, address, policy)
      : await renderFormPage(found.visit, { address }, policy);
  return { ...page, redirectUri: link.redirect_uri };
}

function renderConfirmPage(
  { work, customer }: Visit,
  status: number,
  address: string,
  policy: CustomerPolicy,
  obstacles?: readonly string[],
): PlainPage {
  const { platform } = work;
  const terms = termsToAccept(platform, customer, policy.terms);
  return confirmPage({
    status,
    customer,
    whose: platform.name,
    address,
    terms,
    ...(obstacles && { obstacles }),
  });
}

interface FormState {
  readonly address: string;
  readonly saved?: SavedForm;
  readonly action?: ReadForm['action'];
  readonly obstacles?: readonly string[];
}

async function renderFormPage(
  { work, customer, link }: Visit,
  { address, saved, action, obstacles = [] }: FormState,
  { terms }: CustomerPolicy,
): Promise<PlainPage> {
  const data = await work.read((tx) => loadPage(tx, customer.id, terms));
  const { title, body, hasErrors } = formPage({
    platformName: work.platform.name,
    address,
    data,
    saved,
    obstacles,
    isSubmitted: action === 'submit',
    wantsOwner: action === 'addOwner',
    expiresAt: link.expires_at,
  });
  return { status: hasErrors ? 422 : 200, title, body, redirectUri: link.redirect_uri };
}

/** Saves the form and submits it, unless the visitor only wanted to save. */
async function submitForm(
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: OnboardingPageParts,
): Promise<FastifyReply> {
  const { work, customer, link, stage } = visit;
  if (stage === 'status')
    return sendPage(reply, statusPage(409, customer, work.platform.name, link.redirect_uri));
  const sender = { requestId: request.id, remoteAddress: request.ip };
  return withForm(work, request, parts, async ({ form, action, content }) => {
    const sent = formKey(link, work, content);
    const method = stage === 'confirm' ? 'CLICK_TO_ACCEPT' : 'CHECKBOX';
    const consent = readPostedConsent(form.values, method, request);
    const submission = { form: sent, sender, consent };
    const outcome = await saveAndSubmit(visit, { form, action }, submission, parts);
    const { kind, saved } = outcome;
    // After a double click, the first request may have been accepted while this one was being saved.
    if (kind === 'accepted' || (kind !== 'saved' && (await wasSubmitted(work, sent))))
      return redirectAfterSubmit(link, request, reply);
    if (kind === 'late') return replyLate(request, reply, parts);
    const obstacles = kind === 'refused' ? outcome.problems.map(obstacleText) : [];
    const { url: address } = request;
    const page = saved
      ? await renderFormPage(visit, { address, saved, action, obstacles }, parts.policy)
      : // Only the acceptance of the terms can be incomplete here.
        renderConfirmPage(
          visit,
          422,
          address,
          parts.policy,
          kind === 'refused' ? obstacles : [TERMS_CHANGED],
        );
    return sendPage(reply, page);
  });
}

/** Called when the link is no longer open. If the same form used it up, the reply is the same as the first time. */
async function repeatSubmission(
  { work, link }: { readonly work: Work; readonly link: LinkRow },
  request: FastifyRequest,
  reply: FastifyReply,
  parts: OnboardingPageParts,
): Promise<FastifyReply> {
  const isSame = ({ content }: ReadForm) => wasSubmitted(work, formKey(link, work, content));
  const isRepeated =
    link.used_at !== null && (await withForm(work, request, parts, isSame).catch(falseIfRefused));
  return isRepeated ? redirectAfterSubmit(link, request, reply) : sendPage(reply, SPENT_LINK);
}

/** A form that cannot be read cannot have been accepted earlier. */
function falseIfRefused(error: unknown): false {
  if (error instanceof Refusal && error.status < 500) return false;
  throw error;
}

/** Removes uploaded files that were not saved when the request ends. */
async function withForm<T>(
  work: Work,
  request: FastifyRequest,
  { runtime }: OnboardingPageParts,
  use: (form: ReadForm) => Promise<T>,
): Promise<T> {
  const uploads = new RequestUploads(runtime, work.platform, work.actor);
  try {
    return await use(await readOnboardingForm(request, uploads));
  } finally {
    await uploads.end();
  }
}

/** A form with problems, or one that the visitor only wants to save, is not submitted. */
type SubmitResult = (SubmitOutcome | { readonly kind: 'saved' | 'incomplete' }) & {
  readonly saved?: SavedForm | undefined;
};

async function saveAndSubmit(
  visit: Visit,
  { form, action }: Pick<ReadForm, 'form' | 'action'>,
  submission: Submission,
  parts: OnboardingPageParts,
): Promise<SubmitResult> {
  const { work, customer, stage } = visit;
  const { consent } = submission;
  try {
    const saved =
      stage === 'form'
        ? await saveForm(new VisitWork(visit), customer, form, { ...parts, consent })
        : undefined;
    if (saved) await recordSaving(visit, submission.sender);
    if (saved && action !== 'submit') return { kind: 'saved', saved };
    if (saved && hasProblems(saved)) return { kind: 'incomplete', saved };
    return { ...(await work.write((tx) => submitPacket(tx, visit, submission, parts.policy))), saved };
  } catch (error) {
    if (!(error instanceof LateVisit)) throw error;
    return { kind: 'late' };
  }
}

function redirectAfterSubmit(
  { redirect_uri }: LinkRow,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { token } = request.params as { token: string };
  return reply
    .code(303)
    .header('location', redirect_uri ?? `/onboard/${token}/done`)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send();
}

async function replyLate(
  request: FastifyRequest,
  reply: FastifyReply,
  { runtime, policy }: OnboardingPageParts,
): Promise<FastifyReply> {
  const now = await openVisit(runtime, (request.params as { token: string }).token);
  const page = await pageFor(now, request.url, policy);
  return sendPage(reply, now.kind === 'open' ? { ...page, status: 409 } : page);
}

/** Contacts are verified elsewhere (customers.md §3.4), so the message says where. */
function obstacleText({ field, message }: { field: string; message: string }): string {
  const what = CONTACTS[field];
  return what === undefined
    ? 'This cannot be submitted now. Please ask where you got this link.'
    : `${what} ${message}. Please do that where you got this link.`;
}

const CONTACTS: Readonly<Record<string, string>> = {
  'contactVerification.email': 'Your e-mail address',
  'contactVerification.phone': 'Your phone number',
};

async function recordSaving({ work, customer }: Visit, sender: RequestOrigin): Promise<void> {
  const resource = publicId('Customer', customer.id);
  await work.write(async (tx) => audit(tx, { action: 'onboarding form saved', resource, ...sender }));
}

/** Visitors get pages, not JSON, even for errors. */
function replyFailure(
  error: FastifyError | Refusal | DatabaseUnavailable,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error instanceof DatabaseUnavailable || (error instanceof Refusal && error.status === 503)) {
    sendPage(reply.header('retry-after', '1'), UNAVAILABLE);
    return;
  }
  const isClientError =
    error instanceof Refusal
      ? error.status < 500
      : (error.statusCode ?? 500) >= 400 && (error.statusCode ?? 500) < 500;
  if (!isClientError) request.log.error({ err: error, requestId: request.id }, 'request failed');
  if (error instanceof StorageUnavailable) sendPage(reply.header('retry-after', '1'), UNAVAILABLE);
  else sendPage(reply, isClientError ? UNREADABLE : failurePage(request.id));
}
