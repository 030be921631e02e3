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
 * A tracer that sends its spans over OTLP, to the address in the usual variables of OpenTelemetry. Only this file loads
 * the libraries of OpenTelemetry, and it is itself loaded only if tracing is on.
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
      const parent = chooseParent(facts, current.getStore());
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
      if (late) outages.noted(`the last ones were not accepted within ${CLOSE_MS} ms`);
      diag.disable();
    },
  };
}

/** The time for the last spans when the service stops: an unavailable collector must not delay it. */
const CLOSE_MS = 2_000;

export type TracingLog = Pick<Logger, 'warn' | 'info'>;

/**
 * Logs an outage of the collector: one line when it begins, whatever else fails during it, and one when spans are accepted
 * again without a warning.
 */
function createOutages(log: TracingLog) {
  let warnings = 0;
  let lostSpans = 0;
  let isOut = false;
  const noted = (reason: string): void => {
    if (!isOut) log.warn({ reason }, 'traces are lost: the collector does not accept them');
    isOut = true;
  };
  const ended = (): void => {
    if (isOut) log.info({ lostSpans }, 'traces are being sent again');
    isOut = false;
    lostSpans = 0;
  };
  return {
    /** The libraries report errors of an export again later, when the next export may already be running. */
    noted: (reason: string) => noted(reason),
    /** For example, a collector accepted only a part of the spans: such an export does not end the outage. */
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

/** `ExportResultCode.SUCCESS` of a package that we do not depend on directly. */
const EXPORTED = 0;

/** A connection that failed at several addresses has a code but no message. */
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
        // Not its message, which may quote data of a request.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function chooseParent(facts: SpanFacts, current: Span | undefined): SpanContext | undefined {
  return (facts.parent === undefined ? undefined : parseTraceparent(facts.parent)) ?? current?.spanContext();
}

/** The W3C header, version 00; any other value is ignored, as the standard requires. */
function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}
