// lane: whole — the real binary, in both roles

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { ATTENTION_KINDS } from '#app/attention.ts';
import { freePort, serve } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';
import { testWorld } from '#tests/harness/harness.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DEPLOY = join(ROOT, 'deploy');

interface Service {
  readonly image?: string;
  readonly command?: string[];
  readonly environment?: Record<string, string>;
  readonly volumes?: string[];
  readonly read_only?: boolean;
  readonly cap_drop?: string[];
  readonly security_opt?: string[];
  readonly depends_on?: unknown;
  readonly networks?: string[];
  readonly ports?: string[];
}

const read = (path: string) => readFile(join(DEPLOY, path), 'utf8');
const readYaml = async (path: string) => parse(await read(path), { merge: true });
const services = async () => (await readYaml('compose.yaml')).services as Record<string, Service>;

describe('the metrics and alerts of deploy/', () => {
  const world = testWorld();

  /** Names of the metrics in an expression, which must be valid by Prometheus's own grammar. */
  function namesIn(expression: string): string[] {
    const names: string[] = [];
    parser.parse(expression).iterate({
      enter({ type, from, to }) {
        assert.ok(!type.isError, `${expression} cannot be read at ${from}`);
        if (type.name === 'Identifier') names.push(expression.slice(from, to));
      },
    });
    return names;
  }

  async function checkExpressions(expressions: readonly string[]): Promise<void> {
    const text = await world.app.metrics.text();
    const types = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
    const shown = new Set(['up']);
    for (const [name, type] of types) {
      shown.add(name);
      if (type === 'histogram') for (const end of ['bucket', 'sum', 'count']) shown.add(`${name}_${end}`);
    }
    for (const expression of expressions) {
      const names = namesIn(expression);
      assert.ok(names.length > 0, expression);
      assert.deepEqual(
        names.filter((name) => !shown.has(name)),
        [],
        expression,
      );
    }
  }

  it('decision 0032: every alert parses, says what to do, and names existing metrics', async () => {
    const { groups } = await readYaml('alerts.yml');
    const rules = groups.flatMap((group: { rules: unknown[] }) => group.rules) as {
      alert: string;
      expr: string;
      for: string;
      labels: { severity: string };
      annotations: { summary: string; action: string };
    }[];
    assert.ok(rules.length >= 10);
    for (const rule of rules) {
      assert.match(rule.alert, /^Corridor[A-Za-z]+$/);
      assert.match(rule.for, /^\d+[smh]$/);
      assert.match(rule.labels.severity, /^(critical|warning|info)$/);
      assert.ok(rule.annotations.summary && rule.annotations.action, rule.alert);
    }
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    await checkExpressions(rules.map(({ expr }) => expr));
  });

  it('decision 0032: no alert is about a sandbox: alerts on metrics with an environment select production', async () => {
    const { groups } = await readYaml('alerts.yml');
    const expressions = groups
      .flatMap((group: { rules: { expr: string }[] }) => group.rules)
      .map(({ expr }: { expr: string }) => expr);
    // These metrics describe a process, its database or the installation, which serve both environments. Rates,
    // connectors and their breaks exist only in production.
    const ofBoth =
      /^corridor_(database_up|database_connections|build_info|rate_polls_total|upkeep_total|attention_unread|connector_\w+|breaks_\w+|reconciliation_\w+)$/;
    const asked = expressions.flatMap((expression: string) =>
      [...expression.matchAll(/\b(corridor_\w+)(\{[^}]*\})?/g)].map(([, name = '', labels = '']) => [
        name,
        labels,
      ]),
    ) as [string, string][];
    const careless = asked.filter(
      ([name, labels]) => !ofBoth.test(name) && !/environment(="production"|!="sandbox")/.test(labels),
    );
    assert.deepEqual(careless, []);
    assert.ok(asked.length > 15);
  });

  it('decision 0032: everything that waits has an alert, and every alert a receiver', async () => {
    const alerts = await read('alerts.yml');
    const ofTheirOwn = ['payments-overdue', 'suspense', 'receivables', 'card-exceptions', 'jobs'];
    const silent = ATTENTION_KINDS.map(({ name }) => name).filter(
      (name) =>
        !ofTheirOwn.includes(name) && !new RegExp(`kind=~?"([a-z|-]+\\|)?${name}(\\||")`).test(alerts),
    );
    assert.deepEqual(silent, []);
    const { route, receivers } = await readYaml('alertmanager.yml');
    const named = [route, ...route.routes].map(({ receiver }: { receiver: string }) => receiver);
    const known = receivers.map(({ name }: { name: string }) => name);
    assert.deepEqual([...new Set(named)].sort(), known.sort());
    const { alerting } = await readYaml('prometheus.yml');
    assert.deepEqual(alerting.alertmanagers[0].static_configs[0].targets, ['alertmanager:9093']);
  });

  it('decision 0032: every panel of the dashboard names existing metrics, and all of ours are on it', async () => {
    const { panels } = JSON.parse(await read('grafana/dashboard.json')) as {
      panels: { id: number; targets?: { expr: string }[] }[];
    };
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    await checkExpressions(expressions);
    const text = await world.app.metrics.text();
    const own = [...text.matchAll(/^# TYPE (corridor_\S+) /gm)].map(([, name]) => name ?? '');
    const missing = own.filter((name) => !expressions.some((expression) => expression.includes(name)));
    assert.deepEqual(missing, []);
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  });

  it('decision 0032: Prometheus scrapes every process of the compose file, where its metrics are', async () => {
    const { scrape_configs, rule_files } = await readYaml('prometheus.yml');
    assert.deepEqual(rule_files, ['alerts.yml']);
    const targets = scrape_configs.flatMap((job: { static_configs: { targets: string[] }[] }) =>
      job.static_configs.flatMap(({ targets }) => targets),
    );
    const ours = Object.entries(await services()).filter(([, { image }]) => image === 'corridor');
    assert.deepEqual(
      targets.sort(),
      ours.map(([name, { environment }]) => `${name}:${environment?.METRICS_PORT}`).sort(),
    );
  });
});

describe('the compose file', () => {
  it('decision 0032: runs two API and two worker processes without root, privileges or a writable disk', async () => {
    const all = await services();
    const ours = Object.values(all).filter(({ image }) => image === 'corridor');
    const roles = ours.map(({ command }) => command?.join(' ')).sort();
    const [api, worker] = ['serve --role api', 'serve --role worker'];
    assert.deepEqual(roles, [api, api, worker, worker]);
    for (const service of ours) {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
    }
    assert.match(await read('Dockerfile'), /^USER node$/m);
    for (const { depends_on = [] } of Object.values(all)) {
      const names = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on as object);
      for (const name of names) assert.ok(all[name], name);
    }
  });

  it('decision 0032: only the proxy can be reached from elsewhere, and no sandbox reaches the other services', async () => {
    const all = Object.entries(await services());
    const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port] as const));
    for (const [name, port] of published) assert.ok(name === 'proxy' || port.startsWith('127.0.0.1:'), port);
    for (const [, { image, environment }] of all)
      if (image === 'corridor') assert.match(environment?.SANDBOX_WEBHOOKS ?? '', /:-public\}$/);
  });

  it('decision 0039: the keys of people have a PostgreSQL and a volume of their own', async () => {
    const all = await services();
    const hosts = Object.values(all)
      .filter(({ image }) => image === 'corridor')
      .flatMap(({ environment = {} }) => [environment.DATABASE_URL, environment.PERSON_KEYS_URL])
      .map((url) => /@([\w-]+):5432\/\w+$/.exec(url ?? '')?.[1]);
    assert.deepEqual([...new Set(hosts)], ['postgres', 'person-keys']);
    assert.match(all['person-keys']?.image ?? '', /^postgres:/);
    const [own, other] = [all['person-keys'], all.postgres].map((service) => service?.volumes ?? []);
    assert.ok(own?.length === 1 && !other?.some((volume) => own.includes(volume)));
    for (const { image, depends_on } of Object.values(all)) {
      if (image === 'corridor') assert.ok('person-keys' in (depends_on as object));
    }
  });

  it('decision 0032: names existing settings, files, volumes and networks', async () => {
    const compose = await readYaml('compose.yaml');
    const documented = await readFile(join(ROOT, 'docs/operating.md'), 'utf8');
    for (const { image, environment = {}, volumes = [], networks = [] } of Object.values(await services())) {
      for (const name of Object.keys(environment)) {
        if (image === 'corridor') assert.ok(documented.includes(`\`${name}\``), name);
      }
      for (const volume of volumes) {
        const [from = ''] = volume.split(':');
        if (from.startsWith('.')) await stat(join(DEPLOY, from));
        else assert.ok(from in compose.volumes, volume);
      }
      for (const name of networks) assert.ok(name in compose.networks, name);
    }
    for (const [name, path] of Object.entries({
      prometheus: '/prometheus',
      alertmanager: '/alertmanager',
      grafana: '/var/lib/grafana',
    })) {
      // Its data outlives its container.
      assert.ok((await services())[name]?.volumes?.includes(`${name}:${path}`), name);
    }
    const proxied = [...(await read('Caddyfile')).matchAll(/\b(\w+-\d):8080/g)].map(([, name]) => name);
    assert.deepEqual(proxied, ['api-1', 'api-2']);
  });
});

describe('the container file', () => {
  let files: TestDatabase;
  let image: string;
  let data: string;
  before(async () => {
    files = await createTestDatabase();
    image = await mkdtemp(join(tmpdir(), 'corridor-image-'));
    data = await mkdtemp(join(tmpdir(), 'corridor-data-'));
    for (const path of await copied()) {
      const filter = (source: string) => !source.endsWith('.test.ts');
      await cp(join(ROOT, path), join(image, path), { recursive: true, filter });
    }
    await symlink(join(ROOT, 'node_modules'), join(image, 'node_modules'));
    // As the stage that builds the console does.
    const [, built = ''] = /^RUN node (packages\/console\/build\.ts)$/m.exec(await read('Dockerfile')) ?? [];
    const dist = 'packages/console/dist';
    assert.match(await read('Dockerfile'), new RegExp(`^COPY --from=console /app/${dist} ${dist}$`, 'm'));
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, built), join(image, dist)]);
    assert.equal(status, 0, String(stderr));
  });
  after(async () => {
    await files.drop();
    for (const folder of [image, data]) await rm(folder, { recursive: true, force: true });
  });

  /** The files that the second stage copies from the project. */
  async function copied(): Promise<string[]> {
    const lastStage = (await read('Dockerfile')).split(/^FROM /m).at(-1) ?? '';
    const lines = lastStage.split('\n').filter((line) => /^COPY (?!--from)/.test(line));
    const own = lines.flatMap((line) => line.split(' ').slice(1, -1));
    const ignored = await read('Dockerfile.dockerignore');
    for (const path of [...own, 'package-lock.json', '.npmrc']) {
      await stat(join(ROOT, path));
      assert.ok(ignored.split('\n').includes(`!${path}`), `${path} is left out by Dockerfile.dockerignore`);
    }
    return own;
  }

  it('decision 0032: copies enough files for both roles, which write nothing into them, and a health check that knows whether a process is ready', async () => {
    const [, command = ''] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(await read('Dockerfile')) ?? [];
    const [node, script = ''] = JSON.parse(command) as string[];
    assert.equal(node, 'node');
    const check = (environment: Record<string, string>) => {
      const ran = spawnSync(process.execPath, [join(image, script)], { encoding: 'utf8', env: environment });
      return [ran.status, ran.stdout];
    };
    const before = await contents(image);
    const settings = {
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: personKeysUrl(),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PUBLIC_URL: 'http://localhost:8080',
      HOST: '0.0.0.0',
      NODE_DISABLE_COMPILE_CACHE: '1',
      CONSOLE_INSECURE_HTTP: 'true',
      DATA_DIR: data,
    };
    const binary = join(image, 'bin/corridor.mjs');
    const [port, probePort, metricsPort] = [await freePort(), await freePort(), await freePort()].map(String);
    const api = await serve(
      { ...settings, PORT: port as string, METRICS_PORT: metricsPort as string },
      ['--role', 'api'],
      binary,
    );
    const worker = await serve(
      { ...settings, PROBE_PORT: probePort as string },
      ['--role', 'worker'],
      binary,
    );
    try {
      assert.deepEqual(check({ PORT: port as string }), [0, 'ready\n']);
      assert.deepEqual(check({ PORT: '8080', PROBE_PORT: probePort as string }), [0, 'ready\n']);
      const page = await (await fetch(`http://127.0.0.1:${port}/console`)).text();
      const [, entry = ''] = /src="(\/console\/assets\/[^"]+)"/.exec(page) ?? [];
      assert.equal((await fetch(`http://127.0.0.1:${port}${entry}`)).status, 200, page);
    } finally {
      for (const server of [api, worker]) server.kill('SIGTERM');
      for (const server of [api, worker]) assert.equal((await server.finished).code, 0);
    }
    assert.deepEqual(check({ PORT: port as string }), [1, `no answer on port ${port}: ECONNREFUSED\n`]);
    assert.deepEqual(await contents(image), before);
  });
});

/** Every file with its size and modification time, except in packages, where Node.js may store compiled code. */
async function contents(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
  const seen = files.map(async (path) => {
    const { size, mtimeMs } = await stat(path);
    return `${path} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(seen)).sort();
}
