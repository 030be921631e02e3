import { Command, InvalidArgumentError } from 'commander';
import { choosePlatform, type PlatformOptions, platformOption } from '#cli/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { printLine, printObject } from '#cli/print.ts';
import { parseId, publicId } from '#lib/ids.ts';
import { createTokenByOperator, revokeTokenByOperator } from '#tokens/operator-tokens.ts';
import { presentToken } from '#tokens/present.ts';
import type { Permission } from '#tokens/schemas.ts';

const PERMISSIONS: readonly Permission[] = ['VIEW', 'TRANSACT', 'MANAGE'];

export function tokenCommand(): Command {
  const token = new Command('token')
    .description('API credentials')
    .addHelpText('after', '\nExample:\n  $ corridor token create --name Reports --permissions VIEW');
  token
    .command('create')
    .description('make a token; its secret is printed this once')
    .addOption(platformOption())
    .option('--name <name>', 'what it is for', nameArgument, 'Made by the operator')
    .option('--permissions <list>', `any of ${PERMISSIONS.join(',')}`, permissionsArgument, PERMISSIONS)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor token create --name Reports --permissions VIEW')
    .action((options: CreateOptions) => asOperator((operator) => create(operator, options)));
  token
    .command('revoke')
    .description('end a token: its next use is refused')
    .argument('<token>', 'its id or client id', tokenArgument)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor token revoke Token:0190a5d2-…')
    .action((name: string, options: PlatformOptions) =>
      asOperator((operator) => revoke(operator, name, options)),
    );
  return token;
}

interface CreateOptions extends PlatformOptions {
  name: string;
  permissions: readonly Permission[];
}

async function create(operator: Operator, options: CreateOptions): Promise<void> {
  const { name, permissions, json = false } = options;
  const platformId = await choosePlatform(operator, options);
  const runtime = await operator.runtime();
  const created = await createTokenByOperator(runtime, platformId, operator.actor, { name, permissions });
  const { clientSecret } = created;
  const { createdAt, id, clientId, ...rest } = presentToken(created.token);
  const platform = publicId('Platform', platformId);
  printObject(
    { id, platform, name, permissions: rest.permissions, createdAt, clientId, clientSecret },
    { json },
  );
  if (!json) printLine('The secret is shown this once: keep it.');
}

async function revoke(operator: Operator, name: string, options: PlatformOptions): Promise<void> {
  const platformId = await choosePlatform(operator, options);
  const token = await revokeTokenByOperator(await operator.runtime(), platformId, operator.actor, name);
  const id = publicId('Token', token.id);
  if (options.json) printObject({ id, revoked: true }, { json: true });
  else printLine(`${id} is revoked.`);
}

function tokenArgument(text: string): string {
  if (/^[0-9a-f]{32}$/.test(text) || parseId('Token', text) !== undefined) return text;
  throw new InvalidArgumentError('It must be an id such as Token:<uuid>, or a client id of 32 digits.');
}

function nameArgument(text: string): string {
  if (text.length >= 1 && text.length <= 255) return text;
  throw new InvalidArgumentError('It must have 1 to 255 characters.');
}

function permissionsArgument(text: string): Permission[] {
  const names = new Set(text.split(',').map((name) => name.trim().toUpperCase()));
  const known = PERMISSIONS.filter((permission) => names.has(permission));
  if (known.length > 0 && known.length === names.size) return known;
  throw new InvalidArgumentError(`It must be a list of ${PERMISSIONS.join(', ')}.`);
}
