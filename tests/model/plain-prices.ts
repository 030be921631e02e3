/** money.md §1, implemented again as plainly as possible: prices are found by trying. */
export interface Terms {
  readonly crossCurrencyBps: bigint;
  readonly sameCurrencyBps: bigint;
  /** By sending currency. */
  readonly fixed: Readonly<Record<string, bigint>>;
  /** By receiving currency. */
  readonly counterpartyFixed: Readonly<Record<string, bigint>>;
  readonly maxUsdCents: bigint;
  readonly dailyUsdCents: bigint;
  /** The platform's fee on dollars that become another currency; absent: none. */
  readonly configured?: PlatformFee;
}

export interface PlatformFee {
  readonly bps: bigint;
  readonly fixed: bigint;
}

export interface Price {
  readonly sent: bigint;
  readonly received: bigint;
  readonly serviceFee: bigint;
  readonly platformFee: bigint;
}

export interface PriceRequest {
  readonly from: string;
  readonly to: string;
  readonly side: 'SENDING' | 'RECEIVING';
  readonly amount: bigint;
  readonly fee: PlatformFee | undefined;
}

/** Units per 100 US dollars, and decimals. */
const CURRENCIES: Readonly<Record<string, readonly [per100Usd: bigint, decimals: bigint]>> = {
  USD: [100n, 2n],
  EUR: [92n, 2n],
  MXN: [1_725n, 2n],
  USDC: [100n, 6n],
  USDB: [100n, 6n],
};

/** Undefined: no amount fits. */
export function plainPrice(asked: PriceRequest, terms: Terms): Price | undefined {
  if (asked.side === 'SENDING') {
    const price = priceSent(asked.amount, asked, terms);
    return price.received >= 1n ? price : undefined;
  }
  const { amount: wanted } = asked;
  const { platform, service } = rates(asked, terms);
  const kept = 10_000n - platform.bps - service;
  if (kept <= 0n) return undefined;
  // Two roundings take at most one unit too little, so nothing below this brings enough.
  const need = converted(wanted, asked.to, asked.from, 'up');
  let sent = fixedFees(asked, terms) + ((need - 1n) * 10_000n) / kept - 2n;
  if (sent < 1n) sent = 1n;
  for (; ; sent++) {
    const price = priceSent(sent, asked, terms);
    if (price.received < wanted) continue;
    const serviceFee = asked.from === asked.to ? sent - wanted - price.platformFee : price.serviceFee;
    return { ...price, received: wanted, serviceFee };
  }
}

/** What an amount is worth, as cents over a common denominator. */
export function usdCents(amount: bigint, currency: string): readonly [bigint, bigint] {
  const [per100Usd, decimals] = requireCurrency(currency);
  return [amount * 10_000n, per100Usd * 10n ** decimals];
}

export function exceeds([cents, per]: readonly [bigint, bigint], limit: bigint): boolean {
  return cents > limit * per;
}

function priceSent(sent: bigint, asked: PriceRequest, terms: Terms): Price {
  const { platform, service } = rates(asked, terms);
  const fixed = fixedFees(asked, terms);
  const base = sent > fixed ? sent - fixed : 0n;
  const platformFee = platform.fixed + halfUp(base * platform.bps);
  const serviceFee = fixed - platform.fixed + halfUp(base * service);
  const net = sent - platformFee - serviceFee;
  const received = net > 0n ? converted(net, asked.from, asked.to, 'down') : 0n;
  return { sent, received, serviceFee, platformFee };
}

function rates({ from, to, fee }: PriceRequest, terms: Terms) {
  const service = from === to ? terms.sameCurrencyBps : terms.crossCurrencyBps;
  const usual = from === 'USD' && to !== 'USD' ? terms.configured : undefined;
  return { service, platform: fee ?? usual ?? { bps: 0n, fixed: 0n } };
}

function fixedFees(asked: PriceRequest, terms: Terms): bigint {
  const { from, to } = asked;
  const counterparty = converted(terms.counterpartyFixed[to] ?? 0n, to, from, 'up');
  return (terms.fixed[from] ?? 0n) + rates(asked, terms).platform.fixed + counterparty;
}

function halfUp(timesTenThousand: bigint): bigint {
  return (timesTenThousand + 5_000n) / 10_000n;
}

export function converted(amount: bigint, from: string, to: string, rounding: 'up' | 'down'): bigint {
  const [fromPer, fromDecimals] = requireCurrency(from);
  const [toPer, toDecimals] = requireCurrency(to);
  const numerator = amount * toPer * 10n ** toDecimals;
  const denominator = fromPer * 10n ** fromDecimals;
  return (numerator + (rounding === 'up' ? denominator - 1n : 0n)) / denominator;
}

function requireCurrency(currency: string): readonly [bigint, bigint] {
  const found = CURRENCIES[currency];
  if (!found) throw new Error(`the model knows no ${currency}`);
  return found;
}
