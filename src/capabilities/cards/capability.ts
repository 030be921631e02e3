import type { Capability } from '#capabilities/capability.ts';
import { cardExceptions } from '#capabilities/cards/attention.ts';
import { CARD_LIST, CARD_SHOW } from '#capabilities/cards/card-records.ts';
import { delegatedKeyReactions } from '#capabilities/cards/delegated-keys/keys.ts';
import { delegatedKeyOperations } from '#capabilities/cards/delegated-keys/routes.ts';
import { WALLET_LIST, WALLET_SHOW } from '#capabilities/cards/delegated-keys/wallet-records.ts';
import { cardFundingWebhook, cardStatusWebhook, cardTransactionWebhook } from '#capabilities/cards/events.ts';
import { cardExplainer } from '#capabilities/cards/explanation/explain-card.ts';
import { cardJobs } from '#capabilities/cards/issue-card.ts';
import { CARD_CHECKS } from '#capabilities/cards/ledger-checks.ts';
import { cardNoticeJobs } from '#capabilities/cards/notices/jobs.ts';
import { cardChanges } from '#capabilities/cards/notices/operator-changes.ts';
import { cardReactions } from '#capabilities/cards/reactions/reactions.ts';
import { RECEIVABLE_LIST } from '#capabilities/cards/receivable-records.ts';
import { registerRevealPage } from '#capabilities/cards/reveal/page.ts';
import { revealOperations } from '#capabilities/cards/reveal/routes.ts';
import { purgeReveals } from '#capabilities/cards/reveal/store.ts';
import { cardOperations } from '#capabilities/cards/routes.ts';
import { hashPlatformCardId } from '#capabilities/cards/sealed-card.ts';
import {
  eraseTokenizations,
  tokenizationExpiries,
  tokenizationJobs,
} from '#capabilities/cards/tokenization/send-code.ts';
import { cardSource } from '#capabilities/cards/transaction-store.ts';
import { customerErased } from '#capabilities/customers/announcements.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { on } from '#foundation/events/reactions.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const cards = {
  name: 'cards',
  operatorOperations: [
    ...recordOperations([CARD_LIST, WALLET_LIST, RECEIVABLE_LIST], [CARD_SHOW, WALLET_SHOW]),
    ...cardChanges,
  ],
  operations: ({ revealUrl }: { revealUrl(): string }) => [
    ...delegatedKeyOperations,
    ...cardOperations,
    ...revealOperations({ revealUrl }),
  ],
  pages: (http, { runtime }: { readonly runtime: Runtime }) => registerRevealPage(http, runtime),
  jobs: { ...cardJobs, ...cardNoticeJobs },
  messageJobs: tokenizationJobs,
  dueSources: tokenizationExpiries,
  purges: [purgeReveals],
  reactions: [
    ...cardReactions,
    ...delegatedKeyReactions,
    on(customerErased, (tx, { customer }) => eraseTokenizations(tx, customer.id)),
  ],
  webhooks: [cardStatusWebhook, cardFundingWebhook, cardTransactionWebhook],
  ledgerChecks: CARD_CHECKS,
  attention: [cardExceptions],
  transactionSource: cardSource,
  explainer: cardExplainer,
  searchPlaces: [
    {
      type: 'Card',
      table: 'cards',
      texts: {
        platformCardId: [
          { column: 'reference_hash', hash: hashPlatformCardId },
          // Rows of earlier versions that no job has sealed yet have it in clear text.
          { column: 'platform_card_id' },
        ],
      },
    },
    { type: 'Transaction', table: 'card_transactions' },
  ],
} satisfies Capability;
