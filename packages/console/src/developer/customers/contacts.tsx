import type { Customer } from '@corridor/client';
import { useState } from 'preact/hooks';
import { type Call, callOf } from '../../api/call.ts';
import { isSandbox } from '../../api/clock.ts';
import { invalidate } from '../../api/query.ts';
import { Action } from '../../ui/action.tsx';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { Status } from '../../ui/status.tsx';
import { Text } from '../../ui/text.tsx';
import { toast } from '../../ui/toast.tsx';

/** The e-mail address and phone number, if the platform has to verify them. */
export function Contacts({ customer }: { customer: Customer }) {
  const { id, email, phoneNumber, contactVerification = {} } = customer;
  if (email === undefined && phoneNumber === undefined) return null;
  return (
    <Section title="Contacts" isCard>
      <Contact
        label="E-mail"
        value={email}
        status={contactVerification.email}
        send={callOf('sendCustomerEmailVerification', id)}
        confirm={(values) => callOf('confirmCustomerEmailVerification', id, codeOf(values))}
      />
      <Contact
        label="Phone number"
        value={phoneNumber}
        status={contactVerification.phone}
        send={callOf('sendCustomerPhoneVerification', id)}
        confirm={(values) => callOf('confirmCustomerPhoneVerification', id, codeOf(values))}
      />
    </Section>
  );
}

function codeOf(values: FormValues): { code: string } {
  return { code: values.text('code') ?? '' };
}

interface ContactProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly status: string | undefined;
  readonly send: Call<undefined>;
  readonly confirm: (values: FormValues) => Call<Customer>;
}

function Contact({ label, value, status, send, confirm }: ContactProps) {
  const [isSent, setSent] = useState(false);
  if (value === undefined) return null;
  return (
    <div class="customers-contact">
      <p>
        <strong>{label}</strong> <Text>{value}</Text> {status && <Status value={status} />}
      </p>
      {status === 'PENDING' && (
        <Action
          label={`Send a code to verify the ${label.toLowerCase()}`}
          call={send}
          what="The code was not sent."
          onDone={() => {
            setSent(true);
            toast('The code was sent.');
          }}
        />
      )}
      {status === 'PENDING' && isSent && (
        <Form
          build={confirm}
          submit="Confirm"
          what="The code was not accepted."
          onDone={() => {
            invalidate('getCustomerById', 'listCustomers');
            toast('The contact was verified.');
          }}
        >
          <Field
            name="code"
            label="Code"
            hint={isSandbox() && <a href="/console/messages">Find the code under Messages.</a>}
          />
        </Form>
      )}
    </div>
  );
}
