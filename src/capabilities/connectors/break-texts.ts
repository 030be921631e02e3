import { findBehindBreak } from '#capabilities/connectors/people-store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { peopleOfReport } from '#foundation/person-keys/people.ts';

/**
 * Texts of operators about a break. A text may describe a person, so it is sealed for the customer behind the break, and
 * otherwise for the strangers of the month.
 */

/** The columns of `connector_breaks` with texts that operators write. */
export type BreakText = 'resolution_sealed' | 'notes';

export function textContext(column: BreakText, breakId: string): string {
  return `connector_breaks.${column}:${breakId}`;
}

export async function sealBreakText(
  tx: Tx,
  breakId: string,
  column: BreakText,
  text: string,
): Promise<Buffer> {
  const behind = await findBehindBreak(tx.query.bind(tx), breakId);
  return tx.vault.sealFor(peopleOfReport(tx.runtime, behind), text, textContext(column, breakId));
}

/** The customer for whom the audit row about a break seals its reason; null: nobody is known, or is erased. */
export async function concernedByBreak(tx: Tx, breakId: string): Promise<CustomerId | null> {
  const behind = await findBehindBreak(tx.query.bind(tx), breakId);
  return behind.find(({ customer_id }) => !tx.runtime.personKeys.isErased(customer_id))?.customer_id ?? null;
}

/** Undefined if nobody wrote it, or if the customer behind the break was erased. */
export async function openBreakText(
  { runtime, vault }: Pick<ReadTx, 'runtime' | 'vault'>,
  row: { readonly id: string } & { readonly [Column in BreakText]?: Buffer | null },
  column: BreakText,
): Promise<string | undefined> {
  const sealed = row[column] ?? null;
  if (sealed === null) return undefined;
  await runtime.personKeys.loadFor([sealed]);
  return vault.openKept(sealed, textContext(column, row.id));
}
