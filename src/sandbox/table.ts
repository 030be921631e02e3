import type { IdSource } from '#lib/ids.ts';

/**
 * Everything that a developer can produce on purpose in the sandbox is a row of a table. The sandbox acts by these rows,
 * `/docs/sandbox` shows them, and a test tries each of them.
 */
export interface SandboxTable<Does = unknown> {
  /** Its anchor on the page. */
  readonly id: string;
  readonly title: string;
  /** Where the value goes, and what it decides. */
  readonly intro: string;
  /** The heading of the first column. */
  readonly column: string;
  /** The operations in which it counts. */
  readonly operations: readonly string[];
  readonly rows: readonly SandboxRow<Does>[];
  /** What every other value does; absent where there are no others. */
  readonly otherwise?: SandboxRow<Does>;
}

/** A table that knows an answer to every value. */
export interface WholeTable<Does> extends SandboxTable<Does> {
  readonly otherwise: SandboxRow<Does>;
}

export interface SandboxRow<Does = unknown> {
  /** What chooses the row. */
  readonly value: string;
  /** A complete value to copy that chooses it. */
  readonly example: string;
  /** What happens, and when: a sentence for people. */
  readonly effect: string;
  /** What the API shows when it is over, by the path to it. */
  readonly shows: Readonly<Record<string, unknown>>;
  /** When it is over, where that takes time. */
  readonly overAfterMs?: number;
  /** What the sandbox acts by. */
  readonly does: Does;
}

/** The row that this value chooses. */
export function rowFor<Does>(
  { rows, otherwise }: WholeTable<Does>,
  value: string | undefined,
): SandboxRow<Does> {
  return rows.find((row) => row.value === value) ?? otherwise;
}

/**
 * accounts.md §4.8: the last three characters of the primary identifier, when all are digits. Of an
 * identifier with a domain (PIX email, VPA, Lightning address) only the part before `@` counts.
 */
export function sandboxSuffix(identifier: string): string | undefined {
  const [own = ''] = identifier.split('@', 1);
  return /[0-9]{3}$/.exec(own)?.[0];
}

const CHOOSES_A_ROW = /00[0-9]$/;

/** An id stands where a developer gave no name: it may not end in what chooses a row (platform.md §1.2.1). */
export function withoutSuffixes(newId: IdSource): IdSource {
  return () => {
    let id = newId();
    while (CHOOSES_A_ROW.test(id)) id = newId();
    return id;
  };
}

/** Of names and registration numbers: the last three characters, whatever they are. */
export function lastThree(text: string): string {
  return text.trim().slice(-3);
}
