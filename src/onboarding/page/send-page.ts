import type { FastifyReply } from 'fastify';
import type { Html } from '#http/html.ts';
import { sendHtmlPage } from '#http/html-page.ts';
import { STYLE } from '#onboarding/page/style.ts';

export interface Page {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** Where a sent form may lead beside back to us: browsers check the redirect that follows it, too. */
  readonly redirectUri?: string | null | undefined;
}

export function sendPage(reply: FastifyReply, { status, title, body, redirectUri }: Page): FastifyReply {
  const target = redirectUri ? ` ${sourceOf(new URL(redirectUri))}` : '';
  return sendHtmlPage(reply, {
    status,
    title,
    body,
    style: STYLE,
    formAction: `'self'${target}`,
    headers: { 'x-robots-tag': 'noindex' },
  });
}

/** A policy cannot name an IPv6 address; its scheme is the narrowest that can be said. */
function sourceOf({ protocol, hostname, origin }: URL): string {
  return hostname.startsWith('[') ? protocol : origin;
}
