-- An operator had the file written again, so the bank may have two copies. From then on its rejection of one of
-- them says nothing about the other.
alter table bank_file_batches add column resent_at timestamptz;
update bank_file_batches set resent_at = resend_wanted_at where resend_wanted_at is not null;
