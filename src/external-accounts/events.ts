import type { Tx } from '#database/tx.ts';
import { emit } from '#events/emit.ts';
import { webhookBody } from '#events/webhook-body.ts';
import { ADA_WALLET } from '#external-accounts/examples.ts';
import { presentExternalAccount } from '#external-accounts/present.ts';
import { ExternalAccount } from '#external-accounts/schemas.ts';
import type { ExternalAccountRow } from '#external-accounts/store.ts';
import type { WebhookDeclaration } from '#http/openapi.ts';
import { publicId } from '#lib/ids.ts';

/** One per change of status, with the account after it (accounts.md §3.5). */
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
    'Sent when screening, review, the operator or a proof of ownership moved the account to another status. ' +
    '`data` is the whole account as it was right after the change.',
  body: webhookBody(
    'ExternalAccountStatusWebhook',
    ['EXTERNAL_ACCOUNT.STATUS_UPDATED'],
    ExternalAccount,
    'An external account, right after a change of status.',
  ),
  examples: { 'EXTERNAL_ACCOUNT.STATUS_UPDATED': { ...ADA_WALLET, status: 'ACTIVE' } },
};
