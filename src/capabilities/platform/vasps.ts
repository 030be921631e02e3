/** An exchange that holds wallets for its users. */
export interface Vasp {
  readonly vaspName: string;
  readonly url: string;
}

/** Finds an exchange by name, ignoring case; the listed spelling is stored (accounts.md §5.1). */
export function findVasp(name: string): Vasp | undefined {
  const wanted = vaspKey(name);
  return VASPS.find((vasp) => vaspKey(vasp.vaspName) === wanted);
}

/** Names are sorted and compared case-insensitively (platform.md §1.4). */
export function vaspKey(name: string): string {
  return name.toLowerCase();
}

export const VASPS: readonly Vasp[] = [
  { vaspName: 'Binance', url: 'https://www.binance.com' },
  { vaspName: 'Binance.US', url: 'https://www.binance.us' },
  { vaspName: 'Bitfinex', url: 'https://www.bitfinex.com' },
  { vaspName: 'bitFlyer', url: 'https://bitflyer.com' },
  { vaspName: 'Bitget', url: 'https://www.bitget.com' },
  { vaspName: 'Bithumb', url: 'https://www.bithumb.com' },
  { vaspName: 'BitMart', url: 'https://www.bitmart.com' },
  { vaspName: 'Bitpanda', url: 'https://www.bitpanda.com' },
  { vaspName: 'Bitso', url: 'https://bitso.com' },
  { vaspName: 'Bitstamp', url: 'https://www.bitstamp.net' },
  { vaspName: 'Bitvavo', url: 'https://bitvavo.com' },
  { vaspName: 'Bybit', url: 'https://www.bybit.com' },
  { vaspName: 'Coinbase', url: 'https://www.coinbase.com' },
  { vaspName: 'Coincheck', url: 'https://coincheck.com' },
  { vaspName: 'CoinDCX', url: 'https://coindcx.com' },
  { vaspName: 'Crypto.com', url: 'https://crypto.com' },
  { vaspName: 'Gate', url: 'https://www.gate.com' },
  { vaspName: 'Gemini', url: 'https://www.gemini.com' },
  { vaspName: 'HTX', url: 'https://www.htx.com' },
  { vaspName: 'Independent Reserve', url: 'https://www.independentreserve.com' },
  { vaspName: 'Kraken', url: 'https://www.kraken.com' },
  { vaspName: 'KuCoin', url: 'https://www.kucoin.com' },
  { vaspName: 'LBank', url: 'https://www.lbank.com' },
  { vaspName: 'Luno', url: 'https://www.luno.com' },
  { vaspName: 'Mercado Bitcoin', url: 'https://www.mercadobitcoin.com.br' },
  { vaspName: 'MEXC', url: 'https://www.mexc.com' },
  { vaspName: 'OKX', url: 'https://www.okx.com' },
  { vaspName: 'Poloniex', url: 'https://poloniex.com' },
  { vaspName: 'Robinhood', url: 'https://robinhood.com' },
  { vaspName: 'Swissquote', url: 'https://www.swissquote.com' },
  { vaspName: 'Upbit', url: 'https://upbit.com' },
  { vaspName: 'VALR', url: 'https://www.valr.com' },
  { vaspName: 'WhiteBIT', url: 'https://whitebit.com' },
];
