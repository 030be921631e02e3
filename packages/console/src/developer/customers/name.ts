import type { Customer } from '@corridor/client';

/** The name of a person or a business; undefined if nobody has given one. */
export function nameOf(customer: Customer): string | undefined {
  return customer.customerType === 'INDIVIDUAL' ? customer.fullName : customer.businessInfo?.legalName;
}

export function statusOf(customer: Customer): string | undefined {
  if (customer.isDeleted) return 'DELETED';
  return customer.customerType === 'INDIVIDUAL' ? customer.kycStatus : customer.kybStatus;
}
