import assert from 'node:assert/strict';
import { advance, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import type { BodyOf, RequestOf } from '#tests/harness/api-types.ts';
import type { Call, PlatformOptions, TestPlatform, World } from '#tests/harness/harness.ts';

/** A card as the API shows it. */
export type CardReply = BodyOf<'getCardById'>;

/** A platform whose customers are approved at once, with accounts that can fund a card and one that cannot. */
export function givenCardPlatform(world: World, options: PlatformOptions = {}): Promise<TestPlatform> {
  return givenPlatform(world, { currencies: ['USD', 'USDB', 'EUR'], ...options });
}

/** A request for a card of this customer, with the dollar account as its source. */
export function cardFor(payer: Payer, more: object = {}): RequestOf<'createCard'> {
  return { customerId: payer.id, form: 'VIRTUAL', fundingSource: payer.account('USD').id, ...more };
}

export function askCard(platform: TestPlatform, payer: Payer, more: object = {}, call: Call = {}) {
  return platform.send('createCard', { body: cardFor(payer, more), ...call });
}

/** A requested card that the issuer has not decided on. */
export async function givenNewCard(
  platform: TestPlatform,
  payer: Payer,
  more: object = {},
): Promise<CardReply> {
  const reply = await askCard(platform, payer, more);
  assert.equal(reply.status, 201, reply.raw);
  return reply.body;
}

/** An activated card; by default of a new customer with 10,000.00 USD. */
export async function givenCard(
  platform: TestPlatform,
  payer?: Payer,
  more: object = {},
): Promise<CardReply> {
  const { id } = await givenNewCard(platform, payer ?? (await givenPayer(platform)), more);
  await advance(platform, 1);
  const card = await readCard(platform, id);
  assert.equal(card.status, 'ACTIVE');
  return card;
}

export async function readCard(platform: TestPlatform, id: string): Promise<CardReply> {
  const reply = await platform.call('getCardById', { params: { id } });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body;
}

export function patchCard(platform: TestPlatform, id: string, body: object) {
  return platform.send('updateCardById', { params: { id }, body });
}

/** A change that must succeed. */
export async function changedCard(platform: TestPlatform, id: string, body: object): Promise<CardReply> {
  const reply = await patchCard(platform, id, body);
  assert.equal(reply.status, 200, reply.raw);
  return reply.body;
}

/** The address of the page that shows this card's number. */
export async function revealed(platform: TestPlatform, { id }: Pick<CardReply, 'id'>): Promise<string> {
  const reply = await platform.call('revealCard', { params: { id } });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body.panEmbedUrl;
}

/** The card's data on the page, read from its documented elements. */
export interface RevealedDetails {
  readonly pan: string;
  readonly expiry: string;
  readonly cvv: string;
}

export function detailsIn(page: string): RevealedDetails {
  const [, numbers = ''] = /<span id="pan"[^>]*>(.*?)<\/span><span class="spoken">/.exec(page) ?? [];
  const [, expiry = ''] = /<dd id="expiry">([^<]*)</.exec(page) ?? [];
  const [, cvv = ''] = /<span id="cvv"[^>]*>([^<]*)</.exec(page) ?? [];
  return { pan: numbers.replaceAll(/<[^>]*>|\s/g, ''), expiry, cvv };
}
