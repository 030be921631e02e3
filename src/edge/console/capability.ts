import type { FastifyInstance } from 'fastify';
import { type ConsoleApiParts, registerConsoleApi } from '#edge/console/api.ts';
import { separateHosts } from '#edge/console/guard.ts';
import { registerOperatorPages } from '#edge/console/operator-pages.ts';
import { consoleOperations } from '#edge/console/routes.ts';
import { registerShell } from '#edge/console/shell.ts';
import { purgeSessions } from '#edge/console/store.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const consolePages = {
  name: 'console',
  operations: consoleOperations,
  purges: [purgeSessions],
  pages: registerConsole,
} satisfies Manifest<ConsoleApiParts>;

function registerConsole(http: FastifyInstance, parts: ConsoleApiParts): void {
  const { consoleSettings } = parts;
  if (!consoleSettings) return;
  separateHosts(http, consoleSettings);
  registerShell(http, consoleSettings);
  registerOperatorPages(http, consoleSettings);
  registerConsoleApi(http, consoleSettings, parts);
}
