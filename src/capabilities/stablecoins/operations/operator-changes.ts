import Type from 'typebox';
import { decideByOperator, type OperatorStep } from '#capabilities/stablecoins/coins/enablement.ts';
import { revokeLink } from '#capabilities/stablecoins/links/change-link.ts';
import { endByOperator } from '#capabilities/stablecoins/operations/end-by-operator.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';

const status = Type.String({ description: 'Its status now.' });
const DecidedCoin = component('DecidedCoin', 'A stablecoin after an operator’s decision.', {
  id: idSchema('Stablecoin'),
  status,
});
const EndedOperation = component('EndedOperation', 'A mint or burn that an operator ended.', {
  id: idSchema('StablecoinOperation'),
  status,
});
const RevokedLink = component('RevokedLink', 'A link to a provider’s account that an operator ended.', {
  id: idSchema('StablecoinProviderAccount'),
  status,
});

const WORDS = { area: 'Stablecoins', roles: ['treasury'], codes: ['CONFLICT'] } as const;

interface CoinStep {
  readonly summary: string;
  readonly description: string;
  readonly two?: 'always';
  readonly asksFirst?: true;
}

const COIN_STEPS: Readonly<Record<OperatorStep, CoinStep>> = {
  approve: {
    summary: 'Approve a stablecoin',
    description: 'Approves a request: the coin becomes a currency of its platform for good.',
    ...{ two: 'always', asksFirst: true },
  },
  decline: {
    summary: 'Decline a stablecoin',
    description: 'Declines a request. The platform sees the decision, and can ask again.',
    ...{ two: 'always', asksFirst: true },
  },
  disable: {
    summary: 'Disable a stablecoin',
    description: 'Stops new payments, mints and burns of internal accounts in the coin. Balances stay.',
    asksFirst: true,
  },
  enable: {
    summary: 'Enable a stablecoin',
    description: 'Enables a disabled coin again.',
    two: 'always',
  },
};

const coinSteps = (Object.keys(COIN_STEPS) as OperatorStep[]).map((step) =>
  operatorChange(`${step}Stablecoin`, {
    ...WORDS,
    ...COIN_STEPS[step],
    route: `POST /stablecoins/:coinId/${step}`,
    params: { coinId: { id: 'Stablecoin', missing: 'STABLECOIN_NOT_FOUND' } },
    reply: DecidedCoin,
    async change(tx, { params: { coinId }, body: { reason } }) {
      const { svcOperationsStatus } = await decideByOperator(tx, step, { coinId, reason });
      return { id: publicId('Stablecoin', coinId), status: svcOperationsStatus };
    },
  }),
);

const ENDS = {
  complete: { status: 'COMPLETED', summary: 'Complete a mint or burn' },
  fail: { status: 'FAILED', summary: 'Fail a mint or burn' },
} as const;

function endOperation(name: keyof typeof ENDS, description: string) {
  const { status, summary } = ENDS[name];
  return operatorChange(`${name}StablecoinOperation`, {
    ...WORDS,
    ...{ summary, description, two: 'always', asksFirst: true },
    route: `POST /stablecoin-operations/:operationId/${name}`,
    params: { operationId: { id: 'StablecoinOperation', missing: 'STABLECOIN_OPERATION_NOT_FOUND' } },
    reply: EndedOperation,
    async change(tx, { params: { operationId }, body: { reason } }) {
      const row = await endByOperator(tx, { operationId, status, reason });
      return { id: publicId('StablecoinOperation', row.id), status: row.status };
    },
  });
}

/** What operators do with stablecoins (operator.md §6). The commands call the same functions. */
export const stablecoinChanges = [
  ...coinSteps,
  endOperation(
    'complete',
    'Records that the provider completed a mint or burn, if it can no longer be asked. It is booked as completed.',
  ),
  endOperation(
    'fail',
    'Records that the provider will not perform a mint or burn. It ends as failed, and its hold is released.',
  ),
  operatorChange('revokeStablecoinLink', {
    ...WORDS,
    route: 'POST /stablecoin-links/:linkId/revoke',
    summary: 'Revoke a link',
    description:
      'Ends a link to a provider’s account for good and destroys its secret. The platform has to link the account again.',
    asksFirst: true,
    params: { linkId: { id: 'StablecoinProviderAccount', missing: 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND' } },
    reply: RevokedLink,
    async change(tx, { params: { linkId }, body: { reason } }) {
      const { id, status: linkStatus } = await revokeLink(tx, { linkId, reason });
      return { id, status: linkStatus };
    },
  }),
];
