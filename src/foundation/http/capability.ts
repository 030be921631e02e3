import { eraseReplies } from '#foundation/http/idempotency/erase-replies.ts';
import { purgeKeys } from '#foundation/http/idempotency/store.ts';
import { createAuthenticate } from '#foundation/http/serve/access.ts';
import { purgeRequests } from '#foundation/http/signed/store.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const http = {
  name: 'http',
  purges: [purgeKeys, purgeRequests],
  erasers: [eraseReplies],
  authenticators: ({ database, clock }) => ({ token: createAuthenticate(database, clock) }),
} satisfies Manifest;
