import { READING_STYLE } from '#foundation/http/html-page.ts';

/** Small enough for an iframe. */
export const STYLE = `${READING_STYLE}
main { max-width: 24rem; padding: 1rem; }
h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
p { margin: 0; }
dl { margin: 0; display: flex; flex-wrap: wrap; gap: .75rem 2rem; font-variant-numeric: tabular-nums; }
dl[hidden] { display: none; }
dl > div:first-child { flex-basis: 100%; }
dt { font-size: .85rem; color: var(--soft); }
dd { margin: 0; font-size: 1.25rem; white-space: nowrap; }
#pan { user-select: all; }
.pan-separator, .spoken { user-select: none; }
.spoken { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); }
`;

/**
 * Removes the card's data from the page when its time is over (cards.md §5.5). Time is counted from the beginning of
 * the navigation, before the server measured the remaining time, so that the page is never late. Of two clocks the one
 * that is ahead decides: the first stops while the machine sleeps, the second may be set back. A page is emptied when
 * the user leaves it, and reloaded when the browser restores it from memory.
 */
export const SCRIPT = `
(() => {
  const card = document.getElementById('card');
  const leftMs = Number(card.dataset.leftMs);
  const openedAt = Date.now();
  const say = (text) => { document.getElementById('notice').textContent = text; };
  const blank = (notice) => {
    clearInterval(timer);
    card.replaceChildren();
    card.hidden = true;
    say(notice);
  };
  const check = () => {
    if (Math.max(performance.now(), Date.now() - openedAt) < leftMs) return;
    blank('The card’s details are no longer shown. Go back to the previous page and request them again.');
  };
  const timer = setInterval(check, 500);
  for (const event of ['visibilitychange', 'focus']) addEventListener(event, check);
  addEventListener('pagehide', () => blank(''));
  addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });
  say('');
  card.hidden = false;
  check();
})();
`;
