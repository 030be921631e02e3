import type { ScreenRoute } from './routes.ts';
import type { Found } from './side.ts';
import { setTheme, THEMES } from './theme.tsx';

/** Screens by their names and by what somebody might type to find them. */
export function findScreens(routes: readonly ScreenRoute[], text: string): Found[] {
  const wanted = text.toLowerCase();
  return routes
    .filter(({ name = '', words = '' }) => `${name} ${words}`.toLowerCase().includes(wanted))
    .map(({ name = '', path, key }) => ({
      title: name,
      url: path,
      hint: key === undefined ? '' : `g ${key}`,
    }));
}

export function findTitles(all: readonly Found[], text: string): Found[] {
  const wanted = text.toLowerCase();
  return wanted === '' ? [] : all.filter(({ title }) => title.toLowerCase().includes(wanted));
}

export const THEME_ACTIONS: readonly Found[] = THEMES.map((name) => ({
  title: `Theme: ${name}`,
  hint: 'Action',
  prepare: () => setTheme(name),
}));
