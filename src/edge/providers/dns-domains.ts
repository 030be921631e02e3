import { Resolver } from 'node:dns/promises';
import { type DomainProof, domainRecord, type UmaDomainsPort } from '#foundation/ports/uma-domains.ts';

/** The texts of a name's TXT records, each in the pieces that DNS returns. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

const TIMEOUT_MS = 3_000;
const TRIES = 2;

/** The system's own name servers. */
export const systemTxt: ResolveTxt = (name) =>
  new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }).resolveTxt(name);

/** The name, or its TXT record, does not exist. */
const NOTHING_THERE = ['ENOTFOUND', 'ENODATA'];

/** A DNS record proves that a platform owns a domain, because only the owner can write it. */
export function dnsDomains(resolveTxt: ResolveTxt): UmaDomainsPort {
  return {
    async findProof(domain, platformId): Promise<DomainProof> {
      const { name, text } = domainRecord(domain, platformId);
      try {
        const records = await resolveTxt(name);
        return records.some((pieces) => pieces.join('').trim() === text) ? 'PROVEN' : 'MISSING';
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return NOTHING_THERE.some((known) => known === code) ? 'MISSING' : 'UNREACHABLE';
      }
    },
  };
}
