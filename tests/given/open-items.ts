import { pageReceivables, pageSuspended } from '#capabilities/payments/operator/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Receivable, Suspended } from '#foundation/ledger/open-items-store.ts';

/** All of a platform, of which a test has few. */
const whole = () => ({
  ...{ list: 'open items', filters: {}, limit: 1_000, cursor: undefined },
  part: { after: undefined, keys: [] },
});

/** Money in SUSPENSE, the oldest first. */
export async function listSuspended(tx: ReadTx): Promise<Suspended[]> {
  const { data } = await pageSuspended(tx, whole(), (row) => row);
  return data.toSorted((one, other) => Number(one.seq - other.seq));
}

/** Debts, by their accounts. */
export async function listReceivables(tx: ReadTx): Promise<Receivable[]> {
  const { data } = await pageReceivables(tx, whole(), (row) => row);
  return data.toSorted((one, other) => (one.account < other.account ? -1 : 1));
}
