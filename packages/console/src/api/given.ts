/**
 * Takes values that may be undefined as those of a request: `JSON.stringify` leaves undefined members out, and the types of the
 * API know them as absent only.
 */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
}
