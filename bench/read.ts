import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import pino from 'pino';
import { openVault } from '#crypto/vault.ts';
import type { Database } from '#database/database.ts';
import { openDatabase } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import { folderStore } from '#documents/storage/folder-store.ts';
import { sealedStorage } from '#documents/storage/sealed-storage.ts';
import { systemClock } from '#lib/clock.ts';
import { newUuid } from '#lib/ids.ts';
import { wireNames } from '#lib/wire-names.ts';
import { createPlatform } from '#tokens/create-platform.ts';
import { createApp } from '../src/app.ts';
import type { LoadProcess } from './load.ts';
import type { Contestant } from './rounds.ts';

export interface ReadParts {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly load: LoadProcess;
  readonly closers: (() => Promise<void>)[];
}

const CLIENTS = 32;
const BARE = 'bare route, one look-up';

/** GET of one resource, with all that the service does, beside a bare Fastify route that looks up one row. */
export async function readContestants(parts: ReadParts): Promise<Contestant[]> {
  const database = openDatabase({ url: parts.databaseUrl });
  const names = wireNames('Svc');
  const app = await createApp({
    database,
    names,
    vault: openVault({ data: new Map([[1, randomBytes(32)]]), fingerprint: randomBytes(32) }),
    clock: systemClock,
    newId: newUuid,
    domains: { defaultUmaDomain: 'uma.example', sandboxUmaDomain: 'sandbox.example' },
    log: pino({ level: 'silent' }),
    // Nothing is uploaded here.
    storage: sealedStorage(folderStore(join(tmpdir(), 'corridor-bench'))),
  });
  const made = await createPlatform(
    app.surroundings,
    { kind: 'operator', id: 'bench' },
    { name: 'Bench', environment: 'SANDBOX' },
  );
  const bare = Fastify();
  bare.get('/tokens/:id', async (request) => {
    const { id } = request.params as { id: string };
    const [row] = await database.query(
      sql`select id, name, permissions, created_at from tokens where id = ${id}`,
    );
    return row;
  });
  const served = await app.http.listen({ host: '127.0.0.1', port: 0 });
  const bareOrigin = await bare.listen({ host: '127.0.0.1', port: 0 });
  parts.closers.push(database.close, app.close, () => bare.close());
  const authorization = `Basic ${Buffer.from(`${made.token.client_id}:${made.clientSecret}`).toString('base64')}`;
  const reads = (origin: string, path: string) => (ms: number) =>
    parts.load.round(
      { origin, clients: CLIENTS, requests: [{ method: 'GET', path, headers: { authorization } }] },
      ms,
    );
  return [
    { name: BARE, unit: 'request', round: reads(bareOrigin, `/tokens/${made.token.id}`) },
    {
      name: 'GET of one resource',
      unit: 'request',
      against: BARE,
      budget: 0.8,
      round: reads(served, `${names.basePath}/tokens/${made.token.id}`),
    },
  ];
}
