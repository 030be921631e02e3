import Type, { type Static } from 'typebox';
import { Credit } from '#foundation/connector-protocol/events.ts';
import { ORDER_REPORT } from '#foundation/connector-protocol/orders.ts';
import { Reference } from '#foundation/connector-protocol/values.ts';
import { component } from '#foundation/http/schema.ts';

/** What a test installation lets a developer cause (connectors.md §10.1). */

export const PlayRequest = component('PlayRequest', 'The state that the test bank gives an order.', {
  reference: Reference,
  state: ORDER_REPORT.state,
  reason: Type.Optional(ORDER_REPORT.reason),
});
export type PlayRequest = Static<typeof PlayRequest>;

/** Money that comes in at the test bank; its event follows. */
export const TestCredit = Credit;
