import type { DocumentReplaceRequest, DocumentType } from '#capabilities/documents/schemas.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** 10 MB (customers.md §5.2). */
export const FILE_MAX_BYTES = 10_485_760;

const FILE_NAME_MAX = 255;

export const IDENTITY_TYPES = [
  'PASSPORT',
  'DRIVERS_LICENSE',
  'NATIONAL_ID',
] as const satisfies DocumentType[];

const BUSINESS_TYPES: readonly DocumentType[] = [
  'CERTIFICATE_OF_INCORPORATION',
  'ARTICLES_OF_INCORPORATION',
  'ARTICLES_OF_ASSOCIATION',
  'STATE_REGISTRY_EXCERPT',
  'GOOD_STANDING_CERTIFICATE',
  'INFORMATION_STATEMENT',
  'INCUMBENCY_CERTIFICATE',
  'BUSINESS_LICENSE',
  'SHAREHOLDER_REGISTER',
  'DIRECTOR_REGISTRY',
  'TRUST_AGREEMENT',
  'STATE_COMPANY_REGISTRY',
  'PARTNERSHIP_CONTROL_AGREEMENT',
  'PARTNERSHIP_AGREEMENT',
];

const PERSON_TYPES: readonly DocumentType[] = [...IDENTITY_TYPES, 'SELFIE'];

export type HolderKind = 'PERSON' | 'BUSINESS';

/** customers.md §5.4. */
export function isSuitable(type: DocumentType, holder: HolderKind): boolean {
  return !(holder === 'PERSON' ? BUSINESS_TYPES : PERSON_TYPES).includes(type);
}

/** Identity documents need a number and an issuing authority (customers.md §5.1). */
export function checkDocumentFields(sent: Partial<DocumentReplaceRequest>): FieldError[] {
  if (!IDENTITY_TYPES.some((type) => type === sent.documentType)) return [];
  return (['documentNumber', 'issuingAuthority'] as const)
    .filter((field) => sent[field] === undefined)
    .map((field) => ({ field, message: `is required for ${sent.documentType}` }));
}

export type MediaType = 'application/pdf' | 'image/jpeg' | 'image/png';

const BY_CONTENT_TYPE: Readonly<Record<string, MediaType>> = {
  'application/pdf': 'application/pdf',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/png': 'image/png',
};

const BY_EXTENSION: Readonly<Record<string, MediaType>> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
};

/** Content types that do not identify the file: multipart's default, unspecified bytes, and none. */
const UNSPECIFIED: readonly string[] = ['text/plain', 'application/octet-stream', ''];

/** The facts that determine a file's media type. */
interface SentFile {
  readonly mediaType: string;
  readonly fileName: string;
  readonly leading: Buffer;
}

/** Decides by the part's content type, else the extension, else the leading bytes (customers.md §5.2). */
export function mediaTypeOf({ mediaType, fileName, leading }: SentFile): MediaType | undefined {
  if (!UNSPECIFIED.includes(mediaType)) return ownValue(BY_CONTENT_TYPE, mediaType);
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase();
  if (extension !== undefined) return ownValue(BY_EXTENSION, extension);
  return MEDIA_TYPES.find((known) => fitsLeadingBytes(known, leading));
}

const SIGNATURES: Readonly<Record<MediaType, Buffer>> = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
};

const MEDIA_TYPES = Object.keys(SIGNATURES) as MediaType[];

export function fitsLeadingBytes(mediaType: MediaType, leading: Buffer): boolean {
  const signature = SIGNATURES[mediaType];
  return leading.subarray(0, signature.length).equals(signature);
}

/** The file's maximum size was already checked while it was received. */
export function checkFile(
  file: SentFile & { readonly bytes: number },
  checksLeadingBytes: boolean,
): FieldError[] {
  const field = 'file';
  if (file.bytes === 0) return [{ field, message: 'must not be empty' }];
  if (file.fileName.length > FILE_NAME_MAX) {
    return [{ field, message: `must have a name of at most ${FILE_NAME_MAX} characters` }];
  }
  const mediaType = mediaTypeOf(file);
  if (mediaType === undefined) return [{ field, message: 'must be a PDF, a JPEG or a PNG' }];
  return checksLeadingBytes && !fitsLeadingBytes(mediaType, file.leading)
    ? [{ field, message: `does not match its type: the content is not ${mediaType}` }]
    : [];
}

function ownValue<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
