import type { Carrier } from '#edge/providers/operator-messages.ts';
import { html } from '#foundation/http/html-page.ts';
import { withTimeout } from '#foundation/lib/promises.ts';
import type { Letterhead, Message } from '#foundation/ports/messages.ts';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte; `starttls`: nothing is sent before the upgrade; `none`: plain text. */
  readonly encryption: 'implicit' | 'starttls' | 'none';
  readonly credentials?: { readonly user: string; readonly pass: string } | undefined;
  /** The sender's address. */
  readonly from: string;
  /** Certificates to trust instead of the default ones. */
  readonly ca?: string | undefined;
}

/** Shorter than the lease of the job that sends, so that no other worker takes the job meanwhile. */
const TIMEOUT_MS = 45_000;
const CONNECT_MS = 10_000;
const SILENCE_MS = 15_000;

/** SMTP_URL: sends each message over a connection of its own. */
export function smtpCarrier(settings: SmtpSettings): Carrier {
  return async (message) => {
    if (!isAddress(message.recipient)) return { refused: 'mail cannot be sent to this address' };
    // Loaded only here: a server that sends no mail saves the memory of it, and of Node.js's fetch, which it loads.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(transportOptions(settings));
    try {
      const sent = await withTimeout(
        transport.sendMail(renderMail(settings, message)),
        TIMEOUT_MS,
        undefined,
      );
      if (!sent) throw new Error('the mail server did not finish in time');
      return 'sent';
    } catch (error) {
      return readFailure(error as SmtpError);
    } finally {
      transport.close();
    }
  };
}

function transportOptions({ host, port, encryption, credentials, ca }: SmtpSettings) {
  return {
    host,
    port,
    secure: encryption === 'implicit',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    ...(credentials && { auth: credentials }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    tls: { minVersion: 'TLSv1.2' as const, ...(ca !== undefined && { ca }) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * The envelope is explicit, so that no header can add a recipient. It names the operator's own sender, who gets
 * undeliverable mail. The platform's sender is in the headers; the mail server decides whether it is allowed.
 */
function renderMail(
  { from }: SmtpSettings,
  {
    reference,
    recipient,
    senderName,
    subject,
    text,
    letterhead,
    html = underLogo(text, letterhead),
  }: Message,
) {
  const { from: shownFrom = from, replyTo } = letterhead ?? {};
  return {
    envelope: { from, to: [recipient] },
    from: { name: oneLine(senderName), address: shownFrom },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    to: { name: '', address: recipient },
    subject: oneLine(subject),
    text,
    ...(html !== undefined && { html }),
    // The same for every attempt, so that mailboxes recognize duplicates.
    messageId: `<${reference.replace(/[^A-Za-z0-9.-]/g, '.')}@${from.slice(from.indexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** The HTML of a text that has no form of its own, if the platform has a logo. */
function underLogo(text: string, { logoUrl }: Letterhead = {}): string | undefined {
  return logoUrl === undefined ? undefined : html`<p><img src="${logoUrl}" alt=""></p><p>${text}</p>`.text;
}

const LINE_MAX = 100;

/** A line break in a header could inject another header. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, LINE_MAX);
}

/** One plain mailbox: no list, no display name, no quoting, nothing a mail server could interpret. */
export function isAddress(text: string): boolean {
  return (
    text.length <= 254 &&
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/.test(text)
  );
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** The server's text may repeat the address or the message, so only its status code is reported. */
function readFailure({ message, code, command = '', responseCode }: SmtpError): { refused: string } {
  const answer = `the mail server answered ${responseCode} to ${command}`;
  const isAboutMessage = command === 'RCPT TO' || command === 'DATA';
  if (responseCode !== undefined && responseCode >= 500 && isAboutMessage) return { refused: answer };
  if (responseCode !== undefined) throw new Error(answer);
  if (code === undefined) throw new Error(message);
  const detail = command === 'CONN' ? `: ${message}` : '';
  throw new Error(`the mail server cannot be used (${code}${detail})`);
}
