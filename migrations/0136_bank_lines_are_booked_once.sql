-- A line of a bank is booked once, whatever breaks were opened about it.
drop index bank_bookings_by_line;
create unique index bank_bookings_by_line on bank_bookings (line) where line is not null;
