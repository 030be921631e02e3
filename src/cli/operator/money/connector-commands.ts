import type { Command } from 'commander';
import { readConnector, readRoutes } from '#capabilities/connectors/operator/connector-reads.ts';
import { presentAll } from '#capabilities/connectors/operator/connector-records.ts';
import { connectorNamed } from '#capabilities/connectors/operator/schemas.ts';
import { listConnectors } from '#capabilities/connectors/registry-store.ts';
import { ROUTE_KINDS, type RouteKind } from '#capabilities/connectors/row.ts';
import { amountArgument, countArgument, idArgument } from '#cli/arguments.ts';
import { OperatorError } from '#cli/failure.ts';
import { readSetting, type SetOptions } from '#cli/operator/money/connector-setting.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { readPending } from '#cli/operator/shell/show.ts';
import { choiceOption, reasonOption } from '#cli/options.ts';
import { printObject, printRows } from '#cli/print.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

export interface ConnectorOptions extends SecondOptions {
  reason: string;
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
      asOperator(async (operator) => {
        const rows = (await read(operator, readAll)).map(summary);
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
      asOperator(async (operator) => {
        const shown = await read(operator, (tx) => readConnector(tx, name));
        const pending = await read(operator, (tx) => readPending(tx, connectorNamed(name)));
        printObject({ ...shown, ...pending }, { json: options.json ?? false });
      }),
    );
}

/** The columns of the list. `show` prints all. */
function summary({ name, state, url, ...row }: Awaited<ReturnType<typeof presentAll>>[number]) {
  return {
    ...{
      name,
      url,
      state,
      because: row.pausedBecause,
      since: row.pausedSince ?? row.downSince,
      test: row.isTest,
    },
    ...{ answeredAt: row.answeredAt, eventsReadAt: row.eventsReadAt, trouble: row.capabilitiesTrouble },
    ...{ openOrders: row.openOrders, unknownOrders: row.unknownOrders, openBreaks: row.openBreaks },
  };
}

function addRegistry(connector: Command): void {
  addAdding(connector);
  const remove = named(connector, 'remove', {
    operation: 'removeConnector',
    description: 'remove a connector where nothing waits',
    called: 'remove nordbank',
  });
  confirmed(remove, 'Its routes are removed, and its name cannot be used again.').action(
    (name: string, options: ConnectorOptions) =>
      change(options, { operation: 'removeConnector', params: { name } }),
  );
  const rotate = named(connector, 'rotate-secret', {
    operation: 'rotateConnectorSecret',
    description: 'make a new secret, and print it, once',
    called: 'rotate-secret nordbank',
  });
  rotate.option('--immediately', 'the old secret no longer counts from now on');
  confirmed(
    rotate,
    'With --immediately the connector refuses every call until it knows the new secret.',
    ({ immediately }) => immediately === true,
  ).action((name: string, options: ConnectorOptions & { immediately?: boolean }) =>
    change(options, {
      operation: 'rotateConnectorSecret',
      params: { name },
      body: { immediately: options.immediately },
    }),
  );
}

/** A connector over HTTP has a URL and a secret; one by files has a profile. */
function addAdding(connector: Command): void {
  changing(connector, 'add', {
    operation: ['addConnector', 'addFilesConnector'],
    description: 'add a connector; the secret of one over HTTP is printed, once',
  })
    .argument('<name>', 'its name: a–z, 0–9 and -, up to 32 characters')
    .argument('[url]', 'the URL below which it is called')
    .option('--files', 'it speaks to its bank by files, below BANK_FILES, and has no URL')
    .addHelpText('after', example('add nordbank https://nordbank.internal/corridor'))
    .action((name: string, url: string | undefined, options: ConnectorOptions & { files?: boolean }) => {
      if ((url === undefined) !== (options.files === true))
        throw new OperatorError('Give either a URL or --files.');
      return options.files
        ? change(options, { operation: 'addFilesConnector', body: { name } })
        : change(options, { operation: 'addConnector', body: { name, url } });
    });
  named(connector, 'set', {
    operation: ['setConnector', 'setFilesProfile'],
    description: 'change the URL or the client certificate of a connector, or the profile of one by files',
    called: 'set nordbank --url https://new.internal/corridor',
  })
    .option('--url <url>', 'the URL below which it is called')
    .option(
      '--client-certificate <file>',
      'the certificate that it is shown, in PEM, with those that signed it',
    )
    .option('--client-key <file>', 'the private key of the certificate, in PEM')
    .option('--no-client-certificate', 'stop showing it a certificate')
    .option('--profile <file>', 'by files: accounts and rails at the bank, as JSON')
    .action(async (name: string, options: ConnectorOptions & SetOptions) =>
      change(options, await readSetting(name, options)),
    );
}

interface RouteOptions extends ConnectorOptions {
  rail?: string;
  currency?: string;
  kind?: RouteKind;
  country?: string;
  platform?: PlatformId;
  least?: bigint;
  most?: bigint;
}

function addRouting(connector: Command): void {
  const upper = (text: string) => text.toUpperCase();
  const route = connector.command('route').description('the order in which connectors are chosen');
  route.addHelpText('after', '\nExample:\n  $ corridor connector route list');
  named(route, 'set', {
    operation: 'setConnectorRoute',
    description: 'send orders to a connector; the lowest number that fits wins',
    called: 'route set nordbank 10 --rail SEPA',
  })
    .argument(
      '<number>',
      'the number of the route; it replaces a route with that number',
      countArgument(1, ROUTE_MAX),
    )
    .option('--rail <rail>', 'orders over this rail only', upper)
    .option('--currency <code>', 'orders in this currency only', upper)
    .addOption(choiceOption('--kind <kind>', 'of this kind only', ROUTE_KINDS))
    .option('--country <code>', 'accounts in this country only', upper)
    .option('--platform <id>', 'orders of this platform only', idArgument('Platform'))
    .option('--least <amount>', 'from this amount on, in the smallest unit', amountArgument)
    .option('--most <amount>', 'up to this amount, in the smallest unit', amountArgument)
    .action((name: string, number: number, options: RouteOptions) =>
      change(options, {
        operation: 'setConnectorRoute',
        body: { connector: name, number, ...routeOf(options) },
      }),
    );
  changing(route, 'remove', { operation: 'removeConnectorRoute', description: 'remove a route' })
    .argument('<number>', 'the number of the route', countArgument(1, ROUTE_MAX))
    .addHelpText('after', example('route remove 10'))
    .action((number: number, options: ConnectorOptions) =>
      change(options, { operation: 'removeConnectorRoute', body: { number } }),
    );
  route
    .command('list')
    .description('list the routes in their order')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor connector route list')
    .action((options: ConnectorOptions) =>
      asOperator(async (operator) => {
        const rows = await read(operator, readRoutes);
        printRows(rows, { json: options.json ?? false, none: 'There are no routes: payouts are by hand.' });
      }),
    );
}

function routeOf({ rail, currency, kind, country, platform, least, most }: RouteOptions) {
  return {
    ...{ rail, currency, kind, country, least: least?.toString(), most: most?.toString() },
    platform: platform && publicId('Platform', platform),
  };
}

function addStopping(connector: Command): void {
  named(connector, 'pause', {
    operation: 'pauseConnector',
    description: 'send no new orders; everything else goes on',
    second: false,
    called: 'pause nordbank',
  }).action((name: string, options: ConnectorOptions) =>
    change(options, { operation: 'pauseConnector', params: { name } }),
  );
  const resume = named(connector, 'resume', {
    operation: ['resumeConnector', 'adoptBankFiles'],
    description: 'send orders again',
    called: 'resume nordbank',
  });
  resume.option('--new-store', 'its records are complete, although it answers from another store');
  resume.option('--adopt', 'by files: files in the archive count as written, and are never written again');
  confirmed(
    resume,
    'With --new-store or --adopt, other records than ours count from now on. Be sure that they are complete.',
    ({ newStore, adopt }) => newStore === true || adopt === true,
  ).action((name: string, options: ConnectorOptions & { newStore?: boolean; adopt?: boolean }) =>
    change(
      options,
      options.adopt
        ? { operation: 'adoptBankFiles', params: { name } }
        : { operation: 'resumeConnector', params: { name }, body: { newStore: options.newStore } },
    ),
  );
  named(connector, 'rewind', {
    operation: 'rewindConnector',
    description: 'read its events from the beginning; those that were applied change nothing',
    called: 'rewind nordbank',
  }).action((name: string, options: ConnectorOptions) =>
    change(options, { operation: 'rewindConnector', params: { name } }),
  );
}

interface Changing {
  readonly operation: string | readonly string[];
  readonly description: string;
  /** Whether it needs a second operator. */
  readonly second?: boolean;
}

export function changing(
  parent: Command,
  word: string,
  { operation, description, second = true }: Changing,
): Command {
  return performs(parent.command(word), [operation].flat(), { second })
    .description(description)
    .addOption(reasonOption())
    .option('--json', 'print JSON');
}

/** A change of one connector. */
export function named(
  parent: Command,
  word: string,
  change: Changing & { readonly called: string },
): Command {
  return changing(parent, word, change)
    .argument('<name>', 'the name of the connector')
    .addHelpText('after', example(change.called));
}

export function example(called: string): string {
  return `\nExample:\n  $ corridor connector ${called} --reason "case 4711"`;
}

interface Made {
  readonly operation: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Performs the operation, and prints its reply. */
export async function change(options: ConnectorOptions, made: Made): Promise<void> {
  await asOperator(async (operator) => {
    const work = new Work(await operator.runtime(), INSTALLATION, operator.actor);
    // The connector as it is afterwards, unless the reply says more.
    const present = async (tx: Tx, reply: Record<string, unknown>) =>
      'url' in reply ? summary(await readConnector(tx, String(reply.name))) : reply;
    const shown = await performOperation(operator, work, { ...made, options, present });
    if (shown !== undefined) printObject(shown, { json: options.json ?? false });
  });
}

/** Reads what concerns all platforms. */
export async function read<T>(operator: Operator, of: (tx: ReadTx) => Promise<T>): Promise<T> {
  return new Work(await operator.runtime(), INSTALLATION, operator.actor).read(of);
}

async function readAll(tx: ReadTx) {
  return presentAll(tx, await listConnectors(tx.query.bind(tx)));
}
