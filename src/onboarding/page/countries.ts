import { iso31661 } from 'iso-3166';
import { type Html, html } from '#http/html.ts';

/** Every country by its English name, one of them chosen. */
export function countryOptions(chosen: string): Html {
  return html`<option value="">Choose a country</option>${COUNTRIES.map(
    ([code, name]) => html`<option value="${code}"${code === chosen && html` selected`}>${name}</option>`,
  )}`;
}

const NAMES = new Intl.DisplayNames('en', { type: 'region' });

const COUNTRIES: readonly (readonly [code: string, name: string])[] = iso31661
  .filter(({ state }) => state === 'assigned')
  .map(({ alpha2 }) => [alpha2, NAMES.of(alpha2) ?? alpha2] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'en'));
