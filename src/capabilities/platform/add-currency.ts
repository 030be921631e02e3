import { findOwnCurrency, insertCurrency } from '#capabilities/platform/platform-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { isCurrencyCode, type OwnCurrency } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, refuse } from '#foundation/lib/refusals.ts';

/** The most decimals that any of the built-in currencies has. */
const DECIMALS_MAX = 8;
const TEXT_MAX = 255;

/**
 * Adds a currency that only this platform has. Requests and jobs that start after the commit know it. It is never
 * changed or removed, because amounts are stored in its smallest unit. Adding the same currency again does nothing.
 */
export async function addCurrency(tx: Tx, currency: OwnCurrency): Promise<void> {
  const { code, name, symbol, decimals } = currency;
  const errors = checkCurrency(currency);
  if (errors.length > 0) throw invalidFields(errors);
  if (isCurrencyCode(code)) refuse('CONFLICT', `${code} is a built-in currency.`, { code });
  const terms = { name, symbol, decimals };
  if (await insertCurrency(tx, { code, ...terms })) {
    const resource = publicId('Platform', tx.platformId);
    audit(tx, { action: 'currency add', resource, details: { code, ...terms } });
    return;
  }
  if (canonicalJson(await findOwnCurrency(tx, code)) !== canonicalJson({ code, ...terms })) {
    const reason = `The platform already has a currency ${code} with a different name, symbol or number of decimals.`;
    refuse('CONFLICT', reason, { code });
  }
}

function checkCurrency({ code, name, symbol, decimals }: OwnCurrency): FieldError[] {
  const errors: FieldError[] = [];
  if (!/^[A-Z][A-Z0-9]{2,9}$/.test(code)) {
    errors.push({ field: 'code', message: 'must be 3 to 10 upper-case letters and digits, a letter first' });
  }
  for (const [field, text] of Object.entries({ name, symbol })) {
    if (text.trim() === '' || text.length > TEXT_MAX || /\p{Cc}/u.test(text)) {
      errors.push({
        field,
        message: `must have 1 to ${TEXT_MAX} characters and no control characters`,
      });
    }
  }
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > DECIMALS_MAX) {
    errors.push({ field: 'decimals', message: `must be a whole number from 0 to ${DECIMALS_MAX}` });
  }
  return errors;
}
