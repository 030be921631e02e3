import { type CompleteTable, rowFor, type SandboxRow, sandboxSuffix } from '#edge/sandbox/table.ts';
import type { NameCheckPort, NameCheckResult, NameCheckStatus } from '#foundation/ports/name-check.ts';

/** The sandbox's name check: the last three digits of the account's identifier choose the answer. */
export const sandboxNameCheck: NameCheckPort = {
  async atCreate({ identifier, name }) {
    const { does } = rowFor(NAME_CHECK_TABLE, sandboxSuffix(identifier));
    return does === 'REFUSED' ? does : answer(does, name);
  },
  /** Never called: the answer is always known at once. */
  check: async ({ name }) => answer('MATCHED', name),
};

type Answer = NameCheckStatus | 'REFUSED';

function row(value: string, example: string, status: NameCheckStatus, effect: string): SandboxRow<Answer> {
  return { value, example, effect, shows: { beneficiaryVerificationStatus: status }, does: status };
}

/** accounts.md §4.8. */
export const NAME_CHECK_TABLE: CompleteTable<Answer> = {
  id: 'name-check',
  title: 'Checking the name of an account’s holder',
  intro:
    'The end of the identifier of a new bank account (IBAN, account number, phone number, key) decides how its bank answers ' +
    'about the holder’s name.',
  column: 'Account ends in',
  operations: ['createCustomerExternalAccount', 'createPlatformExternalAccount'],
  rows: [
    row('102', 'DE51370400440532013102', 'NOT_MATCHED', 'The account belongs to another holder.'),
    row(
      '103',
      'DE24370400440532013103',
      'PARTIAL_MATCH',
      'The name is nearly right: the holder is shown with the first name cut to its initial.',
    ),
    row('104', 'DE94370400440532013104', 'PENDING', 'The bank does not answer, and never will.'),
    {
      value: '105',
      example: 'DE67370400440532013105',
      effect: 'There is no such account: it is refused, and nothing is stored.',
      shows: { code: 'INVALID_BANK_ACCOUNT' },
      does: 'REFUSED',
    },
    row('106', 'DE40370400440532013106', 'UNSUPPORTED', 'Names cannot be checked on this rail.'),
    row(
      '107',
      'DE13370400440532013107',
      'CHECKED_BY_RECEIVING_FI',
      'The receiving bank compares the names itself when it is paid.',
    ),
  ],
  otherwise: row('anything else', 'DE89370400440532013000', 'MATCHED', 'The holder has this name.'),
};

function answer(status: NameCheckStatus, name: string): NameCheckResult {
  if (status === 'MATCHED') return { status, fullName: name };
  return status === 'PARTIAL_MATCH' ? { status, fullName: withInitial(name) } : { status };
}

/** accounts.md §4.6: the first word cut to its initial and a dot. */
function withInitial(name: string): string {
  const [first = '', ...rest] = name.split(/\s+/);
  const [initial = ''] = first;
  return [`${initial}.`, ...rest].join(' ');
}
