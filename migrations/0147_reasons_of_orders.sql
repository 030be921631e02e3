-- The words of a bank about an order may name a person, and nobody reads them: only the codes that the service knows
-- stay.
update connector_orders set reason = null
 where reason not in ('QUOTE_EXECUTION_FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'ACCOUNT_INVALID', 'COMPLIANCE_REJECTED');
alter table connector_orders add constraint connector_orders_reason_check
  check (reason in ('QUOTE_EXECUTION_FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'ACCOUNT_INVALID', 'COMPLIANCE_REJECTED'));
