import type { Customer } from '@corridor/client';

export { nameOf } from '../../api/names.ts';

export function statusOf(customer: Customer): string | undefined {
  if (customer.isDeleted) return 'DELETED';
  return customer.customerType === 'INDIVIDUAL' ? customer.kycStatus : customer.kybStatus;
}
