import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DatabaseUnavailable } from '#database/failures.ts';
import type { Runtime } from '#database/tx.ts';
import { failureStatus, type Html, html, READING_STYLE, renderTime, sendHtmlPage } from '#http/html-page.ts';
import { statusOf, timeOf } from '#invitations/present.ts';
import type { UmaInvitation } from '#invitations/schemas.ts';
import { findInvitation, type Invitation, type InvitationRow } from '#invitations/store.ts';
import { showAmount } from '#lib/currencies.ts';
import type { Refusal } from '#lib/refusals.ts';

/** `/i/<code>`: what whoever is invited sees (platform.md §5.2a). */
export function registerInvitationPage(app: FastifyInstance, runtime: Runtime): void {
  app.get<{ Params: { code: string } }>(
    '/i/:code',
    { errorHandler: answerFailure },
    async (request, reply) => {
      const found = await findInvitation(runtime.database.lookUp, request.params.code);
      return found ? send(reply, 200, pageOf(found, timeOf(found, runtime))) : send(reply, 404, UNKNOWN);
    },
  );
}

/** People get pages, not JSON, also when something is wrong. */
function answerFailure(
  error: FastifyError | Refusal | DatabaseUnavailable,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const status = failureStatus(error);
  if (status === 503) return void send(reply.header('retry-after', '1'), 503, UNAVAILABLE);
  if (status < 500) return void send(reply, status, UNKNOWN);
  request.log.error({ err: error, requestId: request.id }, 'request failed');
  send(reply, 500, UNAVAILABLE);
}

interface PageText {
  readonly title: string;
  readonly body: Html;
}

function pageOf(invitation: Invitation, now: Date): PageText {
  const { row } = invitation;
  const status = statusOf(row, now);
  return status === 'PENDING' ? pendingPage(invitation) : endedPage(row, status);
}

function pendingPage({ row, platform }: Invitation): PageText {
  const { code, inviter_uma, first_name, amount, currency, expires_at } = row;
  const promised =
    amount !== null &&
    currency !== null &&
    html`
<p>They want to send you <strong>${showAmount(amount, currency, platform.ownCurrencies)}</strong> once you have accepted.</p>`;
  return {
    title: 'You are invited',
    body: html`${first_name !== null && html`<p>Hello <bdi>${first_name}</bdi>,</p>\n`}<p><strong>${inviter_uma}</strong> invites you to UMA, so that you can send money to each other.</p>${promised}
<h2>What is UMA?</h2>
<p>A UMA address is for money what an e-mail address is for messages. It looks like one, with a dollar sign in front, and
whoever knows yours can pay you, whichever provider they use.</p>
<h2>What happens next</h2>
<ol>
<li>Choose a provider that offers UMA addresses, and open an account there. If you have a UMA address
already, use that one.</li>
<li>Give your provider this code: <code>${code}</code></li>
<li>Your provider accepts the invitation for you. Whoever invited you then learns your address, and nothing else about
you.</li>
</ol>
<p class="soft">${expires_at === null ? 'The invitation does not expire.' : html`The invitation is valid until ${renderTime(expires_at)}.`}
Opening this page accepts nothing, and moves no money.</p>`,
  };
}

const ENDED: Readonly<
  Record<Exclude<UmaInvitation['status'], 'PENDING'>, readonly [title: string, text: string]>
> = {
  CLAIMED: [
    'This invitation was accepted',
    'Each can be used once. If you did not accept it yourself, ask for another one.',
  ],
  CANCELLED: ['This invitation was withdrawn', 'It cannot be used any more. You can ask for another one.'],
  EXPIRED: ['This invitation has expired', 'It cannot be used any more. You can ask for another one.'],
};

/** No name and no amount: they were meant for whoever would accept. */
function endedPage({ inviter_uma }: InvitationRow, status: keyof typeof ENDED): PageText {
  const [title, text] = ENDED[status];
  return {
    title,
    body: html`<p role="status">${text}</p>\n<p>It came from <strong>${inviter_uma}</strong>.</p>`,
  };
}

const UNKNOWN: PageText = {
  title: 'This invitation does not exist',
  body: html`<p>Please check that you have copied the whole address, or ask whoever sent it to you.</p>`,
};

const UNAVAILABLE: PageText = {
  title: 'Please try again in a moment',
  body: html`<p>This page cannot be shown right now. Your invitation is not lost: open it again in a minute.</p>`,
};

const STYLE = `${READING_STYLE}
main { max-width: 34rem; padding-top: 3rem; }
h1 { margin-bottom: 1rem; }
li { margin-bottom: .5rem; overflow-wrap: anywhere; }
code { font-size: 1.1rem; letter-spacing: .08em; padding: .1rem .4rem; border: 1px solid var(--line); border-radius: .3rem;
  background: var(--tint); }
`;

function send(reply: FastifyReply, status: number, { title, body }: PageText): FastifyReply {
  return sendHtmlPage(reply, {
    status,
    title,
    body: html`<main>\n<h1>${title}</h1>\n${body}\n</main>`,
    style: STYLE,
    // Whoever has the address may read it; nobody should find it by searching.
    headers: { 'x-robots-tag': 'noindex' },
  });
}
