/** accounts.md §4.1, BIC: four letters of bank, two of country, two characters of place, three of branch. */
export const BIC_FORMAT = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** accounts.md §4.2, BIC country: the fifth and sixth letters. */
export function isBicOfCountry(bic: string, country: string): boolean {
  return BIC_FORMAT.test(bic) && bic.slice(4, 6) === country;
}
