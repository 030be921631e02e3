import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { generateKeyPair } from '#foundation/crypto/p256.ts';
import { deriveServiceKey } from '#foundation/crypto/service-key.ts';

import { openDatabase } from '#foundation/database/database.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { folderStore } from '#foundation/uploads/storage/folder-store.ts';
import { sealedStorage } from '#foundation/uploads/storage/open-storage.ts';
import { handClock } from '#tests/harness/hand-clock.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';
import { sealingAtRest } from '#tests/harness/person-keys.ts';

/** One address that the service answers at. */
export interface Route {
  readonly method: string;
  /** With `:name` for each part that the caller chooses. */
  readonly path: string;
  /** Its declaration; absent for pages and probes. */
  readonly operation: NamedOperation | undefined;
}

/** Where the console calls the operations of operators and of platforms (operator.md §6, §9.2). */
const CONSOLE_API = '/console/api';

/** All addresses of the service, read from its router, so that later additions are included. */
export async function readSurface({ http, operations, operatorOperations }: App): Promise<Route[]> {
  await http.ready();
  const { basePath } = wireNames('Svc');
  const mounts = [
    [basePath, operations],
    [`${CONSOLE_API}/platform`, operations],
    [CONSOLE_API, operatorOperations],
  ] as const;
  const byShape = new Map(
    mounts.flatMap(([prefix, mounted]) =>
      mounted.map((operation) => {
        const path = prefix + operation.path;
        return [shapeOf(operation.method, path), { path, operation }] as const;
      }),
    ),
  );
  return readTree(http.printRoutes({ commonPrefix: false })).map(({ method, path }) => {
    const found = byShape.get(shapeOf(method === 'HEAD' ? 'GET' : method, path));
    return { method, path: found?.path ?? path, operation: found?.operation };
  });
}

/** The router gives a part that the caller chooses one place, whatever the operations call it: `/:id|:transactionId`. */
function shapeOf(method: string, path: string): string {
  return `${method} ${path.replace(/:[\w|:]+/g, ':')}`;
}

/** The same without a running service: nothing here ever connects. */
export async function surfaceAtRest(): Promise<Route[]> {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
  const app = await createApp({
    database,
    ...sealingAtRest(),
    serviceKey: deriveServiceKey(generateKeyPair().privateKey),
    clock: handClock(),
    newId: newUuid,
    names: wireNames('Svc'),
    domains: TEST_DOMAINS,
    storage: sealedStorage(folderStore('/nowhere')),
    log: pino({ level: 'silent' }),
    consoleSettings: { takesPlainHttp: true },
  });
  const surface = await readSurface(app);
  await app.close();
  await database.close();
  return surface;
}

/** Each line is a piece of a path below that of the line before with less indentation: `│   └── /done (GET, HEAD)`. */
function readTree(text: string): { method: string; path: string }[] {
  const above: string[] = [];
  return text.split('\n').flatMap((line) => {
    const [, indent = '', piece = '', methods = ''] =
      /^((?:[│ ] {3})*)[├└]── (\S+)(?: \(([^)]*)\))?/.exec(line) ?? [];
    if (piece === '') return [];
    const depth = indent.length / 4;
    const path = `${depth > 0 ? above[depth - 1] : ''}${piece === '*' ? '/:rest' : piece}`;
    above[depth] = path;
    return methods === '' ? [] : methods.split(', ').map((method) => ({ method, path }));
  });
}
