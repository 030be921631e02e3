import type { TSchema } from 'typebox';
import { ExternalAccountCreateRequest } from '#capabilities/external-accounts/schemas.ts';
import type { AccountInfo } from '#capabilities/external-accounts/types/account-fields.ts';
import { withTrimmedNames } from '#capabilities/external-accounts/types/beneficiary-rules.ts';
import { lookUpSingaporeBank } from '#capabilities/external-accounts/types/strict-checks.ts';
import { findVasp } from '#capabilities/platform/vasps.ts';
import { branchFinder, propertiesOf } from '#foundation/http/field-errors.ts';

/** The account to store, from a valid request; unknown fields are dropped (accounts.md §3.1.6). */
export function readAccountInfo(sent: AccountInfo): AccountInfo {
  const info = dropUnknownFields(sent);
  const { beneficiary, vaspName } = info;
  return {
    ...info,
    ...bankByBic(info),
    ...(vaspName !== undefined && { vaspName: findVasp(vaspName)?.vaspName ?? vaspName }),
    ...(beneficiary && { beneficiary: withTrimmedNames(beneficiary) }),
  };
}

/** Keeps only the fields of the account's type; their values may still be invalid. */
export function dropUnknownFields(sent: object): AccountInfo {
  return pickKnown(ExternalAccountCreateRequest.properties.accountInfo, sent) as AccountInfo;
}

/** accounts.md §4.2, SGD: if the bank is not named, its BIC identifies it. */
function bankByBic({ accountType, bankName, swiftCode }: AccountInfo): { bankName?: string } {
  if (accountType !== 'SGD_ACCOUNT' || bankName !== undefined) return {};
  const bank = lookUpSingaporeBank(String(swiftCode));
  return bank ? { bankName: bank.bankName } : {};
}

/** Keeps the properties that the schema has, at every depth, in the schema's order. */
function pickKnown(schema: TSchema, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  const sent = value as Record<string, unknown>;
  const properties = propertiesOf(branchFor(schema, sent));
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => Object.hasOwn(sent, name))
      .map(([name, property]) => [name, pickKnown(property, sent[name])]),
  );
}

function branchFor(schema: TSchema, sent: Record<string, unknown>): TSchema {
  const { oneOf, discriminator } = schema as { oneOf?: TSchema[]; discriminator?: { propertyName: string } };
  if (!oneOf || !discriminator) return schema;
  return branchFinder(oneOf, discriminator.propertyName)(sent) ?? schema;
}
