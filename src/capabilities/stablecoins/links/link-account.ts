import { providerUnavailable } from '#capabilities/stablecoins/availability.ts';
import { COINS } from '#capabilities/stablecoins/coin-row.ts';
import { scheduleFollow } from '#capabilities/stablecoins/follow.ts';
import { isDecided, scheduleIssuance } from '#capabilities/stablecoins/issuance.ts';
import { LINKS, type LinkRow, secretContext } from '#capabilities/stablecoins/link-row.ts';
import { scheduleCheck } from '#capabilities/stablecoins/links/check-link.ts';
import { isAccountLinked, lockCoinsOfAccount } from '#capabilities/stablecoins/links/store.ts';
import { findOpenOperations } from '#capabilities/stablecoins/open-operations-store.ts';
import { presentLink } from '#capabilities/stablecoins/present.ts';
import type {
  StablecoinProviderAccountLinkRequest as LinkRequest,
  StablecoinProviderAccount,
} from '#capabilities/stablecoins/schemas.ts';
import { changedRow } from '#foundation/database/rows.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { OwnPlan } from '#foundation/http/declare/plan.ts';
import { invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';
import type { LoginAnswer, ProviderAccount } from '#foundation/ports/stablecoins.ts';

/**
 * Verifies the credentials with the provider before the link is stored (stablecoins.md §1.1). This changes nothing at
 * the provider, so a request whose process died can simply be repeated.
 */
export async function planLink(
  tx: ReadTx,
  request: LinkRequest,
): Promise<OwnPlan<StablecoinProviderAccount>> {
  const { apiClientId, apiClientSecret, providerAccountId } = request;
  const answer = await tx.ports.stablecoins.verifyLogin({ apiClientId, apiClientSecret });
  const account = chooseAccount(answer, providerAccountId);
  if (account instanceof Refusal) throw account;
  return { commit: (own) => storeLink(own, request, account) };
}

/** Chooses the account that the credentials are used for (stablecoins.md §1.2). */
export function chooseAccount(answer: LoginAnswer, wanted: string | undefined): ProviderAccount | Refusal {
  if (answer.outcome === 'LOGIN_REFUSED') {
    return new Refusal('STABLECOIN_PROVIDER_ACCOUNT_INVALID', 'The provider refuses these credentials.');
  }
  if (answer.outcome === 'UNAVAILABLE') return providerUnavailable();
  const { accounts } = answer;
  const [only] = accounts;
  if (wanted === undefined && only && accounts.length === 1) return only;
  const chosen = accounts.find(({ id }) => id === wanted);
  if (chosen) return chosen;
  const ids = accounts.map(({ id }) => id);
  const message =
    wanted === undefined
      ? `is required: the credentials open ${accounts.length} accounts`
      : 'is not an account that these credentials open';
  return invalidFields([{ field: 'providerAccountId', constraint: { enum: ids }, message }]);
}

async function storeLink(
  tx: Tx,
  request: LinkRequest,
  account: ProviderAccount,
): Promise<StablecoinProviderAccount> {
  if (await isAccountLinked(tx, request.provider, account.id)) {
    refuse('CONFLICT', 'There is already an active link to this provider account.', {
      providerAccountId: account.id,
    });
  }
  const link = newLink(tx, request, account);
  tx.collect(LINKS.writer, { from: undefined, row: link });
  if (link.status === 'ACTIVE') {
    await takeOverCoins(tx, link);
    scheduleCheck(tx, link.id);
  }
  return presentLink(link, tx.platform);
}

function newLink(tx: Tx, request: LinkRequest, { id: accountId, status }: ProviderAccount): LinkRow {
  const id = tx.newId('StablecoinProviderAccount');
  const { provider, apiClientId, apiClientSecret } = request;
  return {
    platform_id: tx.platformId,
    id,
    version: 1n,
    provider,
    provider_account_id: accountId,
    api_client_id: apiClientId,
    api_client_secret: status === 'REVOKED' ? null : tx.vault.seal(apiClientSecret, secretContext(id)),
    created_at: tx.now,
    status,
    last_verified_at: status === 'ACTIVE' ? tx.now : null,
    updated_at: tx.now,
  };
}

/**
 * Moves the coins of earlier, ended links to the same provider account to this link. Pending questions to the provider
 * about them are asked through this link.
 */
async function takeOverCoins(tx: Tx, link: LinkRow): Promise<void> {
  for (const coin of await lockCoinsOfAccount(tx, link.provider, link.provider_account_id)) {
    tx.collect(COINS.writer, changedRow(coin, { provider_account: link.id }, tx.now));
    if (!isDecided(coin.issuance_status)) scheduleIssuance(tx, coin.id, 0);
    for (const id of await findOpenOperations(tx, coin.id)) scheduleFollow(tx, id, 0);
  }
}
