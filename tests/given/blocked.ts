import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { hashCustomer } from '#capabilities/customers/sealed-customer.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

/** A customer that another transaction is creating: every caller that wants its reference waits for the outcome. */
export async function holdReference(
  databaseUrl: string,
  platformId: string,
  { reference, vault, id = newUuid() }: { reference: string; vault: Vault; id?: string },
) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  const made = await client.query(
    `insert into customers (platform_id, id, environment, customer_type, profile, reference, uma, person,
       reference_hash, uma_hash, status, region, currencies, created_at, updated_at)
     select p.id, $2, p.environment, 'INDIVIDUAL', null, '', '', '', $3, $4, 'UNVERIFIED', 'US', '{}', now(), now()
       from platforms p where p.id = $1`,
    [platformId, id, hashCustomer(vault, 'reference', reference).toStore, randomBytes(32)],
  );
  assert.equal(made.rowCount, 1);
  return {
    async end(how: 'commit' | 'rollback') {
      await client.query(how);
      await client.end();
    },
  };
}

/**
 * Resolves when one statement in the database, or this many, wait for another transaction; or when the call that should
 * have waited has ended, so that the test can report it.
 */
export async function untilBlocked(databaseUrl: string, count = 1, ended?: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  ended?.then(end, end);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    while (!hasEnded) {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if ((rowCount ?? 0) >= count) return;
      await turn();
    }
  } finally {
    await client.end();
  }
}

/** Runs a step in a transaction that stays open. The returned function lets it commit, and waits for that. */
export async function holdOpen(
  platform: TestPlatform,
  steps: (tx: Tx) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const [done, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = await platform.work();
  const ended = work.write(async (tx) => {
    await steps(tx);
    done.resolve();
    await end.promise;
  });
  await Promise.race([done.promise, ended]);
  return async () => {
    end.resolve();
    await ended;
  };
}
