import { Command } from 'commander';
import { pollRates } from '#capabilities/pricing/rate-source/poll-rates.ts';
import { ratesInForce } from '#capabilities/pricing/rate-source/set-rates.ts';
import { findPoll, listRates } from '#capabilities/pricing/rate-source/store.ts';
import { countArgument } from '#cli/arguments.ts';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { reasonOption } from '#cli/options.ts';
import { printLine, printRows } from '#cli/print.ts';
import { httpRateSource } from '#edge/providers/rate-source.ts';
import { Work } from '#foundation/database/work.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { createProviderClient } from '#foundation/outbound/outbound.ts';

interface RatesOptions extends SecondOptions {
  reason: string;
  hours: number;
  json?: boolean;
}

const HOURS_MAX = 7 * 24;

/** `corridor rates …`: the exchange rates of production. */
export function ratesCommand(): Command {
  const rates = new Command('rates').addHelpText(
    'after',
    '\nExample:\n  $ corridor rates set EUR=0.92 BTC=0.00000833 --reason "source is down"',
  );
  rates
    .command('show')
    .description('list all rates with their origin and expiry')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor rates show')
    .action((options: RatesOptions) => asOperator((operator) => show(operator, options)));
  const set = performs(rates.command('set'), ['setRates'], { second: true });
  confirmed(
    set,
    'Production prices with these rates from now on. Quotes keep the rate that they were made with.',
  )
    .description('set rates by hand; they override the source’s rates until they expire')
    .argument('<rates...>', 'such as EUR=0.92')
    .option('--hours <hours>', 'how long they apply', countArgument(1, HOURS_MAX), 24)
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor rates set NGN=1550 --hours 8 --reason "case 4711"')
    .action((words: string[], options: RatesOptions) =>
      asOperator((operator) => setByHand(operator, words, options)),
    );
  performs(rates.command('clear'), ['clearRates'], { second: true })
    .description('remove rates set by hand; the source’s rates apply again')
    .argument('<currencies...>', 'such as EUR')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor rates clear NGN --reason "source is right again"')
    .action((words: string[], options: RatesOptions) =>
      asOperator((operator) => change(operator, options, 'clearRates', { currencies: upper(words) })),
    );
  const stop = performs(rates.command('stop'), ['stopRates'], { second: false });
  confirmed(
    stop,
    'New quotes in these currencies are refused in production, until a rate is set or cleared by hand.',
  )
    .description('stop pricing currencies in production, whatever rate they have')
    .argument('<currencies...>', 'such as EUR')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor rates stop NGN --reason "the market is closed"')
    .action((words: string[], options: RatesOptions) =>
      asOperator((operator) => change(operator, options, 'stopRates', { currencies: upper(words) })),
    );
  rates
    .command('poll')
    .description('ask the source of RATES_URL now, and print the problems of its answer')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor rates poll')
    .action((options: RatesOptions) => asOperator((operator) => poll(operator, options)));
  return rates;
}

const upper = (words: readonly string[]) => words.map((code) => code.toUpperCase());

async function show({ database, config }: Operator, { json = false }: RatesOptions): Promise<void> {
  const rows = await listRates(database.query);
  const inForce = ratesInForce(rows, new Date());
  const shown = rows.map((row) => ({
    currency: row.currency,
    perUsd: row.per_usd,
    from: row.origin === 'SOURCE' ? 'source' : 'operator',
    counts: inForce.get(row.currency) === row,
    asOf: row.as_of,
    until: row.expires_at,
    ...(row.stopped_since && { stoppedSince: row.stopped_since }),
  }));
  printRows(shown, { json, none: 'There are no rates: production cannot quote anything.' });
  if (json) return;
  const { trouble } = (await findPoll(database.query)) ?? {};
  if (!config.providers.rates) printLine('RATES_URL is not set here: rates are set by hand.');
  else if (trouble) printLine(`The source’s latest answer was refused: ${trouble}`);
  const missing = ['EUR', 'BTC'].filter((code) => !inForce.has(code));
  if (rows.length > 0 && missing.length > 0) {
    printLine(`Production cannot quote anything without a valid rate of ${missing.join(' and ')}.`);
  }
}

async function setByHand(operator: Operator, words: readonly string[], options: RatesOptions): Promise<void> {
  const perUsd = new Map(words.map(parsePair));
  if (perUsd.size < words.length) throw new UsageError('a currency is given twice');
  await change(operator, options, 'setRates', { perUsd: Object.fromEntries(perUsd), hours: options.hours });
}

/** Performs the operation, and prints the rates afterwards. */
async function change(
  operator: Operator,
  options: RatesOptions,
  operation: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const work = new Work(await operator.runtime(), INSTALLATION, operator.actor);
  const present = async () => true;
  if (await performOperation(operator, work, { operation, body, options, present }))
    await show(operator, options);
}

function parsePair(word: string): [string, string] {
  const [currency = '', rate, ...more] = word.split('=');
  if (rate !== undefined && more.length === 0) return [currency.toUpperCase(), rate];
  throw new UsageError('write a rate as EUR=0.92');
}

async function poll(operator: Operator, options: RatesOptions): Promise<void> {
  const { rates } = operator.config.providers;
  if (!rates) throw new OperatorError('RATES_URL is not set.');
  const source = httpRateSource(rates, createProviderClient());
  const parts = { ...partsOf(operator), source, ageMaxMs: rates.ageMaxMs };
  const outcome = await pollRates(parts, { isUrgent: true });
  if (outcome.kind === 'elsewhere') throw new OperatorError('A worker is asking the source at this moment.');
  if (outcome.kind === 'refused') {
    throw new OperatorError(
      `No rate was accepted:\n${outcome.problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  await operator.audit({ action: 'rates poll' });
  await show(operator, options);
}

function partsOf({ database }: Operator) {
  return { database, clock: systemClock, newId: newUuid };
}
