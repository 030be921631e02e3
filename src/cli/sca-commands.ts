import { Command } from 'commander';
import { audit } from '#audit/audit.ts';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption, readerOf, workOf } from '#cli/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { printObject, printRows } from '#cli/print.ts';
import type { Tx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';
import { listRecoveryHashes, loadAuthentication } from '#sca/factor-store.ts';
import { lockedUntilOf } from '#sca/lockout.ts';
import {
  listFactorDates,
  listLiveSessions,
  listLocked,
  listOpenChallenges,
  listResets,
} from '#sca/operator-store.ts';
import { statusAt } from '#sca/reset-factor.ts';
import { loadScaCustomer } from '#sca/rules.ts';
import { findStanding } from '#sca/standing-store.ts';

interface ListOptions extends PlatformOptions {
  limit: number;
}

const LIMIT_MAX = 1_000;

/** `corridor sca …`: what support has to know of a customer who cannot log in; never what proves who they are. */
export function scaCommand(): Command {
  const sca = new Command('sca')
    .description('strong customer authentication: who is locked, factors and sessions')
    .addHelpText('after', '\nExample:\n  $ corridor sca show Customer:0190a5d2-…');
  sca
    .command('list')
    .description('list customers who are locked or suspended')
    .option('--limit <count>', 'how many at most', countArgument(1, LIMIT_MAX), 100)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor sca list')
    .action((options: ListOptions) => asOperator((operator) => list(operator, options)));
  sca
    .command('show')
    .description('print how a customer can authenticate, and what has become of it so far')
    .argument('<customer>', 'its id', idArgument('Customer'))
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor sca show Customer:0190a5d2-…')
    .action((id: string, options: PlatformOptions) => asOperator((operator) => show(operator, id, options)));
  return sca;
}

async function list(operator: Operator, options: ListOptions): Promise<void> {
  const work = await readerOf(operator, options);
  const locked = await work.read((tx) => listLocked(tx, options.limit));
  await operator.audit({ action: 'sca list', platformId: work.platform.id });
  const rows = locked.map(({ customerId, isSuspended, ...rest }) => ({
    customer: publicId('Customer', customerId),
    suspended: isSuspended,
    ...rest,
  }));
  printRows(rows, { json: options.json ?? false, none: 'Nobody is locked.' });
}

async function show(operator: Operator, customerId: string, options: PlatformOptions): Promise<void> {
  const work = await workOf(operator, options);
  const shown = await work.write((tx) => presentAuthentication(tx, customerId));
  printObject(shown, { json: options.json ?? false });
}

/** Prints the customer's number, so it is audited. */
async function presentAuthentication(tx: Tx, customerId: string) {
  await loadScaCustomer(tx, customerId);
  const customer = publicId('Customer', customerId);
  audit(tx, { action: 'sca show', resource: customer });
  const { phoneNumber } = await loadAuthentication(tx, customerId);
  const standing = await findStanding(tx, customerId);
  const challenges = await listOpenChallenges(tx, customerId);
  const resets = await listResets(tx, customerId);
  return {
    customer,
    failedAttempts: standing.failedAttempts,
    suspended: standing.isSuspended,
    lockedUntil: lockedUntilOf(standing, tx.now),
    firstLoginAt: standing.firstLoginAt,
    textMessagesTo: phoneNumber,
    numberNeedsProof: standing.numberNeedsProof,
    factors: await listFactorDates(tx, customerId),
    recoveryCodesLeft: (await listRecoveryHashes(tx, customerId)).length,
    liveSessions: await listLiveSessions(tx, customerId),
    openChallenges: challenges.map(({ id, ...rest }) => ({ id: publicId('ScaChallenge', id), ...rest })),
    resets: resets.map(({ id, factor, createdAt, ...reset }) => ({
      id: publicId('ScaReset', id),
      factor,
      status: statusAt(reset, tx.now),
      createdAt,
    })),
  };
}
