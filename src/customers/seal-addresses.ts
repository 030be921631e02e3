import { type AddressedRow, endUserIpContext, listAddresses, sealAddresses } from '#audit/store.ts';
import {
  listClearConsents,
  listClearTerms,
  sealConsents,
  sealTerms,
} from '#customers/clear-addresses-store.ts';
import { consentContext, termsIpContext } from '#customers/store.ts';
import type { Tx } from '#database/tx.ts';
import type { JobHandlers } from '#jobs/handlers.ts';
import { schedule } from '#jobs/schedule.ts';

const KIND = 'customers.seal-addresses';
const BATCH = 500;

/** How far the audit log was looked through. */
interface Progress {
  readonly after?: Pick<AddressedRow, 'at' | 'id'>;
}

/**
 * Seals the addresses of end users that an earlier version stored in clear, a bounded part in each run. The migration that
 * made the columns scheduled it for every platform (migrations/0048_sealed_addresses.sql).
 */
export const sealAddressesJobs: JobHandlers = {
  [KIND]: {
    async run(tx, { payload }) {
      const { after } = payload as Progress;
      const consents = await listClearConsents(tx, BATCH);
      await sealConsents(tx, sealedBy(tx, consents, consentContext));
      const terms = await listClearTerms(tx, BATCH);
      await sealTerms(tx, sealedBy(tx, terms, termsIpContext));
      const rows = await listAddresses(tx, after, BATCH);
      const clear = rows.filter((row): row is AddressedRow & { address: string } => row.address !== null);
      await sealAddresses(tx, sealedBy(tx, clear, endUserIpContext));
      if ([consents, terms, rows].every((each) => each.length < BATCH)) return;
      const last = rows.at(-1);
      const next: Progress = last ? { after: { at: last.at, id: last.id } } : { ...(after && { after }) };
      schedule(tx, { kind: KIND, payload: next, afterMs: 0 });
    },
  },
};

function sealedBy(
  tx: Tx,
  rows: readonly { readonly id: string; readonly address: string }[],
  contextOf: (id: string) => string,
) {
  return rows.map(({ id, address }) => ({ id, address: tx.vault.seal(address, contextOf(id)) }));
}
