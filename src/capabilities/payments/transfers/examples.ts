import type { TransferInRequest, TransferOutRequest } from '#capabilities/payments/transfers/schemas.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';

const BANK_OF_ADA = { accountId: EXAMPLE_IDS.adaBank };
const DOLLARS_OF_ADA = { accountId: EXAMPLE_IDS.adaUsd };

export const TRANSFER_IN_REQUEST: TransferInRequest = {
  source: BANK_OF_ADA,
  destination: DOLLARS_OF_ADA,
  amount: 12_550,
};

export const TRANSFER_OUT_REQUEST: TransferOutRequest = {
  source: DOLLARS_OF_ADA,
  destination: { ...BANK_OF_ADA, paymentRail: 'ACH' },
  amount: 2_500,
};
