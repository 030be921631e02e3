import type { Address } from '#capabilities/customers/field-schemas.ts';
import type { Business, EndUserTermsConsent, Individual } from '#capabilities/customers/schemas.ts';
import type { IdentityStatus } from '#foundation/ports/identity.ts';

export type ContactStatus = 'PENDING' | 'VERIFIED';

/** One row of `customers`. Identification numbers are sealed; profile.ts opens them. */
export interface CustomerRow {
  id: CustomerId;
  customer_type: 'INDIVIDUAL' | 'BUSINESS';
  platform_customer_id: string;
  uma_address: string;
  status: IdentityStatus;
  region: string;
  currencies: string[];
  email: string | null;
  phone_number: string | null;
  address: Address | null;
  /** Its fields depend on the type of the customer. */
  profile: OpenPerson | OpenBusiness;
  identifier: Buffer | null;
  tax_id: Buffer | null;
  registration_number: Buffer | null;
  email_verification: ContactStatus | null;
  phone_verification: ContactStatus | null;
  /** The latest consent; its address is in `terms_ip`, unless it has not been sealed yet. */
  terms_consent: StoredConsent | null;
  terms_ip: Buffer | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  erased_at: Date | null;
}

/** A consent without its IP address; only consents from before addresses were sealed still have it here. */
export type StoredConsent = Omit<EndUserTermsConsent, 'ipAddress'> &
  Partial<Pick<EndUserTermsConsent, 'ipAddress'>>;

/** Fields that are stored unsealed: all but identification numbers. */
export type OpenPerson = Omit<Individual, 'identifier'>;
export type OpenBusiness = Omit<Business, 'taxId' | 'registrationNumber'>;

/** Columns that a platform, or a use case on its behalf, can change. */
export type CustomerValues = Omit<
  CustomerRow,
  'id' | 'created_at' | 'updated_at' | 'deleted_at' | 'erased_at'
>;

/** Stands for an address that is lost because the person was erased. */
export const ERASED_UMA = '$erased@erased.invalid';
