import { DocumentType } from '#documents/schemas.ts';
import { publicId } from '#lib/ids.ts';
import type { IdentityProblem } from '#rails/identity.ts';
import { ERROR_TYPES, type VerificationError, type VerificationErrorType } from '#verification/schemas.ts';

const WITH_FIELD: readonly VerificationErrorType[] = ['MISSING_FIELD', 'INVALID_FIELD'];
const WITH_DOCUMENTS = /^(MISSING_.*_DOCUMENT|INVALID_DOCUMENT|EXPIRED_DOCUMENT)$/;
const DOCUMENT_TYPES = (DocumentType as unknown as { enum: string[] }).enum;

/**
 * A provider's problems as entries of the record, each with what its type carries and nothing else (customers.md
 * §4.2.3).
 */
export function errorsOf(customerId: string, problems: readonly IdentityProblem[]): VerificationError[] {
  return problems.map(({ type: given, reason, ownerId, field, acceptedDocumentTypes = [] }) => {
    // A word we do not know is a failure of the check, whatever the provider calls it.
    const type = isErrorType(given) ? given : 'DOCUMENT_VERIFICATION_FAILED';
    const accepted = acceptedDocumentTypes.filter(isDocumentType);
    return {
      resourceId: ownerId ?? publicId('Customer', customerId),
      type,
      ...(field !== undefined && WITH_FIELD.includes(type) && { field }),
      ...(accepted.length > 0 && WITH_DOCUMENTS.test(type) && { acceptedDocumentTypes: accepted }),
      reason,
    };
  });
}

export function isErrorType(type: string): type is VerificationErrorType {
  return ERROR_TYPES.some((known) => known === type);
}

function isDocumentType(type: string): type is DocumentType {
  return DOCUMENT_TYPES.includes(type);
}
