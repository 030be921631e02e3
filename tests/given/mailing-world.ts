import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { testWorld, type World } from '#tests/harness/harness.ts';
import { createMailServer, type MailServer } from '#tests/harness/mail-server.ts';

/** A world that sends mail, and the server that receives it, from the first hook of the suite on. */
export function mailingWorld(): { readonly world: World; mail(): MailServer } {
  let server: MailServer | undefined;
  let providers: ProviderSettings = {};
  before(async () => {
    server = await createMailServer();
    const { port } = server;
    providers = { email: { host: 'localhost', port, encryption: 'none', from: 'corridor@example.com' } };
  });
  after(() => server?.close());
  const world = testWorld({ providers: () => providers });
  return { world, mail: () => server ?? assert.fail('no server of mail before the first hook') };
}
