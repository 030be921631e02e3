import { createMethods } from '@corridor/client/methods';
import { signal } from '@preact/signals';
import { ConsoleError, consoleFetch } from '../session.ts';
import { OPERATIONS, type Operations } from './generated/operations.ts';
import { isIdle } from './idle.ts';

/** The operator who is signed in, as the server says it. */
export interface OperatorSession {
  readonly id: string;
  readonly operator: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly status: string;
    /** Empty until another admin has confirmed the person. */
    readonly roles: readonly string[];
    /** Until then: six digits to read to that admin. */
    readonly digits?: string;
    /** After a lost passkey: when the operator can approve again. */
    readonly approvesFrom?: string;
  };
  readonly expiresAt: string;
  /** Otherwise presence is proved where the operator signs in. */
  readonly hasPasskey: boolean;
  /** Whether another operator has to approve what needs two. */
  readonly approvals: 'required' | 'off';
}

/** Undefined until the server has answered; null if nobody is signed in. */
export const operatorSession = signal<OperatorSession | null | undefined>(undefined);

/** All operations of operators, for the operator behind the session's cookie. */
export type Operator = Operations;

/** Builds a client of the operators' document, whose paths begin below `/console/api`. */
export function createOperator(send: typeof fetch): Operator {
  return createMethods<Operations>(OPERATIONS, { baseUrl: '/console/api', fetch: send, maxRetries: 1 });
}

export const operator = createOperator(operatorFetch);

/** A refusal with 401 means that the session has ended: its own address says whether it has. */
export async function operatorFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const reply = await operatorConsoleFetch(input, init);
  if (reply.status === 401 && operatorSession.value) await loadOperatorSession();
  return reply;
}

function operatorConsoleFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (isIdle()) headers.set('x-corridor-polling', '1');
  return consoleFetch(input, { ...init, headers });
}

/** Asks the server who is signed in. */
export async function loadOperatorSession(): Promise<void> {
  const reply = await operatorConsoleFetch(`${OPERATOR_API}/session`);
  operatorSession.value = reply.status === 401 ? null : ((await readReply(reply)) as OperatorSession);
}

export async function signOutOperator(): Promise<void> {
  await postToOperator('sign-out', {});
  operatorSession.value = null;
}

const OPERATOR_API = '/console/api/operator';

/** Posts to the addresses of the session, which are no operations. */
export async function postToOperator(path: string, body: object): Promise<unknown> {
  const reply = await operatorConsoleFetch(`${OPERATOR_API}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return readReply(reply);
}

async function readReply(reply: Response): Promise<unknown> {
  const text = await reply.text();
  const body = text.startsWith('{') ? JSON.parse(text) : undefined;
  if (!reply.ok) throw new ConsoleError(reply.status, body?.reason ?? `The server answered ${reply.status}.`);
  return body;
}

/** Whether a platform moves real money; undefined until the server has answered. */
export const hasProduction = signal<boolean | undefined>(undefined);

export async function loadEnvironment(): Promise<void> {
  const { data = [] } = await operator.listAllPlatforms({ environment: 'PRODUCTION', limit: 1 });
  hasProduction.value = data.length > 0;
}

/** Whether the operator has one of these roles. */
export function hasRole(roles: readonly string[]): boolean {
  const own = operatorSession.value?.operator.roles ?? [];
  return roles.some((role) => own.includes(role));
}
