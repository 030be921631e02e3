import type { Config, FirstToken } from '#app/config.ts';
import { createFirstPlatform } from '#capabilities/tokens/create-platform.ts';
import type { CredentialsFile } from '#cli/serve/credentials-file.ts';
import { scheduleSeeds } from '#edge/sandbox/seeds.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { createAuthenticate } from '#foundation/http/serve/access.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** The credentials of the platform that was just created. */
export interface FirstPlatform {
  readonly id: PlatformId;
  readonly tokenId: string;
  /** Absent if the operator configured it: then it need not be shown. */
  readonly clientSecret: string | undefined;
}

/** Creates a sandbox platform in an empty database, so that a developer can call the API at once (platform.md §1.3.8). */
export async function ensureFirstPlatform(
  runtime: Runtime,
  { firstToken, firstPlatformRegulated, sandboxSeeds }: Config,
  { warn, file }: { warn: (line: string) => void; file?: CredentialsFile | undefined },
): Promise<FirstPlatform | undefined> {
  const creating = createFirstPlatform(
    runtime,
    { kind: 'operator', id: 'first start' },
    {
      name: 'Sandbox',
      environment: 'SANDBOX',
      settings: firstPlatformRegulated ? { isRegulatedFinancialInstitution: true } : {},
      token: { credentials: firstToken },
      // The example customers accept our terms, not those of a regulated institution.
      ...(sandboxSeeds && !firstPlatformRegulated && { also: scheduleSeeds }),
      ...(file && !firstToken && { keep: file.write }),
    },
  );
  const created = await creating.catch(async (error) => {
    await file?.discard();
    throw error;
  });
  if (created) {
    const { id, token, clientSecret } = created;
    return { id, tokenId: token.client_id, clientSecret: firstToken ? undefined : clientSecret };
  }
  if (firstToken && !(await isValidToken(runtime, firstToken))) {
    warn(
      'API_TOKEN_ID and API_CLIENT_SECRET are not credentials of this database: they only take effect at its first start.',
    );
  }
  return undefined;
}

async function isValidToken({ database }: Runtime, token: FirstToken): Promise<boolean> {
  const name = 'clientId' in token ? token.clientId : token.id;
  const basic = Buffer.from(`${name}:${token.clientSecret}`).toString('base64');
  return !((await createAuthenticate(database)(`Basic ${basic}`)) instanceof Refusal);
}
