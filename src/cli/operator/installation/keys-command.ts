import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { OperatorError } from '#cli/failure.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject, reportProgress } from '#cli/print.ts';
import type { OpenedKeyring } from '#foundation/database/open-keyring.ts';
import type { ResealProgress } from '#foundation/database/reseal.ts';
import { changeMaster, rotateDataKey } from '#foundation/database/rotate-keys.ts';

interface RotateOptions {
  newMaster?: boolean;
  reason: string;
  json?: boolean;
}

export function keysCommand(): Command {
  const keys = new Command('keys')
    .description('encryption keys')
    .addHelpText('after', '\nExample:\n  $ corridor keys rotate --reason "once a year"');
  const command = keys.command('rotate');
  confirmed(
    command,
    'Everything sealed is sealed anew. With a new master key, backups and servers that have only the old one are shut out.',
  )
    .description('make a new data key and seal everything anew with it, while servers go on')
    .option(
      '--new-master',
      'then put the data keys under a new master key: ENCRYPTION_KEY_NEXT, or a generated one',
    )
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Interrupted, it is run again and goes on where it was. ENCRYPTION_KEY_NEXT, when set, is always put in place;
servers that were started with both keys outlive the change. With the embedded database a new master key is
generated into the data folder.

Examples:
  $ corridor keys rotate --reason "once a year"
  $ ENCRYPTION_KEY_NEXT=$(openssl rand -base64 32) corridor keys rotate --new-master --reason "the key has leaked"`,
    )
    .action((options: RotateOptions) => asOperator((operator) => rotate(operator, options)));
  return keys;
}

async function rotate(
  operator: Operator,
  { newMaster = false, reason, json = false }: RotateOptions,
): Promise<void> {
  const keys = await operator.keys();
  const next = operator.config.encryptionKeyNext;
  const changesMaster = newMaster || next !== undefined;
  if (changesMaster && !next && !keys.file) {
    throw new OperatorError('--new-master needs the new key in ENCRYPTION_KEY_NEXT.');
  }
  await operator.audit({ action: 'keys rotate begun', details: { changesMaster, reason } });
  const { keyId, wasContinued, resealed } = await rotateDataKey(operator.database, keys, {
    isShared: operator.isShared,
    report: reportProgress,
    wait: (ms) => delay(ms),
    onBatch: reportBatch,
  });
  if (changesMaster) await replaceMasterKey(keys, next);
  await operator.audit({ action: 'keys rotate', details: { keyId, wasContinued, resealed, changesMaster } });
  printObject(
    { dataKey: keyId, continued: wasContinued, resealed, ...presentMasterKey(changesMaster, keys) },
    { json },
  );
}

function reportBatch({ column, resealed }: ResealProgress): void {
  reportProgress(`${column.table}.${column.column}: ${resealed} values sealed anew …`);
}

async function replaceMasterKey(keys: OpenedKeyring, next: Buffer | undefined): Promise<void> {
  if (next) return changeMaster(keys, next);
  if (!keys.file) return;
  const staged = await keys.file.stage();
  await changeMaster(keys, staged);
  await keys.file.adopt(staged);
}

function presentMasterKey(changed: boolean, { file }: OpenedKeyring): { masterKey?: string } {
  if (!changed) return {};
  return {
    masterKey: file ? `new, in ${file.path}` : 'new: ENCRYPTION_KEY_NEXT is now the value of ENCRYPTION_KEY',
  };
}
