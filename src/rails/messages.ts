import { randomInt } from 'node:crypto';
import { refuse } from '#lib/refusals.ts';

export type MessageChannel = 'EMAIL' | 'SMS';

/** A one-time code as the environment issues it. */
export interface IssuedCode {
  readonly code: string;
  /** How long after one message the next may follow. */
  readonly resendAfterMs: number;
  /** How many wrong tries void it; null: however many there are, it counts. */
  readonly wrongTriesMax: number | null;
}

/** What somebody is told; whoever keeps it before it is sent keeps its text sealed. */
export interface Message {
  /** One reference is one message, however often it is handed over. */
  readonly reference: string;
  readonly platformId: string;
  /** Whom it is about (the bare UUID), so that it can be forgotten with them. */
  readonly customerId?: string | undefined;
  readonly channel: MessageChannel;
  /** An e-mail address, or a phone number as E.164 has it. */
  readonly recipient: string;
  /** Whose name stands before it; people may not know the service's. */
  readonly senderName: string;
  /** Of an e-mail; nothing that the text alone should say. */
  readonly subject: string;
  readonly text: string;
  /** Business time. */
  readonly at: Date;
}

/** `refused`: it will never arrive, and is not tried again. */
export type MessageOutcome = 'sent' | 'refused';

/** Whoever carries messages to people. */
export interface MessagesPort {
  /** Whether anybody carries them this way: asked before anything is stored (`requireChannel`). */
  carries(channel: MessageChannel): boolean;
  issueCode(): IssuedCode;
  /**
   * Called after the commit that decided on the message; again, with the same reference and text, where its end is not
   * known. What it throws is tried again, and is logged: neither recipient nor text may stand in it.
   */
  send(message: Message): Promise<MessageOutcome>;
}

/** platform.md §10.5. */
export function requireChannel(messages: MessagesPort, channel: MessageChannel): void {
  if (messages.carries(channel)) return;
  const what = channel === 'EMAIL' ? 'e-mail' : 'text messages';
  refuse('NOT_IMPLEMENTED', `No provider of ${what} is connected in this environment.`, { channel });
}

const RESEND_AFTER_MS = 30_000;
const WRONG_TRIES_MAX = 5;

/** Six random digits (customers.md §3.2). */
export function randomCode(): IssuedCode {
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  return { code, resendAfterMs: RESEND_AFTER_MS, wrongTriesMax: WRONG_TRIES_MAX };
}
