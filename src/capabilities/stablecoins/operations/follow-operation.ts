import { findCoin, lockCoin } from '#capabilities/stablecoins/coin-store.ts';
import { FOLLOW_OPERATION, scheduleFollow } from '#capabilities/stablecoins/follow.ts';
import { openLogin } from '#capabilities/stablecoins/link-row.ts';
import { findLink } from '#capabilities/stablecoins/link-store.ts';
import { invalidateLink } from '#capabilities/stablecoins/links/change-link.ts';
import { applyOperationNotice } from '#capabilities/stablecoins/operations/apply.ts';
import { GIVE_UP_MS, RECONCILE_MS } from '#capabilities/stablecoins/operations/machine.ts';
import { buildOrder } from '#capabilities/stablecoins/operations/order.ts';
import { isOpen, type OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import { findOperation } from '#capabilities/stablecoins/operations/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { type CallHandler, concerning, type JobDeclarations } from '#foundation/jobs/handlers.ts';
import type { FollowAnswer, OperationOrder, ProviderLogin } from '#foundation/ports/stablecoins.ts';

const followHandler: CallHandler = {
  async call(work, job) {
    const { id } = job.payload as { id: Id<'StablecoinOperation'> };
    const question = await work.read((tx) => questionFor(tx, id));
    if (question === undefined) return async () => undefined;
    if (question === 'UNLINKED') return (tx) => waitForLink(tx, id);
    const answer = await work.ports.stablecoins.follow(question.login, question.order);
    return (tx) => applyAnswer(tx, question, answer);
  },
};

interface FollowQuestion {
  readonly row: OperationRow;
  readonly linkId: LinkId;
  readonly login: ProviderLogin;
  readonly order: OperationOrder;
}

/** Undefined if the operation has ended. Uses the coin's current link, because an ended one may have been replaced. */
async function questionFor(
  tx: ReadTx,
  id: Id<'StablecoinOperation'>,
): Promise<FollowQuestion | 'UNLINKED' | undefined> {
  const row = await findOperation(tx, id);
  if (!row || !isOpen(row)) return undefined;
  const coin = await findCoin(tx, row.stablecoin_id);
  const link = coin && (await findLink(tx, coin.provider_account));
  const login = link?.status === 'ACTIVE' ? openLogin(tx, link) : undefined;
  if (!coin || !login) return 'UNLINKED';
  return { row, linkId: coin.provider_account, login, order: buildOrder(tx, row, coin) };
}

async function applyAnswer(
  tx: Tx,
  { row: seen, linkId }: FollowQuestion,
  answer: FollowAnswer,
): Promise<void> {
  if (answer.outcome === 'LOGIN_REFUSED') {
    await invalidateLink(tx, linkId);
    return;
  }
  if (answer.outcome === 'FOUND') {
    await applyOperationNotice(tx, seen.id, answer.notice);
    return;
  }
  const isGivenUp = tx.now.getTime() - seen.created_at.getTime() >= GIVE_UP_MS;
  if (isGivenUp) await applyOperationNotice(tx, seen.id, { kind: 'lost' });
  else scheduleFollow(tx, seen.id, RECONCILE_MS);
}

/**
 * Without an active link of the coin the provider cannot be asked. The link that takes the coin over schedules the
 * pending questions (stablecoins.md §1.4). This schedules the question itself if that link came just before this job
 * ended.
 */
async function waitForLink(tx: Tx, id: Id<'StablecoinOperation'>): Promise<void> {
  const row = await findOperation(tx, id);
  const coin = row && (await lockCoin(tx, row.stablecoin_id));
  const link = coin && (await findLink(tx, coin.provider_account));
  if (link?.status === 'ACTIVE') scheduleFollow(tx, id, 0);
}

export const operationJobs: JobDeclarations = {
  [FOLLOW_OPERATION]: {
    ...followHandler,
    due: concerning('StablecoinOperation', (id) => `The service asks the provider for the outcome of ${id}.`),
  },
};
