/** The description of a payment that is made again: it may be personal, so it is kept in memory and not in the address. */
let description: string | undefined;

export function keepDescription(text: string | undefined): void {
  description = text;
}

/** The kept description, once. */
export function takeDescription(): string | undefined {
  const kept = description;
  description = undefined;
  return kept;
}
