import { lockAccount } from '#capabilities/accounts/store.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { findCustomer, lockCustomer } from '#capabilities/customers/store.ts';
import { type Activity, isPayloadFor, opaqueId, payloadToSign } from '#capabilities/wallet-auth/activity.ts';
import { insertCredential, listCredentials } from '#capabilities/wallet-auth/credential-store.ts';
import { preparePasskey } from '#capabilities/wallet-auth/credentials/add-passkey.ts';
import { prepareOauth } from '#capabilities/wallet-auth/credentials/oauth.ts';
import { issueOtp, requireOtpChannel } from '#capabilities/wallet-auth/otp/send-otp.ts';
import { presentCredential } from '#capabilities/wallet-auth/present.ts';
import {
  type Candidate,
  type CredentialOwner,
  checkWallet,
  loadWallet,
  type WalletAuthSettings,
  walletTarget,
} from '#capabilities/wallet-auth/rules.ts';
import type {
  AuthCredentialCreateRequest,
  AuthMethodResponse,
  OtpType,
} from '#capabilities/wallet-auth/schemas.ts';
import { throwStale } from '#foundation/database/reasons.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { ChallengePlan, OwnPlan } from '#foundation/http/declare/plan.ts';
import type { SignedTarget } from '#foundation/http/signed/signed-retry.ts';
import type { PendingRequest } from '#foundation/http/signed/store.ts';
import { bareId } from '#foundation/lib/ids.ts';
import { Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';

/** wallets.md §6.1.21: the first credential of a wallet needs no signature, because no session could sign yet. */
export async function additionTarget(
  tx: ReadTx,
  body: AuthCredentialCreateRequest,
): Promise<SignedTarget | undefined> {
  const account = await loadWallet(tx, walletId(body), 'accountId');
  if ((await listCredentials(tx, account.id)).length === 0) return undefined;
  return walletTarget(account);
}

export async function prepareAddition(
  tx: ReadTx,
  body: AuthCredentialCreateRequest,
  signed: PendingRequest | undefined,
  settings: WalletAuthSettings,
): Promise<ChallengePlan | OwnPlan<AuthMethodResponse>> {
  const owner = await loadOwner(tx, body);
  refuseIf(checkWallet(owner.account));
  const candidate = await prepareCandidate(tx, owner, body, settings);
  const isFirst = owner.held.length === 0;
  if (!signed && !isFirst) {
    const payload = await payloadToSign(tx, owner.account.id, candidate.activity);
    return { toSign: { payload, extraFields: { type: body.type } } };
  }
  if (signed && !isPayloadFor(signed.payload, candidate.activity)) throw otherContact();
  return {
    commit: (tx) => store(tx, owner, body, candidate, isFirst),
  };
}

async function loadOwner(tx: ReadTx, body: AuthCredentialCreateRequest): Promise<CredentialOwner> {
  const account = await loadWallet(tx, walletId(body), 'accountId');
  const customer = (await findCustomer(tx, account.customer_id)) as CustomerRow;
  return { account, customer, held: await listCredentials(tx, account.id) };
}

function walletId({ accountId }: AuthCredentialCreateRequest): AccountId {
  return bareId(accountId);
}

function prepareCandidate(
  tx: ReadTx,
  owner: CredentialOwner,
  body: AuthCredentialCreateRequest,
  { passkeyOrigins }: WalletAuthSettings,
): Promise<Candidate> | Candidate {
  switch (body.type) {
    case 'PASSKEY':
      return preparePasskey(tx, owner, body, passkeyOrigins);
    case 'OAUTH':
      return prepareOauth(tx, owner, body.oidcToken);
    default:
      return otpCandidate(tx, owner, body.type);
  }
}

/** wallets.md §6.1.22: the owner signed for one address or number, so codes must not go to another. */
function otherContact(): Refusal {
  const reason = 'The customer’s contact has changed since the signature was requested; start again.';
  return new Refusal('CONFLICT', reason);
}

/** wallets.md §6.1.22: codes go to the customer's own address or number. */
function otpCandidate(tx: ReadTx, { customer, held }: CredentialOwner, type: OtpType): Candidate {
  const nickname = chooseContact(customer, type);
  if (!nickname) {
    const what = type === 'EMAIL_OTP' ? 'e-mail address' : 'phone number';
    refuse('MISSING_MANDATORY_USER_INFO', `The customer has no ${what} to send a code to.`);
  }
  if (held.some((credential) => credential.type === type)) {
    refuse(`${type}_CREDENTIAL_ALREADY_EXISTS`, `The wallet already has a credential of type ${type}.`);
  }
  // All credentials but the first get a code at once (wallets.md §6.1.21).
  if (held.length > 0) requireOtpChannel(tx, type);
  return { credential: { nickname }, activity: contactActivity(type, nickname, customer.id) };
}

function chooseContact({ email, phone_number }: CustomerRow, type: OtpType): string | null {
  return type === 'EMAIL_OTP' ? email : phone_number;
}

/** wallets.md §3.8: a changed contact is signed in this form as well (wallets.md §6.11.48). */
export function contactActivity(type: OtpType, contact: string, customerId: CustomerId): Activity {
  const userId = opaqueId('user', customerId);
  return type === 'EMAIL_OTP'
    ? { type: 'UPDATE_USER_EMAIL', parameters: { userEmail: contact, userId } }
    : { type: 'UPDATE_USER_PHONE_NUMBER', parameters: { userId, userPhoneNumber: contact } };
}

/**
 * Credentials of a wallet are added and removed one after the other. If anything has changed meanwhile, all checks run
 * again.
 */
async function store(
  tx: Tx,
  { account, customer, held }: CredentialOwner,
  body: AuthCredentialCreateRequest,
  candidate: Candidate,
  isFirst: boolean,
): Promise<AuthMethodResponse> {
  const { email, phone_number } = (await lockCustomer(tx, customer.id)) ?? {};
  if (email !== customer.email || phone_number !== customer.phone_number) throwStale();
  const { status } = await lockAccount(tx, account.id);
  const heldNow = await listCredentials(tx, account.id);
  if (status !== 'ACTIVE' || idsOf(heldNow) !== idsOf(held)) throwStale();
  const { type } = body;
  const added = {
    ...candidate.credential,
    id: tx.newId<'AuthMethod'>(),
    account_id: account.id,
    customer_id: customer.id,
    type,
  };
  const credential = await insertCredential(tx, added);
  await candidate.alsoStore?.(tx);
  const shown = presentCredential(credential);
  if (isFirst || (type !== 'EMAIL_OTP' && type !== 'SMS_OTP')) return shown;
  return { ...shown, otpEncryptionTargetBundle: await issueOtp(tx, { ...credential, type }) };
}

function idsOf(credentials: CredentialOwner['held']): string {
  return credentials.map(({ id }) => id).join();
}
