import type { Manifest } from '#foundation/manifest.ts';
import { contentJobs } from '#foundation/uploads/contents.ts';

export const uploads = { name: 'uploads', jobs: contentJobs } satisfies Manifest;
