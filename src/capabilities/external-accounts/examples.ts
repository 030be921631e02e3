import type {
  ExternalAccount,
  ExternalAccountCreateRequest,
  OwnershipChallenge,
} from '#capabilities/external-accounts/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME, exampleCurrency, exampleTime } from '#foundation/lib/examples.ts';

const MADE = { defaultUmaDepositAccount: false, createdAt: EXAMPLE_TIME, updatedAt: EXAMPLE_TIME };
/** A customer's account, which is not trusted at first. */
const OWNED = { ...MADE, trusted: false };

export const JEAN_REQUEST = {
  customerId: EXAMPLE_IDS.ada,
  currency: 'EUR',
  platformAccountId: 'jean-eur',
  accountInfo: {
    accountType: 'EUR_ACCOUNT',
    iban: 'DE89370400440532013000',
    swiftCode: 'COBADEFF',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jean Dupont', countryOfResidence: 'FR' },
  },
} satisfies ExternalAccountCreateRequest;

export const JEAN: ExternalAccount = {
  ...JEAN_REQUEST,
  ...OWNED,
  id: EXAMPLE_IDS.jeanEur,
  status: 'ACTIVE',
  beneficiaryVerificationStatus: 'MATCHED',
  beneficiaryVerifiedData: { fullName: 'Jean Dupont' },
  accountInfo: { ...JEAN_REQUEST.accountInfo, paymentRails: ['SEPA', 'SEPA_INSTANT'] },
};

export const HILBERT_REQUEST = {
  customerId: EXAMPLE_IDS.emmy,
  currency: 'EUR',
  accountInfo: {
    accountType: 'EUR_ACCOUNT',
    iban: 'DE75512108001245126199',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'David Hilbert', countryOfResidence: 'DE' },
  },
} satisfies ExternalAccountCreateRequest;

export const HILBERT: ExternalAccount = {
  ...HILBERT_REQUEST,
  ...OWNED,
  id: EXAMPLE_IDS.hilbertEur,
  status: 'ACTIVE',
  beneficiaryVerificationStatus: 'MATCHED',
  beneficiaryVerifiedData: { fullName: 'David Hilbert' },
  accountInfo: { ...HILBERT_REQUEST.accountInfo, paymentRails: ['SEPA', 'SEPA_INSTANT'] },
};

export const ADA_BANK_REQUEST = {
  customerId: EXAMPLE_IDS.ada,
  currency: 'USD',
  ownershipType: 'FIRST_PARTY',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: '1234567890',
    routingNumber: '021000021',
    beneficiary: {
      beneficiaryType: 'INDIVIDUAL',
      fullName: 'Ada Lovelace',
      birthDate: '1990-12-10',
      nationality: 'US',
      countryOfResidence: 'US',
      address: {
        line1: '1 Market St',
        city: 'San Francisco',
        state: 'CA',
        postalCode: '94105',
        country: 'US',
      },
    },
  },
} satisfies ExternalAccountCreateRequest;

export const ADA_BANK: ExternalAccount = {
  ...ADA_BANK_REQUEST,
  ...OWNED,
  id: EXAMPLE_IDS.adaBank,
  status: 'ACTIVE',
  beneficiaryVerificationStatus: 'MATCHED',
  beneficiaryVerifiedData: { fullName: 'Ada Lovelace' },
  accountInfo: { ...ADA_BANK_REQUEST.accountInfo, paymentRails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'] },
};

const WALLET_ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';

export const ADA_WALLET_REQUEST = {
  customerId: EXAMPLE_IDS.ada,
  currency: 'USDC',
  ownershipType: 'FIRST_PARTY',
  accountInfo: { accountType: 'BASE_WALLET', address: WALLET_ADDRESS },
} satisfies ExternalAccountCreateRequest;

/** Before its ownership is proven. */
export const ADA_WALLET: ExternalAccount = {
  ...ADA_WALLET_REQUEST,
  ...OWNED,
  id: EXAMPLE_IDS.adaWallet,
  status: 'PENDING_OWNERSHIP_VERIFICATION',
};

export const PLATFORM_WALLET_REQUEST = {
  currency: 'USDC',
  ownershipType: 'FIRST_PARTY',
  accountInfo: { accountType: 'POLYGON_WALLET', address: WALLET_ADDRESS },
} satisfies ExternalAccountCreateRequest;

export const PLATFORM_WALLET: ExternalAccount = {
  ...PLATFORM_WALLET_REQUEST,
  ...MADE,
  id: EXAMPLE_IDS.platformWallet,
  customerId: null,
  status: 'PENDING_OWNERSHIP_VERIFICATION',
};

/** Grace Hopper's wallet, to which coins are minted. */
export const COIN_WALLET_REQUEST = {
  currency: 'BTC',
  ownershipType: 'THIRD_PARTY',
  accountInfo: {
    accountType: 'SPARK_WALLET',
    address: 'sparkt1pgss893y0dqanncnn722ndhsguqr0u9zkkehlu200d4eaetpent3awjssf0j8z',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Grace Hopper', countryOfResidence: 'US' },
  },
} satisfies ExternalAccountCreateRequest;

export const COIN_WALLET: ExternalAccount = {
  ...COIN_WALLET_REQUEST,
  ...MADE,
  id: EXAMPLE_IDS.coinWallet,
  customerId: null,
  status: 'ACTIVE',
};

/** The text that the wallet signs. */
export const signatureChallenge = (accountId: string): OwnershipChallenge => ({
  method: 'WALLET_SIGNATURE',
  messageToSign:
    `Svc wallet ownership: I control ${WALLET_ADDRESS}. Account ${accountId}. ` +
    `Nonce e2b6d2c84b9f2952e64895f9cd5836b3. Valid until ${exampleTime(900)}.`,
  expiresAt: exampleTime(900),
});

export const EXAMPLE_SIGNATURE =
  '0xc5c7de5e8e016731b77f6d9bc884a8b55ce931103d7e1e298a3a0c36b7ab393d7d1c87a213238adcf103de97158c07c1edc54475c06cc4e9d31349ede9ad19981c';

export const JEAN_LOOKUP = {
  supportedCurrencies: [
    { currency: exampleCurrency('EUR'), estimatedExchangeRate: 0.92, min: 1, max: 10_000_000 },
  ],
  requiredPayerDataFields: [],
  lookupId: EXAMPLE_IDS.jeanLookup,
  accountId: EXAMPLE_IDS.jeanEur,
};

export const UMA_RECEIVER = '$success.mxn@sandbox.localhost';

export const UMA_LOOKUP = {
  supportedCurrencies: [
    { currency: exampleCurrency('MXN'), estimatedExchangeRate: 17.25, min: 1, max: 10_000_000 },
  ],
  requiredPayerDataFields: [],
  lookupId: EXAMPLE_IDS.umaLookup,
  receiverUmaAddress: UMA_RECEIVER,
};
