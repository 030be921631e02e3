// The test runner follows every promise, to name the test that an exception outside of any belongs to. A loop
// of awaits takes sixteen times as long with it. Without it such an exception still fails the run, and TEST_TRACKED=1
// brings it back. Node.js has no option for it, hence --expose-internals; a version without these internals is only slower.
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
  // The runner keeps following.
}
