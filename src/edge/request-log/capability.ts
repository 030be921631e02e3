import type { RequestRecorder } from '#edge/request-log/recorder.ts';
import { REQUEST_LIST, REQUEST_SHOW } from '#edge/request-log/request-records.ts';
import { requestTrail } from '#edge/request-log/request-trail.ts';
import { requestLogOperations } from '#edge/request-log/routes.ts';
import { eraseRequests, purgeRequestLogs } from '#edge/request-log/store.ts';
import type { Manifest } from '#foundation/manifest.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const requestLog = {
  name: 'request-log',
  operations: ({ requestLog }: { readonly requestLog: RequestRecorder }) => requestLogOperations(requestLog),
  operatorOperations: recordOperations([REQUEST_LIST], [REQUEST_SHOW]),
  purges: [purgeRequestLogs],
  erasers: [eraseRequests],
  trail: requestTrail,
  searchPlaces: [{ type: 'RequestLog', table: 'request_logs' }],
} satisfies Manifest;
