/**
 * The folders of src/, in order: each imports only from itself and from those above it. One is the place of an area to come
 * (signing).
 */
export const FOLDERS = [
  'lib',
  'ports',
  'outbound',
  'crypto',
  'database',
  'audit',
  'events',
  'jobs',
  'ledger',
  'counters',
  'uploads',
  'http',
  'pricing',
  'platform',
  'tokens',
  'signing',
  'customers',
  'documents',
  'verification',
  'onboarding',
  'sca',
  'accounts',
  'wallet-auth',
  'external-accounts',
  'payments',
  'invitations',
  'cards',
  'stablecoins',
  'agents',
  'erasure',
  'mcp',
  'request-log',
  'webhooks',
  'providers',
  'sandbox',
] as const;

/**
 * The rooms of a folder that has many files, in order: a room imports only from itself, from those above it and from the
 * files that stand directly in the folder, which in turn import from no room. A folder that is not named here is one room.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  pricing: ['rate-source'],
  stablecoins: ['links', 'coins', 'operations', 'reactions'],
  cards: ['machine', 'delegated-keys', 'messages', 'reveal', 'tokenization', 'reactions'],
  customers: ['owners', 'bulk'],
  webhooks: ['keys', 'events', 'listeners'],
  payments: [
    'machine',
    'commit',
    'settlement',
    'parties',
    'execution',
    'authorization',
    'quotes',
    'transfers',
    'incoming',
    'transactions',
    'operator',
    'reactions',
  ],
};

/** What only the composition root and the command line may import. */
export const EDGE_FOLDERS: readonly string[] = ['webhooks', 'providers', 'sandbox'];

/** Files directly in src/ and the command line may import anything. */
export const ROOTS: readonly string[] = [
  'app.ts',
  'areas.ts',
  'attention.ts',
  'metrics.ts',
  'version.ts',
  'metrics-store.ts',
  'parts.ts',
  'transaction-sources.ts',
  'operations.ts',
  'adapters.ts',
  'server.ts',
  'listen.ts',
  'config.ts',
  'setting-parsers.ts',
  'log.ts',
  'cli',
  'tracing',
];
