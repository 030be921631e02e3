import { setTracer } from '#foundation/lib/tracing.ts';
import { VERSION } from '#foundation/lib/version.ts';
import type { TracingLog } from '#foundation/tracing/open-tracer.ts';
import type { TracingSettings } from '#foundation/tracing/settings.ts';

/** Starts to record traces; disposing of the result sends the remaining spans. */
export async function startTracing(settings: TracingSettings, log: TracingLog): Promise<AsyncDisposable> {
  // Loaded here, so that a process without tracing loads none of it.
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
