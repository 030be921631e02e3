import { type CompleteTable, rowFor } from '#edge/sandbox/table.ts';
import type { DomainProof, UmaDomainsPort } from '#foundation/ports/uma-domains.ts';

/** platform.md §3.2.2a: a domain can be tried without owning it. */
export const UMA_DOMAINS_TABLE: CompleteTable<DomainProof> = {
  id: 'uma-domains',
  title: 'A UMA domain of one’s own',
  intro:
    'The `umaDomain` of the configuration decides. In production a DNS record of the domain, or the operator, has to confirm ' +
    'that it belongs to the platform.',
  column: 'Domain',
  operations: ['updatePlatformConfig'],
  rows: [
    {
      value: 'unproven.example',
      example: 'unproven.example',
      effect: 'Refused, as production refuses a domain without a proof that it is the platform’s.',
      shows: { code: 'INVALID_INPUT', 'details.errors.0.field': 'umaDomain' },
      does: 'MISSING',
    },
  ],
  otherwise: {
    value: 'any other that no platform has',
    example: 'pay.elsewhere.example',
    effect: 'Becomes the domain of new UMA addresses at once.',
    shows: { umaDomain: 'pay.elsewhere.example' },
    does: 'PROVEN',
  },
};

export const sandboxUmaDomains: UmaDomainsPort = {
  findProof: async (domain) => rowFor(UMA_DOMAINS_TABLE, domain).does,
};
