import { hash } from 'node:crypto';
import type { PaymentInstruction } from '#capabilities/accounts/payment-instruction-schemas.ts';
import type { Private } from '#capabilities/payments/details.ts';
import type { Fixed } from '#capabilities/payments/row.ts';
import { opaqueId, payloadToSign } from '#capabilities/wallet-auth/activity.ts';
import { walletAddress } from '#capabilities/wallet-auth/wallets/provision-wallets.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The terms that a wallet's owner agrees to. */
type Terms = { readonly quote_id: string } & Pick<
  Fixed,
  'sending_currency' | 'sending_amount' | 'receiving_currency' | 'receiving_amount'
>;

/**
 * `paymentInstructions` of a quote from an embedded wallet (money.md §2.10): the payload that its owner signs, and the
 * wallet's address. They are stored with the quote, because every call makes a new payload.
 */
export async function walletInstructions(
  tx: ReadTx,
  walletId: AccountId,
  terms: Terms,
  payee: string,
): Promise<PaymentInstruction[]> {
  const payload = await payloadToSign(tx, walletId, {
    type: 'SIGN_TRANSACTION_V2',
    parameters: {
      signWith: opaqueId('wallet', walletId),
      type: 'TRANSACTION_TYPE_WALLET',
      unsignedTransaction: hash('sha256', canonicalJson(agreedTerms(terms, payee))),
    },
  });
  const address = await walletAddress(tx, walletId);
  return [
    {
      instructionsNotes: WALLET_NOTES.sign,
      isPlatformAccount: false,
      accountOrWalletInfo: { accountType: 'EMBEDDED_WALLET', payloadToSign: payload },
    },
    {
      instructionsNotes: WALLET_NOTES.address,
      isPlatformAccount: false,
      accountOrWalletInfo: { accountType: 'SPARK_WALLET', address, assetType: terms.sending_currency },
    },
  ];
}

export const WALLET_NOTES = {
  sign: 'The owner of the wallet signs the payload; execute the quote with the signature.',
  address: 'The address of the wallet itself, for information: money sent there does not pay for this quote.',
};

/** wallets.md §3.8, with the quote's values. */
function agreedTerms(terms: Terms, payee: string) {
  return {
    destination: payee,
    quoteId: publicId('Quote', terms.quote_id),
    receivingCurrency: terms.receiving_currency,
    sendingCurrency: terms.sending_currency,
    totalReceivingAmount: Number(terms.receiving_amount),
    totalSendingAmount: Number(terms.sending_amount),
  };
}

/** The payload, byte for byte as it was issued; undefined if there is none, or it was erased. */
export function payloadIn({ paymentInstructions = [] }: Private): string | undefined {
  const infos = paymentInstructions.map(({ accountOrWalletInfo }) => accountOrWalletInfo);
  const payload = infos.find(({ accountType }) => accountType === 'EMBEDDED_WALLET')?.payloadToSign;
  return typeof payload === 'string' ? payload : undefined;
}
