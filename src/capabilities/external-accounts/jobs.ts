import {
  resolveLiveness,
  SETTLE_LIVENESS,
} from '#capabilities/external-accounts/challenges/verify-challenge.ts';
import {
  clearScreening,
  flagScreeningHit,
  recordUsValidation,
} from '#capabilities/external-accounts/change-status.ts';
import {
  CHECK_NAME,
  type CheckedAccount,
  nameCheckRequest,
  SCREEN,
  SETTLE_US,
  screenedAccount,
  VALIDATE_US,
} from '#capabilities/external-accounts/provider-checks.ts';
import { receiveNameCheck } from '#capabilities/external-accounts/receive-name-check.ts';
import { PURGE_LOOKUPS, purgeLookups } from '#capabilities/external-accounts/receivers/store.ts';
import { openDetails } from '#capabilities/external-accounts/sealed-account.ts';
import { findExternalAccount } from '#capabilities/external-accounts/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import {
  type CallHandler,
  concerning,
  type Effect,
  type Job,
  type JobDeclarations,
  type JobMeaning,
} from '#foundation/jobs/handlers.ts';
import type { Ports } from '#foundation/ports/ports.ts';

/** Calls to providers after an account was added, and outcomes that become due. */
export const externalAccountJobs: JobDeclarations = {
  [SCREEN]: callProvider(
    about((id) => `${id} is screened.`),
    async ({ accountScreening }, account) => {
      const outcome = await accountScreening.screen(screenedAccount(account));
      if (outcome === undefined) return noEffect;
      return (tx) =>
        outcome === 'CLEAR' ? clearScreening(tx, account.id) : flagScreeningHit(tx, account.id);
    },
  ),
  [CHECK_NAME]: callProvider(
    about((id) => `The service checks the name of the holder of ${id}.`),
    async ({ nameCheck }, account) => {
      const result = await nameCheck.check(nameCheckRequest(account, account));
      return (tx) => receiveNameCheck(tx, account.id, result);
    },
  ),
  [VALIDATE_US]: callProvider(
    about((id) => `The service starts the validation of ${id}.`),
    async ({ usAccounts }, account) => {
      const state = await usAccounts.validate(screenedAccount(account));
      if (state === undefined) return noEffect;
      return async (tx) => void (await recordUsValidation(tx, account.id, state));
    },
  ),
  [SETTLE_US]: {
    due(job) {
      const { state } = job.payload as { state: 'VALID' | 'FAILED' };
      const outcome = state === 'VALID' ? 'succeeds' : 'fails';
      return about((id) => `The validation of ${id} ${outcome}.`)(job);
    },
    async run(tx, job) {
      const { accountId, state } = job.payload as { accountId: ExternalAccountId; state: 'VALID' | 'FAILED' };
      await recordUsValidation(tx, accountId, state);
    },
  },
  [SETTLE_LIVENESS]: {
    due: () => ({
      sentence: 'The provider decides the liveness check for the ownership of an external account.',
    }),
    async run(tx, job) {
      const { challengeId, passed } = job.payload as { challengeId: Id<'Challenge'>; passed: boolean };
      await resolveLiveness(tx, challengeId, passed);
    },
  },
  [PURGE_LOOKUPS]: { due: 'upkeep', run: purgeLookups },
};

function about(sentenceOf: (id: string) => string) {
  return concerning('ExternalAccount', sentenceOf, 'accountId');
}

const noEffect: Effect = async () => undefined;

/** Calls a provider about an account, unless the account was deleted meanwhile. */
function callProvider(
  due: JobMeaning,
  call: (ports: Ports, account: CheckedAccount & Pick<ReadTx, 'platformId'>) => Promise<Effect>,
): CallHandler & { due: JobMeaning } {
  return {
    due,
    async call(work, job: Job) {
      const { accountId } = job.payload as { accountId: ExternalAccountId };
      const found = await work.read((tx) => findCheckedAccount(tx, accountId));
      return found ? call(found.ports, found.account) : noEffect;
    },
  };
}

async function findCheckedAccount(tx: ReadTx, id: ExternalAccountId) {
  const row = await findExternalAccount(tx, id);
  if (!row) return undefined;
  const { info } = openDetails(tx, row);
  return { ports: tx.ports, account: { platformId: tx.platformId, id, currency: row.currency, info } };
}
