import type { CardTokenization2FAConfig } from '#capabilities/platform/schemas.ts';
import { html } from '#foundation/http/html-page.ts';
import type { Message, MessageChannel } from '#foundation/ports/messages.ts';

/** What a message says, and how it looks; to whom it goes is not part of it. */
export type MessageContent = Pick<
  Message,
  'senderName' | 'subject' | 'text' | 'html' | 'letterhead' | 'template'
>;

/** The platform as cardholders are to see it. */
export interface Sender {
  readonly platformName: string;
  readonly config: CardTokenization2FAConfig;
}

/** The message with a code (A.10.2). What the platform has set is plain text: markup and placeholders in it mean nothing. */
export function composeMessage(channel: MessageChannel, sender: Sender, code: string): MessageContent {
  return channel === 'EMAIL' ? composeEmail(sender, code) : composeSms(sender, code);
}

const ASKS = 'Use this code to add your card to your phone:';
const WARNS = 'It expires 10 minutes after it was requested. Tell it to nobody.';

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

/** The text says the same where a template of the provider's is sent instead. */
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
