import { randomBytes } from 'node:crypto';
import { paymentChallengesVoided } from '#capabilities/sca/announcements.ts';
import {
  type Challenge,
  type ChallengeSubject,
  type CodeMessage,
  clearCode,
  findCodeToSend,
  markVoided,
  storeChallenge,
} from '#capabilities/sca/challenges/store.ts';
import { type Authentication, factorsOf, loadAuthentication } from '#capabilities/sca/factor-store.ts';
import type { ScaChallenge, ScaFactor } from '#capabilities/sca/schemas.ts';
import { hashCode, messageHandler } from '#foundation/codes/codes.ts';
import { takeAttempt } from '#foundation/codes/limits.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { concerning, type JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { CODE_KINDS } from '#foundation/lib/code-kinds.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type Message, requireChannel } from '#foundation/ports/messages.ts';

/** customers.md §7.7, §7.10. */
export const CHALLENGE_LIFE_MS = CODE_KINDS.SCA.lifeMs;

/** The request for a customer's proof. */
export interface Question extends ChallengeSubject {
  readonly factor: ScaFactor;
  readonly expiresAt: Date;
  /** For a payment: the kind of payment. */
  readonly label?: string;
  /** The purpose of the code in the message: `to pay 25.00 EUR`. */
  readonly about: string;
}

/** A challenge that is not stored yet, so that the reply that shows it can be prepared before the commit. */
export interface DraftChallenge {
  readonly challenge: Challenge;
  readonly message: CodeMessage | undefined;
}

/** The factor must be enrolled. Refuses with 501 if text messages cannot be sent (platform.md §10.5). */
export function draftChallenge(
  tx: ReadTx,
  { phoneNumber }: Authentication,
  { customerId, purpose, target, factor, expiresAt, label, about }: Question,
): DraftChallenge {
  const id = tx.newId<'ScaChallenge'>();
  const isSms = factor === 'SMS_OTP';
  if (isSms) requireChannel(tx.ports.messages, 'SMS');
  const message = isSms ? { code: tx.ports.messages.issueCode('SCA').code, about } : undefined;
  const challenge: Challenge = {
    id,
    customerId,
    purpose,
    target,
    label: label ?? null,
    factor,
    codeHash: message ? codeHash(tx, id, phoneNumber, message.code) : null,
    webauthnChallenge: factor === 'PASSKEY' ? randomBytes(32) : null,
    createdAt: tx.now,
    expiresAt,
    wrongTries: 0,
    calls: [],
    resends: 0,
    resentAt: null,
    voidedAt: null,
  };
  return { challenge, message };
}

/** Stores the challenge in place of the previous one, and schedules its code to be sent after the commit. */
export function openChallenge(changes: Changes, { challenge, message }: DraftChallenge): void {
  storeChallenge(changes, challenge, message);
  if (message) sendCode(changes, challenge);
}

/** Schedules the code of a challenge to be sent after the commit; each call sends one message. */
export function sendCode(changes: Changes, { id, resends }: Pick<Challenge, 'id' | 'resends'>): void {
  const payload: SendCode = { challengeId: id, no: resends };
  schedule(changes, { kind: SEND_CODE, afterMs: 0, payload: { ...payload } });
}

/** True if the challenge can still be answered. */
export function isOpen({ voidedAt, expiresAt }: Challenge, now: Date): boolean {
  return voidedAt === null && expiresAt > now;
}

/**
 * Counts one more text message with a code for a login or a change of trust, or refuses it with 429 (customers.md
 * §7.7a). The caller has locked the customer's standing. Codes of payments are not counted here.
 */
export async function takeCodeSend(tx: Tx, customerId: CustomerId): Promise<void> {
  const { codePauseSeconds, codesPerDay } = tx.platform.settings.sca;
  const { pause, sends } = CODE_KINDS.SCA.limits;
  const limits = [
    { ...pause, withinMs: codePauseSeconds * 1_000 },
    { ...sends, max: codesPerDay },
  ];
  const attempted = { kind: 'SCA_SEND', ownerId: customerId } as const;
  await takeAttempt(tx, attempted, limits, (seconds) => `A new code can be sent in ${seconds} seconds.`);
}

/** Bound to the number that receives the code. */
export function codeHash(tx: ReadTx, challengeId: string, phoneNumber: string | null, code: string): Buffer {
  return hashCode(tx.vault, 'SCA', [challengeId, `${phoneNumber}`], code);
}

/** `origins`: given for trust and login, not for a payment's challenge (customers.md §7.10). */
export function presentChallenge(
  challenge: Challenge,
  authentication: Authentication,
  origins?: readonly string[],
): ScaChallenge {
  const { id, factor, expiresAt, label } = challenge;
  return {
    id: publicId('ScaChallenge', id),
    expiresAt: expiresAt.toISOString(),
    factor,
    availableFactors: factorsOf(authentication),
    ...(label !== null && { purpose: label }),
    ...(factor === 'PASSKEY' && {
      passkeyAssertionOptions: assertionOptions(challenge, authentication),
      ...(origins && { passkeyAllowedOrigins: [...origins] }),
    }),
  };
}

/** `PublicKeyCredentialRequestOptionsJSON` for browsers. */
export function assertionOptions(
  { webauthnChallenge, createdAt, expiresAt }: Challenge,
  { passkey }: Authentication,
): Record<string, unknown> {
  return {
    challenge: webauthnChallenge?.toString('base64url'),
    timeout: expiresAt.getTime() - createdAt.getTime(),
    ...(passkey && {
      rpId: passkey.rpId,
      allowCredentials: [{ type: 'public-key', id: passkey.credentialId }],
    }),
    userVerification: 'preferred',
  };
}

/**
 * Voids a customer's open challenges, of one factor or all, because a removed factor proves nothing (customers.md
 * §7.10d). Payments that waited for them fail in the same commit.
 */
export async function voidChallenges(tx: Tx, customerId: CustomerId, factor?: ScaFactor): Promise<void> {
  const voided = await markVoided(tx, { customerId, factor });
  const transactionIds = voided
    .filter(({ purpose }) => purpose === 'PAYMENT')
    .map(({ target }) => target as TransactionId);
  if (transactionIds.length > 0) await announce(tx, paymentChallengesVoided, { transactionIds });
}

const SEND_CODE = 'sca.send-code';

interface SendCode {
  readonly challengeId: Id<'ScaChallenge'>;
  /** Number of earlier messages of this challenge. */
  readonly no: number;
}

/** Undefined if the challenge was replaced, answered or voided, or has expired: the message is then useless. */
async function pendingMessage(tx: ReadTx, { challengeId, no }: SendCode): Promise<Message | undefined> {
  const found = await findCodeToSend(tx, challengeId);
  if (!found?.message || !isOpen(found.challenge, tx.now)) return undefined;
  const { customerId, createdAt, resentAt } = found.challenge;
  const { phoneNumber } = await loadAuthentication(tx, customerId);
  if (phoneNumber === null) return undefined;
  const { code, about } = found.message;
  const lifeSeconds = Math.floor((found.challenge.expiresAt.getTime() - createdAt.getTime()) / 1000);
  return {
    reference: `sca-code:${challengeId}:${no}`,
    platformId: tx.platformId,
    customerId,
    channel: 'SMS',
    recipient: phoneNumber,
    senderName: tx.platform.name,
    subject: 'Your code',
    text: `Your code ${about} is ${code}. It expires ${lifeSeconds} seconds after it was requested. Do not share it with anyone.`,
    at: no === 0 ? createdAt : (resentAt ?? createdAt),
  };
}

export const challengeJobs: JobDeclarations = {
  [SEND_CODE]: {
    ...messageHandler(pendingMessage, (tx, { challengeId }) => clearCode(tx, challengeId)),
    due: concerning(
      'ScaChallenge',
      (id) => `The service sends the code of the challenge ${id}.`,
      'challengeId',
    ),
  },
};
