import { Command } from 'commander';
import { addLedgerProofs } from '#cli/operator/money/ledger-proofs.ts';
import { addLedgerReads } from '#cli/operator/money/ledger-reads.ts';

export function ledgerCommand(): Command {
  const ledger = new Command('ledger').addHelpText('after', '\nExample:\n  $ corridor ledger verify');
  addLedgerProofs(ledger);
  addLedgerReads(ledger);
  return ledger;
}
