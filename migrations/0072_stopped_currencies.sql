-- Currencies that an operator has stopped pricing in production, whatever rate the source or an operator gives. Setting
-- or clearing a rate by hand ends the stop. Global, as rates are.
create table stopped_currencies (
  currency text collate "C" primary key check (currency <> 'USD'),
  since timestamptz(3) not null
);
