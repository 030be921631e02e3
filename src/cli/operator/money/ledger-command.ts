import { Command } from 'commander';
import { FAILURE_EXIT } from '#cli/failure.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { printJson, printLine } from '#cli/print.ts';
import { recordRun } from '#foundation/audit/run-store.ts';
import { type LedgerFinding, verifyWholeLedger } from '#foundation/ledger/checks.ts';
import { systemClock } from '#foundation/lib/clock.ts';

export function ledgerCommand(): Command {
  const ledger = new Command('ledger').addHelpText('after', '\nExample:\n  $ corridor ledger verify');
  ledger
    .command('verify')
    .description('check every invariant of the ledger in one snapshot, while servers run')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe exit code is 1 if an invariant is broken.\n\nExample:\n  $ corridor ledger verify',
    )
    .action(({ json = false }: { json?: boolean }) => asOperator((operator) => verify(operator, json)));
  return ledger;
}

async function verify({ database, audit }: Operator, json: boolean): Promise<void> {
  const { SERVICE } = await import('#app/compose.ts');
  const findings = await verifyWholeLedger(database, SERVICE.ledgerChecks);
  const broken = findings.filter(({ violations }) => violations.length > 0);
  const trouble = broken.length === 0 ? null : `${broken.length} of ${findings.length} checks were broken`;
  await recordRun(database, 'ledger verify', { at: new Date(systemClock.now()), trouble });
  await audit({ action: 'ledger verify', details: { checks: findings.length, broken: broken.length } });
  if (json) printJson({ ok: broken.length === 0, checks: findings });
  else printFindings(findings, broken.length);
  if (broken.length > 0) process.exitCode = FAILURE_EXIT;
}

function printFindings(findings: readonly LedgerFinding[], broken: number): void {
  for (const { name, rule, examined, violations } of findings) {
    printLine(`${violations.length === 0 ? 'holds ' : 'BROKEN'}  ${name} (${rule}; ${examined} examined)`);
    for (const violation of violations) printLine(`          ${violation}`);
  }
  printLine(broken === 0 ? 'Every check holds.' : `${broken} of ${findings.length} checks are broken.`);
}
