import { registerMcp } from '#edge/mcp/route.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const mcp = { name: 'mcp', pages: registerMcp } satisfies Manifest;
