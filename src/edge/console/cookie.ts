import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whose session a cookie carries. A browser may have one of each. */
export type SessionOwner = 'developer' | 'operator';

/**
 * The name of the cookie (operator.md §3.1). The prefix makes browsers refuse one that another host of the same site has
 * set; over plain http such a name is not allowed.
 */
function nameFor({ protocol }: FastifyRequest, owner: SessionOwner | 'issuer'): string {
  return protocol === 'https' ? `__Host-corridor-${owner}` : `corridor-${owner}`;
}

function attributesFor({ protocol }: FastifyRequest): CookieSerializeOptions {
  return { path: '/', httpOnly: true, secure: protocol === 'https', sameSite: 'strict' };
}

/** The secret of the session that the browser has, if it sent one. */
export function readSessionCookie(request: FastifyRequest, owner: SessionOwner): string | undefined {
  return request.cookies[nameFor(request, owner)];
}

/** It ends with the browser's session or with ours, whichever is first. */
export function setSessionCookie(reply: FastifyReply, owner: SessionOwner, secret: string): void {
  reply.setCookie(nameFor(reply.request, owner), secret, attributesFor(reply.request));
}

/**
 * The cookie that ties an answer of the issuer to the browser that asked (operator.md §3.3). It is `Lax`, because the
 * issuer's redirect comes from another site.
 */
export function setIssuerCookie(reply: FastifyReply, kept: string, lifeMs: number): void {
  const attributes = { ...issuerAttributes(reply.request), maxAge: lifeMs / 1000 };
  reply.setCookie(nameFor(reply.request, 'issuer'), kept, attributes);
}

export function readIssuerCookie(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request, 'issuer')];
}

export function clearIssuerCookie(reply: FastifyReply): void {
  reply.clearCookie(nameFor(reply.request, 'issuer'), issuerAttributes(reply.request));
}

function issuerAttributes(request: FastifyRequest): CookieSerializeOptions {
  return { ...attributesFor(request), sameSite: 'lax' };
}

export function clearSessionCookie(reply: FastifyReply, owner: SessionOwner): void {
  reply.clearCookie(nameFor(reply.request, owner), attributesFor(reply.request));
}
