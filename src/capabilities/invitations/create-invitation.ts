import { checkUmaAddress, readUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import { lockCustomerByUma } from '#capabilities/customers/store.ts';
import { presentInvitation } from '#capabilities/invitations/present.ts';
import type { UmaInvitation, UmaInvitationCreateRequest } from '#capabilities/invitations/schemas.ts';
import { insertInvitation } from '#capabilities/invitations/store.ts';
import { throwStale } from '#foundation/database/reasons.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { CODE_KINDS, randomCode } from '#foundation/lib/code-kinds.ts';
import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';

/** POST /invitations (platform.md §5.1 and §5.2). */
export async function createInvitation(
  tx: Tx,
  request: UmaInvitationCreateRequest,
  publicUrl: string,
): Promise<UmaInvitation> {
  const { inviterUma, expiresAt } = parseRequest(request, tx.now);
  // Locked until the commit: a deletion of the customer either comes first or also cancels this invitation.
  const inviter = await lockCustomerByUma(tx, inviterUma);
  if (!inviter)
    throw invalidFields([{ field: 'inviterUma', message: 'is not the address of one of your customers' }]);
  if (!tx.platform.settings.invitationsConfigured)
    refuse(
      'INVITATIONS_NOT_CONFIGURED',
      'Invitations are not enabled for your platform: ask the operator to enable them.',
    );
  const { firstName, amountToSend } = request;
  const row = await insertInvitation(tx, {
    code: randomCode(CODE_KINDS.INVITATION.form),
    customer_id: inviter.id,
    inviter_uma: inviter.uma_address,
    first_name: firstName ?? null,
    amount: amountToSend === undefined ? null : BigInt(amountToSend),
    currency: amountToSend === undefined ? null : currencyOfAmount(inviter.currencies),
    expires_at: expiresAt,
  });
  // The code is taken: the call is retried with another one.
  if (!row) throwStale();
  return presentInvitation({ row, platform: tx.platform }, tx.now, publicUrl);
}

/** Never a platform's own coin: the invitee may use another platform, which does not know it (stablecoins.md §8.1). */
function currencyOfAmount(currencies: readonly string[]): string {
  return currencies.find(isCurrencyCode) ?? 'USD';
}

/** Names all invalid fields together; a malformed address decides the error code. */
function parseRequest({ inviterUma, expiresAt }: UmaInvitationCreateRequest, now: Date) {
  const malformed = checkUmaAddress(inviterUma, undefined);
  const until = expiresAt === undefined ? null : parseDateTime(expiresAt);
  const isPast = until !== null && until <= now;
  const problems = [
    ...(malformed ? [{ ...malformed, field: 'inviterUma' }] : []),
    ...(isPast ? [{ field: 'expiresAt', message: 'must be in the future' }] : []),
  ];
  if (problems.length > 0) throw invalidFields(problems, malformed ? 'INVALID_UMA_ADDRESS' : 'INVALID_INPUT');
  return { inviterUma: readUmaAddress(inviterUma), expiresAt: until };
}
