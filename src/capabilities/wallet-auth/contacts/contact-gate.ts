import { type ContactField, contactChange } from '#capabilities/customers/announcements.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { payloadToSign } from '#capabilities/wallet-auth/activity.ts';
import {
  findTiedCredentials,
  findWallets,
  isContactTaken,
  requireCheckedContact,
  type TiedCredential,
} from '#capabilities/wallet-auth/contacts/store.ts';
import { contactActivity } from '#capabilities/wallet-auth/credentials/add-credential.ts';
import type { OtpType } from '#capabilities/wallet-auth/schemas.ts';
import { findSigners } from '#capabilities/wallet-auth/session-store.ts';
import { Change, type ReadTx } from '#foundation/database/tx.ts';
import { type Gate, type GateResult, PASSED, type PreparedCall } from '#foundation/http/declare/gates.ts';
import {
  challengeReply,
  findRetried,
  requestExpiry,
  type SignedCall,
  verifyRetry,
} from '#foundation/http/signed/signed-retry.ts';
import { useRequest } from '#foundation/http/signed/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal, refuseIf } from '#foundation/lib/refusals.ts';
import type { MessageChannel } from '#foundation/ports/messages.ts';

/** The credential type and channel of each contact, its code if it is taken, and its name in messages. */
export const CREDENTIALS_BY_CONTACT = {
  email: {
    type: 'EMAIL_OTP',
    channel: 'EMAIL',
    taken: 'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
    word: 'e-mail address',
  },
  phoneNumber: {
    type: 'SMS_OTP',
    channel: 'SMS',
    taken: 'SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS',
    word: 'phone number',
  },
} as const satisfies Record<
  ContactField,
  { type: OtpType; channel: MessageChannel; taken: string; word: string }
>;

/**
 * wallets.md §6.11.48, §6.11.49: if a code to the old contact could log in to a wallet, its owner has to sign for the
 * new one. Customer and credentials change in the same commit (`renameTiedCredentials`).
 */
export const contactGate: Gate = {
  name: 'signature',
  async check(tx, prepared) {
    const change = contactChange.in(prepared.plan);
    return change ? checkContactChange(tx, change, prepared) : PASSED;
  },
};

type ContactChange = NonNullable<ReturnType<typeof contactChange.in>>;

async function checkContactChange(
  tx: ReadTx,
  { customer, field, to, canBeSigned }: ContactChange,
  prepared: PreparedCall,
): Promise<GateResult> {
  const { type } = CREDENTIALS_BY_CONTACT[field];
  const wallets = await findWallets(tx, customer.id);
  const walletIds = wallets.map(({ id }) => id);
  const tied = await findTiedCredentials(tx, walletIds, type);
  const credentialIds = tied.map(({ id }) => id);
  const checked = { customerId: customer.id, type, walletIds, credentialIds };
  const signingWallets = wallets.flatMap(({ id, isLive }) => (isLive ? [id] : []));
  const live = tied.find(({ accountId }) => signingWallets.includes(accountId));
  if (!canBeSigned) {
    if (live) throw needsSignature(field);
    if (to !== undefined && (await isContactTaken(tx, customer.id, type, to))) throw contactTaken(field);
  }
  const call = signedCall(customer, signingWallets, prepared);
  if (!live) {
    if (canBeSigned) await requireNotRetried(tx, call, credentialIds, type);
    const contact = canBeSigned ? undefined : to;
    return { passes: true, alsoCommit: (changes) => requireCheckedContact(changes, { ...checked, contact }) };
  }
  if (to === undefined) throw contactNeeded(field);
  const signed = await verifyRetry(tx, call, findSigners);
  if (await isContactTaken(tx, customer.id, type, to)) throw contactTaken(field);
  if (!signed) return challenge(tx, call, live, contactActivity(type, to, customer.id), credentialIds);
  refuseIf(checkSameCredentials(signed.context, credentialIds, type));
  refuseIf(await checkDelivery(tx, field, to));
  return {
    passes: true,
    alsoCommit(changes) {
      requireCheckedContact(changes, { ...checked, contact: to });
      useRequest(changes, signed);
    },
  };
}

/**
 * wallets.md §6.11.49: the signature was requested for credentials that are gone. A second leg must not become an
 * unsigned change. Without the headers, the same change is a new request, which needs no signature.
 */
async function requireNotRetried(
  tx: ReadTx,
  call: SignedCall,
  credentialIds: readonly CredentialId[],
  type: OtpType,
): Promise<void> {
  const retried = await findRetried(tx, call);
  const changed = retried && checkSameCredentials(retried.context, credentialIds, type);
  if (!changed) return;
  await verifyRetry(tx, call, findSigners);
  throw changed;
}

/** Any active session of any of the customer's wallets may sign. */
function signedCall(
  { id }: CustomerRow,
  signingWallets: readonly AccountId[],
  { operation, input }: PreparedCall,
): SignedCall {
  const name = publicId('Customer', id);
  const target = { name, signingWallets, customerId: name };
  return { operation: operation.id, target, body: input.body, request: input.request };
}

async function challenge(
  tx: ReadTx,
  call: SignedCall,
  { accountId }: TiedCredential,
  activity: Parameters<typeof payloadToSign>[2],
  context: readonly string[],
): Promise<GateResult> {
  const payload = await payloadToSign(tx, accountId, activity);
  const change = new Change(tx);
  const answer = challengeReply(change, call, { payload, context, expiresAt: requestExpiry(tx) });
  return { passes: false, instead: { change, answer } };
}

/** Whether the same credentials depend on the contact as when the signature was requested. */
function checkSameCredentials(
  context: unknown,
  credentialIds: readonly CredentialId[],
  type: OtpType,
): Refusal | undefined {
  const asked = new Set(context as readonly string[]);
  if (asked.size === credentialIds.length && credentialIds.every((id) => asked.has(id))) return undefined;
  const reason = `The ${type} credentials have changed since the signature was requested; start again.`;
  return new Refusal(`${type}_CREDENTIAL_SET_CHANGED`, reason);
}

async function checkDelivery(tx: ReadTx, field: ContactField, to: string): Promise<Refusal | undefined> {
  const { type, channel, word } = CREDENTIALS_BY_CONTACT[field];
  if (await tx.ports.messages.acceptContact(channel, to)) return undefined;
  const reason = `The message provider does not accept the new ${word}; nothing was changed.`;
  return new Refusal(`${type}_CREDENTIAL_SYNC_FAILED`, reason);
}

/** customers.md §7.16a. */
function needsSignature(field: ContactField): Refusal {
  const { word } = CREDENTIALS_BY_CONTACT[field];
  const reason =
    `A wallet’s codes go to the customer’s ${word}, so the owner has to sign a change of it: change it by ` +
    'PATCH /customers/{customerId}, then verify it.';
  return new Refusal('CONFLICT', reason, { field });
}

function contactTaken(field: ContactField): Refusal {
  const { taken, word } = CREDENTIALS_BY_CONTACT[field];
  return new Refusal(taken, `A credential of another wallet has this ${word}.`);
}

function contactNeeded(field: ContactField): Refusal {
  return invalidFields([{ field, message: 'cannot be removed while codes of a wallet are sent to it' }]);
}
