import { isPayableAddress, supportsCurrency } from '#capabilities/accounts/networks.ts';
import type {
  EstimateCryptoWithdrawalFeeRequest,
  EstimateCryptoWithdrawalFeeResponse,
} from '#capabilities/accounts/schemas.ts';
import { findVisibleAccount } from '#capabilities/accounts/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, refuse } from '#foundation/lib/refusals.ts';

/** accounts.md §7. Checks run in the order of accounts.md §7.1, after the schema's checks of the body. */
export async function estimateWithdrawalFee(
  tx: ReadTx,
  request: EstimateCryptoWithdrawalFeeRequest,
): Promise<EstimateCryptoWithdrawalFeeResponse> {
  const { currency, cryptoNetwork } = request;
  await requireCryptoAccount(tx, request);
  checkRoute(tx, request);
  const network = await tx.ports.networkFees.feeOf(cryptoNetwork, currency);
  if (!network) refuse('NOT_IMPLEMENTED', 'Network fees are not available in this environment.');
  const applicationFee = BigInt(tx.platform.settings.fees.withdrawal[currency] ?? 0);
  const totalFee = network.converted + applicationFee;
  const netAmount = BigInt(request.amount) - totalFee;
  if (netAmount < 1n) {
    refuse('AMOUNT_OUT_OF_RANGE', `Fees of ${totalFee} would leave nothing of the amount.`, {
      totalFee: Number(totalFee),
    });
  }
  return {
    networkFee: Number(network.fee),
    networkFeeAsset: network.asset,
    applicationFee: Number(applicationFee),
    totalFee: Number(totalFee),
    netAmount: Number(netAmount),
  };
}

async function requireCryptoAccount(tx: ReadTx, request: EstimateCryptoWithdrawalFeeRequest): Promise<void> {
  const id = parseId('InternalAccount', request.internalAccountId);
  const account = id === undefined ? undefined : await findVisibleAccount(tx, id);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  if (account.type === 'INTERNAL_FIAT') {
    throw invalidFields([
      { field: 'internalAccountId', message: 'must be an account that holds a cryptocurrency' },
    ]);
  }
  if (account.currency !== request.currency) {
    refuse('INVALID_CURRENCY', `The account is in ${account.currency}.`, { currency: account.currency });
  }
}

function checkRoute(
  tx: ReadTx,
  { cryptoNetwork, currency, destinationAddress }: EstimateCryptoWithdrawalFeeRequest,
) {
  if (!supportsCurrency(cryptoNetwork, currency)) {
    throw invalidFields([{ field: 'cryptoNetwork', message: `does not support ${currency}` }]);
  }
  const rule = { strict: tx.platform.settings.strictAccountValidation, now: tx.now };
  if (!isPayableAddress(cryptoNetwork, destinationAddress, rule)) {
    throw invalidFields([{ field: 'destinationAddress', message: `is not an address on ${cryptoNetwork}` }]);
  }
}
