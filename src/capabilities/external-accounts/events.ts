import { ADA_WALLET } from '#capabilities/external-accounts/examples.ts';
import { presentExternalAccount } from '#capabilities/external-accounts/present.ts';
import { ExternalAccount } from '#capabilities/external-accounts/schemas.ts';
import type { ExternalAccountRow } from '#capabilities/external-accounts/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Emits one event per change of status, with the account after it (accounts.md §3.5). */
export function emitStatusUpdated(tx: Tx, row: ExternalAccountRow): void {
  emit(tx, {
    type: 'EXTERNAL_ACCOUNT.STATUS_UPDATED',
    resourceId: publicId('ExternalAccount', row.id),
    data: presentExternalAccount(tx, row),
  });
}

export const externalAccountWebhook: WebhookDeclaration<ExternalAccount> = {
  name: 'external-account-status',
  summary: 'An external account changed its status',
  description:
    'Sent when screening, review, the operator or a proof of ownership changed the account’s status. `data` is the ' +
    'whole account right after the change.',
  body: webhookBody(
    'ExternalAccountStatusWebhook',
    ['EXTERNAL_ACCOUNT.STATUS_UPDATED'],
    ExternalAccount,
    'An external account, right after a change of status.',
  ),
  examples: { 'EXTERNAL_ACCOUNT.STATUS_UPDATED': { ...ADA_WALLET, status: 'ACTIVE' } },
};
