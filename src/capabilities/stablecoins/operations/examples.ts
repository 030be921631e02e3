import type {
  StablecoinBurnRequest,
  StablecoinMintRequest,
  StablecoinOperation,
  StablecoinSupply,
} from '#capabilities/stablecoins/operations/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME, exampleTime } from '#foundation/lib/examples.ts';

const MADE = {
  stablecoinId: EXAMPLE_IDS.coin,
  provider: 'BRALE',
  providerEnvironment: 'SANDBOX',
  stablecoinProviderAccountId: EXAMPLE_IDS.coinProvider,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
} as const;

const WEEK_SECONDS = 7 * 86_400;

/** 100 coins for a wire, into Grace Hopper's Spark wallet. */
export const WIRE_MINT_REQUEST: StablecoinMintRequest = {
  amount: '100000000',
  fundingSource: { type: 'WIRE' },
  destination: { accountId: EXAMPLE_IDS.coinWallet },
  description: 'first batch',
};

export const WIRE_MINT: StablecoinOperation = {
  id: EXAMPLE_IDS.mint,
  ...MADE,
  operationType: 'MINT',
  status: 'PENDING_FUNDING',
  amount: WIRE_MINT_REQUEST.amount,
  source: { type: 'WIRE' },
  fundingInstructions: {
    rail: 'WIRE',
    beneficiaryName: 'Sandbox Coin Issuer',
    bankName: 'Sandbox Bank',
    accountNumber: '9912345678',
    routingNumber: '110000000',
    reference: 'MINT-4F21A09C77E3',
  },
  destination: { accountId: EXAMPLE_IDS.coinWallet },
  expiresAt: exampleTime(WEEK_SECONDS),
  providerStatus: 'pending_funding',
  description: 'first batch',
};

export const DONE_MINT: StablecoinOperation = {
  ...WIRE_MINT,
  status: 'COMPLETED',
  providerStatus: 'completed',
};

/** 25 coins for Ada's dollars. */
export const PAID_MINT_REQUEST: StablecoinMintRequest = {
  amount: '25000000',
  fundingSource: { type: 'SVC_INTERNAL_ACCOUNT', accountId: EXAMPLE_IDS.adaUsd },
  destination: { accountId: EXAMPLE_IDS.coinWallet },
};

export const PAID_MINT: StablecoinOperation = {
  id: EXAMPLE_IDS.paidMint,
  ...MADE,
  operationType: 'MINT',
  status: 'PENDING_PROVIDER',
  amount: PAID_MINT_REQUEST.amount,
  source: PAID_MINT_REQUEST.fundingSource,
  destination: { accountId: EXAMPLE_IDS.coinWallet },
  providerStatus: 'pending_provider',
};

/** 40 coins sent to the provider, for dollars in Ada's bank account. */
export const BURN_REQUEST: StablecoinBurnRequest = {
  amount: '40000000',
  source: { type: 'EXTERNAL_ACCOUNT' },
  destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId: EXAMPLE_IDS.adaBank, rail: 'WIRE' },
};

export const EXAMPLE_BURN: StablecoinOperation = {
  id: EXAMPLE_IDS.burn,
  ...MADE,
  operationType: 'BURN',
  status: 'PENDING_FUNDING',
  amount: BURN_REQUEST.amount,
  source: { type: 'EXTERNAL_ACCOUNT' },
  fundingInstructions: {
    rail: 'SPARK',
    network: 'SPARK',
    address: 'sparkt1pgss893y0dqanncnn722ndhsguqr0u9zkkehlu200d4eaetpent3awjssf0j8z',
    valueType: 'ACME006',
  },
  destination: { accountId: EXAMPLE_IDS.adaBank, rail: 'WIRE' },
  estimatedDelivery: { rail: 'WIRE', amount: '4000', currency: 'USD', timing: 'same business day' },
  expiresAt: exampleTime(WEEK_SECONDS),
  providerStatus: 'pending_funding',
};

export const DONE_BURN: StablecoinOperation = {
  ...EXAMPLE_BURN,
  status: 'COMPLETED',
  providerStatus: 'completed',
};

/** After both mints and the burn. */
export const EXAMPLE_SUPPLY: StablecoinSupply = {
  stablecoinId: EXAMPLE_IDS.coin,
  issued: '85000000',
  inside: '0',
  outside: '85000000',
  reserve: '8500',
  reserveCurrency: 'USD',
  openMints: '0',
  openBurns: '0',
};
