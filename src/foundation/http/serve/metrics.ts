import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { shareReads } from '#foundation/lib/batch-calls.ts';
import { withTimeout } from '#foundation/lib/promises.ts';

/** The service's metrics in Prometheus form. */
export interface Metrics {
  /** `environment`: that of the caller's platform; undefined if the caller was not authenticated. */
  observeRequest(request: ObservedRequest): void;
  /** A value that is read at each scrape. */
  gauge(name: string, help: string, read: () => Promise<Reading[]> | Reading[]): void;
  /** A running total that its owner keeps and this reads. */
  counter(name: string, help: string, read: () => Promise<Reading[]> | Reading[]): void;
  text(): Promise<string>;
  readonly contentType: string;
}

export interface ObservedRequest {
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
  readonly environment: string | undefined;
}

export interface Reading {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A scraper gives up after some seconds, so a late value is left out and the others still arrive. */
const READ_MAX_MS = 3_000;

export function createMetrics({ readMaxMs = READ_MAX_MS } = {}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'corridor_http_request_duration_seconds',
    help: 'Time to answer a request, by operation, status and environment.',
    labelNames: ['operation', 'status', 'environment'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  const inTime = (read: () => Promise<Reading[]> | Reading[]) => {
    // A late value may still be being read at the next scrape.
    const reading = shareReads(async () => read());
    return () => withTimeout(reading(), readMaxMs, []);
  };
  return {
    observeRequest: ({ seconds, environment, ...labels }) =>
      requests.observe({ ...labels, environment: environment?.toLowerCase() ?? 'none' }, seconds),
    gauge: (name, help, read) => addGauge(registry, name, help, inTime(read)),
    counter: (name, help, read) => addCounter(registry, name, help, inTime(read)),
    text: shareReads(() => registry.metrics()),
    contentType: registry.contentType,
  };
}

function addGauge(registry: Registry, name: string, help: string, read: () => Promise<Reading[]>): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [registry],
    labelNames: [
      ...['platform', 'environment', 'connector', 'account', 'kind'],
      ...['state', 'status', 'currency', 'version', 'commit', 'node'],
    ],
    async collect() {
      gauge.reset();
      for (const { value, labels = {} } of await read()) gauge.set(labels, value);
    },
  });
}

function addCounter(registry: Registry, name: string, help: string, read: () => Promise<Reading[]>): void {
  const counter = new Counter({
    name,
    help,
    registers: [registry],
    labelNames: ['kind', 'outcome', 'environment', 'connector', 'call'],
    async collect() {
      counter.reset();
      for (const { value, labels = {} } of await read()) counter.inc(labels, value);
    },
  });
}
