import { type Message, type MessageChannel, type MessagesPort, randomCode } from '#ports/messages.ts';

/** Takes a message on one channel, or says why it never will. What it throws is tried again. */
export type Carrier = (message: Message) => Promise<'sent' | { readonly refused: string }>;

export interface OperatorMessagesOptions {
  /** For the log: neither recipient nor text. */
  onRefused?(refusal: { reference: string; channel: MessageChannel; reason: string }): void;
}

/** One carrier for each channel that the operator has configured (platform.md §3.3). */
export function operatorMessages(
  carriers: { readonly [Channel in MessageChannel]?: Carrier | undefined },
  { onRefused }: OperatorMessagesOptions = {},
): MessagesPort {
  return {
    supports: (channel) => carriers[channel] !== undefined,
    issueCode: randomCode,
    async send(message) {
      const { channel, reference } = message;
      const carry = carriers[channel];
      // It was there when the message was decided on.
      if (!carry) throw new Error(`no provider of ${channel} is configured any more`);
      const outcome = await carry(message);
      if (outcome === 'sent') return 'sent';
      onRefused?.({ reference, channel, reason: outcome.refused });
      return 'refused';
    },
  };
}
