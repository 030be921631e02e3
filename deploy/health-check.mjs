// Exits with 0 if the process in this container is ready, otherwise prints the reason and exits with 1. A separate worker
// answers on PROBE_PORT.
const port = process.env.PROBE_PORT || process.env.PORT || '8080';
try {
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(4_000) });
  const { status } = await answer.json();
  console.log(status);
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.log(`no answer on port ${port}: ${error.cause?.code ?? error.name}`);
  process.exitCode = 1;
}
