import type { Corridor } from '../client.ts';
import type { ListEventsQuery } from '../generated/schemas.ts';

export type EventType = NonNullable<ListEventsQuery['type']>;

/** Why a recipe could not be finished, for people. */
export class TriggerError extends Error {
  override readonly name = 'TriggerError';
}

/** The tools of a recipe. */
export interface Scene {
  readonly corridor: Corridor;
  /** A client without credentials, like that of a program which redeems the code of an agent. */
  asVisitor(): Corridor;
  /** The client of an agent, with its token. */
  asAgent(agentToken: string): Corridor;
  /** The name of everything that is created: `trigger-1f2e3d4c-x`. Its end triggers no outcome of the sandbox. */
  readonly name: string;
  /** Moves the platform's clock ahead, for steps that take time. */
  advance(seconds: number): Promise<void>;
}

/** An event that a token can cause: how, in a few words, and the function that does it and returns the resource's id. */
export interface Recipe {
  readonly how: string;
  /** How far the clock is moved, if at all. */
  readonly clock?: string;
  /** Its requirements on the platform, beyond those that a new one meets. */
  readonly needs?: string;
  readonly act: (scene: Scene) => Promise<string>;
}

/** An event that a token cannot cause. */
export interface NotByToken {
  readonly by: 'the operator' | 'nobody';
  readonly how: string;
}

export type Recipes<Family extends string> = {
  readonly [Type in EventType as Type extends `${Family}.${string}` ? Type : never]: Recipe | NotByToken;
};

export function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
