import { supportedIssuers } from '#edge/providers/issuer-keys.ts';
import { localCustody } from '#edge/providers/local-custody.ts';
import { type ProductionPortParts, productionPorts } from '#edge/providers/ports.ts';
import { type SandboxPortParts, sandboxPorts } from '#edge/sandbox/ports.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import type { Ports } from '#foundation/ports/ports.ts';

export type PortOptions = Omit<ProductionPortParts, 'runtime'> &
  Omit<SandboxPortParts, 'custody' | 'issuers' | 'publicUrl'>;

/** The adapters of each environment: the only place that chooses between them. */
export function createPorts(
  options: PortOptions,
  publicUrl: () => string,
  runtime: () => Runtime,
): Record<Environment, Ports> {
  return {
    SANDBOX: sandboxPorts({
      ...options,
      publicUrl,
      custody: localCustody({ network: 'sparkt', signsExports: false }),
      issuers: supportedIssuers(options.providers?.issuers),
    }),
    PRODUCTION: productionPorts({ ...options, runtime }),
  };
}
