import { otpRules } from '#capabilities/platform/config.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { opaqueId } from '#capabilities/wallet-auth/activity.ts';
import { type CredentialRow, findCredential } from '#capabilities/wallet-auth/credential-store.ts';
import { takeSend } from '#capabilities/wallet-auth/limits.ts';
import { clearOtpCode, findLiveOtp, replaceOtp } from '#capabilities/wallet-auth/otp/store.ts';
import type { OtpType } from '#capabilities/wallet-auth/schemas.ts';
import { generateKeyPair } from '#foundation/crypto/p256.ts';
import { otpTargetBundle } from '#foundation/crypto/service-key.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { CallHandler, JobHandlers } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { type Message, type MessageChannel, requireChannel } from '#foundation/ports/messages.ts';

const CHANNELS: Readonly<Record<OtpType, MessageChannel>> = { EMAIL_OTP: 'EMAIL', SMS_OTP: 'SMS' };

/** The jobs that send a code's message. Each channel has its own queue, so that one does not delay the other. */
const SEND_OTP: Readonly<Record<OtpType, string>> = {
  EMAIL_OTP: 'wallet-auth.send-otp',
  SMS_OTP: 'wallet-auth.send-otp-by-phone',
};

interface SendOtp {
  readonly credentialId: string;
  readonly otpId: string;
}

type OtpCredential = Pick<CredentialRow, 'id' | 'account_id'> & { readonly type: OtpType };

/** wallets.md §7: 501 if there is no provider to send a code. */
export function requireOtpChannel(tx: ReadTx, type: OtpType): void {
  requireChannel(tx.ports.messages, CHANNELS[type]);
}

/**
 * Issues a code, which voids the previous one, and the key to which the client seals it. The message is sent after the
 * commit. Returns `otpEncryptionTargetBundle`.
 */
export async function issueOtp(tx: Tx, credential: OtpCredential): Promise<string> {
  const { id: credentialId, account_id: accountId, type } = credential;
  requireOtpChannel(tx, type);
  await takeSend(tx, credentialId);
  const rules = otpRules(await loadConfig(tx));
  const code = tx.ports.messages.issueOtp(rules);
  const { privateKey, publicKey } = generateKeyPair();
  const id = tx.newId();
  await replaceOtp(tx, credentialId, {
    id,
    codeHash: otpHash(tx, credentialId, code),
    code,
    targetPublic: publicKey,
    targetPrivate: privateKey,
    expiresAt: new Date(tx.now.getTime() + rules.expirationSeconds * 1000),
  });
  const payload: SendOtp = { credentialId, otpId: id };
  schedule(tx, { kind: SEND_OTP[type], afterMs: 0, payload });
  return otpTargetBundle(tx.runtime.serviceKey, publicKey, opaqueId('org', accountId));
}

/** Keyed, because six digits are easily found from a plain hash; letter case does not matter (wallets.md §1). */
export function otpHash(tx: ReadTx, credentialId: string, code: string): Buffer {
  return tx.vault.fingerprint(`${credentialId}:${code.toUpperCase()}`, 'wallet_otps.code');
}

const sendOtp: CallHandler = {
  async call(work, job) {
    const { credentialId, otpId } = job.payload as SendOtp;
    const pending = await work.read((tx) => pendingMessage(tx, job.payload as SendOtp));
    if (pending) await pending.port.send(pending.message);
    return (tx) => clearOtpCode(tx, credentialId, otpId);
  },
};

/** Undefined if the code was replaced or used, or has expired, so that its message is not needed. */
async function pendingMessage(tx: ReadTx, { credentialId, otpId }: SendOtp) {
  const credential = await findCredential(tx, credentialId);
  const otp = await findLiveOtp(tx, credentialId);
  if (!credential || otp?.id !== otpId || otp.code === undefined) return undefined;
  const config = await loadConfig(tx);
  const rules = otpRules(config);
  const { appName = tx.platform.name, ...set } = config.embeddedWalletConfig;
  const message: Message = {
    reference: `wallet-otp:${otpId}`,
    platformId: tx.platformId,
    customerId: credential.customer_id,
    channel: CHANNELS[credential.type as OtpType],
    recipient: credential.nickname,
    senderName: rules.senderName,
    letterhead: {
      from: set.sendFromEmailAddress,
      replyTo: set.replyToEmailAddress,
      logoUrl: set.logoUrl,
    },
    subject: `Your ${appName} code`,
    text: `Your ${appName} code is ${otp.code}. It expires ${rules.expirationSeconds} seconds after it was requested.`,
    at: otp.issuedAt,
  };
  return { port: tx.ports.messages, message };
}

export const otpJobs: JobHandlers = {
  [SEND_OTP.EMAIL_OTP]: sendOtp,
  [SEND_OTP.SMS_OTP]: sendOtp,
};
