import type { ReadTx } from '#database/tx.ts';
import { screeningCleared, screeningHit, usAccountValidated } from '#external-accounts/change-status.ts';
import { livenessResolved, SETTLE_LIVENESS } from '#external-accounts/liveness.ts';
import { PURGE_LOOKUPS, purgeLookups } from '#external-accounts/lookup-store.ts';
import {
  type AccountFacts,
  CHECK_NAME,
  nameCheckRequest,
  SCREEN,
  SETTLE_US,
  screenedAccount,
  VALIDATE_US,
} from '#external-accounts/provider-checks.ts';
import { findAccount, lockAccount, openDetails, setNameCheck } from '#external-accounts/store.ts';
import type { CallHandler, Effect, Job, JobHandlers } from '#jobs/handlers.ts';
import type { Ports } from '#rails/ports.ts';

/** For app.ts: what is asked outside after an account was added, and outcomes that fall due. */
export const externalAccountJobs: JobHandlers = {
  [SCREEN]: asking(async ({ accountScreening }, account) => {
    const outcome = await accountScreening.screen(screenedAccount(account));
    if (outcome === undefined) return nothing;
    return (tx) => (outcome === 'CLEAR' ? screeningCleared(tx, account.id) : screeningHit(tx, account.id));
  }),
  [CHECK_NAME]: asking(async ({ nameCheck }, account) => {
    const { status, fullName } = await nameCheck.check(nameCheckRequest(account));
    return async (tx) => {
      const row = await lockAccount(tx, account.id);
      if (row?.name_check === 'PENDING') await setNameCheck(tx, row, status, fullName);
    };
  }),
  [VALIDATE_US]: asking(async ({ usAccounts }, account) => {
    const state = await usAccounts.validate(screenedAccount(account));
    if (state === undefined) return nothing;
    return async (tx) => void (await usAccountValidated(tx, account.id, state));
  }),
  [SETTLE_US]: {
    async run(tx, job) {
      const { accountId, state } = job.payload as { accountId: string; state: 'VALID' | 'FAILED' };
      await usAccountValidated(tx, accountId, state);
    },
  },
  [SETTLE_LIVENESS]: {
    async run(tx, job) {
      const { challengeId, passed } = job.payload as { challengeId: string; passed: boolean };
      await livenessResolved(tx, challengeId, passed);
    },
  },
  [PURGE_LOOKUPS]: { run: purgeLookups },
};

const nothing: Effect = async () => undefined;

/** A question about an account; one that was deleted meanwhile is of no interest. */
function asking(ask: (ports: Ports, account: AccountFacts) => Promise<Effect>): CallHandler {
  return {
    async call(work, job: Job) {
      const { accountId } = job.payload as { accountId: string };
      const found = await work.read((tx) => accountFacts(tx, accountId));
      return found ? ask(found.ports, found.account) : nothing;
    },
  };
}

async function accountFacts(tx: ReadTx, id: string) {
  const row = await findAccount(tx, id);
  if (!row) return undefined;
  return { ports: tx.ports, account: { id, currency: row.currency, info: openDetails(tx, row).info } };
}
