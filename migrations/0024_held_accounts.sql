-- They take other arrays than they did; their files (src/payments/apply-*.sql) define them anew.
drop function if exists apply_transitions;
drop function if exists payment_internals_hold;
