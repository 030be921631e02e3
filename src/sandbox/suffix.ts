/**
 * accounts.md §4.8: the last three characters of the primary identifier, when all are digits. Of an
 * identifier with a domain (PIX email, VPA, Lightning address) only the part before `@` counts.
 */
export function sandboxSuffix(identifier: string): string | undefined {
  const [own = ''] = identifier.split('@', 1);
  return /[0-9]{3}$/.exec(own)?.[0];
}
