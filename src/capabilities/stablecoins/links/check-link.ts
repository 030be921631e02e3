import { LINKS, type LinkRow, type LinkStatus, openLogin } from '#capabilities/stablecoins/link-row.ts';
import { findLink, lockLink } from '#capabilities/stablecoins/link-store.ts';
import { CHECK_LINK, endLink } from '#capabilities/stablecoins/links/change-link.ts';
import { changedRow } from '#foundation/database/rows.ts';
import type { Changes, Tx } from '#foundation/database/tx.ts';
import { type CallHandler, concerning, type JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import type { LoginAnswer } from '#foundation/ports/stablecoins.ts';

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;

/** The first daily check is a day after the account was linked. */
export function scheduleCheck(changes: Changes, linkId: LinkId, afterMs: number = DAY_MS): void {
  schedule(changes, { kind: CHECK_LINK, key: linkId, payload: { id: linkId }, afterMs });
}

/** Only an active link is checked, because no other becomes active again. */
const checkHandler: CallHandler = {
  async call(work, job) {
    const { id } = job.payload as { id: LinkId };
    const login = await work.read(async (tx) => {
      const link = await findLink(tx, id);
      return link?.status === 'ACTIVE' ? openLogin(tx, link) : undefined;
    });
    const answer = login && (await work.ports.stablecoins.verifyLogin(login));
    return async (tx) => {
      if (answer) await applyAnswer(tx, id, answer);
    };
  },
};

async function applyAnswer(tx: Tx, id: LinkId, answer: LoginAnswer): Promise<void> {
  const link = await lockLink(tx, id);
  if (link?.status !== 'ACTIVE') return;
  const status = readLinkStatus(answer, link);
  if (status === undefined) return scheduleCheck(tx, id, HOUR_MS);
  if (status !== 'ACTIVE') return void endLink(tx, link, status);
  tx.collect(LINKS.writer, changedRow(link, { last_verified_at: tx.now }, tx.now));
  scheduleCheck(tx, id);
}

/** The provider's status of a link; undefined if it had no answer. */
function readLinkStatus(answer: LoginAnswer, link: LinkRow): LinkStatus | undefined {
  if (answer.outcome === 'UNAVAILABLE') return undefined;
  if (answer.outcome === 'LOGIN_REFUSED') return 'INVALID';
  // Credentials that no longer open the account cannot be used for it.
  return answer.accounts.find(({ id }) => id === link.provider_account_id)?.status ?? 'INVALID';
}

export const linkJobs: JobDeclarations = {
  [CHECK_LINK]: {
    ...checkHandler,
    due: concerning(
      'StablecoinProviderAccount',
      (id) => `The service makes its daily check of the credentials of ${id}.`,
    ),
  },
};
