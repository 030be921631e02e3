import assert from 'node:assert/strict';
import { fundingIdentifiers, isFundingAccountType } from '#edge/sandbox/accounts/funding-identifiers.ts';
import { lightningInvoice } from '#foundation/lib/identifiers/lightning.ts';
import { seeded } from '#foundation/lib/identifiers/seeded.ts';
import { sparkInvoice } from '#foundation/lib/identifiers/spark.ts';
import type { QuoteFundingPort, QuoteFundingRequest } from '#foundation/ports/quote-funding.ts';

/** Accepts any currency, at fictitious coordinates whose check digits and signatures are valid. */
export const sandboxQuoteFunding: QuoteFundingPort = {
  atQuote: async (request) =>
    Object.fromEntries(
      request.accountTypes.map((accountType) => [accountType, buildCoordinates(accountType, request)]),
    ),
};

function buildCoordinates(accountType: string, request: QuoteFundingRequest): Record<string, string> {
  if (accountType === 'LIGHTNING') return { invoice: buildLightningInvoice(request) };
  assert(isFundingAccountType(accountType), `no coordinates can be made for ${accountType}`);
  const { seed, holderName } = request;
  const made: Record<string, string> = { ...fundingIdentifiers(accountType, { seed, holderName }) };
  if (accountType === 'SPARK_WALLET' && request.currency === 'BTC') {
    assert(made.address !== undefined, 'a wallet has an address');
    return { ...made, invoice: buildSparkInvoice(made.address, request) };
  }
  return made;
}

function buildLightningInvoice({
  seed,
  amount,
  reference,
  issuedAt,
  expiresAt,
}: QuoteFundingRequest): string {
  return lightningInvoice(seeded(seed), {
    satoshis: amount,
    description: reference,
    issuedAt,
    expirySeconds: Math.round((expiresAt.getTime() - issuedAt.getTime()) / 1000),
  });
}

function buildSparkInvoice(
  address: string,
  { seed, amount, reference, expiresAt }: QuoteFundingRequest,
): string {
  return sparkInvoice(address, { id: invoiceId(seed), satoshis: amount, memo: reference, expiresAt });
}

/** Sixteen bytes that identify the invoice. */
function invoiceId(seed: Uint8Array): string {
  return Buffer.from(seeded(seed).bytes('spark invoice').subarray(0, 16)).toString('hex');
}
