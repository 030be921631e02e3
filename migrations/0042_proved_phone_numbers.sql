-- A phone number is an SMS factor by itself only as a customer's first one. One that replaces it, or that is verified
-- after a login by another factor, has to be proved (customers.md §7.3a).
alter table sca_standings add column number_needs_proof boolean not null default false;

-- Customers who have logged in while their number was not verified, or whose number waits to be verified again.
update sca_standings s set number_needs_proof = true
  from customers c
 where c.platform_id = s.platform_id and c.id = s.customer_id
   and s.first_login_at is not null and c.phone_verification = 'PENDING';

-- NUMBER: the customer proves that a new phone number is theirs; the target is the customer. A code of an authenticator
-- app answers a payment or a number, and nothing of it is stored.
alter table sca_challenges
  drop constraint sca_challenges_purpose_check,
  add constraint sca_challenges_purpose_check
    check (purpose in ('LOGIN', 'TRUST', 'UNTRUST', 'PAYMENT', 'NUMBER')),
  drop constraint sca_challenges_factor_check,
  add constraint sca_challenges_factor_check check (factor in ('SMS_OTP', 'TOTP', 'PASSKEY'));
