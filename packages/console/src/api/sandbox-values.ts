// biome-ignore-all format: a program wrote it

/** The value that chooses a row of a table of /docs/sandbox, an example that contains it, and what happens then. */
export type SandboxValue = readonly [value: string, example: string, effect: string];

/** Written by `npm run console:values` from the sandbox's tables, by their anchors. The default comes last. */
export const SANDBOX_VALUES: Readonly<Record<'cross-currency-payouts' | 'same-currency-payouts' | 'card-issuance', readonly SandboxValue[]>> = {
  "cross-currency-payouts": [
    ["002", "DE35370400440532013002", "The execution fails after 1 second; 1 second later the money is back."],
    ["003", "DE08370400440532013003", "A slow payment: PROCESSING for 6 minutes, then completed."],
    ["004", "DE78370400440532013004", "The receiver’s bank cannot credit the account: it fails after 1 second; 1 second later the money is back."],
    ["005", "DE51370400440532013005", "Completed after 1 second, then returned by the bank 5 seconds later; 1 second after that the money is back."],
    ["006", "DE24370400440532013006", "Cancelled after 1 second: the money is back 1 second later, and the payment counts as completed."],
    ["007", "DE94370400440532013007", "The payment fails after 1 second, and 1 second later its refund fails too."],
    ["anything else", "DE89370400440532013000", "Completed after 1 second."],
  ],
  "same-currency-payouts": [
    ["002", "000123456002", "FAILED already in the response; 1 second later the money is back."],
    ["003", "000123456003", "The account is closed or invalid: FAILED already in the response; 1 second later the money is back."],
    ["004", "000123456004", "The bank refuses after 1 second; 1 second later the money is back."],
    ["005", "000123456005", "The bank never answers: a transfer stays PENDING, a quote PROCESSING, for 30 seconds; then it fails, and 1 second later the money is back."],
    ["anything else", "000123456789", "Completed after 1 second."],
  ],
  "card-issuance": [
    ["001", "card-001", "The issuer never decides."],
    ["002", "card-002", "The issuer rejects the card after a second."],
    ["005", "card-005", "The card is active after half a minute."],
    ["anything else", "card-abc", "The card is active after a second."],
  ],
};
