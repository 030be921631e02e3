import { Command, InvalidArgumentError } from 'commander';
import { checkRelyingParty, relyingPartyOf, wasDelivered } from '#capabilities/operators/address.ts';
import { listPasskeys } from '#capabilities/operators/passkey-store.ts';
import { type OperatorRow, presentOperator } from '#capabilities/operators/row.ts';
import { listSessions } from '#capabilities/operators/session-store.ts';
import { findOperator, findOperatorByEmail, listOperators } from '#capabilities/operators/store.ts';
import { OperatorError } from '#cli/failure.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { readPending } from '#cli/operator/shell/show.ts';
import { noteOption, reasonOption } from '#cli/options.ts';
import { printLine, printObject, printRows } from '#cli/print.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { OPERATOR_ROLES, type OperatorRole } from '#foundation/http/operator-rule.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { refuseIf } from '#foundation/lib/refusals.ts';

const NAMED = 'the e-mail address or the id';

interface Options extends SecondOptions {
  json?: boolean;
}

export function operatorCommand(): Command {
  const operator = new Command('operator').addHelpText('after', '\nExample:\n  $ corridor operator list');
  addInvite(operator);
  operator
    .command('list')
    .description('print all operators, with their roles and status')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor operator list')
    .action(({ json = false }: Options) => asOperator((shell) => list(shell, json)));
  addChanges(operator);
  return operator;
}

function addInvite(operator: Command): void {
  performs(operator.command('invite'), ['inviteOperator'], { second: true })
    .description('invite an operator, and print or mail an address that works once, for 24 hours')
    .requiredOption('--name <name>', 'the name of the person', nameArgument)
    .requiredOption('--email <address>', 'the e-mail address of the person', emailArgument)
    .requiredOption('--role <list>', `any of ${OPERATOR_ROLES.join(',')}`, rolesArgument)
    .addOption(noteOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor operator invite --name "Ada Obi" --email ada@example.com --role admin',
    )
    .action(({ name, email, role: roles, ...options }: InviteOptions) =>
      asOperator((shell) => makeAddress(shell, 'inviteOperator', { body: { name, email, roles }, options })),
    );
}

interface InviteOptions extends Options {
  name: string;
  email: string;
  role: OperatorRole[];
}

/** Commands about one operator. */
function addChanges(operator: Command): void {
  const about = (command: Command, example = '') =>
    command
      .argument('<operator>', NAMED)
      .option('--json', 'print JSON')
      .addHelpText('after', `\nExample:\n  $ corridor operator ${command.name()} ada@example.com${example}`);
  about(operator.command('show').description('print an operator, with passkeys and sessions')).action(
    (name: string, { json = false }: Options) => asOperator((shell) => show(shell, name, json)),
  );
  const roles = operator
    .command('roles')
    .description('give an operator other roles, which ends the sessions');
  about(
    performs(roles, ['setOperatorRoles'], { second: true }),
    ' --role support,viewer --reason "joins the desk"',
  )
    .requiredOption('--role <list>', `any of ${OPERATOR_ROLES.join(',')}`, rolesArgument)
    .addOption(reasonOption())
    .action((name: string, { role, ...options }: Options & { role: OperatorRole[] }) =>
      change(name, 'setOperatorRoles', { body: { roles: role }, options }),
    );
  const address = operator.command('address').description('make a new address for a lost passkey');
  const all = 'All passkeys and sessions of the operator end at once.';
  const renewing = performs(confirmed(address, all), ['renewOperatorAddress'], { second: true });
  about(renewing, ' --reason "lost phone"')
    .addOption(reasonOption())
    .action((name: string, options: Options) =>
      asOperator(async (shell) => {
        const { id } = await find(shell, name);
        await makeAddress(shell, 'renewOperatorAddress', { params: { operatorId: id }, options });
      }),
    );
  addEnds(operator, about);
}

function addEnds(operator: Command, about: (command: Command, example: string) => Command): void {
  const ends = [
    ['suspend', 'The operator is signed out everywhere, and stays out until you invite again.'],
    ['remove', 'The operator is signed out everywhere, and can never come back.'],
  ] as const;
  for (const [word, effect] of ends) {
    const command = operator.command(word).description(`${word} an operator; every session is dead at once`);
    const operation = `${word}Operator`;
    about(performs(confirmed(command, effect), [operation], { second: false }), ' --reason "left the team"')
      .addOption(reasonOption())
      .action((name: string, options: Options) => change(name, operation, { options }));
  }
  const sessions = operator.command('sessions').description('print the sessions of an operator, or end them');
  about(performs(sessions, ['endOperatorSessions'], { second: false }), ' --end')
    .option('--end', 'end all of them')
    .addOption(noteOption())
    .action((name: string, { end = false, ...options }: Options & { end?: boolean }) =>
      asOperator((shell) => (end ? endSessions(shell, name, options) : listSessionsOf(shell, name, options))),
    );
}

/** Refuses where nobody could use an address. */
function requireConsole({ config }: Operator): void {
  if (!config.console) throw new OperatorError('The console is off (CONSOLE=off), so nobody can join.');
  const publicUrl = () => config.publicUrl ?? `http://localhost:${config.port}`;
  refuseIf(checkRelyingParty(relyingPartyOf({ consoleSettings: config.console, publicUrl })));
}

async function read<T>(shell: Operator, steps: (tx: ReadTx) => Promise<T>): Promise<T> {
  return (await shell.installation()).read(steps);
}

async function find(shell: Operator, name: string): Promise<OperatorRow> {
  const id = parseId('Operator', name);
  const found = await read(shell, (tx) =>
    id === undefined ? findOperatorByEmail(tx, name) : findOperator(tx, id),
  );
  if (!found) throw new OperatorError(`There is no operator ${name}.`);
  return found;
}

interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly options: Options;
}

/** Performs an operation on the installation; undefined: it was proposed. */
async function perform<Reply>(shell: Operator, operation: string, asked: Asked): Promise<Reply | undefined> {
  const present = (_tx: unknown, reply: Reply) => Promise.resolve(reply);
  return performOperation<Reply>(shell, await shell.installation(), { operation, ...asked, present });
}

function change(name: string, operation: string, asked: Omit<Asked, 'params'>): Promise<void> {
  return asOperator(async (shell) => {
    const { id } = await find(shell, name);
    const params = { operatorId: id };
    const changed = await perform<Record<string, unknown>>(shell, operation, { ...asked, params });
    if (changed) printObject(changed, { json: asked.options.json ?? false });
  });
}

const LISTED_MAX = 1_000;

async function list(shell: Operator, json: boolean): Promise<void> {
  const page = { list: 'operators', filters: {}, limit: LISTED_MAX, cursor: undefined };
  const { data } = await read(shell, (tx) => listOperators(tx, page, {}, presentOperator));
  await shell.audit({ action: 'operator list' });
  const rows = data.map(({ id, name, email, roles, status, lastSeenAt }) => ({
    ...{ id, name, email, roles: roles.join(','), status, lastSeenAt },
  }));
  if (json) printRows(data as never, { json, none: '' });
  else
    printRows(rows, {
      json,
      none: 'There is no operator yet: "corridor operator invite" invites the first one.',
    });
}

async function show(shell: Operator, name: string, json: boolean): Promise<void> {
  const found = await find(shell, name);
  const passkeys = await read(shell, (tx) => listPasskeys(tx, found.id));
  const open = await read(shell, (tx) => listSessions(tx, found.id, new Date(0)));
  const operator = presentOperator(found);
  const pending = await read(shell, (tx) => readPending(tx, operator.id));
  await shell.audit({ action: 'operator show', resource: operator.id });
  const shown = passkeys.map(({ createdAt, usedAt }) => ({ createdAt, usedAt }));
  printObject({ ...operator, ...pending, passkeys: shown, sessions: open.length }, { json });
}

async function endSessions(shell: Operator, name: string, options: Options): Promise<void> {
  const { id, email } = await find(shell, name);
  const params = { operatorId: id };
  const done = await perform<{ ended: number }>(shell, 'endOperatorSessions', { params, options });
  if (!done) return;
  if (options.json) printObject(done, { json: true });
  else printLine(`${done.ended} of the sessions of ${email} are ended.`);
}

async function listSessionsOf(
  shell: Operator,
  name: string,
  { json = false }: Pick<Options, 'json'>,
): Promise<void> {
  const { id } = await find(shell, name);
  const rows = await read(shell, (tx) => listSessions(tx, id, new Date(0)));
  await shell.audit({ action: 'operator sessions', resource: `Operator:${id}` });
  printRows(
    rows.map(({ createdAt, usedAt, expiresAt, remoteAddress, browser }) => ({
      ...{ createdAt, usedAt, expiresAt, remoteAddress, browser },
    })),
    { json, none: 'There is none.' },
  );
}

interface AddressReply {
  readonly operator: ReturnType<typeof presentOperator>;
  readonly expiresAt: string;
  readonly isMailed: boolean;
  readonly url?: string;
}

/** Invites an operator, or makes a new address for one, and prints it unless it was mailed. */
async function makeAddress(shell: Operator, operation: string, asked: Asked): Promise<void> {
  requireConsole(shell);
  const made = await perform<AddressReply>(shell, operation, asked);
  if (!made) return;
  const { operator, expiresAt, isMailed, url } = made;
  const { json = false } = asked.options;
  if (isMailed && !(await wasDelivered(made)))
    throw new OperatorError('The mail server did not take the address. Invite again to get another one.');
  const given = isMailed ? { mailedTo: operator.email } : { address: url };
  printObject({ ...operator, expiresAt, ...given }, { json });
  if (!json && !isMailed)
    printLine('The address works once. Give it to this person only, over a channel that you trust.');
}

function nameArgument(text: string): string {
  if (text.length >= 1 && text.length <= 100 && !/\p{Cc}/u.test(text)) return text;
  throw new InvalidArgumentError('It must have 1 to 100 characters.');
}

function emailArgument(text: string): string {
  if (text.length <= 254 && /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text)) return text;
  throw new InvalidArgumentError('It must be an e-mail address.');
}

function rolesArgument(text: string, earlier: readonly OperatorRole[] = []): OperatorRole[] {
  // A repeated option adds its roles.
  const names = new Set([...earlier, ...text.split(',').map((name) => name.trim().toLowerCase())]);
  const known = OPERATOR_ROLES.filter((role) => names.has(role));
  if (known.length > 0 && known.length === names.size) return known;
  throw new InvalidArgumentError(`It must be a list of ${OPERATOR_ROLES.join(', ')}.`);
}
