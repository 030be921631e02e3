import { FAILED_IMPORT_JOB, IMPORT_JOB_DONE } from '#capabilities/customers/bulk/examples.ts';
import { BulkCustomerImportJob } from '#capabilities/customers/bulk/schemas.ts';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';

export const bulkUploadWebhook: WebhookDeclaration<BulkCustomerImportJob> = {
  name: 'bulk-upload',
  summary: 'An import of customers ended',
  description:
    'Sent once when an import ends: `COMPLETED` if it created at least one customer, else `FAILED`.',
  body: webhookBody(
    'BulkUploadWebhook',
    ['BULK_UPLOAD.COMPLETED', 'BULK_UPLOAD.FAILED'],
    BulkCustomerImportJob,
    'An import of customers and its outcome.',
  ),
  examples: {
    'BULK_UPLOAD.COMPLETED': IMPORT_JOB_DONE,
    'BULK_UPLOAD.FAILED': FAILED_IMPORT_JOB,
  },
};
