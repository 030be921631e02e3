import type { Database } from '#foundation/database/database.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import { SUSPENDING } from '#foundation/ledger/open-items-store.ts';

/** The table and the key column of each resource that an operator can name. */
const PLACES = {
  Agent: ['agents', 'id'],
  AgentAction: ['agent_actions', 'id'],
  Break: ['connector_breaks', 'id'],
  Card: ['cards', 'id'],
  Customer: ['customers', 'id'],
  Document: ['documents', 'id'],
  ExternalAccount: ['external_accounts', 'id'],
  InternalAccount: ['internal_accounts', 'id'],
  Invitation: ['invitations', 'code'],
  JournalEntry: ['ledger_entries', 'id'],
  Platform: ['platforms', 'id'],
  Proposal: ['proposals', 'id'],
  Quote: ['transactions', 'quote_id'],
  RequestLog: ['request_logs', 'id'],
  Stablecoin: ['stablecoins', 'id'],
  StablecoinOperation: ['stablecoin_operations', 'id'],
  StablecoinProviderAccount: ['stablecoin_provider_accounts', 'id'],
  Token: ['tokens', 'id'],
  Transaction: ['transactions', 'id'],
  Webhook: ['events', 'id'],
} as const;

/** Resources that can be found by their id alone. */
export type Findable = keyof typeof PLACES;

export function isFindable(type: string): type is Findable {
  return type in PLACES;
}

/** Finds the platform of a resource, with one look-up by key for each platform, in one statement. */
export async function findPlatformIdByResource(
  database: Pick<Database, 'query'>,
  type: Findable,
  id: string,
): Promise<PlatformId | undefined> {
  const [found] = await database.query<{ platform_id: PlatformId }>(platformIdStatement(type, id));
  return found?.platform_id;
}

export function platformIdStatement(type: Findable, id: string): Sql {
  if (type === 'Platform') return sql`select id as platform_id from platforms where id = ${id}`;
  // A client id is unique by itself.
  if (type === 'Token' && !id.includes('-')) {
    return sql`select platform_id from tokens where client_id = ${id}`;
  }
  // The platform of most breaks is known.
  if (type === 'Break') {
    return sql`select platform_id from connector_breaks where id = ${id} and platform_id is not null`;
  }
  // It may be about the installation, which is no platform.
  if (type === 'Proposal') return sql`select platform_id from proposals where id = ${id}`;
  const [table, column] = PLACES[type];
  const found = lookUp(table, column, id);
  if (type === 'Transaction') return sql`${found} union all ${lookUp('card_transactions', 'id', id)}`;
  // Entries have no index by id. Those in suspense have one by their kind, and the chain has all that were read.
  if (type === 'JournalEntry') {
    return sql`${found} and kind in (${SUSPENDING}) union all ${lookUp('journal_chain', 'entry_id', id)}`;
  }
  return found;
}

/** The keys begin with the platform, so naming all platforms makes one index look-up for each. */
function lookUp(table: string, column: string, id: string): Sql {
  return sql`
    select platform_id from ${rawSql(table)}
     where platform_id = any(array(select id from platforms)) and ${rawSql(column)} = ${id}`;
}
