import {
  activateReadyAccounts,
  auditAction,
  type OperatorAction,
  refuseState,
} from '#capabilities/accounts/change-status.ts';
import { emitAccounts } from '#capabilities/accounts/events.ts';
import {
  type Funding,
  fundingInstruction,
  fundingInstructions,
  openFunding,
  type StoredInstruction,
} from '#capabilities/accounts/funding-instructions.ts';
import { SWIFT_ENTRY } from '#capabilities/accounts/funding-table.ts';
import { PROVISION_JOB, provisioningRequest } from '#capabilities/accounts/open-accounts.ts';
import { PaymentInstructions } from '#capabilities/accounts/payment-instruction-schemas.ts';
import {
  type AccountRow,
  findAccounts,
  type LockedAccount,
  lockAccount,
  lockAccounts,
  moveStatuses,
  setFunding,
  setProvisioning,
} from '#capabilities/accounts/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { validate } from '#foundation/http/read/validate.ts';
import { type CallHandler, concerning, type JobDeclaration } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';
import type { Coordinates } from '#foundation/ports/accounts.ts';

/**
 * Records that the provider has opened the underlying account with these coordinates. Ours becomes `ACTIVE` now, or
 * when its owner is approved. A repeated notice changes nothing (accounts.md §2.2).
 */
export async function completeProvisioning(
  tx: Tx,
  notice: { readonly accountId: AccountId; readonly coordinates: Coordinates },
): Promise<void> {
  const account = await lockAccount(tx, notice.accountId);
  if (account.provisioning === 'COMPLETED') return;
  if (account.provisioning === 'REFUSED' || account.status === 'CLOSED')
    refuseState(account.status, 'provision');
  await complete(tx, account, notice.coordinates);
}

/**
 * The same for a provider whose reports may be late, repeated or wrong. Returns what contradicts the account as it is, in a
 * sentence; it then changes nothing. A closed account stays closed.
 */
export async function receiveProvisioning(
  tx: Tx,
  notice: { readonly accountId: AccountId; readonly coordinates: Coordinates },
): Promise<string | undefined> {
  const account = await lockAccount(tx, notice.accountId);
  const { provisioning, status } = account;
  if (status === 'CLOSED') return undefined;
  if (provisioning === 'REFUSED') return 'The account was refused before, and is open there now.';
  try {
    if (provisioning === 'COMPLETED') requireSameCoordinates(tx, account, notice.coordinates);
    else await complete(tx, account, notice.coordinates);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return `Its coordinates cannot be used: ${error.message}`;
    throw error;
  }
}

/** Does the same for the operator, and refuses if the account already has other coordinates. */
export async function provisionByOperator(
  tx: Tx,
  { coordinates, ...action }: OperatorAction & { readonly coordinates: Coordinates },
): Promise<void> {
  const account = await lockAccount(tx, action.accountId);
  if (account.provisioning === 'COMPLETED') requireSameCoordinates(tx, account, coordinates);
  await completeProvisioning(tx, { accountId: account.id, coordinates });
  auditAction(tx, 'provision', action, account);
}

/** Records that the provider refused to open the account. */
export async function refuseProvisioning(
  tx: Tx,
  notice: { readonly accountId: AccountId },
): Promise<LockedAccount> {
  const account = await lockAccount(tx, notice.accountId);
  if (account.provisioning === 'REFUSED') return account;
  if (account.provisioning === 'COMPLETED' || account.status === 'CLOSED')
    refuseState(account.status, 'refuse');
  await setProvisioning(tx, account, 'REFUSED');
  await emitAccounts(tx, 'INTERNAL_ACCOUNT.STATUS_UPDATED', await moveStatuses(tx, [account.id], 'fail'));
  return account;
}

/** Sends the request to the provider again, for the operator; the account stays `FAILED` until that succeeds. */
export async function retryProvisioning(tx: Tx, action: OperatorAction): Promise<AccountRow> {
  const account = await lockAccount(tx, action.accountId);
  if (account.status !== 'FAILED' || account.provisioning !== 'REFUSED') refuseState(account.status, 'retry');
  auditAction(tx, 'retry', action, account);
  const { id } = account;
  await setProvisioning(tx, account, 'REQUESTED');
  const coordinates = tx.ports.provisioning.atOpening(requestFor(tx, account));
  if (coordinates) await complete(tx, account, coordinates);
  else schedule(tx, { kind: PROVISION_JOB, key: id, payload: { id }, afterMs: 0 });
  return (await findAccounts(tx, [id]))[0] as AccountRow;
}

/** Sends the request after the commit that recorded it; the outcome is another commit. */
export const provisionHandler: JobDeclaration & CallHandler = {
  due: concerning('InternalAccount', (id) => `The service asks the provider to open the account for ${id}.`),
  async call(work, job) {
    const { id } = job.payload as { id: AccountId };
    const pending = await work.read(async (tx) => {
      const [account] = await findAccounts(tx, [id]);
      const isOpen = account?.provisioning === 'REQUESTED' && account.status !== 'CLOSED';
      return isOpen ? { port: tx.ports.provisioning, request: requestFor(tx, account) } : undefined;
    });
    if (!pending || (await pending.port.submit(pending.request)) === 'accepted') return async () => undefined;
    return async (tx) => {
      const outcome = await refuseProvisioning(tx, { accountId: id }).catch((error: unknown) => error);
      // The account was closed or provisioned meanwhile: there is nothing left to refuse.
      if (outcome instanceof Error && !(outcome instanceof Refusal)) throw outcome;
    };
  },
};

/** An account keeps its coordinates, because payers have saved them. SWIFT coordinates may have been added since. */
function requireSameCoordinates(tx: ReadTx, account: LockedAccount, coordinates: Coordinates): void {
  const { instructions: kept } = openFunding(tx, account);
  const given = buildFunding(tx, account, coordinates).instructions;
  if (canonicalJson(given) === canonicalJson(kept.slice(0, given.length))) return;
  refuse('CONFLICT', 'The account is already set up with other coordinates, which cannot change.');
}

function buildFunding(tx: ReadTx, account: LockedAccount, coordinates: Coordinates): Funding {
  const { holderName } = openFunding(tx, account);
  const { type, currency, reference } = account;
  const facts = { type, currency, holderName, reference: reference ?? undefined };
  return { holderName, instructions: fundingInstructions(facts, coordinates) };
}

async function complete(tx: Tx, account: LockedAccount, coordinates: Coordinates): Promise<void> {
  const { holderName, instructions } = buildFunding(tx, account, coordinates);
  requireValidInstructions(instructions);
  await setProvisioning(tx, account, 'COMPLETED', { holderName, instructions });
  await activateReadyAccounts(tx, await lockAccounts(tx, [account.id]));
}

/** Coordinates come from outside, so instructions must match the schema of the replies that show them. */
export function requireValidInstructions(instructions: readonly StoredInstruction[]): void {
  for (const instruction of instructions) validate(PaymentInstructions, instruction);
}

function requestFor(
  tx: ReadTx,
  account: Pick<LockedAccount, 'id' | 'currency' | 'type' | 'funding' | 'reference'>,
) {
  return provisioningRequest(tx, { ...account, holderName: openFunding(tx, account).holderName });
}

export interface SwiftCollection extends OperatorAction {
  /** `country`, `swiftCode`, `bankName`, `accountNumber` or `iban`, and optionally `bankAddress`. */
  readonly coordinates: Readonly<Record<string, string>>;
}

/** Adds SWIFT coordinates from a provider or the operator: one more funding instruction (accounts.md §2.4). */
export async function addSwiftCollection(tx: Tx, action: SwiftCollection): Promise<AccountRow> {
  const account = await lockAccount(tx, action.accountId);
  if (account.type !== 'INTERNAL_FIAT') refuse('CONFLICT', 'Only a fiat account can receive money by SWIFT.');
  if (account.status !== 'ACTIVE' && account.status !== 'FROZEN') refuseState(account.status, 'add SWIFT');
  const { holderName, instructions } = openFunding(tx, account);
  if (instructions.some(({ accountOrWalletInfo }) => accountOrWalletInfo.accountType === 'SWIFT_ACCOUNT')) {
    // An account never changes its coordinates.
    refuse('CONFLICT', 'The account already has SWIFT coordinates.');
  }
  if (action.coordinates.accountNumber === undefined && action.coordinates.iban === undefined) {
    throw invalidFields([{ field: 'accountNumber', message: 'is required unless there is an iban' }]);
  }
  const { type, currency } = account;
  const facts = { type, currency, holderName, reference: undefined };
  const added = fundingInstruction(SWIFT_ENTRY, facts, action.coordinates);
  requireValidInstructions([added]);
  await setFunding(
    tx,
    account,
    { holderName, instructions: [...instructions, added] },
    instructions.length + 1,
  );
  auditAction(tx, 'swift', action, account);
  const [row] = await emitAccounts(tx, 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED', [account.id]);
  return row as AccountRow;
}
