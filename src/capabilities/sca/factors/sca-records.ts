import Type from 'typebox';
import { listRecoveryHashes, loadAuthentication } from '#capabilities/sca/factor-store.ts';
import {
  listFactorDates,
  listLiveSessions,
  listOpenChallenges,
  listResets,
  pageLocked,
} from '#capabilities/sca/factors/operator-store.ts';
import { statusAt } from '#capabilities/sca/factors/reset-factor.ts';
import { activeLockUntil } from '#capabilities/sca/standing/lockout.ts';
import { loadScaCustomer } from '#capabilities/sca/standing/rules.ts';
import { findStanding } from '#capabilities/sca/standing/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { shown } from '#foundation/records/fields.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Strong customer authentication';

export const SCA_LIST = recordList({
  name: 'sca',
  area: AREA,
  summary: 'Customers who are locked or suspended after wrong proofs',
  item: Type.Object({
    customer: shown.id('Customer', 'The customer.'),
    suspended: shown.flag('Whether the customer is suspended until an operator or a reset ends it.'),
    lockedUntil: shown.time('Until when the customer is locked.'),
    failedAttempts: shown.count('How many proofs in a row were wrong.'),
    createdAt: shown.time('When the customer was created.'),
  }),
  page: (tx, request) =>
    pageLocked(tx, request, ({ id, is_suspended: suspended, ...row }) => ({
      ...{ customer: publicId('Customer', id), suspended, lockedUntil: row.locked_until },
      ...{ failedAttempts: row.failed_attempts, createdAt: row.created_at },
    })),
});

export const SCA_SHOW = recordShow({
  name: 'sca',
  area: AREA,
  summary: 'The factors, sessions, open challenges and failed attempts of a customer',
  type: 'Customer',
  isOfPerson: true,
  async load(tx, customerId: CustomerId) {
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
  },
});
