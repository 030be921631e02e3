import { ledgerAccountsOf } from '#accounts/ledger-accounts.ts';
import { presentInternalAccount } from '#accounts/present.ts';
import type { AccountStatus } from '#accounts/schemas.ts';
import { type AccountRow, findAccounts } from '#accounts/store.ts';
import type { Tx } from '#database/tx.ts';
import { emit } from '#events/emit.ts';
import type { FactualEvent, Renderer } from '#events/renderers.ts';
import { lockBalances } from '#ledger/owned-balances.ts';
import { publicId } from '#lib/ids.ts';

export const ACCOUNT_EVENTS = [
  'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  'INTERNAL_ACCOUNT.STATUS_UPDATED',
  'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED',
] as const;

export type AccountEvent = (typeof ACCOUNT_EVENTS)[number];

/**
 * Tells of accounts as they stand now, after the change (accounts.md §2.6): one event for each of them. Nothing is
 * posted to them from here on, so that the event told last, of this or of a posting, is true of both.
 */
export async function emitAccounts(
  tx: Tx,
  type: AccountEvent,
  ids: readonly string[],
): Promise<AccountRow[]> {
  if (ids.length === 0) return [];
  await lockBalances(tx, ids.flatMap(ledgerAccountsOf));
  const rows = await findAccounts(tx, ids);
  for (const row of rows) emitAccount(tx, type, row);
  return rows;
}

export function emitAccount(tx: Tx, type: AccountEvent, row: AccountRow): void {
  emit(tx, {
    type,
    resourceId: publicId('InternalAccount', row.id),
    data: presentInternalAccount(tx, row),
  });
}

/** What `internal_account_facts` keeps of the moment; amounts are text, since JSON numbers are not exact. */
interface AccountFacts {
  readonly id: string;
  readonly status: AccountStatus;
  readonly fundingCount: number;
  readonly privateEnabled: boolean;
  readonly available: string;
  readonly total: string;
  readonly updatedAt: string;
}

/**
 * Events that SQL functions made. What can change is taken from the facts, the rest from the row: owner, type,
 * currency and the instructions, of which only the first so many were there at the time.
 */
export const renderAccountEvents: Renderer = async (tx, events) => {
  const facts = events.map((event) => event.facts as AccountFacts);
  const rows = await findAccounts(tx, [...new Set(facts.map(({ id }) => id))]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return events.map((event, i) => presentInternalAccount(tx, rowAt(event, facts[i], byId)));
};

function rowAt(
  event: FactualEvent,
  facts: AccountFacts | undefined,
  rows: ReadonlyMap<string, AccountRow>,
): AccountRow {
  const row = facts && rows.get(facts.id);
  if (!row) throw new Error(`event ${event.id} tells of an account that is not there`);
  return {
    ...row,
    status: facts.status,
    funding_count: facts.fundingCount,
    private_enabled: facts.privateEnabled,
    available: BigInt(facts.available),
    total: BigInt(facts.total),
    updated_at: new Date(facts.updatedAt),
  };
}
