import { setTracer } from '#lib/tracing.ts';
import type { TracingLog } from '#tracing/open-tracer.ts';
import type { TracingSettings } from '#tracing/settings.ts';
import { VERSION } from '../version.ts';

/** Traces are kept from here on; when it is disposed of, what was not sent yet is sent. */
export async function startTracing(settings: TracingSettings, log: TracingLog): Promise<AsyncDisposable> {
  // Loaded here, so that nothing of it is in a process that keeps no traces.
  const { openTracer } = await import('#tracing/open-tracer.ts');
  const tracer = openTracer(settings, VERSION, log);
  setTracer(tracer);
  return {
    async [Symbol.asyncDispose]() {
      setTracer(undefined);
      await tracer.close();
    },
  };
}
