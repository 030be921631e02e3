import { CUSTOMER_PARAM } from '#capabilities/customers/routes.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { createLink } from '#capabilities/onboarding/create-link.ts';
import { LINK, LINK_REQUEST } from '#capabilities/onboarding/examples.ts';
import { KycLinkCreateRequest, KycLinkResponse } from '#capabilities/onboarding/schemas.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';

export function onboardingOperations(policy: CustomerPolicy) {
  return [
    operation('createCustomerKycLink', {
      route: 'POST /customers/:customerId/kyc-link',
      area: 'KYC/KYB Verifications',
      summary: 'Create a link to the onboarding page',
      description:
        'Returns a link to our hosted page, on which the customer, a person or a business, enters missing ' +
        'details, uploads documents, adds owners and submits everything. The link is valid for 24 hours ' +
        'and for one complete submission; earlier links stay valid. A return to `redirectUri` does not ' +
        'tell the outcome: an event reports it.',
      access: 'manage',
      params: CUSTOMER_PARAM,
      body: KycLinkCreateRequest,
      bodyOptional: true,
      idempotency: { key: 'optional' },
      status: 201,
      reply: KycLinkResponse,
      codes: ['CONFLICT'],
      examples: {
        'For a business': { params: { customerId: EXAMPLE_IDS.engines }, body: LINK_REQUEST, reply: LINK },
      },
      write: (tx, { params, body }) => createLink(tx, params.customerId, body, policy),
    }),
  ];
}
