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
  idSchema,
  namedEnum,
  namedSchema,
  page,
  pageQuery,
  queryId,
  stringEnum,
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

const ExternalAccountStatus = namedEnum(
  'ExternalAccountStatus',
  '`ACTIVE` can be paid. `PENDING` is being screened, `UNDER_REVIEW` waits for a manual review, and `INACTIVE` was ' +
    'disabled. `PENDING_OWNERSHIP_VERIFICATION` can be paid smaller amounts until its owner has proven ownership of ' +
    'the wallet; `UNVERIFIED` failed that proof.',
  ACCOUNT_STATUSES,
);

export const OWNERSHIP_TYPES = ['FIRST_PARTY', 'THIRD_PARTY'] as const;

export type OwnershipType = (typeof OWNERSHIP_TYPES)[number];

const ownershipType = namedEnum(
  'OwnershipType',
  'Whether the account is the owner’s own or a third party’s.',
  OWNERSHIP_TYPES,
);

const beneficiaryVerificationStatus = namedEnum(
  'BeneficiaryVerificationStatus',
  'The result of the check of the holder’s name. It never blocks a payment.',
  NAME_CHECK_STATUSES,
);

/** One branch per row of the table; the two names of Lightning share one. */
function branches(build: (types: readonly ExternalAccountType[], row: AccountTypeRow) => TObject): TObject[] {
  const byRow = Map.groupBy(EXTERNAL_ACCOUNT_TYPES, (type) => ACCOUNT_TABLE[type]);
  return [...byRow].map(([row, types]) => build(types, row));
}

/** The request's schema for an account of a type. */
function createInfo(types: readonly ExternalAccountType[], row: AccountTypeRow): TObject {
  const suffix = row.kind === 'BANK' ? 'CreateInfo' : 'Info';
  return component(`${row.name}ExternalAccount${suffix}`, about(types), infoProperties(types, row));
}

/** The same with the rails, for replies. */
function replyInfo(types: readonly ExternalAccountType[], row: AccountTypeRow): TObject {
  const rails = types.flatMap((type) => accountRails(type));
  return component(`${row.name}ExternalAccountInfo`, about(types), {
    ...infoProperties(types, row),
    ...(row.kind === 'BANK' && {
      paymentRails: Type.Array(stringEnum(rails), {
        description: 'The rails over which the account can be paid.',
      }),
    }),
  });
}

function infoProperties(types: readonly ExternalAccountType[], row: AccountTypeRow): Record<string, TSchema> {
  const accountType = stringEnum(types, { description: 'The kind of account.' });
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
      description: 'The account itself; `accountType` determines the fields.',
    }),
  ),
);

const accountInfo = Type.Unsafe<AccountInfo>(
  namedSchema(
    'ExternalAccountInfoOneOf',
    tagged('accountType', branches(replyInfo), {
      description: 'The account itself; `accountType` determines the fields.',
    }),
  ),
);

const currency = Type.String({ description: 'The code of the account’s currency.', examples: ['EUR'] });

const platformAccountId = Type.String({
  maxLength: 255,
  description: 'Your own reference. It is returned unchanged and need not be unique.',
});

const defaultUmaDepositAccount = Type.Boolean({
  default: false,
  description:
    'Whether money sent to the customer’s UMA address is forwarded to this account. At most one account of a customer ' +
    'has this; the latest one with it replaces the earlier.',
});

export const PlatformExternalAccountCreateRequest = component(
  'PlatformExternalAccountCreateRequest',
  'An external account of the platform itself, to pay or to pull from.',
  {
    currency,
    platformAccountId: Type.Optional(platformAccountId),
    ownershipType: Type.Optional(ownershipType),
    accountInfo: createAccountInfo,
  },
);

export const ExternalAccountCreateRequest = component(
  'ExternalAccountCreateRequest',
  'An external account, to pay or to pull from.',
  {
    customerId: Type.Optional(
      idSchema('Customer', { description: 'The owner of the account; default: the platform itself.' }),
    ),
    currency,
    platformAccountId: Type.Optional(platformAccountId),
    ownershipType: Type.Optional(ownershipType),
    defaultUmaDepositAccount: Type.Optional(defaultUmaDepositAccount),
    accountInfo: createAccountInfo,
  },
);

export type ExternalAccountCreateRequest = Static<typeof ExternalAccountCreateRequest>;

const trusted = Type.Boolean({
  description:
    'Beyond the contract, on customers’ accounts: whether the customer trusts the account. Payments to a trusted account ' +
    'need no challenge, and it cannot be deleted.',
});

export const ExternalAccount = component(
  'ExternalAccount',
  'A bank account, mobile money account or wallet outside the service.',
  {
    id: idSchema('ExternalAccount', { description: 'Id of the account.' }),
    customerId: Type.Union([idSchema('Customer'), Type.Null()], {
      description: 'The owner of the account; null if it is the platform itself.',
    }),
    status: ExternalAccountStatus,
    platformAccountId: Type.Optional(platformAccountId),
    ownershipType: Type.Optional(ownershipType),
    currency,
    defaultUmaDepositAccount,
    trusted: Type.Optional(trusted),
    beneficiaryVerificationStatus: Type.Optional(beneficiaryVerificationStatus),
    beneficiaryVerifiedData: Type.Optional(
      component('BeneficiaryVerifiedData', 'The result of the name check.', {
        fullName: Type.Optional(Type.String({ description: 'The holder’s name, if the check returned it.' })),
      }),
    ),
    accountInfo,
    createdAt: dateTime({ description: 'When the account was added.' }),
    updatedAt: dateTime({ description: 'When the account last changed.' }),
  },
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

/** For the platform itself, and for an agent, which sees only its customer's accounts. */
export const PlatformExternalAccountsQuery = pageQuery({ currency: currencyFilter });

export const CHALLENGE_METHODS = ['WALLET_SIGNATURE', 'LIVENESS'] as const;

export type ChallengeMethod = (typeof CHALLENGE_METHODS)[number];

export const OwnershipChallengeRequest = component(
  'OwnershipChallengeRequest',
  'How the owner will prove ownership of the wallet.',
  {
    method: namedEnum(
      'OwnershipVerificationMethod',
      'A signature by the wallet’s key, or a liveness check on a hosted page.',
      CHALLENGE_METHODS,
    ),
  },
);

const challengeExpiry = dateTime({ description: 'The deadline for the proof.' });

export const OwnershipChallenge = namedSchema(
  'OwnershipChallenge',
  tagged(
    'method',
    [
      component('WalletSignatureChallenge', 'A text for the wallet to sign.', {
        method: Type.Literal('WALLET_SIGNATURE', { description: 'The wallet signs a text.' }),
        messageToSign: Type.String({ description: 'Sign exactly this text, byte for byte.' }),
        expiresAt: challengeExpiry,
      }),
      component('LivenessChallenge', 'A page for the owner to open.', {
        method: Type.Literal('LIVENESS', { description: 'The owner opens a page.' }),
        verificationLink: Type.String({
          format: 'url',
          description: 'The page that the owner opens. The outcome arrives as a webhook.',
        }),
        token: Type.Optional(Type.String({ description: 'For the provider’s SDK, if it has one.' })),
        expiresAt: challengeExpiry,
      }),
    ],
    { description: 'The proof that the wallet’s owner has to give.' },
  ),
);

export type OwnershipChallenge = Static<typeof OwnershipChallenge>;

export const OwnershipVerifyRequest = component(
  'OwnershipVerifyRequest',
  'The proof of ownership of the wallet.',
  {
    signature: Type.String({
      minLength: 1,
      description:
        'The signature over the challenge’s text, in the wallet’s format: hexadecimal on EVM chains and Tron, Base58 on ' +
        'Solana, base64 for Bitcoin and Spark.',
    }),
    signatureScheme: Type.Optional(
      stringEnum(SIGNATURE_SCHEMES, {
        default: 'bip137',
        description: 'Bitcoin only: `electrum` for Electrum and Sparrow wallets.',
      }),
    ),
  },
);

export type OwnershipVerifyRequest = Static<typeof OwnershipVerifyRequest>;

export const BeneficiaryTrustStart = component(
  'BeneficiaryTrustStart',
  'The challenge that the customer answers. Without `scaChallenge`, the customer gives the authenticator app’s code.',
  { scaChallenge: Type.Optional(ScaChallenge) },
);

export type BeneficiaryTrustStart = Static<typeof BeneficiaryTrustStart>;

export const BeneficiaryTrustConfirmRequest = component(
  'BeneficiaryTrustConfirmRequest',
  'The customer’s answer: a code, or the assertion of a passkey.',
  {
    challengeId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The `scaChallenge.id` from the start; omitted with the code of an authenticator app.',
        examples: ['ScaChallenge:019542f5-b3e7-7d02-8000-000000000099'],
      }),
    ),
    ...PROOF_FIELDS,
  },
);

export type BeneficiaryTrustConfirmRequest = Static<typeof BeneficiaryTrustConfirmRequest>;

export const BeneficiaryTrustConfirm = component(
  'BeneficiaryTrustConfirm',
  'The account’s trust after the change.',
  { trusted: Type.Boolean({ description: 'Whether the customer trusts the account from now on.' }) },
);

export type BeneficiaryTrustConfirm = Static<typeof BeneficiaryTrustConfirm>;
