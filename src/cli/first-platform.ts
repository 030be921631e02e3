import type { Config } from '#config.ts';
import type { Surroundings } from '#database/tx.ts';
import { createFirstPlatform } from '#tokens/create-platform.ts';

/** The credentials of a platform that was just made. */
export interface FirstPlatform {
  readonly tokenId: string;
  /** Absent where the operator chose it: then there is nothing to show. */
  readonly clientSecret: string | undefined;
}

/** Gives an empty database a sandbox platform, so that a developer can call the API at once (§1.3.8). */
export async function provideFirstPlatform(
  surroundings: Surroundings,
  { firstToken }: Config,
): Promise<FirstPlatform | undefined> {
  const created = await createFirstPlatform(
    surroundings,
    { kind: 'operator', id: 'first start' },
    { name: 'Sandbox', environment: 'SANDBOX', token: { credentials: firstToken } },
  );
  if (!created) return undefined;
  return { tokenId: created.token.client_id, clientSecret: firstToken ? undefined : created.clientSecret };
}
