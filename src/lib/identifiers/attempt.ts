/**
 * The value, or undefined where the decoder refuses its input. The libraries that read addresses, invoices
 * and signatures throw on malformed text; for a check, malformed is an ordinary answer.
 */
export function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
