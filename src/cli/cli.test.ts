// lane: first — the real binary

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { command } from '#tests/harness/command-line.ts';
import {
  corridor,
  type Environment,
  type Finished,
  freePort,
  type Server,
  serve,
} from '#tests/harness/corridor-process.ts';

describe('command line', () => {
  let folder: string;
  let embedded: Environment;
  let server: Server | undefined;
  let credentials: { user: string; secret: string };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-cli-'));
    embedded = { DATA_DIR: join(folder, 'data') };
  });
  after(async () => {
    server?.kill('SIGTERM');
    await server?.finished;
    await rm(folder, { recursive: true, force: true });
  });

  const call = (path: string, { user, secret } = credentials): Promise<Response> => {
    const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
    return fetch(`${server?.told.baseUrl}${path}`, { headers: { authorization } });
  };
  const postgresPid = async (): Promise<number> => {
    const path = join(folder, 'data', 'postgres', 'cluster', 'postmaster.pid');
    return Number.parseInt(await readFile(path, 'utf8'), 10);
  };
  const isRunning = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  const restart = async (): Promise<Server> => {
    server = await serve(embedded);
    return server;
  };

  it('platform.md §1.3.8: a first start that finds its port taken is one clear line, and shows no secret', async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await corridor(['serve'], { ...embedded, PORT: String(port) });
    assert.deepEqual(
      [code, stderr],
      [1, `corridor: 127.0.0.1:${port} is taken by another program; set PORT to a free port.\n`],
    );
    assert.match(stdout, /Creating the database cluster/);
    assert.match(stdout, /Applied \d+ migrations/);
    assert.doesNotMatch(stdout, /secret/i);
  });

  it('platform.md §1.3.8: a first start makes a sandbox platform, shows its credentials and serves', async () => {
    const { told, credentials: made, output } = await restart();
    credentials = { user: made.tokenId, secret: made.clientSecret };
    assert.match(credentials.secret, /^[0-9a-f]{36,}$/);
    assert.equal(told.tokenId, credentials.user);
    assert.ok(!output().includes(credentials.secret), 'without a terminal no secret is printed');
    const path = join(folder, 'data', 'credentials.sh');
    assert.equal(told.credentialsFile, path);
    assert.match(told.msg ?? '', /^Corridor serves a new sandbox platform\. Its credentials are in \//);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    const read = 'printf "%s %s %s %s" "$CORRIDOR_URL" "$CORRIDOR_AUTH" "$API" "$AUTH"';
    const shown = execFileSync('sh', ['-c', `${told.inAShell}; ${read}`], { encoding: 'utf8' });
    const auth = `${credentials.user}:${credentials.secret}`;
    assert.equal(shown, `${told.baseUrl} ${auth} ${told.baseUrl} ${auth}`);
    assert.match(execFileSync('sh', ['-c', `${told.tryIt}`], { encoding: 'utf8' }), /"supportedCurrencies"/);
    assert.equal((await call('/config')).status, 200);
    assert.equal((await fetch(told.apiReference ?? '')).status, 200);
    assert.equal((await fetch(new URL('/health/ready', told.baseUrl))).status, 200);
  });

  it('decision 0005: the encryption key is made beside the database, for its owner alone', async () => {
    assert.equal((await stat(join(folder, 'data', 'encryption.key'))).mode & 0o777, 0o600);
  });

  it('decision 0005: a second server on the same folder is refused with one clear line', async () => {
    const { code, stderr } = await corridor(['serve'], { ...embedded, PORT: '0' });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^corridor: Another Corridor process \(pid \d+\) already runs the database in .*\n$/,
    );
  });

  it('decision 0005: commands attach to the database of a running server', async () => {
    const listed = await corridor(['platform', 'list', '--json'], embedded);
    assert.equal(listed.code, 0, listed.stderr);
    const [platform] = JSON.parse(listed.stdout);
    assert.equal(platform.environment, 'SANDBOX');
    const changed = await corridor(
      [
        'platform',
        'set',
        platform.id,
        'fees.crossCurrencyBps=25',
        'frameOrigins=https://a.example,https://b.example',
      ],
      embedded,
    );
    assert.match(changed.stdout, /crossCurrencyBps +25/);
    const shown = JSON.parse((await command(['platform', 'show', '--json'], embedded)).stdout);
    assert.equal(shown.id, platform.id, 'there is only one');
    assert.deepEqual(shown.settings.frameOrigins, ['https://a.example', 'https://b.example']);
    assert.equal(shown.tokens[0].clientId, credentials.user);
    const nothing = await command(['platform', 'set', platform.id], embedded);
    assert.deepEqual([nothing.code, nothing.stderr], [1, 'corridor: Nothing was given to change.\n']);
  });

  it('platform.md §1.3: a token of the operator works at once and is refused once revoked', async () => {
    const made = await command(['token', 'create', '--permissions', 'VIEW', '--json'], embedded);
    const { id, clientId: user, clientSecret: secret } = JSON.parse(made.stdout);
    assert.equal((await call('/config', { user, secret })).status, 200);
    assert.equal((await command(['token', 'revoke', id, '--reason', 'a test', '--yes'], embedded)).code, 0);
    assert.equal((await call('/config', { user, secret })).status, 401);
    const again = await command(['token', 'revoke', id, '--reason', 'a test', '--yes'], embedded);
    assert.deepEqual([again.code, again.stderr], [1, 'corridor: There is no such Token.\n']);
  });

  it('decision 0005: prints new credentials with the line that uses them, and with the address of a server that answers', async () => {
    const { baseUrl = '' } = server?.told ?? {};
    const { port } = new URL(baseUrl);
    const made = async (settings: Environment) => {
      const { stdout } = await command(['token', 'create'], { ...embedded, ...settings });
      const [, user = ''] = /CORRIDOR_AUTH=([0-9a-f]{32}:[0-9a-f]+);/.exec(stdout) ?? [];
      return { stdout, user, address: /CORRIDOR_URL=(\S+)/.exec(stdout)?.[1] };
    };
    const known = await made({ PORT: port });
    const line = `  export CORRIDOR_URL=${baseUrl} CORRIDOR_AUTH=${known.user}; export API=$CORRIDOR_URL AUTH=$CORRIDOR_AUTH\n`;
    assert.ok(known.stdout.endsWith(line), known.stdout);
    const [user = '', secret = ''] = known.user.split(':');
    assert.equal((await call('/config', { user, secret })).status, 200);
    const elsewhere = await made({ PUBLIC_URL: 'https://pay.example' });
    assert.equal(elsewhere.address, 'https://pay.example/svc/2025-10-13');
    const closed = String(await freePort());
    for (const CORRIDOR_URL of [baseUrl, `${new URL(baseUrl).origin}/`]) {
      assert.equal((await made({ PORT: closed, CORRIDOR_URL })).address, baseUrl, CORRIDOR_URL);
    }
    const silent = await made({ PORT: closed, CORRIDOR_URL: `http://127.0.0.1:${closed}` });
    assert.equal(silent.address, undefined);
    assert.match(
      silent.stdout,
      / {2}export CORRIDOR_AUTH=(\S+) AUTH=\1\nNo server answers at \S+ \(HOST, PORT\): set CORRIDOR_URL and API to the "Base URL" that your server prints/,
    );
  });

  it('every operator action leaves an audit row with the name of the user', async () => {
    const { stdout } = await command(['audit', 'list', '--json'], embedded);
    const rows = JSON.parse(stdout) as { actor: string; action: string }[];
    const actions = rows.filter(({ actor }) => actor.startsWith('operator ')).map(({ action }) => action);
    for (const action of [
      'platform create',
      'platform list',
      'platform set',
      'token create',
      'token revoke',
    ]) {
      assert.ok(actions.includes(action), action);
    }
    assert.ok(
      rows.some(({ actor, action }) => actor === 'token unknown' && action === 'authentication failed'),
    );
    assert.doesNotMatch(stdout, new RegExp(credentials.secret));
  });

  it('at SIGTERM the server answers earlier requests, stops the database and exits with 0', async () => {
    assert.ok(server);
    const pid = await postgresPid();
    const { hostname, port } = new URL(server.told.baseUrl ?? '');
    const socket = connect(Number(port), hostname);
    const answered = new Promise<string>((resolve) => {
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    const basic = Buffer.from(`${credentials.user}:${credentials.secret}`).toString('base64');
    const body = JSON.stringify({ name: 'Late', permissions: ['VIEW'] });
    socket.write(
      `POST /svc/2025-10-13/tokens HTTP/1.1\r\nhost: x\r\nauthorization: Basic ${basic}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
    );
    // The server asks for the body: from here on the request is in progress.
    await new Promise((resolve) => socket.once('data', resolve));
    server.kill('SIGTERM');
    await server.prints(/SIGTERM: finishing/);
    socket.write(body);
    assert.match(await answered, /HTTP\/1\.1 201 Created/);
    const { code, stdout } = await server.finished;
    assert.equal(code, 0);
    assert.match(stdout, /"msg":"Stopped\."/);
    assert.equal(isRunning(pid), false);
  });

  it('decision 0005: keys are rotated, and the master key replaced, also while no server runs', async () => {
    const before = await readFile(join(folder, 'data', 'encryption.key'), 'utf8');
    const { code, stdout, stderr } = await corridor(
      ['keys', 'rotate', '--new-master', '--reason', 'a test', '--yes', '--json'],
      embedded,
    );
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).dataKey, 2);
    assert.notEqual(await readFile(join(folder, 'data', 'encryption.key'), 'utf8'), before);
    const names = await readdir(join(folder, 'data'));
    assert.deepEqual(
      names.filter((name) => name.startsWith('encryption')),
      ['encryption.key'],
    );
  });

  it('decision 0005: a second start shows no secret, and the credentials still work', async () => {
    const { told, output } = await restart();
    assert.equal(told.clientSecret, undefined);
    assert.doesNotMatch(output(), /Creating|clientSecret/);
    assert.equal((await call('/config')).status, 200);
  });

  it('an idle server uses less than 200 MB, without its database', async (t) => {
    if (process.platform !== 'linux') return t.skip('only Linux tells what another process holds');
    assert.ok(server);
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
    const residentKb = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]);
    t.diagnostic(`${Math.round(residentKb / 1000)} MB`);
    assert.ok(residentKb < 200_000, `${residentKb} kB`);
  });

  it('after kill -9, the next start cleans up', async () => {
    assert.ok(server);
    server.kill('SIGKILL');
    await server.finished;
    const orphan = await postgresPid();
    await restart();
    assert.equal((await call('/config')).status, 200);
    assert.notEqual(await postgresPid(), orphan);
  });

  it('a killed database ends the server with one clear line, and the next start repairs it', async () => {
    assert.ok(server);
    process.kill(await postgresPid(), 'SIGKILL');
    const { code, stdout } = await server.finished;
    assert.equal(code, 1);
    assert.match(stdout, /"level":"fatal".*The database stopped unexpectedly; see .*server\.log/);
    await restart();
    assert.equal((await call('/config')).status, 200);
  });

  it('uncaught exceptions, even several, stop the server in the usual way: it answers earlier requests and exits with 1', async () => {
    const faulty = `process.on('SIGUSR2', () => {
      setImmediate(() => { throw new Error('the first fault'); });
      setImmediate(() => void Promise.reject(new Error('the second fault')));
    });`;
    server?.kill('SIGTERM');
    await server?.finished;
    server = await serve({
      ...embedded,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(faulty)}`,
    });
    const pid = await postgresPid();
    const { port, hostname } = new URL(server.told.baseUrl ?? '');
    const socket = connect(Number(port), hostname);
    socket.write('POST /liveness/x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\nexpect: 100-continue\r\n\r\n');
    await once(socket, 'data');
    server.kill('SIGUSR2');
    await server.prints(/the second fault/);
    socket.write('x');
    assert.match((await socket.setEncoding('utf8').toArray()).join(''), /^HTTP\/1\.1 404 /);
    const { code, stdout, stderr } = await server.finished;
    assert.equal(code, 1, stderr);
    assert.match(stdout, /the first fault[\s\S]*"msg":"Stopped\."/);
    assert.equal(isRunning(pid), false);
    server = await serve(embedded);
  });

  it('a wrong command line is one clear line, never a stack', async () => {
    const wrong: [string[], number, RegExp][] = [
      [['nonsense'], 2, /unknown command 'nonsense'/],
      [['platform'], 2, /choose one of create, list, show, set, uma-domain, disable, enable/],
      [['platform', 'show', 'Platform:1'], 1, /There is no platform Platform:1 \("corridor platform list"/],
      [['platform', 'set', `Platform:${UNKNOWN}`, 'requestRate'], 2, /name=value/],
      [['serve', '--role', 'both'], 2, /It must be one of all, api, worker/],
      [['serve', '--role', 'api'], 1, /--role api needs DATABASE_URL/],
      [['webhook', 'show', `Webhook:${UNKNOWN}`], 1, /There is no such Webhook/],
      [['platform', 'create', '--name', 'A', '--set', 'fees.fixedd=1'], 1, /fees\.fixedd: is not a setting/],
    ];
    const ran = new Map<RegExp, Finished>();
    for (const [words, , pattern] of wrong) ran.set(pattern, await corridor(words, embedded));
    for (const [words, exit, pattern] of wrong) {
      const { code, stdout = '', stderr = '' } = ran.get(pattern) ?? {};
      const name = words.join(' ');
      assert.equal(code, exit, `${name}: ${stderr}`);
      assert.match(stderr, pattern, name);
      assert.match(stderr, /^corridor: [^\n]+\n$/, name);
      assert.equal(stdout, '', name);
    }
  });

  it('the help says how to run a command, without asking the public registry for its name', async () => {
    const { stdout } = await command(['--help'], embedded);
    assert.match(stdout, /npm run -s corridor -- <command>/);
    const operating = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8');
    assert.doesNotMatch(operating + stdout, /npx corridor/);
  });

  it('decision 0005: every bad setting is one line, and nothing is started', async () => {
    const wrong = { ...embedded, PORT: 'x', LOG_LEVEL: 'loud' };
    const { code, stdout, stderr } = await corridor(['serve'], wrong);
    assert.deepEqual([code, stdout, stderr.split('\n').length], [1, '', 3]);
    assert.match(stderr, /^corridor: PORT .*\ncorridor: LOG_LEVEL .*\n$/);
  });

  it('the binary finds its own Node when it is started with an older one', async (t) => {
    const old = oldNode();
    if (!old) return t.skip('this machine has no older Node');
    const binary = new URL('../../bin/corridor.mjs', import.meta.url).pathname;
    const env = { PATH: process.env.PATH ?? '' };
    assert.match(
      execFileSync(old, [binary, '--version'], { encoding: 'utf8', cwd: '/', env }),
      /^\d+\.\d+\.\d+(-rc\.\d+)?( \(commit [0-9a-f]{12}\))?\n$/,
    );
    assert.throws(() => execFileSync(old, [binary, 'nonsense'], { stdio: 'pipe', cwd: '/', env }), {
      status: 2,
    });
  });
});

const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057';

function oldNode(): string | undefined {
  const path = '/usr/bin/node';
  try {
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
    return Number.parseInt(version.slice(1), 10) < 26 ? path : undefined;
  } catch {
    return undefined;
  }
}
