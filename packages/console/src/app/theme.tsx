import { signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
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

export function ThemeSwitch() {
  const choose = (event: Event) => {
    theme.value = (event.currentTarget as HTMLSelectElement).value as Theme;
    localStorage.setItem(KEPT, theme.value);
    applyTheme();
  };
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
