import { clockOffsetMs, isSandbox, shownNow, shownPlatformNow } from '../api/clock.ts';
import { docsUrl, session, signOut } from '../api/session.ts';
import { isNamedAfterEnvironment, sayName } from '../ui/text.tsx';
import { formatDuration, formatUtc } from '../ui/time.tsx';
import { findScreens } from './find-screens.ts';
import { findActions, findAll, findNames } from './finders.ts';
import { GROUPS, ROUTES, type ScreenRoute } from './routes.ts';
import { lazyScreens } from './screens.tsx';
import type { Side } from './side.ts';

/** The platform of the session, with what its token may do. */
export const DEVELOPER_SIDE: Side = {
  home: '/console',
  groups: GROUPS,
  screens: lazyScreens(ROUTES),
  isShown,
  isListed,
  name: () => <PlatformName />,
  environment() {
    const environment = session.value?.platform.environment ?? '';
    return { kind: environment.toLowerCase(), word: sayName(environment) };
  },
  notes: () => isSandbox() && clockOffsetMs.value !== 0 && <MovedClock />,
  links: () => [
    [docsUrl('/docs/guides'), 'Guides'],
    [docsUrl('/docs/'), 'API reference'],
    [docsUrl('/docs/sandbox'), 'Sandbox tables'],
  ],
  signOut,
  findable: 'name, e-mail address, reference, amount',
  findAtOnce: (text) => [
    ...findNames(text),
    ...findScreens(ROUTES.filter(isListed), text),
    ...findActions(text),
  ],
  find: findAll,
};

function isShown({ isSandboxOnly }: ScreenRoute): boolean {
  return !isSandboxOnly || isSandbox();
}

function isListed(route: ScreenRoute): boolean {
  return route.name !== undefined && isShown(route);
}

function PlatformName() {
  const { platform } = session.value ?? {};
  if (!platform || isNamedAfterEnvironment(platform)) return null;
  return (
    <>
      {' '}
      · <bdi>{platform.name}</bdi>
    </>
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
