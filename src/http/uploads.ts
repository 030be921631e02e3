import type { Readable } from 'node:stream';

/** The file part of a multipart form, streamed: nothing of it is held in memory. */
export interface FileUpload {
  readonly fieldName: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Readable;
  /** Whether the stream was cut at the operation's limit; known once it ended. */
  wasTruncated(): boolean;
}
