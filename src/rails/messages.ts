import { randomInt } from 'node:crypto';

/** A one-time code as the environment issues it. */
export interface IssuedCode {
  readonly code: string;
  /** How long after one message the next may follow. */
  readonly resendAfterMs: number;
  /** How many wrong tries void it; null: however many there are, it counts. */
  readonly wrongTriesMax: number | null;
}

export interface Message {
  /** One reference is one message, however often it is handed over. */
  readonly reference: string;
  readonly platformId: string;
  /** Whom it is about (the bare UUID), so that it can be forgotten with them. */
  readonly customerId?: string | undefined;
  readonly channel: 'EMAIL' | 'SMS';
  readonly recipient: string;
  readonly text: string;
  /** Business time. */
  readonly at: Date;
}

/** Whoever carries messages to people. */
export interface MessagesPort {
  issueCode(): IssuedCode;
  /** Called after the commit that decided on the message; a repetition of a reference is not sent again. */
  send(message: Message): Promise<void>;
}

const RESEND_AFTER_MS = 30_000;
const WRONG_TRIES_MAX = 5;

/** Six random digits (customers.md §3.2). */
export function randomCode(): IssuedCode {
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  return { code, resendAfterMs: RESEND_AFTER_MS, wrongTriesMax: WRONG_TRIES_MAX };
}

/** Codes are issued, but nobody is there to carry them: each message stays as failing work until one is. */
export const messagesWithoutProvider: MessagesPort = {
  issueCode: randomCode,
  send: () => Promise.reject(new Error('no message provider is configured')),
};
