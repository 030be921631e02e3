import type { ReadTx } from '#foundation/database/tx.ts';
import type { ExplainedEntry } from '#foundation/explanation/explain-entry.ts';
import type { AccountBalance, BookEntry, BookLine } from '#foundation/journal/lines-store.ts';
import { type OwnCurrencies, presentCurrency } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

export function presentEntry({ platformId }: ReadTx, entry: BookEntry) {
  const { reverses, reversed_by: reversedBy, hash } = entry;
  return {
    id: publicId('JournalEntry', entry.id),
    platform: publicId('Platform', platformId),
    ...{ seq: entry.seq.toString(), kind: entry.kind },
    createdAt: entry.created_at.toISOString(),
    recordedAt: entry.recorded_at.toISOString(),
    ...(reverses !== null && { reverses: publicId('JournalEntry', reverses) }),
    ...(reversedBy !== null && { reversedBy: publicId('JournalEntry', reversedBy) }),
    ...(hash !== null && { hash }),
  };
}

export function presentCause({ actor, action, requestId }: ExplainedEntry['cause']) {
  return {
    kind: actor.kind,
    ...(actor.actorId !== undefined && { actorId: actor.actorId }),
    ...(action !== undefined && { action }),
    ...(requestId !== undefined && { requestId }),
  };
}

export function presentBalance({ account, currency, balance: units }: AccountBalance, own: OwnCurrencies) {
  return { account, currency, decimals: presentCurrency(currency, own).decimals, balance: units.toString() };
}

export function presentLine(line: BookLine, currency: string, own: OwnCurrencies) {
  return {
    at: line.at.toISOString(),
    entry: publicId('JournalEntry', line.entry_id),
    seq: line.seq.toString(),
    kind: line.kind,
    ...(line.transaction_id !== null && { transactionId: publicId('Transaction', line.transaction_id) }),
    ...{ currency, decimals: presentCurrency(currency, own).decimals },
    ...{ amount: line.amount.toString(), balance: line.balance.toString() },
  };
}
