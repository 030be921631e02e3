import { createCorridor } from '@corridor/client';
import { signal } from '@preact/signals';

/** Whose console this is, as the server says it. */
export interface Session {
  readonly platform: { readonly id: string; readonly name: string; readonly environment: string };
  readonly permissions: readonly string[];
  readonly tokenName: string;
  readonly expiresAt: string;
  /** The address of the public API, for calls that people copy. */
  readonly baseUrl: string;
  /** The operator's name of the service, which some names on the wire contain. */
  readonly serviceName?: string;
  /** The platform's time, which a sandbox can move, and the real one. */
  readonly clock?: { readonly isMoved: boolean; readonly now: string; readonly realNow: string };
}

export interface SignInPreview {
  readonly tokenName?: string;
  readonly platform: { readonly name: string; readonly environment: string };
  readonly permissions: readonly string[];
}

/** The address of a document, which is served where the API is: the console may have a host of its own. */
export function docsUrl(path: string): string {
  return new URL(path, session.value?.baseUrl ?? location.origin).href;
}

/** Undefined until the server has answered; null if nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);

/** A refusal of the console's own addresses. */
export class ConsoleError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The platform that this document shows; it never shows another one. */
let shown: string | undefined;

/**
 * Sends what every request of the console has: the header that no other site can send, and the platform that the page shows.
 * Another tab may have signed in to another one since, and then the server refuses.
 */
export function consoleFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('x-corridor-console', '1');
  if (shown !== undefined) headers.set('x-corridor-platform', shown);
  return fetch(input, { ...init, headers, credentials: 'same-origin' });
}

const CLIENT = { baseUrl: '/console/api/platform', fetch: platformFetch, maxRetries: 1 } as const;

/** All operations of the public API, with what this session's token may do. */
export let corridor = createCorridor(CLIENT);

/** A wallet's signature can be refused with 401, too: only the session's own address says whether it has ended. */
async function platformFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const reply = await consoleFetch(input, init);
  if (reply.status === 401 && session.value) await loadSession();
  return reply;
}

/** Asks the server who is signed in. */
export async function loadSession(): Promise<void> {
  const reply = await consoleFetch('/console/api/session');
  if (reply.status === 401) {
    session.value = null;
    return;
  }
  const found = (await readReply(reply)) as Session;
  shown ??= found.platform.id;
  if (shown !== found.platform.id) return startAgain();
  const serviceName = found.serviceName;
  if (serviceName !== undefined) corridor = createCorridor({ ...CLIENT, serviceName });
  session.value = found;
}

/** Lists, filters and places of the platform before must not be shown for another one: they end with the document. */
function startAgain(): Promise<never> {
  location.assign('/console');
  return new Promise(() => undefined);
}

export async function previewSignIn(secret: string): Promise<SignInPreview> {
  return (await post('/console/api/sign-in/preview', { secret })) as SignInPreview;
}

export async function signIn(secret: string): Promise<void> {
  await post('/console/api/sign-in', { secret });
  await loadSession();
}

export async function signOut(): Promise<void> {
  await post('/console/api/sign-out', {});
  session.value = null;
}

async function post(path: string, body: object): Promise<unknown> {
  const reply = await consoleFetch(path, {
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
