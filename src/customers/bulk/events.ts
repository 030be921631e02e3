import { BulkCustomerImportJob } from '#customers/bulk/schemas.ts';
import { webhookBody } from '#events/webhook-schema.ts';
import type { WebhookDeclaration } from '#http/openapi.ts';

export const bulkUploadWebhook: WebhookDeclaration = {
  name: 'bulk-upload',
  summary: 'An import of customers ended',
  description:
    'Sent once when an import is done: `COMPLETED` with at least one customer made, else `FAILED`.',
  body: webhookBody(
    'BulkUploadWebhook',
    ['BULK_UPLOAD.COMPLETED', 'BULK_UPLOAD.FAILED'],
    BulkCustomerImportJob,
    'An import of customers and how it ended.',
  ),
};
