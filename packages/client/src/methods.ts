/** For a client of another document of the service, such as the operators' (packages/console). */
export { type CorridorOptions, createMethods } from './client.ts';
export type { List } from './list.ts';
export type { CallOptions, Operation } from './operation.ts';
