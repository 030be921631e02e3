/** PostgreSQL settings by name. */
export type Settings = Readonly<Record<string, string>>;

/**
 * Given on the command line at every start, so that a newer release changes them in old folders too.
 * Nothing acknowledged may be lost, and what a person typed may not reach the log.
 */
export const baseSettings: Settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  shared_buffers: '128MB',
  wal_level: 'replica',
  min_wal_size: '128MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '5min',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Short statements only: compiling them costs more than it saves.
  jit: 'off',
  // Errors of statements go to the caller, who logs them once; here their text could hold personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_destination: 'stderr',
  logging_collector: 'off',
};

/** What the supervisor relies on; no override may change it. */
export function fixedSettings(port: number): Settings {
  return { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' };
}

export function settingArguments(settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
