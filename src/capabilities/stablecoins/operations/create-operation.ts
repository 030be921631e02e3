import { invalidateLink, linkInvalid } from '#capabilities/stablecoins/links/change-link.ts';
import { applyOperation, applyOperationNotice } from '#capabilities/stablecoins/operations/apply.ts';
import {
  type CheckedOperation,
  checkDestination,
  checkFunds,
  checkSource,
  internalId,
  type OperationRequest,
} from '#capabilities/stablecoins/operations/check-operation.ts';
import { MINTS_AND_BURNS } from '#capabilities/stablecoins/operations/machine.ts';
import { buildOrder, railAccountOf, sealInstruments } from '#capabilities/stablecoins/operations/order.ts';
import { type Party, partyCustomerIdOf } from '#capabilities/stablecoins/operations/parties.ts';
import { presentOperation } from '#capabilities/stablecoins/operations/present.ts';
import {
  accountQuestions,
  answerInTime,
  ask,
  linkRefusal,
  type Question,
  sourceQuestions,
  unavailable,
} from '#capabilities/stablecoins/operations/provider-questions.ts';
import type { OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import type { StablecoinOperation } from '#capabilities/stablecoins/operations/schemas.ts';
import {
  type AccountLink,
  findAccountReference,
  insertAccountLinks,
} from '#capabilities/stablecoins/operations/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { callExternal } from '#foundation/http/perform/external-call.ts';
import { Refusal, refuseIf } from '#foundation/lib/refusals.ts';
import type { LinkedAccount, ProviderLogin, SubmitAnswer } from '#foundation/ports/stablecoins.ts';

/** Longer than three answers of the provider can take, in real time. */
const LEASE_MS = 90_000;

/** The result of the checks before anything is stored. */
interface Inquiry {
  readonly login: ProviderLogin;
  readonly linkId: LinkId;
  /** The questions that only the provider can answer, in the order of the checks. */
  readonly questions: readonly Question[];
  /** The refusal of a check after the questions; undefined if all of them passed. */
  readonly refusal: Refusal | undefined;
}

type Outcome =
  | { readonly refusal: Refusal; readonly isLoginRefused?: boolean }
  /** Without an answer it is unknown whether the provider has the operation. */
  | { readonly operation: OperationRow; readonly answer: SubmitAnswer | undefined };

/**
 * Makes a mint or burn: checks it, asks the provider about its external accounts, stores it as `CREATED` with its hold,
 * submits it once, and stores the provider's answer. If the process dies after it was stored, a job follows it up
 * (stablecoins.md §6.2); if it dies before, nothing is left.
 */
export function createOperation(
  work: CallWork,
  request: OperationRequest,
): Promise<StablecoinOperation | Refusal> {
  const until = new Date(work.runtime.clock.now() + LEASE_MS);
  return callExternal(work, {
    until,
    begin: (tx) => inquire(tx, request),
    call: (inquiry) => carryOut(work, until, request, inquiry),
    end: (tx, { linkId }, outcome: Outcome) => conclude(tx, linkId, outcome),
    lost: () => new Refusal('SERVICE_UNAVAILABLE', LOST),
  });
}

const LOST =
  'The call with this Idempotency-Key ended before anything was stored. The key is free again: repeat the call.';

/**
 * Makes the checks in their order. A check that fails after a question to the provider is reported only after the
 * answer to that question: the source's account comes before the destination, and both come before the funds.
 */
async function inquire(tx: Tx, request: OperationRequest): Promise<Inquiry> {
  const checked = await checkSource(tx, request);
  const { login, link, source } = checked;
  const questions = await sourceQuestions(tx, link.id, request, source);
  const refusal = await catchRefusal(async () => {
    const destination = await checkDestination(tx, request, checked);
    questions.push(...(await accountQuestions(tx, link.id, destination)));
    return checkFunds(tx, request, { ...checked, destination });
  });
  if (refusal && questions.length === 0) throw refusal;
  return { login, linkId: link.id, questions, refusal };
}

async function catchRefusal<T>(steps: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await steps();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function carryOut(
  work: CallWork,
  until: Date,
  request: OperationRequest,
  { login, questions, refusal }: Inquiry,
): Promise<Outcome> {
  const isAutomatic = work.platform.settings.stablecoins.automaticLinking;
  const links: AccountLink[] = [];
  for (const question of questions) {
    const reply = await ask(work.ports.stablecoins, login, question, isAutomatic);
    if ('refusal' in reply) return reply;
    links.push(reply);
  }
  if (refusal) return { refusal };
  const stored = await catchRefusal(() =>
    work.continueExternal(
      until,
      (tx) => storeOperation(tx, request, links),
      ({ operation }) => presentOperation(operation, work.platform),
    ),
  );
  if (stored instanceof Refusal) return { refusal: stored };
  const answer = await answerInTime(work.ports.stablecoins.submit(stored.login, stored.order));
  return { operation: stored.operation, answer };
}

/** Repeats all checks: accounts, coin and balances may have changed while the provider was asked. */
async function storeOperation(tx: Tx, request: OperationRequest, links: readonly AccountLink[]) {
  const upToSource = await checkSource(tx, request);
  const checked = { ...upToSource, destination: await checkDestination(tx, request, upToSource) };
  refuseIf(await checkFunds(tx, request, checked));
  if (links.length > 0) await insertAccountLinks(tx, checked.link.id, links);
  const facts = { isCovered: true, receiver: undefined };
  const created = await newOperation(tx, request, checked);
  const transition = MINTS_AND_BURNS.require(created, { kind: 'created' }, tx.now, facts);
  applyOperation(tx, transition);
  const operation = transition.row;
  // Uses the coin's current link: another one may have taken the coin over while the provider was asked.
  return { operation, order: buildOrder(tx, operation, checked.coin), login: checked.login };
}

async function newOperation(
  tx: Tx,
  request: OperationRequest,
  { coin, link, amount, cents, source, destination }: CheckedOperation,
): Promise<OperationRow> {
  const id = tx.newId('StablecoinOperation');
  const { type, body } = request;
  const customer_id = partyCustomerIdOf(source) ?? partyCustomerIdOf(destination) ?? null;
  const instruments = {
    source: await linkedAccount(tx, link.id, source),
    destination: await linkedAccount(tx, link.id, destination),
  };
  return {
    platform_id: tx.platformId,
    id,
    version: 0n,
    stablecoin_id: coin.id,
    operation_type: type,
    amount,
    cents,
    currency: coin.symbol,
    customer_id,
    provider: link.provider,
    provider_account: link.id,
    source_type: type === 'MINT' ? body.fundingSource.type : body.source.type,
    source_internal: internalId(source),
    source_external: externalId(source),
    destination_internal: internalId(destination),
    destination_external: externalId(destination),
    rail: type === 'BURN' ? body.destination.rail : null,
    description: body.description ?? null,
    created_at: tx.now,
    status: 'CREATED',
    instruments: sealInstruments(tx.vault, { id, customer_id }, instruments),
    funding_instructions: null,
    expires_at: null,
    provider_status: null,
    failure_reason: null,
    steps: {},
    updated_at: tx.now,
  };
}

function externalId(party: Party): ExternalAccountId | null {
  return party.kind === 'EXTERNAL' ? party.account.id : null;
}

async function linkedAccount(tx: Tx, linkId: LinkId, party: Party): Promise<LinkedAccount | undefined> {
  if (party.kind !== 'EXTERNAL') return undefined;
  const { account, role } = party;
  const reference = await findAccountReference(tx, linkId, { accountId: account.id, role });
  // Another link took over the coin while the provider was asked.
  if (reference === undefined) throw linkRefusal('NOT_LINKED');
  return { account: railAccountOf(party.account), reference };
}

/** A refusal releases the idempotency key (stablecoins.md §6.3). */
async function conclude(tx: Tx, linkId: LinkId, outcome: Outcome): Promise<StablecoinOperation | Refusal> {
  if ('refusal' in outcome) {
    if (outcome.isLoginRefused) await invalidateLink(tx, linkId);
    return outcome.refusal;
  }
  const { operation, answer } = outcome;
  if (answer === undefined) return presentOperation(operation, tx.platform);
  if (answer.outcome === 'ACCEPTED') {
    return presentOperation(await applyOperationNotice(tx, operation.id, answer.notice), tx.platform);
  }
  await applyOperationNotice(tx, operation.id, { kind: 'refused' });
  if (answer.outcome === 'UNAVAILABLE') return unavailable();
  if (answer.outcome === 'REFUSED') {
    return new Refusal('STABLECOIN_PROVIDER_ERROR', `The provider refused the operation: ${answer.reason}`);
  }
  await invalidateLink(tx, operation.provider_account);
  return linkInvalid();
}
