import { PHONE_FORMAT } from '#foundation/lib/identifiers/phone.ts';

/**
 * accounts.md §4.2: the number has the country's dial code and the number of digits in its numbering plan. For Cameroon
 * and Congo only the dial code is checked.
 */
export function isMobileMoneyNumber(phone: string, country: MobileMoneyCountry): boolean {
  const plan = NUMBER_PLANS[country];
  if (!PHONE_FORMAT.test(phone) || !phone.startsWith(plan.dialCode)) return false;
  const digits = phone.length - plan.dialCode.length;
  return digits >= plan.digitsMin && digits <= plan.digitsMax;
}

export type MobileMoneyCountry = keyof typeof NUMBER_PLANS;

const NUMBER_PLANS = {
  BJ: { dialCode: '+229', digitsMin: 8, digitsMax: 10 },
  CG: { dialCode: '+242', digitsMin: 3, digitsMax: 11 },
  CI: { dialCode: '+225', digitsMin: 10, digitsMax: 10 },
  CM: { dialCode: '+237', digitsMin: 3, digitsMax: 11 },
  KE: { dialCode: '+254', digitsMin: 9, digitsMax: 9 },
  MW: { dialCode: '+265', digitsMin: 9, digitsMax: 9 },
  RW: { dialCode: '+250', digitsMin: 9, digitsMax: 9 },
  SN: { dialCode: '+221', digitsMin: 9, digitsMax: 9 },
  TG: { dialCode: '+228', digitsMin: 8, digitsMax: 8 },
  TZ: { dialCode: '+255', digitsMin: 9, digitsMax: 9 },
  UG: { dialCode: '+256', digitsMin: 9, digitsMax: 9 },
  ZM: { dialCode: '+260', digitsMin: 9, digitsMax: 9 },
} as const;
