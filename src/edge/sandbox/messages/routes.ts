import Type, { type Static } from 'typebox';
import { DELAYS, formatDuration } from '#edge/sandbox/delays-table.ts';
import { CODES_TABLE, contactContext, keptSince, textContext } from '#edge/sandbox/messages/messages.ts';
import { type MessageRow, searchMessages } from '#edge/sandbox/store.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { keysetPage, pageRequest } from '#foundation/http/paging.ts';
import { component, dateTime, page, pageQuery, stringEnum } from '#foundation/http/schema.ts';
import { EXAMPLE_TIME, exampleList } from '#foundation/lib/examples.ts';

const SandboxMessage = component('SandboxMessage', 'A message that a real provider would have sent.', {
  id: Type.String({ description: 'Id of the message.' }),
  channel: stringEnum(['EMAIL', 'SMS'], { description: 'How it would have been sent.' }),
  recipient: Type.String({ description: 'E-mail address or phone number.', examples: ['ada@example.com'] }),
  text: Type.String({ description: 'The text of the message.' }),
  sentAt: dateTime({ description: 'When the message was requested.' }),
});

type SandboxMessage = Static<typeof SandboxMessage>;

const MessageQuery = pageQuery({
  recipient: Type.Optional(
    Type.String({ description: 'Only messages to this e-mail address or phone number, exactly.' }),
  ),
});

const CODE_MESSAGE: SandboxMessage = {
  id: '01a1e2e8-e7ee-72fe-82c4-7b198524a3f5',
  channel: 'EMAIL',
  recipient: 'emmy@example.com',
  text: `Your verification code is ${CODES_TABLE.rows[0]?.value}. It expires 10 minutes after it was requested.`,
  sentAt: EXAMPLE_TIME,
};

export const sandboxMessageOperations = [
  operation('listSandboxMessages', {
    route: 'GET /sandbox/messages',
    area: 'Sandbox',
    summary: 'Read the inbox',
    description:
      'Lists the messages with codes that production would have sent, newest first. The sandbox sends nothing; messages are ' +
      `kept for ${formatDuration(DELAYS.inbox.ms)}.`,
    access: 'view',
    sandboxOnly: true,
    query: MessageQuery,
    reply: page('SandboxMessageListResponse', SandboxMessage),
    codes: [],
    examples: {
      'A code by e-mail': { query: { recipient: CODE_MESSAGE.recipient }, reply: exampleList(CODE_MESSAGE) },
    },
    async read(tx, { query }) {
      const found = searchMessages(tx, keptSince(tx.now), query.recipient);
      const asked = pageRequest('listSandboxMessages', query);
      const page = await keysetPage<MessageRow, MessageRow>(tx, asked, found, (row) => row);
      await tx.runtime.personKeys.loadFor(page.data.flatMap(({ contact, text }) => [contact, text]));
      return { ...page, data: page.data.flatMap((row) => presentMessage(tx.vault, row) ?? []) };
    },
  }),
];

/** Returns undefined if the recipient was erased. */
function presentMessage(vault: PersonVault, row: MessageRow): SandboxMessage | undefined {
  const { id, channel, contact } = row;
  const recipient = contact === null ? row.recipient : vault.openKept(contact, contactContext(id));
  const text = vault.openKept(row.text, textContext(id));
  if (typeof recipient !== 'string' || text === undefined) return undefined;
  return { id, channel, recipient, text, sentAt: row.created_at.toISOString() };
}
