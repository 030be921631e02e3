// Resolves our own imports (`#foundation/…`, see package.json) by joining paths. Node.js would search the file system
// for each of about a thousand imports, which takes a quarter of the time to start.
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
