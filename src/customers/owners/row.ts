import type { VerificationStatus } from '#customers/field-schemas.ts';
import type { BeneficialOwner, PersonalInfo } from '#customers/owners/schemas.ts';

/** One row of `beneficial_owners`. The identification number is sealed. */
export interface OwnerRow {
  id: string;
  customer_id: string;
  roles: BeneficialOwner['roles'];
  ownership_percentage: number;
  personal_info: Omit<PersonalInfo, 'identifier'>;
  identifier: Buffer;
  status: VerificationStatus;
  created_at: Date;
  updated_at: Date;
}
