import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject, reportProgress } from '#cli/print.ts';
import { runKeyCommand } from '#foundation/database/key-commands.ts';
import type { OpenedKeyring } from '#foundation/database/open-keyring.ts';
import type { ResealProgress } from '#foundation/database/reseal.ts';
import { rotateHashes } from '#foundation/database/rotate-hashes.ts';
import { changeMaster, rotateDataKey } from '#foundation/database/rotate-keys.ts';
import { requireAgreement } from '#foundation/person-keys/agreement.ts';
import { wrappedPeople } from '#foundation/person-keys/rewrap.ts';
import { rotatePeople } from '#foundation/person-keys/rotate-people.ts';

interface RotateOptions {
  people?: boolean;
  hashes?: boolean;
  newMaster?: boolean;
  reason: string;
  json?: boolean;
}

const CONFIRMATION =
  'All encrypted data is re-encrypted, and the keys of people no longer open older backups of the database. With --hashes only hashes are replaced. With a new master key, servers that have only the old one can no longer read the database, and the new key does not open older backups.';

const HELP = `
The keys of people are wrapped again with the new data key. With --people they are replaced, which takes at least six
minutes while servers run. After either rotation, an older backup of the database opens only with an older backup of the
keys of people. Make a new backup of both databases at once.

With --hashes, the hashes that find e-mail addresses, numbers and names are replaced. Values are not encrypted again, and
older backups stay usable.

If the command is interrupted, run it again: it continues where it stopped. Only one command that changes keys runs at a
time; a second one is refused. If ENCRYPTION_KEY_NEXT is set, it always becomes the master key; servers that were started
with both keys keep running through the change. With the embedded database, --new-master generates the key into the data
folder.

Examples:
  $ corridor keys rotate --reason "once a year"
  $ corridor keys rotate --people --reason "a backup of the keys has leaked"
  $ corridor keys rotate --hashes --reason "once a year"
  $ ENCRYPTION_KEY_NEXT=$(openssl rand -base64 32) corridor keys rotate --new-master --reason "the key has leaked"`;

export function keysCommand(): Command {
  const keys = new Command('keys').addHelpText(
    'after',
    '\nExample:\n  $ corridor keys rotate --reason "once a year"',
  );
  const command = keys.command('rotate');
  confirmed(command, CONFIRMATION)
    .description('create a new data key and re-encrypt all data with it, while servers run')
    .option(
      '--new-master',
      'also encrypt the data keys with a new master key: ENCRYPTION_KEY_NEXT, or a generated one',
    )
    .option(
      '--people',
      'give every person a new key instead, seal their data again with it, and delete the old keys',
    )
    .option('--hashes', 'create a new key of hashes instead, and replace all stored hashes with it')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: RotateOptions) => {
      const { people = false, hashes = false, newMaster = false } = options;
      if ([people, hashes, newMaster].filter(Boolean).length > 1) {
        throw new UsageError('give one of --people, --hashes and --new-master');
      }
      return asOperator((operator) =>
        runKeyCommand(operator.url, nameOf(options), () => {
          if (people) return rotateOfPeople(operator, options);
          return hashes ? rotateOfHashes(operator, options) : rotate(operator, options);
        }),
      );
    });
  return keys;
}

/** The command as another one names it that has to wait for it. */
function nameOf({ people = false, hashes = false, newMaster = false }: RotateOptions): string {
  const kind = (people && ' --people') || (hashes && ' --hashes') || (newMaster && ' --new-master') || '';
  return `keys rotate${kind}`;
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
  const { store } = await operator.people();
  await requireAgreement(operator.database, store, keys);
  await operator.audit({ action: 'keys rotate begun', details: { changesMaster, reason } });
  const { keyId, wasContinued, resealed, rewrapped } = await rotateDataKey(operator.database, keys, {
    isShared: operator.isShared,
    report: reportProgress,
    wait: (ms) => delay(ms),
    onBatch: reportBatch,
    people: wrappedPeople(store, (count) => reportProgress(`${count} keys of people re-encrypted …`)),
  });
  if (changesMaster) await replaceMasterKey(keys, next);
  await operator.audit({
    action: 'keys rotate',
    details: { keyId, wasContinued, resealed, rewrapped, changesMaster },
  });
  reportProgress(BACK_UP_NOW);
  const done = { dataKey: keyId, continued: wasContinued, resealed, personKeys: rewrapped };
  printObject({ ...done, ...presentMasterKey(changesMaster, keys) }, { json });
}

async function rotateOfPeople(operator: Operator, { reason, json = false }: RotateOptions): Promise<void> {
  const { store } = await operator.people();
  const keys = await operator.keys();
  await requireAgreement(operator.database, store, keys);
  await operator.audit({ action: 'keys rotate --people begun', details: { reason } });
  const done = await rotatePeople({
    database: operator.database,
    store,
    vault: keys.vault,
    isShared: operator.isShared,
    report: reportProgress,
    wait: (ms) => delay(ms),
    onBatch: reportBatch,
  });
  await operator.audit({ action: 'keys rotate --people', details: { ...done } });
  const { wasContinued, people, resealed, deleted } = done;
  reportProgress(BACK_UP_NOW);
  printObject({ people, continued: wasContinued, resealed, deletedKeys: deleted }, { json });
}

async function rotateOfHashes(operator: Operator, { reason, json = false }: RotateOptions): Promise<void> {
  const keys = await operator.keys();
  await operator.audit({ action: 'keys rotate --hashes begun', details: { reason } });
  const done = await rotateHashes(operator.database, keys, {
    isShared: operator.isShared,
    report: reportProgress,
    wait: (ms) => delay(ms),
    onBatch: ({ column, rehashed }) =>
      reportProgress(`${column.table}.${column.column}: ${rehashed} hashes made again …`),
  });
  await operator.audit({ action: 'keys rotate --hashes', details: { ...done } });
  const { keyId, wasContinued, rehashed } = done;
  printObject({ hashKey: keyId, continued: wasContinued, rehashed }, { json });
}

const BACK_UP_NOW =
  'Make a backup of the database and of the keys of people now: from now on the keys do not open older backups.';

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
