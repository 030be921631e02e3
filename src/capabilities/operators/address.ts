import { isIP } from 'node:net';
import { type IssuerOfOperators, issuerName } from '#capabilities/operators/issuer-settings.ts';
import type { OperatorRow } from '#capabilities/operators/row.ts';
import { replaceAddress } from '#capabilities/operators/store.ts';
import { hashCode } from '#foundation/codes/codes.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { CODE_KINDS, randomCode } from '#foundation/lib/code-kinds.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { MessageOutcome } from '#foundation/ports/messages.ts';

const { form: FORM, lifeMs: LIFE_MS } = CODE_KINDS.OPERATOR;

/** What the folder needs to know of how the service is reached. */
export interface OperatorParts {
  readonly consoleSettings:
    | { readonly url?: string | undefined; readonly issuer?: IssuerOfOperators | undefined }
    | undefined;
  publicUrl(): string;
}

/** The relying party of operators' passkeys, and the only origin on which they are used. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** Where the console is: passkeys belong to its host (operator.md §1.3). */
export function relyingPartyOf({ consoleSettings, publicUrl }: OperatorParts): RelyingParty {
  const { hostname, origin } = new URL(consoleSettings?.url ?? publicUrl());
  return { id: hostname, origin };
}

/** Browsers know passkeys of host names only, and only over https or on this machine. */
export function checkRelyingParty({ id, origin }: RelyingParty): Refusal | undefined {
  const isNamed = isIP(id.replace(/^\[|\]$/g, '')) === 0;
  if (isNamed && (origin.startsWith('https:') || id === 'localhost')) return undefined;
  return new Refusal(
    'NOT_IMPLEMENTED',
    `Passkeys work over https at a host name only, and the console is at ${origin}. Set CONSOLE_URL or PUBLIC_URL.`,
  );
}

/** Whether people can be invited: they join with a passkey, or sign in at the issuer. */
export function checkInvitable(parts: OperatorParts): Refusal | undefined {
  return parts.consoleSettings?.issuer ? undefined : checkRelyingParty(relyingPartyOf(parts));
}

/** Where an issuer is set, operators join and sign in there and nowhere else (operator.md §1.3a). */
export function checkPasskeyEntry({ consoleSettings }: OperatorParts): Refusal | undefined {
  const issuer = consoleSettings?.issuer;
  if (!issuer) return undefined;
  return new Refusal(
    'FORBIDDEN',
    `Operators sign in at ${issuerName(issuer)}. Passkeys only prove presence here.`,
  );
}

/** An address with which an operator joins once. It is shown or mailed, and never stored. */
export interface NewAddress {
  readonly url: string;
  readonly expiresAt: Date;
  /** Whether it is mailed, and shown to nobody. */
  readonly isMailed: boolean;
  /** After the commit: whether the mail server took it. */
  readonly delivered: Promise<boolean>;
}

const DELIVERED = Symbol('whether the mail server took the address');

/** Marks the reply about an address, so that a command can wait for the mail. JSON omits the mark. */
export function withDelivery<Reply extends object>(reply: Reply, { delivered }: NewAddress): Reply {
  return Object.defineProperty(reply, DELIVERED, { value: delivered });
}

/** Whether the mail server took the address of a reply that `withDelivery` has marked. */
export async function wasDelivered(reply: object): Promise<boolean> {
  return DELIVERED in reply && (await (reply[DELIVERED] as Promise<boolean>));
}

/** Makes an address, which voids the previous one (operator.md §1.2). Only a hash of its secret is stored. */
export async function createJoinAddress(
  tx: Tx,
  operator: OperatorRow,
  parts: OperatorParts,
): Promise<NewAddress> {
  const secret = randomCode(FORM);
  const createdAt = new Date(tx.runtime.clock.now());
  const expiresAt = new Date(createdAt.getTime() + LIFE_MS);
  const hash = hashAddress(tx, secret);
  await replaceAddress(tx, operator.id, { hash, createdAt, expiresAt });
  // Behind the hash sign, so that no server, proxy or referrer gets it.
  const issuer = parts.consoleSettings?.issuer;
  const path = issuer ? 'sign-in' : `join#${secret}`;
  const url = `${relyingPartyOf(parts).origin}/console/operator/${path}`;
  const { messages } = tx.runtime.ports('PRODUCTION');
  const isMailed = messages.supports('EMAIL');
  const { promise: delivered, resolve } = Promise.withResolvers<boolean>();
  if (isMailed) {
    tx.afterCommit(
      () =>
        void mailAddress(tx, operator, textFor(operator, url, issuer)).then(
          (outcome) => resolve(outcome === 'sent'),
          () => resolve(false),
        ),
    );
  }
  return { url, expiresAt, isMailed, delivered };
}

/** The secret is stored nowhere, so the mail cannot be repeated: if it is lost, an admin makes another address. */
async function mailAddress(
  { runtime }: Tx,
  { id, email }: OperatorRow,
  { subject, text }: { readonly subject: string; readonly text: string },
): Promise<MessageOutcome> {
  return runtime.ports('PRODUCTION').messages.send({
    reference: `operator-address:${id}:${runtime.clock.now()}`,
    platformId: INSTALLATION.id,
    channel: 'EMAIL',
    recipient: email,
    senderName: 'Corridor',
    ...{ subject, text },
    at: new Date(runtime.clock.now()),
  });
}

function textFor({ name }: OperatorRow, url: string, issuer: IssuerOfOperators | undefined) {
  const unexpected = 'If you did not expect this message, tell an administrator.\n';
  if (issuer) {
    const how = `sign in here within 24 hours, with your account at ${issuerName(issuer)}.`;
    return { subject: 'Sign in as an operator', text: `Hello ${name},\n\n${how}\n\n${url}\n\n${unexpected}` };
  }
  return {
    subject: 'Register your passkey as an operator',
    text:
      `Hello ${name},\n\nopen this address within 24 hours to register a passkey. It works once.\n\n${url}\n\n` +
      `A passkey that you had before no longer works. ${unexpected}`,
  };
}

export function hashAddress({ vault }: Pick<Tx, 'vault'>, secret: string): Buffer {
  return hashCode(vault, 'OPERATOR', [], secret);
}
