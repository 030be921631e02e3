import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '#tests/drills/deployment.ts';
import { createRemotePlatform, type RemotePlatform } from '#tests/drills/remote-platform.ts';
import { supports } from '#tests/given/accounts.ts';
import type { Received } from '#tests/harness/receiver.ts';
import { loginOf, MoneyModel } from '#tests/model/money-model.ts';
import { CURRENCIES, givenCustomers, MoneyService } from '#tests/model/money-service.ts';
import type { Step } from '#tests/model/steps.ts';

/** A platform of a service under load, with the model of all its payments. */
export interface PaymentPlatform {
  readonly site: Deployment;
  readonly platform: RemotePlatform;
  readonly service: MoneyService;
  /** Its clock stands still until the load is over. */
  readonly model: MoneyModel;
}

/** The sandbox's own terms (money.md §1.4, §8). */
const TERMS = {
  crossCurrencyBps: 50n,
  sameCurrencyBps: 0n,
  fixed: {},
  counterpartyFixed: {},
  maxUsdCents: 10_000_000n,
  dailyUsdCents: 50_000_000n,
};

/** A new platform of the service, and its fresh model. Its endpoint answers webhooks after this time. */
export async function openPaymentPlatform(
  site: Deployment,
  answersAfterMs: () => number = () => 0,
): Promise<PaymentPlatform> {
  const settings = ['isRegulatedFinancialInstitution=true', 'requestRate.perSecond=0'];
  const platform = await createRemotePlatform(site, settings);
  platform.receiver.answer(async ({ body }) => {
    const ms = answersAfterMs();
    if (ms > 0) await delay(ms);
    return { status: isRefused(body) ? 403 : 200 };
  });
  await supports(platform, CURRENCIES);
  const service = await MoneyService.of({
    platform,
    receiver: platform.receiver,
    customers: await givenCustomers(platform),
    settle: async () => undefined,
  });
  const model = new MoneyModel(TERMS);
  for (const step of AUTHENTICATION) {
    assert.deepEqual(await service.apply(step, undefined, -1), model.apply(step, undefined), step.does);
  }
  return { site, platform, service, model };
}

/** D is logged in, has a passkey and trusts an account; E has no factor to authorize with. */
const AUTHENTICATION: readonly Step[] = [
  { does: 'passkey', who: 'D', change: 'enrol' },
  loginOf('D'),
  {
    does: 'trust',
    change: 'TRUST',
    in: { kind: 'OUTSIDE', who: 'D', currency: 'EUR', suffix: '115' },
    starts: true,
    answer: 'right',
  },
];

/** An incoming UMA payment that this platform refuses. */
function isRefused({ type, data }: Received['body']): boolean {
  const { source, receivedAmount } = data as {
    source?: { sourceType: string };
    receivedAmount?: { amount: number };
  };
  const isQuestion = type === 'INCOMING_PAYMENT.PENDING' && source?.sourceType === 'UMA_ADDRESS';
  return isQuestion && !isWelcome(receivedAmount?.amount ?? 0);
}

/** How the platform answers the question about an incoming payment. */
export function isWelcome(amount: number): boolean {
  return amount % 3 !== 0;
}

/** How many payments ended in each way; *waited*: until their customer had authorized them, or not. */
export function countEnds(models: readonly MoneyModel[]): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { type, status, refund, events, reason } of models.flatMap(({ payments }) => payments)) {
    const waited = events.includes('PENDING_AUTHORIZATION') ? ', waited' : '';
    const inVain = reason === 'SCA_NOT_COMPLETED' ? ' in vain' : '';
    const end = `${type} ${status}${refund ? ` refund ${refund.status}` : ''}${waited}${inVain}`;
    ends[end] = 1 + (ends[end] ?? 0);
  }
  return ends;
}
