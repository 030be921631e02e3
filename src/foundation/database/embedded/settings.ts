/** PostgreSQL settings by name. */
export type Settings = Readonly<Record<string, string>>;

/**
 * Passed on the command line at every start, so that a newer release changes them in old folders too.
 * No acknowledged data may be lost, and no data of a user may reach the log.
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
  // All statements are short: compiling them would cost more than it saves.
  jit: 'off',
  // The caller gets the errors of statements and logs them once; here their text could contain personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_destination: 'stderr',
  logging_collector: 'off',
  // Clients connect by TCP, with a password.
  unix_socket_directories: '',
};

/** Settings that the supervisor relies on; no override may change them. */
export function fixedSettings(port: number): Settings {
  return { port: String(port), listen_addresses: '127.0.0.1' };
}

export function settingArguments(settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
