/**
 * Says where each table belongs if PostgreSQL is distributed over machines by `platform_id` (docs/scaling.md). All tables
 * without a word here are distributed: every row has a platform, and every unique key contains it.
 */

/** Small tables that every machine has a copy of, because statements of all platforms read them. */
export const REFERENCE: readonly string[] = [
  ...['platforms', 'exchange_rates', 'stopped_currencies', 'connectors', 'connector_routes'],
  ...['encryption_keys', 'hash_versions', 'service_keys', 'journal_keys', 'installation_settings'],
];

/** Tables of the people who run the service, and of work that is not one platform's. They stay on one machine. */
export const OF_INSTALLATION: readonly string[] = [
  'audit_log_retention',
  ...['operators', 'operator_addresses', 'operator_passkeys', 'operator_runs', 'operator_sessions'],
  ...['operator_used_challenges', 'schema_functions', 'schema_migrations', 'person_key_store', 'rate_poll'],
  ...[
    'ledger_proofs',
    'work_rounds',
    'work_mails',
    'bank_days',
    'bank_files',
    'bank_lines',
    'bank_proofs',
    'bank_statements',
  ],
  ...[
    'bank_file_batches',
    'bank_file_connectors',
    'bank_file_credits',
    'bank_file_events',
    'bank_file_orders',
  ],
  ...[
    'bank_file_statements',
    'bank_file_subjects',
    'bank_file_traces',
    'connector_breaks',
    'connector_events',
  ],
];

/** Tables that also have rows of the installation. A distributed one gives these rows the nil platform. */
export const OF_BOTH: readonly string[] = ['audit_log', 'record_reads'];

const CREDENTIAL = 'found by a secret before the platform is known';
const BY_ITSELF = 'a UUID is unique by itself; a distributed table adds the platform to the key';
const BY_CONNECTOR = 'a connector names the order or the money, and serves several platforms';

/** Unique keys over all platforms, each with its reason. A distributed table needs a look-up table for most of them. */
export const ACROSS_PLATFORMS: Readonly<Record<string, string>> = {
  agent_device_codes_hash: CREDENTIAL,
  agents_token: CREDENTIAL,
  card_reveals_pkey: CREDENTIAL,
  console_sessions_address: CREDENTIAL,
  console_sessions_secret: CREDENTIAL,
  tokens_client_id: CREDENTIAL,
  tokens_id: 'a session of the console names its token before the platform is known',
  invitations_code: 'another platform claims an invitation by its code',
  customers_uma_address: 'a UMA address belongs to one customer of the environment',
  customers_uma_hash: 'a UMA address belongs to one customer of the environment',
  platform_configs_uma_domain: 'a domain belongs to one platform of the environment',
  platform_configs_proxy_uma_subdomain: 'a domain belongs to one platform of the environment',
  cards_pan: 'a card number exists only once',
  stablecoins_token: 'the sandbox and production have coins that all platforms share',
  stablecoins_symbol: 'the sandbox and production have coins that all platforms share',
  bank_bookings_by_break: 'a break between a bank and the books is booked once',
  bank_bookings_by_line: 'a line of a bank is booked once',
  bank_openings_pkey: BY_CONNECTOR,
  connector_credits_pkey: BY_CONNECTOR,
  connector_orders_connector_id_reference_key: BY_CONNECTOR,
  connector_orders_at_one_place: BY_CONNECTOR,
  connector_owners_pkey: BY_CONNECTOR,
  record_reads_pkey: BY_ITSELF,
  break_glass_uses_pkey: BY_ITSELF,
  keyed_people_pkey: BY_ITSELF,
  lost_person_keys_pkey: BY_ITSELF,
  proposals_by_id: BY_ITSELF,
  work_takes_pkey: BY_ITSELF,
};

/** Statements of requests that find a row of any platform, by a part of their text, each with its reason. */
export const FOUND_ACROSS: Readonly<Record<string, string>> = {
  'client_id = ': 'a request names a token before its platform is known',
};
