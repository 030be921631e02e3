import { activateReady } from '#accounts/activate-accounts.ts';
import { emitAccounts } from '#accounts/events.ts';
import { fundingInstructions, type StoredInstruction } from '#accounts/funding-instructions.ts';
import { auditAction, lockAccount, type OperatorAction, refuseState } from '#accounts/operator-actions.ts';
import { PaymentInstructions } from '#accounts/payment-instruction-schemas.ts';
import { PROVISION_JOB, provisioningRequest } from '#accounts/provisioning-request.ts';
import {
  type AccountRow,
  findAccounts,
  type LockedAccount,
  lockAccounts,
  moveAccounts,
  openFunding,
  setProvisioning,
} from '#accounts/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { validate } from '#http/validate.ts';
import type { CallHandler } from '#jobs/handlers.ts';
import { schedule } from '#jobs/schedule.ts';
import { Refusal } from '#lib/refusals.ts';
import type { Coordinates } from '#rails/accounts.ts';

/**
 * The provider's notice: the account behind ours is open, and these are its coordinates. It becomes `ACTIVE`
 * now, or with its owner's approval. A repeated notice changes nothing (accounts.md §2.2).
 */
export async function accountProvisioned(
  tx: Tx,
  notice: { readonly accountId: string; readonly coordinates: Coordinates },
): Promise<void> {
  const account = await lockAccount(tx, notice.accountId);
  if (account.provisioning === 'COMPLETED') return;
  if (account.provisioning === 'REFUSED' || account.status === 'CLOSED')
    refuseState(account.status, 'provision');
  await complete(tx, account, notice.coordinates);
}

/** The provider's notice: it will not open the account. */
export async function accountRefused(tx: Tx, notice: { readonly accountId: string }): Promise<void> {
  const account = await lockAccount(tx, notice.accountId);
  if (account.provisioning === 'REFUSED') return;
  if (account.provisioning === 'COMPLETED' || account.status === 'CLOSED')
    refuseState(account.status, 'refuse');
  await setProvisioning(tx, account.id, 'REFUSED');
  await emitAccounts(tx, 'INTERNAL_ACCOUNT.STATUS_UPDATED', await moveAccounts(tx, [account.id], 'fail'));
}

/** The operator has the provider asked again; the account stays `FAILED` until that succeeds. */
export async function retryAccount(tx: Tx, action: OperatorAction): Promise<AccountRow> {
  const account = await lockAccount(tx, action.accountId);
  if (account.status !== 'FAILED' || account.provisioning !== 'REFUSED') refuseState(account.status, 'retry');
  auditAction(tx, 'retry', action);
  const { id } = account;
  await setProvisioning(tx, id, 'REQUESTED');
  const coordinates = tx.ports.provisioning.atOpening(requestFor(tx, account));
  if (coordinates) await complete(tx, account, coordinates);
  else schedule(tx, { kind: PROVISION_JOB, key: id, payload: { id }, afterMs: 0 });
  return (await findAccounts(tx, [id]))[0] as AccountRow;
}

/** Makes the request after the commit that recorded it; the outcome is a commit of its own. */
export const provisionHandler: CallHandler = {
  async call(work, job) {
    const { id } = job.payload as { id: string };
    const asked = await work.read(async (tx) => {
      const [account] = await findAccounts(tx, [id]);
      const isOpen = account?.provisioning === 'REQUESTED' && account.status !== 'CLOSED';
      return isOpen ? { port: tx.ports.provisioning, request: requestFor(tx, account) } : undefined;
    });
    if (!asked || (await asked.port.submit(asked.request)) === 'accepted') return async () => undefined;
    return async (tx) => {
      const outcome = await accountRefused(tx, { accountId: id }).catch((error: unknown) => error);
      // The account was closed, or the provider thought better of it meanwhile: nothing is left to refuse.
      if (outcome instanceof Error && !(outcome instanceof Refusal)) throw outcome;
    };
  },
};

async function complete(tx: Tx, account: LockedAccount, coordinates: Coordinates): Promise<void> {
  const { holderName } = openFunding(tx, account);
  const { type, currency, reference } = account;
  const facts = { type, currency, holderName, reference: reference ?? undefined };
  const instructions = fundingInstructions(facts, coordinates);
  checkInstructions(instructions);
  await setProvisioning(tx, account.id, 'COMPLETED', { holderName, instructions });
  await activateReady(tx, await lockAccounts(tx, [account.id]));
}

/** What came from outside is held against the shape that replies promise. */
export function checkInstructions(instructions: readonly StoredInstruction[]): void {
  for (const instruction of instructions) validate(PaymentInstructions, instruction);
}

function requestFor(tx: ReadTx, account: Pick<LockedAccount, 'id' | 'currency' | 'type' | 'funding'>) {
  return provisioningRequest(tx, { ...account, holderName: openFunding(tx, account).holderName });
}
