import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { audit } from '#audit/audit.ts';
import { DatabaseUnavailable } from '#database/failures.ts';
import type { Runtime } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import type { KeyUse } from '#http/idempotency.ts';
import { publicId } from '#lib/ids.ts';
import { Refusal } from '#lib/refusals.ts';
import { type ReadForm, readForm } from '#onboarding/form/read-form.ts';
import type { SaveParts } from '#onboarding/form/save-customer.ts';
import { hasProblems, type SavedForm, saveForm } from '#onboarding/form/save-form.ts';
import { formPage } from '#onboarding/page/form-page.ts';
import { loadPage } from '#onboarding/page/load-page.ts';
import {
  confirmPage,
  donePage,
  failure,
  notDone,
  SPENT_LINK,
  statusPage,
  UNAVAILABLE,
  UNKNOWN_LINK,
  UNREADABLE,
} from '#onboarding/page/plain-pages.ts';
import { type Page, sendPage } from '#onboarding/page/send-page.ts';
import type { LinkRow } from '#onboarding/store.ts';
import { type Sender, type Submitted, submitPacket } from '#onboarding/submit-packet.ts';
import { takenForm, wasTaken } from '#onboarding/taken-form.ts';
import { type Found, findVisitor, openVisit, type Visit } from '#onboarding/visit.ts';
import { LateVisit, VisitWork } from '#onboarding/visit-work.ts';
import { StorageUnavailable } from '#rails/storage.ts';
import { RequestUploads } from '#uploads/uploads.ts';

export interface OnboardingPageParts extends SaveParts {
  readonly runtime: Runtime;
}

/** `/onboard/<token>`: the hosted page, for people and without any script (customers.md §6.4–6.8). */
export function registerOnboardingPage(app: FastifyInstance, parts: OnboardingPageParts): void {
  const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;
  const errorHandler = answerFailure;
  app.get('/onboard/:token', { errorHandler }, async (request, reply) => {
    const found = await openVisit(parts.runtime, tokenOf(request));
    return sendPage(reply, await pageFor(found, request.url));
  });
  app.post('/onboard/:token', { errorHandler }, async (request, reply) => {
    const found = await openVisit(parts.runtime, tokenOf(request));
    if (found.kind === 'gone') return takeAgain(found, request, reply, parts);
    if (found.kind === 'unknown') return sendPage(reply, UNKNOWN_LINK);
    return take(found.visit, request, reply, parts);
  });
  app.get('/onboard/:token/done', { errorHandler }, async (request, reply) => {
    const found = await findVisitor(parts.runtime, tokenOf(request));
    if (!found) return sendPage(reply, UNKNOWN_LINK);
    const { name } = found.work.platform;
    return sendPage(reply, found.link.used_at === null ? notDone(tokenOf(request), name) : donePage(name));
  });
}

async function pageFor(found: Found, address: string): Promise<Page> {
  if (found.kind !== 'open') return found.kind === 'gone' ? SPENT_LINK : UNKNOWN_LINK;
  const { work, customer, link, stage } = found.visit;
  const { name } = work.platform;
  if (stage === 'status') return statusPage(200, customer, name, link.redirect_uri);
  const page =
    stage === 'confirm'
      ? confirmPage(200, customer, name, address)
      : await drawForm(found.visit, { address });
  return { ...page, redirectUri: link.redirect_uri };
}

interface Drawn {
  readonly address: string;
  readonly saved?: SavedForm;
  readonly action?: ReadForm['action'];
  readonly obstacles?: readonly string[];
}

async function drawForm(
  { work, customer, link }: Visit,
  { address, saved, action, obstacles = [] }: Drawn,
): Promise<Page> {
  const data = await work.read((tx) => loadPage(tx, customer.id));
  const { title, body, isBad } = formPage({
    platformName: work.platform.name,
    address,
    data,
    saved,
    obstacles,
    isSubmitted: action === 'submit',
    wantsOwner: action === 'addOwner',
    expiresAt: link.expires_at,
  });
  return { status: isBad ? 422 : 200, title, body, redirectUri: link.redirect_uri };
}

/** Saves what was sent and, unless more is to come, submits it. */
async function take(
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
    const sent = takenForm(link, work, content);
    const outcome = await saveAndSubmit(visit, { form, action }, sent, sender, parts);
    const { kind, saved } = outcome;
    // A second press of the button: the first one may have been taken while this one was saved.
    if (kind === 'taken' || (kind !== 'saved' && (await wasTaken(work, sent))))
      return leadOn(link, request, reply);
    if (kind === 'late') return answerLate(request, reply, parts);
    const obstacles = kind === 'refused' ? outcome.problems.map(obstacleOf) : [];
    const page = saved
      ? await drawForm(visit, { address: request.url, saved, action, obstacles })
      : confirmPage(422, customer, work.platform.name, request.url, obstacles);
    return sendPage(reply, page);
  });
}

/** The link is gone; for who used it up by this very form nothing is. */
async function takeAgain(
  { work, link }: { readonly work: Work; readonly link: LinkRow },
  request: FastifyRequest,
  reply: FastifyReply,
  parts: OnboardingPageParts,
): Promise<FastifyReply> {
  const isSame = ({ content }: ReadForm) => wasTaken(work, takenForm(link, work, content));
  const isRepeated =
    link.used_at !== null && (await withForm(work, request, parts, isSame).catch(unlessRefused));
  return isRepeated ? leadOn(link, request, reply) : sendPage(reply, SPENT_LINK);
}

/** What cannot be read was not taken. */
function unlessRefused(error: unknown): false {
  if (error instanceof Refusal && error.status < 500) return false;
  throw error;
}

/** Files that nothing keeps go with the request. */
async function withForm<T>(
  work: Work,
  request: FastifyRequest,
  { runtime }: OnboardingPageParts,
  use: (form: ReadForm) => Promise<T>,
): Promise<T> {
  const uploads = new RequestUploads(runtime, work.platform, work.actor);
  try {
    return await use(await readForm(request, uploads));
  } finally {
    await uploads.end();
  }
}

/** What became of a form; one with problems, or that was not to be submitted, is only saved. */
type SubmitResult = (Submitted | { readonly kind: 'saved' | 'incomplete' }) & {
  readonly saved?: SavedForm | undefined;
};

async function saveAndSubmit(
  visit: Visit,
  { form, action }: Pick<ReadForm, 'form' | 'action'>,
  sent: KeyUse,
  sender: Sender,
  parts: OnboardingPageParts,
): Promise<SubmitResult> {
  const { work, customer, stage } = visit;
  try {
    const saved = stage === 'form' ? await saveForm(new VisitWork(visit), customer, form, parts) : undefined;
    if (saved) await recordSaving(visit, sender);
    if (saved && action !== 'submit') return { kind: 'saved', saved };
    if (saved && hasProblems(saved)) return { kind: 'incomplete', saved };
    return { ...(await work.write((tx) => submitPacket(tx, visit, sent, sender))), saved };
  } catch (error) {
    if (!(error instanceof LateVisit)) throw error;
    return { kind: 'late' };
  }
}

function leadOn({ redirect_uri }: LinkRow, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { token } = request.params as { token: string };
  return reply
    .code(303)
    .header('location', redirect_uri ?? `/onboard/${token}/done`)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send();
}

async function answerLate(
  request: FastifyRequest,
  reply: FastifyReply,
  { runtime }: OnboardingPageParts,
): Promise<FastifyReply> {
  const now = await openVisit(runtime, (request.params as { token: string }).token);
  const page = await pageFor(now, request.url);
  return sendPage(reply, now.kind === 'open' ? { ...page, status: 409 } : page);
}

/** Contacts are proven elsewhere (customers.md §3.4); the visitor learns what is waited for. */
function obstacleOf({ field, message }: { field: string; message: string }): string {
  const what = CONTACTS[field];
  return what === undefined
    ? 'This cannot be submitted now. Please ask where you got this link.'
    : `${what} ${message}. Please do that where you got this link.`;
}

const CONTACTS: Readonly<Record<string, string>> = {
  'contactVerification.email': 'Your email address',
  'contactVerification.phone': 'Your phone number',
};

async function recordSaving({ work, customer }: Visit, sender: Sender): Promise<void> {
  const resource = publicId('Customer', customer.id);
  await work.write(async (tx) => audit(tx, { action: 'onboarding form saved', resource, ...sender }));
}

/** People get pages, not JSON, also when something is wrong. */
function answerFailure(
  error: FastifyError | Refusal | DatabaseUnavailable,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error instanceof DatabaseUnavailable || (error instanceof Refusal && error.status === 503)) {
    sendPage(reply.header('retry-after', '1'), UNAVAILABLE);
    return;
  }
  const isTheirs =
    error instanceof Refusal
      ? error.status < 500
      : (error.statusCode ?? 500) >= 400 && (error.statusCode ?? 500) < 500;
  if (!isTheirs) request.log.error({ err: error, requestId: request.id }, 'request failed');
  if (error instanceof StorageUnavailable) sendPage(reply.header('retry-after', '1'), UNAVAILABLE);
  else sendPage(reply, isTheirs ? UNREADABLE : failure(request.id));
}
