import { DELAYS } from '#edge/sandbox/delays-table.ts';
import { deleteMessages, hashContact, insertMessage } from '#edge/sandbox/store.ts';
import type { CompleteTable } from '#edge/sandbox/table.ts';
import { isContactAccepted, WALLET_CODE } from '#edge/sandbox/wallets/wallets-table.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import type { PersonKeySource } from '#foundation/database/person-key-source.ts';
import { CODE_KINDS, type SentKind } from '#foundation/lib/code-kinds.ts';
import type { IdSource } from '#foundation/lib/ids.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import type { IssuedCode, MessagesPort } from '#foundation/ports/messages.ts';

export interface InboxParts {
  readonly database: Pick<Database, 'query'>;
  readonly vault: PersonVault;
  readonly personKeys: PersonKeySource;
  readonly newId: IdSource;
}

const KEPT_MS = DELAYS.inbox.ms;
const DELETED_ROWS_MAX = 100;

/** The only code that is ever issued: no wrong attempt voids it, and a new one can be requested at once. */
export const ONLY_CODE: IssuedCode = { code: '123456', resendAfterMs: 0, wrongTriesMax: null };

/** Wrong tries void the codes of wallets and cards, as in production, but not those of contacts and challenges. */
const ISSUED: Readonly<Record<SentKind, IssuedCode>> = {
  CONTACT_EMAIL: ONLY_CODE,
  CONTACT_PHONE: ONLY_CODE,
  WALLET: { ...ONLY_CODE, code: WALLET_CODE, wrongTriesMax: CODE_KINDS.WALLET.wrongTriesMax },
  CARD: { ...ONLY_CODE, wrongTriesMax: CODE_KINDS.CARD.wrongTriesMax },
  SCA: ONLY_CODE,
};

/** customers.md §3.2. A code that is not issued is wrong, as everywhere. */
export const CODES_TABLE: CompleteTable<IssuedCode | undefined> = {
  id: 'codes',
  title: 'Codes that verify contacts',
  intro:
    'The sandbox sends nothing: its messages are in the inbox. Every code is the same. A code must be requested before it ' +
    'works, and a new one can be requested at once.',
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
      effect: 'Right, even after any number of wrong ones.',
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

/** cards.md §10.3. The simulator passes on the code that the cardholder types. */
export const CARD_CODES_TABLE: CompleteTable<'RIGHT' | 'WRONG'> = {
  id: 'card-codes',
  title: 'Codes for adding a card to a phone',
  intro:
    'Nothing is sent: the message is in the inbox, in the words of `cardTokenization2faConfig`. Every code is the same, is ' +
    'valid for ten minutes, and can be used once.',
  column: 'Code',
  operations: ['sandboxSimulateCardTokenization', 'listSandboxMessages'],
  rows: [
    {
      value: ONLY_CODE.code,
      example: ONLY_CODE.code,
      effect: 'Right, once for each requested code.',
      shows: { status: 204 },
      does: 'RIGHT',
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '654321',
    effect: 'Wrong. The fifth wrong one voids the code.',
    shows: { code: 'INVALID_INPUT' },
    does: 'WRONG',
  },
};

/** The sandbox's message provider: one fixed code, and an inbox that a developer can read instead of delivery. */
export function sandboxMessages({ database, vault, personKeys, newId }: InboxParts): MessagesPort {
  return {
    supports: () => true,
    issueCode: (kind) => ISSUED[kind],
    acceptContact: async (_channel, contact) => isContactAccepted(contact),
    async send(message) {
      const id = newId<'Message'>();
      const { platformId, recipient, text, at } = message;
      const people = [message.customerId ?? strangersOf(vault, platformId, at)];
      await personKeys.ensure(platformId, people);
      await insertMessage(database, message, {
        id,
        text: vault.sealNaming(people, text, textContext(id)),
        contact: vault.sealNaming(people, recipient, contactContext(id)),
        contact_hash: hashContact(vault, recipient).toStore,
      });
      // Each new message deletes a few expired ones, so that the inbox cannot grow without limit.
      await deleteMessages(database, message.platformId, keptSince(message.at), DELETED_ROWS_MAX);
      return 'sent';
    },
  };
}

/** Messages older than this are expired; one that is still stored is not shown. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS);
}

export function contactContext(messageId: Id<'Message'>): string {
  return `sandbox_messages.contact:${messageId}`;
}

export function textContext(messageId: Id<'Message'>): string {
  return `sandbox_messages.text:${messageId}`;
}
