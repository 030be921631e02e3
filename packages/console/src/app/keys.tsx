import { signal } from '@preact/signals';
import { Dialog } from '../ui/dialog.tsx';
import { isPaletteOpen } from './palette.tsx';
import type { ScreenRoute } from './routes.ts';
import { useSide } from './side.ts';

const isListOpen = signal(false);

const GO_MS = 1_500;

type Go = (url: string) => void;

/** Handles the keys that work on every screen. Returns a function that stops it. */
export function startKeys(go: Go, routes: readonly ScreenRoute[]): () => void {
  let wentAt = Number.NEGATIVE_INFINITY;
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.value;
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isBehindDialog()) return;
    const isAfterG = event.timeStamp - wentAt < GO_MS;
    wentAt = Number.NEGATIVE_INFINITY;
    const route = isAfterG ? routes.find(({ key }) => key === event.key) : undefined;
    if (route) go(route.path);
    else if (event.key === 'g') wentAt = event.timeStamp;
    else if (event.key === '?') isListOpen.value = true;
    else if (event.key === '/') focusFilter();
    else if (event.key === 'j') moveRow(1);
    else if (event.key === 'k') moveRow(-1);
    else return;
    event.preventDefault();
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type=checkbox]):not([type=radio]), select, textarea')
  );
}

function isBehindDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

function focusFilter(): void {
  const filter = document.querySelector<HTMLElement>('main .filters input, main .filters select');
  if (filter) filter.focus();
  else isPaletteOpen.value = true;
}

/** `Enter` on a row is the browser's own: the focus is on its link. */
function moveRow(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('main [data-row-link]')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next =
    at === -1 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
  links[next]?.focus();
  links[next]?.closest('tr')?.scrollIntoView({ block: 'nearest' });
}

/** Lists the keys. */
export function KeyList() {
  const { screens, isListed } = useSide();
  const close = () => {
    isListOpen.value = false;
  };
  const keys: (readonly [string, string])[] = [
    ['Ctrl K or ⌘K', 'Search for an id or a reference, or go to a screen'],
    ['/', 'Go to the filters'],
    ['j, k', 'Next and previous row'],
    ['Enter', 'Open the row'],
    ['?', 'Show this list'],
    ...screens
      .filter((screen) => screen.key !== undefined && isListed(screen))
      .map(({ key, name }) => [`g ${key}`, `Go to ${name}`] as const),
  ];
  return (
    <Dialog title="Keys" isOpen={isListOpen.value} onClose={close}>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
