import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { findAllPlatforms } from '#capabilities/platform/platform-store.ts';
import { FAILURE_EXIT, OperatorError } from '#cli/failure.ts';
import { choosePlatform } from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { writePrivateFile } from '#cli/operator/shell/private-file.ts';
import { reasonOption } from '#cli/options.ts';
import { printJson, printLine, printObject, printRows, reportProgress } from '#cli/print.ts';
import { recordRun } from '#foundation/audit/run-store.ts';
import { DatabaseClock } from '#foundation/database/database-clock.ts';
import {
  type Attestation,
  attestJournals,
  type Comparison,
  compareJournals,
  parseAttestation,
} from '#foundation/journal/attestation.ts';
import { rotateJournalKey, type Signing } from '#foundation/journal/heads.ts';
import {
  describeChecks,
  type LedgerFinding,
  readingOneMoment,
  verifyWholeLedger,
} from '#foundation/ledger/checks.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Adds the commands that prove the books: `verify`, `attest` and `rotate-key`. */
export function addLedgerProofs(ledger: Command): void {
  addVerify(ledger);
  addAttest(ledger);
  ledger
    .command('rotate-key')
    .description('make a new key, which signs heads of the journal’s chains from now on')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor ledger rotate-key --reason "once a year"')
    .action((options: { reason: string; json?: true }) =>
      asOperator((operator) => rotateKey(operator, options)),
    );
}

interface VerifyOptions {
  against?: string;
  list?: true;
  json?: boolean;
}

function addVerify(ledger: Command): void {
  ledger
    .command('verify')
    .description('check every invariant of the ledger in one snapshot, while servers run')
    .option('--against <file>', 'compare the journal with a file of "corridor ledger attest" instead')
    .option('--list', 'print what each check proves, without running it')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The exit code is 1 if an invariant is broken, or if the journal is not the one of the file.

Examples:
  $ corridor ledger verify
  $ corridor ledger verify --against /mnt/safe/heads-2026-03-01.json`,
    )
    .action((options: VerifyOptions) => {
      if (options.list) return listChecks(options);
      const { against } = options;
      if (against !== undefined) return asOperator((operator) => compare(operator, against, options));
      return asOperator((operator) => verify(operator, options));
    });
}

async function listChecks({ json = false }: VerifyOptions): Promise<void> {
  const { SERVICE } = await import('#app/compose.ts');
  const checks = describeChecks(SERVICE.ledgerChecks);
  if (json) printJson(checks);
  else for (const { place, proves, rule } of checks) printLine(`${place}. ${proves} (${rule})`);
}

async function verify({ database, audit }: Operator, { json = false }: VerifyOptions): Promise<void> {
  const { SERVICE } = await import('#app/compose.ts');
  const findings = await verifyWholeLedger(database, SERVICE.ledgerChecks, {
    // For a person who watches; a script reads the findings.
    onStart({ place, of, proves }) {
      if (process.stderr.isTTY) reportProgress(`${place} of ${of}: ${proves} …`);
    },
    ...(!json && { onFinding: printFinding }),
  });
  const broken = findings.filter(({ violations }) => violations.length > 0);
  const trouble = broken.length === 0 ? null : `${broken.length} of ${findings.length} checks were broken`;
  await recordRun(database, 'ledger verify', { at: new Date(systemClock.now()), trouble });
  await audit({ action: 'ledger verify', details: { checks: findings.length, broken: broken.length } });
  if (json) printJson({ ok: broken.length === 0, checks: findings });
  else {
    const all = findings.length;
    printLine(broken.length === 0 ? 'Every check holds.' : `${broken.length} of ${all} checks are broken.`);
  }
  if (broken.length > 0) process.exitCode = FAILURE_EXIT;
}

function printFinding({ name, rule, examined, violations }: LedgerFinding): void {
  printLine(`${violations.length === 0 ? 'holds ' : 'BROKEN'}  ${name} (${rule}; ${examined} examined)`);
  for (const violation of violations) printLine(`          ${violation}`);
}

async function compare(operator: Operator, path: string, { json = false }: VerifyOptions): Promise<void> {
  const attestation = parseAttestation(await readText(path));
  if (!attestation)
    throw new OperatorError(`${path} was not made by "corridor ledger attest", or is damaged.`);
  const compared = await readingOneMoment(operator.database, (run) => compareJournals(run, attestation));
  const broken = compared.filter(({ violations }) => violations.length > 0).length;
  await operator.audit({
    action: 'ledger verify',
    details: { since: attestation.madeAt, checks: compared.length, broken },
  });
  if (json) printJson({ ok: broken === 0, attestedAt: attestation.madeAt, platforms: compared });
  else printComparison(attestation, compared, broken);
  if (broken > 0) process.exitCode = FAILURE_EXIT;
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${path} cannot be read (${error.code}).`);
  });
}

function printComparison({ madeAt }: Attestation, compared: readonly Comparison[], broken: number): void {
  for (const { platformId, seq, examined, violations } of compared) {
    const state = violations.length === 0 ? 'holds ' : 'BROKEN';
    const platform = publicId('Platform', platformId);
    printLine(`${state}  the ${examined} entries of ${platform} up to entry ${seq} are those of the file`);
    for (const violation of violations) printLine(`          ${violation}`);
  }
  printLine(
    broken === 0
      ? `The journal is the one that was attested at ${madeAt}. Entries after that are not compared.`
      : `${broken} of ${compared.length} platforms have another journal than the file.`,
  );
}

interface AttestOptions {
  platform?: string;
  out?: string;
  entries?: true;
  json?: true;
}

function addAttest(ledger: Command): void {
  ledger
    .command('attest')
    .description('sign the ends of the journal’s chains, to be kept where nobody can change them')
    .option('--platform <platform>', 'only this platform; by default all')
    .option('--out <file>', 'write the document into this new file')
    .option('--entries', 'name every entry, so that a comparison can always name the first bad one')
    .option('--json', 'print the document')
    .addHelpText(
      'after',
      `
Keep the document outside the reach of the people who can change the database. "corridor ledger verify --against" then
finds every entry that was changed, removed or inserted before its heads.

Examples:
  $ corridor ledger attest --out /mnt/safe/heads-2026-03-01.json
  $ corridor ledger attest --entries --json | ssh notary 'cat > heads.json'`,
    )
    .action((options: AttestOptions) => asOperator((operator) => attest(operator, options)));
}

async function attest(operator: Operator, options: AttestOptions): Promise<void> {
  const platforms = options.platform
    ? [await choosePlatform(operator, options)]
    : (await findAllPlatforms(operator.database)).map(({ id }) => id);
  const hasEntries = options.entries === true;
  const attestation = await attestJournals(await signingOf(operator), { platforms, hasEntries });
  await operator.audit({ action: 'ledger attest', details: { since: attestation.madeAt } });
  const text = `${JSON.stringify(attestation, null, hasEntries ? undefined : 2)}\n`;
  const { out } = options;
  if (out !== undefined) {
    await writePrivateFile(out, (file) => file.writeFile(text));
    reportProgress(`${out} has the heads of ${attestation.platforms.length} platforms.`);
  }
  if (options.json) process.stdout.write(text);
  else if (out === undefined)
    printRows(headRows(attestation), { json: false, none: 'No entry was posted yet.' });
}

function headRows({ platforms }: Attestation) {
  return platforms.flatMap(({ platform, heads }) =>
    heads.slice(-1).map(({ seq, entries, hash, madeAt, keyId }) => ({
      ...{ platform, lastEntry: seq, entries, hash, madeAt, key: keyId },
    })),
  );
}

async function signingOf({ database, keys }: Operator): Promise<Signing> {
  const { vault } = await keys();
  return { database, clock: await DatabaseClock.open(database), vault };
}

async function rotateKey(operator: Operator, options: { reason: string; json?: true }): Promise<void> {
  const key = await rotateJournalKey(await signingOf(operator));
  await operator.audit({
    action: 'ledger rotate-key',
    details: { keys: [String(key.id)], reason: options.reason },
  });
  printObject({ ...key }, { json: options.json ?? false });
}
