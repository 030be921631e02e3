import { useEffect } from 'preact/hooks';
import { Code } from '../ui/code-box.tsx';

export function SignedOut() {
  useEffect(() => {
    document.title = 'Signed out – Corridor';
  }, []);
  return (
    <main class="alone">
      <h1>You are signed out</h1>
      <p>
        The session ended, or its token was deleted. What you did is kept; this page opens again after you
        sign in.
      </p>
      <NewAddress />
    </main>
  );
}

export function NewAddress() {
  return (
    <>
      <p>In the folder from which you started Corridor, this command prints a new address:</p>
      <Code text="npm run -s corridor -- open console" label="corridor command" />
    </>
  );
}
