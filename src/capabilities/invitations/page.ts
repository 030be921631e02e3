import type { FastifyInstance, FastifyReply } from 'fastify';
import type { OpenBusiness, OpenPerson } from '#capabilities/customers/customer-row.ts';
import { invitationStatus, invitationTime } from '#capabilities/invitations/present.ts';
import type { UmaInvitation } from '#capabilities/invitations/schemas.ts';
import { findInvitationSnapshot, type InvitationSnapshot } from '#capabilities/invitations/store.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import {
  answerWithPages,
  type Html,
  html,
  READING_STYLE,
  renderTime,
  sendHtmlPage,
} from '#foundation/http/html-page.ts';
import { showAmount } from '#foundation/lib/currencies.ts';

/** `/i/<code>`: the page for the invited person (platform.md §5.2a). */
export function registerInvitationPage(app: FastifyInstance, runtime: Runtime): void {
  app.get<{ Params: { code: string } }>(
    '/i/:code',
    { errorHandler: answerFailure },
    async (request, reply) => {
      const found = await findInvitationSnapshot(runtime, request.params.code);
      return found
        ? send(reply, 200, buildPageText(found, invitationTime(found, runtime)))
        : send(reply, 404, UNKNOWN);
    },
  );
}

const answerFailure = answerWithPages(send, () => ({ unreadable: UNKNOWN, unavailable: UNAVAILABLE }));

interface PageText {
  readonly title: string;
  readonly body: Html;
}

function buildPageText(invitation: InvitationSnapshot, now: Date): PageText {
  const status = invitationStatus(invitation.row, now);
  return status === 'PENDING' ? pendingPage(invitation) : endedPage(invitation, status);
}

function pendingPage(invitation: InvitationSnapshot): PageText {
  const { row, platform, umaDomain } = invitation;
  const { code, inviter_uma, first_name, amount, currency, expires_at } = row;
  const provider = html`<strong><bdi>${platformName(invitation)}</bdi></strong>`;
  const name = inviterName(invitation.inviter);
  const inviter = name === undefined ? 'The customer who invited you' : html`<bdi>${name}</bdi>`;
  const promised =
    amount !== null &&
    currency !== null &&
    html`
<p>They want to send you <strong>${showAmount(amount, currency, platform.ownCurrencies)}</strong> once you have accepted.</p>`;
  return {
    title: 'You are invited',
    body: html`${first_name !== null && html`<p>Hello <bdi>${first_name}</bdi>,</p>\n`}<p>${name === undefined ? html`A customer of ${provider}` : html`<strong>${inviter}</strong>, a customer of ${provider},`} invites you to UMA, so that you can send money to each other.</p>${promised}
<p class="soft">Their UMA address is <bdi>${inviter_uma}</bdi>.</p>
<h2>What is UMA?</h2>
<p>A UMA address is for money what an e-mail address is for messages. It looks like one, with a dollar sign in front, and
anyone who knows yours can pay you, whichever provider they use.</p>
<h2>What happens next</h2>
<ol>
<li>Open an account with ${provider}${umaDomain !== null && html` (${umaDomain})`}, or with another provider that offers UMA
addresses. If you have a UMA address already, stay with the provider that gave it to you.</li>
<li>Give your provider this code: <code>${code}</code></li>
<li>Your provider accepts the invitation for you. ${inviter} then learns your address, and nothing else about you.</li>
</ol>
<p class="soft">${expires_at === null ? 'The invitation does not expire.' : html`The invitation is valid until ${renderTime(expires_at)}.`}
Opening this page accepts nothing, and moves no money. It never asks for a password, a card or a payment. If you do not know
who invites you, ignore it.</p>`,
  };
}

const ENDED: Readonly<
  Record<Exclude<UmaInvitation['status'], 'PENDING'>, readonly [title: string, text: string]>
> = {
  CLAIMED: [
    'This invitation was accepted',
    'Each invitation can be used once. If you did not accept it yourself, ask for another one.',
  ],
  CANCELLED: ['This invitation was withdrawn', 'It cannot be used any more. You can ask for another one.'],
  EXPIRED: ['This invitation has expired', 'It cannot be used any more. You can ask for another one.'],
};

/** Shows no name and no amount, which were meant only for the person who would accept. */
function endedPage(invitation: InvitationSnapshot, status: keyof typeof ENDED): PageText {
  const [title, text] = ENDED[status];
  return {
    title,
    body: html`<p role="status">${text}</p>
<p>It came from a customer of <strong><bdi>${platformName(invitation)}</bdi></strong>, with the UMA address
<bdi>${invitation.row.inviter_uma}</bdi>.</p>`,
  };
}

/** Returns the platform's name as its messages to customers use it. */
function platformName({ appName, platform }: InvitationSnapshot): string {
  return appName ?? platform.name;
}

/**
 * platform.md §5.2b: friends recognise the name, but others who get hold of the link do not learn the full name. A
 * name of one word is shown in full.
 */
function inviterName({ customer_type, profile }: InvitationSnapshot['inviter']): string | undefined {
  if (customer_type === 'BUSINESS') {
    const { doingBusinessAs, legalName } = profile as OpenBusiness;
    return doingBusinessAs ?? legalName;
  }
  const [first, ...others] = (profile as OpenPerson).fullName?.trim().split(/\s+/) ?? [];
  const [initial] = [...(others.at(-1) ?? [])];
  return initial === undefined ? first : `${first} ${initial}.`;
}

const UNKNOWN: PageText = {
  title: 'This invitation does not exist',
  body: html`<p>Please check that you have copied the whole address, or ask the person who sent it to you.</p>`,
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
    // Anyone with the link may read the page, but search engines must not list it.
    headers: { 'x-robots-tag': 'noindex' },
  });
}
