import { useEffect } from 'preact/hooks';
import { Code } from '../ui/code-box.tsx';

export function SignedOut() {
  useEffect(() => {
    document.title = 'Signed out – Corridor';
  }, []);
  return (
    <main class="alone">
      <h1>You are signed out</h1>
      <p>Your session has ended, or its token was deleted. Everything that you did is stored.</p>
      <NewAddress />
    </main>
  );
}

export function NewAddress() {
  return (
    <>
      <p>To sign in again, run this command in the folder of Corridor. It prints a new address:</p>
      <Code text="npm run -s corridor -- open console" label="corridor command" />
    </>
  );
}
