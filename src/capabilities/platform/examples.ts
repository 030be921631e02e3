import type { Static } from 'typebox';
import type {
  DiscoveryListResponse,
  PlatformConfigReply,
  PlatformCurrencyConfig,
  UmaProviderListResponse,
  VaspListResponse,
} from '#capabilities/platform/schemas.ts';
import {
  EXAMPLE_IDS,
  EXAMPLE_TIME,
  EXAMPLE_WEBHOOK_ENDPOINT,
  exampleCurrency,
} from '#foundation/lib/examples.ts';

/** The initial settings of a currency. */
const untouched = (currencyCode: string): PlatformCurrencyConfig => ({
  currencyCode,
  minAmount: 1,
  maxAmount: 1_000_000_000_000,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
});

export const FRESH_CONFIG: PlatformConfigReply = {
  id: EXAMPLE_IDS.config,
  umaDomain: 'uma.localhost',
  proxyUmaSubdomain: 'uma',
  supportedCurrencies: ['USD', 'USDC', 'USDB'].map(untouched),
  isRegulatedFinancialInstitution: false,
  feeConfigs: [],
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

/** Dollars, digital dollars and wallets. A sender to a customer must give its full name. */
export const CHANGES = {
  webhookEndpoint: EXAMPLE_WEBHOOK_ENDPOINT,
  supportedCurrencies: [
    {
      currencyCode: 'USD',
      minAmount: 100,
      maxAmount: 100_000_000,
      requiredCounterpartyFields: [{ name: 'FULL_NAME', mandatory: true }],
      enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
    },
    {
      currencyCode: 'USDC',
      minAmount: 1_000_000,
      maxAmount: 1_000_000_000_000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
    },
    untouched('USDB'),
  ],
} satisfies Partial<PlatformConfigReply>;

const { webhookEndpoint: _cleared, ...STILL_CHANGED } = CHANGES;
export const CONFIG_WITHOUT_ENDPOINT = { ...FRESH_CONFIG, ...STILL_CHANGED };

export const KENYAN_INSTITUTIONS: Static<typeof DiscoveryListResponse> = {
  data: [
    {
      bankName: 'M-PESA',
      displayName: 'M-PESA',
      country: 'KE',
      currency: 'KES',
      paymentRails: ['MOBILE_MONEY'],
    },
  ],
};

export const PESO_PROVIDERS: Static<typeof UmaProviderListResponse> = {
  data: [
    {
      name: 'Sandbox UMA provider',
      supportedRegions: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT MX NL PT SI SK SV US'.split(' '),
      domain: 'sandbox.localhost',
      supportedCurrencies: [exampleCurrency('EUR'), exampleCurrency('MXN'), exampleCurrency('USD')],
      allowListStatus: true,
    },
  ],
  hasMore: false,
  totalCount: 1,
};

export const FIRST_VASPS: Static<typeof VaspListResponse> = {
  data: [
    { vaspName: 'Binance', url: 'https://www.binance.com' },
    { vaspName: 'Binance.US', url: 'https://www.binance.us' },
  ],
  hasMore: true,
  nextCursor: 'WyJiaW5hbmNlLnVzIl0.XFuxxJTkXlFtrFnMOoiHoRXd',
};
