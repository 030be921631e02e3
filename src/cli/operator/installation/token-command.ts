import { Command, InvalidArgumentError } from 'commander';
import { findTokenByName } from '#capabilities/tokens/operator-tokens.ts';
import { presentToken } from '#capabilities/tokens/present.ts';
import type { Permission } from '#capabilities/tokens/schemas.ts';
import { findToken } from '#capabilities/tokens/store.ts';
import { tokenArgument } from '#cli/arguments.ts';
import { addTokenReading } from '#cli/operator/installation/find-tokens.ts';
import {
  choosePlatform,
  findResourceWork,
  ownerOption,
  type PlatformOptions,
  platformOption,
} from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { noteOption, reasonOption } from '#cli/options.ts';
import { printLine, printObject } from '#cli/print.ts';
import { printNewCredentials } from '#cli/service-urls.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const PERMISSIONS: readonly Permission[] = ['VIEW', 'TRANSACT', 'MANAGE'];

export function tokenCommand(): Command {
  const token = new Command('token').addHelpText(
    'after',
    '\nExample:\n  $ corridor token create --name Reports --permissions VIEW',
  );
  performs(token.command('create'), ['createTokenOfPlatform'], { second: true })
    .description('create a token; its secret is printed only once')
    .addOption(platformOption())
    .option('--name <name>', 'a name that says what it is for', nameArgument, 'Made by the operator')
    .option('--permissions <list>', `any of ${PERMISSIONS.join(',')}`, permissionsArgument, PERMISSIONS)
    .addOption(noteOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor token create --name Reports --permissions VIEW')
    .action((options: CreateOptions) => asOperator((operator) => create(operator, options)));
  addTokenReading(token);
  const command = performs(token.command('revoke'), ['revokeToken'], { second: false });
  confirmed(command, 'Every call with the token is refused from now on. The token cannot be restored.')
    .description('revoke a token; its next use is refused')
    .argument('<token>', 'its id or client id', tokenArgument)
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor token revoke Token:0190a5d2-… --reason "it has leaked"')
    .action((name: string, options: RevokeOptions) =>
      asOperator((operator) => revoke(operator, name, options)),
    );
  return token;
}

interface RevokeOptions extends PlatformOptions {
  reason: string;
}

interface CreateOptions extends PlatformOptions, SecondOptions {
  name: string;
  permissions: readonly Permission[];
}

async function create(operator: Operator, options: CreateOptions): Promise<void> {
  const { name, permissions, json = false } = options;
  const platformId = await choosePlatform(operator, options);
  const created = await performOperation(operator, await operator.work(platformId), {
    operation: 'createTokenOfPlatform',
    params: { platformId },
    body: { name, permissions },
    options,
    present: readCreated,
  });
  if (!created) return;
  const { createdAt, id, clientId, clientSecret, ...rest } = created;
  const platform = publicId('Platform', platformId);
  printObject(
    {
      ...{ id, platform, name, permissions: json ? rest.permissions : rest.permissions.join(',') },
      ...{ createdAt, clientId, clientSecret },
    },
    { json },
  );
  if (!json) await printNewCredentials(operator.config, `${clientId}:${clientSecret}`);
}

async function readCreated(tx: ReadTx, { id, clientSecret }: { id: string; clientSecret: string }) {
  const tokenId = parseId('Token', id);
  const row = tokenId && (await findToken(tx, tokenId));
  if (!row) throw new Error('the token was created in this transaction');
  return { ...presentToken(row), clientSecret };
}

async function revoke(operator: Operator, name: string, options: RevokeOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'Token', name);
  const token = await work.read((tx) => findTokenByName(tx, name));
  if (!token) throw notFound('TOKEN_NOT_FOUND', 'Token');
  const id = await performOperation(operator, work, {
    ...{ operation: 'revokeToken', params: { tokenId: token.id }, options },
    present: (_tx, reply: { id: string }) => Promise.resolve(reply.id),
  });
  if (options.json) printObject({ id, revoked: true }, { json: true });
  else printLine(`${id} is revoked.`);
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
