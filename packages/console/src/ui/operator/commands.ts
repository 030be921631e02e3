import { OPERATIONS } from '../../api/operator/generated/operations.ts';

/**
 * The command that does the same as an operation. A name in braces is a path parameter or a field; fields that are not
 * named become options of their name. Operations that are not here have no command.
 */
export const COMMANDS: Readonly<Record<string, string>> = {
  inviteOperator: 'operator invite',
  renewOperatorAddress: 'operator address {operatorId}',
  setOperatorRoles: 'operator roles {operatorId}',
  suspendOperator: 'operator suspend {operatorId}',
  removeOperator: 'operator remove {operatorId}',
  endOperatorSessions: 'operator sessions {operatorId} --end',
  createPlatform: 'platform create',
  disablePlatform: 'platform disable {platformId}',
  enablePlatform: 'platform enable {platformId}',
  createTokenOfPlatform: 'token create --platform {platformId}',
  revokeToken: 'token revoke {tokenId}',
  rotateWebhookKeyOfPlatform: 'webhook rotate-key --platform {platformId}',
  setRates: 'rates set {perUsd}',
  clearRates: 'rates clear {currencies}',
  stopRates: 'rates stop {currencies}',
  settlePayment: 'payment settle {transactionId}',
  failPayment: 'payment fail {transactionId}',
  returnPayment: 'payment return {transactionId}',
  bookDeposit: 'deposit book {accountId}',
  resolveSuspense: 'suspense resolve {entryId}',
  writeOffDebtOfCustomer: 'receivable write-off {customerId}',
  writeOffDebtOfPlatform: 'receivable write-off {platformId}',
  closeCard: 'card close {cardId}',
  collectException: 'card exceptions collect {transactionId}',
  writeOffException: 'card exceptions write-off {transactionId}',
  approveStablecoin: 'stablecoin approve {coinId}',
  declineStablecoin: 'stablecoin decline {coinId}',
  disableStablecoin: 'stablecoin disable {coinId}',
  enableStablecoin: 'stablecoin enable {coinId}',
  completeStablecoinOperation: 'stablecoin operation complete {operationId}',
  failStablecoinOperation: 'stablecoin operation fail {operationId}',
  revokeStablecoinLink: 'stablecoin link revoke {linkId}',
  freezeAccount: 'account freeze {accountId}',
  unfreezeAccount: 'account unfreeze {accountId}',
  closeAccount: 'account close {accountId}',
  refuseAccount: 'account refuse {accountId}',
  retryAccount: 'account retry {accountId}',
  addSwiftInstructions: 'account swift {accountId}',
  disableExternalAccount: 'account disable {accountId}',
  enableExternalAccount: 'account enable {accountId}',
  screenExternalAccount: 'account screening {accountId} {outcome}',
  reviewExternalAccount: 'account review {accountId} {outcome}',
  validateExternalAccount: 'account validation {accountId} {outcome}',
  approveReview: 'review approve {customerId}',
  pauseAgent: 'agent pause {agentId}',
  resendWebhook: 'webhook resend {webhookId}',
  eraseCustomer: 'customer erase {customerId}',
  proveLedger: 'ledger verify',
  addConnector: 'connector add {name} {url}',
  setConnector: 'connector set {name}',
  removeConnector: 'connector remove {name}',
  rotateConnectorSecret: 'connector rotate-secret {name}',
  setConnectorRoute: 'connector route set {connector} {number}',
  removeConnectorRoute: 'connector route remove {number}',
  pauseConnector: 'connector pause {name}',
  resumeConnector: 'connector resume {name}',
  rewindConnector: 'connector rewind {name}',
  resolveBreak: 'break resolve {breakId}',
  bookBreak: 'break resolve {breakId} --book {outcome}',
  assignBreak: 'break resolve {break} --to {accountId}',
  takeBackCredit: 'break resolve {breakId} --take-back',
  setBreakOwner: 'break assign {breakId} {owner}',
  noteBreak: 'break note {breakId} {note}',
  matchBreak: 'break resolve {breakId} --match {lines}',
  bookOpeningBalance: 'connector owner {connector} {settlementAccount} {platformId} --opening',
  setConnectorOwner: 'connector owner {name} {settlementAccount} {platform}',
};

/** Options whose names differ from those of the fields. */
const OPTIONS: Readonly<Record<string, string>> = { roles: 'role' };

/** Fields that a command cannot say: with one of them no command does the same. */
export const UNSAYABLE: Readonly<Record<string, readonly string[]>> = {
  createPlatform: ['settings'],
  failPayment: ['bankReference'],
  returnPayment: ['bankReference'],
  // The command reads these from files, and a key must not stand in the history of a shell.
  setConnector: ['certificate', 'privateKey', 'withoutCertificate'],
};

/** Commands that take no reason. */
const WITHOUT_REASON: readonly string[] = ['proveLedger'];

/** `corridor payment settle Transaction:… --reason '…'`; undefined if there is no such command. */
export function commandOf(
  operation: keyof typeof OPERATIONS,
  params: readonly string[],
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  const template = COMMANDS[operation];
  if (template === undefined || UNSAYABLE[operation]?.some((name) => input[name] !== undefined))
    return undefined;
  const left = { ...input };
  if (WITHOUT_REASON.includes(operation)) delete left.reason;
  const names: readonly string[] = OPERATIONS[operation].path.match(/(?<=\{)\w+(?=\})/g) ?? [];
  const words = template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const at = names.indexOf(name);
    const value = at === -1 ? left[name] : params[at];
    delete left[name];
    return value === undefined ? `<${optionOf(name)}>` : sayValue(value);
  });
  const options = Object.entries(left).flatMap(([name, value]) =>
    value === undefined || value === false
      ? []
      : [`--${optionOf(name)}${value === true ? '' : ` ${sayValue(value)}`}`],
  );
  return ['corridor', words, ...options].join(' ');
}

/** `bankReference` as `bank-reference`. */
export function optionOf(name: string): string {
  return OPTIONS[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function sayValue(value: unknown): string {
  if (Array.isArray(value)) return quote(value.join(','));
  if (typeof value !== 'object' || value === null) return quote(String(value));
  return quote(
    Object.entries(value)
      .map(([name, one]) => `${name}=${one}`)
      .join(','),
  );
}

/** As one word of a shell. */
function quote(text: string): string {
  return /^[\w:.,=@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
