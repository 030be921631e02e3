import { openPersonalInfo } from '#customers/owners/present.ts';
import { ownerRowsOf } from '#customers/owners/store.ts';
import { profileOf } from '#customers/profile.ts';
import type { CustomerRow } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import { holderOf } from '#documents/present.ts';
import { documentsOf } from '#documents/store.ts';
import { publicId } from '#lib/ids.ts';
import { checkPacket, type Packet } from '#verification/rules.ts';
import type { VerificationError } from '#verification/schemas.ts';

/** What is still missing from a customer's packet; nothing when it is complete (customers.md §4.3). */
export async function findPacketErrors(tx: ReadTx, customer: CustomerRow): Promise<VerificationError[]> {
  return checkPacket(await loadPacket(tx, customer), tx.now);
}

async function loadPacket(tx: ReadTx, customer: CustomerRow): Promise<Packet> {
  const documents = await documentsOf(tx, customer.id);
  const owners = customer.customer_type === 'BUSINESS' ? await ownerRowsOf(tx, [customer.id]) : [];
  return {
    customerId: publicId('Customer', customer.id),
    region: customer.region,
    profile: profileOf(tx.vault, customer),
    documents: documents.map((row) => ({
      holder: holderOf(row),
      type: row.document_type,
      side: row.side ?? undefined,
    })),
    owners: owners.map((row) => ({
      id: publicId('BeneficialOwner', row.id),
      roles: row.roles,
      ownershipPercentage: row.ownership_percentage,
      person: openPersonalInfo(tx.vault, row),
    })),
  };
}
