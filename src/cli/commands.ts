import type { Command } from 'commander';

/** A command before its module is loaded: its line in the list of all commands. */
export interface CommandEntry {
  readonly name: string;
  /** For the list of commands and for its own help. */
  readonly description: string;
  load(): Promise<Command>;
}

/** Commands on the service's database, in the order of the help. */
export const FOR_OPERATORS: readonly CommandEntry[] = [
  {
    name: 'serve',
    description: 'run the service until a signal stops it',
    load: async () => (await import('#cli/serve/serve-command.ts')).serveCommand(),
  },
  {
    name: 'migrate',
    description: 'bring the database schema up to date; "serve" does the same',
    load: async () => (await import('#cli/operator/installation/migrate-command.ts')).migrateCommand(),
  },
  {
    name: 'backup',
    description: 'copy the embedded databases and the documents into new folders, while the server runs',
    load: async () => (await import('#cli/operator/installation/backup-command.ts')).backupCommand(),
  },
  {
    name: 'restore',
    description: 'restore a backup into a new data folder (DATA_DIR)',
    load: async () => (await import('#cli/operator/installation/restore-command.ts')).restoreCommand(),
  },
  {
    name: 'attention',
    description:
      'everything on all platforms that waits for you or is stuck, with the commands that resolve it',
    load: async () => (await import('#cli/operator/installation/attention-command.ts')).attentionCommand(),
  },
  {
    name: 'platform',
    description: 'the platforms that use the service, each in one environment',
    load: async () => (await import('#cli/operator/installation/platform-command.ts')).platformCommand(),
  },
  {
    name: 'operator',
    description: 'the people who run the service, their roles and their sessions',
    load: async () => (await import('#cli/operator/installation/operator-command.ts')).operatorCommand(),
  },
  {
    name: 'proposal',
    description: 'changes that wait for a second operator',
    load: async () => (await import('#cli/operator/installation/proposal-command.ts')).proposalCommand(),
  },
  {
    name: 'settings',
    description: 'settings of the whole installation, such as when a second operator has to approve',
    load: async () => (await import('#cli/operator/installation/settings-command.ts')).settingsCommand(),
  },
  {
    name: 'token',
    description: 'API credentials',
    load: async () => (await import('#cli/operator/installation/token-command.ts')).tokenCommand(),
  },
  {
    name: 'customer',
    description: 'customers of a platform',
    load: async () => (await import('#cli/operator/people/customer-command.ts')).customerCommand(),
  },
  {
    name: 'review',
    description: 'customers who wait for a decision',
    load: async () => (await import('#cli/operator/people/review-command.ts')).reviewCommand(),
  },
  {
    name: 'account',
    description: 'accounts of customers and platforms, internal and external',
    load: async () => (await import('#cli/operator/money/account-commands.ts')).accountCommand(),
  },
  {
    name: 'statement',
    description: 'statements of accounts, as files for customers and platforms',
    load: async () => (await import('#cli/operator/money/statement-command.ts')).statementCommand(),
  },
  {
    name: 'wallet',
    description: 'embedded wallets, their credentials, sessions and delegated keys',
    load: async () => (await import('#cli/operator/people/wallet-commands.ts')).walletCommand(),
  },
  {
    name: 'card',
    description: 'cards and their purchases',
    load: async () => (await import('#cli/operator/money/card-commands.ts')).cardCommand(),
  },
  {
    name: 'agent',
    description: 'customers’ agents, their policies and their actions',
    load: async () => (await import('#cli/operator/people/agent-commands.ts')).agentCommand(),
  },
  {
    name: 'break',
    description: 'contradictions between the books and connectors or banks',
    load: async () => (await import('#cli/operator/money/break-commands.ts')).breakCommand(),
  },
  {
    name: 'stablecoin',
    description: 'stablecoins, and which of them internal accounts may hold',
    load: async () => (await import('#cli/operator/money/stablecoin-commands.ts')).stablecoinCommand(),
  },
  {
    name: 'sca',
    description: 'strong customer authentication: locked customers, factors and sessions',
    load: async () => (await import('#cli/operator/people/sca-commands.ts')).scaCommand(),
  },
  {
    name: 'invitation',
    description: 'invitations to UMA',
    load: async () => (await import('#cli/operator/people/invitation-commands.ts')).invitationCommand(),
  },
  {
    name: 'deposit',
    description: 'money that reached your bank for an internal account',
    load: async () => (await import('#cli/operator/money/deposit-command.ts')).depositCommand(),
  },
  {
    name: 'quote',
    description: 'quotes and their payments',
    load: async () => (await import('#cli/operator/money/quote-commands.ts')).quoteCommand(),
  },
  {
    name: 'payment',
    description: 'payments: explain them, and settle them by hand if no rail reports the outcome',
    load: async () => (await import('#cli/operator/money/payment-commands.ts')).paymentCommand(),
  },
  {
    name: 'suspense',
    description: 'money that could not be matched to an account, and refunds that could not be paid',
    load: async () => (await import('#cli/operator/money/suspense-commands.ts')).suspenseCommand(),
  },
  {
    name: 'receivable',
    description: 'debts of customers and platforms, which later credits repay',
    load: async () => (await import('#cli/operator/money/receivable-commands.ts')).receivableCommand(),
  },
  {
    name: 'rates',
    description: 'exchange rates of production, in units per US dollar',
    load: async () => (await import('#cli/operator/money/rates-command.ts')).ratesCommand(),
  },
  {
    name: 'reconcile',
    description: 'the proof, day by day, that the books agree with the banks',
    load: async () => (await import('#cli/operator/money/reconcile-command.ts')).reconcileCommand(),
  },
  {
    name: 'connector',
    description: 'services that reach your banks',
    load: async () => (await import('#cli/connector/connector-command.ts')).connectorCommand(),
  },
  {
    name: 'webhook',
    description: 'events sent to platforms',
    load: async () => (await import('#cli/operator/installation/webhook-command.ts')).webhookCommand(),
  },
  {
    name: 'requests',
    description: 'the latest requests of a platform (platform.md §11)',
    load: async () => (await import('#cli/operator/installation/request-commands.ts')).requestsCommand(),
  },
  {
    name: 'keys',
    description: 'encryption keys',
    load: async () => (await import('#cli/operator/installation/keys-command.ts')).keysCommand(),
  },
  {
    name: 'person-keys',
    description: 'the database of the keys of people',
    load: async () => (await import('#cli/operator/installation/person-keys-command.ts')).personKeysCommand(),
  },
  {
    name: 'ledger',
    description: 'the ledger, and its verification',
    load: async () => (await import('#cli/operator/money/ledger-command.ts')).ledgerCommand(),
  },
  {
    name: 'audit',
    description: 'who did what, and when',
    load: async () => (await import('#cli/operator/installation/audit-command.ts')).auditCommand(),
  },
];

/** Commands that need a server and a token, and no database. */
export const FOR_DEVELOPERS: readonly CommandEntry[] = [
  {
    name: 'listen',
    description: 'receive the events of your sandbox platform as they happen, until Ctrl-C',
    load: async () => (await import('#cli/developer/listen-command.ts')).listenCommand(),
  },
  {
    name: 'trigger',
    description: 'cause an event in your sandbox by making the calls that lead to it',
    load: async () => (await import('#cli/developer/trigger-command.ts')).triggerCommand(),
  },
  {
    name: 'events',
    description: 'events of your platform, and whether your endpoint received them',
    load: async () => (await import('#cli/developer/event-commands.ts')).eventsCommand(),
  },
  {
    name: 'logs',
    description: 'the latest requests of your platform',
    load: async () => (await import('#cli/developer/log-commands.ts')).logsCommand(),
  },
  {
    name: 'clock',
    description: 'the time of your sandbox platform',
    load: async () => (await import('#cli/developer/clock-command.ts')).clockCommand(),
  },
  {
    name: 'open',
    description: 'open a page of the server in your browser',
    load: async () => (await import('#cli/developer/open-command.ts')).openCommand(),
  },
  {
    name: 'mcp',
    description: 'serve the tools of an agent over stdin and stdout (MCP)',
    load: async () => (await import('#cli/developer/mcp-command.ts')).mcpCommand(),
  },
];
