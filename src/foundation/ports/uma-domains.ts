import { publicId } from '#foundation/lib/ids.ts';

/** `MISSING`: there is no proof; `UNREACHABLE`: no name server could be asked. */
export type DomainProof = 'PROVEN' | 'MISSING' | 'UNREACHABLE';

/** Checks whether a platform owns the domain that it wants for its UMA addresses (platform.md §3.2.2a). */
export interface UmaDomainsPort {
  findProof(domain: string, platformId: PlatformId): Promise<DomainProof>;
}

/** The DNS record with which the owner of a domain assigns it to a platform. */
export function domainRecord(domain: string, platformId: PlatformId): { name: string; text: string } {
  return { name: `_uma-platform.${domain}`, text: publicId('Platform', platformId) };
}
