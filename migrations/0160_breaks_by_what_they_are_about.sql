-- A proof asks for each item in transit if a break was ever about it, however many breaks were resolved.
create index connector_breaks_by_about on connector_breaks (connector_id, about);
