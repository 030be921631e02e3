import { newPayer, type Payer } from './payments.ts';
import { approvedPerson, fetchAccountId } from './people.ts';
import { type Recipe, type Recipes, type Scene, TriggerError } from './scene.ts';

/** The time that the sandbox's issuer takes to make a card, and its network to book a message. */
const STEP_SECONDS = 1;

async function newCard(scene: Scene, payer: Payer): Promise<string> {
  const { corridor, name } = scene;
  const { id } = await corridor.createCard({
    ...{ customerId: payer.customerId, platformCardId: name, form: 'VIRTUAL', fundingSource: payer.dollars },
  });
  await scene.advance(STEP_SECONDS);
  return id;
}

/** Buys something for 12.50 USD and returns the transaction. The end of the merchant's name decides the outcome. */
async function purchase(scene: Scene, card: string, descriptor: string): Promise<string> {
  const { corridor } = scene;
  await corridor.sandboxSimulateCardAuthorization(card, {
    amount: 1_250,
    currency: { code: 'USD' },
    merchant: { descriptor, mcc: '5942' },
  });
  await scene.advance(STEP_SECONDS);
  const { data } = await corridor.listTransactions({ type: 'CARD', cardId: card, limit: 1 });
  const [bought] = data;
  if (bought) return bought.id;
  throw new TriggerError(`The purchase with ${card} is not booked yet.`);
}

const bought = (how: string, descriptor = 'TRIGGER EXAMPLE'): Recipe => ({
  how,
  clock: '2s',
  act: async (scene) => purchase(scene, await newCard(scene, await newPayer(scene)), descriptor),
});

const cleared = (how: string, amount: number): Recipe => ({
  how,
  clock: '3s',
  async act(scene) {
    const card = await newCard(scene, await newPayer(scene));
    const cardTransactionId = await purchase(scene, card, 'TRIGGER EXAMPLE');
    await scene.corridor.sandboxSimulateCardClearing(card, { cardTransactionId, amount });
    await scene.advance(STEP_SECONDS);
    return cardTransactionId;
  },
});

export const CARDS: Recipes<'CARD'> = {
  'CARD.STATUS_CHANGE': {
    how: 'the issuer makes a card',
    clock: '1s',
    act: async (scene) => newCard(scene, await newPayer(scene)),
  },
  'CARD.FUNDING_SOURCE_CHANGE': {
    how: 'a card gets another funding source',
    clock: '1s',
    async act(scene) {
      const customerId = await approvedPerson(scene);
      const [dollars, coins] = [
        await fetchAccountId(scene, customerId, 'USD'),
        await fetchAccountId(scene, customerId, 'USDB'),
      ];
      const card = await newCard(scene, { customerId, dollars });
      await scene.corridor.updateCardById(card, { fundingSource: coins });
      return card;
    },
  },
};

export const CARD_TRANSACTIONS: Recipes<'CARD_TRANSACTION'> = {
  'CARD_TRANSACTION.AUTHORIZED': bought('a purchase by card'),
  'CARD_TRANSACTION.PARTIALLY_SETTLED': cleared('a purchase by card that is partly cleared', 500),
  'CARD_TRANSACTION.SETTLED': cleared('a purchase by card that is cleared', 1_250),
  'CARD_TRANSACTION.DECLINED': bought('a purchase by card that is declined', 'TRIGGER EXAMPLE 002'),
  'CARD_TRANSACTION.EXCEPTION': {
    how: 'a purchase by card whose money cannot be taken from the account',
    clock: '3s',
    async act(scene) {
      const id = await purchase(scene, await newCard(scene, await newPayer(scene)), 'TRIGGER EXAMPLE 006');
      await scene.advance(STEP_SECONDS);
      return id;
    },
  },
};
