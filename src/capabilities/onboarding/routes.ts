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
      summary: 'Make a link to the onboarding page',
      description:
        'Gives a link to a page of ours on which the customer, a person or a business, enters what is missing, ' +
        'uploads documents, names owners and submits it all. Good for 24 hours and for one complete submission; ' +
        'earlier links stay valid. That the customer comes back to `redirectUri` says nothing of the outcome: ' +
        'that comes as an event.',
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
