import type { Address } from '#capabilities/customers/field-schemas.ts';

/** Pure rules for the address of a person's home or of a business. */

const WITH_STATE: readonly string[] = ['US', 'CA'];

/**
 * Returns the required parts that are missing. An absent address lacks all parts that the customer's region requires
 * (customers.md §4.3.6).
 */
export function missingParts(address: Address | undefined, region: string): (keyof Address)[] {
  const parts: (keyof Address)[] = ['line1', 'city', 'postalCode', 'country'];
  if (WITH_STATE.includes(address?.country ?? region)) parts.push('state');
  return parts.filter((part) => address?.[part] === undefined);
}

export interface AddressProblem {
  readonly part: 'line1' | 'postalCode';
  /** Also shown to the person who must correct it. */
  readonly reason: string;
}

export function checkAddress({ line1, postalCode, country }: Address): AddressProblem[] {
  const problems: AddressProblem[] = [];
  if (isPostBox(line1)) problems.push({ part: 'line1', reason: NO_POST_BOX });
  const form = Object.hasOwn(POSTAL_CODES, country) ? POSTAL_CODES[country] : undefined;
  if (form && !form.expression.test(postalCode.trim())) {
    problems.push({ part: 'postalCode', reason: form.reason });
  }
  return problems;
}

const NO_POST_BOX = 'Enter the street and house number, not a post box.';

/** Words for a post box in several languages; street names in those languages do not contain them. */
const POST_BOX =
  /(?<!\p{L})(p\.? ?o\.? ?b(ox|\.)?(?=[ #]*\d)|p\.? ?o\.? ?box|post(al| office)? ?box|postfach|postbus|postboks|bo[iî]te postale|apartado (postal|de correos)|casella postale|caixa postal)(?!\p{L})/iu;
const BOX_NUMBER = /^[ .:#]*(n[ro°º]?\.?|number)?[ .:#]*[\d -]*(-?\p{L}(?!\p{L}))?/iu;
const CARE_OF = /^\s*(c\/o|care of|attn)/i;

/**
 * False if the line also has a street: the post box is then only the mailing address. A named house may have no
 * number, but its name comes before the box.
 */
function isPostBox(line1: string): boolean {
  const found = POST_BOX.exec(line1);
  if (!found) return false;
  const before = line1.slice(0, found.index);
  const after = line1.slice(found.index + found[0].length).replace(BOX_NUMBER, '');
  if (/\d/.test(before) || /\d/.test(after)) return false;
  return !/\p{L}/u.test(before) || CARE_OF.test(before);
}

/** Only countries with a single postal code format, so that no valid address is refused. */
const POSTAL_CODES: Readonly<Record<string, { readonly expression: RegExp; readonly reason: string }>> = {
  US: {
    expression: /^[0-9]{5}(-?[0-9]{4})?$/,
    reason: 'A US ZIP code has 5 digits, or 5 and 4 such as 94105-1234.',
  },
  CA: {
    expression: /^[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]$/i,
    reason: 'A Canadian postal code looks like K1A 0B1.',
  },
  GB: {
    expression: /^(GIR ?0AA|[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2})$/i,
    reason: 'A UK postcode looks like SW1A 1AA.',
  },
};
