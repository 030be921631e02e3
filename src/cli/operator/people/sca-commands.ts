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
import { addShortList } from '#cli/operator/shell/listing.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** `corridor sca …`: facts for the support of a customer who cannot log in; never a secret of theirs. */
export function scaCommand(): Command {
  const sca = new Command('sca').addHelpText(
    'after',
    '\nExample:\n  $ corridor sca show Customer:0190a5d2-…',
  );
  addShortList(sca.command('list').description('list customers who are locked or suspended'), {
    example: '',
    limitMax: 1_000,
    none: 'No customer is locked or suspended.',
    // Suspended customers come first: their suspension has no end.
    order: 'newest first',
    rows: async (tx, { limit }: { limit: number }) => (await listLocked(tx, limit)).map(presentLocked),
    at: ({ suspended, lockedUntil }) => (suspended ? null : lockedUntil),
  });
  addShow(sca, {
    type: 'Customer',
    argument: 'customer',
    description: 'print a customer’s factors, sessions, open challenges and failed attempts',
    load: presentAuthentication,
  });
  return sca;
}

function presentLocked({ customerId, isSuspended, ...rest }: LockedCustomer) {
  return { customer: publicId('Customer', customerId), suspended: isSuspended, ...rest };
}

async function presentAuthentication(tx: Tx, customerId: CustomerId) {
  await loadScaCustomer(tx, customerId);
  const { phoneNumber } = await loadAuthentication(tx, customerId);
  const standing = await findStanding(tx, customerId);
  const challenges = await listOpenChallenges(tx, customerId);
  const resets = await listResets(tx, customerId);
  return {
    customer: publicId('Customer', customerId),
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
