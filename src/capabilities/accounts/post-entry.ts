import { BALANCE_EVENTS, LOCKED_ACCOUNTS, type RequiredStatus } from '#capabilities/accounts/commit-store.ts';
import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { isHeard } from '#foundation/events/emit.ts';
import type { Entry } from '#foundation/ledger/entries.ts';
import { ACCOUNT_KINDS, type Account, type AccountKindName } from '#foundation/ledger/kinds.ts';
import { effectOf, post } from '#foundation/ledger/post.ts';

/**
 * Posts an entry, with an event for each internal account whose balance or total it changes (money.md §10.4,
 * accounts.md §2.3.23). This is the only way to move money in and out of internal accounts.
 */
export function postEntry(changes: Changes, entry: Entry): void {
  const moved = movedAccounts(entry);
  // An entry that moves only held or pending money also locks AVAIL, so that an event shows balances of one moment.
  const alsoLocked = moved
    .filter(({ touchesAvailable }) => !touchesAvailable)
    .map(({ id, currency }) => ({ account: availAccountOf(id), currency }));
  post(changes, alsoLocked.length > 0 ? { ...entry, alsoLocked } : entry);
  const { platformId, now } = changes;
  const event = { platformId, isHeard: isHeard(changes), now, mustBeActive: false };
  for (const { id, available, total } of moved) {
    changes.collect(BALANCE_EVENTS, { ...event, eventId: changes.newId<'Webhook'>(), id, available, total });
  }
}

/** Ends the commit as `stale` if this account, whose money its entries move, is closed or frozen by then. */
export function requireActive(changes: Changes, id: AccountId): void {
  const { platformId, now } = changes;
  const event = { platformId, isHeard: isHeard(changes), now, eventId: changes.newId<'Webhook'>() };
  changes.collect(BALANCE_EVENTS, { ...event, mustBeActive: true, id, available: 0n, total: 0n });
}

/**
 * Locks an account during the commit, which ends as `stale` if the status is not the required one. Use it for accounts
 * whose ledger accounts no entry of the commit locks; otherwise `requireActive` is enough.
 */
export function lockAccountStatus(changes: Changes, id: AccountId, required: RequiredStatus): void {
  changes.collect(LOCKED_ACCOUNTS, { platformId: changes.platformId, id, required });
}

/** The effect of an entry on one internal account. */
interface Moved {
  readonly id: AccountId;
  readonly currency: string;
  available: bigint;
  total: bigint;
  touchesAvailable: boolean;
}

function movedAccounts(entry: Entry): Moved[] {
  const moved = new Map<string, Moved>();
  for (const line of entry.lines) {
    const id = internalAccountOf(line.account);
    if (id === undefined) continue;
    const { currency } = line;
    const known = moved.get(id) ?? { id, currency, available: 0n, total: 0n, touchesAvailable: false };
    moved.set(id, known);
    known.total += effectOf(line);
    if (line.account !== availAccountOf(id)) continue;
    known.available += effectOf(line);
    known.touchesAvailable = true;
  }
  return [...moved.values()];
}

function internalAccountOf(account: Account): AccountId | undefined {
  const [kind = '', id] = account.split(':');
  return ACCOUNT_KINDS[kind as AccountKindName].owner === 'internal account'
    ? (id as AccountId | undefined)
    : undefined;
}
