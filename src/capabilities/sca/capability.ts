import type { Capability } from '#capabilities/capability.ts';
import { challengeJobs } from '#capabilities/sca/challenges/challenges.ts';
import { purgeChallenges } from '#capabilities/sca/challenges/store.ts';
import { authenticationExpiries } from '#capabilities/sca/due-store.ts';
import { purgeEnrollments } from '#capabilities/sca/enrollment-store.ts';
import { resetJobs } from '#capabilities/sca/factors/reset-factor.ts';
import { purgeResets } from '#capabilities/sca/factors/reset-store.ts';
import { SCA_LIST, SCA_SHOW } from '#capabilities/sca/factors/sca-records.ts';
import { scaReactions } from '#capabilities/sca/reactions.ts';
import { scaOperations } from '#capabilities/sca/routes.ts';
import { purgeScaSessions } from '#capabilities/sca/standing/store.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const sca = {
  name: 'sca',
  operations: scaOperations,
  operatorOperations: recordOperations([SCA_LIST], [SCA_SHOW]),
  jobs: resetJobs,
  messageJobs: challengeJobs,
  dueSources: authenticationExpiries,
  purges: [purgeEnrollments, purgeResets, purgeScaSessions, purgeChallenges],
  reactions: scaReactions,
} satisfies Capability;
