import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { clockOffsetMs, isSandbox, shownNow, shownPlatformNow } from '../api/clock.ts';
import { docsUrl, session, signOut } from '../api/session.ts';
import { isNamedAfterEnvironment, sayName } from '../ui/text.tsx';
import { formatDuration, formatUtc } from '../ui/time.tsx';
import { Toasts, toast } from '../ui/toast.tsx';
import { KeyList, startKeys } from './keys.tsx';
import { isPaletteOpen, Palette } from './palette.tsx';
import { GROUPS } from './routes.ts';
import { Screens } from './screens.tsx';
import { ThemeSwitch } from './theme.tsx';

const isMenuOpen = signal(false);

export function Shell() {
  const { route, path } = useLocation();
  useEffect(() => startKeys(route), [route]);
  useEffect(() => closeOnEscape(), []);
  // The menu closes when the page changes.
  useEffect(() => {
    isMenuOpen.value = false;
  }, [path]);
  return (
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
  const { platform } = session.value ?? {};
  const environment = platform?.environment ?? '';
  return (
    <header class={`band band-${environment.toLowerCase()}`}>
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
      <a class="band-name" href="/console">
        Corridor
        {platform && !isNamedAfterEnvironment(platform) && (
          <>
            {' '}
            · <bdi>{platform.name}</bdi>
          </>
        )}
      </a>
      <strong class="band-environment">{sayName(environment)}</strong>
      {isSandbox() && clockOffsetMs.value !== 0 && <MovedClock />}
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

/** The sandbox's time, and how far it is ahead. */
function MovedClock() {
  const now = new Date(shownPlatformNow());
  return (
    <span class="band-clock" title={`Real time: ${formatUtc(new Date(shownNow.value).toISOString())}`}>
      Sandbox time <b>{formatUtc(now.toISOString()).slice(0, 16)} UTC</b>
      <span class="band-real">, {formatDuration(clockOffsetMs.value)} ahead of real time</span>
    </span>
  );
}

function Navigation() {
  const { path } = useLocation();
  const leave = () => signOut().catch(() => toast('The sign-out failed.', 'bad'));
  return (
    <nav id="navigation" class={isMenuOpen.value ? 'nav nav-open' : 'nav'} aria-label="Console">
      {GROUPS.map(({ title, routes }) => {
        const shown = routes.filter(
          ({ name, isSandboxOnly }) => name !== undefined && (!isSandboxOnly || isSandbox()),
        );
        return shown.length === 0 ? null : (
          <div key={title} class="nav-group">
            {title !== '' && <p class="nav-title">{title}</p>}
            <ul>
              {shown.map(({ path: to, name }) => (
                <li key={to}>
                  <a href={to} aria-current={isAt(path, to) ? 'page' : undefined}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      <div class="nav-foot">
        {DOCUMENTS.map(([path, name]) => (
          <a key={path} href={docsUrl(path)} target="_blank" rel="noopener">
            {name}
          </a>
        ))}
        <ThemeSwitch />
        <button type="button" class="quiet" onClick={leave}>
          Sign out
        </button>
      </div>
    </nav>
  );
}

const DOCUMENTS = [
  ['/docs/guides', 'Guides'],
  ['/docs/', 'API reference'],
  ['/docs/sandbox', 'Sandbox tables'],
] as const;

function isAt(path: string, to: string): boolean {
  return path === to || (to !== '/console' && path.startsWith(`${to}/`));
}
