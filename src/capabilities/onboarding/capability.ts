import type { Capability } from '#capabilities/capability.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { onboardingJobs } from '#capabilities/onboarding/jobs.ts';
import { registerOnboardingPage } from '#capabilities/onboarding/page/register-page.ts';
import { onboardingReactions } from '#capabilities/onboarding/reactions.ts';
import { onboardingOperations } from '#capabilities/onboarding/routes.ts';
import { linkExpiries } from '#capabilities/onboarding/store.ts';

export const onboarding = {
  name: 'onboarding',
  operations: ({ policy }: { readonly policy: CustomerPolicy }) => onboardingOperations(policy),
  pages: registerOnboardingPage,
  jobs: onboardingJobs,
  dueSources: [linkExpiries],
  reactions: onboardingReactions,
} satisfies Capability;
