import { type Database, openDatabase } from '#foundation/database/database.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import type { Cluster } from '#tests/drills/cluster.ts';
import { collect, type Held } from '#tests/drills/collector.ts';
import type { Figures } from '#tests/drills/frame/drill.ts';

/** How much more there may be at the end than in the middle. Caches still fill, and pages are not full. */
const HEAP_GROWTH_MAX = 24e6;
const HANDLES_GROWTH_MAX = 40;
const CONNECTIONS_GROWTH_MAX = 8;
const BYTES_PER_ROW_GROWTH_MAX = 1.5;
const TABLE_ALLOWANCE = 2e6;

interface TableSize {
  readonly name: string;
  readonly rows: number;
  /** The bytes of the table, with its indexes and long values. */
  readonly bytes: number;
}

interface Sample {
  readonly hours: number;
  readonly processes: readonly (Held & { readonly name: string })[];
  readonly connections: number;
  readonly tables: ReadonlyMap<string, TableSize>;
}

/** Measures the memory and connections of a service's processes, and the sizes of its tables. */
export class Watch {
  readonly #cluster: Cluster;
  readonly #database: Database;
  readonly #samples: Sample[] = [];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#database = openDatabase({ url: cluster.environment.DATABASE_URL, connectionsMax: 1 });
  }

  /** Takes a sample, after the clock was moved by this many hours in all. */
  async look(hours: number): Promise<string> {
    const nth = this.#samples.length + 1;
    const processes = await Promise.all(
      this.#cluster.servers().map(async ({ role, server }, i) => {
        return { name: `${role} ${i + 1}`, ...(await collect(server, nth)) };
      }),
    );
    const sample = { hours, processes, connections: await this.#connections(), tables: await this.#tables() };
    this.#samples.push(sample);
    const heaps = processes.map(({ name, heapUsed }) => `${name} ${inMb(heapUsed)}`).join(', ');
    return `heap in MB: ${heaps}; ${sample.connections} connections; database ${inMb(sumOf(sample))} MB`;
  }

  /** Returns what has grown since the middle of the run. By the middle, all recurring work has begun. */
  problems(): string[] {
    const [middle, last] = [this.#at(0.5), this.#at(1)];
    const processes = last.processes.flatMap(({ name, heapUsed, handles }, i) => {
      const before = middle.processes[i] as Held;
      return [
        ...above(`the heap of ${name} in bytes`, before.heapUsed, heapUsed, HEAP_GROWTH_MAX),
        ...above(`the handles of ${name}`, before.handles, handles, HANDLES_GROWTH_MAX),
      ];
    });
    const tables = [...last.tables.values()].flatMap(({ name, rows, bytes }) => {
      const before = middle.tables.get(name);
      if (!before) return [];
      const expected = (before.bytes / Math.max(1, before.rows)) * Math.max(before.rows, rows);
      const most = expected * BYTES_PER_ROW_GROWTH_MAX + TABLE_ALLOWANCE;
      return bytes > most
        ? [`${name} takes ${bytes} bytes for ${rows} rows, and took ${before.bytes} for ${before.rows}`]
        : [];
    });
    const connections = above('connections', middle.connections, last.connections, CONNECTIONS_GROWTH_MAX);
    return [...processes, ...tables, ...connections];
  }

  figures(): Figures {
    const all = (pick: (sample: Sample) => string | number) =>
      [0, 0.25, 0.5, 0.75, 1].map((share) => pick(this.#at(share))).join(', ');
    const last = this.#at(1);
    const ofProcesses = last.processes.flatMap(({ name }, i) => [
      [`heap of ${name} in MB, from start to end`, all(({ processes }) => inMb(processes[i]?.heapUsed ?? 0))],
      [`resident memory of ${name} in MB`, all(({ processes }) => inMb(processes[i]?.rss ?? 0))],
    ]);
    const largest = [...last.tables.values()].sort((a, b) => b.bytes - a.bytes).slice(0, 8);
    const ofTables = largest.map(({ name }) => {
      const size = ({ tables }: Sample) => tables.get(name);
      return [
        `${name}, rows and bytes of each`,
        all((sample) => `${size(sample)?.rows ?? 0} × ${bytesPerRow(size(sample))}`),
      ];
    });
    return {
      ...Object.fromEntries(ofProcesses),
      'handles of all processes': all(({ processes }) =>
        processes.reduce((sum, { handles }) => sum + handles, 0),
      ),
      'connections to PostgreSQL': all(({ connections }) => connections),
      'tables and indexes in MB': all((sample) => inMb(sumOf(sample))),
      ...Object.fromEntries(ofTables),
    };
  }

  /** Runs a look-up in the service's database. */
  query<Row extends object>(statement: ReturnType<typeof sql>): Promise<Row[]> {
    return this.#database.query<Row>(statement);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #at(share: number): Sample {
    return this.#samples[Math.floor(share * (this.#samples.length - 1))] as Sample;
  }

  async #connections(): Promise<number> {
    const [row] = await this.query<{ count: bigint }>(
      sql`select count(*) from pg_stat_activity where application_name like 'corridor/%' and pid <> pg_backend_pid()`,
    );
    return Number(row?.count);
  }

  async #tables(): Promise<Map<string, TableSize>> {
    const sizes = await this.query<{ name: string; bytes: bigint }>(sql`
      select relname as name, pg_total_relation_size(oid) as bytes
        from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`);
    const tables = new Map<string, TableSize>();
    for (const { name, bytes } of sizes) {
      const [row] = await this.query<{ count: bigint }>(sql`select count(*) from ${rawSql(name)}`);
      tables.set(name, { name, rows: Number(row?.count), bytes: Number(bytes) });
    }
    return tables;
  }
}

function above(what: string, before: number, after: number, most: number): string[] {
  return after - before > most ? [`${what} grew from ${before} to ${after}`] : [];
}

function bytesPerRow(size: TableSize | undefined): number {
  return size === undefined || size.rows === 0 ? 0 : Math.round(size.bytes / size.rows);
}

function sumOf({ tables }: Sample): number {
  return [...tables.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

function inMb(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
