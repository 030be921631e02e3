import type { Vault } from '#crypto/vault.ts';
import type { Database } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import type { KeysetQuery } from '#http/paging.ts';
import type { IdSource } from '#lib/ids.ts';
import type { Message, MessagesPort } from '#ports/messages.ts';
import { DELAYS } from '#sandbox/delays-table.ts';
import type { WholeTable } from '#sandbox/table.ts';

/** What it takes to keep messages where a developer can read them. */
export interface InboxParts {
  readonly database: Pick<Database, 'query'>;
  readonly vault: Vault;
  readonly newId: IdSource;
}

const CODE = '123456';
const KEPT_MS = DELAYS.inbox.ms;
const SWEEP_ROWS = 100;

/** customers.md §3.2. */
export const CODES_TABLE: WholeTable<'RIGHT' | 'WRONG'> = {
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
 * The sandbox's message provider: one fixed code that no wrong try voids, no pause between sends, and an inbox instead of
 * a network.
 */
export function sandboxMessages(parts: InboxParts): MessagesPort {
  return {
    supports: () => true,
    issueCode: () => ({ code: CODE, resendAfterMs: 0, wrongTriesMax: null }),
    async send(message) {
      await keep(parts, message);
      await sweep(parts, message);
      return 'sent';
    },
  };
}

async function keep({ database, vault, newId }: InboxParts, message: Message): Promise<void> {
  const id = newId();
  await database.query(sql`
    insert into sandbox_messages
      (platform_id, id, reference, customer_id, channel, recipient, text, created_at)
    values (${message.platformId}, ${id}, ${message.reference}, ${message.customerId ?? null}, ${message.channel},
            ${message.recipient}, ${vault.seal(message.text, textContext(id))}, ${message.at})
    on conflict (platform_id, reference) do nothing`);
}

/** Each message takes a few old ones with it, so that the inbox cannot grow for ever. */
async function sweep({ database }: InboxParts, { platformId, at }: Message): Promise<void> {
  await database.query(sql`
    delete from sandbox_messages
     where platform_id = ${platformId} and id in (
       select id from sandbox_messages
        where platform_id = ${platformId} and created_at < ${new Date(at.getTime() - KEPT_MS)}
        limit ${SWEEP_ROWS} for update skip locked)`);
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

/** With the erasure of a customer. */
export async function forgetMessages(tx: Tx, customerId: string): Promise<void> {
  await tx.sql`
    delete from sandbox_messages where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}
