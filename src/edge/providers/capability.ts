import type { FastifyInstance } from 'fastify';
import { connectorDoor } from '#edge/providers/connectors/nudge.ts';
import { type DoorParts, openDoor } from '#edge/providers/intake/door.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { Manifest } from '#foundation/manifest.ts';

interface ProviderParts extends DoorParts {
  readonly runtime: Runtime;
}

/** The doors for what providers call. */
export const providers = {
  name: 'providers',
  pages: (http: FastifyInstance, parts: ProviderParts) => openDoor(http, connectorDoor(parts.runtime), parts),
} satisfies Manifest<ProviderParts>;
