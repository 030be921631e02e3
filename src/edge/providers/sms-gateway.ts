import { findSigningKey } from '#capabilities/platform/webhook-key-store.ts';
import type { Carrier } from '#edge/providers/operator-messages.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { SigningKeys, signatureHeader } from '#foundation/crypto/webhook-key.ts';
import type { Database } from '#foundation/database/database.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import type { ProviderClient } from '#foundation/outbound/outbound.ts';
import type { Message } from '#foundation/ports/messages.ts';

export interface SmsGatewaySettings {
  readonly url: string;
}

export interface SmsGatewayParts {
  readonly database: Pick<Database, 'lookUp'>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly names: WireNames;
  readonly client: ProviderClient;
}

const TIMEOUT_MS = 20_000;
const ANSWER_MAX_BYTES = 1024;

/** SMS_URL: one signed POST for each message (docs/providers.md). */
export function smsGatewayCarrier({ url }: SmsGatewaySettings, parts: SmsGatewayParts): Carrier {
  const { client, names } = parts;
  const keys = new SigningKeys(parts.vault);
  return async (message) => {
    const now = new Date(parts.clock.now());
    const body = renderBody(message, now);
    const sealed = await findSigningKey(parts.database, message.platformId, now);
    if (!sealed) throw new Error('the platform of a message does not exist');
    const key = keys.keyOf(message.platformId, sealed.key_id, sealed.private_key);
    const answer = await client.call({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': `${names.word}-Messages/1`,
        [names.signatureHeader]: signatureHeader(key, body),
        [names.signatureKeyIdHeader]: publicId('WebhookKey', sealed.key_id),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      answerMaxBytes: ANSWER_MAX_BYTES,
    });
    if ('error' in answer) throw new Error(`SMS_URL cannot be reached: ${answer.error}`);
    return readStatus(answer.status);
  };
}

/** As with webhooks, 409 means that the message was received before. */
function readStatus(status: number): 'sent' | { refused: string } {
  if ((status >= 200 && status < 300) || status === 409) return 'sent';
  const answer = `SMS_URL answers with status ${status}`;
  if (status === 400 || status === 422) return { refused: answer };
  throw new Error(answer);
}

function renderBody(message: Message, timestamp: Date): Buffer {
  const { reference, platformId, recipient, senderName, text, template } = message;
  const body = {
    reference,
    platformId: publicId('Platform', platformId),
    timestamp: timestamp.toISOString(),
    to: recipient,
    senderName,
    text,
    ...(template && { template }),
  };
  return Buffer.from(JSON.stringify(body));
}
