import type { S3Settings } from '#foundation/uploads/storage/s3-client.ts';

/** Where files lie that go to banks and come from them. */
export type BankFilesSettings = ({ readonly folder: string } | { readonly bucket: S3Settings }) & {
  /** How long sealed copies in `archive` and `quarantine` are kept. Default: ten years. */
  readonly keptDays?: number;
};
