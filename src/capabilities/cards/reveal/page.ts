import type { FastifyInstance, FastifyReply } from 'fastify';
import { SCRIPT, STYLE } from '#capabilities/cards/reveal/page-assets.ts';
import { REVEAL_PATH } from '#capabilities/cards/reveal/reveal-card.ts';
import { type RevealedCard, showCard } from '#capabilities/cards/reveal/show-card.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { answerWithPages, type Html, html, sendHtmlPage } from '#foundation/http/html-page.ts';

/** `/cards/reveal?t=<token>`: the page that shows a card's number to every holder of the address (cards.md §5.4). */
export function registerRevealPage(app: FastifyInstance, runtime: Runtime): void {
  // Without HEAD, because every answered request shows the number and writes an audit row.
  const options = { errorHandler: answerFailure, exposeHeadRoute: false };
  app.get(REVEAL_PATH, options, async (request, reply) => {
    const { t } = request.query as { t?: unknown };
    const visitor = { requestId: request.id, remoteAddress: request.ip };
    const shown = typeof t === 'string' ? await showCard(runtime, t, visitor) : undefined;
    if (!shown) return send(reply, 410, GONE);
    const { frameSources } = shown;
    return send(reply, 200, { title: 'Card details', body: cardBody(shown), script: SCRIPT, frameSources });
  });
}

const answerFailure = answerWithPages(send, () => ({
  unreadable: GONE,
  unreadableStatus: 410,
  unavailable: UNAVAILABLE,
}));

interface RevealPage {
  readonly title: string;
  readonly body: Html;
  readonly script?: string;
  readonly frameSources: readonly string[];
}

/** Pages without card data must not reveal whose address it was, so all of them allow the same frames. */
const ANY_SOURCES = ['https:', 'http://localhost:*', 'http://127.0.0.1:*'];

/** Sends every answer with the headers of cards.md §5.6. */
function send(reply: FastifyReply, status: number, { frameSources, ...page }: RevealPage): FastifyReply {
  const headers = { 'x-robots-tag': 'noindex' };
  return sendHtmlPage(reply, {
    ...page,
    status,
    style: STYLE,
    frameAncestors: frameSources.join(' '),
    headers,
  });
}

/** Hidden until the script runs. Without the script, which hides the data in time, nothing is ever shown. */
function cardBody({ pan, expiry, securityCode, leftMs }: RevealedCard): Html {
  const groups = pan.match(/.{1,4}/g) ?? [];
  const shownGroups = groups.map((group, i) => [
    i > 0 && html`<span class="pan-separator"> </span>`,
    html`<span>${group}</span>`,
  ]);
  return html`<main>
<h1 class="spoken">Card details</h1>
<dl id="card" data-left-ms="${leftMs}" hidden>
<div><dt>Card number</dt><dd><span id="pan" aria-hidden="true">${shownGroups}</span>${renderSpoken(groups)}</dd></div>
<div><dt>Expires</dt><dd id="expiry">${expiry}</dd></div>
<div><dt>Security code</dt><dd><span id="cvv" aria-hidden="true">${securityCode}</span>${renderSpoken([securityCode])}</dd></div>
</dl>
<p id="notice" role="status">This page needs JavaScript, so that it can hide the number again.</p>
</main>`;
}

/** For screen readers, which would read four digits as thousands. */
function renderSpoken(groups: readonly string[]): Html {
  return html`<span class="spoken">${groups.map((group) => [...group].join(' ')).join(', ')}</span>`;
}

/** The same page for an unknown, altered or expired address, and for a closed card (cards.md §5.5). */
const GONE: RevealPage = {
  title: 'Nothing to show',
  body: html`<main>
<h1>This link does not work</h1>
<p>It is invalid or has expired. Go back to the previous page and request the card’s details again.</p>
</main>`,
  frameSources: ANY_SOURCES,
};

const UNAVAILABLE: RevealPage = {
  title: 'Please try again in a moment',
  body: html`<main>
<h1>Please try again in a moment</h1>
<p>This page cannot be shown right now.</p>
</main>`,
  frameSources: ANY_SOURCES,
};
