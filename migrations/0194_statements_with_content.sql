-- The service destroys the content of old statements each day (bank-files.md §5.3). Without an index it read all
-- statements of all years for that. The table has one row for each statement, so the index is built in moments.
create index bank_file_statements_with_content on bank_file_statements (received_at) where content is not null;
