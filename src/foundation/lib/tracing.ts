/**
 * Spans of traces, if a tracer is set (src/foundation/tracing/open-tracer.ts). Without one, every function here does nothing, and no
 * library is loaded (decision 0032). A span contains names, kinds and ids, but no body, no parameter of a statement and no
 * error message, which may quote one.
 */
export interface SpanFacts {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** A `traceparent` (W3C): the span belongs to that trace; default: to the span it is opened in. */
  readonly parent?: string | undefined;
  /** Other traces that the span also belongs to. */
  readonly links?: readonly string[];
}

export interface OpenSpan {
  /** Spans that are opened in the step belong to this span. */
  within<T>(step: () => T): T;
  end(attributes?: Readonly<Record<string, string | number>>, error?: unknown): void;
}

export interface Tracer {
  open(facts: SpanFacts): OpenSpan;
  /** The `traceparent` of the current span. */
  traceparent(): string | undefined;
}

let tracer: Tracer | undefined;

/** Set once, when the process starts. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

export function openSpan(facts: SpanFacts): OpenSpan | undefined {
  return tracer?.open(facts);
}

/** The current trace, to be stored with a job or event. */
export function traceparent(): string | null {
  return tracer?.traceparent() ?? null;
}

/** Runs a step as a span, which ends when the step returns or its promise settles. */
export function traced<T>(facts: () => SpanFacts, step: () => T): T {
  const span = tracer?.open(facts());
  if (!span) return step();
  try {
    const result = span.within(step);
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result.then(
      (value) => {
        span.end();
        return value;
      },
      (error) => {
        span.end({}, error);
        throw error;
      },
    ) as T;
  } catch (error) {
    span.end({}, error);
    throw error;
  }
}

/** The parent of work for several callers: the trace that all share, or none and a link to each trace. */
export function commonTrace(
  traceparents: readonly (string | null | undefined)[],
): Pick<SpanFacts, 'parent' | 'links'> {
  const known = [...new Set(traceparents.filter((value) => value != null))];
  return known.length === 1 ? { parent: known[0] } : { links: known.slice(0, LINKS_MAX) };
}

const LINKS_MAX = 100;
