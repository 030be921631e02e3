import { CODE_KINDS, type CodeForm, randomCode, type SentKind } from '#foundation/lib/code-kinds.ts';
import { refuse } from '#foundation/lib/refusals.ts';

export type MessageChannel = 'EMAIL' | 'SMS';

export interface IssuedCode {
  readonly code: string;
  /** The pause between two messages. */
  readonly resendAfterMs: number;
  /** The number of wrong attempts that void the code; null: any number is allowed. */
  readonly wrongTriesMax: number | null;
}

/** A platform's settings for its e-mails (platform.md §3.2.7). */
export interface Letterhead {
  /** The sender address, instead of the operator's own. */
  readonly from?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly logoUrl?: string | undefined;
}

/** A message to a person. Its text is stored sealed until it is sent. */
export interface Message {
  /** Repeated calls of `send` with one reference send one message. */
  readonly reference: string;
  readonly platformId: PlatformId;
  /** The bare UUID of the customer it is about, so that it can be erased with the customer. */
  readonly customerId?: string | undefined;
  readonly channel: MessageChannel;
  /** An e-mail address, or an E.164 phone number. */
  readonly recipient: string;
  /** The displayed name of the sender; end users may not know the service's own name. */
  readonly senderName: string;
  /** The platform's look for its e-mails; not used for text messages. */
  readonly letterhead?: Letterhead | undefined;
  /** For an e-mail; contains nothing confidential. */
  readonly subject: string;
  readonly text: string;
  /** For an e-mail: the same text as HTML, if there is an HTML form. */
  readonly html?: string | undefined;
  /** For a text message: a template at the provider, to be sent with this code instead of the text. */
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
  /** `form`: the platform's own, if it has configured one (wallets.md §1). */
  issueCode(kind: SentKind, form?: CodeForm): IssuedCode;
  /** Whether one-time codes can be sent to this new address or number from now on (wallets.md §6.11.49). */
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

/** A random code with the numbers of its kind. */
export function issueRandomCode(kind: SentKind, form: CodeForm = CODE_KINDS[kind].form): IssuedCode {
  const { wrongTriesMax, limits } = CODE_KINDS[kind];
  return {
    code: randomCode(form),
    resendAfterMs: 'pause' in limits ? limits.pause.withinMs : 0,
    wrongTriesMax,
  };
}
