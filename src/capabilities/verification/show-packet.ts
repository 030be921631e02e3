import type { Readable } from 'node:stream';
import { findPossibleDuplicates } from '#capabilities/customers/lifecycle/list-store.ts';
import { loadOwners } from '#capabilities/customers/present-owner.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import { openProfile } from '#capabilities/customers/profile/profile.ts';
import { customerNotFound, findLiveCustomer } from '#capabilities/customers/store.ts';
import { documentHolderOf, openDocumentNumber } from '#capabilities/documents/present.ts';
import { type DocumentRow, findDocument, listCustomerDocuments } from '#capabilities/documents/store.ts';
import { changesBetween, type Fingerprint, fingerprintOf } from '#capabilities/verification/fingerprint.ts';
import { presentVerification } from '#capabilities/verification/present.ts';
import { isOpenRecord } from '#capabilities/verification/record.ts';
import { checkPacket } from '#capabilities/verification/rules.ts';
import { listNewestVerifications, type VerificationRow } from '#capabilities/verification/store.ts';
import { loadPacket } from '#capabilities/verification/submit-customer.ts';
import { listAuditRows, openAuditLines } from '#foundation/audit/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { readContent } from '#foundation/uploads/contents.ts';

const VERIFICATIONS_SHOWN = 5;
const DUPLICATES_SHOWN = 20;
const DECISIONS_SHOWN = 10;

/**
 * Shows all data for a decision, with identification numbers in clear text, so the caller records who looks
 * (customers.md §4.4.10a).
 */
export async function showPacket(tx: ReadTx, customerId: CustomerId) {
  const customer = await findLiveCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  const { identifier } = openProfile(tx.vault, customer).person;
  const owners = await loadOwners(tx, [customerId]);
  const documents = await listCustomerDocuments(tx, customerId);
  const verifications = await listNewestVerifications(tx, customerId, VERIFICATIONS_SHOWN);
  const packet = await loadPacket(tx, customer);
  const duplicates = await findPossibleDuplicates(tx, customer, DUPLICATES_SHOWN);
  return {
    customer: { ...(await presentCustomer(tx, customer)), ...(identifier !== undefined && { identifier }) },
    verifications: verifications.map(presentVerification),
    changes: changesOf(verifications, fingerprintOf(packet)),
    decisions: await listDecisions(tx, customerId),
    possibleDuplicates: duplicates.map(({ customer_id, shares }) => ({
      customer: publicId('Customer', customer_id),
      shares,
    })),
    problemsFoundByUs: checkPacket(packet, tx.now),
    beneficialOwners: owners.get(customerId) ?? [],
    documents: documents.map((row) => presentFile(tx, row)),
  };
}

/** Returns the differences from the submission before this one. Null: there was none, or an earlier version stored it. */
function changesOf(verifications: readonly VerificationRow[], now: Fingerprint) {
  const before = verifications.find((row) => !isOpenRecord(row) && row.submitted !== undefined);
  if (!before?.submitted) return null;
  return { since: before.updated_at.toISOString(), ...changesBetween(before.submitted, now) };
}

/** Decisions of operators on this customer with their reasons, the newest first. */
async function listDecisions(tx: ReadTx, customerId: CustomerId) {
  const resource = publicId('Customer', customerId);
  const wanted = (decision: string) => ({ resource, platform: tx.platformId, action: `review ${decision}` });
  const found = [];
  for (const decision of ['APPROVE', 'CORRECTABLE', 'REJECT']) {
    found.push(...(await listAuditRows(tx.runtime.database, wanted(decision), { limit: DECISIONS_SHOWN })));
  }
  const lines = await openAuditLines(tx.runtime, found);
  return lines
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, DECISIONS_SHOWN)
    .map(({ at, action, actor_id, details: { reason, problems } }) => ({
      ...{ at: at.toISOString(), decision: action.replace('review ', ''), by: actor_id },
      ...{ reason, problems },
    }));
}

/** Opens a document's file for an operator. The caller records who looks; no operation of platforms returns it. */
export async function openDocument(
  tx: ReadTx,
  documentId: Id<'Document'>,
): Promise<{ file: FileReply; customerId: CustomerId; content: Readable }> {
  const row = await findDocument(tx, documentId);
  if (!row) throw notFound('NOT_FOUND', 'Document');
  const file = presentFile(tx, row);
  return { file, customerId: row.customer_id, content: await readContent(tx, row.content_id) };
}

type FileReply = ReturnType<typeof presentFile>;

function presentFile(tx: ReadTx, row: DocumentRow) {
  return {
    id: publicId('Document', row.id),
    documentHolder: documentHolderOf(row),
    documentType: row.document_type,
    side: row.side ?? undefined,
    country: row.country,
    documentNumber: openDocumentNumber(tx.vault, row),
    issuingAuthority: row.issuing_authority ?? undefined,
    fileName: row.file_name,
    mediaType: row.media_type,
    uploadedAt: row.updated_at.toISOString(),
  };
}
