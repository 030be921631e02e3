import type { CardTokenization2FAConfig } from '#capabilities/platform/schemas.ts';
import { html } from '#foundation/http/html-page.ts';
import type { Message, MessageChannel } from '#foundation/ports/messages.ts';

/** The content and look of a message, without its recipient. */
export type MessageContent = Pick<
  Message,
  'senderName' | 'subject' | 'text' | 'html' | 'letterhead' | 'template'
>;

/** The platform as cardholders see it. */
export interface Sender {
  readonly platformName: string;
  readonly config: CardTokenization2FAConfig;
}

/**
 * The message with a code (cards.md §10.2). The platform's settings are plain text: markup and placeholders have no
 * effect.
 */
export function composeMessage(channel: MessageChannel, sender: Sender, code: string): MessageContent {
  return channel === 'EMAIL' ? composeEmail(sender, code) : composeSms(sender, code);
}

const ASKS = 'Use this code to add your card to your phone:';
const WARNS = 'It expires 10 minutes after it was requested. Do not share it.';

function composeEmail({ platformName, config }: Sender, code: string): MessageContent {
  const { displayName: name = platformName, logoUrl, email = {} } = config;
  const { fromName = name, subject = `Your ${name} code`, bodyText = ASKS } = email;
  const logo =
    logoUrl === undefined ? html`` : html`<p><img src="${logoUrl}" alt="${name}" height="48"></p>\n`;
  return {
    senderName: fromName,
    subject,
    letterhead: { from: email.fromAddress, replyTo: email.replyToAddress },
    text: `${name}\n\n${bodyText}\n\n${code}\n\n${WARNS}\n`,
    html: html`${logo}<h1>${name}</h1>
<p style="white-space: pre-line">${bodyText}</p>
<p style="font-size: 2em"><strong>${code}</strong></p>
<p>${WARNS}</p>
`.text,
  };
}

/** The text has the same content as the provider's template, which may be sent instead. */
function composeSms({ platformName, config }: Sender, code: string): MessageContent {
  const { displayName: name = platformName, sms = {} } = config;
  const { bodyText = ASKS, templateSid } = sms;
  return {
    senderName: name,
    subject: `Your ${name} code`,
    text: `${bodyText} ${code}`,
    ...(templateSid !== undefined && { template: { sid: templateSid, code } }),
  };
}
