import { lockConnector } from '#capabilities/connectors/registry-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import { type BookedLine, postAtBank } from '#capabilities/reconciliation/book-line.ts';
import { findBooksOf } from '#capabilities/reconciliation/booking-store.ts';
import { insertOpening } from '#capabilities/reconciliation/hand-store.ts';
import { findFirstProof } from '#capabilities/reconciliation/operator/reads-store.ts';
import { differenceOf } from '#capabilities/reconciliation/prove-days.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { Refusal, refuse } from '#foundation/lib/refusals.ts';

interface Asked {
  /** The name of the connector. */
  readonly connector: string;
  readonly settlementAccount: string;
  readonly reason: string;
}

/**
 * Books the operator's own money that a settlement account began with (L30, bank-files.md §7.2): the amount that the proof of
 * its first day lacks. So what is in transit on that day stays in transit. The entry counts from that day.
 */
export async function bookOpening(
  tx: Tx,
  { connector, settlementAccount, reason }: Asked,
): Promise<BookedLine> {
  const run = tx.query.bind(tx);
  const found = await lockConnector(run, connector);
  if (!found) throw new Refusal('NOT_FOUND', `There is no connector ${connector}.`);
  const account = { connector_id: found.id, settlement_account: settlementAccount };
  if ((await findBooksOf(run, account)) !== tx.platformId)
    refuse('CONFLICT', 'The platform is not the owner of this settlement account (connector owner).');
  const proof = await findFirstProof(run, account);
  if (!proof) refuse('CONFLICT', 'No statement of this settlement account has come yet.');
  if (proof.is_stale || proof.has_gap)
    refuse('CONFLICT', `The proof of ${proof.day} is not complete yet. Try again in a moment.`);
  const { day, currency } = proof;
  const amount = -differenceOf(proof);
  if (amount === 0n) refuse('CONFLICT', `The books have all money of ${day}: there is nothing to book.`);
  const entryId = postAtBank(tx, { connector, ...account, currency, amount, as: 'OWN' });
  const booked = { platform_id: tx.platformId, entry_id: entryId, day, amount, booked_at: realNow(tx) };
  if (!(await insertOpening(run, { ...account, ...booked })))
    refuse('CONFLICT', 'The opening balance of this settlement account is booked already.');
  const details = { connector, settlementAccount, day, amount: amount.toString(), currency, reason };
  audit(tx, { action: 'connector opening', details });
  return { entryId, amount, currency };
}
