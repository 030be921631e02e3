import type { Vault } from '#crypto/vault.ts';
import type { Database } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import type { KeysetQuery } from '#http/paging.ts';
import type { IdSource } from '#lib/ids.ts';
import type { IssuedCode, Message, MessagesPort } from '#ports/messages.ts';
import { DELAYS } from '#sandbox/delays-table.ts';
import type { CompleteTable } from '#sandbox/table.ts';

/** What the inbox is built from. */
export interface InboxParts {
  readonly database: Pick<Database, 'query'>;
  readonly vault: Vault;
  readonly newId: IdSource;
}

const KEPT_MS = DELAYS.inbox.ms;
const DELETED_ROWS_MAX = 100;

/** The only code that is ever issued: no wrong attempt voids it, and a new one may be asked for at once. */
const ONLY_CODE: IssuedCode = { code: '123456', resendAfterMs: 0, wrongTriesMax: null };

/** customers.md §3.2. A code that is not issued is wrong, as everywhere. */
export const CODES_TABLE: CompleteTable<IssuedCode | undefined> = {
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
      value: ONLY_CODE.code,
      example: ONLY_CODE.code,
      effect: 'Right, however many wrong ones came before.',
      shows: { 'contactVerification.email': 'VERIFIED' },
      does: ONLY_CODE,
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '654321',
    effect: 'Wrong.',
    shows: { code: 'INVALID_INPUT' },
    does: undefined,
  },
};

/** The sandbox's message provider: one fixed code, and an inbox that a developer can read instead of delivery. */
export function sandboxMessages(parts: InboxParts): MessagesPort {
  return {
    supports: () => true,
    issueCode: () => ONLY_CODE,
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
        where platform_id = ${platformId} and created_at < ${keptSince(at)}
        limit ${DELETED_ROWS_MAX} for update skip locked)`);
}

function keptSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS);
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
      // What is too old may still be there: it goes with the next message.
      sql`t.created_at >= ${keptSince(tx.now)}`,
      ...(recipient === undefined ? [] : [sql`t.recipient = ${recipient}`]),
    ],
  };
}

/** When a customer is erased. */
export async function eraseMessages(tx: Tx, customerId: string): Promise<void> {
  await tx.sql`
    delete from sandbox_messages where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}
