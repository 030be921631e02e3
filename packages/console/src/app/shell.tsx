import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Toasts, toast } from '../ui/toast.tsx';
import { KeyList, startKeys } from './keys.tsx';
import { isPaletteOpen, Palette } from './palette.tsx';
import type { RouteGroup } from './routes.ts';
import { Screens } from './screens.tsx';
import { type Side, SideProvider, useSide } from './side.ts';
import { ThemeSwitch } from './theme.tsx';

const isMenuOpen = signal(false);

export function Shell({ side }: { side: Side }) {
  const { route, path } = useLocation();
  useEffect(() => startKeys(route, side.screens.filter(side.isListed)), [route, side]);
  useEffect(() => closeOnEscape(), []);
  // The menu closes when the page changes.
  useEffect(() => {
    isMenuOpen.value = false;
  }, [path]);
  return (
    <SideProvider value={side}>
      <div class="shell">
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Band />
        <Navigation />
        <main id="main" tabIndex={-1}>
          <Screens />
        </main>
        <Palette />
        <KeyList />
        <Toasts />
      </div>
    </SideProvider>
  );
}

function closeOnEscape(): () => void {
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') isMenuOpen.value = false;
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

/** Makes sandbox and production look different. */
function Band() {
  const side = useSide();
  const { kind, word } = side.environment();
  return (
    <header class={`band band-${kind}`}>
      <button
        type="button"
        class="band-menu"
        aria-expanded={isMenuOpen.value}
        aria-controls="navigation"
        onClick={() => {
          isMenuOpen.value = !isMenuOpen.value;
        }}
      >
        {isMenuOpen.value ? 'Close' : 'Menu'}
      </button>
      <a class="band-name" href={side.home}>
        Corridor{side.name()}
      </a>
      <strong class="band-environment">{word}</strong>
      {side.notes()}
      <button
        type="button"
        class="band-find"
        onClick={() => {
          isPaletteOpen.value = true;
        }}
      >
        <span>Search</span>
        <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
    </header>
  );
}

function Navigation() {
  const side = useSide();
  return (
    <nav id="navigation" class={isMenuOpen.value ? 'nav nav-open' : 'nav'} aria-label="Console">
      {side.groups.map((group) => (
        <Group key={group.title} {...group} />
      ))}
      <div class="nav-foot">
        {side.links().map(([url, name]) => (
          <a key={url} href={url} target="_blank" rel="noopener">
            {name}
          </a>
        ))}
        <ThemeSwitch />
        <button
          type="button"
          class="quiet"
          onClick={() => side.signOut().catch(() => toast('The sign-out failed.', 'bad'))}
        >
          Sign out
        </button>
      </div>
    </nav>
  );
}

function Group({ title, routes }: RouteGroup) {
  const { home, isListed } = useSide();
  const { path } = useLocation();
  const shown = routes.filter(isListed);
  if (shown.length === 0) return null;
  return (
    <div class="nav-group">
      {title !== '' && <p class="nav-title">{title}</p>}
      <ul>
        {shown.map(({ path: to, name }) => (
          <li key={to}>
            <a href={to} aria-current={isAt(path, to, home) ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function isAt(path: string, to: string, home: string): boolean {
  return path === to || (to !== home && path.startsWith(`${to}/`));
}
