/**
 * Spans of traces, for whoever set a tracer (src/foundation/tracing/open-tracer.ts). Where nobody did, every function here does nothing,
 * and no library is loaded (decision 0032). A span holds names, kinds and ids: no body, no parameter of a statement, no
 * message of an error, which may quote one.
 */
export interface SpanFacts {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** A `traceparent` (W3C): the span belongs to that trace; default: to the span it is opened in. */
  readonly parent?: string | undefined;
  /** Other traces that it serves as well. */
  readonly links?: readonly string[];
}

export interface OpenSpan {
  /** Everything that is begun in the step belongs to the span. */
  within<T>(step: () => T): T;
  end(attributes?: Readonly<Record<string, string | number>>, error?: unknown): void;
}

export interface Tracer {
  open(facts: SpanFacts): OpenSpan;
  /** The `traceparent` of the span that this is called in. */
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

/** The trace that this is called in, to be stored with work for later. */
export function traceparent(): string | null {
  return tracer?.traceparent() ?? null;
}

/** Runs a step as a span, which ends when the step has, or its promise. */
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

/** The parent of work that several callers left: one that all share, or none and a link to each. */
export function commonTrace(
  traceparents: readonly (string | null | undefined)[],
): Pick<SpanFacts, 'parent' | 'links'> {
  const known = [...new Set(traceparents.filter((value) => value != null))];
  return known.length === 1 ? { parent: known[0] } : { links: known.slice(0, LINKS_MAX) };
}

const LINKS_MAX = 100;
