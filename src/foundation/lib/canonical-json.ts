import canonicalize from 'canonicalize';

/**
 * RFC 8785 canonical JSON of a parsed value: keys sorted by UTF-16 code units, no spaces. Two bodies that
 * mean the same give the same text, whatever their key order or white space. A value that JSON cannot express is null.
 */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? 'null';
}
