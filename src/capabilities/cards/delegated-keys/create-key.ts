import { lockAccountStatus } from '#capabilities/accounts/post-entry.ts';
import { type AccountRow, findVisibleAccount } from '#capabilities/accounts/store.ts';
import { type CardRow, isLive } from '#capabilities/cards/card-row.ts';
import { findCard, touchCard } from '#capabilities/cards/card-store.ts';
import {
  activateKey,
  hasActiveKey,
  insertKey,
  type NewDelegatedKey,
} from '#capabilities/cards/delegated-key-store.ts';
import { loadKey, presentKey } from '#capabilities/cards/delegated-keys/keys.ts';
import type { DelegatedKey, DelegatedKeyCreateRequest } from '#capabilities/cards/delegated-keys/schemas.ts';
import { type Activity, opaqueId, payloadToSign } from '#capabilities/wallet-auth/activity.ts';
import { checkWallet, walletTarget } from '#capabilities/wallet-auth/rules.ts';
import { generateKeyPair } from '#foundation/crypto/p256.ts';
import { Change, type Changes, type ReadTx } from '#foundation/database/tx.ts';
import type { ChallengePlan, SharedPlan } from '#foundation/http/declare/plan.ts';
import type { SignedTarget } from '#foundation/http/signed/signed-retry.ts';
import type { PendingRequest } from '#foundation/http/signed/store.ts';
import { bareId } from '#foundation/lib/ids.ts';
import { notFound, Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/** A card and the wallet that pays for it. */
interface Binding {
  readonly card: CardRow;
  readonly wallet: AccountRow;
}

/**
 * Passed from one leg to the next, encrypted in the request. The key pair is made with the first payload, which names its
 * public key.
 */
interface Delegation {
  /** The payload that the leg asked the owner to sign. */
  readonly asked: 'USER' | 'POLICY';
  readonly key: NewDelegatedKey;
  /** In hexadecimal. */
  readonly privateKey: string;
}

export async function delegationTarget(tx: ReadTx, body: DelegatedKeyCreateRequest): Promise<SignedTarget> {
  const { card, wallet } = await loadBinding(tx, body);
  return walletTarget({ id: wallet.id, customer_id: card.customer_id });
}

/** wallets.md §6.8.43: the signed request tells which of the three legs it is. */
export async function prepareDelegation(
  tx: ReadTx,
  body: DelegatedKeyCreateRequest,
  signed: PendingRequest | undefined,
): Promise<ChallengePlan | SharedPlan<DelegatedKey>> {
  const binding = await loadBinding(tx, body);
  refuseIf(checkWallet(binding.wallet));
  if (await hasActiveKey(tx, binding.card.binding_id)) throw alreadyDelegated();
  if (!signed) return askForUser(tx, binding, body.nickname);
  const delegation = signed.context as Delegation;
  if (delegation.key.binding_id !== binding.card.binding_id) throw boundAnew();
  return delegation.asked === 'USER'
    ? askForPolicy(tx, binding, delegation)
    : activate(tx, binding, delegation);
}

/** wallets.md §6.8.43: checks the card first, then the account, then whether they belong together. */
async function loadBinding(tx: ReadTx, body: DelegatedKeyCreateRequest): Promise<Binding> {
  const card = await findCard(tx, bareId(body.cardId));
  if (!card || !isLive(card)) throw notFound('NOT_FOUND', 'Card');
  const wallet = await findVisibleAccount(tx, bareId(body.internalAccountId));
  if (wallet?.type !== 'EMBEDDED_WALLET') throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  if (card.funding_source !== wallet.id) {
    throw new Refusal('NOT_FOUND', 'The wallet does not pay for this card.', { cardId: body.cardId });
  }
  return { card, wallet };
}

function alreadyDelegated(): Refusal {
  return new Refusal('CONFLICT', 'The card has an active delegated key of this wallet; revoke it first.');
}

/** The signed binding has ended since, and its key with it. */
function boundAnew(): Refusal {
  const reason = 'The card’s funding source has changed since the signature was requested; start again.';
  return new Refusal('CONFLICT', reason);
}

/** The first leg stores nothing but the request. */
async function askForUser(tx: ReadTx, { card, wallet }: Binding, nickname: string): Promise<ChallengePlan> {
  const { privateKey, publicKey } = generateKeyPair();
  const key: NewDelegatedKey = {
    id: tx.newId(),
    card_id: card.id,
    account_id: wallet.id,
    binding_id: card.binding_id,
    public_key: publicKey.compressed,
    nickname,
  };
  const parameters = { publicKey: publicKey.compressed, userName: nickname };
  return challenge(tx, key, privateKey.toString('hex'), 'USER', { type: 'CREATE_USERS_V3', parameters });
}

/** The second leg stores the key as pending. */
async function askForPolicy(
  tx: ReadTx,
  binding: Binding,
  { key, privateKey }: Delegation,
): Promise<ChallengePlan> {
  const parameters = {
    delegatedKeyId: opaqueId('delegated_key', key.id),
    walletId: opaqueId('wallet', key.account_id),
  };
  const plan = await challenge(tx, key, privateKey, 'POLICY', { type: 'CREATE_POLICIES', parameters });
  return {
    ...plan,
    alsoCommit(changes) {
      requireUnchanged(changes, binding);
      insertKey(changes, binding.card.customer_id, key);
    },
  };
}

async function challenge(
  tx: ReadTx,
  key: NewDelegatedKey,
  privateKey: string,
  asked: Delegation['asked'],
  activity: Activity,
): Promise<ChallengePlan> {
  const context: Delegation = { asked, key, privateKey };
  return { toSign: { payload: await payloadToSign(tx, key.account_id, activity), context } };
}

/** The third leg: from its commit on the card can spend (wallets.md §6.8.45). */
async function activate(
  tx: ReadTx,
  binding: Binding,
  { key: { id }, privateKey }: Delegation,
): Promise<SharedPlan<DelegatedKey>> {
  const stored = await loadKey(tx, id);
  const change = new Change(tx);
  requireUnchanged(change, binding);
  activateKey(change, binding.card.customer_id, id, Buffer.from(privateKey, 'hex'));
  return { change, answer: presentKey({ ...stored, status: 'ACTIVE', updated_at: tx.now }) };
}

/** If the card or its keys have changed, or the wallet is no longer active, the commit fails and everything is checked again. */
function requireUnchanged(changes: Changes, { card, wallet }: Binding): void {
  touchCard(changes, card);
  lockAccountStatus(changes, wallet.id, 'active');
}
