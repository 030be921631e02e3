import type { Tx } from '#database/tx.ts';
import { emit } from '#events/emit.ts';
import { webhookBody } from '#events/webhook-schema.ts';
import type { WebhookDeclaration } from '#http/openapi.ts';
import { presentVerification } from '#verification/present.ts';
import { Verification } from '#verification/schemas.ts';
import type { VerificationRow } from '#verification/store.ts';

/** After the record was created, or its status changed (customers.md §8). */
export function emitVerification(tx: Tx, row: VerificationRow): void {
  const data = presentVerification(row);
  emit(tx, { type: `VERIFICATION.${row.status}`, resourceId: data.id, data });
}

export const verificationWebhook: WebhookDeclaration = {
  name: 'verification-update',
  summary: 'A verification changed',
  description:
    'Sent when a submission is made and whenever its status changes. With `VERIFICATION.RESOLVE_ERRORS`, correct ' +
    'what `data.errors` lists and submit again.',
  body: webhookBody(
    'VerificationWebhook',
    [
      'VERIFICATION.APPROVED',
      'VERIFICATION.REJECTED',
      'VERIFICATION.RESOLVE_ERRORS',
      'VERIFICATION.IN_PROGRESS',
      'VERIFICATION.PENDING_MANUAL_REVIEW',
    ],
    Verification,
    'A submission and the status it entered.',
  ),
};
