import { DELAYS } from '#edge/sandbox/delays-table.ts';
import { sandboxCoinOperations } from '#edge/sandbox/stablecoins/operations-table.ts';
import { type CompleteTable, lastThree, rowFor, type SandboxTable } from '#edge/sandbox/table.ts';
import type {
  Issuance,
  LoginAnswer,
  ProviderAccount,
  StablecoinsPort,
  Token,
  TokenName,
} from '#foundation/ports/stablecoins.ts';

type LoginOutcome =
  | { readonly outcome: 'LOGIN_REFUSED' | 'UNAVAILABLE' }
  | { readonly accounts: 'one'; readonly status: ProviderAccount['status'] }
  | { readonly accounts: 'two' };

/** stablecoins.md §1.3: the provider's answer to credentials, by the last three characters of `apiClientId`. */
export const STABLECOIN_LOGINS_TABLE: CompleteTable<LoginOutcome> = {
  id: 'stablecoin-logins',
  title: 'Linking provider accounts',
  intro:
    'The last three characters of `apiClientId` decide. The secret can be anything. A client id always opens the same ' +
    'provider account, which can have one active link.',
  column: 'Ends in',
  operations: ['linkStablecoinProviderAccount', 'getStablecoinProviderAccount'],
  rows: [
    {
      value: '002',
      example: 'client-002',
      effect: 'The provider refuses the credentials.',
      shows: { code: 'STABLECOIN_PROVIDER_ACCOUNT_INVALID' },
      does: { outcome: 'LOGIN_REFUSED' },
    },
    {
      value: '003',
      example: 'client-003',
      effect: 'The account is linked, but invalid.',
      shows: { status: 'INVALID', lastVerifiedAt: undefined },
      does: { accounts: 'one', status: 'INVALID' },
    },
    {
      value: '004',
      example: 'client-004',
      effect: 'The account is linked, but revoked.',
      shows: { status: 'REVOKED', lastVerifiedAt: undefined },
      does: { accounts: 'one', status: 'REVOKED' },
    },
    {
      value: '005',
      example: 'client-005',
      effect: 'The provider cannot be reached.',
      shows: { code: 'STABLECOIN_PROVIDER_ERROR' },
      does: { outcome: 'UNAVAILABLE' },
    },
    {
      value: '006',
      example: 'client-006',
      effect:
        'The credentials open two accounts, `client-006-a` and `client-006-b`: name one in `providerAccountId`.',
      shows: { code: 'INVALID_INPUT', 'details.errors.0.field': 'providerAccountId' },
      does: { accounts: 'two' },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'client-abc',
    effect: 'The account is linked.',
    shows: { status: 'ACTIVE', providerAccountId: 'account-client-abc' },
    does: { accounts: 'one', status: 'ACTIVE' },
  },
};

type Registration =
  | { readonly issuance: Issuance['status']; readonly thenAfterMs?: number }
  | { readonly issuance: 'UNKNOWN' };

/**
 * stablecoins.md §3.3: the provider's answer about a token, by the last three characters of `providerTokenIdentifier`.
 */
export const STABLECOIN_TOKENS_TABLE: CompleteTable<Registration> = {
  id: 'stablecoin-tokens',
  title: 'Registering coins',
  intro:
    'The last three characters of `providerTokenIdentifier` decide. The coin’s symbol is its first ten letters and digits, in ' +
    'upper case; it needs at least 3, the first a letter. Any `networkTokenIdentifier` works.',
  column: 'Ends in',
  operations: ['registerStablecoin', 'getStablecoin'],
  rows: [
    {
      value: '001',
      example: 'acme-001',
      effect: 'The provider never decides.',
      shows: { issuanceStatus: 'PENDING_REVIEW', symbol: 'ACME001' },
      does: { issuance: 'PENDING_REVIEW' },
    },
    {
      value: '002',
      example: 'acme-002',
      effect: 'The provider rejects the coin.',
      shows: { issuanceStatus: 'REJECTED' },
      does: { issuance: 'REJECTED' },
    },
    {
      value: '003',
      example: 'acme-003',
      effect: 'The provider does not know the token.',
      shows: { code: 'STABLECOIN_VERIFICATION_FAILED' },
      does: { issuance: 'UNKNOWN' },
    },
    {
      value: '004',
      example: 'acme-004',
      effect: 'The provider fails to set the coin up.',
      shows: { issuanceStatus: 'FAILED' },
      does: { issuance: 'FAILED' },
    },
    {
      value: '005',
      example: 'acme-005',
      effect: 'The provider takes half a minute to set the coin up.',
      shows: { issuanceStatus: 'PROVISIONED' },
      overAfterMs: DELAYS.slowIssuer.ms,
      does: { issuance: 'PROVISIONING', thenAfterMs: DELAYS.slowIssuer.ms },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'acme-usd',
    effect: 'The coin can be minted at once.',
    shows: { issuanceStatus: 'PROVISIONED', symbol: 'ACMEUSD', name: 'ACMEUSD Dollar', decimals: 6 },
    does: { issuance: 'PROVISIONED' },
  },
};

interface Enablement {
  readonly approvesAfterMs?: number;
}

/** stablecoins.md §4.2: requests that need no operator, by the last three characters of `providerTokenIdentifier`. */
export const STABLECOIN_ENABLEMENT_TABLE: SandboxTable<Enablement> & CompleteTable<Enablement> = {
  id: 'stablecoin-enablement',
  title: 'Enabling coins for internal accounts',
  intro:
    'The last three characters of `providerTokenIdentifier` decide whether a request waits for the operator, who answers it ' +
    'with `corridor stablecoin approve` or `decline`.',
  column: 'Ends in',
  operations: ['requestStablecoinEnablement', 'getStablecoin'],
  rows: [
    {
      value: '006',
      example: 'acme-006',
      effect: 'The coin is `ENABLING` after 5 seconds and enabled after 10.',
      shows: { svcOperationsStatus: 'ENABLED', currency: 'ACME006' },
      overAfterMs: DELAYS.approval.ms + DELAYS.currency.ms,
      does: { approvesAfterMs: DELAYS.approval.ms },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'acme-usd',
    effect: 'The request waits for the operator; within 5 seconds of the approval the coin is enabled.',
    shows: { svcOperationsStatus: 'PENDING_APPROVAL' },
    does: {},
  },
};

const DECIMALS = 6;
const SYMBOL_LENGTH = 10;

/** A provider that knows every requested token, and has issued none of its coins yet. */
export const sandboxStablecoins: StablecoinsPort = {
  ...sandboxCoinOperations,
  isConnected: true,
  verifyLogin: async ({ apiClientId }): Promise<LoginAnswer> => {
    const { does } = rowFor(STABLECOIN_LOGINS_TABLE, lastThree(apiClientId));
    if ('outcome' in does) return does;
    return { outcome: 'VERIFIED', accounts: buildAccounts(apiClientId, does) };
  },
  async describeToken(_login, token, { registeredAt, now }) {
    const { does } = rowFor(STABLECOIN_TOKENS_TABLE, lastThree(token.providerTokenIdentifier));
    if (does.issuance === 'UNKNOWN') return { outcome: 'UNKNOWN' };
    const waitedMs = now.getTime() - registeredAt.getTime();
    return { outcome: 'FOUND', token: buildToken(token, issuanceAfter(does, waitedMs)) };
  },
  enablementOf: ({ providerTokenIdentifier }) => ({
    ...rowFor(STABLECOIN_ENABLEMENT_TABLE, lastThree(providerTokenIdentifier)).does,
    setUpMs: DELAYS.currency.ms,
  }),
};

function buildAccounts(
  apiClientId: string,
  does: Extract<LoginOutcome, { accounts: string }>,
): ProviderAccount[] {
  if (does.accounts === 'one') return [{ id: `account-${apiClientId}`, status: does.status }];
  return ['a', 'b'].map((end) => ({ id: `${apiClientId}-${end}`, status: 'ACTIVE' }));
}

function issuanceAfter(
  { issuance, thenAfterMs }: Extract<Registration, { thenAfterMs?: number }>,
  waitedMs: number,
): Issuance {
  if (thenAfterMs === undefined) return { status: issuance };
  const restMs = thenAfterMs - waitedMs;
  return restMs > 0 ? { status: issuance, askAgainAfterMs: restMs } : { status: 'PROVISIONED' };
}

/** stablecoins.md §3.3, §3.4. */
function buildToken(
  { providerTokenIdentifier, networkTokenIdentifier }: TokenName,
  issuance: Issuance,
): Token {
  const symbol = providerTokenIdentifier
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, SYMBOL_LENGTH)
    .toUpperCase();
  return {
    name: `${symbol} Dollar`,
    symbol,
    baseCurrency: 'USD',
    decimals: DECIMALS,
    networkTokenIdentifier,
    supply: 0n,
    issuance,
  };
}
