import { after, before } from 'node:test';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { type PlatformOptions, type TestPlatform, testWorld, type World } from '#tests/harness/harness.ts';
import { createIssuer, goodClaims, type TestIssuer } from '#tests/harness/issuer.ts';
import { createMailServer, type MailServer } from '#tests/harness/mail-server.ts';
import { activateWallet, givenWallet, type Login, logIn, type Wallet } from '#tests/harness/wallet-client.ts';

/** A world whose production platforms send codes by mail and accept tokens of an issuer. */
export interface ProductionWallets {
  readonly world: World;
  /** Where the codes arrive. */
  readonly mail: MailServer;
  readonly issuer: TestIssuer;
  /** Claims of the issuer that are good now, for a client with this key. */
  claims(clientPublicKey: string): ReturnType<typeof goodClaims>;
  /** A production platform with a wallet that is provisioned and whose owner is approved. */
  givenOwner(options?: Omit<PlatformOptions, 'environment'>): Promise<Owner>;
  /** The last code that was sent. */
  mailedCode(platform: TestPlatform): Promise<string>;
  logInByMail(owner: Owner): Promise<Login>;
}

export interface Owner {
  readonly platform: TestPlatform;
  readonly wallet: Wallet;
}

/** Call inside `describe`, in the place of `testWorld`. */
export function productionWallets(): ProductionWallets {
  const providers: { -readonly [Name in keyof ProviderSettings]: ProviderSettings[Name] } = {};
  const servers = {} as { mail: MailServer; issuer: TestIssuer };
  before(async () => {
    const mail = await createMailServer();
    const issuer = await createIssuer('https://login.example.com', 'ES256');
    Object.assign(servers, { mail, issuer });
    providers.email = { host: '127.0.0.1', port: mail.port, encryption: 'none', from: 'codes@acme.example' };
    providers.issuers = [{ issuer: issuer.issuer, jwksUrl: issuer.jwksUrl }];
  });
  const world = testWorld({ providers: () => providers });
  after(async () => {
    await servers.mail.close();
    await servers.issuer.keys.close();
  });

  const mailedCode = async (platform: TestPlatform) => {
    await world.app.worker.settle(platform.id);
    return /code is ([0-9A-Z]+)\./.exec(servers.mail.received.at(-1)?.raw ?? '')?.[1] ?? '';
  };
  return {
    world,
    get mail() {
      return servers.mail;
    },
    get issuer() {
      return servers.issuer;
    },
    claims: (clientPublicKey) => ({
      ...goodClaims(new Date(world.clock.now()), clientPublicKey),
      iss: servers.issuer.issuer,
    }),
    async givenOwner(options) {
      const platform = await world.platform({ ...options, environment: 'PRODUCTION' });
      const wallet = await givenWallet(platform);
      await activateWallet(platform, wallet);
      return { platform, wallet };
    },
    mailedCode,
    logInByMail: ({ platform, wallet }) =>
      logIn(platform, wallet.credentialId, { code: () => mailedCode(platform) }),
  };
}
