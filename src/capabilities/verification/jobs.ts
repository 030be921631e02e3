import { loadOwners } from '#capabilities/customers/present-owner.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import { openProfile } from '#capabilities/customers/profile/profile.ts';
import { findLiveCustomer } from '#capabilities/customers/store.ts';
import { documentHolderOf, openDocumentNumber } from '#capabilities/documents/present.ts';
import { type DocumentRow, listCustomerDocuments } from '#capabilities/documents/store.ts';
import { applyDecision } from '#capabilities/verification/decide.ts';
import { isOpenRecord } from '#capabilities/verification/record.ts';
import { findVerification } from '#capabilities/verification/store.ts';
import { SUBMIT_JOB } from '#capabilities/verification/submit-customer.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { concerning, type Job, type JobDeclarations } from '#foundation/jobs/handlers.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Submission, SubmittedDocument } from '#foundation/ports/identity.ts';
import { readContent } from '#foundation/uploads/contents.ts';

/** Sends packets to the provider, after the commit that recorded them. */
export const verificationJobs: JobDeclarations = {
  [SUBMIT_JOB]: {
    due: concerning(
      'Verification',
      (id) => `The service submits ${id} to the identity provider.`,
      'verificationId',
    ),
    async call(work, job) {
      const { verificationId } = (job as Job<{ verificationId: Id<'Verification'> }>).payload;
      const decision = await work.read(async (tx) => {
        const submission = await loadSubmission(tx, verificationId);
        return submission && tx.ports.identity.submit(submission);
      });
      return async (tx) => {
        if (decision) await applyDecision(tx, verificationId, decision);
      };
    },
  },
};

/** Loads the packet's current state; undefined if it has been decided meanwhile. */
async function loadSubmission(
  tx: ReadTx,
  verificationId: Id<'Verification'>,
): Promise<Submission | undefined> {
  const verification = await findVerification(tx, verificationId);
  if (!verification || !isOpenRecord(verification)) return undefined;
  const customer = await findLiveCustomer(tx, verification.customer_id);
  if (!customer) return undefined;
  const { identifier } = openProfile(tx.vault, customer).person;
  const owners = await loadOwners(tx, [customer.id]);
  const documents = await listCustomerDocuments(tx, customer.id);
  return {
    reference: publicId('Verification', verification.id),
    customerType: customer.customer_type,
    customer: { ...(await presentCustomer(tx, customer)), ...(identifier !== undefined && { identifier }) },
    owners: owners.get(customer.id) ?? [],
    documents: documents.map((row) => toSubmittedDocument(tx, row)),
  };
}

function toSubmittedDocument(tx: ReadTx, row: DocumentRow): SubmittedDocument {
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
    content: () => readContent(tx, row.content_id),
  };
}
