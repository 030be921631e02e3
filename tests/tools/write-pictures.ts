import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Corridor, createCorridor } from '@corridor/client';
import { chromium, type Page } from 'playwright-core';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { serve } from '#tests/harness/corridor-process.ts';
import { BROWSER_ARGUMENTS, findBrowser } from '#tests/harness/find-browser.ts';
import { createReceiver } from '#tests/harness/receiver.ts';

/** Draws the pictures of the documents: a new sandbox, some days of a developer's work in it, and its console. */

const FOLDER = new URL('../../docs/pictures/', import.meta.url);
/** The pages of the documents show pictures of this shape. */
const WINDOW = { width: 1280, height: 800 };
const BYTES_MAX = 75_000;
const QUALITY = 0.86;
/** The last digits of an account number decide what the sandbox's bank does: it refuses this one. */
const REFUSED_IBAN = 'DE35370400440532013002';
const { adaUsd, jeanEur, ada, card } = EXAMPLE_IDS;

const folder = await mkdtemp(join(tmpdir(), 'corridor-pictures-'));
const server = await serve({ DATA_DIR: folder, SANDBOX_SEEDS: 'true' }, [], 'bin/corridor.mjs');
const receiver = await createReceiver();
try {
  const corridor = createCorridor({ baseUrl: server.told.baseUrl ?? '', ...server.credentials });
  await corridor.updatePlatformConfig({ webhookEndpoint: receiver.url });
  const places = {
    ...(await work(corridor)),
    ...(await workWithAgent(corridor)),
    ...(await failDelivery(corridor)),
  };
  await mkdir(FOLDER, { recursive: true });
  await draw(corridor, places);
} finally {
  await receiver.close();
  server.kill('SIGTERM');
  await server.finished;
  await rm(folder, { recursive: true, force: true });
}

/** Makes payments and purchases; returns the address of the screen in each picture. */
async function work(corridor: Corridor): Promise<Record<string, string>> {
  await corridor.advanceSandboxClock({ seconds: 86_400 });
  await corridor.createCustomer({ customerType: 'INDIVIDUAL', fullName: '' }).catch(() => undefined);
  const refused = await corridor.createCustomerExternalAccount({
    customerId: ada,
    currency: 'EUR',
    accountInfo: {
      accountType: 'EUR_ACCOUNT',
      iban: REFUSED_IBAN,
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Claire Moreau', countryOfResidence: 'FR' },
    },
  });
  await buy(corridor, 'CORNER BOOKS', 4_250);
  await buy(corridor, 'MAIN STREET COFFEE', 480);
  const [, books] = (await corridor.listTransactions({ cardId: card })).data;
  await corridor.sandboxSimulateCardClearing(card, { cardTransactionId: books?.id ?? '', amount: 3_000 });
  await payOurselves(corridor);
  const paid = await pay(corridor, adaUsd, jeanEur, 'Invoice 2041', true);
  const failed = await pay(corridor, adaUsd, refused.id, 'Invoice 2042', true);
  await corridor.advanceSandboxClock({ seconds: 3_600 });
  await pay(corridor, adaUsd, jeanEur, 'Invoice 2043', true);
  await pay(corridor, adaUsd, jeanEur, 'Invoice 2044', false);
  return {
    home: '/console',
    payment: `/console/payments/${paid}`,
    explanation: `/console/payments/${failed}`,
    time: '/console/time',
    terminal: `/console/cards/${card}`,
  };
}

/** An agent of Ada's that pays small invoices by itself, and asks before it pays the large one. */
async function workWithAgent(corridor: Corridor): Promise<Record<string, string>> {
  const { agent, deviceCode } = await corridor.createAgent({
    name: 'Invoice agent',
    customerId: ada,
    policy: {
      permissions: ['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
      defaultExecutionMode: 'AUTO',
      approvalThresholds: { currency: 'USD', amount: 10_000 },
      spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: 100_000 },
    },
  });
  const { accessToken } = await corridor.redeemAgentDeviceCode(deviceCode.code);
  const baseUrl = server.told.baseUrl ?? '';
  const own = createCorridor({ baseUrl, agentToken: accessToken });
  for (const [description, amount] of [
    ['Invoice 2045', 4_200],
    ['Invoice 2046', 25_000],
  ] as const) {
    const quote = await own.agentCreateQuote({
      source: { sourceType: 'ACCOUNT', accountId: adaUsd },
      destination: { destinationType: 'ACCOUNT', accountId: jeanEur },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: amount,
      description,
    });
    await own.agentExecuteQuote(quote.id);
  }
  return { agent: `/console/agents/${agent.id}` };
}

/** An event that the receiver refuses, and then accepts. */
async function failDelivery(corridor: Corridor): Promise<Record<string, string>> {
  receiver.answer({ status: 500, body: 'no connection to the database' });
  await corridor.sandboxFundInternalAccount(adaUsd, { amount: 5_000 });
  await corridor.advanceSandboxClock({ seconds: 1 });
  receiver.answer({ status: 200, body: '' });
  const [event] = (await corridor.listEvents({ limit: 1 })).data;
  await corridor.advanceSandboxClock({ seconds: 10 });
  return { event: `/console/events/${event?.id}` };
}

async function buy(corridor: Corridor, descriptor: string, amount: number): Promise<void> {
  await corridor.sandboxSimulateCardAuthorization(card, {
    amount,
    currency: { code: 'USD' },
    merchant: { descriptor },
  });
  await corridor.advanceSandboxClock({ seconds: 1 });
}

/** The first screen shows a developer's first steps until the platform has made payments of its own. */
async function payOurselves(corridor: Corridor): Promise<void> {
  const [account] = (await corridor.listPlatformInternalAccounts({ currency: 'USD' })).data;
  const { id = '' } = account ?? {};
  await corridor.sandboxFundInternalAccount(id, { amount: 100_000 });
  const bank = await corridor.createPlatformExternalAccount({
    currency: 'EUR',
    accountInfo: {
      accountType: 'EUR_ACCOUNT',
      iban: 'DE89370400440532013000',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jean Dupont', countryOfResidence: 'FR' },
    },
  });
  for (const description of ['Salary', 'Rent']) await pay(corridor, id, bank.id, description, true);
}

async function pay(
  corridor: Corridor,
  from: string,
  to: string,
  description: string,
  immediatelyExecute: boolean,
): Promise<string> {
  const { transactionId } = await corridor.createQuote({
    source: { sourceType: 'ACCOUNT', accountId: from },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 25_000,
    description,
    immediatelyExecute,
  });
  return transactionId;
}

async function draw(corridor: Corridor, places: Readonly<Record<string, string>>): Promise<void> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error('pictures need Chromium');
  const browser = await chromium.launch({ executablePath, args: BROWSER_ARGUMENTS });
  try {
    const context = await browser.newContext({
      viewport: WINDOW,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const { url } = await corridor.createConsoleSession();
    await page.goto(url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('#navigation').waitFor();
    for (const [name, place] of Object.entries(places)) await drawOne(page, name, new URL(place, url).href);
  } finally {
    await browser.close();
  }
}

async function drawOne(page: Page, name: string, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('main h1').waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
  const picture = await compress(page, await page.screenshot({ caret: 'hide' }));
  if (picture.length > BYTES_MAX) throw new Error(`${name} has ${picture.length} bytes`);
  await writeFile(new URL(`${name}.webp`, FOLDER), picture);
}

/** The browser turns its own picture into one of a third of the size, on a page without a policy. */
async function compress(shown: Page, picture: Buffer): Promise<Buffer> {
  const page = await shown.context().newPage();
  const url = await page.evaluate(
    async ({ png, quality }) => {
      const bitmap = await createImageBitmap(await (await fetch(png)).blob());
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      return canvas.toDataURL('image/webp', quality);
    },
    { png: `data:image/png;base64,${picture.toString('base64')}`, quality: QUALITY },
  );
  await page.close();
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
