import type { Command } from 'commander';
import {
  addConnector,
  type Change,
  changeUrl,
  pauseConnector,
  removeOne,
  removeRoute,
  resumeConnector,
  rewindEvents,
  rotateSecret,
  setRoute,
} from '#capabilities/connectors/registry.ts';
import { findConnector, listConnectors, listRoutes } from '#capabilities/connectors/registry-store.ts';
import type { ConnectorRow, RouteRow } from '#capabilities/connectors/row.ts';
import { amountArgument, countArgument, idArgument } from '#cli/arguments.ts';
import { OperatorError } from '#cli/failure.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { choiceOption, reasonOption } from '#cli/options.ts';
import { printObject, printRows } from '#cli/print.ts';
import { ORDER_KINDS, type OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface ConnectorOptions {
  reason: string;
  json?: boolean;
}

const ROUTE_MAX = 1_000_000;

/** Commands below `corridor connector` that change and show connectors and routes (connectors.md §9). */
export function addConnectorCommands(connector: Command): void {
  addReading(connector);
  addRegistry(connector);
  addRouting(connector);
  addStopping(connector);
}

function addReading(connector: Command): void {
  connector
    .command('list')
    .description('list the connectors with their state')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor connector list')
    .action((options: ConnectorOptions) =>
      asOperator(async ({ database }) => {
        const rows = (await listConnectors(database.query)).map(summary);
        printRows(rows, { json: options.json ?? false, none: 'There are no connectors.' });
      }),
    );
  connector
    .command('show')
    .description('print a connector with what it can do and its routes')
    .argument('<name>', 'its name')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor connector show nordbank')
    .action((name: string, options: ConnectorOptions) =>
      asOperator(async ({ database }) => {
        const row = await findConnector(database.query, name);
        if (!row) throw new OperatorError(`There is no connector ${name}.`);
        const routes = (await listRoutes(database.query)).filter(({ connector_id: id }) => id === row.id);
        const shown = { ...summary(row), capabilities: row.capabilities, routes: routes.map(presentRoute) };
        printObject(shown, { json: options.json ?? false });
      }),
    );
}

function summary(row: ConnectorRow) {
  const paused = row.paused_because === null ? undefined : `paused (${row.paused_because})`;
  const down = row.down_since === null ? undefined : 'down';
  return {
    name: row.name,
    url: withoutCredentials(row.url),
    state: [paused, down].filter((word) => word !== undefined).join(', ') || 'up',
    since: row.paused_at ?? row.down_since,
    test: row.capabilities?.test ?? null,
    eventsReadAt: row.events_read_at,
    trouble: row.capabilities_trouble,
  };
}

function withoutCredentials(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}

function presentRoute({ number, platform_id, least, most, rail, currency, kind, country }: RouteRow) {
  return {
    ...{ number, rail, currency, kind, country },
    platform: platform_id && publicId('Platform', platform_id),
    ...{ least: least?.toString() ?? null, most: most?.toString() ?? null },
  };
}

function addRegistry(connector: Command): void {
  changing(connector, 'add', 'add a connector, and print its secret, once')
    .argument('<name>', 'its name: a–z, 0–9 and -, up to 32 characters')
    .argument('<url>', 'the URL below which it is called')
    .addHelpText('after', example('add nordbank https://nordbank.internal/corridor'))
    .action((name: string, url: string, options: ConnectorOptions) =>
      change(options, async (given) =>
        printObject({ ...(await addConnector(given, { name, url })) }, asked(options)),
      ),
    );
  named(connector, 'set', 'change the URL of a connector', 'set nordbank --url https://new.internal/corridor')
    .requiredOption('--url <url>', 'the URL below which it is called')
    .action((name: string, options: ConnectorOptions & { url: string }) =>
      change(options, (given) => changeUrl(given, name, options.url), name),
    );
  const remove = named(connector, 'remove', 'remove a connector without open orders', 'remove nordbank');
  confirmed(remove, 'Its routes are removed, and its name cannot be used again.').action(
    (name: string, options: ConnectorOptions) => change(options, (given) => removeOne(given, name)),
  );
  const rotate = named(
    connector,
    'rotate-secret',
    'make a new secret, and print it, once',
    'rotate-secret nordbank',
  );
  rotate.option('--immediately', 'the old secret no longer counts from now on');
  confirmed(
    rotate,
    'With --immediately the connector refuses every call until it knows the new secret.',
    ({ immediately }) => immediately === true,
  ).action((name: string, options: ConnectorOptions & { immediately?: boolean }) =>
    change(options, async (given) =>
      printObject({ ...(await rotateSecret(given, name, options)) }, asked(options)),
    ),
  );
}

interface RouteOptions extends ConnectorOptions {
  rail?: string;
  currency?: string;
  kind?: OrderKind;
  country?: string;
  platform?: PlatformId;
  least?: bigint;
  most?: bigint;
}

function addRouting(connector: Command): void {
  const upper = (text: string) => text.toUpperCase();
  const route = connector.command('route').description('the order in which connectors are chosen');
  route.addHelpText('after', '\nExample:\n  $ corridor connector route list');
  named(
    route,
    'set',
    'send orders to a connector; the lowest number that fits wins',
    'route set nordbank 10 --rail SEPA',
  )
    .argument(
      '<number>',
      'the number of the route; it replaces a route with that number',
      countArgument(1, ROUTE_MAX),
    )
    .option('--rail <rail>', 'orders over this rail only', upper)
    .option('--currency <code>', 'orders in this currency only', upper)
    .addOption(choiceOption('--kind <kind>', 'orders of this kind only', ORDER_KINDS))
    .option('--country <code>', 'accounts in this country only', upper)
    .option('--platform <id>', 'orders of this platform only', idArgument('Platform'))
    .option('--least <amount>', 'from this amount on, in the smallest unit', amountArgument)
    .option('--most <amount>', 'up to this amount, in the smallest unit', amountArgument)
    .action((name: string, number: number, options: RouteOptions) =>
      change(options, (given) => setRoute(given, name, routeOf(number, options)), name),
    );
  changing(route, 'remove', 'remove a route')
    .argument('<number>', 'the number of the route', countArgument(1, ROUTE_MAX))
    .addHelpText('after', example('route remove 10'))
    .action((number: number, options: ConnectorOptions) =>
      change(options, (given) => removeRoute(given, number)),
    );
  route
    .command('list')
    .description('list the routes in their order')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor connector route list')
    .action((options: ConnectorOptions) =>
      asOperator(async ({ database }) => {
        const names = new Map((await listConnectors(database.query)).map(({ id, name }) => [id, name]));
        const routes = await listRoutes(database.query);
        const rows = routes.map((row) => ({ ...presentRoute(row), connector: names.get(row.connector_id) }));
        printRows(rows, { json: options.json ?? false, none: 'There are no routes: payouts are by hand.' });
      }),
    );
}

function routeOf(number: number, options: RouteOptions): Omit<RouteRow, 'connector_id'> {
  const { rail = null, currency = null, kind = null, country = null } = options;
  const { platform: platform_id = null, least = null, most = null } = options;
  return { number, rail, currency, kind, country, platform_id, least, most };
}

function addStopping(connector: Command): void {
  named(connector, 'pause', 'send no new orders; everything else goes on', 'pause nordbank').action(
    (name: string, options: ConnectorOptions) =>
      change(options, (given) => pauseConnector(given, name), name),
  );
  const resume = named(connector, 'resume', 'send orders again', 'resume nordbank');
  resume.option('--new-store', 'its records are complete, although it answers from another store');
  confirmed(
    resume,
    'With --new-store, the new records of the connector count. Be sure that they have all orders.',
    ({ newStore }) => newStore === true,
  ).action((name: string, options: ConnectorOptions & { newStore?: boolean }) =>
    change(options, (given) => resumeConnector(given, name, options), name),
  );
  named(
    connector,
    'rewind',
    'read its events from the beginning; those that were applied change nothing',
    'rewind nordbank',
  ).action((name: string, options: ConnectorOptions) =>
    change(options, (given) => rewindEvents(given, name), name),
  );
}

function changing(parent: Command, word: string, description: string): Command {
  return parent
    .command(word)
    .description(description)
    .addOption(reasonOption())
    .option('--json', 'print JSON');
}

/** A change of one connector. */
function named(parent: Command, word: string, description: string, called: string): Command {
  return changing(parent, word, description)
    .argument('<name>', 'the name of the connector')
    .addHelpText('after', example(called));
}

function example(called: string): string {
  return `\nExample:\n  $ corridor connector ${called} --reason "case 4711"`;
}

/** Makes the change, and prints the connector after it. */
async function change(
  options: ConnectorOptions,
  make: (given: Change) => Promise<unknown>,
  name?: string,
): Promise<void> {
  await asOperator(async (operator) => {
    await make(await changeOf(operator, options));
    const row = name === undefined ? undefined : await findConnector(operator.database.query, name);
    if (row) printObject(summary(row), asked(options));
  });
}

export async function changeOf(operator: Operator, { reason }: { reason: string }): Promise<Change> {
  return { parts: await operator.runtime(), actor: operator.actor, reason };
}

function asked({ json = false }: ConnectorOptions): { json: boolean } {
  return { json };
}
