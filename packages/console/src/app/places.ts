/** How far each address was scrolled, and which row had the focus: `back` finds a list as it was left. */
const places = new Map<string, { readonly scroll: number; readonly row: string | undefined }>();

const WAIT_MS_MAX = 2_000;

let isReturning = false;

export function keepPlaces(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => {
    isReturning = true;
  });
  const keep = () => {
    const focused = document.activeElement?.closest('[data-row-link]')?.getAttribute('href') ?? undefined;
    places.set(currentUrl(), { scroll: scrollY, row: focused });
  };
  addEventListener('scrollend', keep, { passive: true });
  addEventListener('focusin', keep, { passive: true });
}

function currentUrl(): string {
  return location.pathname + location.search;
}

/** After a change of the page the focus is on its heading, or where it was if somebody went back. */
export function showPlace(): void {
  const place = isReturning ? places.get(currentUrl()) : undefined;
  isReturning = false;
  if (place) returnTo(place.scroll, place.row, performance.now() + WAIT_MS_MAX);
  else document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** The rows may need a moment until they are there. */
function returnTo(scroll: number, row: string | undefined, deadline: number): void {
  const link =
    row === undefined
      ? null
      : document.querySelector<HTMLElement>(`[data-row-link][href="${CSS.escape(row)}"]`);
  const isThere =
    (row === undefined || link !== null) && document.documentElement.scrollHeight >= scroll + innerHeight;
  if (!isThere && performance.now() < deadline) {
    requestAnimationFrame(() => returnTo(scroll, row, deadline));
    return;
  }
  scrollTo(0, scroll);
  (link ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
}
