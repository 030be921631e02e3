import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type EmbeddedDatabase, startEmbedded } from '#foundation/database/embedded/embedded.ts';
import type { Answer, ApiRequest } from '#tests/drills/deployment.ts';
import { Member, type MemberState } from '#tests/drills/failover/member.ts';
import { ownPort } from '#tests/drills/failover/own-port.ts';
import {
  findProgram,
  interfaceOfEtcd,
  type ProgramName,
  RunningProgram,
  versionOf,
} from '#tests/drills/failover/programs.ts';
import { findPostgres, makeOwnFolder } from '#tests/drills/postgres/installed-postgres.ts';
import { Processes, type Role } from '#tests/drills/processes.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import { createPersonKeysBeside } from '#tests/harness/databases.ts';
import { prepareDataFolder } from '#tests/harness/prepared-data-folder.ts';

const NAMES = ['one', 'two', 'three'] as const;
const DATABASE = 'corridor';
const LOOK_MS = 200;
const DEADLINE_MS = 300_000;

export interface PatroniSiteOptions {
  /** Settings of all processes. */
  readonly settings: Environment;
  /** How many API processes there are; there are as many workers. */
  readonly pairs: number;
  /** Puts PgBouncer between the processes and HAProxy. */
  readonly isPooled: boolean;
}

/** Everything that runs, in the order in which it was started, so that all of it can be stopped. */
interface Machines {
  readonly folder: string;
  readonly keysFolder: string;
  readonly members: Member[];
  readonly programs: RunningProgram[];
  description: string;
  keys?: EmbeddedDatabase;
}

/**
 * API processes and workers on three PostgreSQL servers under Patroni, with one etcd. HAProxy asks each Patroni whether it leads.
 * The keys of people are in a PostgreSQL of their own that no fault affects.
 */
export class PatroniSite extends Processes {
  readonly #machines: Machines;
  readonly #successes: number[] = [];

  private constructor(environment: Environment & { readonly DATABASE_URL: string }, machines: Machines) {
    super(environment);
    this.#machines = machines;
  }

  static async open(options: PatroniSiteOptions): Promise<PatroniSite> {
    const folder = await makeOwnFolder(await mkdtemp(join(tmpdir(), 'corridor-failover-')));
    const keysFolder = await mkdtemp(join(tmpdir(), 'corridor-failover-keys-'));
    const machines: Machines = { folder, keysFolder, members: [], programs: [], description: '' };
    let site: PatroniSite | undefined;
    try {
      site = new PatroniSite(await startMachines(machines, options), machines);
      const each = (role: Role) => Array.from({ length: options.pairs }, () => role);
      await site.startAll([...each('api'), ...each('worker')]);
      return site;
    } catch (error) {
      await site?.stop();
      await closeMachines(machines);
      throw error;
    }
  }

  override async ask(asked: ApiRequest): Promise<Answer> {
    const answer = await super.ask(asked);
    if (asked.method === 'POST' && answer.status < 300) this.#successes.push(performance.now());
    return answer;
  }

  /** The versions of the programs. */
  get description(): string {
    return this.#machines.description;
  }

  get canFillDisks(): boolean {
    return this.#machines.members.every(({ disk }) => disk.canFill);
  }

  /** Waits for a leader, and returns it. */
  async leader(): Promise<Member> {
    const named = await this.#until('a member leads', async () => {
      const states = await this.#states();
      return states.find(({ role }) => role === 'leader')?.name;
    });
    return this.#machines.members.find(({ name }) => name === named) as Member;
  }

  /** Waits until the other members know that another member than this one leads. */
  async successorOf(member: Member): Promise<void> {
    await this.#until(`a member other than ${member.name} leads`, async () => {
      const states = await this.#states(member);
      return states.some(({ role, name, state }) => role === 'leader' && name !== member.name && isUp(state));
    });
  }

  /** Waits until one leads, one follows synchronously, and the third follows. Patroni may not know yet that one has died. */
  async whole(): Promise<void> {
    await this.#until('the cluster is whole', async () => {
      const running = await Promise.all(this.#machines.members.map((member) => member.isRunning()));
      return running.every(Boolean) && isWhole(await this.#states());
    });
  }

  /** Waits until a fault is over and the cluster is whole again; returns the longest time without a success. */
  async endure(fault: () => Promise<void>): Promise<number> {
    this.kills++;
    const began = performance.now();
    const success = await this.excused(async () => {
      await fault();
      await this.nextSuccess();
      await this.whole();
      await this.nextSuccess();
      return performance.now();
    });
    const times = [began, ...this.#successes.splice(0).filter((at) => at > began && at < success), success];
    return Math.max(...times.slice(1).map((at, i) => at - (times[i] as number)));
  }

  /** Asserts that all three have the same rows, once the followers have what the leader has. */
  async requireSameCopies(tables: readonly string[]): Promise<void> {
    const counted = tables.map(
      (table) => `(select count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0) from ${table} t)`,
    );
    const text = `select ${counted.join(` || ', ' || `)} as content`;
    await this.#until('the followers have the same rows', async () => {
      const contents = await Promise.all(
        // A follower that restarts, or applies changes to the tables that the query reads, answers later.
        this.#machines.members.map((member) =>
          member.query<{ content: string }>(DATABASE, text).catch(() => []),
        ),
      );
      return contents.every(([row]) => row !== undefined && row.content === contents[0]?.[0]?.content);
    });
  }

  async close(): Promise<void> {
    await this.stop();
    await closeMachines(this.#machines);
  }

  async #states(except?: Member): Promise<readonly MemberState[]> {
    for (const member of this.#machines.members) {
      if (member === except) continue;
      const states = await member.cluster();
      if (states.length > 0) return states;
    }
    return [];
  }

  async #until<Found>(what: string, look: () => Promise<Found | undefined | false>): Promise<Found> {
    return until(what, this.#machines, look);
  }
}

function isUp(state: string): boolean {
  return state === 'running' || state === 'streaming';
}

function isWhole(states: readonly MemberState[]): boolean {
  const roles = states.map(({ role }) => role).sort();
  const timelines = new Set(states.map(({ timeline }) => timeline));
  const isCaughtUp = ({ lag, role }: MemberState) => role === 'leader' || Number(lag) < 2 ** 22;
  return (
    roles.join() === 'leader,replica,sync_standby' &&
    timelines.size === 1 &&
    states.every((one) => isUp(one.state) && isCaughtUp(one))
  );
}

async function until<Found>(
  what: string,
  { members, programs }: Pick<Machines, 'members' | 'programs'>,
  look: () => Promise<Found | undefined | false>,
): Promise<Found> {
  for (const deadline = Date.now() + DEADLINE_MS; ; await delay(LOOK_MS)) {
    const found = await look();
    if (found) return found;
    const outputs = () => [...members, ...programs].map(({ output }) => output.slice(-3_000)).join('\n');
    if (Date.now() > deadline) assert.fail(`not so after ${DEADLINE_MS} ms: ${what}\n${outputs()}`);
  }
}

async function startProgram(name: ProgramName, words: readonly string[]): Promise<RunningProgram> {
  return RunningProgram.start((await findProgram(name)) as string, words);
}

async function startEtcd(folder: string, programs: RunningProgram[]): Promise<number> {
  const [client, peer] = [await ownPort(), await ownPort()];
  const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  const words = [
    ...['--name', 'etcd', '--data-dir', await makeOwnFolder(join(folder, 'etcd')), '--log-level', 'error'],
    ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...[
      '--listen-peer-urls',
      peers,
      '--initial-advertise-peer-urls',
      peers,
      '--initial-cluster',
      `etcd=${peers}`,
    ],
  ];
  if ((await interfaceOfEtcd()) === 'etcd') words.push('--enable-v2');
  programs.push(await startProgram('etcd', words));
  return client;
}

async function startMachines(
  machines: Machines,
  { settings, isPooled }: PatroniSiteOptions,
): Promise<Environment & { readonly DATABASE_URL: string }> {
  const { folder, keysFolder, members, programs } = machines;
  const etcd = await startEtcd(folder, programs);
  for (const name of NAMES) members.push(await Member.open(name, join(folder, name), etcd));
  const dataDir = await prepareDataFolder(keysFolder);
  const keys = await startEmbedded({ dataDir, report: () => undefined });
  machines.keys = keys;
  machines.description = await describePrograms(isPooled);
  const haproxy = await startHaproxy(machines);
  await startMembers(machines, haproxy);
  return {
    ...settings,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: urlOf(isPooled ? await startPgbouncer(machines, haproxy) : haproxy),
    PERSON_KEYS_URL: await createPersonKeysBeside(keys.url),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
}

/** Starts the members: the first one makes the cluster, and the others copy it. */
async function startMembers(machines: Machines, address: number): Promise<void> {
  const [first, ...others] = machines.members;
  await first?.startPatroni();
  await until('the first leads', machines, async () =>
    (await first?.cluster())?.some(({ role, state }) => role === 'leader' && isUp(state)),
  );
  for (const member of others) await member.startPatroni();
  await until('all follow', machines, async () => isWhole((await first?.cluster()) ?? []));
  await until('the leader takes changes', machines, () => createDatabase(address));
}

/** Creates the database. The service's own role owns it, and has no other rights. */
async function createDatabase(address: number): Promise<boolean> {
  const client = new Client({ connectionString: urlOf(address, 'postgres', 'postgres') });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const statement of OWN_DATABASE) {
      await client.query(statement).catch(({ code }) => assert.match(String(code), IS_THERE));
    }
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The limits of a session are the role's, because PgBouncer passes none on. */
const OWN_DATABASE = [
  'create role corridor login',
  "alter role corridor set statement_timeout = '60s'",
  "alter role corridor set idle_in_transaction_session_timeout = '60s'",
  `create database ${DATABASE} owner corridor`,
];
const IS_THERE = /^(42P04|42710)$/;

function urlOf(port: number, database: string = DATABASE, user = 'corridor'): string {
  return `postgres://${user}@127.0.0.1:${port}/${database}`;
}

/** Only the leader's Patroni answers 200 to `/primary`. */
async function startHaproxy({ folder, members, programs }: Machines): Promise<number> {
  const port = await ownPort();
  const servers = members.map(
    ({ name, reached }) => `  server ${name} 127.0.0.1:${reached.postgres} check port ${reached.rest}`,
  );
  const config = `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, config);
  programs.push(await startProgram('haproxy', ['-db', '-f', file]));
  return port;
}

/** PgBouncer before 1.21 cannot keep prepared statements if it lends sessions for single transactions. */
async function startPgbouncer({ folder, programs }: Machines, to: number): Promise<number> {
  const port = await ownPort();
  const isNew = Number((await versionOfPgbouncer()).split('.')[1]) >= 21;
  const mode = isNew ? 'pool_mode = transaction\nmax_prepared_statements = 200' : 'pool_mode = session';
  const ignored = ['statement_timeout', 'idle_in_transaction_session_timeout', ...(isNew ? [] : ['options'])];
  const config = `[databases]
* = host=127.0.0.1 port=${to} user=corridor
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
${mode}
default_pool_size = 80
max_client_conn = 200
server_login_retry = 1
ignore_startup_parameters = ${ignored.join(',')}
`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, config);
  programs.push(await startProgram('pgbouncer', ['-q', file]));
  return port;
}

/** Debian's PostgreSQL, because the embedded one has no tools for standbys. */
async function describePrograms(isPooled: boolean): Promise<string> {
  const postgres = await versionOf(join((await findPostgres()) as string, 'postgres'));
  const patroni = await versionOf((await findProgram('patroni')) as string);
  const etcd = await versionOf((await findProgram('etcd')) as string);
  const haproxy = await versionOf((await findProgram('haproxy')) as string, '-v');
  const named = [`${postgres} of the machine`, `Patroni ${patroni}`, `etcd ${etcd}`, `HAProxy ${haproxy}`];
  if (isPooled) named.push(`PgBouncer ${await versionOfPgbouncer()}`);
  return named.join(', ');
}

async function versionOfPgbouncer(): Promise<string> {
  return versionOf((await findProgram('pgbouncer')) as string);
}

async function closeMachines({ folder, keysFolder, members, programs, keys }: Machines): Promise<void> {
  for (const member of members) await member.close();
  for (const program of programs) await program.kill();
  await keys?.stop();
  for (const each of [folder, keysFolder]) await rm(each, { recursive: true, force: true });
}
