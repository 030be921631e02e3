import type { ApiToken } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf } from '../../api/call.ts';
import { invalidate, usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { exportsLine } from '../../api/shell.ts';
import { Action } from '../../ui/action.tsx';
import { Code } from '../../ui/code-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices, Field, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { Empty } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

const PERMISSIONS = [
  ['VIEW', 'View', 'read everything'],
  ['TRANSACT', 'Transact', 'move money'],
  ['MANAGE', 'Manage', 'change customers, accounts and settings'],
] as const;

export function Tokens() {
  const tokens = usePages(['listTokens'], (cursor) =>
    corridor.listTokens({ limit: 20, ...(cursor && { cursor }) }),
  );
  return (
    <Section title="Tokens" hint="Give each program that calls the API its own token." actions={<NewToken />}>
      <PagedTable
        caption="Tokens"
        what="The tokens could not be loaded."
        pages={tokens}
        keyOf={({ id }) => id}
        empty={<Empty title="There are no tokens." />}
        columns={[
          { title: 'Name', isWide: true, cell: ({ name }) => <Text>{name}</Text> },
          {
            title: 'Permissions',
            cell: ({ permissions }) => permissions.map((name) => name.toLowerCase()).join(', '),
          },
          { title: 'Client id', cell: ({ clientId }) => <code>{clientId}</code> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: 'Delete', cell: (token) => <DeleteToken token={token} /> },
        ]}
      />
    </Section>
  );
}

function DeleteToken({ token: { id, name } }: { token: ApiToken }) {
  return (
    <Action
      label="Delete"
      kind="danger"
      call={callOf('deleteTokenById', id)}
      ask={`Programs that use the token “${name}” will be refused. This cannot be undone.`}
      what="The token was not deleted."
      onDone={() => {
        invalidate('listTokens');
        toast('The token was deleted.');
      }}
    />
  );
}

/** The secret of a new token is shown once: it lives in this dialog and nowhere else. */
function NewToken() {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<ApiToken>();
  const close = () => {
    setOpen(false);
    setCreated(undefined);
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        New token
      </button>
      <Dialog title={created ? 'Copy the secret now' : 'New token'} isOpen={isOpen} onClose={close}>
        {created ? (
          <CreatedToken token={created} close={close} />
        ) : (
          <Form
            build={(values) =>
              callOf('createToken', {
                name: values.text('name') ?? '',
                permissions: values.all('permissions') as ApiToken['permissions'],
              })
            }
            submit="Create the token"
            what="The token was not created."
            onDone={(token) => {
              setCreated(token);
              invalidate('listTokens');
            }}
          >
            <Field
              name="name"
              label="Name"
              hint="What the token is for."
              placeholder="Payroll backend"
              isRequired
            />
            <Choices name="permissions" legend="Permissions" options={PERMISSIONS} chosen={['VIEW']} />
          </Form>
        )}
      </Dialog>
    </>
  );
}

function CreatedToken({ token, close }: { token: ApiToken; close: () => void }) {
  return (
    <>
      <p>
        The secret of <Text>{token.name}</Text> is shown only this once. This line sets it in a shell, for
        curl and for the commands:
      </p>
      <Code
        text={exportsLine(`${token.clientId}:${token.clientSecret ?? ''}`)}
        label="credentials of the new token"
      />
      <div class="form-foot created-foot">
        <button type="button" class="primary" onClick={close}>
          I have copied it
        </button>
      </div>
    </>
  );
}
