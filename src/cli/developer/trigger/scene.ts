import { randomBytes } from 'node:crypto';
import type { Corridor } from '@corridor/client';
import type { EventType } from '#foundation/events/types.ts';

/** What a recipe works with. */
export interface Scene {
  readonly corridor: Corridor;
  /** The client of an agent, with its token. */
  asAgent(agentToken: string): Corridor;
  /** What was made is known by: `trigger-1f2e3d4c`. It ends in nothing that the sandbox looks for. */
  readonly name: string;
  /** Moves the platform's clock, for what takes its time. */
  advance(seconds: number): Promise<void>;
}

/** What a token can cause: how, in a few words, and the function that does it and says to what it happened. */
export interface Recipe {
  readonly how: string;
  /** How far the clock is moved, where it is. */
  readonly clock?: string;
  /** What it needs of the platform, beyond what a new one has. */
  readonly needs?: string;
  readonly act: (scene: Scene) => Promise<string>;
}

/** What a token cannot cause. */
export interface NotByToken {
  readonly by: 'the operator' | 'nobody';
  readonly how: string;
}

export type Recipes<Family extends string> = {
  readonly [Type in EventType as Type extends `${Family}.${string}` ? Type : never]: Recipe | NotByToken;
};

export function newName(): string {
  return `trigger-${randomBytes(4).toString('hex')}-x`;
}
