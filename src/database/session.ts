import type { ClientConfig } from 'pg';

/**
 * What the code takes for granted of every session, where a server, a database or a role may have it otherwise: dates
 * come and go as text in one form, and in UTC in SQL too. These two a pooler keeps apart for each of its clients
 * (PgBouncer does); what else must hold is looked at when the schema is brought up to date.
 */
const OPTIONS = '-c timezone=UTC -c datestyle=ISO';

/** How to connect to a database; options that its URL names are kept, or else those of PGOPTIONS. */
export function sessionAt(url: string): ClientConfig {
  const address = new URL(url);
  // The driver reads it where it is given no options: a search path or role in it must not be lost.
  const own = address.searchParams.get('options') ?? process.env.PGOPTIONS;
  if (own === undefined) return { connectionString: url, options: OPTIONS };
  address.searchParams.delete('options');
  return { connectionString: address.toString(), options: `${own} ${OPTIONS}` };
}
