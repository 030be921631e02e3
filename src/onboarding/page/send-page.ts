import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from '#onboarding/page/html.ts';
import { STYLE } from '#onboarding/page/style.ts';

export interface Page {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** Where a sent form may lead beside back to us: browsers check the redirect that follows it, too. */
  readonly redirectUri?: string | null | undefined;
}

/** A page that loads nothing, runs nothing, is framed by nobody, kept nowhere, and tells nobody its address. */
export function sendPage(reply: FastifyReply, { status, title, body, redirectUri }: Page): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policyFor(redirectUri ?? undefined))
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .send(documentOf(title, body));
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

function policyFor(redirectUri: string | undefined): string {
  const target = redirectUri === undefined ? '' : ` ${sourceOf(new URL(redirectUri))}`;
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "base-uri 'none'",
    `form-action 'self'${target}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** A policy cannot name an IPv6 address; its scheme is the narrowest that can be said. */
function sourceOf({ protocol, hostname, origin }: URL): string {
  return hostname.startsWith('[') ? protocol : origin;
}

/** The style is ours and holds nothing that could end its element. */
function documentOf(title: string, body: Html): string {
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>`;
  return `<!doctype html>
<html lang="en">
<head>
${head.text}
<style>${STYLE}</style>
</head>
<body>
${body.text}
</body>
</html>
`;
}
