import { cardDrill } from '#tests/drills/card-drill.ts';

/** `npm run drill:cards -- 20`: how many times to kill the server or its database. `DRILL_SEED` repeats a run. */
const rounds = Number(process.argv[2] ?? 20);
const seed = Number(process.env.DRILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
console.log(`DRILL_SEED=${seed}`);
const { messages, rows } = await cardDrill({ rounds, cards: 6, seed, say: (line) => console.log(line) });
console.log(
  `${rounds} kills: ${messages} messages accepted, ${rows} rows as they should be, the ledger verifies.`,
);
