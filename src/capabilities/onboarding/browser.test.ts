// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Browser, FileChooser, Locator, Page } from 'playwright-core';
import { BUSINESS, type CreatedCustomer, givenCustomer } from '#tests/given/customers.ts';
import { fetchCustomerStatus, givenCompletePerson, listCustomerEventTypes } from '#tests/given/packets.ts';
import {
  accessibilityFaults,
  COLOURS_ONLY,
  closePages,
  NO_BROWSER,
  openBrowser,
  tabTo,
} from '#tests/harness/browser.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

/** Long enough for a busy machine: only a page that never loads fails. */
const PATIENCE_MS = 300_000;
const CHOOSER_MS = 20_000;

/**
 * Harmless browser messages: a 422 tells that something is missing, and a link to a field may be followed before the
 * browser has focused the summary.
 */
const HARMLESS = /status of 422|^Autofocus processing was blocked/;

const ACCEPTS = /^I have read the end-user terms, version V1, and accept them/;

/** A PNG of one pixel, with valid leading bytes. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Uses the onboarding page like an end user. Screenshots go to SCREENSHOTS, or to a temporary folder. */
describe('the onboarding page in a browser', () => {
  const world = testWorld();
  const shots = process.env.SCREENSHOTS ?? join(tmpdir(), 'corridor-onboarding');
  let platform: TestPlatform;
  let browser: Browser | undefined;

  before(async () => {
    platform = await world.platform();
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    browser = await openBrowser();
    await mkdir(shots, { recursive: true });
  });
  after(async () => {
    await closePages(browser);
  });

  const linkTo = async (customer: CreatedCustomer, redirectUri?: string): Promise<string> => {
    const made = await platform.call('createCustomerKycLink', {
      params: { customerId: customer.id },
      body: redirectUri === undefined ? {} : { redirectUri },
    });
    return made.body.kycUrl;
  };

  /** Collects the browser's complaints; the page must cause none. */
  async function visit(name: keyof typeof WIDTHS, url: string, options: { scheme?: 'dark' } = {}) {
    assert.ok(browser);
    const context = await browser.newContext({
      viewport: WIDTHS[name],
      colorScheme: options.scheme ?? 'light',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (line) => {
      if (!HARMLESS.test(line.text())) problems.push(line.text());
    });
    page.on('requestfailed', (request) => problems.push(request.url()));
    await page.goto(url);
    const look = async (title: string) => {
      await page.screenshot({ path: join(shots, `${name}-${title}.png`), fullPage: true });
      assert.deepEqual(await accessibilityFaults(page, options.scheme && COLOURS_ONLY), [], title);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.equal(overflow, 0, `${title} scrolls sideways`);
    };
    return { page, problems, look, close: () => context.close() };
  }

  const file = (name: string) => ({ name, mimeType: 'image/png', buffer: PNG });

  async function fillPerson(page: Page): Promise<void> {
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.getByLabel('Date of birth').fill('1990-12-10');
    await page.getByLabel('Nationality').selectOption({ label: 'United States' });
    await page.getByLabel('Street and house number').fill('1 Market St');
    await page.getByLabel('City').fill('San Francisco');
    await page.getByLabel('Postal code').fill('94105');
    await page.getByLabel('State or province').fill('CA');
    await page.getByLabel('Country', { exact: true }).selectOption('US');
    await page.getByLabel('Kind of number').selectOption('SSN');
    await page.getByLabel('Number', { exact: true }).fill('123-45-6789');
  }

  function needsBrowser(t: TestContext): boolean {
    if (!browser) t.skip(NO_BROWSER);
    return browser !== undefined;
  }

  it('a person makes a mistake, corrects it and submits, on a phone', async (t) => {
    if (!needsBrowser(t)) return;
    const customer = await givenCustomer(platform, { customerType: 'INDIVIDUAL' });
    const { page, problems, look, close } = await visit('phone', await linkTo(customer));
    await look('person-1-empty');
    await page.getByRole('button', { name: 'Save and submit' }).click();
    await page.getByRole('heading', { name: /things need your attention/ }).waitFor();
    await summaryHasFocus(page);
    await look('person-2-missing');
    await page.getByRole('link', { name: 'Enter your date of birth' }).click();
    assert.equal(await page.evaluate('location.hash'), '#birthDate');
    await fillPerson(page);
    await page.getByLabel('Date of birth').fill('2190-12-10');
    await page.getByRole('button', { name: 'Save and submit' }).click();
    await page.getByText('The date of birth cannot be in the future').first().waitFor();
    assert.equal(await page.getByLabel('Full name').inputValue(), 'Ada Lovelace');
    assert.equal(await page.getByLabel('Number', { exact: true }).inputValue(), '');
    await look('person-3-wrong');
    await page.getByLabel('Date of birth').fill('1990-12-10');
    await page.getByLabel('Kind of document').selectOption('DRIVERS_LICENSE');
    await page.getByLabel('Country that issued it').last().selectOption('US');
    await page.getByLabel('Number of the document').fill('D1234567');
    await page.getByLabel('Issued by').fill('California');
    await page.getByLabel('Photo page or front').setInputFiles(file('front.png'));
    await page.getByLabel('Back of a card').setInputFiles(file('back.png'));
    await page.getByRole('button', { name: 'Save and finish later' }).click();
    await page.getByText('Saved. You can go on').waitFor();
    await page.getByText('Driver’s licence, back: back.png').waitFor();
    await look('person-4-saved');
    await page.getByRole('button', { name: 'Save and submit' }).click();
    await page.getByRole('link', { name: 'Read the terms and accept them' }).click();
    assert.equal(await page.evaluate('location.hash'), '#endUserTermsConsent-termsVersion');
    await look('person-5-terms');
    await page.getByLabel(ACCEPTS).check();
    await page.getByRole('button', { name: 'Save and submit' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await look('person-6-done');
    assert.deepEqual(problems, []);
    assert.equal(await fetchCustomerStatus(platform, customer.id), 'APPROVED');
    await close();
  });

  it('a business adds an owner and is redirected, on a desktop', async (t) => {
    if (!needsBrowser(t)) return;
    const customer = await givenCustomer(platform, BUSINESS);
    const home = `http://localhost:${new URL(await linkTo(customer)).port}/health/live`;
    const { page, problems, look, close } = await visit('desktop', await linkTo(customer, home));
    await fillCompany(page);
    await fillOwner(page);
    await page.getByLabel(ACCEPTS).check();
    await page.getByRole('button', { name: 'Save and submit' }).click();
    await page.getByRole('heading', { name: 'One thing needs your attention' }).waitFor();
    await look('business-1-missing');
    await page.getByRole('button', { name: 'Save and add another person' }).click();
    await page.getByRole('group', { name: 'Another person' }).waitFor();
    await page.getByText('You accepted version V1 on').waitFor();
    await look('business-2-another');
    await addPaper(page, 'Address', 'UTILITY_BILL', 'bill.png');
    await page.getByRole('button', { name: 'Save and submit' }).click();
    await page.waitForURL(home);
    assert.deepEqual(problems, []);
    assert.equal(await fetchCustomerStatus(platform, customer.id), 'APPROVED');
    const { body } = await platform.call('getCustomerById', { params: { customerId: customer.id } });
    assert.equal(body.beneficialOwners.length, 1);
    assert.equal(body.beneficialOwners[0].kycStatus, 'APPROVED');
    await close();
  });

  it('a person can submit with the keyboard alone, and screen readers hear errors, saving and success', async (t) => {
    if (!needsBrowser(t)) return;
    const customer = await givenCustomer(platform, { customerType: 'INDIVIDUAL' });
    const { page, problems, close } = await visit('desktop', await linkTo(customer));
    const submit = page.getByRole('button', { name: 'Save and submit' });
    await tabTo(page, submit);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /things need your attention/ }).waitFor();
    await summaryHasFocus(page);
    const heard = await page.getByRole('alert').ariaSnapshot();
    assert.match(
      heard,
      /^- alert "\d+ things need your attention":\n {2}- heading "\d+ things need your attention" \[level=2\]\n {2}- list:\n/,
    );
    assert.match(heard, /- link "Enter your date of birth":\n\s+- \/url: "#birthDate"/);
    const born = page.getByLabel('Date of birth');
    await tabTo(page, page.getByRole('link', { name: 'Enter your date of birth' }));
    await page.keyboard.press('Enter');
    await page.locator('#birthDate:focus').waitFor();
    assert.equal(await born.getAttribute('aria-invalid'), 'true');
    assert.equal(
      await page.locator(`#${await born.getAttribute('aria-describedby')}`).innerText(),
      'Enter your date of birth',
    );

    await typeInto(page, page.getByLabel('Full name'), 'Ada Lovelace');
    await typeInto(page, born, '12101990');
    assert.equal(await born.inputValue(), '1990-12-10');
    await chooseIn(page, page.getByLabel('Nationality'), 'US');
    await typeInto(page, page.getByLabel('Street and house number'), '1 Market St');
    await typeInto(page, page.getByLabel('City'), 'San Francisco');
    await typeInto(page, page.getByLabel('Postal code'), '94105');
    await typeInto(page, page.getByLabel('State or province'), 'CA');
    await chooseIn(page, page.getByLabel('Country', { exact: true }), 'US');
    await chooseIn(page, page.getByLabel('Kind of number'), 'SSN');
    await typeInto(page, page.getByLabel('Number', { exact: true }), '123-45-6789');
    await chooseIn(page, page.getByLabel('Kind of document'), 'PASSPORT');
    await chooseIn(page, page.getByLabel('Country that issued it').last(), 'US');
    await typeInto(page, page.getByLabel('Number of the document'), 'D1234567');
    await typeInto(page, page.getByLabel('Issued by'), 'Department of State');
    await tabTo(page, page.getByLabel('Photo page or front'));
    await (await openChooser(page)).setFiles(file('front.png'));
    await tabTo(page, page.getByRole('button', { name: 'Save and finish later' }));
    await page.keyboard.press('Space');
    await page.getByText('Saved. You can go on').waitFor();
    assert.match(
      await page.getByRole('status').ariaSnapshot(),
      /^- status:\n {2}- paragraph: Saved\. You can go on/,
    );
    const terms = page.getByRole('region', { name: 'End-user terms, version V1' });
    await tabTo(page, terms);
    await page.keyboard.press('End');
    await page.waitForFunction((box) => (box as Element).scrollTop > 0, await terms.elementHandle());
    await tabTo(page, page.getByLabel(ACCEPTS));
    await page.keyboard.press('Space');
    await tabTo(page, submit);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.match(await page.locator('main').ariaSnapshot(), /- status: We have everything we need/);
    assert.deepEqual(problems, []);
    assert.equal(await fetchCustomerStatus(platform, customer.id), 'APPROVED');
    await close();
  });

  /** Uses arrow keys, because letters typed into a list form one word only if they are typed fast. */
  async function chooseIn(page: Page, list: Locator, value: string): Promise<void> {
    await tabTo(page, list);
    const [at, last] = await list.evaluate((element, wanted) => {
      const values = [...(element as HTMLSelectElement).options].map((option) => option.value);
      return [values.indexOf(wanted), values.length - 1] as const;
    }, value);
    const isNearEnd = last - at < at;
    await page.keyboard.press(isNearEnd ? 'End' : 'Home');
    for (let left = isNearEnd ? last - at : at; left > 0; left--)
      await page.keyboard.press(isNearEnd ? 'ArrowUp' : 'ArrowDown');
    assert.equal(await list.inputValue(), value);
  }

  /** A busy browser can drop the key that opens the chooser, so it is pressed again. */
  async function openChooser(page: Page): Promise<FileChooser> {
    for (let waited = 0; waited < PATIENCE_MS; waited += CHOOSER_MS) {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser', { timeout: CHOOSER_MS }).catch(() => undefined),
        page.keyboard.press('Enter'),
      ]);
      if (chooser) return chooser;
    }
    assert.fail('the key opens no file chooser');
  }

  async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
    await tabTo(page, field);
    await page.keyboard.type(text);
  }

  /** The browser sets the focus some time after the heading is visible; following a link earlier would lose it. */
  async function summaryHasFocus(page: Page): Promise<void> {
    await page.locator('[role=alert]:focus').waitFor();
  }

  async function fillCompany(page: Page): Promise<void> {
    await page.getByLabel('Number in the company register').fill('REG-777');
    await page.getByLabel('Legal form').selectOption('CORPORATION');
    await page.getByLabel('Line of business').selectOption('INFORMATION');
    await page.getByLabel('Countries you are active in, 1').selectOption('US');
    const address = page.getByRole('region', { name: 'Address', exact: true });
    await address.getByLabel('Street and house number').fill('1 Engine Way');
    await address.getByLabel('City').fill('Boston');
    await address.getByLabel('Postal code').fill('02110');
    await address.getByLabel('State or province').fill('MA');
    await address.getByLabel('Country', { exact: true }).selectOption('US');
    await page.getByLabel('What the account is for').selectOption('SUPPLIER_PAYMENTS');
    await page.getByLabel('Where the money comes from').fill('Sales of engines');
    await page.getByLabel('Payments in a month').selectOption('COUNT_10_TO_100');
    await page.getByLabel('Money moved in a month').selectOption('VOLUME_10K_TO_100K');
    await page.getByLabel('Countries you will pay to, 1').selectOption('US');
    await page.getByLabel('Countries you will pay to, 2').selectOption('GB');
    await addPaper(page, 'Formation', 'CERTIFICATE_OF_INCORPORATION', 'certificate.png');
    await addPaper(page, 'Ownership', 'SHAREHOLDER_REGISTER', 'register.png');
    await addPaper(page, 'Control', 'DIRECTOR_REGISTRY', 'directors.png');
  }

  async function addPaper(page: Page, place: string, type: string, fileName: string): Promise<void> {
    const paper = page.getByRole('group', { name: place, exact: true });
    await paper.getByLabel('Kind of document').selectOption(type);
    await paper.getByLabel('Country that issued it').selectOption('US');
    await paper.getByLabel('File').setInputFiles(file(fileName));
  }

  async function fillOwner(page: Page): Promise<void> {
    const person = page.getByRole('group', { name: 'First person' });
    await person.getByLabel('First name').fill('Charles');
    await person.getByLabel('Last name').fill('Babbage');
    await person.getByLabel('Date of birth').fill('1971-12-26');
    await person.getByLabel('Nationality').selectOption('US');
    await person.getByLabel('Share of the business in percent').fill('60');
    await person.getByLabel('Owner').check();
    await person.getByLabel('Director').check();
    await person.getByLabel('Street and house number').fill('5 Devonshire St');
    await person.getByLabel('City').fill('Boston');
    await person.getByLabel('Postal code').fill('02110');
    await person.getByLabel('State or province').fill('MA');
    await person.getByLabel('Country', { exact: true }).selectOption('US');
    await person.getByLabel('Kind of number').selectOption('SSN');
    await person.getByLabel('Number', { exact: true }).fill('219-09-9999');
  }

  it('customers.md §6.8: two clicks on the button lead to the same page as one', async (t) => {
    if (!needsBrowser(t)) return;
    const customer = await givenCompletePerson(platform);
    const { page, close } = await visit('desktop', await linkTo(customer));
    await page.getByLabel(ACCEPTS).check();
    await page.getByRole('button', { name: 'Save and submit' }).dblclick({ noWaitAfter: true });
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const { body } = await platform.call('listVerifications', { query: { customerId: customer.id } });
    assert.equal(body.data.length, 1);
    await close();
  });

  it('customers.md §6.8: an incomplete person stays in the form as typed', async (t) => {
    if (!needsBrowser(t)) return;
    const customer = await givenCustomer(platform, BUSINESS);
    const { page, problems, look, close } = await visit('phone', await linkTo(customer));
    const person = page.getByRole('group', { name: 'First person' });
    await person.getByLabel('First name').fill('Karl');
    await person.getByLabel('Trustee').check();
    await page.getByRole('button', { name: 'Save and finish later' }).click();
    await page.getByText('Karl is not saved yet').waitFor();
    await summaryHasFocus(page);
    const again = page.getByRole('group', { name: 'Karl' });
    assert.equal(await again.getByLabel('First name').inputValue(), 'Karl');
    assert.equal(await again.getByLabel('Trustee').isChecked(), true);
    await page.getByRole('link', { name: 'Enter Karl’s last name' }).click();
    await look('business-3-half');
    assert.deepEqual(problems, []);
    await close();
  });

  it('customers.md §6.6, §6.6a: a business that only confirms reads the terms above its one button', async (t) => {
    if (!needsBrowser(t)) return;
    const light = await world.platform({ settings: { skipVerificationPaperwork: true } });
    const customer = await givenCustomer(light, BUSINESS);
    const made = await light.call('createCustomerKycLink', { params: { customerId: customer.id } });
    const { page, problems, look, close } = await visit('phone', made.body.kycUrl);
    await page.getByRole('region', { name: 'End-user terms, version V1' }).waitFor();
    await look('confirm');
    await page.getByRole('button', { name: 'Accept the terms, confirm and submit' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.deepEqual(problems, []);
    assert.equal(await fetchCustomerStatus(light, customer.id), 'APPROVED');
    await close();
  });

  it('the page is equally accessible in dark mode', async (t) => {
    if (!needsBrowser(t)) return;
    const url = await linkTo(await givenCustomer(platform, BUSINESS));
    const { page, look, close } = await visit('phone', url, { scheme: 'dark' });
    await page.getByRole('button', { name: 'Save and submit' }).click();
    await page.getByRole('heading', { name: /things need your attention/ }).waitFor();
    await look('business-dark');
    assert.ok(!(await listCustomerEventTypes(platform)).includes('CUSTOMER.KYB_PENDING'));
    await close();
  });
});
