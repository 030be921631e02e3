import { Command, InvalidArgumentError } from 'commander';
import { checkRelyingParty, type OperatorParts, relyingPartyOf } from '#capabilities/operators/address.ts';
import {
  endOperator,
  endSessions,
  type Invited,
  inviteOperator,
  renewAddress,
  setRoles,
} from '#capabilities/operators/manage.ts';
import { listPasskeys } from '#capabilities/operators/passkey-store.ts';
import { type OperatorRow, presentOperator } from '#capabilities/operators/row.ts';
import { listSessions } from '#capabilities/operators/session-store.ts';
import { findOperator, findOperatorByEmail, listOperators } from '#capabilities/operators/store.ts';
import { OperatorError } from '#cli/failure.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { noteOption, reasonOption } from '#cli/options.ts';
import { printLine, printObject, printRows } from '#cli/print.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { OPERATOR_ROLES, type OperatorRole } from '#foundation/http/operator-rule.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { refuseIf } from '#foundation/lib/refusals.ts';

const NAMED = 'the e-mail address or the id';

interface Options {
  json?: boolean;
}

interface ChangeOptions extends Options {
  reason: string;
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
  operator
    .command('invite')
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
    .action(({ name, email, role: roles, reason, json = false }: InviteOptions) =>
      asOperator(async (shell) => {
        const parts = partsOf(shell);
        await printInvited(
          await write(shell, (tx) => inviteOperator(tx, { name, email, roles, reason }, parts)),
          json,
        );
      }),
    );
}

interface InviteOptions extends Options {
  name: string;
  email: string;
  role: OperatorRole[];
  reason?: string;
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
  about(
    operator.command('roles').description('give an operator other roles, which ends the sessions'),
    ' --role support,viewer --reason "joins the desk"',
  )
    .requiredOption('--role <list>', `any of ${OPERATOR_ROLES.join(',')}`, rolesArgument)
    .addOption(reasonOption())
    .action((name: string, { role, reason, json = false }: ChangeOptions & { role: OperatorRole[] }) =>
      change(name, json, (tx, { id }) => setRoles(tx, id, role, reason)),
    );
  const address = operator.command('address').description('make a new address for a lost passkey');
  const all = 'All passkeys and sessions of the operator end at once.';
  about(confirmed(address, all), ' --reason "lost phone"')
    .addOption(reasonOption())
    .action((name: string, { reason, json = false }: ChangeOptions) =>
      asOperator(async (shell) => {
        const parts = partsOf(shell);
        const { id } = await find(shell, name);
        await printInvited(await write(shell, (tx) => renewAddress(tx, id, reason, parts)), json);
      }),
    );
  addEnds(operator, about);
}

function addEnds(operator: Command, about: (command: Command, example: string) => Command): void {
  const ends = [
    ['suspend', 'SUSPENDED', 'The operator is signed out everywhere, and stays out until you invite again.'],
    ['remove', 'REMOVED', 'The operator is signed out everywhere, and can never come back.'],
  ] as const;
  for (const [word, status, effect] of ends) {
    const command = operator.command(word).description(`${word} an operator; every session is dead at once`);
    about(confirmed(command, effect), ' --reason "left the team"')
      .addOption(reasonOption())
      .action((name: string, { reason, json = false }: ChangeOptions) =>
        change(name, json, (tx, { id }) => endOperator(tx, id, status, reason)),
      );
  }
  about(operator.command('sessions').description('print the sessions of an operator, or end them'), ' --end')
    .option('--end', 'end all of them')
    .addOption(noteOption())
    .action(
      (name: string, { end = false, reason, json = false }: Options & { end?: boolean; reason?: string }) =>
        asOperator((shell) => sessions(shell, name, { end, reason, json })),
    );
}

/** Where the console is; without PUBLIC_URL and CONSOLE_URL, on this machine. */
function partsOf({ config }: Operator): OperatorParts {
  const publicUrl = () => config.publicUrl ?? `http://localhost:${config.port}`;
  const parts = { consoleSettings: config.console, publicUrl };
  if (!config.console) throw new OperatorError('The console is off (CONSOLE=off), so nobody can join.');
  refuseIf(checkRelyingParty(relyingPartyOf(parts)));
  return parts;
}

async function workOf(shell: Operator): Promise<Work> {
  return new Work(await shell.runtime(), INSTALLATION, shell.actor);
}

async function write<T>(shell: Operator, steps: (tx: Tx) => Promise<T>): Promise<T> {
  return (await workOf(shell)).write(steps);
}

async function read<T>(shell: Operator, steps: (tx: ReadTx) => Promise<T>): Promise<T> {
  return (await workOf(shell)).read(steps);
}

async function find(shell: Operator, name: string): Promise<OperatorRow> {
  const id = parseId('Operator', name);
  const found = await read(shell, (tx) =>
    id === undefined ? findOperatorByEmail(tx, name) : findOperator(tx, id),
  );
  if (!found) throw new OperatorError(`There is no operator ${name}.`);
  return found;
}

function change(
  name: string,
  json: boolean,
  steps: (tx: Tx, found: OperatorRow) => Promise<OperatorRow>,
): Promise<void> {
  return asOperator(async (shell) => {
    const found = await find(shell, name);
    printObject(presentOperator(await write(shell, (tx) => steps(tx, found))), { json });
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
  await shell.audit({ action: 'operator show', resource: operator.id });
  const shown = passkeys.map(({ createdAt, usedAt }) => ({ createdAt, usedAt }));
  printObject({ ...operator, passkeys: shown, sessions: open.length }, { json });
}

async function sessions(
  shell: Operator,
  name: string,
  { end, reason, json }: { end: boolean; reason?: string | undefined; json: boolean },
): Promise<void> {
  const { id, email } = await find(shell, name);
  if (end) {
    const ended = await write(shell, (tx) => endSessions(tx, id, { reason }));
    if (json) printObject({ ended }, { json });
    else printLine(`${ended} of the sessions of ${email} are ended.`);
    return;
  }
  const rows = await read(shell, (tx) => listSessions(tx, id, new Date(0)));
  await shell.audit({ action: 'operator sessions', resource: `Operator:${id}` });
  printRows(
    rows.map(({ createdAt, usedAt, expiresAt, remoteAddress, browser }) => ({
      ...{ createdAt, usedAt, expiresAt, remoteAddress, browser },
    })),
    { json, none: 'There is none.' },
  );
}

async function printInvited({ operator, address }: Invited, json: boolean): Promise<void> {
  const { url, expiresAt, isMailed } = address;
  const isSent = isMailed && (await address.delivered);
  if (isMailed && !isSent) {
    throw new OperatorError('The mail server did not take the address. Invite again to get another one.');
  }
  printObject(
    {
      ...presentOperator(operator),
      expiresAt,
      ...(isMailed ? { mailedTo: operator.email } : { address: url }),
    },
    { json },
  );
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

function rolesArgument(text: string): OperatorRole[] {
  const names = new Set(text.split(',').map((name) => name.trim().toLowerCase()));
  const known = OPERATOR_ROLES.filter((role) => names.has(role));
  if (known.length > 0 && known.length === names.size) return known;
  throw new InvalidArgumentError(`It must be a list of ${OPERATOR_ROLES.join(', ')}.`);
}
