import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { NO_OWN_CURRENCIES, presentCurrency } from '#foundation/lib/currencies.ts';
import { type PublicId, publicId, type ResourceType } from '#foundation/lib/ids.ts';

/**
 * The resources of the examples in the document. Together the examples are one story, so that an id means the same
 * resource in all of them; `tests/checks/example-story.ts` tells it.
 */
export const EXAMPLE_IDS = {
  config: id('PlatformConfig', 11),
  token: id('Token', 12),
  /** Ada Lovelace, a person who is verified and pays. */
  ada: id('Customer', 13),
  adaPassport: id('Document', 14),
  enginesCertificate: id('Document', 46),
  adaVerification: id('Verification', 15),
  /** Analytical Engines Inc., a business that is still being onboarded. */
  engines: id('Customer', 16),
  babbage: id('BeneficialOwner', 17),
  enginesVerification: id('Verification', 18),
  /** Emmy Noether, who lives where contacts have to be verified and payments authorized. */
  emmy: id('Customer', 19),
  emmyPassport: id('Document', 90),
  emmyVerification: id('Verification', 91),
  emmyUsd: id('InternalAccount', 92),
  emmyUsdb: id('InternalAccount', 163),
  importJob: id('Job', 20),
  adaUsd: id('InternalAccount', 21),
  adaUsdc: id('InternalAccount', 22),
  platformUsdc: id('InternalAccount', 23),
  /** Jean Dupont's bank account, which Ada pays. */
  jeanEur: id('ExternalAccount', 24),
  adaBank: id('ExternalAccount', 25),
  adaWallet: id('ExternalAccount', 26),
  platformWallet: id('ExternalAccount', 27),
  jeanLookup: id('Lookup', 28),
  umaLookup: id('Lookup', 29),
  /** Sandbox money that is credited to Ada's account. */
  funding: id('Transaction', 30),
  fundingEntry: id('JournalEntry', 196),
  walletFunding: id('Transaction', 160),
  /** The first payment: from Ada's dollars to Jean's euros. */
  quote: id('Quote', 31),
  payment: id('Transaction', 32),
  paymentDue: id('DueItem', 194),
  paymentEvent: id('Webhook', 140),
  /** The event that asks whether to accept an incoming payment; a listener answers it. */
  questionEvent: id('Webhook', 141),
  umaQuote: id('Quote', 33),
  umaPayment: id('Transaction', 34),
  /** A quote that is funded with USDC. */
  usdcQuote: id('Quote', 35),
  usdcPayment: id('Transaction', 36),
  /** A quote that is funded by bank transfer, with the wrong amount. */
  wrongQuote: id('Quote', 37),
  wrongPayment: id('Transaction', 38),
  /** A quote that is never executed. */
  lateQuote: id('Quote', 39),
  latePayment: id('Transaction', 40),
  transferIn: id('Transaction', 41),
  transferOut: id('Transaction', 42),
  /** Payments from another provider's user: one is approved, one rejected. */
  umaReceipt: id('Transaction', 43),
  refusedReceipt: id('Transaction', 44),
  /** A payment that is approved and then held by a review. */
  failedReceipt: id('Transaction', 47),
  webhook: id('Webhook', 45),
  /** Ada's embedded wallet, her credentials for it, and her sessions. */
  adaUsdb: id('InternalAccount', 48),
  adaEmail: id('AuthMethod', 49),
  adaPhone: id('AuthMethod', 50),
  adaPasskey: id('AuthMethod', 51),
  adaGoogle: id('AuthMethod', 62),
  codeSession: id('Session', 52),
  passkeySession: id('Session', 53),
  googleSession: id('Session', 63),
  nextSession: id('Session', 54),
  /** Calls that wait for her signature, and a challenge of her passkey. */
  codeRequest: id('Request', 55),
  phoneRequest: id('Request', 56),
  passkeyRequest: id('Request', 57),
  loginRequest: id('Request', 58),
  refreshRequest: id('Request', 59),
  endRequest: id('Request', 60),
  revokeRequest: id('Request', 61),
  googleRequest: id('Request', 64),
  privacyRequest: id('Request', 65),
  exportRequest: id('Request', 66),
  contactRequest: id('Request', 69),
  /** A quote that is paid from her wallet. */
  walletQuote: id('Quote', 67),
  walletPayment: id('Transaction', 68),
  /** David Hilbert's bank account, which Emmy trusts for a while. */
  hilbertEur: id('ExternalAccount', 80),
  trustChallenge: id('ScaChallenge', 81),
  untrustChallenge: id('ScaChallenge', 82),
  loginChallenge: id('ScaChallenge', 83),
  totpReset: id('ScaReset', 84),
  resetDue: id('DueItem', 195),
  /** Emmy's payment to Hilbert, which she authorizes with one code. */
  waitingQuote: id('Quote', 93),
  waitingPayment: id('Transaction', 94),
  waitingChallenge: id('ScaChallenge', 95),
  /** A quote that is funded with USDC, after she has authorized it with two codes. */
  waitingUsdcQuote: id('Quote', 96),
  waitingUsdcPayment: id('Transaction', 97),
  conversionChallenge: id('ScaChallenge', 98),
  payoutChallenge: id('ScaChallenge', 99),
  unwantedQuote: id('Quote', 190),
  unwantedPayment: id('Transaction', 191),
  unwantedChallenge: id('ScaChallenge', 192),
  movedChallenge: id('ScaChallenge', 193),
  /** The key with which her wallet pays for her card. */
  walletSource: id('CardFundingSource', 70),
  cardKey: id('DelegatedKey', 71),
  keyRequest: id('Request', 72),
  policyRequest: id('Request', 73),
  /** Ada's card, and books that she buys with it. */
  card: id('Card', 100),
  purchase: id('Transaction', 101),
  bookReturn: id('Transaction', 102),
  /** Credits that the shop announced: one arrives, one does not. */
  credit: id('Transaction', 103),
  secondCredit: id('Transaction', 104),
  declinedPurchase: id('Transaction', 105),
  unpaidPurchase: id('Transaction', 106),
  /** The platform's own dollar, and its account at the provider that issues it. */
  coinProvider: id('StablecoinProviderAccount', 110),
  coin: id('Stablecoin', 111),
  coinWallet: id('ExternalAccount', 112),
  mint: id('StablecoinOperation', 113),
  paidMint: id('StablecoinOperation', 114),
  burn: id('StablecoinOperation', 115),
  /** The program that books her travels. */
  agent: id('Agent', 120),
  /** The bank account of her host, which the agent pays. */
  hostEur: id('ExternalAccount', 121),
  roomQuote: id('Quote', 122),
  roomPayment: id('Transaction', 123),
  /** The agent's actions: a transfer that is approved, one that is rejected, one that needs no approval, and the room. */
  waitingAction: id('AgentAction', 130),
  rejectedAction: id('AgentAction', 131),
  ownAction: id('AgentAction', 132),
  roomAction: id('AgentAction', 135),
  agentTransferOut: id('Transaction', 133),
  agentTransferIn: id('Transaction', 134),
  /** The request that created the first token, and the token that authenticated it. */
  requestLog: id('RequestLog', 150),
  quoteRequestLog: id('RequestLog', 194),
  quoteEvent: id('Webhook', 195),
  ownToken: id('Token', 151),
  /** The keys that sign the platform's webhooks, one after the other. */
  firstKey: id('WebhookKey', 160),
  secondKey: id('WebhookKey', 161),
  thirdKey: id('WebhookKey', 162),
} as const;

function id<T extends ResourceType>(type: T, number: number): PublicId<T> {
  return publicId(type, `019542f5-b3e7-7d02-8000-${String(number).padStart(12, '0')}`);
}

/** When the story begins. */
export const EXAMPLE_TIME = exampleTime(0);

export function exampleTime(afterSeconds: number): string {
  return new Date(Date.UTC(2026, 2, 2, 10) + afterSeconds * 1000).toISOString();
}

export function exampleCurrency(code: string) {
  return presentCurrency(code, NO_OWN_CURRENCIES);
}

export function exampleAmount(amount: number, code: string) {
  return { amount, currency: exampleCurrency(code) };
}

export const EXAMPLE_WEBHOOK_ENDPOINT = 'https://app.example.com/hooks';

/** An event as the endpoint receives it. */
export function webhookExample(type: string, data: unknown) {
  return { id: EXAMPLE_IDS.webhook, type, timestamp: EXAMPLE_TIME, data };
}

/** A text that the sandbox accepts instead of a signature (wallets.md §7). */
export const EXAMPLE_WALLET_SIGNATURE = 'sandbox-valid-signature';

interface ExampleActivity {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The payload that Ada has to sign, this many seconds into the story (wallets.md §3.8). */
export function examplePayload(seconds: number, { type, parameters }: ExampleActivity): string {
  return canonicalJson({
    organizationId: exampleOpaqueId('org', EXAMPLE_IDS.adaUsdb),
    parameters,
    timestampMs: String(Date.parse(exampleTime(seconds))),
    type: `ACTIVITY_TYPE_${type}`,
  });
}

/** The reply to the first leg of a signed call. */
export function exampleChallenge(requestId: PublicId<'Request'>, seconds: number, activity: ExampleActivity) {
  return {
    payloadToSign: examplePayload(seconds, activity),
    requestId,
    expiresAt: exampleTime(seconds + 300),
  };
}

/** An id as a signed payload contains it (wallets.md §3.9). */
export function exampleOpaqueId(prefix: string, id: PublicId): string {
  return `${prefix}_${id.replace(/^.*:/, '').replaceAll('-', '')}`;
}

/** A list that fits on one page. */
export function exampleList<Item>(...data: Item[]) {
  return { data, hasMore: false, totalCount: data.length };
}
