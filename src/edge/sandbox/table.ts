/**
 * Everything that a developer can trigger in the sandbox is a row of a table. The adapters look up what to do here,
 * `/docs/sandbox` shows the rows, and a test tries each of them.
 */
export interface SandboxTable<Does = unknown> {
  /** Its anchor on `/docs/sandbox`. */
  readonly id: string;
  readonly title: string;
  /** Where the value is sent, and what it decides. */
  readonly intro: string;
  /** The heading of the first column. */
  readonly column: string;
  /** The operations that it affects. */
  readonly operations: readonly string[];
  readonly rows: readonly SandboxRow<Does>[];
  /** What any other value does; absent if there are no others. */
  readonly otherwise?: SandboxRow<Does>;
}

/** A table with a default: it has a row for every value. */
export interface CompleteTable<Does> extends SandboxTable<Does> {
  readonly otherwise: SandboxRow<Does>;
}

export interface SandboxRow<Does = unknown> {
  /** The value that selects the row. */
  readonly value: string;
  /** A complete value to copy that selects it. */
  readonly example: string;
  /** What happens, and when, in a sentence for people. */
  readonly effect: string;
  /** The final state in the API: values by their paths. */
  readonly shows: Readonly<Record<string, unknown>>;
  /** How long that takes; absent if it happens at once. */
  readonly overAfterMs?: number;
  /** What the adapter does. */
  readonly does: Does;
}

export function rowFor<Does>(
  { rows, otherwise }: CompleteTable<Does>,
  value: string | undefined,
): SandboxRow<Does> {
  return rows.find((row) => row.value === value) ?? otherwise;
}

/**
 * accounts.md §4.8: the last three characters of the primary identifier, if all are digits. In an
 * identifier with a domain (PIX email, VPA, Lightning address) only the part before `@` is used.
 */
export function sandboxSuffix(identifier: string): string | undefined {
  const [own = ''] = identifier.split('@', 1);
  return /[0-9]{3}$/.exec(own)?.[0];
}

/** For names and registration numbers: the last three characters, digits or not. */
export function lastThree(text: string): string {
  return text.trim().slice(-3);
}
