import { setTracer } from '#foundation/lib/tracing.ts';
import { VERSION } from '#foundation/lib/version.ts';
import type { TracingLog } from '#foundation/tracing/open-tracer.ts';
import type { TracingSettings } from '#foundation/tracing/settings.ts';

/** Traces are kept from here on; when it is disposed of, what was not sent yet is sent. */
export async function startTracing(settings: TracingSettings, log: TracingLog): Promise<AsyncDisposable> {
  // Loaded here, so that nothing of it is in a process that keeps no traces.
  const { openTracer } = await import('#foundation/tracing/open-tracer.ts');
  const tracer = openTracer(settings, VERSION, log);
  setTracer(tracer);
  return {
    async [Symbol.asyncDispose]() {
      setTracer(undefined);
      await tracer.close();
    },
  };
}
