import type { EstimateCryptoWithdrawalFeeRequest, InternalAccount } from '#capabilities/accounts/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME, exampleAmount } from '#foundation/lib/examples.ts';

const MADE = { createdAt: EXAMPLE_TIME, updatedAt: EXAMPLE_TIME };

const nothing = (code: string) => ({ balance: exampleAmount(0, code), totalBalance: exampleAmount(0, code) });

type Instructions = InternalAccount['fundingPaymentInstructions'];

interface DollarsDrawn {
  readonly holder: string;
  readonly accountNumber: string;
  readonly reference: string;
  readonly address: string;
}

function usdInstructions({ holder, accountNumber, reference, address }: DollarsDrawn): Instructions {
  return [
    {
      isPlatformAccount: false,
      accountOrWalletInfo: {
        accountType: 'USD_ACCOUNT',
        accountNumber,
        routingNumber: '110000000',
        bankName: 'Sandbox Bank',
        bankAddress: '1 Sandbox Plaza, New York, NY 10001, US',
        accountHolderName: `Svc FBO ${holder}`,
        paymentRails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
        reference,
      },
    },
    {
      instructionsNotes: 'USDC that arrives here is credited as US dollars, one for one.',
      isPlatformAccount: false,
      accountOrWalletInfo: { accountType: 'SOLANA_WALLET', address, assetType: 'USDC' },
    },
  ];
}

export const ADA_USD: InternalAccount = {
  id: EXAMPLE_IDS.adaUsd,
  customerId: EXAMPLE_IDS.ada,
  type: 'INTERNAL_FIAT',
  status: 'ACTIVE',
  ...nothing('USD'),
  fundingPaymentInstructions: usdInstructions({
    holder: 'Ada Lovelace',
    accountNumber: '712972136615',
    reference: 'FUND-1VCQDYYJ',
    address: 'j3jEFgnvB9kHsH3ZLzLVCH31wnWH3Kj8eFJsceVc4kB',
  }),
  ...MADE,
};

/** After the sandbox funded the account. */
export const ADA_USD_FUNDED: InternalAccount = {
  ...ADA_USD,
  balance: exampleAmount(100_000, 'USD'),
  totalBalance: exampleAmount(100_000, 'USD'),
};

/** The entry of the money from the sandbox. */
export const FUNDING_ENTRY = {
  id: EXAMPLE_IDS.fundingEntry,
  createdAt: EXAMPLE_TIME,
  kind: 'deposit.received',
  transactionId: EXAMPLE_IDS.funding,
  book: 'AVAILABLE',
  direction: 'IN',
  amount: exampleAmount(100_000, 'USD'),
  balanceAfter: exampleAmount(100_000, 'USD'),
} as const;

export const EMMY_USD: InternalAccount = {
  ...ADA_USD,
  id: EXAMPLE_IDS.emmyUsd,
  customerId: EXAMPLE_IDS.emmy,
  fundingPaymentInstructions: usdInstructions({
    holder: 'Emmy Noether',
    accountNumber: '712972136623',
    reference: 'FUND-8N2XW4QK',
    address: '4Nd1mYQfpyWkG8cJZ5zfFxFEVFPxV1rLXTZ7cN9hKqVb',
  }),
};

export const EMMY_USD_FUNDED: InternalAccount = {
  ...EMMY_USD,
  balance: exampleAmount(25_000, 'USD'),
  totalBalance: exampleAmount(25_000, 'USD'),
};

/** While a payment of the whole balance waits for her authorization. */
export const EMMY_USD_ON_HOLD: InternalAccount = { ...EMMY_USD_FUNDED, balance: exampleAmount(0, 'USD') };

function usdcInstructions(solana: string, evm: string, isPlatformAccount: boolean): Instructions {
  const wallet = (
    accountType: 'SOLANA_WALLET' | 'BASE_WALLET' | 'POLYGON_WALLET' | 'ETHEREUM_WALLET',
    address: string,
  ) => ({
    isPlatformAccount,
    accountOrWalletInfo: { accountType, address, assetType: 'USDC' as const },
  });
  return [
    wallet('SOLANA_WALLET', solana),
    wallet('BASE_WALLET', evm),
    wallet('POLYGON_WALLET', evm),
    wallet('ETHEREUM_WALLET', evm),
  ];
}

export const ADA_USDC: InternalAccount = {
  id: EXAMPLE_IDS.adaUsdc,
  customerId: EXAMPLE_IDS.ada,
  type: 'INTERNAL_CRYPTO',
  status: 'ACTIVE',
  ...nothing('USDC'),
  fundingPaymentInstructions: usdcInstructions(
    'Gk6zY6menSD87nsTNJz8pfwAaowpr85ePaqyJTyQjCGf',
    '0xE617Fd60794C074d2b9C519E6743a8A7DFE4c2ad',
    false,
  ),
  ...MADE,
};

export const ADA_USDB: InternalAccount = {
  id: EXAMPLE_IDS.adaUsdb,
  customerId: EXAMPLE_IDS.ada,
  type: 'EMBEDDED_WALLET',
  status: 'ACTIVE',
  ...nothing('USDB'),
  fundingPaymentInstructions: [],
  privateEnabled: false,
  ...MADE,
};

/** After it was made private and funded. */
export const ADA_USDB_FUNDED: InternalAccount = {
  ...ADA_USDB,
  privateEnabled: true,
  balance: exampleAmount(20_000_000, 'USDB'),
  totalBalance: exampleAmount(20_000_000, 'USDB'),
};

export const PLATFORM_USDC: InternalAccount = {
  id: EXAMPLE_IDS.platformUsdc,
  type: 'INTERNAL_CRYPTO',
  status: 'ACTIVE',
  ...nothing('USDC'),
  fundingPaymentInstructions: usdcInstructions(
    'G4gBwLpprV6MHpK5dUaGUTzYu215uh5UpUdN4FHBWtew',
    '0x59404672a7316066E945f70828510219722bd1d0',
    true,
  ),
  ...MADE,
};

export const WITHDRAWAL: EstimateCryptoWithdrawalFeeRequest = {
  internalAccountId: EXAMPLE_IDS.adaUsdc,
  currency: 'USDC',
  cryptoNetwork: 'SOLANA',
  amount: 25_000_000,
  destinationAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
};

export const WITHDRAWAL_FEES = {
  networkFee: 5000,
  networkFeeAsset: 'SOL',
  applicationFee: 0,
  totalFee: 1000,
  netAmount: 24_999_000,
};
