import { otpRules } from '#capabilities/platform/config.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { opaqueId } from '#capabilities/wallet-auth/activity.ts';
import { findCredential } from '#capabilities/wallet-auth/credential-store.ts';
import { takeSend } from '#capabilities/wallet-auth/limits.ts';
import type { OtpType } from '#capabilities/wallet-auth/schemas.ts';
import type { CredentialRow } from '#capabilities/wallet-auth/sealed-credential.ts';
import { codeJobs, storeCode } from '#foundation/codes/codes.ts';
import { generateKeyPair } from '#foundation/crypto/p256.ts';
import { otpTargetBundle } from '#foundation/crypto/service-key.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { concerning } from '#foundation/jobs/handlers.ts';
import { walletForm } from '#foundation/lib/code-kinds.ts';
import { type MessageChannel, requireChannel } from '#foundation/ports/messages.ts';

const CHANNELS: Readonly<Record<OtpType, MessageChannel>> = { EMAIL_OTP: 'EMAIL', SMS_OTP: 'SMS' };

type OtpCredential = Pick<CredentialRow, 'id' | 'account_id' | 'customer_id'> & { readonly type: OtpType };

/** wallets.md §7: 501 if there is no provider to send a code. */
export function requireOtpChannel(tx: ReadTx, type: OtpType): void {
  requireChannel(tx.ports.messages, CHANNELS[type]);
}

/**
 * Issues a code, which voids the previous one, and the key to which the client seals it. The message is sent after the
 * commit. Returns `otpEncryptionTargetBundle`.
 */
export async function issueOtp(tx: Tx, credential: OtpCredential): Promise<string> {
  const { id: credentialId, account_id: accountId, customer_id: customerId, type } = credential;
  requireOtpChannel(tx, type);
  await takeSend(tx, credentialId);
  const rules = otpRules(await loadConfig(tx));
  const form = walletForm(rules.length, rules.alphanumeric);
  const target = generateKeyPair();
  await storeCode(tx, otpOf(credentialId), {
    ...tx.ports.messages.issueCode('WALLET', form),
    wrongTriesMax: tx.platform.settings.wallets.wrongCodes,
    channel: CHANNELS[type],
    lifeMs: rules.expirationSeconds * 1000,
    ...{ target, customerId },
  });
  return otpTargetBundle(tx.runtime.serviceKey, target.publicKey, opaqueId('org', accountId));
}

export function otpOf(credentialId: CredentialId) {
  return { kind: 'WALLET', ownerId: credentialId } as const;
}

const sendingDue = concerning(
  'AuthMethod',
  (id) => `The service sends the code of the credential ${id}.`,
  'ownerId',
);

export const otpJobs = codeJobs('WALLET', sendingDue, async (tx, credentialId: CredentialId, { code }) => {
  const credential = await findCredential(tx, credentialId);
  if (!credential) return undefined;
  const config = await loadConfig(tx);
  const rules = otpRules(config);
  const { appName = tx.platform.name, ...set } = config.embeddedWalletConfig;
  return {
    customerId: credential.customer_id,
    recipient: credential.nickname,
    senderName: rules.senderName,
    letterhead: {
      from: set.sendFromEmailAddress,
      replyTo: set.replyToEmailAddress,
      logoUrl: set.logoUrl,
    },
    subject: `Your ${appName} code`,
    text: `Your ${appName} code is ${code}. It expires ${rules.expirationSeconds} seconds after it was requested.`,
  };
});
