-- A bank may name a file by the id of its payment. Without an index each line of a statement that names one read all
-- batches of the connector, and instant rails have one for each minute.
create index bank_file_batches_by_payment on bank_file_batches (payment_information_id)
  where payment_information_id is not null;
