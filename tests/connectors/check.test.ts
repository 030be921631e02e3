// lane: first — a run of all cases for each planted fault

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { CaseResult } from '#cli/connector/case-results.ts';
import { CASES, runCheck } from '#cli/connector/run-check.ts';
import { keyLine, verifyRequest } from '#foundation/connector-protocol/signing.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { ExampleConnector, type Language } from '#tests/connectors/example.ts';
import { PLANTED_FAULTS } from '#tests/connectors/planted-faults.ts';
import { type Call, ConnectorProxy, NAMES, parseBody, signReply, storeOf } from '#tests/connectors/proxy.ts';
import { createConnector } from '#tests/given/connectors.ts';
import { selfSigned } from '#tests/harness/certificate.ts';
import { command } from '#tests/harness/command-line.ts';
import { corridor } from '#tests/harness/corridor-process.ts';
import { skipWithout } from '#tests/harness/judges.ts';

/** Why tests that need OpenSSL are skipped; false if they run. */
const NO_OPENSSL = await skipWithout('openssl');

/** What each case proves. */
const RULES: Readonly<Record<string, string>> = {
  'CK-1': 'connectors.md §10.3.1, §3.1, §3.2',
  'CK-2': 'connectors.md §10.3.2, §2.2, §2.4',
  'CK-3': 'connectors.md §10.3.3, §2.3',
  'CK-4': 'connectors.md §10.3.4, §1.3, §1.4',
  'CK-5': 'connectors.md §10.3.5, §1.2, §4.2',
  'CK-6': 'connectors.md §10.3.6',
  'CK-7': 'connectors.md §10.3.7, §4.3',
  'CK-8': 'connectors.md §10.3.8, §1.2',
  'CK-9': 'connectors.md §10.3.9, §4.9',
  'CK-10': 'connectors.md §10.3.10, §4.9',
  'CK-11': 'connectors.md §10.3.11, §4.9',
  'CK-12': 'connectors.md §10.3.12, §4.6, §4.7',
  'CK-13': 'connectors.md §10.3.13',
  'CK-14': 'connectors.md §10.3.14, §6.1',
  'CK-15': 'connectors.md §10.3.15',
  'CK-16': 'connectors.md §10.3.16, §6.2',
  'CK-17': 'connectors.md §10.3.17, §1.5, §7.1',
  'CK-18': 'connectors.md §10.3.18, §7.2',
  'CK-19': 'connectors.md §10.3.19, §7.3',
  'CK-21': 'connectors.md §10.3.21',
  'CK-22': 'connectors.md §10.3.22, §2.1, §2.5',
};

describe('the check of a connector', async () => {
  const lacks = { python: await skipWithout('python'), node: false } as const;
  for (const language of ['python', 'node'] as const) {
    it(`connectors.md §11.1, §10.3.20: the example in ${language} passes every case`, {
      skip: lacks[language],
    }, async (t) => {
      const example = await startExample(t, language);
      const restart = await startAgainBy(t, example);
      const { results, isTest } = await runCheck({
        url: example.url,
        keys: example.keys,
        names: NAMES,
        restart,
      });
      assert.equal(isTest, true);
      assert.deepEqual(failed(results), []);
      assert.deepEqual(skipped(results), []);
      assert.deepEqual(
        results.map(({ name }) => name),
        Array.from({ length: 22 }, (_, index) => `CK-${index + 1}`),
      );
    });
  }

  for (const language of ['python', 'node'] as const) {
    it(`connectors.md §7.11, §11.1: the example in ${language} nudges after its events, signed, and goes on if a nudge is lost`, {
      skip: lacks[language],
    }, async (t) => {
      const heard = Promise.withResolvers<Call>();
      let isLost = true;
      const nudged = await ConnectorProxy.start(
        () => '',
        async (call) => {
          if (isLost) {
            isLost = false;
            return 'cut';
          }
          heard.resolve(call);
          return { status: 204, headers: {}, body: Buffer.from('') };
        },
      );
      t.after(() => nudged.stop());
      const example = await ExampleConnector.start(language, `${nudged.url}/connectors/bank/nudge`);
      t.after(() => example.stop());
      const { results } = await runCheck({
        url: example.url,
        keys: example.keys,
        names: NAMES,
        only: 'CK-5',
      });
      assert.deepEqual(failed(results), []);
      const call = await heard.promise;
      assert.deepEqual([call.method, call.path], ['POST', '/connectors/bank/nudge']);
      assert.equal(verifyRequest(example.keys, call, NAMES, new Date(), 'nudge')?.id, example.keys[0].id);
    });
  }

  // One connector for all faults: an operator checks the same one again and again, too.
  let faultless: ExampleConnector;
  before(async () => {
    faultless = await ExampleConnector.start('node');
  });
  after(() => faultless.stop());
  for (const { fails, fault, plant } of PLANTED_FAULTS) {
    it(`${RULES[fails]}: ${fails} alone fails if ${fault}`, async (t) => {
      const example = faultless;
      let ended = 0;
      const proxy = await startProxy(
        t,
        example,
        plant(example.keys, () => CASES[ended]?.name),
      );
      const onResult = () => ended++;
      const { results } = await runCheck({ url: proxy.url, keys: example.keys, names: NAMES, onResult });
      assert.deepEqual(
        failed(results).map(({ name }) => name),
        [fails],
        JSON.stringify(failed(results), null, 1),
      );
    });
  }

  describe('of the example in python', { skip: lacks.python }, () => {
    let python: ExampleConnector;
    before(async () => {
      python = await ExampleConnector.start('python');
    });
    after(() => python.stop());
    for (const { fails, fault, plant } of PLANTED_FAULTS) {
      it(`${RULES[fails]}: ${fails} fails there, too, if ${fault}`, async (t) => {
        const proxy = await startProxy(
          t,
          python,
          plant(python.keys, () => fails),
        );
        const { results } = await runCheck({
          url: proxy.url,
          keys: python.keys,
          names: NAMES,
          only: fails,
        });
        assert.deepEqual(
          failed(results).map(({ name }) => name),
          [fails],
        );
      });
    }

    it('connectors.md §10.3.20: CK-20 fails there, too, if a restart loses what was recorded', async (t) => {
      const example = await startExample(t, 'python');
      const restart = await startAgainBy(t, example, true);
      const given = { url: example.url, keys: example.keys, names: NAMES, restart, only: 'CK-20' };
      assert.deepEqual(
        failed((await runCheck(given)).results).map(({ name }) => name),
        ['CK-20'],
      );
    });
  });

  it('connectors.md §10.3.20, §2.7: CK-20 alone fails if a restart loses what was recorded', async (t) => {
    const example = await startExample(t, 'node');
    const restart = await startAgainBy(t, example, true);
    const { results } = await runCheck({ url: example.url, keys: example.keys, names: NAMES, restart });
    assert.deepEqual(
      failed(results).map(({ name }) => name),
      ['CK-20'],
    );
  });

  it('each case has a planted fault', () => {
    const planted = new Set([...PLANTED_FAULTS.map(({ fails }) => fails), 'CK-20']);
    assert.deepEqual(
      CASES.map(({ name }) => name).filter((name) => !planted.has(name)),
      [],
    );
  });
});

describe('corridor connector check', () => {
  it('connectors.md §10.1, §10.2: prints a line for each case, counts, and ends with 0', async (t) => {
    const example = await startExample(t, 'node');
    const { stdout, code } = await check(example.url, '--secret-file', example.secretFile);
    assert.equal(code, 0, stdout);
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines[0], 'ok    CK-1   capabilities are complete and consistent');
    assert.match(stdout, /^skip {2}CK-20 .*give --restart/m);
    assert.equal(lines.at(-1), '21 passed, 0 failed, 1 skipped');
  });

  it('connectors.md §10.2: below a failure are the request, what was expected and what came; it ends with 1', async (t) => {
    const example = await startExample(t, 'node');
    const proxy = await startProxy(t, example, async (call, forward) => {
      const reply = await forward(call);
      return reply.status === 404 ? { ...reply, status: 200 } : reply;
    });
    const words = ['--secret-file', example.secretFile, '--only', 'ck-4'];
    const { stdout, code } = await check(proxy.url, ...words);
    assert.equal(code, 1);
    const [line, request, expected, got, counts] = stdout.split('\n');
    assert.match(String(line), /^FAIL {2}CK-4 /);
    assert.match(String(request), /request +GET \/orders\/[0-9a-f-]{36}$/);
    assert.match(String(expected), /expected +404$/);
    assert.match(
      String(got),
      /got +nothing that counts: the signature of the answer is wrong \(status 200\)$/,
    );
    assert.equal(counts, '0 passed, 1 failed, 0 skipped');
    const json = JSON.parse((await check(proxy.url, ...words, '--json')).stdout);
    assert.deepEqual(
      [json.passed, json.failed, json.cases[0].name, json.cases[0].expected],
      [0, 1, 'CK-4', '404'],
    );
  });

  it('connectors.md §10.1: a connector that is not in test mode is only read, and the check says so', async (t) => {
    const example = await startExample(t, 'node');
    const written: string[] = [];
    const proxy = await startProxy(t, example, async (call, forward) => {
      if (call.method !== 'GET' && call.path !== '/name-checks') written.push(`${call.method} ${call.path}`);
      const reply = await forward(call);
      if (call.path !== '/capabilities' || reply.status !== 200) return reply;
      const body = { ...parseBody(reply), test: false };
      return signReply(call, example.keys, { status: 200, body, store: storeOf(reply) });
    });
    const { stdout, code } = await check(proxy.url, '--secret-file', example.secretFile);
    assert.equal(code, 0, stdout);
    assert.deepEqual(written, []);
    assert.match(
      stdout,
      /The connector is not in test mode: only the cases that read were tried\.\n8 passed/,
    );
  });

  it('connectors.md §1.6, §10.1: a connector that demands a certificate is shown one', {
    skip: NO_OPENSSL,
  }, async (t) => {
    const [own, ours] = await Promise.all([selfSigned('localhost'), selfSigned('corridor.example')]);
    const tls = { ...own, ca: ours.cert, requestCert: true };
    const bank = await createConnector(systemClock, tls);
    t.after(() => bank.close());
    const folder = await mkdtemp(join(tmpdir(), 'connector-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const key = { id: `ConnectorKey:${randomUUID()}`, secret: randomBytes(32) };
    bank.secret = key.secret.toString('base64');
    const words = ['connector', 'check', bank.url, '--only', 'CK-1'];
    const given = [...words, '--secret-file', await file('secrets', keyLine(key))];
    const shown = [
      ...['--client-certificate', await file('ours.pem', ours.cert)],
      ...['--client-key', await file('ours.key', ours.key)],
    ];
    const environment = { NODE_EXTRA_CA_CERTS: await file('bank.pem', own.cert) };
    assert.equal((await corridor([...given, ...shown], environment)).code, 0);
    const without = await corridor(given, environment);
    assert.deepEqual([without.code, /cannot be reached/.test(without.stderr)], [2, true]);
    const half = await corridor([...given, ...shown.slice(0, 2)], environment);
    assert.deepEqual([half.code, /given together/.test(half.stderr)], [2, true]);
  });

  it('connectors.md §10.2: what cannot run ends with 2', async (t) => {
    const example = await startExample(t, 'node');
    const { secretFile } = example;
    await writeFile(join(example.folder, 'bad'), 'no secret');
    const runs = await Promise.all([
      check('http://127.0.0.1:1', '--secret-file', secretFile),
      check('ftp://example.com', '--secret-file', secretFile),
      check(example.url, '--secret-file', join(example.folder, 'bad')),
      check(example.url, '--secret-file', join(example.folder, 'none')),
      check(example.url, '--secret-file', secretFile, '--only', 'CK-99'),
      check(example.url),
    ]);
    assert.deepEqual(
      runs.map(({ code }) => code),
      [2, 2, 2, 2, 2, 2],
    );
  });
});

async function startExample(t: TestContext, language: Language): Promise<ExampleConnector> {
  const example = await ExampleConnector.start(language);
  t.after(() => example.stop());
  return example;
}

async function startProxy(
  t: TestContext,
  example: ExampleConnector,
  serve: Parameters<typeof ConnectorProxy.start>[1],
) {
  const proxy = await ConnectorProxy.start(() => example.url, serve);
  t.after(() => proxy.stop());
  return proxy;
}

/** A shell command after which the example was killed and runs again. */
async function startAgainBy(t: TestContext, example: ExampleConnector, isForgetful = false): Promise<string> {
  const proxy = await ConnectorProxy.start(
    () => example.url,
    async () => {
      await example.kill();
      if (isForgetful) await example.forget();
      await example.startAgain();
      return { status: 200, headers: {}, body: Buffer.from('') };
    },
  );
  t.after(() => proxy.stop());
  return `"${process.execPath}" -e 'fetch(${JSON.stringify(proxy.url)})'`;
}

function failed(results: readonly CaseResult[]): CaseResult[] {
  return results.filter(({ result }) => result === 'FAIL');
}

function skipped(results: readonly CaseResult[]): CaseResult[] {
  return results.filter(({ result }) => result === 'skip');
}

function check(...words: string[]) {
  return command(['connector', 'check', ...words], {});
}
