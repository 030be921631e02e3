import Type from 'typebox';
import {
  changeExternalStatusByOperator,
  type ExternalStatusChange,
  recordUsValidationByOperator,
} from '#capabilities/external-accounts/change-status.ts';
import type { ExternalAccountRow } from '#capabilities/external-accounts/store.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema, stringEnum } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';

const DecidedExternalAccount = component(
  'DecidedExternalAccount',
  'An external account after an operator’s decision.',
  { id: idSchema('ExternalAccount'), status: Type.String({ description: 'Its status now.' }) },
);

const WORDS = {
  area: 'Accounts',
  roles: ['compliance'],
  params: { accountId: { id: 'ExternalAccount', missing: 'ACCOUNT_NOT_FOUND' } },
  reply: DecidedExternalAccount,
  codes: ['CONFLICT'],
} as const;

function presentDecided({ id, status }: Pick<ExternalAccountRow, 'id' | 'status'>) {
  return { id: publicId('ExternalAccount', id), status };
}

function statusChange(name: 'disable' | 'enable', summary: string, description: string) {
  return operatorChange(`${name}ExternalAccount`, {
    ...WORDS,
    route: `POST /external-accounts/:accountId/${name}`,
    ...{ summary, description },
    change: async (tx, { params, body: { reason } }) =>
      presentDecided(await changeExternalStatusByOperator(tx, name, { ...params, reason })),
  });
}

/** What operators decide about external accounts (operator.md §6). The commands call the same functions. */
export const externalAccountChanges = [
  statusChange('disable', 'Disable an external account', 'Stops payments to and from an external account.'),
  statusChange(
    'enable',
    'Enable an external account',
    'Lets payments use a disabled external account again.',
  ),
  operatorChange('screenExternalAccount', {
    ...WORDS,
    route: 'POST /external-accounts/:accountId/screening',
    summary: 'Report a screening',
    description: 'Reports whether the screening of an external account found a hit.',
    fields: { outcome: stringEnum(['clear', 'hit'], { description: 'What the screening found.' }) },
    change: async (tx, { params, body: { outcome, reason } }) =>
      presentDecided(
        await changeExternalStatusByOperator(tx, `screening ${outcome}` satisfies ExternalStatusChange, {
          ...{ ...params, reason },
        }),
      ),
  }),
  operatorChange('reviewExternalAccount', {
    ...WORDS,
    route: 'POST /external-accounts/:accountId/review',
    summary: 'Decide on an external account',
    description: 'Decides about an external account that is under review.',
    fields: {
      outcome: stringEnum(['clear', 'refuse'], { description: 'Whether payments may use it.' }),
    },
    change: async (tx, { params, body: { outcome, reason } }) =>
      presentDecided(
        await changeExternalStatusByOperator(tx, `review ${outcome}` satisfies ExternalStatusChange, {
          ...{ ...params, reason },
        }),
      ),
  }),
  operatorChange('validateExternalAccount', {
    ...WORDS,
    route: 'POST /external-accounts/:accountId/validation',
    summary: 'Report a validation',
    description: 'Reports whether a US bank account exists.',
    fields: { outcome: stringEnum(['valid', 'failed'], { description: 'Whether the account exists.' }) },
    change: async (tx, { params, body: { outcome, reason } }) => {
      const state = outcome === 'valid' ? 'VALID' : 'FAILED';
      return presentDecided(await recordUsValidationByOperator(tx, state, { ...params, reason }));
    },
  }),
];
