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
  const keys = new Command('keys').addHelpText(
    'after',
    '\nExample:\n  $ corridor keys rotate --reason "once a year"',
  );
  const command = keys.command('rotate');
  confirmed(
    command,
    'All encrypted data is re-encrypted. With a new master key, servers that have only the old one can no longer read the database, and the new key does not open older backups.',
  )
    .description('create a new data key and re-encrypt all data with it, while servers run')
    .option(
      '--new-master',
      'also encrypt the data keys with a new master key: ENCRYPTION_KEY_NEXT, or a generated one',
    )
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
If the command is interrupted, run it again: it continues where it stopped. If ENCRYPTION_KEY_NEXT is set, it always
becomes the master key; servers that were started with both keys keep running through the change. With the embedded
database, --new-master generates the key into the data folder.

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
  reportProgress(`${column.table}.${column.column}: ${resealed} values re-encrypted …`);
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
