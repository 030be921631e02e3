import { checkCardsAvailable } from '#capabilities/cards/create-card.ts';
import { revealCard } from '#capabilities/cards/reveal/reveal-card.ts';
import { CARD_PARAM } from '#capabilities/cards/routes.ts';
import { CardRevealResponse } from '#capabilities/cards/schemas.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EXAMPLE_IDS, exampleTime } from '#foundation/lib/examples.ts';
import { publicId } from '#foundation/lib/ids.ts';

export interface RevealParts {
  /** The public address of the page that shows numbers, without a trailing slash. */
  revealUrl(): string;
}

export function revealOperations(parts: RevealParts) {
  return [
    operation('revealCard', {
      route: 'POST /cards/:id/reveal',
      area: 'Cards',
      summary: 'Show the number of a card',
      description:
        'Returns the address of a page that shows the cardholder the number, expiry and security code: in an iframe of your ' +
        'own product, or by itself. The address is valid for five minutes and can be opened any number of times. Each call ' +
        'returns a new address, which is a secret: keep it out of logs and messages.',
      access: 'manage',
      checkAvailable: checkCardsAvailable,
      params: CARD_PARAM,
      idempotency: { key: 'ignored' },
      reply: CardRevealResponse,
      codes: ['NOT_FOUND', 'CONFLICT', 'SCA_SESSION_REQUIRED', 'NOT_IMPLEMENTED'],
      auditDetails: ({ params }) => ({ card: publicId('Card', params.id) }),
      examples: {
        'An active card': {
          params: { id: EXAMPLE_IDS.card },
          reply: {
            panEmbedUrl: 'http://localhost:8080/cards/reveal?t=VkX7yq2mT0aJr9cLw4sZb1oNfPd8uHe6gQiY3xBtKzU',
            expiresAt: exampleTime(300),
          },
        },
      },
      write: (tx, { params, caller }) => revealCard(tx, caller, params.id, parts.revealUrl()),
    }),
  ];
}
