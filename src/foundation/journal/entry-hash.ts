import { createHash } from 'node:crypto';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';

/** An entry with all its lines, every number and time as text, as the chain hashes it. */
export interface ChainedEntry {
  readonly seq: string;
  readonly id: string;
  readonly transactionId: string | null;
  readonly reversesSeq: string | null;
  /** Business time and real time, in UTC with microseconds. */
  readonly createdAt: string;
  readonly recordedAt: string;
  readonly ordinal: string;
  readonly kind: string;
  readonly step: string;
  readonly accounts: readonly string[];
  readonly currencies: readonly string[];
  /** Debit above zero, credit below. */
  readonly amounts: readonly string[];
  readonly accountNos: readonly (string | null)[];
  readonly balances: readonly (string | null)[];
}

/** The hash before the first entry of a chain. */
export const CHAIN_START = '0'.repeat(64);

const FORM = 'corridor-journal-1';

/** Returns the SHA-256, in hexadecimal digits, of the canonical JSON (RFC 8785) of an entry and the hash before it. */
export function hashEntry(platformId: string, entry: ChainedEntry, before: string): string {
  return createHash('sha256')
    .update(canonicalJson({ form: FORM, before, platformId, ...entry }))
    .digest('hex');
}
