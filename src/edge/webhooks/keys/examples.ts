import type { WebhookKey } from '#edge/webhooks/keys/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME } from '#foundation/lib/examples.ts';

export const FIRST_KEY: WebhookKey = {
  id: EXAMPLE_IDS.firstKey,
  status: 'SIGNING',
  publicKey: pem(
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2rI5VOaUqhH+KYLTup76EMykpzHn',
    'ikxkpLCu0MrkPkqHNl5viboowg20RIGvHqZT5R8f+a+5JfLVOoNKAVVlzQ==',
  ),
  signsFrom: EXAMPLE_TIME,
};

/** The first key while the second one is already published. */
export const OLD_KEY: WebhookKey = { ...FIRST_KEY, goesAt: '2026-03-04T10:00:00.000Z' };

export const SECOND_KEY: WebhookKey = {
  id: EXAMPLE_IDS.secondKey,
  status: 'NEXT',
  publicKey: pem(
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAERHVnrdlq2weM7Xr7b+W0y7PrBNf8',
    'pIKOG8SfnJGUaCS3P2qnwNIgWm/x4Dq6PJTZZzTdCJv+76kso/PchBMpsA==',
  ),
  signsFrom: '2026-03-03T10:00:00.000Z',
};

/** Replaces both keys at once. */
export const THIRD_KEY: WebhookKey = {
  id: EXAMPLE_IDS.thirdKey,
  status: 'SIGNING',
  publicKey: pem(
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJkgnGlq3BYnpZQlORDWDLibMmCqu',
    'Uruk9eX1y6V8sJ5P4+K2NMoAVWyx1IDKnxVo7nv04iQoguOf2oav9nb7BQ==',
  ),
  signsFrom: EXAMPLE_TIME,
};

function pem(...lines: string[]): string {
  return ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\n');
}
