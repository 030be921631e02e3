import Type from 'typebox';
import {
  auditAction,
  closeAccount,
  freezeAccount,
  unfreezeAccount,
} from '#capabilities/accounts/change-status.ts';
import {
  addSwiftCollection,
  provisionByOperator,
  refuseProvisioning,
  retryProvisioning,
} from '#capabilities/accounts/provision-account.ts';
import { findAccounts } from '#capabilities/accounts/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { masked } from '#foundation/records/mask.ts';

const ChangedAccount = component('ChangedAccount', 'An internal account after an operator’s change.', {
  id: idSchema('InternalAccount'),
  status: Type.String({ description: 'Its status now.' }),
});

const WORDS = {
  area: 'Accounts',
  params: { accountId: { id: 'InternalAccount', missing: 'ACCOUNT_NOT_FOUND' } },
  reply: ChangedAccount,
  codes: ['CONFLICT'],
} as const;

/** What a bank says about itself is no secret; the number of an account is shown by its last four. */
const ofBank = (maxLength: number, description: string, more: { minLength?: number } = {}) =>
  masked('none', Type.String({ ...more, maxLength, description }));
const numberThere = (description: string) => masked('number', Type.String({ maxLength: 34, description }));

async function presentChanged(tx: Tx, accountId: AccountId) {
  const [account] = await findAccounts(tx, [accountId]);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  return { id: publicId('InternalAccount', accountId), status: account.status };
}

/** What operators do with internal accounts (operator.md §6). The commands call the same functions. */
export const accountChanges = [
  operatorChange('freezeAccount', {
    ...WORDS,
    route: 'POST /internal-accounts/:accountId/freeze',
    summary: 'Freeze an account',
    description: 'Stops all money to and from an account, until it is unfrozen.',
    roles: ['support', 'compliance'],
    async change(tx, { params: { accountId }, body: { reason } }) {
      await freezeAccount(tx, { accountId, reason });
      return presentChanged(tx, accountId);
    },
  }),
  operatorChange('unfreezeAccount', {
    ...WORDS,
    route: 'POST /internal-accounts/:accountId/unfreeze',
    summary: 'Unfreeze an account',
    description: 'Lets money move to and from a frozen account again.',
    roles: ['compliance'],
    async change(tx, { params: { accountId }, body: { reason } }) {
      await unfreezeAccount(tx, { accountId, reason });
      return presentChanged(tx, accountId);
    },
  }),
  operatorChange('closeAccount', {
    ...WORDS,
    route: 'POST /internal-accounts/:accountId/close',
    summary: 'Close an account',
    description: 'Closes an empty account for good: it can no longer receive money.',
    roles: ['compliance'],
    two: 'always',
    asksFirst: true,
    async change(tx, { params: { accountId }, body: { reason } }) {
      await closeAccount(tx, { accountId, reason });
      return presentChanged(tx, accountId);
    },
  }),
  operatorChange('provisionAccount', {
    ...WORDS,
    route: 'POST /internal-accounts/:accountId/provision',
    summary: 'Set up an account',
    description:
      'Reports that the bank has set up an account, with its coordinates. The same content again changes nothing; other ' +
      'content is refused.',
    roles: ['treasury'],
    two: 'always',
    fields: {
      coordinates: masked(
        'fields',
        Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
          description: 'The bank’s details by type of account: `{ "EUR_ACCOUNT": { "iban": "DE…" } }`.',
        }),
      ),
    },
    async change(tx, { params: { accountId }, body: { reason, coordinates } }) {
      await provisionByOperator(tx, { accountId, reason, coordinates });
      return presentChanged(tx, accountId);
    },
  }),
  operatorChange('refuseAccount', {
    ...WORDS,
    route: 'POST /internal-accounts/:accountId/refuse',
    summary: 'Refuse an account',
    description: 'Reports that the bank does not set up an account.',
    roles: ['treasury'],
    async change(tx, { params: { accountId }, body: { reason } }) {
      auditAction(tx, 'refuse', { accountId, reason }, await refuseProvisioning(tx, { accountId }));
      return presentChanged(tx, accountId);
    },
  }),
  operatorChange('retryAccount', {
    ...WORDS,
    route: 'POST /internal-accounts/:accountId/retry',
    summary: 'Ask again for an account',
    description: 'Asks the provider again for an account that could not be set up.',
    roles: ['treasury'],
    async change(tx, { params: { accountId }, body: { reason } }) {
      await retryProvisioning(tx, { accountId, reason });
      return presentChanged(tx, accountId);
    },
  }),
  operatorChange('addSwiftInstructions', {
    ...WORDS,
    route: 'POST /internal-accounts/:accountId/swift',
    summary: 'Add a way to pay in by SWIFT',
    description: 'Adds the coordinates at which an account can be paid by SWIFT, besides those that it has.',
    roles: ['treasury'],
    two: 'always',
    fields: {
      country: ofBank(2, 'The country of the bank.', { minLength: 2 }),
      swiftCode: ofBank(11, 'The bank’s SWIFT code.'),
      bankName: ofBank(255, 'The bank’s name.'),
      bankAddress: Type.Optional(ofBank(255, 'The bank’s address.')),
      accountNumber: Type.Optional(numberThere('The account there.')),
      iban: Type.Optional(numberThere('The account there, instead or as well.')),
    },
    async change(tx, { params: { accountId }, body: { reason, ...coordinates } }) {
      await addSwiftCollection(tx, { accountId, reason, coordinates });
      return presentChanged(tx, accountId);
    },
  }),
];
