import { Command } from 'commander';
import { listRecoveryHashes, loadAuthentication } from '#capabilities/sca/factor-store.ts';
import {
  type LockedCustomer,
  listFactorDates,
  listLiveSessions,
  listLocked,
  listOpenChallenges,
  listResets,
} from '#capabilities/sca/factors/operator-store.ts';
import { statusAt } from '#capabilities/sca/factors/reset-factor.ts';
import { activeLockUntil } from '#capabilities/sca/standing/lockout.ts';
import { loadScaCustomer } from '#capabilities/sca/standing/rules.ts';
import { findStanding } from '#capabilities/sca/standing/store.ts';
import { countArgument } from '#cli/arguments.ts';
import { addPlatforms, type PlatformsOptions } from '#cli/operator/shell/choose-platform.ts';
import { listRows } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface ListOptions extends PlatformsOptions {
  limit: number;
}

const LIMIT_MAX = 1_000;

/** `corridor sca …`: facts for the support of a customer who cannot log in; never a secret of theirs. */
export function scaCommand(): Command {
  const sca = new Command('sca').addHelpText(
    'after',
    '\nExample:\n  $ corridor sca show Customer:0190a5d2-…',
  );
  const list = sca
    .command('list')
    .description('list customers who are locked or suspended')
    .option('--limit <count>', 'print at most this many', countArgument(1, LIMIT_MAX), 100);
  addPlatforms(list)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor sca list')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  addShow(sca, {
    type: 'Customer',
    argument: 'customer',
    description: 'print a customer’s factors, sessions, open challenges and failed attempts',
    load: presentAuthentication,
  });
  return sca;
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  await listRows(operator, options, {
    action: 'sca list',
    none: 'No customer is locked or suspended.',
    // Suspended customers come first: their suspension has no end.
    order: 'newest first',
    rows: async (tx) => (await listLocked(tx, options.limit)).map(presentLocked),
    at: ({ suspended, lockedUntil }) => (suspended ? null : lockedUntil),
  });
}

function presentLocked({ customerId, isSuspended, ...rest }: LockedCustomer) {
  return { customer: publicId('Customer', customerId), suspended: isSuspended, ...rest };
}

/** Audited, because it prints the customer's phone number. */
async function presentAuthentication(tx: Tx, customerId: CustomerId) {
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
    lockedUntil: activeLockUntil(standing, tx.now),
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
