import { session } from './session.ts';

/** The line that sets the address and the token for curl and for the commands, as `npm start` prints it. */
export function exportsLine(auth = 'TOKEN_ID:CLIENT_SECRET'): string {
  const { baseUrl = '' } = session.value ?? {};
  return `export CORRIDOR_URL=${baseUrl} CORRIDOR_AUTH=${auth}; export API=$CORRIDOR_URL AUTH=$CORRIDOR_AUTH`;
}

/** `corridor clock show` as it works in a checkout, where no program of that name is installed. */
export function commandLine(command: string): string {
  return command.replace(/^corridor /, 'npm run -s corridor -- ');
}
