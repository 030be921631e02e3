import { receivableAccount, writeOffDebt } from '#capabilities/payments/machine/postings.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { post } from '#foundation/ledger/post.ts';
import { lockBalances } from '#foundation/ledger/store.ts';
import { refuse } from '#foundation/lib/refusals.ts';

export interface WriteOff {
  /** Bare UUID of the customer, or of the platform, that owes. */
  readonly ownerId: Id<'Customer' | 'Platform'>;
  readonly currency: string;
  /** Default: the whole debt. */
  readonly amount?: bigint | undefined;
  readonly reason: string;
}

/** money.md §11.L22: writes a debt off against our fees in that currency. Returns the debt that is left. */
export async function writeOff(tx: Tx, { ownerId, currency, amount, reason }: WriteOff): Promise<bigint> {
  const account = receivableAccount(ownerId, currency);
  const [debt] = await lockBalances(tx, [account]);
  const owed = debt?.balance ?? 0n;
  const writtenOff = amount ?? owed;
  if (owed === 0n) refuse('CONFLICT', `Nothing is owed in ${currency}.`);
  if (writtenOff <= 0n || writtenOff > owed) refuse('CONFLICT', `The amount must be from 1 to ${owed}.`);
  post(tx, { kind: 'debt.written_off', lines: writeOffDebt(account, currency, writtenOff) });
  audit(tx, {
    action: 'receivable write-off',
    resource: account,
    customerId: ownerId === tx.platformId ? null : ownerId,
    details: { reason, amount: writtenOff.toString(), currency },
  });
  return owed - writtenOff;
}
