import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The name of the cookie (operator.md §3.1). The prefix makes browsers refuse one that another host of the same site has
 * set; over plain http such a name is not allowed.
 */
function nameFor({ protocol }: FastifyRequest): string {
  return protocol === 'https' ? '__Host-corridor-developer' : 'corridor-developer';
}

function attributesFor({ protocol }: FastifyRequest): CookieSerializeOptions {
  return { path: '/', httpOnly: true, secure: protocol === 'https', sameSite: 'strict' };
}

/** The secret of the session that the browser has, if it sent one. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request)];
}

/** It ends with the browser's session or with ours, whichever is first. */
export function setSessionCookie(reply: FastifyReply, secret: string): void {
  reply.setCookie(nameFor(reply.request), secret, attributesFor(reply.request));
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(nameFor(reply.request), attributesFor(reply.request));
}
