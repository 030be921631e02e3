import type { RequestRecorder } from '#edge/request-log/recorder.ts';
import { requestTrail } from '#edge/request-log/request-trail.ts';
import { requestLogOperations } from '#edge/request-log/routes.ts';
import { eraseRequests, purgeRequestLogs } from '#edge/request-log/store.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const requestLog = {
  name: 'request-log',
  operations: ({ requestLog }: { readonly requestLog: RequestRecorder }) => requestLogOperations(requestLog),
  purges: [purgeRequestLogs],
  erasers: [eraseRequests],
  trail: requestTrail,
  searchPlaces: [{ type: 'RequestLog', table: 'request_logs' }],
} satisfies Manifest;
