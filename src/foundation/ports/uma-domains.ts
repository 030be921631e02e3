import { publicId } from '#foundation/lib/ids.ts';

/** `MISSING`: nothing says so; `UNREACHABLE`: nobody could be asked. */
export type DomainProof = 'PROVEN' | 'MISSING' | 'UNREACHABLE';

/** Whether a platform owns the domain that it wants for its UMA addresses (platform.md §3.2.2a). */
export interface UmaDomainsPort {
  findProof(domain: string, platformId: string): Promise<DomainProof>;
}

/** The DNS record by which the owner of a domain lets a platform have it. */
export function domainRecord(domain: string, platformId: string): { name: string; text: string } {
  return { name: `_uma-platform.${domain}`, text: publicId('Platform', platformId) };
}
