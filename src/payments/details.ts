import type { Vault } from '#crypto/vault.ts';
import type { Private, TransactionRow } from '#payments/row.ts';

/** Null where there is nothing to hide. */
export function sealPrivate(vault: Vault, id: string, facts: Private): Buffer | null {
  return Object.keys(facts).length === 0 ? null : vault.seal(JSON.stringify(facts), contextOf(id));
}

/** Empty where there was nothing, and after the customer was erased. */
export function openPrivate(vault: Vault, row: Pick<TransactionRow, 'id' | 'private'>): Private {
  return row.private === null ? {} : (JSON.parse(vault.openText(row.private, contextOf(row.id))) as Private);
}

/** The place that the sealed value is bound to; the migration says the same. */
function contextOf(id: string): string {
  return `transactions.private:${id}`;
}
