import { ADA_USD, ADA_USD_FUNDED } from '#capabilities/accounts/examples.ts';
import { ledgerAccountsOf } from '#capabilities/accounts/ledger-accounts.ts';
import { presentAccounts, presentInternalAccount } from '#capabilities/accounts/present.ts';
import { type AccountStatus, InternalAccount } from '#capabilities/accounts/schemas.ts';
import { type AccountRow, findAccounts } from '#capabilities/accounts/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import type { FactsEvent, Renderer } from '#foundation/events/handlers.ts';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';
import { lockBalances } from '#foundation/ledger/store.ts';
import { publicId } from '#foundation/lib/ids.ts';

export const ACCOUNT_EVENTS = [
  'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  'INTERNAL_ACCOUNT.STATUS_UPDATED',
  'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED',
] as const;

export type AccountEvent = (typeof ACCOUNT_EVENTS)[number];

/**
 * Emits one event for each account, with its state after the change (accounts.md §2.6). Locks their ledger accounts,
 * so that no posting interferes: the latest event shows both the latest status and the latest balances.
 */
export async function emitAccounts(
  tx: Tx,
  type: AccountEvent,
  ids: readonly AccountId[],
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

/**
 * The facts that `account_facts_at_commit` (facts.sql) stores with an event; amounts are text, because JSON numbers are
 * not exact.
 */
interface AccountFacts {
  readonly id: AccountId;
  readonly status: AccountStatus;
  readonly fundingCount: number;
  readonly privateEnabled: boolean;
  readonly available: string;
  readonly total: string;
  readonly updatedAt: string;
}

/**
 * Renders events that SQL statements wrote. Values that can change come from the facts; the others, such as owner,
 * type, currency and instructions, come from the row. Only the instructions that existed at the time are shown.
 */
export const renderAccountEvents: Renderer = async (tx, events) => {
  const facts = events.map((event) => event.facts as AccountFacts);
  const rows = await findAccounts(tx, [...new Set(facts.map(({ id }) => id))]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return presentAccounts(
    tx,
    events.map((event, i) => rowAsOfEvent(event, facts[i], byId)),
  );
};

function rowAsOfEvent(
  event: FactsEvent,
  facts: AccountFacts | undefined,
  rows: ReadonlyMap<string, AccountRow>,
): AccountRow {
  const row = facts && rows.get(facts.id);
  if (!row) throw new Error(`event ${event.id} refers to a missing account`);
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

/** The events of internal accounts in the OpenAPI document (accounts.md §2.6). */
export const internalAccountWebhook: WebhookDeclaration<InternalAccount> = {
  name: 'internal-account-status',
  summary: 'An internal account changed',
  description:
    'Sent when a posting changes a balance, when the status changes, and when a new funding instruction is ' +
    'added. `data` is the whole account right after the change.',
  body: webhookBody(
    'InternalAccountStatusWebhook',
    ACCOUNT_EVENTS,
    InternalAccount,
    'An internal account, right after a change.',
  ),
  examples: {
    'INTERNAL_ACCOUNT.BALANCE_UPDATED': ADA_USD_FUNDED,
    'INTERNAL_ACCOUNT.STATUS_UPDATED': { ...ADA_USD, status: 'FROZEN' },
    'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED': ADA_USD,
  },
};
