/**
 * The layout of src/: its floors from the ground up, and the folders of each floor in order. A folder imports from the
 * earlier floors, and on its own floor from the earlier folders. The files directly in a floor
 * (`app` has nothing else) may import from every folder of it.
 */
export const FLOORS = {
  foundation: [
    'lib',
    'ports',
    'outbound',
    'crypto',
    'database',
    'person-keys',
    'audit',
    'events',
    'jobs',
    'codes',
    'ledger',
    'journal',
    'machine',
    'counters',
    'uploads',
    'http',
    'connector-protocol',
    'bank-formats',
    'records',
    'explanation',
    'books',
    'preview',
    'tracing',
  ],
  capabilities: [
    'operators',
    'pricing',
    'platform',
    'tokens',
    'customers',
    'documents',
    'verification',
    'onboarding',
    'sca',
    'accounts',
    'wallet-auth',
    'external-accounts',
    'card-transactions',
    'payments',
    'connectors',
    'bank-files',
    'reconciliation',
    'invitations',
    'cards',
    'stablecoins',
    'statements',
    'agents',
    'proposals',
    'attention',
    'erasure',
  ],
  edge: ['webhooks', 'request-log', 'search', 'mcp', 'console', 'providers', 'sandbox'],
  app: [],
  cli: ['serve', 'operator', 'connector', 'developer'],
} as const satisfies Record<string, readonly string[]>;

export type Floor = keyof typeof FLOORS;

/** Files directly in a floor that its own folders may import: the types of manifests. */
export const SHARED_FILES: readonly string[] = [
  'src/foundation/manifest.ts',
  'src/capabilities/capability.ts',
];

/** The folders of this floor do not import each other: only the floors above join them. */
export const SEPARATE_FLOOR: Floor = 'edge';

/**
 * The rooms of a folder that has many files, in order: a room imports from itself and from those before it. `.` stands
 * for the files directly in the folder. A folder that is not named here has no folder in it.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  lib: ['identifiers', '.'],
  database: ['.', 'embedded'],
  uploads: ['.', 'storage'],
  http: ['.', 'idempotency', 'signed', 'declare', 'read', 'perform', 'serve', 'document'],
  pricing: ['.', 'rate-source'],
  customers: ['.', 'terms', 'profile', 'contacts', 'erasure', 'lifecycle', 'owners', 'bulk'],
  onboarding: ['.', 'form', 'page'],
  sca: ['.', 'challenges', 'standing', 'factors'],
  'wallet-auth': ['.', 'sessions', 'otp', 'credentials', 'contacts', 'wallets'],
  'external-accounts': ['types', 'ownership', '.', 'challenges', 'receivers', 'trust'],
  connectors: ['.', 'credits', 'requests', 'operator'],
  reconciliation: ['.', 'operator'],
  payments: [
    '.',
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
    'records',
    'explanation',
    'operator',
    'reactions',
  ],
  cards: ['.', 'machine', 'delegated-keys', 'notices', 'explanation', 'reveal', 'tokenization', 'reactions'],
  stablecoins: ['.', 'links', 'coins', 'operations', 'reactions'],
  agents: ['.', 'credentials', 'policy', 'actions', 'own', 'management'],
  webhooks: ['.', 'keys', 'events', 'listeners'],
  sandbox: [
    '.',
    'wallets',
    'messages',
    'identity',
    'sca',
    'accounts',
    'rails',
    'rates',
    'stablecoins',
    'cards',
    'explanations',
    'page',
  ],
  providers: ['intake', 'bank-files', 'connectors', '.'],
  operator: ['shell', 'installation', 'people', 'money'],
};

/** Files directly in a folder that list what the whole folder brings: they may import from every room of it. */
export const DOORS: readonly string[] = ['capability.ts', 'routes.ts', 'jobs.ts', 'reactions.ts', 'ports.ts'];
