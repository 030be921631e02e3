import { generateKeyPair } from '#foundation/crypto/p256.ts';
import { deriveServiceKey, type ServiceKey } from '#foundation/crypto/service-key.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

const ID = 1;
const CONTEXT = `service_keys.private_key:${ID}`;

/** Opens the service's signing key. The first process creates it; if several start together, the first to write wins. */
export async function openServiceKey(database: { query: Run }, vault: Vault): Promise<ServiceKey> {
  const known = await findPrivateKey(database);
  if (known) return deriveServiceKey(vault.open(known, CONTEXT));
  const sealed = vault.seal(generateKeyPair().privateKey, CONTEXT);
  await database.query(sql`
    insert into service_keys (id, private_key) values (${ID}, ${sealed}) on conflict (id) do nothing`);
  return openServiceKey(database, vault);
}

async function findPrivateKey(database: { query: Run }): Promise<Buffer | undefined> {
  const [row] = await database.query<{ private_key: Buffer }>(sql`
    select private_key from service_keys where id = ${ID}`);
  return row?.private_key;
}
