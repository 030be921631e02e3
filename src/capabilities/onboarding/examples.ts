import type { KycLinkCreateRequest, KycLinkResponse } from '#capabilities/onboarding/schemas.ts';
import { exampleTime } from '#foundation/lib/examples.ts';

export const LINK_REQUEST: KycLinkCreateRequest = { redirectUri: 'https://app.example.com/onboarding/done' };

export const LINK: KycLinkResponse = {
  kycUrl:
    'http://127.0.0.1:8080/onboard/AaHi6NHMc421e-ke61PXNwiuN6M9GnQJ?redirectUri=https%3A%2F%2Fapp.example.com%2Fonboarding%2Fdone',
  expiresAt: exampleTime(86400),
  provider: 'SUMSUB',
  token: '_act-sbx-jwt-AaHi6NHMc421e-ke61PXNwiuN6M9GnQJ',
};
