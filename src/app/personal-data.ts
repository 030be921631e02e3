/**
 * Classifies each stored text, column by column: what it says about people. A column of JSON has a word for each member
 * that is a text; `column.*` stands for all members below it that have no word of their own. A test compares this table
 * with the database and with stored rows, so that no column or member can be added without a word.
 */
export interface TableWords {
  /** Names or describes a person: names, contacts, addresses, numbers, what they bought. */
  readonly personal?: readonly string[];
  /** Opens something: keys, codes, and hashes from which short ones could be guessed. */
  readonly secret?: readonly string[];
  /** People or platforms write what they like into it, so it may name a person. */
  readonly freeText?: readonly string[];
  /** Says nothing about a person by itself: states, kinds, currencies, ids that we or providers assign, rules. */
  readonly neither?: readonly string[];
}

export const WORDS: Readonly<Record<string, TableWords>> = {
  account_lines: { neither: ['account', 'currency'] },
  agent_actions: {
    freeText: ['rejection_reason', 'reason_sealed'],
    neither: [
      'type',
      'transfer.currency',
      'transfer.sourceAccountId',
      'transfer.destinationAccountId',
      'signer_key',
      'status',
      'failure.code',
      'failure.message',
      'limits.currency',
    ],
  },
  agent_device_codes: { secret: ['code_hash'] },
  agents: { freeText: ['name', 'name_sealed'], secret: ['token_hash'], neither: ['policy.*'] },
  audit_log: {
    personal: ['remote_address', 'end_user_ip', 'private', 'details.operator', 'details.browser'],
    freeText: ['details.reason', 'details.name', 'details.symbol'],
    neither: [
      ...['actor_kind', 'actor_id', 'action', 'resource', 'request_id', 'details.agentId', 'details.card'],
      ...['details.cardId', 'details.channel', 'details.code', 'details.customerId'],
      ...['details.defaultExecutionMode', 'details.delegatedKeyId', 'details.environment'],
      ...['details.eventType', 'details.factor', 'details.heldBy', 'details.internalAccountId'],
      ...['details.keys.*', 'details.outcome', 'details.policy.*', 'details.before'],
      'details.changed.*',
      ...[
        'details.retentionEnd',
        'details.roles',
        'details.rolesUsed',
        'details.session',
        'details.scaFactor',
        'details.since',
      ],
      ...['details.status'],
    ],
  },
  beneficial_owners: { personal: ['personal_info.*', 'identifier', 'person'], neither: ['roles', 'status'] },
  card_messages: {
    personal: ['message.merchant.*', 'merchant'],
    neither: [
      'id',
      'token',
      'message.amount',
      'message.asks',
      'message.cardId',
      'message.direction',
      'message.id',
      'message.purchaseToken',
      'message.returnToken',
      'message.token',
      'message.type',
      'answer.reason',
    ],
  },
  card_reveals: { secret: ['token_hash'], neither: ['actor'] },
  card_transactions: {
    personal: ['platform_customer_id', 'merchant.*', 'details'],
    neither: [
      'limits.*',
      ...['account_currency', 'direction', 'kind', 'currency', 'token', 'declined_reason', 'status'],
    ],
  },
  cards: {
    personal: ['platform_card_id', 'last4', 'details', 'reference_hash'],
    secret: ['pan', 'pan_hash'],
    neither: [...['form', 'status', 'status_reason', 'currency', 'brand', 'processor_ref', 'issuer_ref']],
  },
  code_attempts: { neither: ['kind'] },
  codes: {
    secret: ['code_hash', 'code', 'target_private'],
    neither: ['kind', 'channel', 'code_context', 'target_public'],
  },
  bank_file_batches: {
    personal: ['bytes'],
    neither: [
      ...['status', 'settlement_account', 'rail', 'kind', 'currency', 'format', 'message_id', 'name'],
      ...['payment_information_id', 'content_hash', 'modifier'],
    ],
  },
  bank_file_connectors: { neither: ['profile.*'] },
  bank_file_credits: { personal: ['payer'], neither: ['credit_id', 'statement_id'] },
  bank_file_events: { personal: ['body'], neither: ['about'] },
  bank_file_orders: {
    personal: ['content'],
    neither: [
      ...['content_hash', 'kind', 'rail', 'settlement_account', 'currency', 'state', 'reason'],
      ...['bank_reference', 'trace_number'],
    ],
  },
  bank_file_statements: {
    personal: ['content'],
    neither: ['settlement_account', 'statement_id', 'content_hash'],
  },
  bank_file_subjects: { neither: ['about'] },
  bank_file_traces: { neither: ['routing'] },
  bank_files: { neither: ['name', 'content_hash', 'outcome', 'message', 'reason'] },
  bank_bookings: {},
  bank_days: { neither: ['settlement_account'] },
  bank_hand_matches: {},
  bank_openings: { neither: ['settlement_account'] },
  bank_lines: {
    personal: ['texts', 'reference_hashes'],
    neither: ['settlement_account', 'line_id', 'credit_id', 'currency', 'kind'],
  },
  bank_ours: { personal: ['reference_hashes'], neither: ['settlement_account', 'currency'] },
  bank_proofs: { neither: ['settlement_account', 'currency'] },
  bank_statements: { neither: ['settlement_account', 'statement_id', 'currency', 'content_hash'] },
  connector_breaks: {
    freeText: ['resolution_sealed', 'notes'],
    // Sentences of the service; those of operators in older rows are sealed soon after an upgrade.
    neither: ['kind', 'about', 'what', 'currency', 'owner', 'resolution'],
  },
  connector_credits: { neither: ['credit_id', 'settlement_account', 'rail', 'currency'] },
  connector_events: {
    personal: ['body'],
    neither: ['store', 'event_id', 'type', 'about', 'content_hash', 'outcome'],
  },
  connector_orders: {
    personal: ['body'],
    neither: [
      ...['kind', 'status', 'settlement_account', 'rail', 'currency', 'state', 'reason', 'call'],
      ...['bank_reference', 'transaction_hash', 'asked_store'],
    ],
  },
  connector_owners: { neither: ['settlement_account'] },
  connector_requests: {
    personal: ['body'],
    neither: ['kind', 'status', 'currency', 'account_types', 'state'],
  },
  connector_routes: { neither: ['rail', 'currency', 'kind', 'country'] },
  connectors: {
    // A password in an address is refused now; an address that was stored earlier may contain one.
    secret: ['url', 'secret', 'next_secret', 'client_certificate'],
    neither: [
      'name',
      'store',
      'capabilities.*',
      'capabilities_trouble',
      'paused_because',
      'cursor',
      'silence_why',
    ],
  },
  console_sessions: { secret: ['address_hash', 'secret_hash'] },
  contents: { secret: ['key'], neither: ['state'] },
  counters: { neither: ['name'] },
  customer_currencies: { neither: ['currency'] },
  customer_import_errors: {
    personal: ['correlation_id', 'reference', 'reference_hash'],
    neither: ['code', 'message', 'details.errors.field', 'details.errors.message'],
  },
  customer_imports: { neither: ['status', 'columns.*'] },
  customers: {
    personal: [
      ...['platform_customer_id', 'uma_address', 'email', 'phone_number', 'address.*', 'profile.*'],
      ...['identifier', 'tax_id', 'registration_number', 'terms_ip', 'terms_consent.ipAddress'],
      ...['person', 'reference', 'uma', 'reference_hash', 'uma_hash', 'email_hash', 'phone_hash'],
      'name_hashes',
    ],
    neither: [
      ...['environment', 'customer_type', 'status', 'region', 'currencies', 'email_verification'],
      ...[
        'phone_verification',
        'terms_consent.acceptanceMethod',
        'terms_consent.acceptedAt',
        'terms_consent.termsVersion',
      ],
    ],
  },
  delegated_keys: {
    secret: ['private_key'],
    freeText: ['nickname', 'nickname_sealed'],
    neither: ['public_key', 'status'],
  },
  documents: {
    personal: ['document_number', 'issuing_authority', 'details'],
    freeText: ['file_name'],
    neither: ['document_type', 'side', 'country', 'media_type'],
  },
  encryption_keys: { secret: ['wrapped'], neither: ['purpose'] },
  end_user_terms_consents: {
    personal: ['ip_address', 'ip'],
    neither: ['terms_version', 'acceptance_method'],
  },
  events: {
    personal: ['payload'],
    neither: [
      'type',
      'resource_id',
      'decision',
      'state',
      'traceparent',
      'facts.id',
      'facts.state.status',
      'facts.state.updated_at',
    ],
  },
  exchange_rates: { neither: ['currency', 'origin'] },
  stopped_currencies: { neither: ['currency'] },
  external_accounts: {
    personal: ['details', 'fingerprint', 'platform_account_id', 'account_reference'],
    neither: ['account_type', 'currency', 'status', 'ownership_type', 'name_check', 'us_validation'],
  },
  hash_versions: {},
  idempotency_keys: { personal: ['body_hash', 'reply'], freeText: ['key'], neither: ['scope'] },
  break_glass_uses: { neither: ['operation', 'resource', 'made_by'] },
  ledger_proofs: { neither: ['made_by', 'findings.*', 'trouble'] },
  installation_settings: { neither: ['operator_approvals', 'operator_approval_above.*'] },
  internal_accounts: {
    personal: ['funding'],
    neither: ['currency', 'type', 'status', 'provisioning', 'reference'],
  },
  invitations: {
    personal: ['inviter_uma', 'inviter', 'first_name', 'invitee_name', 'invitee_uma', 'invitee'],
    secret: ['code'],
    neither: ['currency', 'status'],
  },
  jobs: { neither: ['kind', 'key', 'payload.id', 'last_error', 'traceparent'] },
  journal_chain: { neither: ['hash'] },
  journal_heads: { neither: ['hash', 'signature'] },
  journal_keys: { secret: ['private_key'], neither: ['public_key'] },
  journal_marks: { neither: ['hash'] },
  keyed_people: {},
  ledger_balances: { neither: ['account', 'currency'] },
  open_debts: { neither: ['account', 'currency'] },
  open_suspense: { neither: ['currency', 'kind'] },
  ledger_entries: { neither: ['kind', 'step', 'accounts', 'currencies'] },
  ledger_rollups: { neither: ['account', 'currency'] },
  lookups: { personal: ['facts'] },
  lost_person_keys: {},
  onboarding_links: { secret: ['secret_hash', 'redirect_uri'] },
  operator_runs: { neither: ['name', 'trouble'] },
  operator_addresses: { secret: ['hash'] },
  operator_passkeys: { neither: ['credential_id', 'rp_id', 'cose_key'] },
  operator_sessions: { secret: ['secret_hash', 'former_hash'], personal: ['remote_address', 'browser'] },
  operator_used_challenges: { neither: ['hash'] },
  // People of the organisation itself, whom audit rows name for ever (operator.md §1.1).
  operators: {
    personal: ['name', 'email', 'invited_by', 'address_by', 'issuer', 'subject'],
    secret: ['digits'],
    neither: ['roles', 'status'],
  },
  ownership_challenges: { personal: ['message'], neither: ['method'] },
  payment_bank_references: { neither: ['notice', 'bank_reference'] },
  payment_receipts: {
    personal: ['sender'],
    freeText: ['stated_reference'],
    neither: ['provider_reference', 'currency'],
  },
  platform_configs: {
    secret: ['webhook_endpoint'],
    neither: [
      ...['environment', 'uma_domain', 'proxy_uma_subdomain', 'supported_currencies.*', 'fee_configs.*'],
      ...['embedded_wallet_config.*', 'card_tokenization_2fa_config.*', 'provider_fields.*'],
    ],
  },
  person_key_store: {},
  platforms: { neither: ['name', 'environment', 'settings.*', 'own_currencies.*', 'disabled_currencies'] },
  proposals: {
    personal: ['content', 'outcome'],
    secret: ['secret'],
    neither: [
      ...['operation', 'resource', 'subject_hash', 'made_by', 'hash', 'status', 'decided_by', 'proof.*'],
    ],
  },
  rate_poll: { neither: ['trouble'] },
  record_reads: {
    secret: ['term_hash'],
    freeText: ['reason'],
    neither: ['actor_id', 'roles', 'session_id', 'kind', 'resource', 'fields'],
  },
  request_logs: {
    freeText: ['unknown_fields'],
    neither: ['caller_kind', 'method', 'route', 'path', 'code', 'key_verdict', 'bodies', 'via'],
  },
  sandbox_messages: {
    personal: ['recipient', 'contact', 'contact_hash', 'text'],
    neither: ['reference', 'channel'],
  },
  sca_challenges: {
    secret: ['code_hash', 'code', 'webauthn_challenge'],
    neither: ['purpose', 'label', 'factor'],
  },
  sca_enrollments: { secret: ['material'], neither: ['factor'] },
  sca_factors: {
    personal: ['webauthn_id', 'cose_key', 'passkey'],
    secret: ['secret'],
    neither: ['factor', 'rp_id'],
  },
  sca_recovery_codes: { secret: ['code_hash'] },
  sca_resets: { neither: ['factor', 'status'] },
  sca_sessions: { neither: ['factor'] },
  schema_functions: { neither: ['name', 'hash'] },
  schema_migrations: { neither: ['name', 'hash'] },
  service_keys: { secret: ['private_key'] },
  signed_requests: {
    personal: ['body_digest', 'challenge'],
    neither: ['operation', 'target', 'signer_key'],
  },
  stablecoin_account_links: { neither: ['role', 'reference'] },
  stablecoin_operations: {
    personal: ['instruments', 'funding_instructions.*', 'funding'],
    freeText: ['description', 'note'],
    neither: [
      'steps.*',
      ...['operation_type', 'currency', 'provider', 'source_type', 'rail', 'status', 'provider_status'],
      'failure_reason',
    ],
  },
  stablecoin_provider_accounts: {
    secret: ['api_client_secret'],
    neither: ['provider', 'provider_account_id', 'api_client_id', 'status'],
  },
  stablecoins: {
    neither: [
      ...['environment', 'provider', 'network', 'provider_token_identifier', 'network_token_identifier'],
      ...['name', 'symbol', 'base_currency', 'issuance_status', 'svc_operations_status'],
    ],
  },
  tokens: { freeText: ['name'], secret: ['salt', 'secret_hash'], neither: ['client_id', 'permissions'] },
  transactions: {
    personal: [
      ...['source_uma', 'source_uma_hash', 'destination_uma', 'destination_uma_hash', 'private'],
      'details.platformCustomerId',
    ],
    freeText: ['reference_hash'],
    neither: [
      ...['type', 'kind', 'locked_side', 'source_type', 'destination_type', 'sending_currency'],
      ...[
        'receiving_currency',
        'reference',
        'details.fundingNetwork',
        'details.fundingRail',
        'details.paymentRail',
        'details.payoutRail',
        'details.purposeOfPayment',
        'details.railSelectionMode',
        'details.rateDetails.*',
        'details.sizeLimit',
        'details.sourceCustomerId',
        'details.usdValue',
        'status',
        'failure_reason',
        'pending_reason',
      ],
      ...['funding_hash', 'payout_hash', 'refund_status', 'refund_reason', 'refund_reference'],
    ],
  },
  verifications: {
    freeText: ['errors.reason', 'details'],
    neither: ['status', 'errors.acceptedDocumentTypes', 'errors.resourceId', 'errors.type'],
  },
  wallet_credentials: {
    personal: [
      ...['issuer', 'audience', 'subject', 'webauthn_id', 'cose_key', 'details'],
      ...['contact_hash', 'identity_hash', 'webauthn_hash'],
    ],
    freeText: ['nickname'],
    neither: ['type', 'rp_id'],
  },
  wallet_keys: {
    personal: ['address', 'address_sealed'],
    secret: ['mnemonic'],
    neither: ['derivation_path'],
  },
  wallet_passkey_challenges: { secret: ['challenge_hash'] },
  wallet_sessions: { freeText: ['nickname', 'nickname_sealed'], neither: ['type', 'public_keys'] },
  webhook_attempts: { personal: ['response'], secret: ['url'], neither: ['error'] },
  webhook_keys: { secret: ['private_key'], neither: ['public_key'] },
  webhook_queues: { neither: ['lane', 'resource_id'] },
  work_announced: { neither: ['kind', 'key'] },
  work_mails: { neither: ['counts.*'] },
  work_takes: { freeText: ['note'], neither: ['kind', 'key', 'subject'] },
};
