/**
 * The value, or undefined if the decoder throws. The libraries that read addresses, invoices and signatures throw on
 * malformed text; for a check, "malformed" is an ordinary result.
 */
export function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
