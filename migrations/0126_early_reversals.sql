-- A reversal that comes before its credit is found by the name of the credit, and applied again once the credit
-- is booked (connectors.md §6.10).
create index connector_events_early on connector_events (connector_id, about) where outcome = 'unknown credit';
