-- The triggers that choose versions of hashes look for the older version of a new hash. PostgreSQL compares a column
-- with a function by an index only if the function is not volatile; 0140 left that out, so each new customer, card,
-- account or credential was compared with all others of its platform. The function depends on its arguments alone.
alter function stored_older_hash(bytea, hash_versions) immutable;
