import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Door, openDoor } from '#tests/drills/door.ts';
import { Disk } from '#tests/drills/failover/disk.ts';
import { ownPort } from '#tests/drills/failover/own-port.ts';
import { findProgram, interfaceOfEtcd, RunningProgram } from '#tests/drills/failover/programs.ts';
import { findPostgres, makeOwnFolder } from '#tests/drills/postgres/installed-postgres.ts';

/** docs/operating.md recommends these settings, because the drill tests them. */
const TIMES = { ttl: 20, loop_wait: 2, retry_timeout: 5 } as const;
const ADDRESS = '127.0.0.1';
const TRUST = ['local all all trust', 'host all all 127.0.0.1/32 trust'];
const SETTINGS = {
  ...{ timezone: 'UTC', datestyle: 'ISO', log_error_verbosity: 'terse', log_min_error_statement: 'panic' },
  ...{ max_connections: '120', shared_buffers: '64MB', max_wal_size: '256MB', wal_keep_size: '128MB' },
  // A standby whose primary is cut off, and a primary whose standby is, notice it within seconds.
  ...{ wal_receiver_timeout: '5s', wal_sender_timeout: '5s' },
} as const;

/** As Patroni lists a member of its cluster. */
export interface MemberState {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | string;
}

/** One machine of the cluster: Patroni and its PostgreSQL, with a disk of their own, and a network that can be cut. */
export class Member {
  readonly name: string;
  readonly #folder: string;
  readonly #disk: Disk;
  readonly #ports: { readonly postgres: number; readonly rest: number; readonly etcd: number };
  readonly #doors: { readonly postgres: Door; readonly rest: Door; readonly etcd: Door };
  #patroni: RunningProgram | undefined;

  private constructor(parts: {
    name: string;
    folder: string;
    disk: Disk;
    ports: { postgres: number; rest: number; etcd: number };
    doors: { postgres: Door; rest: Door; etcd: Door };
  }) {
    this.name = parts.name;
    this.#folder = parts.folder;
    this.#disk = parts.disk;
    this.#ports = parts.ports;
    this.#doors = parts.doors;
  }

  static async open(name: string, folder: string, etcd: number): Promise<Member> {
    await makeOwnFolder(folder);
    const ports = { postgres: await ownPort(), rest: await ownPort(), etcd };
    const doors = {
      postgres: await openDoor(ports.postgres),
      rest: await openDoor(ports.rest),
      etcd: await openDoor(ports.etcd),
    };
    const disk = await Disk.make(join(folder, 'disk'));
    const member = new Member({ name, folder, disk, ports, doors });
    await writeFile(member.#configFile, JSON.stringify(await member.#config()), { mode: 0o644 });
    return member;
  }

  get disk(): Disk {
    return this.#disk;
  }

  /** The addresses at which others reach its PostgreSQL and its Patroni. */
  get reached(): { readonly postgres: number; readonly rest: number } {
    return { postgres: this.#doors.postgres.port, rest: this.#doors.rest.port };
  }

  get output(): string {
    return `${this.name}:\n${this.#patroni?.output ?? ''}`;
  }

  async startPatroni(): Promise<void> {
    this.#patroni = await RunningProgram.start((await findProgram('patroni')) as string, [this.#configFile]);
  }

  async killPatroni(): Promise<void> {
    await this.#patroni?.kill();
  }

  async isRunning(): Promise<boolean> {
    return (await this.#postmaster()) !== undefined;
  }

  /** Ends the postmaster as a crash would; its other processes then end by themselves. */
  async killPostgres(): Promise<void> {
    const pid = await this.#postmaster();
    if (pid !== undefined) end(pid);
  }

  /** Stops every process of the machine, so that it does nothing at all. Returns a function that lets them continue. */
  async freeze(): Promise<() => void> {
    const postmaster = await this.#postmaster();
    if (postmaster !== undefined) send(postmaster, 'SIGSTOP');
    const pids = postmaster === undefined ? [] : [...(await childrenOf(postmaster)), postmaster];
    for (const pid of pids) send(pid, 'SIGSTOP');
    this.#patroni?.signal('SIGSTOP');
    return () => {
      for (const pid of pids) send(pid, 'SIGCONT');
      this.#patroni?.signal('SIGCONT');
    };
  }

  /** Cuts it off: it cannot reach clients, the other members and etcd, and they cannot reach it. */
  cutOff(): void {
    for (const door of Object.values(this.#doors)) door.fallSilent();
  }

  reconnect(): void {
    for (const [name, door] of Object.entries(this.#doors)) door.open(this.#ports[name as 'postgres']);
  }

  /** Asks its Patroni about the cluster. Returns nothing if it does not answer. */
  async cluster(): Promise<readonly MemberState[]> {
    try {
      const signal = AbortSignal.timeout(3_000);
      const answer = await fetch(`http://${ADDRESS}:${this.#ports.rest}/cluster`, { signal });
      const { members } = (await answer.json()) as { members?: MemberState[] };
      return members ?? [];
    } catch {
      return [];
    }
  }

  /** Asks it to hand the lead over. The answer comes once another member leads. */
  async switchOver(): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(`http://${ADDRESS}:${this.#ports.rest}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: this.name }),
    });
    return { status: answer.status, text: await answer.text() };
  }

  async query<Row extends object>(database: string, text: string): Promise<Row[]> {
    const connectionString = `postgres://postgres@${ADDRESS}:${this.#ports.postgres}/${database}`;
    const client = new Client({ connectionString });
    // PostgreSQL may be killed under it. The statement fails then, and an error without a listener would end the drill.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await this.killPatroni();
    const pid = await this.#postmaster();
    const pids = pid === undefined ? [] : [pid, ...(await childrenOf(pid))];
    for (const each of pids) end(each);
    for (const door of Object.values(this.#doors)) door.close();
    await this.#disk.close();
  }

  get #configFile(): string {
    return join(this.#folder, 'patroni.yml');
  }

  get #data(): string {
    return join(this.#disk.folder, 'data');
  }

  async #postmaster(): Promise<number | undefined> {
    const text = await readFile(join(this.#data, 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(text.split('\n')[0]);
    if (!(pid > 0)) return undefined;
    // The file of a killed postmaster stays, and its number may belong to another program by now.
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return words.includes(this.#data) ? pid : undefined;
  }

  /** JSON is YAML, too. */
  async #config(): Promise<object> {
    const user = { username: 'postgres', password: 'postgres' };
    return {
      scope: 'drill',
      name: this.name,
      restapi: {
        listen: `${ADDRESS}:${this.#ports.rest}`,
        connect_address: `${ADDRESS}:${this.reached.rest}`,
      },
      // Without `use_proxies` Patroni asks etcd for its address, and goes there directly.
      [await interfaceOfEtcd()]: { hosts: [`${ADDRESS}:${this.#doors.etcd.port}`], use_proxies: true },
      bootstrap: {
        dcs: {
          ...TIMES,
          maximum_lag_on_failover: 2 ** 20,
          primary_start_timeout: 0,
          ...{ synchronous_mode: true, synchronous_mode_strict: true },
          postgresql: { use_pg_rewind: true, use_slots: true, parameters: SETTINGS },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      },
      postgresql: {
        listen: `${ADDRESS}:${this.#ports.postgres}`,
        connect_address: `${ADDRESS}:${this.reached.postgres}`,
        ...{ data_dir: this.#data, bin_dir: await findPostgres(), pgpass: join(this.#folder, 'pgpass') },
        authentication: { superuser: user, replication: user, rewind: user },
        pg_hba: [...TRUST, 'host replication all 127.0.0.1/32 trust'],
        parameters: { unix_socket_directories: this.#folder },
        ...{
          remove_data_directory_on_rewind_failure: true,
          remove_data_directory_on_diverged_timelines: true,
        },
      },
    };
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for await (const file of glob('/proc/[0-9]*/stat')) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const [, ppid] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    if (Number(ppid) === parent) children.push(Number(file.split('/')[2]));
  }
  return children;
}

function end(pid: number): void {
  send(pid, 'SIGKILL');
}

/** Sends a signal to a process, which may have ended meanwhile. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
