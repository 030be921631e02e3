import Fastify from 'fastify';
import { sql } from '#foundation/database/sql.ts';
import type { CpuMeter } from './cpu.ts';
import type { LoadProcess } from './load.ts';
import type { Contestant } from './rounds.ts';
import type { Size } from './sizes.ts';
import { NAMES, openService } from './world.ts';

export interface ReadParts {
  readonly databaseUrl: string;
  /** The usage of this process, which serves both. */
  readonly cpu: CpuMeter;
  readonly load: LoadProcess;
  readonly size: Size;
  readonly closers: (() => Promise<void>)[];
}

const BARE = 'bare route, one look-up';

/** GET of one resource through the whole service, beside a bare Fastify route that looks up one row. */
export async function readContestants(parts: ReadParts): Promise<Contestant[]> {
  const { app, authorization, tokenId } = await (await openService(parts.databaseUrl, parts.closers))(
    'Bench',
  );
  const { database } = app.runtime;
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
  parts.closers.push(() => bare.close());
  const reads = (origin: string, path: string) => (ms: number) =>
    parts.load.round(
      {
        origin,
        clients: parts.size.clients,
        requests: [{ method: 'GET', path, headers: { authorization } }],
      },
      ms,
    );
  return [
    { name: BARE, unit: 'request', cpu: parts.cpu, round: reads(bareOrigin, `/tokens/${tokenId}`) },
    {
      name: 'GET of one resource',
      unit: 'request',
      cpu: parts.cpu,
      against: [{ name: BARE, budget: 0.9 }],
      round: reads(served, `${NAMES.basePath}/tokens/${tokenId}`),
    },
  ];
}
