import type { Environment } from '#tests/harness/corridor-process.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API's own base path. */
  readonly path: string;
  readonly body?: unknown;
  /** Idempotency-Key of a POST; without one the call gets a key of its own. */
  readonly key?: string;
  readonly authorization?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The real service in processes of its own, as a drill's clients and its checks see it. */
export interface Deployment {
  readonly environment: Environment;
  /** How often a process of it was killed. */
  readonly kills: number;
  /** Errors that no kill explains: answers of 500 and above, processes that ended. */
  readonly faults: readonly string[];
  /** Repeats a call under one key until it is answered; a broken connection does not tell whether the call succeeded. */
  ask(asked: ApiRequest): Promise<Answer>;
  databaseUrl(): Promise<string>;
}
