import {
  APPROVED_VERIFICATION,
  INCOMPLETE_VERIFICATION,
  REJECTED_VERIFICATION,
} from '#capabilities/verification/examples.ts';
import { presentVerification } from '#capabilities/verification/present.ts';
import { Verification } from '#capabilities/verification/schemas.ts';
import type { VerificationRow } from '#capabilities/verification/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';

/** Emits the event of a new record or a changed status (customers.md §8). */
export function emitVerification(tx: Tx, row: VerificationRow): void {
  const data = presentVerification(row);
  emit(tx, { type: `VERIFICATION.${row.status}`, resourceId: data.id, data });
}

export const verificationWebhook: WebhookDeclaration<Verification> = {
  name: 'verification-update',
  summary: 'A verification changed',
  description:
    'Sent when a submission is made and whenever its status changes. On `VERIFICATION.RESOLVE_ERRORS`, ' +
    'correct the problems in `data.errors` and submit again.',
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
  examples: {
    'VERIFICATION.APPROVED': APPROVED_VERIFICATION,
    'VERIFICATION.REJECTED': REJECTED_VERIFICATION,
    'VERIFICATION.RESOLVE_ERRORS': INCOMPLETE_VERIFICATION,
    'VERIFICATION.IN_PROGRESS': { ...APPROVED_VERIFICATION, verificationStatus: 'IN_PROGRESS' },
    'VERIFICATION.PENDING_MANUAL_REVIEW': {
      ...APPROVED_VERIFICATION,
      verificationStatus: 'PENDING_MANUAL_REVIEW',
    },
  },
};
