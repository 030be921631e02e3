// The test runner tracks every promise, so that it can name the test that caused a stray exception. In the service,
// which is full of promises, tracking can take longer than the work itself. Without it a stray exception still fails
// the run, and TEST_TRACKED=1 turns it on again. Node.js has no option for this, hence --expose-internals; a version
// without these internals is only slower.
import { createRequire } from 'node:module';

try {
  const { getHookArrays, kNoPromiseHook } = createRequire(import.meta.url)('internal/async_hooks');
  const [hooks] = getHookArrays();
  for (const hook of [...hooks]) {
    hook[kNoPromiseHook] = true;
    hook.disable();
    hook.enable();
  }
} catch {
  // The runner keeps tracking promises.
}
