/** Written by `npm run client:generate` from the API’s document. */

import type { List } from '@corridor/client/methods';
import type { CallOptions, Operation } from '@corridor/client/methods';
import type * as Api from './schemas.ts';

/** One call for each operation of the API, under its name there. */
export interface Operations {
  /** Explain why its money is where it is: `GET /payments/{id}/explanation`. */
  explainPayment(id: string, options?: CallOptions): Promise<Api.TransactionExplanation>;
  /** Explain why its money is where it is: `GET /quotes/{id}/explanation`. */
  explainQuote(id: string, options?: CallOptions): Promise<Api.TransactionExplanation>;
  /** Explain why its money is where it is: `GET /stablecoin-operations/{id}/explanation`. */
  explainStablecoinOperation(id: string, options?: CallOptions): Promise<Api.TransactionExplanation>;
  /** Explain why its money is where it is: `GET /agent-actions/{id}/explanation`. */
  explainAgentAction(id: string, options?: CallOptions): Promise<Api.TransactionExplanation>;
  /** Read the trial balance of one platform, or of all together: `GET /ledger/trial-balance`. */
  getTrialBalance(query?: Api.GetTrialBalanceQuery, options?: CallOptions): Promise<Api.TrialBalance>;
  /** Read the balance of an account at a time or after an entry: `GET /platforms/{id}/ledger/balance`. */
  getBookBalance(id: string, query: Api.GetBookBalanceQuery, options?: CallOptions): Promise<Api.BookBalances>;
  /** List the accounts of a kind with their balances: `GET /platforms/{id}/ledger/accounts`. */
  listBookAccounts(id: string, query: Api.ListBookAccountsQuery, options?: CallOptions): List<Api.PageOfBookAccounts>;
  /** List the lines of an account, with the balance after each: `GET /platforms/{id}/ledger/lines`. */
  listBookLines(id: string, query: Api.ListBookLinesQuery, options?: CallOptions): List<Api.PageOfBookLines>;
  /** Read an entry with its lines and who caused it: `GET /ledger/entries/{id}`. */
  getBookEntry(id: string, options?: CallOptions): Promise<Api.BookEntry>;
  /** Read an entry by its number in the journal: `GET /platforms/{id}/ledger/entries/{number}`. */
  getBookEntryByNumber(id: string, number: string, options?: CallOptions): Promise<Api.BookEntry>;
  /** List the signed ends of a platform’s chain of entries: `GET /platforms/{id}/ledger/heads`. */
  listJournalHeads(id: string, options?: CallOptions): Promise<Api.JournalHeads>;
  /** List what the verification of the ledger proves: `GET /ledger/checks`. */
  listLedgerChecks(options?: CallOptions): Promise<Api.LedgerChecks>;
  /** Verify the ledger: `POST /ledger/proofs`. */
  proveLedger(body: Api.ProveLedgerRequest, options?: CallOptions): Promise<Api.LedgerProof>;
  /** List the newest verifications of the ledger: `GET /ledger/proofs`. */
  listLedgerProofs(options?: CallOptions): List<Api.LedgerProofs>;
  /** The audit log: `GET /audit`. */
  listAllAudit(query?: Api.ListAllAuditQuery, options?: CallOptions): List<Api.PageOfAudit>;
  /** Reads of data of people: who looked, and at which fields: `GET /reads`. */
  listAllReads(query?: Api.ListAllReadsQuery, options?: CallOptions): List<Api.PageOfReads>;
  /** Export who has which role: `GET /operators/access-review`. */
  exportAccessReview(options?: CallOptions): Promise<undefined>;
  /** List operators: `GET /operators`. */
  listOperators(query?: Api.ListOperatorsQuery, options?: CallOptions): List<Api.OperatorListResponse>;
  /** Invite an operator: `POST /operators`. */
  inviteOperator(body: Api.OperatorInvitation, options?: CallOptions): Promise<Api.OperatorAddress | Api.Proposal>;
  /** List the names of operators: `GET /operator-names`. */
  listOperatorNames(options?: CallOptions): List<Api.OperatorNameList>;
  /** Read an operator: `GET /operators/{operatorId}`. */
  getOperator(operatorId: string, options?: CallOptions): Promise<Api.OperatorRecord>;
  /** Make a new address for an operator: `POST /operators/{operatorId}/address`. */
  renewOperatorAddress(operatorId: string, body: Api.OperatorReason, options?: CallOptions): Promise<Api.OperatorAddress | Api.Proposal>;
  /** Give an operator other roles: `POST /operators/{operatorId}/roles`. */
  setOperatorRoles(operatorId: string, body: Api.OperatorRolesRequest, options?: CallOptions): Promise<Api.Operator | Api.Proposal>;
  /** Suspend an operator: `POST /operators/{operatorId}/suspend`. */
  suspendOperator(operatorId: string, body: Api.OperatorReason, options?: CallOptions): Promise<Api.Operator>;
  /** Remove an operator: `POST /operators/{operatorId}/remove`. */
  removeOperator(operatorId: string, body: Api.OperatorReason, options?: CallOptions): Promise<Api.Operator>;
  /** Confirm an operator who has joined: `POST /operators/{operatorId}/confirm`. */
  confirmOperator(operatorId: string, body: Api.OperatorConfirmation, options?: CallOptions): Promise<Api.Operator>;
  /** End the sessions of an operator: `POST /operators/{operatorId}/sessions/end`. */
  endOperatorSessions(operatorId: string, body: Api.OperatorReason, options?: CallOptions): Promise<Api.EndedOperatorSessions>;
  /** List your passkeys: `GET /operator/passkeys`. */
  listOwnPasskeys(options?: CallOptions): List<Api.OperatorPasskeyList>;
  /** Register another passkey: `POST /operator/passkeys`. */
  addOwnPasskey(body: Api.NewOperatorPasskey, options?: CallOptions): List<Api.OperatorPasskeyList>;
  /** Get a challenge for another passkey: `GET /operator/passkeys/challenge`. */
  getPasskeyChallenge(options?: CallOptions): Promise<Api.OperatorPasskeyChallenge>;
  /** Delete one of your passkeys: `POST /operator/passkeys/{passkeyId}/delete`. */
  deleteOwnPasskey(passkeyId: string, body: Api.OperatorReason, options?: CallOptions): Promise<undefined>;
  /** List your sessions: `GET /operator/sessions`. */
  listOwnSessions(options?: CallOptions): List<Api.OperatorSessionList>;
  /** End all your sessions: `POST /operator/sessions/end`. */
  endOwnSessions(body: Api.OperatorReason, options?: CallOptions): Promise<Api.EndedOperatorSessions>;
  /** Platforms: `GET /platforms`. */
  listAllPlatforms(query?: Api.ListAllPlatformsQuery, options?: CallOptions): List<Api.PageOfPlatforms>;
  /** Create a platform: `POST /platforms`. */
  createPlatform(body: Api.CreatePlatformRequest, options?: CallOptions): Promise<Api.CreatedPlatform | Api.Proposal>;
  /** A platform with its settings and public keys: `GET /platforms/{id}`. */
  showPlatforms(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /platforms/{id}/disclose`. */
  disclosePlatformsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Tokens of platforms: `GET /tokens`. */
  listAllTokens(query?: Api.ListAllTokensQuery, options?: CallOptions): List<Api.PageOfTokens>;
  /** Tokens of platforms, by personal data: `POST /tokens/search`. */
  searchAllTokens(body: Api.SearchAllTokensQuery & Api.SearchTokensRequest, options?: CallOptions): List<Api.PageOfTokens>;
  /** A token of a platform: `GET /tokens/{id}`. */
  showTokens(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /tokens/{id}/disclose`. */
  discloseTokensField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Change a platform’s settings: `POST /platforms/{platformId}/settings`. */
  setPlatform(platformId: string, body: Api.SetPlatformRequest, options?: CallOptions): Promise<Api.ChangedPlatform | Api.Proposal>;
  /** Disable a platform: `POST /platforms/{platformId}/disable`. */
  disablePlatform(platformId: string, body: Api.DisablePlatformRequest, options?: CallOptions): Promise<Api.ChangedPlatform>;
  /** Enable a platform: `POST /platforms/{platformId}/enable`. */
  enablePlatform(platformId: string, body: Api.EnablePlatformRequest, options?: CallOptions): Promise<Api.ChangedPlatform>;
  /** Create a token: `POST /platforms/{platformId}/tokens`. */
  createTokenOfPlatform(platformId: string, body: Api.CreateTokenOfPlatformRequest, options?: CallOptions): Promise<Api.TokenWithSecret | Api.Proposal>;
  /** Revoke a token: `POST /tokens/{tokenId}/revoke`. */
  revokeToken(tokenId: string, body: Api.RevokeTokenRequest, options?: CallOptions): Promise<Api.RevokedToken>;
  /** Rotate a webhook key: `POST /platforms/{platformId}/webhook-keys/rotate`. */
  rotateWebhookKeyOfPlatform(platformId: string, body: Api.RotateWebhookKeyOfPlatformRequest, options?: CallOptions): Promise<Api.RotatedWebhookKeys>;
  /** Read the rates of production: `GET /rates`. */
  readRates(options?: CallOptions): List<Api.StoredRates>;
  /** Set rates by hand: `POST /rates/set`. */
  setRates(body: Api.SetRatesRequest, options?: CallOptions): Promise<Api.ChangedRates | Api.Proposal>;
  /** Remove rates set by hand: `POST /rates/clear`. */
  clearRates(body: Api.ClearRatesRequest, options?: CallOptions): Promise<Api.ChangedRates | Api.Proposal>;
  /** Stop pricing currencies: `POST /rates/stop`. */
  stopRates(body: Api.StopRatesRequest, options?: CallOptions): Promise<Api.ChangedRates>;
  /** Payments and transactions of cards: `GET /payments`. */
  listAllPayments(query?: Api.ListAllPaymentsQuery, options?: CallOptions): List<Api.PageOfPayments>;
  /** Payments and transactions of cards, by personal data: `POST /payments/search`. */
  searchAllPayments(body: Api.SearchAllPaymentsQuery & Api.SearchPaymentsRequest, options?: CallOptions): List<Api.PageOfPayments>;
  /** Quotes: `GET /quotes`. */
  listAllQuotes(query?: Api.ListAllQuotesQuery, options?: CallOptions): List<Api.PageOfQuotes>;
  /** Money that could not be assigned: `GET /suspense`. */
  listAllSuspense(query?: Api.ListAllSuspenseQuery, options?: CallOptions): List<Api.PageOfSuspense>;
  /** A payment or a transaction of a card, with its entries and pending work: `GET /payments/{id}`. */
  showPayments(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /payments/{id}/disclose`. */
  disclosePaymentsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** A quote with its transaction: `GET /quotes/{id}`. */
  showQuotes(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /quotes/{id}/disclose`. */
  discloseQuotesField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Settle a payment by hand: `POST /payments/{transactionId}/settle`. */
  settlePayment(transactionId: string, body: Api.SettlePaymentRequest, options?: CallOptions): Promise<Api.ReportedPayment | Api.Proposal>;
  /** Fail a payment by hand: `POST /payments/{transactionId}/fail`. */
  failPayment(transactionId: string, body: Api.FailPaymentRequest, options?: CallOptions): Promise<Api.ReportedPayment | Api.Proposal>;
  /** Return a payment by hand: `POST /payments/{transactionId}/return`. */
  returnPayment(transactionId: string, body: Api.ReturnPaymentRequest, options?: CallOptions): Promise<Api.ReportedPayment | Api.Proposal>;
  /** Book a deposit by hand: `POST /internal-accounts/{accountId}/deposits`. */
  bookDeposit(accountId: string, body: Api.BookDepositRequest, options?: CallOptions): Promise<Api.BookedDeposit | Api.Proposal>;
  /** Resolve money in suspense: `POST /suspense/{entryId}/resolve`. */
  resolveSuspense(entryId: string, body: Api.ResolveSuspenseRequest, options?: CallOptions): Promise<Api.ResolvedSuspense | Api.Proposal>;
  /** Write off a debt: `POST /customers/{customerId}/debts/write-off`. */
  writeOffDebtOfCustomer(customerId: string, body: Api.WriteOffDebtOfCustomerRequest, options?: CallOptions): Promise<Api.RemainingDebt | Api.Proposal>;
  /** Write off a debt: `POST /platforms/{platformId}/debts/write-off`. */
  writeOffDebtOfPlatform(platformId: string, body: Api.WriteOffDebtOfPlatformRequest, options?: CallOptions): Promise<Api.RemainingDebt | Api.Proposal>;
  /** Connectors with what waits at them: `GET /connectors`. */
  listAllConnectors(query?: Api.ListAllConnectorsQuery, options?: CallOptions): List<Api.PageOfConnectors>;
  /** Add a connector: `POST /connectors`. */
  addConnector(body: Api.AddConnectorRequest, options?: CallOptions): Promise<Api.ConnectorSecret | Api.Proposal>;
  /** Orders to connectors: `GET /connector-orders`. */
  listAllConnectorOrders(query?: Api.ListAllConnectorOrdersQuery, options?: CallOptions): List<Api.PageOfConnectorOrders>;
  /** Events that connectors reported: `GET /connector-events`. */
  listAllConnectorEvents(query?: Api.ListAllConnectorEventsQuery, options?: CallOptions): List<Api.PageOfConnectorEvents>;
  /** Contradictions between the books and connectors or banks: `GET /breaks`. */
  listAllBreaks(query?: Api.ListAllBreaksQuery, options?: CallOptions): List<Api.PageOfBreaks>;
  /** A connector with what it can do and its routes: `GET /connectors/{name}`. */
  showConnector(name: string, options?: CallOptions): Promise<Api.ConnectorRecord>;
  /** The routes to connectors: `GET /connector-routes`. */
  listConnectorRoutes(options?: CallOptions): List<Api.ConnectorRouteList>;
  /** Set a route: `POST /connector-routes`. */
  setConnectorRoute(body: Api.SetConnectorRouteRequest, options?: CallOptions): Promise<Api.ChangedRoute | Api.Proposal>;
  /** A contradiction between the books and a connector or a bank: `GET /breaks/{breakId}`. */
  showBreak(breakId: string, options?: CallOptions): Promise<Api.ShownBreak>;
  /** Change the URL or the client certificate of a connector: `POST /connectors/{name}/set`. */
  setConnector(name: string, body: Api.SetConnectorRequest, options?: CallOptions): Promise<Api.ChangedConnector | Api.Proposal>;
  /** Remove a connector: `POST /connectors/{name}/remove`. */
  removeConnector(name: string, body: Api.RemoveConnectorRequest, options?: CallOptions): Promise<Api.RemovedConnector | Api.Proposal>;
  /** Rotate the secret of a connector: `POST /connectors/{name}/rotate-secret`. */
  rotateConnectorSecret(name: string, body: Api.RotateConnectorSecretRequest, options?: CallOptions): Promise<Api.ConnectorSecret | Api.Proposal>;
  /** Remove a route: `POST /connector-routes/remove`. */
  removeConnectorRoute(body: Api.RemoveConnectorRouteRequest, options?: CallOptions): Promise<Api.ChangedRoute | Api.Proposal>;
  /** Pause a connector: `POST /connectors/{name}/pause`. */
  pauseConnector(name: string, body: Api.PauseConnectorRequest, options?: CallOptions): Promise<Api.ChangedConnector>;
  /** Resume a connector: `POST /connectors/{name}/resume`. */
  resumeConnector(name: string, body: Api.ResumeConnectorRequest, options?: CallOptions): Promise<Api.ChangedConnector | Api.Proposal>;
  /** Read the events of a connector again: `POST /connectors/{name}/rewind`. */
  rewindConnector(name: string, body: Api.RewindConnectorRequest, options?: CallOptions): Promise<Api.ChangedConnector | Api.Proposal>;
  /** Resolve a break: `POST /breaks/{breakId}/resolve`. */
  resolveBreak(breakId: string, body: Api.ResolveBreakRequest, options?: CallOptions): Promise<Api.BreakRecord>;
  /** Say who takes care of a break: `POST /breaks/{breakId}/owner`. */
  setBreakOwner(breakId: string, body: Api.SetBreakOwnerRequest, options?: CallOptions): Promise<Api.BreakRecord>;
  /** Write a note about a break: `POST /breaks/{breakId}/note`. */
  noteBreak(breakId: string, body: Api.NoteBreakRequest, options?: CallOptions): Promise<Api.BreakRecord>;
  /** Name the owner of a settlement account: `POST /connectors/{name}/owners`. */
  setConnectorOwner(name: string, body: Api.SetConnectorOwnerRequest, options?: CallOptions): Promise<Api.SettlementAccountOwner | Api.Proposal>;
  /** Book what a break is about: `POST /breaks/{breakId}/book`. */
  bookBreak(breakId: string, body: Api.BookBreakRequest, options?: CallOptions): Promise<Api.BookedBreak | Api.Proposal>;
  /** Credit an account with unclaimed money: `POST /internal-accounts/{accountId}/unclaimed-money`. */
  assignBreak(accountId: string, body: Api.AssignBreakRequest, options?: CallOptions): Promise<Api.BookedBreak | Api.Proposal>;
  /** Confirm that the bank took money back: `POST /breaks/{breakId}/take-back`. */
  takeBackCredit(breakId: string, body: Api.TakeBackCreditRequest, options?: CallOptions): Promise<Api.TakenBackCredit | Api.Proposal>;
  /** Add a connector by files: `POST /file-connectors`. */
  addFilesConnector(body: Api.AddFilesConnectorRequest, options?: CallOptions): Promise<Api.ChangedFilesConnector | Api.Proposal>;
  /** Set the profile of a connector by files: `POST /file-connectors/{name}/profile`. */
  setFilesProfile(name: string, body: Api.SetFilesProfileRequest, options?: CallOptions): Promise<Api.ChangedFilesConnector | Api.Proposal>;
  /** Adopt the files in the archive: `POST /file-connectors/{name}/adopt`. */
  adoptBankFiles(name: string, body: Api.AdoptBankFilesRequest, options?: CallOptions): Promise<Api.ChangedFilesConnector | Api.Proposal>;
  /** Write a file again: `POST /bank-file-batches/{batch}/resend`. */
  resendBankFile(batch: string, body: Api.ResendBankFileRequest, options?: CallOptions): Promise<Api.ResentBankFile | Api.Proposal>;
  /** Close a file in quarantine: `POST /bank-files/{file}/close`. */
  closeBankFile(file: string, body: Api.CloseBankFileRequest, options?: CallOptions): Promise<Api.ClosedBankFile>;
  /** Cards: `GET /cards`. */
  listAllCards(query?: Api.ListAllCardsQuery, options?: CallOptions): List<Api.PageOfCards>;
  /** Cards, by personal data: `POST /cards/search`. */
  searchAllCards(body: Api.SearchAllCardsQuery & Api.SearchCardsRequest, options?: CallOptions): List<Api.PageOfCards>;
  /** Embedded wallets: `GET /wallets`. */
  listAllWallets(query?: Api.ListAllWalletsQuery, options?: CallOptions): List<Api.PageOfWallets>;
  /** Debts after returns and reversals: `GET /receivables`. */
  listAllReceivables(query?: Api.ListAllReceivablesQuery, options?: CallOptions): List<Api.PageOfReceivables>;
  /** A card with its latest transactions: `GET /cards/{id}`. */
  showCards(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /cards/{id}/disclose`. */
  discloseCardsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** An embedded wallet with its credentials, active sessions and delegated keys: `GET /wallets/{id}`. */
  showWallets(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /wallets/{id}/disclose`. */
  discloseWalletsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Close a card: `POST /cards/{cardId}/close`. */
  closeCard(cardId: string, body: Api.CloseCardRequest, options?: CallOptions): Promise<Api.ClosedCard | Api.Proposal>;
  /** Collect a debt of a purchase: `POST /card-exceptions/{transactionId}/collect`. */
  collectException(transactionId: string, body: Api.CollectExceptionRequest, options?: CallOptions): Promise<Api.ResolvedException | Api.Proposal>;
  /** Write off a debt of a purchase: `POST /card-exceptions/{transactionId}/write-off`. */
  writeOffException(transactionId: string, body: Api.WriteOffExceptionRequest, options?: CallOptions): Promise<Api.ResolvedException | Api.Proposal>;
  /** Stablecoins: `GET /stablecoins`. */
  listAllStablecoins(query?: Api.ListAllStablecoinsQuery, options?: CallOptions): List<Api.PageOfStablecoins>;
  /** Mints and burns: `GET /stablecoin-operations`. */
  listAllStablecoinOperations(query?: Api.ListAllStablecoinOperationsQuery, options?: CallOptions): List<Api.PageOfStablecoinOperations>;
  /** A stablecoin with its books: `GET /stablecoins/{id}`. */
  showStablecoins(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /stablecoins/{id}/disclose`. */
  discloseStablecoinsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** A mint or burn; the provider knows it by the same UUID: `GET /stablecoin-operations/{id}`. */
  showStablecoinOperations(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /stablecoin-operations/{id}/disclose`. */
  discloseStablecoinOperationsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Approve a stablecoin: `POST /stablecoins/{coinId}/approve`. */
  approveStablecoin(coinId: string, body: Api.ApproveStablecoinRequest, options?: CallOptions): Promise<Api.DecidedCoin | Api.Proposal>;
  /** Decline a stablecoin: `POST /stablecoins/{coinId}/decline`. */
  declineStablecoin(coinId: string, body: Api.DeclineStablecoinRequest, options?: CallOptions): Promise<Api.DecidedCoin | Api.Proposal>;
  /** Disable a stablecoin: `POST /stablecoins/{coinId}/disable`. */
  disableStablecoin(coinId: string, body: Api.DisableStablecoinRequest, options?: CallOptions): Promise<Api.DecidedCoin>;
  /** Enable a stablecoin: `POST /stablecoins/{coinId}/enable`. */
  enableStablecoin(coinId: string, body: Api.EnableStablecoinRequest, options?: CallOptions): Promise<Api.DecidedCoin | Api.Proposal>;
  /** Complete a mint or burn: `POST /stablecoin-operations/{operationId}/complete`. */
  completeStablecoinOperation(operationId: string, body: Api.CompleteStablecoinOperationRequest, options?: CallOptions): Promise<Api.EndedOperation | Api.Proposal>;
  /** Fail a mint or burn: `POST /stablecoin-operations/{operationId}/fail`. */
  failStablecoinOperation(operationId: string, body: Api.FailStablecoinOperationRequest, options?: CallOptions): Promise<Api.EndedOperation | Api.Proposal>;
  /** Revoke a link: `POST /stablecoin-links/{linkId}/revoke`. */
  revokeStablecoinLink(linkId: string, body: Api.RevokeStablecoinLinkRequest, options?: CallOptions): Promise<Api.RevokedLink>;
  /** Read the statement of an account: `GET /internal-accounts/{id}/statement`. */
  showAccountStatement(id: string, query: Api.ShowAccountStatementQuery, options?: CallOptions): List<Api.AccountStatement>;
  /** How far settlement accounts are proven: `GET /reconciliation`. */
  listReconciledAccounts(options?: CallOptions): List<Api.ReconciledAccounts>;
  /** The proofs of a settlement account: `GET /reconciliation/{account}/proofs`. */
  listAccountProofs(account: string, query?: Api.ListAccountProofsQuery, options?: CallOptions): List<Api.AccountProofs>;
  /** The proof of a day with what is in transit: `GET /reconciliation/{account}/proof`. */
  showAccountProof(account: string, query?: Api.ShowAccountProofQuery, options?: CallOptions): Promise<Api.ProofRecord>;
  /** Lines, matches, breaks and proofs of a period: `GET /reconciliation/{account}/export`. */
  exportReconciliation(account: string, query: Api.ExportReconciliationQuery, options?: CallOptions): List<Api.ReconciliationExport>;
  /** The line of a break, beside lines that may belong to it: `GET /breaks/{breakId}/suggestions`. */
  listBreakSuggestions(breakId: string, options?: CallOptions): Promise<Api.BreakSuggestions>;
  /** Book a charge or interest of the bank: `POST /breaks/{breakId}/bank-line`. */
  bookBankLine(breakId: string, body: Api.BookBankLineRequest, options?: CallOptions): Promise<Api.BookedBankLine | Api.Proposal>;
  /** Book own money at the bank, or write a difference off: `POST /breaks/{breakId}/difference`. */
  bookBankDifference(breakId: string, body: Api.BookBankDifferenceRequest, options?: CallOptions): Promise<Api.BookedBankLine | Api.Proposal>;
  /** Match the line of a break by hand: `POST /breaks/{breakId}/match`. */
  matchBreak(breakId: string, body: Api.MatchBreakRequest, options?: CallOptions): Promise<Api.MatchedBreak | Api.Proposal>;
  /** Book the money that a settlement account began with: `POST /platforms/{platformId}/opening-balances`. */
  bookOpeningBalance(platformId: string, body: Api.BookOpeningBalanceRequest, options?: CallOptions): Promise<Api.BookedBankLine | Api.Proposal>;
  /** Customers who are locked or suspended after wrong proofs: `GET /sca`. */
  listAllSca(query?: Api.ListAllScaQuery, options?: CallOptions): List<Api.PageOfSca>;
  /** The factors, sessions, open challenges and failed attempts of a customer: `GET /sca/{id}`. */
  showSca(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /sca/{id}/disclose`. */
  discloseScaField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Customers: `GET /customers`. */
  listAllCustomers(query?: Api.ListAllCustomersQuery, options?: CallOptions): List<Api.PageOfCustomers>;
  /** Customers, by personal data: `POST /customers/search`. */
  searchAllCustomers(body: Api.SearchAllCustomersQuery & Api.SearchCustomersRequest, options?: CallOptions): List<Api.PageOfCustomers>;
  /** Internal accounts of customers, with their balances: `GET /internal-accounts`. */
  listAllInternalAccounts(query?: Api.ListAllInternalAccountsQuery, options?: CallOptions): List<Api.PageOfInternalAccounts>;
  /** A customer with its accounts and latest verification: `GET /customers/{id}`. */
  showCustomers(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /customers/{id}/disclose`. */
  discloseCustomersField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** An internal account with the parts of its balance: `GET /internal-accounts/{id}`. */
  showInternalAccounts(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /internal-accounts/{id}/disclose`. */
  discloseInternalAccountsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Freeze an account: `POST /internal-accounts/{accountId}/freeze`. */
  freezeAccount(accountId: string, body: Api.FreezeAccountRequest, options?: CallOptions): Promise<Api.ChangedAccount>;
  /** Unfreeze an account: `POST /internal-accounts/{accountId}/unfreeze`. */
  unfreezeAccount(accountId: string, body: Api.UnfreezeAccountRequest, options?: CallOptions): Promise<Api.ChangedAccount>;
  /** Close an account: `POST /internal-accounts/{accountId}/close`. */
  closeAccount(accountId: string, body: Api.CloseAccountRequest, options?: CallOptions): Promise<Api.ChangedAccount | Api.Proposal>;
  /** Set up an account: `POST /internal-accounts/{accountId}/provision`. */
  provisionAccount(accountId: string, body: Api.ProvisionAccountRequest, options?: CallOptions): Promise<Api.ChangedAccount | Api.Proposal>;
  /** Refuse an account: `POST /internal-accounts/{accountId}/refuse`. */
  refuseAccount(accountId: string, body: Api.RefuseAccountRequest, options?: CallOptions): Promise<Api.ChangedAccount>;
  /** Ask again for an account: `POST /internal-accounts/{accountId}/retry`. */
  retryAccount(accountId: string, body: Api.RetryAccountRequest, options?: CallOptions): Promise<Api.ChangedAccount>;
  /** Add a way to pay in by SWIFT: `POST /internal-accounts/{accountId}/swift`. */
  addSwiftInstructions(accountId: string, body: Api.AddSwiftInstructionsRequest, options?: CallOptions): Promise<Api.ChangedAccount | Api.Proposal>;
  /** External accounts: `GET /external-accounts`. */
  listAllExternalAccounts(query?: Api.ListAllExternalAccountsQuery, options?: CallOptions): List<Api.PageOfExternalAccounts>;
  /** An external account: `GET /external-accounts/{id}`. */
  showExternalAccounts(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /external-accounts/{id}/disclose`. */
  discloseExternalAccountsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Disable an external account: `POST /external-accounts/{accountId}/disable`. */
  disableExternalAccount(accountId: string, body: Api.DisableExternalAccountRequest, options?: CallOptions): Promise<Api.DecidedExternalAccount>;
  /** Enable an external account: `POST /external-accounts/{accountId}/enable`. */
  enableExternalAccount(accountId: string, body: Api.EnableExternalAccountRequest, options?: CallOptions): Promise<Api.DecidedExternalAccount>;
  /** Report a screening: `POST /external-accounts/{accountId}/screening`. */
  screenExternalAccount(accountId: string, body: Api.ScreenExternalAccountRequest, options?: CallOptions): Promise<Api.DecidedExternalAccount>;
  /** Decide on an external account: `POST /external-accounts/{accountId}/review`. */
  reviewExternalAccount(accountId: string, body: Api.ReviewExternalAccountRequest, options?: CallOptions): Promise<Api.DecidedExternalAccount>;
  /** Report a validation: `POST /external-accounts/{accountId}/validation`. */
  validateExternalAccount(accountId: string, body: Api.ValidateExternalAccountRequest, options?: CallOptions): Promise<Api.DecidedExternalAccount>;
  /** Customers who wait for a decision: `GET /reviews`. */
  listAllReviews(query?: Api.ListAllReviewsQuery, options?: CallOptions): List<Api.PageOfReviews>;
  /** Read everything that a customer submitted, in clear: `GET /reviews/{id}`. */
  openReview(id: string, options?: CallOptions): Promise<Api.ReviewPacket>;
  /** Download a document of a customer: `GET /documents/{id}/content`. */
  downloadDocument(id: string, options?: CallOptions): Promise<undefined>;
  /** Approve a customer: `POST /reviews/{customerId}/approve`. */
  approveReview(customerId: string, body: Api.ApproveReviewRequest, options?: CallOptions): Promise<Api.DecidedCustomer>;
  /** Ask for corrections: `POST /reviews/{customerId}/request-changes`. */
  requestChanges(customerId: string, body: Api.RequestChangesRequest, options?: CallOptions): Promise<Api.DecidedCustomer>;
  /** Reject a customer: `POST /reviews/{customerId}/reject`. */
  rejectReview(customerId: string, body: Api.RejectReviewRequest, options?: CallOptions): Promise<Api.DecidedCustomer | Api.Proposal>;
  /** Invitations to UMA: `GET /invitations`. */
  listAllInvitations(query?: Api.ListAllInvitationsQuery, options?: CallOptions): List<Api.PageOfInvitations>;
  /** Agents: `GET /agents`. */
  listAllAgents(query?: Api.ListAllAgentsQuery, options?: CallOptions): List<Api.PageOfAgents>;
  /** Actions that agents requested: `GET /agent-actions`. */
  listAllAgentActions(query?: Api.ListAllAgentActionsQuery, options?: CallOptions): List<Api.PageOfAgentActions>;
  /** An agent with its policy and its use of the limits: `GET /agents/{id}`. */
  showAgents(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /agents/{id}/disclose`. */
  discloseAgentsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** An action of an agent with its quote or transfer: `GET /agent-actions/{id}`. */
  showAgentActions(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /agent-actions/{id}/disclose`. */
  discloseAgentActionsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Pause an agent: `POST /agents/{agentId}/pause`. */
  pauseAgent(agentId: string, body: Api.PauseAgentRequest, options?: CallOptions): Promise<Api.PausedAgent>;
  /** List proposals: `GET /proposals`. */
  listProposals(query?: Api.ListProposalsQuery, options?: CallOptions): List<Api.ProposalListResponse>;
  /** Read a proposal: `GET /proposals/{proposalId}`. */
  getProposalById(proposalId: string, options?: CallOptions): Promise<Api.Proposal>;
  /** Approve a proposal: `POST /proposals/{proposalId}/approve`. */
  approveProposal(proposalId: string, body: Api.ProposalApproveRequest, options?: CallOptions): Promise<Api.Proposal>;
  /** Reject a proposal: `POST /proposals/{proposalId}/reject`. */
  rejectProposal(proposalId: string, body: Api.ProposalReasonRequest, options?: CallOptions): Promise<Api.Proposal>;
  /** Withdraw a proposal: `POST /proposals/{proposalId}/withdraw`. */
  withdrawProposal(proposalId: string, body: Api.ProposalReasonRequest, options?: CallOptions): Promise<Api.Proposal>;
  /** Take a proposal: `POST /proposals/{proposalId}/take`. */
  takeProposal(proposalId: string, body: Api.ProposalReasonRequest, options?: CallOptions): Promise<Api.Proposal>;
  /** Show the secret that an approved operation made: `POST /proposals/{proposalId}/secret`. */
  showProposalSecret(proposalId: string, body: Api.ProposalReasonRequest, options?: CallOptions): Promise<Api.ProposalSecret>;
  /** Show one field of a proposed input in clear: `POST /proposals/{proposalId}/disclose`. */
  discloseProposalField(proposalId: string, body: Api.ProposalFieldRequest, options?: CallOptions): Promise<Api.DisclosedProposalField>;
  /** List what was done without a second operator: `GET /break-glass`. */
  listBreakGlassUses(query?: Api.ListBreakGlassUsesQuery, options?: CallOptions): List<Api.BreakGlassUseList>;
  /** Acknowledge what was done without a second operator: `POST /break-glass/{breakGlassId}/acknowledge`. */
  acknowledgeBreakGlass(breakGlassId: string, body: Api.BreakGlassAcknowledgement, options?: CallOptions): Promise<Api.BreakGlassUse>;
  /** List what waits: `GET /work`. */
  listWork(query?: Api.ListWorkQuery, options?: CallOptions): Promise<Api.Work>;
  /** List the items of a kind: `GET /work/items`. */
  listWorkItems(query: Api.ListWorkItemsQuery, options?: CallOptions): List<Api.WorkItemList>;
  /** Take an item: `POST /work/take`. */
  takeWork(body: Api.TakeWorkRequest, options?: CallOptions): Promise<Api.TakenWork>;
  /** Give an item back: `POST /work/release`. */
  releaseWork(body: Api.ReleaseWorkRequest, options?: CallOptions): Promise<Api.TakenWork>;
  /** Write a note about an item: `POST /work/note`. */
  noteWork(body: Api.NoteWorkRequest, options?: CallOptions): Promise<Api.TakenWork>;
  /** Events and the state of their delivery: `GET /webhooks`. */
  listAllWebhooks(query?: Api.ListAllWebhooksQuery, options?: CallOptions): List<Api.PageOfWebhooks>;
  /** An event with its payload and the attempts to deliver it: `GET /webhooks/{id}`. */
  showWebhooks(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /webhooks/{id}/disclose`. */
  discloseWebhooksField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Send an event again: `POST /webhooks/{webhookId}/resend`. */
  resendWebhook(webhookId: string, body: Api.ResendWebhookRequest, options?: CallOptions): Promise<Api.ResentWebhook>;
  /** Requests of platforms: `GET /requests`. */
  listAllRequests(query?: Api.ListAllRequestsQuery, options?: CallOptions): List<Api.PageOfRequests>;
  /** A request with the stored parts of its bodies: `GET /requests/{id}`. */
  showRequests(id: string, options?: CallOptions): Promise<Api.ShownRecord>;
  /** Show one field in clear: `POST /requests/{id}/disclose`. */
  discloseRequestsField(id: string, body: Api.DiscloseFieldRequest, options?: CallOptions): Promise<Api.DisclosedField>;
  /** Find a record by a whole value: `POST /search`. */
  findRecords(body: Api.FindRecordsQuery & Api.FindRecordsRequest, options?: CallOptions): List<Api.FoundRecords>;
  /** Read figures of the last hour and days: `GET /figures`. */
  readFigures(query?: Api.ReadFiguresQuery, options?: CallOptions): Promise<Api.Figures>;
  /** Read the state of the service: `GET /system`. */
  readSystem(options?: CallOptions): Promise<Api.System>;
  /** Erase a customer: `POST /customers/{customerId}/erase`. */
  eraseCustomer(customerId: string, body: Api.EraseCustomerRequest, options?: CallOptions): Promise<Api.ErasedCustomer | Api.Proposal>;
}

export const OPERATIONS: Readonly<Record<keyof Operations, Operation>> = {
  explainPayment: {"method":"GET","path":"/payments/{id}/explanation"},
  explainQuote: {"method":"GET","path":"/quotes/{id}/explanation"},
  explainStablecoinOperation: {"method":"GET","path":"/stablecoin-operations/{id}/explanation"},
  explainAgentAction: {"method":"GET","path":"/agent-actions/{id}/explanation"},
  getTrialBalance: {"method":"GET","path":"/ledger/trial-balance","query":["platform","environment","at"]},
  getBookBalance: {"method":"GET","path":"/platforms/{id}/ledger/balance","query":["account","at","entry"]},
  listBookAccounts: {"method":"GET","path":"/platforms/{id}/ledger/accounts","query":["kind","at","limit","cursor"],"isList":true},
  listBookLines: {"method":"GET","path":"/platforms/{id}/ledger/lines","query":["account","currency","createdAfter","createdBefore","limit","cursor"],"isList":true},
  getBookEntry: {"method":"GET","path":"/ledger/entries/{id}"},
  getBookEntryByNumber: {"method":"GET","path":"/platforms/{id}/ledger/entries/{number}"},
  listJournalHeads: {"method":"GET","path":"/platforms/{id}/ledger/heads"},
  listLedgerChecks: {"method":"GET","path":"/ledger/checks"},
  proveLedger: {"method":"POST","path":"/ledger/proofs","body":"json","hasKey":true},
  listLedgerProofs: {"method":"GET","path":"/ledger/proofs","isList":true},
  listAllAudit: {"method":"GET","path":"/audit","query":["createdAfter","createdBefore","platform","resource","operator","action","count","format","limit","cursor"],"isList":true},
  listAllReads: {"method":"GET","path":"/reads","query":["createdAfter","createdBefore","platform","resource","operator","count","format","limit","cursor"],"isList":true},
  exportAccessReview: {"method":"GET","path":"/operators/access-review"},
  listOperators: {"method":"GET","path":"/operators","query":["status","role","limit","cursor"],"isList":true},
  inviteOperator: {"method":"POST","path":"/operators","body":"json","hasKey":true},
  listOperatorNames: {"method":"GET","path":"/operator-names","isList":true},
  getOperator: {"method":"GET","path":"/operators/{operatorId}"},
  renewOperatorAddress: {"method":"POST","path":"/operators/{operatorId}/address","body":"json","hasKey":true},
  setOperatorRoles: {"method":"POST","path":"/operators/{operatorId}/roles","body":"json","hasKey":true},
  suspendOperator: {"method":"POST","path":"/operators/{operatorId}/suspend","body":"json","hasKey":true},
  removeOperator: {"method":"POST","path":"/operators/{operatorId}/remove","body":"json","hasKey":true},
  confirmOperator: {"method":"POST","path":"/operators/{operatorId}/confirm","body":"json","hasKey":true},
  endOperatorSessions: {"method":"POST","path":"/operators/{operatorId}/sessions/end","body":"json","hasKey":true},
  listOwnPasskeys: {"method":"GET","path":"/operator/passkeys","isList":true},
  addOwnPasskey: {"method":"POST","path":"/operator/passkeys","body":"json","hasKey":true,"isList":true},
  getPasskeyChallenge: {"method":"GET","path":"/operator/passkeys/challenge"},
  deleteOwnPasskey: {"method":"POST","path":"/operator/passkeys/{passkeyId}/delete","body":"json","hasKey":true},
  listOwnSessions: {"method":"GET","path":"/operator/sessions","isList":true},
  endOwnSessions: {"method":"POST","path":"/operator/sessions/end","body":"json","hasKey":true},
  listAllPlatforms: {"method":"GET","path":"/platforms","query":["environment","count","format","limit","cursor"],"isList":true},
  createPlatform: {"method":"POST","path":"/platforms","body":"json","hasKey":true},
  showPlatforms: {"method":"GET","path":"/platforms/{id}"},
  disclosePlatformsField: {"method":"POST","path":"/platforms/{id}/disclose","body":"json"},
  listAllTokens: {"method":"GET","path":"/tokens","query":["platform","environment","createdAfter","createdBefore","status","count","format","limit","cursor"],"isList":true},
  searchAllTokens: {"method":"POST","path":"/tokens/search","query":["platform","environment","createdAfter","createdBefore","status","count","limit","cursor"],"body":"json","isList":true},
  showTokens: {"method":"GET","path":"/tokens/{id}"},
  discloseTokensField: {"method":"POST","path":"/tokens/{id}/disclose","body":"json"},
  setPlatform: {"method":"POST","path":"/platforms/{platformId}/settings","body":"json","hasKey":true},
  disablePlatform: {"method":"POST","path":"/platforms/{platformId}/disable","body":"json","hasKey":true},
  enablePlatform: {"method":"POST","path":"/platforms/{platformId}/enable","body":"json","hasKey":true},
  createTokenOfPlatform: {"method":"POST","path":"/platforms/{platformId}/tokens","body":"json","hasKey":true},
  revokeToken: {"method":"POST","path":"/tokens/{tokenId}/revoke","body":"json","hasKey":true},
  rotateWebhookKeyOfPlatform: {"method":"POST","path":"/platforms/{platformId}/webhook-keys/rotate","body":"json","hasKey":true},
  readRates: {"method":"GET","path":"/rates","isList":true},
  setRates: {"method":"POST","path":"/rates/set","body":"json","hasKey":true},
  clearRates: {"method":"POST","path":"/rates/clear","body":"json","hasKey":true},
  stopRates: {"method":"POST","path":"/rates/stop","body":"json","hasKey":true},
  listAllPayments: {"method":"GET","path":"/payments","query":["platform","environment","createdAfter","createdBefore","status","type","customer","card","account","units","currency","count","format","limit","cursor"],"isList":true},
  searchAllPayments: {"method":"POST","path":"/payments/search","query":["platform","environment","createdAfter","createdBefore","status","type","customer","card","account","units","currency","count","limit","cursor"],"body":"json","isList":true},
  listAllQuotes: {"method":"GET","path":"/quotes","query":["platform","environment","createdAfter","createdBefore","customer","count","format","limit","cursor"],"isList":true},
  listAllSuspense: {"method":"GET","path":"/suspense","query":["platform","environment","count","format","limit","cursor"],"isList":true},
  showPayments: {"method":"GET","path":"/payments/{id}"},
  disclosePaymentsField: {"method":"POST","path":"/payments/{id}/disclose","body":"json"},
  showQuotes: {"method":"GET","path":"/quotes/{id}"},
  discloseQuotesField: {"method":"POST","path":"/quotes/{id}/disclose","body":"json"},
  settlePayment: {"method":"POST","path":"/payments/{transactionId}/settle","body":"json","hasKey":true},
  failPayment: {"method":"POST","path":"/payments/{transactionId}/fail","body":"json","hasKey":true},
  returnPayment: {"method":"POST","path":"/payments/{transactionId}/return","body":"json","hasKey":true},
  bookDeposit: {"method":"POST","path":"/internal-accounts/{accountId}/deposits","body":"json","hasKey":true},
  resolveSuspense: {"method":"POST","path":"/suspense/{entryId}/resolve","body":"json","hasKey":true},
  writeOffDebtOfCustomer: {"method":"POST","path":"/customers/{customerId}/debts/write-off","body":"json","hasKey":true},
  writeOffDebtOfPlatform: {"method":"POST","path":"/platforms/{platformId}/debts/write-off","body":"json","hasKey":true},
  listAllConnectors: {"method":"GET","path":"/connectors","query":["count","format","limit","cursor"],"isList":true},
  addConnector: {"method":"POST","path":"/connectors","body":"json","hasKey":true},
  listAllConnectorOrders: {"method":"GET","path":"/connector-orders","query":["platform","environment","createdAfter","createdBefore","connector","status","transaction","count","format","limit","cursor"],"isList":true},
  listAllConnectorEvents: {"method":"GET","path":"/connector-events","query":["connector","isApplied","count","format","limit","cursor"],"isList":true},
  listAllBreaks: {"method":"GET","path":"/breaks","query":["connector","kind","isOpen","count","format","limit","cursor"],"isList":true},
  showConnector: {"method":"GET","path":"/connectors/{name}"},
  listConnectorRoutes: {"method":"GET","path":"/connector-routes","isList":true},
  setConnectorRoute: {"method":"POST","path":"/connector-routes","body":"json","hasKey":true},
  showBreak: {"method":"GET","path":"/breaks/{breakId}"},
  setConnector: {"method":"POST","path":"/connectors/{name}/set","body":"json","hasKey":true},
  removeConnector: {"method":"POST","path":"/connectors/{name}/remove","body":"json","hasKey":true},
  rotateConnectorSecret: {"method":"POST","path":"/connectors/{name}/rotate-secret","body":"json","hasKey":true},
  removeConnectorRoute: {"method":"POST","path":"/connector-routes/remove","body":"json","hasKey":true},
  pauseConnector: {"method":"POST","path":"/connectors/{name}/pause","body":"json","hasKey":true},
  resumeConnector: {"method":"POST","path":"/connectors/{name}/resume","body":"json","hasKey":true},
  rewindConnector: {"method":"POST","path":"/connectors/{name}/rewind","body":"json","hasKey":true},
  resolveBreak: {"method":"POST","path":"/breaks/{breakId}/resolve","body":"json","hasKey":true},
  setBreakOwner: {"method":"POST","path":"/breaks/{breakId}/owner","body":"json","hasKey":true},
  noteBreak: {"method":"POST","path":"/breaks/{breakId}/note","body":"json","hasKey":true},
  setConnectorOwner: {"method":"POST","path":"/connectors/{name}/owners","body":"json","hasKey":true},
  bookBreak: {"method":"POST","path":"/breaks/{breakId}/book","body":"json","hasKey":true},
  assignBreak: {"method":"POST","path":"/internal-accounts/{accountId}/unclaimed-money","body":"json","hasKey":true},
  takeBackCredit: {"method":"POST","path":"/breaks/{breakId}/take-back","body":"json","hasKey":true},
  addFilesConnector: {"method":"POST","path":"/file-connectors","body":"json","hasKey":true},
  setFilesProfile: {"method":"POST","path":"/file-connectors/{name}/profile","body":"json","hasKey":true},
  adoptBankFiles: {"method":"POST","path":"/file-connectors/{name}/adopt","body":"json","hasKey":true},
  resendBankFile: {"method":"POST","path":"/bank-file-batches/{batch}/resend","body":"json","hasKey":true},
  closeBankFile: {"method":"POST","path":"/bank-files/{file}/close","body":"json","hasKey":true},
  listAllCards: {"method":"GET","path":"/cards","query":["platform","environment","customer","account","status","count","format","limit","cursor"],"isList":true},
  searchAllCards: {"method":"POST","path":"/cards/search","query":["platform","environment","customer","account","status","count","limit","cursor"],"body":"json","isList":true},
  listAllWallets: {"method":"GET","path":"/wallets","query":["platform","environment","customer","count","format","limit","cursor"],"isList":true},
  listAllReceivables: {"method":"GET","path":"/receivables","query":["platform","environment","count","format","limit","cursor"],"isList":true},
  showCards: {"method":"GET","path":"/cards/{id}"},
  discloseCardsField: {"method":"POST","path":"/cards/{id}/disclose","body":"json"},
  showWallets: {"method":"GET","path":"/wallets/{id}"},
  discloseWalletsField: {"method":"POST","path":"/wallets/{id}/disclose","body":"json"},
  closeCard: {"method":"POST","path":"/cards/{cardId}/close","body":"json","hasKey":true},
  collectException: {"method":"POST","path":"/card-exceptions/{transactionId}/collect","body":"json","hasKey":true},
  writeOffException: {"method":"POST","path":"/card-exceptions/{transactionId}/write-off","body":"json","hasKey":true},
  listAllStablecoins: {"method":"GET","path":"/stablecoins","query":["platform","environment","issuance","status","count","format","limit","cursor"],"isList":true},
  listAllStablecoinOperations: {"method":"GET","path":"/stablecoin-operations","query":["platform","environment","stablecoin","type","status","count","format","limit","cursor"],"isList":true},
  showStablecoins: {"method":"GET","path":"/stablecoins/{id}"},
  discloseStablecoinsField: {"method":"POST","path":"/stablecoins/{id}/disclose","body":"json"},
  showStablecoinOperations: {"method":"GET","path":"/stablecoin-operations/{id}"},
  discloseStablecoinOperationsField: {"method":"POST","path":"/stablecoin-operations/{id}/disclose","body":"json"},
  approveStablecoin: {"method":"POST","path":"/stablecoins/{coinId}/approve","body":"json","hasKey":true},
  declineStablecoin: {"method":"POST","path":"/stablecoins/{coinId}/decline","body":"json","hasKey":true},
  disableStablecoin: {"method":"POST","path":"/stablecoins/{coinId}/disable","body":"json","hasKey":true},
  enableStablecoin: {"method":"POST","path":"/stablecoins/{coinId}/enable","body":"json","hasKey":true},
  completeStablecoinOperation: {"method":"POST","path":"/stablecoin-operations/{operationId}/complete","body":"json","hasKey":true},
  failStablecoinOperation: {"method":"POST","path":"/stablecoin-operations/{operationId}/fail","body":"json","hasKey":true},
  revokeStablecoinLink: {"method":"POST","path":"/stablecoin-links/{linkId}/revoke","body":"json","hasKey":true},
  showAccountStatement: {"method":"GET","path":"/internal-accounts/{id}/statement","query":["from","to","zone","format","version","limit","cursor"],"isList":true},
  listReconciledAccounts: {"method":"GET","path":"/reconciliation","isList":true},
  listAccountProofs: {"method":"GET","path":"/reconciliation/{account}/proofs","query":["from","to"],"isList":true},
  showAccountProof: {"method":"GET","path":"/reconciliation/{account}/proof","query":["day"]},
  exportReconciliation: {"method":"GET","path":"/reconciliation/{account}/export","query":["from","to","format"],"isList":true},
  listBreakSuggestions: {"method":"GET","path":"/breaks/{breakId}/suggestions"},
  bookBankLine: {"method":"POST","path":"/breaks/{breakId}/bank-line","body":"json","hasKey":true},
  bookBankDifference: {"method":"POST","path":"/breaks/{breakId}/difference","body":"json","hasKey":true},
  matchBreak: {"method":"POST","path":"/breaks/{breakId}/match","body":"json","hasKey":true},
  bookOpeningBalance: {"method":"POST","path":"/platforms/{platformId}/opening-balances","body":"json","hasKey":true},
  listAllSca: {"method":"GET","path":"/sca","query":["platform","environment","count","format","limit","cursor"],"isList":true},
  showSca: {"method":"GET","path":"/sca/{id}"},
  discloseScaField: {"method":"POST","path":"/sca/{id}/disclose","body":"json"},
  listAllCustomers: {"method":"GET","path":"/customers","query":["platform","environment","createdAfter","createdBefore","type","status","region","currency","deleted","count","format","limit","cursor"],"isList":true},
  searchAllCustomers: {"method":"POST","path":"/customers/search","query":["platform","environment","createdAfter","createdBefore","type","status","region","currency","deleted","count","limit","cursor"],"body":"json","isList":true},
  listAllInternalAccounts: {"method":"GET","path":"/internal-accounts","query":["platform","environment","customer","currency","type","status","count","format","limit","cursor"],"isList":true},
  showCustomers: {"method":"GET","path":"/customers/{id}"},
  discloseCustomersField: {"method":"POST","path":"/customers/{id}/disclose","body":"json"},
  showInternalAccounts: {"method":"GET","path":"/internal-accounts/{id}"},
  discloseInternalAccountsField: {"method":"POST","path":"/internal-accounts/{id}/disclose","body":"json"},
  freezeAccount: {"method":"POST","path":"/internal-accounts/{accountId}/freeze","body":"json","hasKey":true},
  unfreezeAccount: {"method":"POST","path":"/internal-accounts/{accountId}/unfreeze","body":"json","hasKey":true},
  closeAccount: {"method":"POST","path":"/internal-accounts/{accountId}/close","body":"json","hasKey":true},
  provisionAccount: {"method":"POST","path":"/internal-accounts/{accountId}/provision","body":"json","hasKey":true},
  refuseAccount: {"method":"POST","path":"/internal-accounts/{accountId}/refuse","body":"json","hasKey":true},
  retryAccount: {"method":"POST","path":"/internal-accounts/{accountId}/retry","body":"json","hasKey":true},
  addSwiftInstructions: {"method":"POST","path":"/internal-accounts/{accountId}/swift","body":"json","hasKey":true},
  listAllExternalAccounts: {"method":"GET","path":"/external-accounts","query":["platform","environment","customer","currency","status","own","count","format","limit","cursor"],"isList":true},
  showExternalAccounts: {"method":"GET","path":"/external-accounts/{id}"},
  discloseExternalAccountsField: {"method":"POST","path":"/external-accounts/{id}/disclose","body":"json"},
  disableExternalAccount: {"method":"POST","path":"/external-accounts/{accountId}/disable","body":"json","hasKey":true},
  enableExternalAccount: {"method":"POST","path":"/external-accounts/{accountId}/enable","body":"json","hasKey":true},
  screenExternalAccount: {"method":"POST","path":"/external-accounts/{accountId}/screening","body":"json","hasKey":true},
  reviewExternalAccount: {"method":"POST","path":"/external-accounts/{accountId}/review","body":"json","hasKey":true},
  validateExternalAccount: {"method":"POST","path":"/external-accounts/{accountId}/validation","body":"json","hasKey":true},
  listAllReviews: {"method":"GET","path":"/reviews","query":["platform","environment","status","count","format","limit","cursor"],"isList":true},
  openReview: {"method":"GET","path":"/reviews/{id}"},
  downloadDocument: {"method":"GET","path":"/documents/{id}/content"},
  approveReview: {"method":"POST","path":"/reviews/{customerId}/approve","body":"json","hasKey":true},
  requestChanges: {"method":"POST","path":"/reviews/{customerId}/request-changes","body":"json","hasKey":true},
  rejectReview: {"method":"POST","path":"/reviews/{customerId}/reject","body":"json","hasKey":true},
  listAllInvitations: {"method":"GET","path":"/invitations","query":["platform","environment","customer","status","count","format","limit","cursor"],"isList":true},
  listAllAgents: {"method":"GET","path":"/agents","query":["platform","environment","customer","connected","paused","count","format","limit","cursor"],"isList":true},
  listAllAgentActions: {"method":"GET","path":"/agent-actions","query":["platform","environment","agent","customer","status","count","format","limit","cursor"],"isList":true},
  showAgents: {"method":"GET","path":"/agents/{id}"},
  discloseAgentsField: {"method":"POST","path":"/agents/{id}/disclose","body":"json"},
  showAgentActions: {"method":"GET","path":"/agent-actions/{id}"},
  discloseAgentActionsField: {"method":"POST","path":"/agent-actions/{id}/disclose","body":"json"},
  pauseAgent: {"method":"POST","path":"/agents/{agentId}/pause","body":"json","hasKey":true},
  listProposals: {"method":"GET","path":"/proposals","query":["view","resource","limit","cursor"],"isList":true},
  getProposalById: {"method":"GET","path":"/proposals/{proposalId}"},
  approveProposal: {"method":"POST","path":"/proposals/{proposalId}/approve","body":"json","hasKey":true},
  rejectProposal: {"method":"POST","path":"/proposals/{proposalId}/reject","body":"json","hasKey":true},
  withdrawProposal: {"method":"POST","path":"/proposals/{proposalId}/withdraw","body":"json","hasKey":true},
  takeProposal: {"method":"POST","path":"/proposals/{proposalId}/take","body":"json","hasKey":true},
  showProposalSecret: {"method":"POST","path":"/proposals/{proposalId}/secret","body":"json","hasKey":true},
  discloseProposalField: {"method":"POST","path":"/proposals/{proposalId}/disclose","body":"json"},
  listBreakGlassUses: {"method":"GET","path":"/break-glass","query":["open","limit","cursor"],"isList":true},
  acknowledgeBreakGlass: {"method":"POST","path":"/break-glass/{breakGlassId}/acknowledge","body":"json","hasKey":true},
  listWork: {"method":"GET","path":"/work","query":["platform","environment"]},
  listWorkItems: {"method":"GET","path":"/work/items","query":["kind","platform","environment","limit","cursor"],"isList":true},
  takeWork: {"method":"POST","path":"/work/take","body":"json","hasKey":true},
  releaseWork: {"method":"POST","path":"/work/release","body":"json","hasKey":true},
  noteWork: {"method":"POST","path":"/work/note","body":"json","hasKey":true},
  listAllWebhooks: {"method":"GET","path":"/webhooks","query":["platform","environment","createdAfter","createdBefore","state","type","resource","count","format","limit","cursor"],"isList":true},
  showWebhooks: {"method":"GET","path":"/webhooks/{id}"},
  discloseWebhooksField: {"method":"POST","path":"/webhooks/{id}/disclose","body":"json"},
  resendWebhook: {"method":"POST","path":"/webhooks/{webhookId}/resend","body":"json","hasKey":true},
  listAllRequests: {"method":"GET","path":"/requests","query":["platform","environment","createdAfter","createdBefore","status","method","path","code","request","count","format","limit","cursor"],"isList":true},
  showRequests: {"method":"GET","path":"/requests/{id}"},
  discloseRequestsField: {"method":"POST","path":"/requests/{id}/disclose","body":"json"},
  findRecords: {"method":"POST","path":"/search","query":["platform","environment"],"body":"json","isList":true},
  readFigures: {"method":"GET","path":"/figures","query":["platform","environment"]},
  readSystem: {"method":"GET","path":"/system"},
  eraseCustomer: {"method":"POST","path":"/customers/{customerId}/erase","body":"json","hasKey":true},
};

/** Fields and values that hold the name of the service. */
export const NAMED_TOKENS: readonly string[] = ["svcApiVariableFeeRate","svcApiVariableFeeAmount","svcApiMultiplier","svcApiFixedFee","svcOperationsStatus","SVC_INTERNAL_ACCOUNT","SVC_SWITCH_ERROR","STABLECOIN_SVC_OPERATIONS_NOT_ENABLED","STABLECOIN_SVC_ENABLEMENT_NOT_REQUESTABLE","CLOSED_BY_SVC","SVC-7K2MQ4XA-REFUND"];
