import type { OperationRow, StoredOperation } from '#capabilities/stablecoins/operations/row.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/**
 * Seals the note and the instructions of an operation with the customer's key, or with a data key for the platform's
 * own operations.
 */
export function sealOperation(vault: PersonVault, row: OperationRow): StoredOperation {
  const { description, funding_instructions: instructions } = row;
  const seal = (column: Column, text: string) =>
    vault.sealFor(peopleOf(row), text, operationContext(column, row));
  return {
    ...row,
    description: null,
    funding_instructions: null,
    note: description === null ? null : seal('note', description),
    funding: instructions === null ? null : seal('funding', JSON.stringify(instructions)),
  };
}

/** Opens the operations of one read. Values that named an erased customer are left out. */
export async function openOperations(
  { vault, runtime }: Pick<ReadTx, 'vault' | 'runtime'>,
  rows: readonly StoredOperation[],
): Promise<OperationRow[]> {
  await runtime.personKeys.loadFor(rows.flatMap(({ note, funding }) => [note, funding]));
  return rows.map(({ note, funding, ...row }) => {
    const open = (column: Column, sealed: Buffer | null) =>
      sealed === null ? undefined : vault.openKept(sealed, operationContext(column, row));
    const instructions = open('funding', funding);
    return {
      ...row,
      description: open('note', note) ?? row.description,
      funding_instructions: instructions === undefined ? row.funding_instructions : JSON.parse(instructions),
    };
  });
}

/** Returns the customer whom an operation names, if there is one. */
export function peopleOf({ customer_id: id }: Pick<OperationRow, 'customer_id'>): CustomerId[] {
  return id === null ? [] : [id];
}

type Column = 'note' | 'funding' | 'instruments';

/** Returns the context to which a sealed value is bound. */
export function operationContext(column: Column, { id }: Pick<OperationRow, 'id'>): string {
  return `stablecoin_operations.${column}:${id}`;
}
