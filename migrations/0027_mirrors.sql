-- What the receiver of a payment is shown as sent is what was sent, within one currency too (money.md §4).
update transactions m
   set details = m.details || jsonb_build_object(
         'sent', jsonb_build_object('amount', t.sending_amount::text, 'currency', t.sending_currency))
  from transactions t
 where m.kind = 'MIRROR' and not m.details ? 'sent'
   and t.platform_id = m.platform_id and t.id = (m.details->>'mirrorOf')::uuid;
