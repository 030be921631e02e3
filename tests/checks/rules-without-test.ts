/** Rules that no test can show, each with the reason. */
export const RULES_WITHOUT_TEST: Readonly<Record<string, string>> = {};
