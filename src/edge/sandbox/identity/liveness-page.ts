import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  isLivenessOpen,
  resolveLiveness,
} from '#capabilities/external-accounts/challenges/verify-challenge.ts';
import { readVisit, type Visit } from '#edge/sandbox/identity/liveness.ts';
import { findEnabledPlatform } from '#foundation/database/platforms.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { answerWithPages, type Html, html, READING_STYLE, sendHtmlPage } from '#foundation/http/html-page.ts';

/** `/liveness/<token>`: in place of a provider's camera check, a page with two buttons that choose the outcome. */
export function registerLivenessPage(app: FastifyInstance, runtime: Runtime): void {
  const visitOf = (request: FastifyRequest) =>
    readVisit(runtime.vault, 'liveness', (request.params as { token: string }).token);
  const path = '/liveness/:token';
  const options = { errorHandler: answerFailure };
  app.get(path, options, async (request, reply) => {
    const visit = visitOf(request);
    const work = visit && (await sandboxWork(runtime, visit));
    const isOpen = work && (await work.read((tx) => isLivenessOpen(tx, visit.reference)));
    return isOpen ? sendPage(reply, 200, QUESTION) : sendPage(reply, 404, SPENT);
  });
  app.post(path, options, async (request, reply) => {
    const visit = visitOf(request);
    const passed = readOutcome(request.body);
    if (visit && passed === undefined) return sendPage(reply, 400, QUESTION);
    const work = visit && (await sandboxWork(runtime, visit));
    const counted = work && (await work.write((tx) => resolveLiveness(tx, visit.reference, passed === true)));
    if (!counted) return sendPage(reply, 404, SPENT);
    return sendPage(reply, 200, passed ? PASSED : FAILED);
  });
}

export const answerFailure = answerWithPages(sendPage, () => ({
  unreadable: UNREADABLE,
  unavailable: UNAVAILABLE,
}));

/** Returns undefined unless it is a sandbox platform: in production a button must not pass the check. */
export async function sandboxWork(runtime: Runtime, { platformId }: Visit): Promise<Work | undefined> {
  const platform = await findEnabledPlatform(runtime.database.query, platformId);
  if (platform?.environment !== 'SANDBOX') return undefined;
  return new Work(runtime, platform, { kind: 'page', id: 'liveness' });
}

function readOutcome(body: unknown): boolean | undefined {
  const outcome = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '').get('outcome');
  return outcome === 'pass' ? true : outcome === 'fail' ? false : undefined;
}

export interface PageText {
  readonly title: string;
  readonly body: Html;
}

const QUESTION: PageText = {
  title: 'Prove that the wallet is yours',
  body: html`<p>In production a provider asks you to look into the camera here. This is the sandbox: choose the outcome.</p>
<form method="post">
<button name="outcome" value="pass">Pass</button>
<button name="outcome" value="fail" class="quiet">Fail</button>
</form>`,
};
const PASSED: PageText = {
  title: 'Passed',
  body: html`<p role="status">The wallet is proven. You can close this page.</p>`,
};
const FAILED: PageText = {
  title: 'Failed',
  body: html`<p role="status">The wallet is not proven. You can close this page.</p>`,
};
export const SPENT: PageText = {
  title: 'This link is not valid',
  body: html`<p>It was used already, replaced by a newer one, or has expired.</p>`,
};

const UNAVAILABLE: PageText = {
  title: 'Please try again in a moment',
  body: html`<p>This page cannot be served right now. If you have just chosen, open your link again to see the outcome.</p>`,
};

const UNREADABLE: PageText = {
  title: 'The form could not be read',
  body: html`<p>Please go back and try again.</p>`,
};

const STYLE = `${READING_STYLE}
main { max-width: 34rem; padding-top: 3rem; }
h1 { margin-bottom: .75rem; }
form { display: flex; gap: .75rem; flex-wrap: wrap; margin-top: 1.5rem; }
button { font: inherit; padding: .6rem 1.5rem; border: 1px solid var(--accent); border-radius: .4rem; cursor: pointer;
  color: var(--on-accent); background: var(--accent); }
button.quiet { color: var(--accent); background: transparent; }
`;

export function sendPage(reply: FastifyReply, status: number, { title, body }: PageText): FastifyReply {
  return sendHtmlPage(reply, {
    status,
    title,
    body: html`<main>\n<h1>${title}</h1>\n${body}\n</main>`,
    style: STYLE,
    formAction: "'self'",
  });
}
