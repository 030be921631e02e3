import { AsyncLocalStorage } from 'node:async_hooks';
import {
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { withTimeout } from '#foundation/lib/promises.ts';
import type { OpenSpan, SpanFacts, Tracer } from '#foundation/lib/tracing.ts';
import type { TracingSettings } from '#foundation/tracing/settings.ts';

/**
 * A tracer that sends its spans over OTLP, where the usual variables of OpenTelemetry say. This file alone loads its
 * libraries, and is itself loaded only where traces are wanted.
 */
export function openTracer(
  { sampledShare }: TracingSettings,
  version: string,
  log: TracingLog,
): Tracer & { close(): Promise<void> } {
  const outages = createOutages(log);
  const ignore = () => undefined;
  diag.setLogger(
    { error: outages.noted, warn: outages.warned, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'corridor', 'service.version': version }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: outages.watch(new OTLPTraceExporter()) })],
  });
  const spans = provider.getTracer('corridor', version);
  const current = new AsyncLocalStorage<Span>();
  return {
    open(facts) {
      const parent = parentOf(facts, current.getStore());
      const links = (facts.links ?? []).map(parseTraceparent).filter((context) => context !== undefined);
      const span = spans.startSpan(
        facts.name,
        {
          kind: KINDS[facts.kind],
          ...(facts.attributes && { attributes: facts.attributes }),
          links: links.map((context) => ({ context })),
        },
        parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      );
      return openSpan(span, current);
    },
    traceparent() {
      const span = current.getStore();
      return span && formatTraceparent(span.spanContext());
    },
    async close() {
      const sending = provider.shutdown().catch((error: Error) => outages.noted(error.message));
      const late = await withTimeout(sending, CLOSE_MS, 'late');
      if (late) outages.noted(`the last ones were not taken within ${CLOSE_MS} ms`);
      diag.disable();
    },
  };
}

/** For the last spans, when the service stops: a collector that is away must not hold it up. */
const CLOSE_MS = 2_000;

export type TracingLog = Pick<Logger, 'warn' | 'info'>;

/**
 * Logs an outage of the collector: one line when it begins, whatever else goes wrong while it lasts, and one when spans
 * are taken again without trouble.
 */
function createOutages(log: TracingLog) {
  let warnings = 0;
  let lostSpans = 0;
  let isOut = false;
  const noted = (reason: string): void => {
    if (!isOut) log.warn({ reason }, 'traces are lost: the collector does not take them');
    isOut = true;
  };
  const ended = (): void => {
    if (isOut) log.info({ lostSpans }, 'traces are sent again');
    isOut = false;
    lostSpans = 0;
  };
  return {
    /** Its libraries tell errors of an export again, when the next one may be under way. */
    noted: (reason: string) => noted(reason),
    /** Spans that a collector took in part, say: that export ends no outage. */
    warned(reason: string) {
      warnings++;
      noted(reason);
    },
    watch: (exporter: SpanExporter): SpanExporter => ({
      export(spans, done) {
        const before = warnings;
        exporter.export(spans, (result) => {
          if (result.code !== EXPORTED) {
            lostSpans += spans.length;
            noted(reasonOf(result.error));
          } else if (warnings === before) ended();
          done(result);
        });
      },
      forceFlush: async () => exporter.forceFlush?.(),
      shutdown: () => exporter.shutdown(),
    }),
  };
}

/** `ExportResultCode.SUCCESS` of a package that is not ours to import. */
const EXPORTED = 0;

/** A connection that was tried at several addresses fails with a code and without words. */
function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  return error?.message || String(error?.code ?? 'unknown');
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<SpanFacts['kind'], SpanKind>;

function openSpan(span: Span, current: AsyncLocalStorage<Span>): OpenSpan {
  return {
    within: (step) => current.run(span, step),
    end(attributes = {}, error) {
      span.setAttributes(attributes);
      if (error !== undefined) {
        // Not its message: that may quote what somebody sent.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function parentOf(facts: SpanFacts, current: Span | undefined): SpanContext | undefined {
  return (facts.parent === undefined ? undefined : parseTraceparent(facts.parent)) ?? current?.spanContext();
}

/** The W3C's header, version 00; anything else is ignored, as it asks. */
function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}
