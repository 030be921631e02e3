import { BANK_TABLES } from '#capabilities/erasure/bank-tables.ts';
import type { PersonTable, Ways } from '#capabilities/erasure/person-table.ts';

const OF_CUSTOMER: Ways = { customer_id: 'customers.id' };
const OF_WALLET: Ways = { account_id: 'internal_accounts.id' };
const OF_CARD: Ways = { card_id: 'cards.id' };

/** Every table with data about customers (customers.md §2.4.26h). A test compares it with the database. */
export const PERSON_TABLES: Readonly<Record<string, PersonTable>> = {
  customers: {
    ...{ part: 'customer', type: 'Customer', ways: { id: '@customer' }, erasure: 'emptied' },
    stays: ['id, type, region, currencies, status and dates', 'LAUNDERING'],
  },
  customer_currencies: {
    ...{ part: 'currencies', ways: OF_CUSTOMER, erasure: 'kept', stays: ['the currencies', 'BOOKS'] },
  },
  beneficial_owners: { part: 'owners', type: 'BeneficialOwner', ways: OF_CUSTOMER, erasure: 'deleted' },
  end_user_terms_consents: {
    ...{ part: 'consents', ways: OF_CUSTOMER, erasure: 'emptied' },
    stays: ['the accepted version, how and when', 'LAUNDERING'],
  },
  verifications: {
    ...{ part: 'verifications', type: 'Verification', ways: OF_CUSTOMER, erasure: 'emptied' },
    stays: ['the decisions and their dates', 'LAUNDERING'],
  },
  documents: { part: 'documents', type: 'Document', ways: OF_CUSTOMER, erasure: 'deleted' },
  contents: { part: 'files', ways: { id: 'documents.content_id' }, erasure: 'deleted' },
  onboarding_links: { part: 'onboarding links', ways: OF_CUSTOMER, erasure: 'deleted' },
  codes: { part: 'codes', ways: { owner_id: '@id' }, erasure: 'deleted' },
  code_attempts: { part: 'attempts with codes', ways: { owner_id: '@id' }, erasure: 'deleted' },
  sandbox_messages: { part: 'messages', ways: OF_CUSTOMER, erasure: 'deleted' },
  sca_factors: { part: 'factors', ways: OF_CUSTOMER, erasure: 'deleted' },
  sca_enrollments: { part: 'enrolments of factors', ways: OF_CUSTOMER, erasure: 'deleted' },
  sca_recovery_codes: { part: 'recovery codes', ways: OF_CUSTOMER, erasure: 'deleted' },
  sca_challenges: { part: 'challenges', type: 'ScaChallenge', ways: OF_CUSTOMER, erasure: 'deleted' },
  sca_sessions: { part: 'logins', ways: OF_CUSTOMER, erasure: 'deleted' },
  sca_resets: { part: 'resets of factors', type: 'ScaReset', ways: OF_CUSTOMER, erasure: 'deleted' },
  sca_standings: { part: 'failed logins', ways: OF_CUSTOMER, erasure: 'deleted' },
  internal_accounts: {
    ...{ part: 'accounts', type: 'InternalAccount', ways: OF_CUSTOMER, erasure: 'emptied' },
    stays: ['currency, type, status and dates', 'BOOKS'],
  },
  ledger_balances: {
    ...{ part: 'balances', ways: { account: '@ledger' }, erasure: 'kept', stays: ['balances', 'BOOKS'] },
  },
  open_debts: {
    ...{
      part: 'open debts',
      ways: { account: '@ledger' },
      erasure: 'kept',
      stays: ['amounts and dates', 'BOOKS'],
    },
  },
  open_suspense: {
    ...{
      part: 'money in suspense',
      ways: { transaction_id: '@id' },
      erasure: 'kept',
      stays: ['amounts and dates', 'BOOKS'],
    },
  },
  ledger_entries: {
    ...{ part: 'journal entries', type: 'JournalEntry', ways: { transaction_id: '@id' }, erasure: 'kept' },
    stays: ['amounts, accounts and dates', 'BOOKS'],
  },
  account_lines: {
    ...{ part: 'lines of accounts', ways: { account: '@ledger' }, erasure: 'kept' },
    stays: ['amounts, balances and dates', 'BOOKS'],
  },
  external_accounts: {
    ...{ part: 'external accounts', type: 'ExternalAccount', ways: OF_CUSTOMER, erasure: 'emptied' },
    stays: ['type, currency, status and dates', 'BOOKS'],
  },
  ownership_challenges: {
    ...{ part: 'proofs of ownership', ways: { account_id: 'external_accounts.id' }, erasure: 'deleted' },
  },
  transactions: {
    ...{ part: 'payments', type: 'Transaction', ways: OF_CUSTOMER, erasure: 'emptied' },
    stays: ['amounts, rates, fees, statuses, dates and the reasons of failures', 'BOOKS'],
  },
  payment_bank_references: {
    ...{ part: 'bank references', ways: { transaction_id: 'transactions.id' }, erasure: 'kept' },
    stays: ["the bank's references", 'BOOKS'],
  },
  payment_receipts: {
    ...{ part: 'receipts', erasure: 'emptied' },
    ways: { transaction_id: 'transactions.id', intended_account: 'internal_accounts.id' },
    stays: ["amount, date and the bank's reference", 'BOOKS'],
  },
  stablecoin_operations: {
    ...{ part: 'mints and burns', type: 'StablecoinOperation', erasure: 'emptied' },
    ways: {
      source_internal: 'internal_accounts.id',
      destination_internal: 'internal_accounts.id',
      source_external: 'external_accounts.id',
      destination_external: 'external_accounts.id',
    },
    stays: ['amounts, statuses and dates', 'BOOKS'],
  },
  stablecoin_account_links: {
    ...{ part: 'accounts at providers', ways: { external_account: 'external_accounts.id' } },
    erasure: 'deleted',
  },
  ...BANK_TABLES,
  invitations: {
    ...{ part: 'invitations', ways: OF_CUSTOMER, erasure: 'emptied' },
    stays: ['amount, status and dates', 'BOOKS'],
    keeps: ['code'],
  },
  cards: {
    ...{ part: 'cards', type: 'Card', ways: OF_CUSTOMER, erasure: 'emptied' },
    stays: ['brand, expiry, limits, status and dates; a keyed hash of the number', 'BOOKS'],
    keeps: ['pan_hash'],
  },
  card_places: {
    ...{ part: 'numbers of cards', ways: { owner_id: '@id' }, erasure: 'kept', stays: ['numbers', 'BOOKS'] },
  },
  card_transactions: {
    ...{ part: 'card transactions', type: 'Transaction', ways: OF_CUSTOMER, erasure: 'emptied' },
    stays: ['amounts, statuses, dates and the reasons of declines', 'BOOKS'],
  },
  card_messages: {
    ...{ part: 'messages of the card processor', ways: OF_CARD, erasure: 'emptied' },
    stays: ['amounts, kinds and dates', 'BOOKS'],
  },
  card_reveals: {
    ...{ part: 'views of card numbers', ways: OF_CARD, erasure: 'kept', stays: ['when', 'SECURITY'] },
    keeps: ['token_hash'],
  },
  delegated_keys: { part: 'delegated keys', type: 'DelegatedKey', ways: OF_CARD, erasure: 'deleted' },
  wallet_keys: { part: 'wallets', ways: OF_WALLET, erasure: 'deleted' },
  wallet_credentials: { part: 'credentials', type: 'AuthMethod', ways: OF_WALLET, erasure: 'deleted' },
  wallet_sessions: { part: 'wallet sessions', type: 'Session', ways: OF_WALLET, erasure: 'deleted' },
  wallet_passkey_challenges: { part: 'passkey challenges', ways: OF_WALLET, erasure: 'deleted' },
  signed_requests: { part: 'requests to sign', ways: { target: '@resource' }, erasure: 'deleted' },
  agents: {
    ...{ part: 'agents', type: 'Agent', ways: OF_CUSTOMER, erasure: 'emptied', keeps: ['token_hash'] },
    stays: ['policy and dates', 'SECURITY'],
  },
  agent_device_codes: {
    ...{ part: "agents' device codes", ways: { agent_id: 'agents.id' }, erasure: 'kept' },
    ...{ stays: ['when they were made and used', 'SECURITY'], keeps: ['code_hash'] },
  },
  agent_actions: {
    ...{ part: "agents' actions", type: 'AgentAction', ways: OF_CUSTOMER, erasure: 'emptied' },
    stays: ['what was asked for and decided, and when', 'SECURITY'],
  },
  customer_import_errors: {
    ...{ part: 'import errors', ways: 'reference', erasure: 'emptied' },
    stays: ['the kind of the error', 'DELIVERY'],
  },
  lookups: {
    ...{ part: 'look-ups', ways: 'content', erasure: 'kept', isShared: true, keeps: ['facts'] },
    stays: ['what the look-up found', 'OTHERS'],
  },
  events: {
    ...{ part: 'events', type: 'Webhook', ways: { resource_id: '@resource' }, erasure: 'emptied' },
    ...{ stays: ['type, resource and dates', 'DELIVERY'], isShared: true },
  },
  webhook_attempts: {
    ...{ part: 'attempts to deliver events', ways: { event_id: 'events.id' }, erasure: 'emptied' },
    ...{ stays: ['status and date', 'DELIVERY'], isShared: true, keeps: ['url'] },
  },
  idempotency_keys: {
    ...{ part: 'stored replies', ways: 'content', erasure: 'emptied', isShared: true },
    ...{ stays: ['the key and a hash of the request, for a day', 'SECURITY'], keeps: ['key', 'body_hash'] },
  },
  request_logs: {
    ...{ part: 'requests', type: 'RequestLog', ways: { resource_ids: '@ids' }, erasure: 'deleted' },
    isShared: true,
  },
  proposals: {
    ...{
      part: 'proposals of operators',
      type: 'Proposal',
      ways: OF_CUSTOMER,
      erasure: 'kept',
      isShared: true,
    },
    stays: ['which operation was proposed and decided, by whom and when', 'SECURITY'],
  },
  record_reads: {
    ...{ part: 'reads by operators', ways: { resource: '@resource' }, erasure: 'emptied' },
    stays: ['who looked at what, and when', 'SECURITY'],
    keeps: ['term_hash'],
  },
  work_takes: { part: 'items that operators took', ways: { subject: '@resource' }, erasure: 'deleted' },
  audit_log: {
    ...{ part: 'audit log', erasure: 'emptied' },
    ways: { resource: '@resource', "details ->> 'customerId'": '@resource' },
    stays: ['who did what, and when; the reason of the erasure', 'SECURITY'],
    keeps: ['remote_address'],
  },
};
