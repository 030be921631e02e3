import { type Corridor, type CorridorOptions, createCorridor } from '@corridor/client';
import type { TestPlatform, World } from '#tests/harness/harness.ts';

/** The client of a platform's developer, over HTTP. */
export async function givenClient(
  world: World,
  platform: TestPlatform,
  options: Partial<CorridorOptions> = {},
): Promise<Corridor> {
  return createCorridor({ ...(await connectionTo(world, platform)), ...options });
}

/** The address of the service, and the platform's credentials. */
export async function connectionTo({ app }: World, { authorization }: TestPlatform) {
  if (!app.http.server.listening) await app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.http.server.address() as { port: number };
  const [tokenId = '', clientSecret = ''] = atob(authorization.slice('Basic '.length)).split(':');
  return { baseUrl: `http://127.0.0.1:${port}`, tokenId, clientSecret };
}
