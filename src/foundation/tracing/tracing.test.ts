// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { openSpan } from '#foundation/lib/tracing.ts';
import { readTracing } from '#foundation/tracing/settings.ts';
import { startTracing } from '#foundation/tracing/start.ts';
import { advance, givenOutside, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { testWorld } from '#tests/harness/harness.ts';

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes?: { key: string; value: unknown }[];
}

/** A collector that accepts OTLP over HTTP, in JSON, and stores it. */
function createCollector() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    bodies,
    listen: () => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)),
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
    spans: (): ReceivedSpan[] =>
      bodies
        .flatMap((body) => JSON.parse(body).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
  };
}

describe('traces', () => {
  const collector = createCollector();
  let tracing: AsyncDisposable;
  before(async () => {
    await collector.listen();
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url();
    process.env.OTEL_SERVICE_NAME = 'payments-of-acme';
    const { settings } = readTracing(process.env);
    assert.ok(settings);
    tracing = await startTracing(settings, pino({ level: 'silent' }));
  });
  const world = testWorld();
  after(() => collector.close());

  it('decision 0032: a payment’s request, its statements, calls of ports and webhooks are spans of one trace, without personal data', async () => {
    const platform = await givenPlatform(world);
    const receiver = await platform.receive();
    const payer = await givenPayer(platform, 50_000);
    const to = await givenOutside(platform, payer.id);
    const from = payer.account('USD').id;
    const { id } = await quoted(platform, { from, to, send: 12_345 });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const executed = await platform.call('executeQuote', {
      params: { quoteId: id },
      headers: { traceparent },
    });
    assert.equal(executed.status, 200, executed.raw);
    await advance(platform, 5);
    await world.app.worker.settle(platform.id);
    await tracing[Symbol.asyncDispose]();

    const spans = collector.spans().filter((span) => span.traceId === traceId);
    const names = spans.map(({ name }) => name);
    const request = spans.find(({ name }) => /^POST .*\/quotes\/:quoteId\/execute$/.test(name));
    assert.ok(request, names.join('\n'));
    assert.equal(request.parentSpanId, '00f067aa0ba902b7');
    const spanIds = new Set(spans.map(({ spanId }) => spanId));
    for (const span of spans) assert.ok(span === request || spanIds.has(span.parentSpanId ?? ''), span.name);
    for (const expected of [
      /^postgresql commit$/,
      /^job payments\.pay$/,
      /^port rails\./,
      /^webhook OUTGOING_PAYMENT\.COMPLETED$/,
    ]) {
      assert.ok(
        names.some((name) => expected.test(name)),
        `${expected}\n${names.join('\n')}`,
      );
    }

    const sent = collector.bodies.join('\n');
    assert.match(sent, /payments-of-acme/);
    assert.ok(receiver.received.length > 0);
    for (const { headers } of receiver.received) assert.equal(headers.traceparent, undefined);
    const secrets = [platform.authorization.slice(6), receiver.url, 'Bearer', PERSON_WORDS];
    for (const secret of secrets) assert.ok(!sent.includes(secret), secret);
    // Times in nanoseconds and hexadecimal ids may hold the digits of the amount by chance.
    assert.doesNotMatch(sent, /(?<![0-9a-f])12345(?![0-9a-f])/i);
  });

  it('decision 0032: without the variables of OpenTelemetry none of its libraries is loaded', () => {
    // prom-client loads the API package itself, which does nothing without the others.
    const loaded = (...modules: string[]) => {
      const script = `
        import { registerHooks } from 'node:module';
        const seen = new Set();
        registerHooks({ resolve(name, context, next) { if (/opentelemetry\\/(?!api)/.test(name)) seen.add(name); return next(name, context); } });
        for (const path of ${JSON.stringify(modules)}) await import(path);
        console.log(seen.size);
        process.exit(0);`;
      const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        cwd: ROOT,
      });
      return ran.stdout.trim() || ran.stderr;
    };
    assert.equal(
      loaded('#foundation/tracing/start.ts', './src/cli/serve/server.ts', './src/cli/main.ts'),
      '0',
    );
    assert.match(loaded('#foundation/tracing/open-tracer.ts'), /^[1-9][0-9]*$/);
    assert.deepEqual(readTracing({}), { problems: [] });
    assert.deepEqual(readTracing({ OTEL_SERVICE_NAME: 'x' }), { problems: [] });
    const set = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    assert.deepEqual(readTracing({ ...set, OTEL_SDK_DISABLED: 'true' }), { problems: [] });
    assert.deepEqual(readTracing({ ...set, OTEL_TRACES_EXPORTER: 'none' }), { problems: [] });
  });

  it('decision 0032: each invalid tracing setting is reported in one line', () => {
    const set = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    const { problems } = readTracing({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '2',
    });
    assert.deepEqual(
      problems.map((line) => line.split(' ')[0]),
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_TRACES_SAMPLER'],
    );
    const share = (sampler: string, argument = '') =>
      readTracing({ ...set, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument }).settings
        ?.sampledShare;
    assert.deepEqual(
      [
        share(''),
        share('always_off'),
        share('parentbased_traceidratio', '0.25'),
        share('traceidratio', '.5'),
      ],
      [1, 0, 0.25, 0.5],
    );
  });
});

describe('an outage of the collector', () => {
  /** The number of spans that are sent at once, without waiting for more. */
  const BATCH = 512;
  const endSpans = () => {
    for (let i = 0; i < BATCH; i++) openSpan({ name: 'a span', kind: 'internal' })?.end();
  };

  /** A collector that gives these answers, then none, and a log whose lines a test can wait for. */
  async function givenCollector(t: TestContext, answers: number[]) {
    const server = createServer((request, response) => {
      const status = answers.shift();
      request.resume();
      if (status !== undefined) request.once('end', () => response.writeHead(status).end('{}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lines: { level: string; msg: string; reason?: string; lostSpans?: number }[] = [];
    const written = new EventEmitter();
    const write = (line: string) => {
      lines.push(JSON.parse(line));
      written.emit('line');
    };
    const log = pino({ formatters: { level: (level) => ({ level }) } }, { write });
    const { settings } = readTracing(process.env);
    assert.ok(settings);
    const tracing = await startTracing(settings, log);
    return { lines, tracing, line: () => once(written, 'line') };
  }

  it('decision 0032: is one line in the log when it begins and one when it ends, however many spans are lost', async (t) => {
    const { lines, tracing, line } = await givenCollector(t, [400, 400, 200, 400]);
    await Promise.all([line(), endSpans()]);
    await Promise.all([line(), endSpans(), endSpans()]);
    await Promise.all([line(), endSpans()]);
    await tracing[Symbol.asyncDispose]();
    assert.deepEqual(
      lines.map(({ level, reason, lostSpans }) => [level, reason ?? lostSpans]),
      [
        ['warn', 'Bad Request'],
        ['info', 2 * BATCH],
        ['warn', 'Bad Request'],
      ],
    );
  });

  it('decision 0032: does not delay a service that stops, which logs that traces were lost', async (t) => {
    const { lines, tracing } = await givenCollector(t, []);
    openSpan({ name: 'a span', kind: 'internal' })?.end();
    // Timers of one process fire in order, however slow it is.
    const late = delay(4_000, 'late', { ref: false });
    assert.equal(await Promise.race([tracing[Symbol.asyncDispose](), late]), undefined);
    assert.deepEqual(
      lines.map(({ level, reason }) => [level, reason]),
      [['warn', 'the last ones were not accepted within 2000 ms']],
    );
  });
});

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PERSON_WORDS = 'Lovelace';
