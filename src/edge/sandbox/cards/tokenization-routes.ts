import Type, { type Static } from 'typebox';
import { checkCardsAvailable } from '#capabilities/cards/create-card.ts';
import { issueTokenizationCode } from '#capabilities/cards/tokenization/send-code.ts';
import {
  type TypedCodeOutcome,
  verifyTokenizationCode,
} from '#capabilities/cards/tokenization/verify-code.ts';
import { ONLY_CODE } from '#edge/sandbox/messages/messages.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { component, stringEnum } from '#foundation/http/schema.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { invalidFields, type Refusal } from '#foundation/lib/refusals.ts';

const SandboxCardTokenizationRequest = component(
  'SandboxCardTokenizationRequest',
  'A message of the card network when a card is added to a phone: send exactly one of the two.',
  {
    channel: Type.Optional(
      stringEnum(['EMAIL', 'SMS'], { description: 'The network asks for a code, to be sent this way.' }),
    ),
    code: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Or it passes on the code that the cardholder typed.',
        examples: [ONLY_CODE.code],
      }),
    ),
  },
);
type SandboxCardTokenizationRequest = Static<typeof SandboxCardTokenizationRequest>;

/** cards.md §10.3; beyond the contract. */
const simulate = operation('sandboxSimulateCardTokenization', {
  route: 'POST /sandbox/cards/:id/simulate/tokenization',
  area: 'Sandbox',
  summary: 'Simulate adding a card to a phone',
  description:
    'Plays the card network. With `channel` it requests a code, which `GET /sandbox/messages` then shows, in the words of ' +
    '`cardTokenization2faConfig`. With `code` it passes on the code that the cardholder typed: 204 if it is right, 400 ' +
    'with the reason if it is not. Beyond the contract.',
  access: 'transact',
  sandboxOnly: true,
  checkAvailable: checkCardsAvailable,
  params: { id: { id: 'Card', missing: 'NOT_FOUND' } },
  body: SandboxCardTokenizationRequest,
  codes: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
  examples: {
    'A code is requested': { params: { id: EXAMPLE_IDS.card }, body: { channel: 'EMAIL' } },
    'The right code was typed': { params: { id: EXAMPLE_IDS.card }, body: { code: ONLY_CODE.code } },
  },
  write: async (tx, { params, body }) => (await play(tx, params.id, body)) ?? (undefined as never),
});

/** A refusal is returned, so that a wrong try is counted. */
async function play(
  tx: Tx,
  cardId: CardId,
  { channel, code }: SandboxCardTokenizationRequest,
): Promise<Refusal | undefined> {
  if (channel !== undefined && code === undefined) {
    await issueTokenizationCode(tx, cardId, channel);
    return undefined;
  }
  if (code !== undefined && channel === undefined) {
    const outcome = await verifyTokenizationCode(tx, cardId, code);
    return outcome === 'RIGHT' ? undefined : invalidFields([{ field: 'code', message: REASONS[outcome] }]);
  }
  const message = channel === undefined ? 'one of the two is needed' : 'only one of the two can be sent';
  throw invalidFields(['channel', 'code'].map((field) => ({ field, message })));
}

const REASONS: Readonly<Record<Exclude<TypedCodeOutcome, 'RIGHT'>, string>> = {
  WRONG: 'is wrong',
  TOO_MANY_TRIES: 'is void after too many wrong tries',
  EXPIRED: 'has expired',
  USED: 'was used already',
  NOT_SENT: 'was never sent for this card',
};

export const sandboxCardTokenizationOperations = [simulate];
