import {
  issueRandomCode,
  type Message,
  type MessageChannel,
  type MessagesPort,
} from '#foundation/ports/messages.ts';

/** Sends messages of one channel, or says why this one can never be sent. If it throws, the message is retried. */
export type Carrier = (message: Message) => Promise<'sent' | { readonly refused: string }>;

export interface OperatorMessagesOptions {
  /** For the log; contains neither recipient nor text. */
  onRefused?(refusal: { reference: string; channel: MessageChannel; reason: string }): void;
}

/** One carrier for each channel that the operator has configured (platform.md §3.3). */
export function operatorMessages(
  carriers: { readonly [Channel in MessageChannel]?: Carrier | undefined },
  { onRefused }: OperatorMessagesOptions = {},
): MessagesPort {
  return {
    supports: (channel) => carriers[channel] !== undefined,
    issueCode: issueRandomCode,
    // SMTP and gateways cannot check an address beforehand: a wrong one is noticed when a message to it is refused.
    acceptContact: async () => true,
    async send(message) {
      const { channel, reference } = message;
      const sendBy = carriers[channel];
      // It was configured when the message was scheduled.
      if (!sendBy) throw new Error(`no provider of ${channel} is configured any more`);
      const outcome = await sendBy(message);
      if (outcome === 'sent') return 'sent';
      onRefused?.({ reference, channel, reason: outcome.refused });
      return 'refused';
    },
  };
}
