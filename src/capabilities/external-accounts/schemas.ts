import type { Static, TObject, TSchema } from 'typebox';
import Type from 'typebox';
import { SIGNATURE_SCHEMES } from '#capabilities/external-accounts/ownership/signatures.ts';
import { type AccountInfo, vaspName } from '#capabilities/external-accounts/types/account-fields.ts';
import {
  ACCOUNT_TABLE,
  type AccountTypeRow,
  EXTERNAL_ACCOUNT_TYPES,
  type ExternalAccountType,
} from '#capabilities/external-accounts/types/account-table.ts';
import {
  bankBeneficiary,
  walletBeneficiary,
  withRequired,
} from '#capabilities/external-accounts/types/beneficiary-schemas.ts';
import { PROOF_FIELDS, ScaChallenge } from '#capabilities/sca/schemas.ts';
import {
  component,
  dateTime,
  idOf,
  namedSchema,
  oneOf,
  page,
  pageQuery,
  queryId,
  tagged,
  text,
} from '#foundation/http/schema.ts';
import { accountRails } from '#foundation/lib/rails-by-currency.ts';
import { NAME_CHECK_STATUSES } from '#foundation/ports/name-check.ts';

export const ACCOUNT_STATUSES = [
  'PENDING',
  'ACTIVE',
  'PENDING_OWNERSHIP_VERIFICATION',
  'UNVERIFIED',
  'UNDER_REVIEW',
  'INACTIVE',
] as const;

export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

const ExternalAccountStatus = namedSchema(
  'ExternalAccountStatus',
  oneOf(ACCOUNT_STATUSES, {
    description:
      '`ACTIVE` can be paid. `PENDING` is being screened, `UNDER_REVIEW` waits for a person, `INACTIVE` was ' +
      'stopped. `PENDING_OWNERSHIP_VERIFICATION` can be paid smaller amounts until its owner has proven the ' +
      'wallet; `UNVERIFIED` failed that proof.',
  }),
);

export const OWNERSHIP_TYPES = ['FIRST_PARTY', 'THIRD_PARTY'] as const;

export type OwnershipType = (typeof OWNERSHIP_TYPES)[number];

const ownershipType = namedSchema(
  'OwnershipType',
  oneOf(OWNERSHIP_TYPES, { description: 'Whose account it is: the owner’s own, or somebody else’s.' }),
);

const beneficiaryVerificationStatus = namedSchema(
  'BeneficiaryVerificationStatus',
  oneOf(NAME_CHECK_STATUSES, {
    description: 'What became of comparing the holder’s name. It never stands in the way of a payment.',
  }),
);

/** One branch per row of the table; the two names of Lightning share theirs. */
function branches(build: (types: readonly ExternalAccountType[], row: AccountTypeRow) => TObject): TObject[] {
  const byRow = Map.groupBy(EXTERNAL_ACCOUNT_TYPES, (type) => ACCOUNT_TABLE[type]);
  return [...byRow].map(([row, types]) => build(types, row));
}

/** What is sent to create an account of a type. */
function createInfo(types: readonly ExternalAccountType[], row: AccountTypeRow): TObject {
  const suffix = row.kind === 'BANK' ? 'CreateInfo' : 'Info';
  return component(`${row.name}ExternalAccount${suffix}`, infoProperties(types, row), {
    description: about(types),
  });
}

/** The same with the rails, as replies carry it. */
function replyInfo(types: readonly ExternalAccountType[], row: AccountTypeRow): TObject {
  const rails = types.flatMap((type) => accountRails(type));
  return component(
    `${row.name}ExternalAccountInfo`,
    {
      ...infoProperties(types, row),
      ...(row.kind === 'BANK' && {
        paymentRails: Type.Array(oneOf(rails), { description: 'Over which rails the account can be paid.' }),
      }),
    },
    { description: about(types) },
  );
}

function infoProperties(types: readonly ExternalAccountType[], row: AccountTypeRow): Record<string, TSchema> {
  const accountType = oneOf(types, { description: 'What kind of account it is.' });
  const fields = { accountType, ...row.required, ...withRequired(row.optional, []) };
  if (row.kind === 'LIGHTNING') return fields;
  if (row.kind === 'BANK') return { ...fields, beneficiary: bankBeneficiary(row.name, row.individual) };
  return { ...fields, vaspName: Type.Optional(vaspName), beneficiary: Type.Optional(walletBeneficiary()) };
}

function about(types: readonly ExternalAccountType[]): string {
  return `An account of type ${types.map((type) => `\`${type}\``).join(' or ')}.`;
}

const createAccountInfo = Type.Unsafe<AccountInfo>(
  namedSchema(
    'ExternalAccountCreateInfoOneOf',
    tagged('accountType', branches(createInfo), {
      description: 'The account itself; `accountType` says which fields there are.',
    }),
  ),
);

const accountInfo = Type.Unsafe<AccountInfo>(
  namedSchema(
    'ExternalAccountInfoOneOf',
    tagged('accountType', branches(replyInfo), {
      description: 'The account itself; `accountType` says which fields there are.',
    }),
  ),
);

const currency = Type.String({ description: 'What the account is paid in, by its code.', examples: ['EUR'] });

const platformAccountId = Type.String({
  maxLength: 255,
  description: 'Your own reference; kept and given back as it is, not unique.',
});

const defaultUmaDepositAccount = Type.Boolean({
  default: false,
  description:
    'Whether money sent to the customer’s UMA address is paid on to this account. At most one account of a ' +
    'customer has this; a later one takes it over.',
});

export const PlatformExternalAccountCreateRequest = component(
  'PlatformExternalAccountCreateRequest',
  {
    currency,
    platformAccountId: Type.Optional(platformAccountId),
    ownershipType: Type.Optional(ownershipType),
    accountInfo: createAccountInfo,
  },
  { description: 'An account for the platform itself to pay and be paid from.' },
);

export const ExternalAccountCreateRequest = component(
  'ExternalAccountCreateRequest',
  {
    customerId: Type.Optional(
      idOf('Customer', { description: 'Whose account it will be; left out: the platform’s own.' }),
    ),
    currency,
    platformAccountId: Type.Optional(platformAccountId),
    ownershipType: Type.Optional(ownershipType),
    defaultUmaDepositAccount: Type.Optional(defaultUmaDepositAccount),
    accountInfo: createAccountInfo,
  },
  { description: 'An account outside, to pay and be paid from.' },
);

export type ExternalAccountCreateRequest = Static<typeof ExternalAccountCreateRequest>;

const trusted = Type.Boolean({
  description:
    'Beyond the contract, on accounts of customers: whether the customer trusts the account. Payments to a trusted ' +
    'account need no challenge, and it cannot be deleted.',
});

export const ExternalAccount = component(
  'ExternalAccount',
  {
    id: idOf('ExternalAccount', { description: 'Id of the account.' }),
    customerId: Type.Union([idOf('Customer'), Type.Null()], {
      description: 'Whose account it is; null when it is the platform’s own.',
    }),
    status: ExternalAccountStatus,
    platformAccountId: Type.Optional(platformAccountId),
    ownershipType: Type.Optional(ownershipType),
    currency,
    defaultUmaDepositAccount,
    trusted: Type.Optional(trusted),
    beneficiaryVerificationStatus: Type.Optional(beneficiaryVerificationStatus),
    beneficiaryVerifiedData: Type.Optional(
      component(
        'BeneficiaryVerifiedData',
        {
          fullName: Type.Optional(
            Type.String({ description: 'The holder’s name, as far as the check told it.' }),
          ),
        },
        { description: 'What the name check found.' },
      ),
    ),
    accountInfo,
    createdAt: dateTime({ description: 'When the account was added.' }),
    updatedAt: dateTime({ description: 'When it last changed.' }),
  },
  { description: 'A bank account, mobile money account or wallet outside the service.' },
);

export type ExternalAccount = Static<typeof ExternalAccount>;

export const ExternalAccountListResponse = page('ExternalAccountListResponse', ExternalAccount);

const currencyFilter = Type.Optional(
  text(1, 32, { description: 'Only accounts in this currency, by its exact code.', examples: ['EUR'] }),
);

export const CustomerExternalAccountsQuery = pageQuery({
  currency: currencyFilter,
  customerId: Type.Optional(queryId('Customer', { description: 'Only accounts of this customer.' })),
});

/** Of the platform itself, and of an agent, which sees those of its customer only. */
export const PlatformExternalAccountsQuery = pageQuery({ currency: currencyFilter });

export const CHALLENGE_METHODS = ['WALLET_SIGNATURE', 'LIVENESS'] as const;

export type ChallengeMethod = (typeof CHALLENGE_METHODS)[number];

export const OwnershipChallengeRequest = component(
  'OwnershipChallengeRequest',
  {
    method: namedSchema(
      'OwnershipVerificationMethod',
      oneOf(CHALLENGE_METHODS, {
        description: 'A signature by the wallet’s key, or a look into the camera on a hosted page.',
      }),
    ),
  },
  { description: 'How the wallet’s owner will prove that it is theirs.' },
);

const challengeExpiry = dateTime({ description: 'Until when the proof counts.' });

export const OwnershipChallenge = namedSchema(
  'OwnershipChallenge',
  tagged(
    'method',
    [
      component(
        'WalletSignatureChallenge',
        {
          method: Type.Literal('WALLET_SIGNATURE', { description: 'The wallet signs.' }),
          messageToSign: Type.String({ description: 'Sign exactly this text, byte for byte.' }),
          expiresAt: challengeExpiry,
        },
        { description: 'A text for the wallet to sign.' },
      ),
      component(
        'LivenessChallenge',
        {
          method: Type.Literal('LIVENESS', { description: 'The owner visits a page.' }),
          verificationLink: Type.String({
            format: 'url',
            description: 'Where the owner goes. The outcome arrives as a webhook.',
          }),
          token: Type.Optional(Type.String({ description: 'For the provider’s SDK, where it has one.' })),
          expiresAt: challengeExpiry,
        },
        { description: 'A page for the owner to visit.' },
      ),
    ],
    { description: 'What the wallet’s owner is asked for.' },
  ),
);

export type OwnershipChallenge = Static<typeof OwnershipChallenge>;

export const OwnershipVerifyRequest = component(
  'OwnershipVerifyRequest',
  {
    signature: Type.String({
      minLength: 1,
      description:
        'Over the challenge’s text, as the wallet gives it: hexadecimal on EVM chains and Tron, Base58 on ' +
        'Solana, base64 for Bitcoin and Spark.',
    }),
    signatureScheme: Type.Optional(
      oneOf(SIGNATURE_SCHEMES, {
        default: 'bip137',
        description: 'Bitcoin only: `electrum` for Electrum and Sparrow wallets.',
      }),
    ),
  },
  { description: 'The proof that the wallet is its owner’s.' },
);

export type OwnershipVerifyRequest = Static<typeof OwnershipVerifyRequest>;

export const BeneficiaryTrustStart = component(
  'BeneficiaryTrustStart',
  { scaChallenge: Type.Optional(ScaChallenge) },
  {
    description:
      'What the customer has to answer. Without `scaChallenge` it is the code that their authenticator app shows.',
  },
);

export type BeneficiaryTrustStart = Static<typeof BeneficiaryTrustStart>;

export const BeneficiaryTrustConfirmRequest = component(
  'BeneficiaryTrustConfirmRequest',
  {
    challengeId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The `scaChallenge.id` of the start; left out with the code of an authenticator app.',
        examples: ['ScaChallenge:019542f5-b3e7-7d02-8000-000000000099'],
      }),
    ),
    ...PROOF_FIELDS,
  },
  { description: 'The customer’s answer: a code, or the assertion of a passkey.' },
);

export type BeneficiaryTrustConfirmRequest = Static<typeof BeneficiaryTrustConfirmRequest>;

export const BeneficiaryTrustConfirm = component(
  'BeneficiaryTrustConfirm',
  { trusted: Type.Boolean({ description: 'Whether the customer trusts the account from now on.' }) },
  { description: 'The account, as far as trust goes.' },
);

export type BeneficiaryTrustConfirm = Static<typeof BeneficiaryTrustConfirm>;
