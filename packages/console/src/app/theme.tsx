import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const KEPT = 'corridor-theme';

const theme = signal<Theme>(readTheme());

function readTheme(): Theme {
  const kept = localStorage.getItem(KEPT);
  return THEMES.find((name) => name === kept) ?? 'system';
}

/** Light or dark, as the browser prefers it or as it was switched. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset.theme;
  else dataset.theme = theme.value;
}

export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem(KEPT, chosen);
  applyTheme();
}

export function ThemeSwitch() {
  const choose = (event: Event) => setTheme((event.currentTarget as HTMLSelectElement).value as Theme);
  return (
    <label class="theme">
      <span>Theme</span>
      <select value={theme.value} onChange={choose}>
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {name.charAt(0).toUpperCase() + name.slice(1)}
          </option>
        ))}
      </select>
    </label>
  );
}
