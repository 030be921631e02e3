import { consentContext, termsIpContext } from '#capabilities/customers/consent-store.ts';
import {
  listConsents,
  listTerms,
  sealConsents,
  sealTerms,
} from '#capabilities/customers/erasure/clear-addresses-store.ts';
import { endUserIpContext, listAddresses, sealAddresses } from '#foundation/audit/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

const KIND = 'customers.seal-addresses';
const BATCH = 500;

/** A table with addresses in clear text, read page by page in the order of its key. */
interface Stage {
  list(
    tx: Tx,
    after: readonly string[] | undefined,
    limit: number,
  ): Promise<readonly { id: string; address: string | null; key: readonly string[] }[]>;
  seal(tx: Tx, sealed: readonly { id: string; address: Buffer }[]): Promise<void>;
  contextOf(id: string): string;
}

const STAGES: readonly Stage[] = [
  { list: listConsents, seal: sealConsents, contextOf: consentContext },
  { list: listTerms, seal: sealTerms, contextOf: termsIpContext },
  { list: listAddresses, seal: sealAddresses, contextOf: endUserIpContext },
];

/** The table that is being read, and the position in it; each row is read once. */
interface Progress {
  readonly stage?: number;
  readonly after?: readonly string[];
}

/**
 * Seals end users' addresses that an earlier version stored in clear text, one page per run. The migration that added
 * the columns scheduled this job for every platform (migrations/0048_sealed_addresses.sql).
 */
export const sealAddressesJobs: JobDeclarations = {
  [KIND]: {
    due: 'upkeep',
    async run(tx, { payload }) {
      const { stage: number = 0, after } = payload as Progress;
      const stage = STAGES[number];
      if (!stage) return;
      const rows = await stage.list(tx, after, BATCH);
      const sealed = rows.flatMap(({ id, address }) =>
        address === null ? [] : [{ id, address: tx.vault.seal(address, stage.contextOf(id)) }],
      );
      if (sealed.length > 0) await stage.seal(tx, sealed);
      const last = rows.at(-1);
      const next: Progress =
        last && rows.length === BATCH ? { stage: number, after: last.key } : { stage: number + 1 };
      if ((next.stage ?? 0) < STAGES.length) schedule(tx, { kind: KIND, payload: { ...next }, afterMs: 0 });
    },
  },
};
