import { isObject } from '#foundation/lib/is-object.ts';

/**
 * How much of a field an operator sees without a reason (operator.md §4.1). `none`: all of it. `code`: a status, an id, a
 * time or a number, and nothing that reads like a text. `text`: nothing.
 */
export type Masking =
  | 'none'
  | 'code'
  | 'currency'
  | 'name'
  | 'email'
  | 'phone'
  | 'address'
  | 'number'
  | 'birthDate'
  | 'uma'
  | 'text';

/** A masked value; undefined: nothing is left of it. */
export function maskValue(masking: Masking, value: unknown): unknown {
  if (value === null || value === undefined || masking === 'none') return value;
  if (masking === 'address') return isObject(value) ? pickStrings(value, REGION) : undefined;
  if (masking === 'currency' && isObject(value)) return pickCurrency(value);
  if (Array.isArray(value)) {
    return value.map((one) => maskValue(masking, one)).filter((one) => one !== undefined);
  }
  if (masking === 'code' || masking === 'currency') return isCode(value) ? value : undefined;
  if (masking === 'birthDate' && value instanceof Date) return value.toISOString().slice(0, 4);
  return typeof value === 'string' && value !== '' ? TEXTS[masking](value) : undefined;
}

const HIDDEN = '…';

const TEXTS: Readonly<
  Record<Exclude<Masking, 'none' | 'code' | 'currency' | 'address'>, (text: string) => string | undefined>
> = {
  name: initials,
  email: (text) => maskAddress(text, 1),
  // The first character of a UMA address is its dollar sign.
  uma: (text) => maskAddress(text, text.startsWith('$') ? 2 : 1),
  phone: (text) => lastOf(text, 2),
  number: (text) => lastOf(text, 4),
  birthDate: (text) => /^\d{4}(?=-\d\d-\d\d)/.exec(text)?.[0],
  text: () => undefined,
};

function initials(text: string): string {
  const words = text.split(/[\s\p{P}]+/u).filter((word) => word !== '');
  return words.map((word) => `${[...word][0]}.`).join(' ') || HIDDEN;
}

function maskAddress(text: string, shown: number): string {
  const at = text.lastIndexOf('@');
  return at <= 0 ? HIDDEN : `${[...text].slice(0, shown).join('')}${HIDDEN}${text.slice(at)}`;
}

/** At most half of it, so that a short number does not stay whole. */
function lastOf(text: string, most: number): string {
  const shown = Math.min(most, Math.floor(text.length / 2));
  return HIDDEN + text.slice(text.length - shown);
}

const REGION = ['country', 'countryCode', 'state', 'region'];

/** Countries and regions are short codes or names; anything longer is somebody's text. */
const REGION_MAX = 32;

function pickStrings(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const entries = names.map((name) => [name, value[name]] as const);
  return Object.fromEntries(entries.filter(([, one]) => typeof one === 'string' && one.length <= REGION_MAX));
}

/** Without its name, which a platform may have written. */
function pickCurrency({ code, symbol, decimals }: Record<string, unknown>): unknown {
  const isShown =
    isCode(code) && typeof symbol === 'string' && symbol.length <= 8 && typeof decimals === 'number';
  return isShown ? { code, symbol, decimals } : undefined;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const CODE = new RegExp(
  [
    '^(?:[A-Z][A-Z0-9_.:+/-]{0,63}',
    `(?:[A-Z][A-Za-z]+:)?${UUID}`,
    '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:\\d\\d)',
    '\\d{1,4})$',
  ].join('|'),
);

/** Whether a value is a status, an id, a time, a number or a boolean, whatever its field is called. */
export function isCode(value: unknown): boolean {
  if (typeof value === 'string') return CODE.test(value);
  return ['number', 'boolean', 'bigint'].includes(typeof value) || value instanceof Date;
}
