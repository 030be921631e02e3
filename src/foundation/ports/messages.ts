import { randomInt } from 'node:crypto';
import { refuse } from '#foundation/lib/refusals.ts';

export type MessageChannel = 'EMAIL' | 'SMS';

/** A one-time code as the environment issues it. */
export interface IssuedCode {
  readonly code: string;
  /** How long after one message the next may follow. */
  readonly resendAfterMs: number;
  /** How many wrong attempts void it; null: no number of them does. */
  readonly wrongTriesMax: number | null;
}

/** How a one-time code looks. */
export interface OtpForm {
  readonly length: number;
  readonly alphanumeric: boolean;
}

/** What a platform sets for its e-mails (platform.md §3.2.7). */
export interface Letterhead {
  /** In place of the operator's own address. */
  readonly from?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly logoUrl?: string | undefined;
}

/** A message to a person. Its text is stored sealed until it is sent. */
export interface Message {
  /** One reference is one message, however often `send` is called. */
  readonly reference: string;
  readonly platformId: string;
  /** The customer it is about (the bare UUID), so that it can be erased with them. */
  readonly customerId?: string | undefined;
  readonly channel: MessageChannel;
  /** An e-mail address, or an E.164 phone number. */
  readonly recipient: string;
  /** The sender's name that is shown; people may not know the service's own. */
  readonly senderName: string;
  /** How the platform wants its e-mails to look; text messages have none of it. */
  readonly letterhead?: Letterhead | undefined;
  /** Of an e-mail; without anything confidential. */
  readonly subject: string;
  readonly text: string;
  /** Of an e-mail: the text once more as HTML, where it has a form of its own. */
  readonly html?: string | undefined;
  /** Of a text message: a template at the provider, to be sent with this code in place of the text. */
  readonly template?: { readonly sid: string; readonly code: string } | undefined;
  /** Business time. */
  readonly at: Date;
}

/** `refused`: it can never be delivered, and is not retried. */
export type MessageOutcome = 'sent' | 'refused';

/** Sends messages to people. */
export interface MessagesPort {
  /** Whether a provider for this channel is connected: checked before anything is stored (`requireChannel`). */
  supports(channel: MessageChannel): boolean;
  issueCode(): IssuedCode;
  /** A one-time code for the owner of a wallet (wallets.md §1). */
  issueOtp(form: OtpForm): string;
  /** Whether one-time codes can go to this new address or number from now on (wallets.md W49). */
  acceptContact(channel: MessageChannel, contact: string): Promise<boolean>;
  /**
   * Called after the commit that scheduled the message, and again, with the same reference and text, while its outcome
   * is unknown. An error is logged and retried: it may contain neither recipient nor text.
   */
  send(message: Message): Promise<MessageOutcome>;
}

/** platform.md §10.5. */
export function requireChannel(messages: MessagesPort, channel: MessageChannel): void {
  if (messages.supports(channel)) return;
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

const DIGITS = '0123456789';
/** Without I, O, 0 and 1, which people mistake for each other (wallets.md §1). */
const ALPHANUMERICS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export function randomOtp({ length, alphanumeric }: OtpForm): string {
  const alphabet = alphanumeric ? ALPHANUMERICS : DIGITS;
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
