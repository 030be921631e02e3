import type { ItemActor } from '#foundation/explanation/explanation.ts';
import type { Cause } from '#foundation/ports/explanations.ts';

/** Says which value decides how a simulated party behaves; nothing where the party is real. */
export function becauseOf(cause: Cause | undefined): string {
  return cause ? ` The sandbox decides by ${cause.of}, ${cause.value}: ${lowered(cause.effect)}` : '';
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Each actor in words. */
export const ACTOR_WORDS: Readonly<Record<ItemActor['kind'], string>> = {
  TOKEN: 'the platform',
  AGENT: 'the agent',
  CUSTOMER: 'the customer',
  OPERATOR: 'the operator',
  SERVICE: 'the service',
  RAIL: 'the rail',
  PROVIDER: 'the stablecoin’s provider',
  NETWORK: 'the card network',
  RECEIVER: 'the platform’s webhook endpoint',
  VISITOR: 'a visitor of a hosted page',
};
