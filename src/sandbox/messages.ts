import type { Vault } from '#crypto/vault.ts';
import type { Database } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import type { KeysetQuery } from '#http/paging.ts';
import type { IdSource } from '#lib/ids.ts';
import type { Message, MessagesPort } from '#ports/messages.ts';
import { DELAYS } from '#sandbox/delays-table.ts';
import type { CompleteTable } from '#sandbox/table.ts';
import { isContactAccepted, WALLET_CODE } from '#sandbox/wallets-table.ts';

/** What the inbox is built from. */
export interface InboxParts {
  readonly database: Pick<Database, 'query'>;
  readonly vault: Vault;
  readonly newId: IdSource;
}

const CODE = '123456';
const KEPT_MS = DELAYS.inbox.ms;
const DELETED_ROWS_MAX = 100;

/** customers.md §3.2. */
export const CODES_TABLE: CompleteTable<'RIGHT' | 'WRONG'> = {
  id: 'codes',
  title: 'Codes by e-mail and text message',
  intro:
    'Nothing is sent to anybody: what would have been is in the inbox. Every code is the same; a new one may be asked for ' +
    'at once, but one has to be asked for first.',
  column: 'Code',
  operations: [
    'sendCustomerEmailVerification',
    'confirmCustomerEmailVerification',
    'sendCustomerPhoneVerification',
    'confirmCustomerPhoneVerification',
    'listSandboxMessages',
  ],
  rows: [
    {
      value: CODE,
      example: CODE,
      effect: 'Right, however many wrong ones came before.',
      shows: { 'contactVerification.email': 'VERIFIED' },
      does: 'RIGHT',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '654321',
    effect: 'Wrong.',
    shows: { code: 'INVALID_INPUT' },
    does: 'WRONG',
  },
};

/**
 * The sandbox's message provider: one fixed code that no wrong attempt voids, no pause between messages, and an inbox
 * that a developer can read instead of delivery.
 */
export function sandboxMessages(parts: InboxParts): MessagesPort {
  return {
    supports: () => true,
    issueCode: () => ({ code: CODE, resendAfterMs: 0, wrongTriesMax: null }),
    issueOtp: () => WALLET_CODE,
    otpSendsPerDay: null,
    acceptContact: async (_channel, contact) => isContactAccepted(contact),
    async send(message) {
      await storeMessage(parts, message);
      await deleteExpired(parts, message);
      return 'sent';
    },
  };
}

async function storeMessage({ database, vault, newId }: InboxParts, message: Message): Promise<void> {
  const id = newId();
  await database.query(sql`
    insert into sandbox_messages
      (platform_id, id, reference, customer_id, channel, recipient, text, created_at)
    values (${message.platformId}, ${id}, ${message.reference}, ${message.customerId ?? null}, ${message.channel},
            ${message.recipient}, ${vault.seal(message.text, textContext(id))}, ${message.at})
    on conflict (platform_id, reference) do nothing`);
}

/** Each new message deletes a few expired ones, so that the inbox cannot grow without limit. */
async function deleteExpired({ database }: InboxParts, { platformId, at }: Message): Promise<void> {
  await database.query(sql`
    delete from sandbox_messages
     where platform_id = ${platformId} and id in (
       select id from sandbox_messages
        where platform_id = ${platformId} and created_at < ${new Date(at.getTime() - KEPT_MS)}
        limit ${DELETED_ROWS_MAX} for update skip locked)`);
}

export function textContext(messageId: string): string {
  return `sandbox_messages.text:${messageId}`;
}

export interface MessageRow {
  id: string;
  channel: Message['channel'];
  recipient: string;
  text: Buffer;
  created_at: Date;
}

export function searchMessages(tx: ReadTx, recipient: string | undefined): KeysetQuery {
  return {
    columns: sql`t.id, t.channel, t.recipient, t.text, t.created_at`,
    from: sql`sandbox_messages t`,
    where: [
      sql`t.platform_id = ${tx.platformId}`,
      ...(recipient === undefined ? [] : [sql`t.recipient = ${recipient}`]),
    ],
  };
}

/** When a customer is erased. */
export async function eraseMessages(tx: Tx, customerId: string): Promise<void> {
  await tx.sql`
    delete from sandbox_messages where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}
