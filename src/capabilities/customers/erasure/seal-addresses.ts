import {
  listConsents,
  listTerms,
  sealConsents,
  sealTerms,
} from '#capabilities/customers/erasure/clear-addresses-store.ts';
import { consentContext, termsIpContext } from '#capabilities/customers/store.ts';
import { endUserIpContext, listAddresses, sealAddresses } from '#foundation/audit/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { JobHandlers } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

const KIND = 'customers.seal-addresses';
const BATCH = 500;

/** A table that has addresses in clear, read page by page along its key. */
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

/** Which table is read, and how far; each row is looked at once. */
interface Progress {
  readonly stage?: number;
  readonly after?: readonly string[];
}

/**
 * Seals the addresses of end users that an earlier version stored in clear, a page in each run. The migration that made the
 * columns scheduled it for every platform (migrations/0048_sealed_addresses.sql).
 */
export const sealAddressesJobs: JobHandlers = {
  [KIND]: {
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
