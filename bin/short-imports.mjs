// Resolves our own imports (`#foundation/…`, see package.json) by putting paths together. Node.js would look for the package
// and the file of each of some thousand, which takes a quarter of the time to load the service.
import { registerHooks } from 'node:module';

const ROOT = new URL('..', import.meta.url).href;
const OURS = /^#(tests\/)?(.+\.ts)$/;

registerHooks({
  resolve(specifier, context, next) {
    const [, tests, path] = OURS.exec(specifier) ?? [];
    if (path === undefined || !context.parentURL?.startsWith(ROOT)) return next(specifier, context);
    return { url: `${ROOT}${tests ?? 'src/'}${path}`, format: 'module-typescript', shortCircuit: true };
  },
});
