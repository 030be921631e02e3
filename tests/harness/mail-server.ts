import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  /** Headers and text as they were sent. */
  readonly raw: string;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
}

export interface MailServer {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** The code and the step at which the next mails are refused, or those to `only`; undefined: they are accepted. */
  refuse(with_: { step: 'sender' | 'recipient' | 'message'; code: number; only?: string } | undefined): void;
  /** The next mail that arrives from now on. */
  next(): Promise<ReceivedMail>;
  close(): Promise<void>;
}

export interface MailServerOptions {
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** TLS from the first byte. */
  readonly isImplicit?: boolean;
  readonly credentials?: { readonly user: string; readonly pass: string };
}

/** A mail server on loopback that records mails. Its refusals repeat the refused text, as real ones do. */
export async function createMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let refusal: Parameters<MailServer['refuse']>[0];
  let waiting: ((mail: ReceivedMail) => void)[] = [];
  const refused = (step: string, what: string) =>
    refusal?.step === step && (refusal.only ?? what) === what
      ? Object.assign(new Error(`no: ${what}`), { responseCode: refusal.code })
      : undefined;
  const { certificate, isImplicit = false, credentials } = options;
  const handlers: SMTPServerOptions = {
    ...(certificate ?? {}),
    secure: isImplicit,
    authOptional: credentials === undefined,
    disabledCommands: [...(certificate ? [] : ['STARTTLS']), ...(credentials ? [] : ['AUTH'])],
    logger: false,
    onAuth({ username, password }, _session, callback) {
      const isRight = username === credentials?.user && password === credentials?.pass;
      callback(isRight ? null : new Error(`no ${username}`), isRight ? { user: username } : undefined);
    },
    onMailFrom: ({ address }, _session, callback) => callback(refused('sender', address)),
    onRcptTo: ({ address }, _session, callback) => callback(refused('recipient', address)),
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const problem = refused('message', raw);
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          isEncrypted: session.secure,
          user: session.user as string | undefined,
        };
        if (!problem) {
          received.push(mail);
          for (const tell of waiting) tell(mail);
          waiting = [];
        }
        callback(problem ?? null);
      });
    },
  };
  const server = new SMTPServer(handlers);
  // A client that does not trust the certificate hangs up; without this handler the error would be uncaught.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    refuse(with_) {
      refusal = with_;
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
