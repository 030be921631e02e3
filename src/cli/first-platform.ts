import type { Config, FirstToken } from '#config.ts';
import type { Runtime } from '#database/tx.ts';
import { createAuthenticate } from '#http/access.ts';
import { Refusal } from '#lib/refusals.ts';
import { createFirstPlatform } from '#tokens/create-platform.ts';

/** The credentials of a platform that was just made. */
export interface FirstPlatform {
  readonly tokenId: string;
  /** Absent where the operator chose it: then there is nothing to show. */
  readonly clientSecret: string | undefined;
}

/** Gives an empty database a sandbox platform, so that a developer can call the API at once (platform.md §1.3.8). */
export async function provideFirstPlatform(
  runtime: Runtime,
  { firstToken, firstPlatformRegulated }: Config,
  warn: (line: string) => void,
): Promise<FirstPlatform | undefined> {
  const created = await createFirstPlatform(
    runtime,
    { kind: 'operator', id: 'first start' },
    {
      name: 'Sandbox',
      environment: 'SANDBOX',
      settings: firstPlatformRegulated ? { isRegulatedFinancialInstitution: true } : {},
      token: { credentials: firstToken },
    },
  );
  if (created) {
    return { tokenId: created.token.client_id, clientSecret: firstToken ? undefined : created.clientSecret };
  }
  if (firstToken && !(await works(runtime, firstToken))) {
    warn(
      'API_TOKEN_ID and API_CLIENT_SECRET are no credentials of this database: they count at its first start.',
    );
  }
  return undefined;
}

async function works({ database }: Runtime, token: FirstToken): Promise<boolean> {
  const name = 'clientId' in token ? token.clientId : token.id;
  const basic = Buffer.from(`${name}:${token.clientSecret}`).toString('base64');
  return !((await createAuthenticate(database)(`Basic ${basic}`)) instanceof Refusal);
}
