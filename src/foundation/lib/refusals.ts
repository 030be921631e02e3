/** The codes of operators' operations, which the public API never sends (operator.md §6). */
export const OPERATOR_CODES = {
  OPERATOR_NOT_FOUND: 404,
  PROPOSAL_NOT_FOUND: 404,
  PROPOSAL_PENDING: 409,
  PROPOSAL_STALE: 409,
  PROPOSAL_DECIDED: 409,
  STEP_UP_REQUIRED: 403,
} as const;

/** Every code the service answers with, and its HTTP status (platform.md §10). The only such table. */
export const CODES = {
  ...OPERATOR_CODES,
  INVALID_INPUT: 400,
  INVALID_REQUEST_FORMAT: 400,
  END_USER_TERMS_VERSION_NOT_FOUND: 400,
  MISSING_MANDATORY_USER_INFO: 400,
  INVITATION_ALREADY_CLAIMED: 400,
  INVITATION_CANCELLED: 400,
  INVITATIONS_NOT_CONFIGURED: 400,
  INVALID_UMA_ADDRESS: 400,
  QUOTE_REQUEST_FAILED: 400,
  INVALID_PAYREQ_RESPONSE: 400,
  PARSE_PAYREQ_RESPONSE_ERROR: 400,
  PARSE_LNURLP_RESPONSE_ERROR: 400,
  LOOKUP_REQUEST_FAILED: 400,
  CERT_CHAIN_INVALID: 400,
  CERT_CHAIN_EXPIRED: 400,
  INVALID_PUBKEY_FORMAT: 400,
  MISSING_REQUIRED_UMA_PARAMETERS: 400,
  INVALID_TIMESTAMP: 400,
  INVALID_NONCE: 400,
  SENDER_NOT_ACCEPTED: 400,
  INVALID_RECEIVER: 400,
  AMOUNT_OUT_OF_RANGE: 400,
  INVALID_CURRENCY: 400,
  INVALID_AMOUNT: 400,
  INVALID_BANK_ACCOUNT: 400,
  SELF_PAYMENT: 400,
  WEBHOOK_ENDPOINT_NOT_SET: 400,
  WEBHOOK_DELIVERY_ERROR: 400,
  LOW_QUALITY: 400,
  DATA_MISMATCH: 400,
  EXPIRED: 400,
  SUSPECTED_FRAUD: 400,
  UNSUITABLE_DOCUMENT: 400,
  INCOMPLETE: 400,
  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: 400,
  SMS_OTP_CREDENTIAL_ALREADY_EXISTS: 400,
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: 400,
  CARDHOLDER_KYC_NOT_APPROVED: 400,
  TRANSACTION_SIZE_LIMIT_EXCEEDED: 400,
  EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED: 400,
  INSUFFICIENT_FUNDS: 400,
  QUOTE_EXPIRED: 400,
  QUOTE_RATE_UNAVAILABLE: 400,
  STABLECOIN_PROVIDER_ACCOUNT_INVALID: 400,
  STABLECOIN_PROVIDER_ACCOUNT_REVOKED: 400,
  STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED: 400,
  STABLECOIN_VERIFICATION_FAILED: 400,
  STABLECOIN_NOT_PROVISIONED: 400,
  STABLECOIN_AMOUNT_NOT_REPRESENTABLE: 400,
  STABLECOIN_OPERATION_NOT_SUPPORTED: 400,
  STABLECOIN_BURN_SOURCE_NOT_SUPPORTED: 400,
  STABLECOIN_SVC_OPERATIONS_NOT_ENABLED: 400,
  STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED: 400,
  STABLECOIN_EXTERNAL_ACCOUNT_NOT_LINKED: 400,
  STABLECOIN_EXTERNAL_ACCOUNT_PROVIDER_LINK_REQUIRED: 400,
  STABLECOIN_EXTERNAL_ACCOUNT_LINK_METHOD_REQUIRED: 400,
  STABLECOIN_EXTERNAL_ACCOUNT_LINK_FAILED: 400,
  STABLECOIN_EXTERNAL_ACCOUNT_PROVIDER_LINK_FAILED: 400,
  STABLECOIN_PROVIDER_SOURCE_NOT_LINKED: 400,
  STABLECOIN_PROVIDER_ERROR: 400,
  UNAUTHORIZED: 401,
  INVALID_SIGNATURE: 401,
  WALLET_SIGNATURE_MISSING: 401,
  REQUEST_ID_MISSING: 401,
  WALLET_SIGNATURE_MALFORMED: 401,
  WALLET_SIGNATURE_INVALID: 401,
  WALLET_SIGNATURE_BODY_MISMATCH: 401,
  TRANSACTION_NOT_FOUND: 404,
  QUOTE_NOT_FOUND: 404,
  INVITATION_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  VERIFICATION_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  BULK_UPLOAD_JOB_NOT_FOUND: 404,
  STABLECOIN_NOT_FOUND: 404,
  STABLECOIN_OPERATION_NOT_FOUND: 404,
  STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND: 404,
  CUSTOMER_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  ACCOUNT_NOT_FOUND: 404,
  AUTH_METHOD_NOT_FOUND: 404,
  DOCUMENT_HOLDER_NOT_FOUND: 404,
  LOOKUP_REQUEST_NOT_FOUND: 404,
  REFERENCE_NOT_FOUND: 404,
  UMA_NOT_FOUND: 404,
  REQUEST_NOT_FOUND: 404,
  STABLECOIN_EXTERNAL_ACCOUNT_NOT_FOUND: 404,
  PAYMENT_URL_NOT_FOUND: 404,
  PLATFORM_NOT_FOUND: 404,
  NOT_FOUND: 404,
  CONFLICT: 409,
  UMA_ADDRESS_EXISTS: 409,
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: 409,
  TRANSACTION_NOT_CANCELLABLE: 409,
  EMAIL_OTP_EMAIL_ALREADY_EXISTS: 409,
  SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS: 409,
  EMAIL_OTP_CREDENTIAL_SET_CHANGED: 409,
  SMS_OTP_CREDENTIAL_SET_CHANGED: 409,
  PASSKEY_ALREADY_ENROLLED: 409,
  SCA_SESSION_REQUIRED: 409,
  BENEFICIARY_TRUSTED: 409,
  BANK_ACCOUNT_VALIDATION_PENDING: 409,
  DUPLICATE_EXTERNAL_ACCOUNT: 409,
  DUPLICATE_PAY_REQUEST: 409,
  DOCUMENT_ALREADY_EXISTS: 409,
  INVALID_STATE_TRANSITION: 409,
  CARD_ALREADY_CLOSED: 409,
  CARD_NOT_MUTABLE: 409,
  CARD_LIMIT_REACHED: 409,
  WALLET_NOT_PROVISIONED: 409,
  STABLECOIN_SYMBOL_ALREADY_EXISTS: 409,
  STABLECOIN_TOKEN_IDENTIFIER_ALREADY_EXISTS: 409,
  STABLECOIN_SVC_ENABLEMENT_NOT_REQUESTABLE: 409,
  FORBIDDEN: 403,
  END_USER_TERMS_NOT_ACCEPTED: 403,
  USER_NOT_READY: 403,
  COUNTERPARTY_NOT_ALLOWED: 403,
  VELOCITY_LIMIT_EXCEEDED: 403,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CUSTOMER_DELETED: 410,
  UNSUPPORTED_UMA_VERSION: 412,
  ACCOUNT_LOCKED: 423,
  PAYREQ_REQUEST_FAILED: 424,
  COUNTERPARTY_PUBKEY_FETCH_ERROR: 424,
  NO_COMPATIBLE_UMA_VERSION: 424,
  LNURLP_REQUEST_FAILED: 424,
  EMAIL_OTP_CREDENTIAL_SYNC_FAILED: 424,
  SMS_OTP_CREDENTIAL_SYNC_FAILED: 424,
  DAILY_VOLUME_LIMIT_EXCEEDED: 429,
  RATE_LIMITED: 429,
  SVC_SWITCH_ERROR: 500,
  INTERNAL_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: 501,
  UNRECOGNIZED_MANDATORY_COUNTERPARTY_DATA_KEY: 501,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type Code = keyof typeof CODES;

/** One bad field: its path, its constraint, and a message for people (platform.md §10.0.2). */
export interface FieldError {
  field: string;
  constraint?: Constraint;
  message: string;
}

export interface Constraint {
  format?: string;
  pattern?: string;
  enum?: readonly (string | number | boolean)[];
  minLength?: number;
  maxLength?: number;
}

/** An error that the caller can correct. If it is thrown, the transaction rolls back; if it is returned, it commits. */
export class Refusal extends Error {
  readonly code: Code;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: Code,
    reason: string,
    details?: Record<string, unknown>,
    headers: Record<string, string> = {},
  ) {
    super(reason);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
    this.headers = headers;
  }

  get status(): number {
    return CODES[this.code];
  }

  /** The error body of platform.md §10.0.1: `message` repeats `reason` for existing clients. */
  body(): ErrorBody {
    return {
      status: this.status,
      code: this.code,
      reason: this.message,
      message: this.message,
      ...(this.details && { details: this.details }),
    };
  }
}

export interface ErrorBody {
  status: number;
  code: Code;
  reason: string;
  message: string;
  details?: Record<string, unknown>;
}

export function refuse(code: Code, reason: string, details?: Record<string, unknown>): never {
  throw new Refusal(code, reason, details);
}

/** 429 with the time after which the call can be repeated. */
export function rateLimited(waitMs: number, reasonFor: (seconds: number) => string): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return new Refusal('RATE_LIMITED', reasonFor(seconds), undefined, { 'retry-after': String(seconds) });
}

/** Throws the refusal of a check, if there is one. */
export function refuseIf(refusal: Refusal | undefined): void {
  if (refusal) throw refusal;
}

/** Missing, foreign and malformed ids get this same answer, byte for byte (platform.md §1.1.3). */
export function notFound(code: Code, what: string): Refusal {
  return new Refusal(code, `There is no such ${what}.`);
}

/** 400 `INVALID_INPUT` that names every bad field at once. */
export function invalidFields(errors: readonly FieldError[], code: Code = 'INVALID_INPUT'): Refusal {
  const [first] = errors;
  const reason =
    errors.length === 1 && first
      ? `${first.field}: ${first.message}`
      : `${errors.length} fields are not valid: ${errors.map((error) => error.field).join(', ')}`;
  return new Refusal(code, reason, { errors });
}

const RETRYABLE: ReadonlySet<Code> = new Set<Code>([
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'QUOTE_REQUEST_FAILED',
]);

/** Whether repeating the same call cannot help; clients read the opposite as `x-should-retry` (platform.md §1.1.7). */
export function isFinal(refusal: Refusal): boolean {
  return refusal.status < 500 && !RETRYABLE.has(refusal.code) && refusal.headers['x-should-retry'] !== 'true';
}
