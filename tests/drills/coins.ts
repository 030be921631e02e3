import { coinDrill } from '#tests/drills/coin-drill.ts';

/** `npm run drill:coins -- 20`: how many times to kill the server or its database. `DRILL_SEED` repeats a run. */
const rounds = Number(process.argv[2] ?? 20);
const seed = Number(process.env.DRILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
console.log(`DRILL_SEED=${seed}`);
const { operations } = await coinDrill({ rounds, callers: 4, seed, say: (line) => console.log(line) });
console.log(`${rounds} kills: ${operations} mints and burns, each done once, the ledger verifies.`);
