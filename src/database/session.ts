import type { ClientConfig } from 'pg';

/**
 * What the code takes for granted of every session; a server, a database or a role may have it otherwise. Dates and
 * bytes are read and written as text in one form, business time is UTC in SQL too, and whoever waited for a row must
 * see it as it is then.
 */
const SETTINGS = [
  'timezone=UTC',
  'datestyle=ISO',
  'bytea_output=hex',
  'default_transaction_isolation=read\\ committed',
];

/** How to connect to a database; options that its URL names are kept. */
export function sessionAt(url: string): ClientConfig {
  const address = new URL(url);
  const own = address.searchParams.get('options');
  address.searchParams.delete('options');
  const options = SETTINGS.map((setting) => `-c ${setting}`).join(' ');
  return {
    connectionString: own === null ? url : address.toString(),
    options: own === null ? options : `${own} ${options}`,
  };
}
