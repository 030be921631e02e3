/** Written by `npm run client:generate` from the API’s document. */

import type { List } from '../list.ts';
import type { CallOptions, Operation } from '../operation.ts';
import type * as Api from './schemas.ts';

/** One call for each operation of the API, under its name there. */
export interface Operations {
  /** Read the configuration: `GET /config`. */
  getPlatformConfig(options?: CallOptions): Promise<Api.PlatformConfig>;
  /** Change the configuration: `PATCH /config`. */
  updatePlatformConfig(body: Api.PlatformConfigUpdateRequest, options?: CallOptions): Promise<Api.PlatformConfig>;
  /** Create a token: `POST /tokens`. */
  createToken(body: Api.ApiTokenCreateRequest, options?: CallOptions): Promise<Api.ApiToken>;
  /** List tokens: `GET /tokens`. */
  listTokens(query?: Api.ListTokensQuery, options?: CallOptions): List<Api.TokenListResponse>;
  /** Read a token: `GET /tokens/{tokenId}`. */
  getTokenById(tokenId: string, options?: CallOptions): Promise<Api.ApiToken>;
  /** Delete a token: `DELETE /tokens/{tokenId}`. */
  deleteTokenById(tokenId: string, options?: CallOptions): Promise<undefined>;
  /** Sign in to the console: `POST /console-sessions`. */
  createConsoleSession(options?: CallOptions): Promise<Api.ConsoleSession>;
  /** List receiving institutions: `GET /discoveries`. */
  getDiscoveries(query?: Api.GetDiscoveriesQuery, options?: CallOptions): List<Api.DiscoveryListResponse>;
  /** List exchange rates: `GET /exchange-rates`. */
  getExchangeRates(query?: Api.GetExchangeRatesQuery, options?: CallOptions): List<Api.ExchangeRateListResponse>;
  /** List UMA providers: `GET /uma-providers`. */
  getAvailableUmaProviders(query?: Api.GetAvailableUmaProvidersQuery, options?: CallOptions): List<Api.UmaProviderListResponse>;
  /** List exchanges: `GET /vasps`. */
  listVasps(query?: Api.ListVaspsQuery, options?: CallOptions): List<Api.VaspListResponse>;
  /** Create a customer: `POST /customers`. */
  createCustomer(body: Api.CustomerCreateRequest, options?: CallOptions): Promise<Api.Customer>;
  /** List customers: `GET /customers`. */
  listCustomers(query?: Api.ListCustomersQuery, options?: CallOptions): List<Api.CustomerListResponse>;
  /** Get the end-user terms in force: `GET /customers/end-user-terms`. */
  getEndUserTerms(options?: CallOptions): Promise<Api.EndUserTerms>;
  /** Get a customer: `GET /customers/{customerId}`. */
  getCustomerById(customerId: string, options?: CallOptions): Promise<Api.Customer>;
  /** Update a customer: `PATCH /customers/{customerId}`. */
  updateCustomerById(customerId: string, body: Api.CustomerUpdateRequest, options?: CallOptions): Promise<Api.Customer | Api.SignedRequestChallenge>;
  /** Delete a customer: `DELETE /customers/{customerId}`. */
  deleteCustomerById(customerId: string, options?: CallOptions): Promise<Api.Customer>;
  /** Import customers from a CSV file: `POST /customers/bulk/csv`. */
  uploadCustomersCsv(body: Api.CustomersCsvUpload, options?: CallOptions): Promise<Api.BulkCustomerImportJobAccepted>;
  /** Read the progress of an import: `GET /customers/bulk/jobs/{jobId}`. */
  getBulkCustomerImportJob(jobId: string, options?: CallOptions): Promise<Api.BulkCustomerImportJob>;
  /** List imports: `GET /customers/bulk/jobs`. */
  listBulkCustomerImportJobs(query?: Api.ListBulkCustomerImportJobsQuery, options?: CallOptions): List<Api.BulkCustomerImportJobListResponse>;
  /** Send a code to the customer's e-mail address: `POST /customers/{customerId}/verify-email`. */
  sendCustomerEmailVerification(customerId: string, options?: CallOptions): Promise<undefined>;
  /** Confirm the customer's e-mail address with a code: `POST /customers/{customerId}/verify-email/confirm`. */
  confirmCustomerEmailVerification(customerId: string, body: Api.ContactVerificationConfirmRequest, options?: CallOptions): Promise<Api.Customer>;
  /** Send a code to the customer's phone number: `POST /customers/{customerId}/verify-phone`. */
  sendCustomerPhoneVerification(customerId: string, options?: CallOptions): Promise<undefined>;
  /** Confirm the customer's phone number with a code: `POST /customers/{customerId}/verify-phone/confirm`. */
  confirmCustomerPhoneVerification(customerId: string, body: Api.ContactVerificationConfirmRequest, options?: CallOptions): Promise<Api.Customer>;
  /** Upload a document: `POST /documents`. */
  uploadDocument(body: Api.DocumentUploadRequest, options?: CallOptions): Promise<Api.Document>;
  /** List documents: `GET /documents`. */
  listDocuments(query?: Api.ListDocumentsQuery, options?: CallOptions): List<Api.DocumentListResponse>;
  /** Read a document’s details: `GET /documents/{documentId}`. */
  getDocument(documentId: string, options?: CallOptions): Promise<Api.Document>;
  /** Replace a document: `PUT /documents/{documentId}`. */
  replaceDocument(documentId: string, body: Api.DocumentReplaceRequest, options?: CallOptions): Promise<Api.Document>;
  /** Delete a document: `DELETE /documents/{documentId}`. */
  deleteDocument(documentId: string, options?: CallOptions): Promise<undefined>;
  /** Add an owner to a business: `POST /beneficial-owners`. */
  createBeneficialOwner(body: Api.BeneficialOwnerCreateRequest, options?: CallOptions): Promise<Api.BeneficialOwner>;
  /** List the owners of a business: `GET /beneficial-owners`. */
  listBeneficialOwners(query: Api.ListBeneficialOwnersQuery, options?: CallOptions): List<Api.BeneficialOwnerListResponse>;
  /** Read an owner: `GET /beneficial-owners/{beneficialOwnerId}`. */
  getBeneficialOwner(beneficialOwnerId: string, options?: CallOptions): Promise<Api.BeneficialOwner>;
  /** Change an owner: `PATCH /beneficial-owners/{beneficialOwnerId}`. */
  updateBeneficialOwner(beneficialOwnerId: string, body: Api.BeneficialOwnerUpdateRequest, options?: CallOptions): Promise<Api.BeneficialOwner>;
  /** Submit a customer for verification: `POST /verifications`. */
  createVerification(body: Api.VerificationRequest, options?: CallOptions): Promise<Api.Verification>;
  /** List submissions: `GET /verifications`. */
  listVerifications(query?: Api.ListVerificationsQuery, options?: CallOptions): List<Api.VerificationListResponse>;
  /** Read a submission: `GET /verifications/{verificationId}`. */
  getVerification(verificationId: string, options?: CallOptions): Promise<Api.Verification>;
  /** Create a link to the onboarding page: `POST /customers/{customerId}/kyc-link`. */
  createCustomerKycLink(customerId: string, body?: Api.KycLinkCreateRequest, options?: CallOptions): Promise<Api.KycLinkResponse>;
  /** Authorize a quote that waits for its customer: `POST /quotes/{quoteId}/authorize`. */
  authorizeQuote(quoteId: string, body: Api.ScaAuthorization, options?: CallOptions): Promise<Api.Quote>;
  /** Send the code of a quote again: `POST /quotes/{quoteId}/authorize/resend`. */
  resendQuoteScaCode(quoteId: string, options?: CallOptions): Promise<undefined>;
  /** Cancel a quote that waits for its customer: `POST /quotes/{quoteId}/authorize/cancel`. */
  cancelQuoteAuthorization(quoteId: string, options?: CallOptions): Promise<Api.Quote>;
  /** Change the factor of a quote that waits for its customer: `POST /quotes/{quoteId}/authorize/factor`. */
  changeQuoteScaFactor(quoteId: string, body: Api.QuoteScaFactorRequest, options?: CallOptions): Promise<Api.Quote>;
  /** List the factors of a customer: `GET /sca/factors`. */
  listScaFactors(query: Api.ListScaFactorsQuery, options?: CallOptions): Promise<Api.ScaFactorList>;
  /** Start the enrolment of a factor: `POST /sca/factors`. */
  startScaFactorEnrollment(body: Api.StartScaFactorEnrollmentQuery & Api.ScaFactorEnrollRequestOneOf, options?: CallOptions): Promise<Api.ScaFactorEnrollStartOneOf>;
  /** Confirm a factor: `POST /sca/factors/confirm`. */
  confirmScaFactorEnrollment(body: Api.ConfirmScaFactorEnrollmentQuery & Api.ScaFactorConfirmRequestOneOf, options?: CallOptions): Promise<Api.ScaFactorConfirmResponseOneOf>;
  /** Delete a passkey: `DELETE /sca/factors/{credentialId}`. */
  deleteScaFactor(credentialId: string, query: Api.DeleteScaFactorQuery, options?: CallOptions): Promise<undefined>;
  /** Start the login of a customer: `POST /sca/login/start`. */
  startScaLogin(body: Api.StartScaLoginQuery & Api.ScaLoginStartRequest, options?: CallOptions): Promise<Api.ScaLoginStart>;
  /** Log a customer in: `POST /sca/login/complete`. */
  completeScaLogin(body: Api.CompleteScaLoginQuery & Api.ScaLoginCompleteRequest, options?: CallOptions): Promise<Api.ScaLoginComplete>;
  /** Record an event of your own login: `POST /sca/record-event`. */
  recordSecurityEvent(body: Api.RecordSecurityEventQuery & Api.RecordSecurityEventRequest, options?: CallOptions): Promise<Api.RecordSecurityEventResponse>;
  /** Start the reset of a lost factor: `POST /sca/factors/reset`. */
  startTwoFactorReset(body: Api.StartTwoFactorResetQuery & Api.TwoFactorResetStartRequest, options?: CallOptions): Promise<Api.TwoFactorResetStart>;
  /** Get the status of a reset: `GET /sca/factors/reset/{resetId}`. */
  getTwoFactorResetStatus(resetId: string, query: Api.GetTwoFactorResetStatusQuery, options?: CallOptions): Promise<Api.TwoFactorResetStatus>;
  /** Complete a reset: `POST /sca/factors/reset/{resetId}/complete`. */
  completeTwoFactorReset(resetId: string, body: Api.CompleteTwoFactorResetQuery & Api.TwoFactorResetCompleteRequest, options?: CallOptions): Promise<undefined>;
  /** Ask a customer to confirm trust in an external account: `POST /customers/external-accounts/{externalAccountId}/trust`. */
  startBeneficiaryTrust(externalAccountId: string, options?: CallOptions): Promise<Api.BeneficiaryTrustStart>;
  /** Confirm trust in an external account: `POST /customers/external-accounts/{externalAccountId}/trust/confirm`. */
  confirmBeneficiaryTrust(externalAccountId: string, body: Api.BeneficiaryTrustConfirmRequest, options?: CallOptions): Promise<Api.BeneficiaryTrustConfirm>;
  /** Ask a customer to confirm the end of trust in an external account: `POST /customers/external-accounts/{externalAccountId}/untrust`. */
  startBeneficiaryUntrust(externalAccountId: string, options?: CallOptions): Promise<Api.BeneficiaryTrustStart>;
  /** Confirm the end of trust in an external account: `POST /customers/external-accounts/{externalAccountId}/untrust/confirm`. */
  confirmBeneficiaryUntrust(externalAccountId: string, body: Api.BeneficiaryTrustConfirmRequest, options?: CallOptions): Promise<Api.BeneficiaryTrustConfirm>;
  /** Invite a person to UMA: `POST /invitations`. */
  createInvitation(body: Api.UmaInvitationCreateRequest, options?: CallOptions): Promise<Api.UmaInvitation>;
  /** List invitations: `GET /invitations`. */
  listInvitations(query?: Api.ListInvitationsQuery, options?: CallOptions): List<Api.UmaInvitationListResponse>;
  /** Read an invitation: `GET /invitations/{invitationCode}`. */
  getInvitation(invitationCode: string, options?: CallOptions): Promise<Api.UmaInvitation>;
  /** Claim an invitation: `POST /invitations/{invitationCode}/claim`. */
  claimInvitation(invitationCode: string, body: Api.UmaInvitationClaimRequest, options?: CallOptions): Promise<Api.UmaInvitation>;
  /** Cancel an invitation: `POST /invitations/{invitationCode}/cancel`. */
  cancelInvitation(invitationCode: string, options?: CallOptions): Promise<Api.UmaInvitation>;
  /** Read the statement of an account: `GET /account-statements`. */
  getAccountStatement(query: Api.GetAccountStatementQuery, options?: CallOptions): List<Api.AccountStatement>;
  /** List the customers’ accounts: `GET /customers/internal-accounts`. */
  listCustomerInternalAccounts(query?: Api.ListCustomerInternalAccountsQuery, options?: CallOptions): List<Api.InternalAccountListResponse>;
  /** List the customers’ accounts, under a shorter path: `GET /internal-accounts`. */
  listInternalAccounts(query?: Api.ListInternalAccountsQuery, options?: CallOptions): List<Api.InternalAccountListResponse>;
  /** List the platform’s own accounts: `GET /platform/internal-accounts`. */
  listPlatformInternalAccounts(query?: Api.ListPlatformInternalAccountsQuery, options?: CallOptions): List<Api.PlatformInternalAccountListResponse>;
  /** Read an account: `GET /internal-accounts/{id}`. */
  getInternalAccountById(id: string, options?: CallOptions): Promise<Api.InternalAccount>;
  /** Change the privacy of a wallet: `PATCH /internal-accounts/{id}`. */
  updateInternalAccount(id: string, body: Api.InternalAccountUpdateRequest, options?: CallOptions): Promise<Api.InternalAccount | Api.SignedRequestChallenge>;
  /** List the entries of an account: `GET /internal-accounts/{id}/entries`. */
  listInternalAccountEntries(id: string, query?: Api.ListInternalAccountEntriesQuery, options?: CallOptions): List<Api.InternalAccountEntryListResponse>;
  /** Export a wallet: `POST /internal-accounts/{id}/export`. */
  exportInternalAccount(id: string, body: Api.InternalAccountExportRequest, options?: CallOptions): Promise<Api.InternalAccountExportResponse | Api.SignedRequestChallenge>;
  /** List the customers’ external accounts: `GET /customers/external-accounts`. */
  listCustomerExternalAccounts(query?: Api.ListCustomerExternalAccountsQuery, options?: CallOptions): List<Api.ExternalAccountListResponse>;
  /** Add an external account for a customer: `POST /customers/external-accounts`. */
  createCustomerExternalAccount(body: Api.ExternalAccountCreateRequest, options?: CallOptions): Promise<Api.ExternalAccount>;
  /** Read an external account: `GET /customers/external-accounts/{externalAccountId}`. */
  getCustomerExternalAccountById(externalAccountId: string, options?: CallOptions): Promise<Api.ExternalAccount>;
  /** Delete an external account: `DELETE /customers/external-accounts/{externalAccountId}`. */
  deleteCustomerExternalAccountById(externalAccountId: string, options?: CallOptions): Promise<undefined>;
  /** Create an ownership challenge for the wallet of an external account: `POST /customers/external-accounts/{externalAccountId}/challenge`. */
  createExternalAccountOwnershipChallenge(externalAccountId: string, body: Api.OwnershipChallengeRequest, options?: CallOptions): Promise<Api.OwnershipChallenge>;
  /** Prove ownership of the wallet of an external account with a signature: `POST /customers/external-accounts/{externalAccountId}/verify`. */
  verifyExternalAccountOwnership(externalAccountId: string, body: Api.OwnershipVerifyRequest, options?: CallOptions): Promise<Api.ExternalAccount>;
  /** List the platform’s own external accounts: `GET /platform/external-accounts`. */
  listPlatformExternalAccounts(query?: Api.ListPlatformExternalAccountsQuery, options?: CallOptions): List<Api.ExternalAccountListResponse>;
  /** Add an external account for the platform itself: `POST /platform/external-accounts`. */
  createPlatformExternalAccount(body: Api.PlatformExternalAccountCreateRequest, options?: CallOptions): Promise<Api.ExternalAccount>;
  /** Read an external account of the platform: `GET /platform/external-accounts/{externalAccountId}`. */
  getPlatformExternalAccountById(externalAccountId: string, options?: CallOptions): Promise<Api.ExternalAccount>;
  /** Delete an external account of the platform: `DELETE /platform/external-accounts/{externalAccountId}`. */
  deletePlatformExternalAccountById(externalAccountId: string, options?: CallOptions): Promise<undefined>;
  /** Create an ownership challenge for the wallet of an external account of the platform: `POST /platform/external-accounts/{externalAccountId}/challenge`. */
  createPlatformExternalAccountOwnershipChallenge(externalAccountId: string, body: Api.OwnershipChallengeRequest, options?: CallOptions): Promise<Api.OwnershipChallenge>;
  /** Prove ownership of the wallet of an external account of the platform with a signature: `POST /platform/external-accounts/{externalAccountId}/verify`. */
  verifyPlatformExternalAccountOwnership(externalAccountId: string, body: Api.OwnershipVerifyRequest, options?: CallOptions): Promise<Api.ExternalAccount>;
  /** Let a card spend from a wallet: `POST /auth/delegated-keys`. */
  createDelegatedKey(body: Api.DelegatedKeyCreateRequest, options?: CallOptions): Promise<Api.DelegatedKey | Api.DelegatedKeySignedRequestChallenge>;
  /** List delegated keys: `GET /auth/delegated-keys`. */
  listDelegatedKeys(query?: Api.ListDelegatedKeysQuery, options?: CallOptions): List<Api.DelegatedKeyListResponse>;
  /** Get a delegated key: `GET /auth/delegated-keys/{id}`. */
  getDelegatedKeyById(id: string, options?: CallOptions): Promise<Api.DelegatedKey>;
  /** Revoke a delegated key: `DELETE /auth/delegated-keys/{id}`. */
  revokeDelegatedKey(id: string, options?: CallOptions): Promise<undefined>;
  /** Add a credential to a wallet: `POST /auth/credentials`. */
  createAuthCredential(body: Api.AuthCredentialCreateRequestOneOf, options?: CallOptions): Promise<Api.AuthMethodResponse | Api.AuthSignedRequestChallenge>;
  /** List the credentials of a wallet: `GET /auth/credentials`. */
  listAuthCredentials(query: Api.ListAuthCredentialsQuery, options?: CallOptions): List<Api.AuthCredentialListResponse>;
  /** Revoke a credential: `DELETE /auth/credentials/{id}`. */
  revokeAuthCredential(id: string, options?: CallOptions): Promise<Api.AuthSignedRequestChallenge | undefined>;
  /** Request a challenge: `POST /auth/credentials/{id}/challenge`. */
  challengeAuthCredential(id: string, body?: Api.AuthCredentialChallengeRequest, options?: CallOptions): Promise<Api.AuthCredentialResponseOneOf>;
  /** Verify a credential: `POST /auth/credentials/{id}/verify`. */
  verifyAuthCredential(id: string, body: Api.AuthCredentialVerifyRequestOneOf, options?: CallOptions): Promise<Api.AuthSession | Api.AuthSignedRequestChallenge>;
  /** List the active sessions of a wallet: `GET /auth/sessions`. */
  listAuthSessions(query: Api.ListAuthSessionsQuery, options?: CallOptions): List<Api.SessionListResponse>;
  /** End a session: `DELETE /auth/sessions/{id}`. */
  revokeAuthSession(id: string, options?: CallOptions): Promise<Api.AuthSignedRequestChallenge | undefined>;
  /** Refresh a session: `POST /auth/sessions/{id}/refresh`. */
  refreshAuthSession(id: string, body: Api.AuthSessionRefreshRequest, options?: CallOptions): Promise<Api.AuthSession | Api.SignedRequestChallenge>;
  /** Create a quote: `POST /quotes`. */
  createQuote(body: Api.QuoteRequest, options?: CallOptions): Promise<Api.Quote>;
  /** Get a quote: `GET /quotes/{quoteId}`. */
  getQuoteById(quoteId: string, options?: CallOptions): Promise<Api.Quote>;
  /** Execute a quote: `POST /quotes/{quoteId}/execute`. */
  executeQuote(quoteId: string, body?: Api.ExecuteQuoteRequest, options?: CallOptions): Promise<Api.Quote>;
  /** Estimate the fee of a crypto withdrawal: `POST /crypto/estimate-withdrawal-fee`. */
  estimateCryptoWithdrawalFee(body: Api.EstimateCryptoWithdrawalFeeRequest, options?: CallOptions): Promise<Api.EstimateCryptoWithdrawalFeeResponse>;
  /** Look up a receiver by UMA address: `GET /receiver/uma/{receiverUmaAddress}`. */
  lookupUma(receiverUmaAddress: string, query?: Api.LookupUmaQuery, options?: CallOptions): Promise<Api.ReceiverUmaLookupResponse>;
  /** Look up a receiver by external account: `GET /receiver/external-account/{accountId}`. */
  lookupExternalAccount(accountId: string, query?: Api.LookupExternalAccountQuery, options?: CallOptions): Promise<Api.ReceiverExternalAccountLookupResponse>;
  /** Pull money from a bank account: `POST /transfer-in`.
   * @deprecated */
  createTransferIn(body: Api.TransferInRequest, options?: CallOptions): Promise<Api.TransactionOneOf>;
  /** Pay from an internal account: `POST /transfer-out`.
   * @deprecated */
  createTransferOut(body: Api.TransferOutRequest, options?: CallOptions): Promise<Api.TransactionOneOf>;
  /** Explain a transaction: `GET /transactions/{transactionId}/explanation`. */
  explainTransaction(transactionId: string, options?: CallOptions): Promise<Api.TransactionExplanation>;
  /** List transactions: `GET /transactions`. */
  listTransactions(query?: Api.ListTransactionsQuery, options?: CallOptions): List<Api.TransactionListResponse>;
  /** Get a transaction: `GET /transactions/{transactionId}`. */
  getTransactionById(transactionId: string, options?: CallOptions): Promise<Api.TransactionOneOf>;
  /** Confirm that a receipt was delivered: `POST /transactions/{transactionId}/confirm`. */
  confirmReceiptDelivery(transactionId: string, body?: Api.ConfirmReceiptDeliveryRequest, options?: CallOptions): Promise<Api.TransactionOneOf>;
  /** Approve a pending payment: `POST /transactions/{transactionId}/approve`. */
  approvePendingPayment(transactionId: string, body?: Api.ApprovePaymentRequest, options?: CallOptions): Promise<Api.ApprovePendingPaymentReply>;
  /** Reject a pending payment: `POST /transactions/{transactionId}/reject`. */
  rejectPendingPayment(transactionId: string, body?: Api.RejectPaymentRequest, options?: CallOptions): Promise<Api.RejectPendingPaymentReply>;
  /** Cancel a transaction: `POST /transactions/{transactionId}/cancel`. */
  cancelTransaction(transactionId: string, body?: Api.CancelTransactionRequest, options?: CallOptions): Promise<Api.TransactionOneOf>;
  /** Issue a card: `POST /cards`. */
  createCard(body: Api.CardCreateRequest, options?: CallOptions): Promise<Api.Card>;
  /** List cards: `GET /cards`. */
  listCards(query?: Api.ListCardsQuery, options?: CallOptions): List<Api.CardListResponse>;
  /** Get a card: `GET /cards/{id}`. */
  getCardById(id: string, options?: CallOptions): Promise<Api.Card>;
  /** Freeze, unfreeze or close a card, or change its limits and its funding source: `PATCH /cards/{id}`. */
  updateCardById(id: string, body: Api.CardUpdateRequest, options?: CallOptions): Promise<Api.Card>;
  /** Show the number of a card: `POST /cards/{id}/reveal`. */
  revealCard(id: string, options?: CallOptions): Promise<Api.CardRevealResponse>;
  /** Register a stablecoin: `POST /stablecoins`. */
  registerStablecoin(body: Api.StablecoinRegisterRequest, options?: CallOptions): Promise<Api.Stablecoin>;
  /** List stablecoins: `GET /stablecoins`. */
  listStablecoins(query?: Api.ListStablecoinsQuery, options?: CallOptions): List<Api.StablecoinListResponse>;
  /** Get a stablecoin: `GET /stablecoins/{stablecoinId}`. */
  getStablecoin(stablecoinId: string, options?: CallOptions): Promise<Api.Stablecoin>;
  /** Request that a stablecoin be enabled for internal accounts: `POST /stablecoins/{stablecoinId}/request-svc-enablement`. */
  requestStablecoinEnablement(stablecoinId: string, options?: CallOptions): Promise<Api.Stablecoin>;
  /** Link a provider account: `POST /stablecoin-provider-accounts`. */
  linkStablecoinProviderAccount(body: Api.StablecoinProviderAccountLinkRequest, options?: CallOptions): Promise<Api.StablecoinProviderAccount>;
  /** List provider accounts: `GET /stablecoin-provider-accounts`. */
  listStablecoinProviderAccounts(query?: Api.ListStablecoinProviderAccountsQuery, options?: CallOptions): List<Api.StablecoinProviderAccountListResponse>;
  /** Get a provider account: `GET /stablecoin-provider-accounts/{stablecoinProviderAccountId}`. */
  getStablecoinProviderAccount(stablecoinProviderAccountId: string, options?: CallOptions): Promise<Api.StablecoinProviderAccount>;
  /** Mint coins: `POST /stablecoins/{stablecoinId}/mints`. */
  createStablecoinMint(stablecoinId: string, body: Api.StablecoinMintRequest, options?: CallOptions): Promise<Api.StablecoinOperation>;
  /** Burn coins: `POST /stablecoins/{stablecoinId}/burns`. */
  createStablecoinBurn(stablecoinId: string, body: Api.StablecoinBurnRequest, options?: CallOptions): Promise<Api.StablecoinOperation>;
  /** List mints and burns of a coin: `GET /stablecoins/{stablecoinId}/operations`. */
  listStablecoinOperations(stablecoinId: string, query?: Api.ListStablecoinOperationsQuery, options?: CallOptions): List<Api.StablecoinOperationListResponse>;
  /** Get a mint or burn: `GET /stablecoin-operations/{stablecoinOperationId}`. */
  getStablecoinOperation(stablecoinOperationId: string, options?: CallOptions): Promise<Api.StablecoinOperation>;
  /** Get the supply of a coin: `GET /stablecoins/{stablecoinId}/supply`. */
  getStablecoinSupply(stablecoinId: string, options?: CallOptions): Promise<Api.StablecoinSupply>;
  /** Create an agent: `POST /agents`. */
  createAgent(body: Api.AgentCreateRequest, options?: CallOptions): Promise<Api.AgentCreateResponse>;
  /** List agents: `GET /agents`. */
  listAgents(query?: Api.ListAgentsQuery, options?: CallOptions): List<Api.AgentListResponse>;
  /** Get an agent: `GET /agents/{agentId}`. */
  getAgentById(agentId: string, options?: CallOptions): Promise<Api.Agent>;
  /** Rename, pause or resume an agent: `PATCH /agents/{agentId}`. */
  updateAgent(agentId: string, body: Api.AgentUpdateRequest, options?: CallOptions): Promise<Api.Agent>;
  /** Delete an agent: `DELETE /agents/{agentId}`. */
  deleteAgent(agentId: string, options?: CallOptions): Promise<undefined>;
  /** Change the policy of an agent: `PATCH /agents/{agentId}/policy`. */
  updateAgentPolicy(agentId: string, body: Api.AgentPolicyUpdateRequest, options?: CallOptions): Promise<Api.Agent>;
  /** Create a new device code: `POST /agents/{agentId}/device-codes`. */
  regenerateAgentDeviceCode(agentId: string, options?: CallOptions): Promise<Api.AgentDeviceCode>;
  /** Get the status of a device code: `GET /agents/device-codes/{code}/status`. */
  getAgentDeviceCodeStatus(code: string, options?: CallOptions): Promise<Api.AgentDeviceCodeStatusResponse>;
  /** Redeem a device code for the agent’s token: `POST /agents/device-codes/{code}/redeem`. */
  redeemAgentDeviceCode(code: string, options?: CallOptions): Promise<Api.AgentDeviceCodeRedeemResponse>;
  /** List actions that wait for approval: `GET /agents/approvals`. */
  listAgentApprovals(query?: Api.ListAgentApprovalsQuery, options?: CallOptions): List<Api.AgentActionListResponse>;
  /** Approve an action of an agent: `POST /agents/{agentId}/actions/{actionId}/approve`. */
  approveAgentAction(agentId: string, actionId: string, options?: CallOptions): Promise<Api.AgentAction>;
  /** Reject an action of an agent: `POST /agents/{agentId}/actions/{actionId}/reject`. */
  rejectAgentAction(agentId: string, actionId: string, body?: Api.AgentActionRejectRequest, options?: CallOptions): Promise<Api.AgentAction>;
  /** List the actions of an agent: `GET /agents/{agentId}/actions`. */
  listAgentActions(agentId: string, query?: Api.ListAgentActionsQuery, options?: CallOptions): List<Api.AgentActionListResponse>;
  /** Get the calling agent: `GET /agents/me`. */
  getAgentMe(options?: CallOptions): Promise<Api.Agent>;
  /** List the transactions of the agent’s customer: `GET /agents/me/transactions`. */
  agentListTransactions(query?: Api.AgentListTransactionsQuery, options?: CallOptions): List<Api.TransactionListResponse>;
  /** Get a transaction of the agent’s customer: `GET /agents/me/transactions/{transactionId}`. */
  agentGetTransaction(transactionId: string, options?: CallOptions): Promise<Api.TransactionOneOf>;
  /** Create a quote for the agent’s customer: `POST /agents/me/quotes`. */
  agentCreateQuote(body: Api.QuoteRequest, options?: CallOptions): Promise<Api.Quote>;
  /** Get the agent’s quote: `GET /agents/me/quotes/{quoteId}`. */
  agentGetQuote(quoteId: string, options?: CallOptions): Promise<Api.Quote>;
  /** List the accounts that the agent may use: `GET /agents/me/internal-accounts`. */
  agentListInternalAccounts(query?: Api.AgentListInternalAccountsQuery, options?: CallOptions): List<Api.InternalAccountListResponse>;
  /** Add an external account for the agent’s customer: `POST /agents/me/external-accounts`. */
  agentCreateExternalAccount(body: Api.ExternalAccountCreateRequest, options?: CallOptions): Promise<Api.ExternalAccount>;
  /** List the external accounts of the agent’s customer: `GET /agents/me/external-accounts`. */
  agentListExternalAccounts(query?: Api.AgentListExternalAccountsQuery, options?: CallOptions): List<Api.ExternalAccountListResponse>;
  /** Read an external account of the agent’s customer: `GET /agents/me/external-accounts/{externalAccountId}`. */
  agentGetExternalAccount(externalAccountId: string, options?: CallOptions): Promise<Api.ExternalAccount>;
  /** Delete an external account of the agent’s customer: `DELETE /agents/me/external-accounts/{externalAccountId}`. */
  agentDeleteExternalAccount(externalAccountId: string, options?: CallOptions): Promise<undefined>;
  /** Execute the agent’s quote: `POST /agents/me/quotes/{quoteId}/execute`. */
  agentExecuteQuote(quoteId: string, options?: CallOptions): Promise<Api.AgentAction>;
  /** List the agent’s actions: `GET /agents/me/actions`. */
  agentListActions(query?: Api.AgentListActionsQuery, options?: CallOptions): List<Api.AgentActionListResponse>;
  /** Get an action of the agent: `GET /agents/me/actions/{actionId}`. */
  agentGetAction(actionId: string, options?: CallOptions): Promise<Api.AgentAction>;
  /** Pull money from a bank account of the agent’s customer: `POST /agents/me/transfer-in`. */
  agentCreateTransferIn(body: Api.TransferInRequest, options?: CallOptions): Promise<Api.AgentAction>;
  /** Pay from an account of the agent’s customer: `POST /agents/me/transfer-out`. */
  agentCreateTransferOut(body: Api.TransferOutRequest, options?: CallOptions): Promise<Api.AgentAction>;
  /** Send a test webhook: `POST /webhooks/test`. */
  sendWebhookTest(options?: CallOptions): Promise<Api.TestWebhookResponse>;
  /** List the keys of webhooks: `GET /webhooks/keys`. */
  listWebhookKeys(options?: CallOptions): List<Api.WebhookKeyListResponse>;
  /** Replace the key of webhooks: `POST /webhooks/keys/rotate`. */
  rotateWebhookKey(body?: Api.RotateWebhookKeyRequest, options?: CallOptions): List<Api.WebhookKeyListResponse>;
  /** List events: `GET /events`. */
  listEvents(query?: Api.ListEventsQuery, options?: CallOptions): List<Api.EventListResponse>;
  /** List the attempts to deliver an event: `GET /events/{eventId}/attempts`. */
  listEventAttempts(eventId: string, query?: Api.ListEventAttemptsQuery, options?: CallOptions): List<Api.EventAttemptListResponse>;
  /** Read an event: `GET /events/{eventId}`. */
  getEventById(eventId: string, options?: CallOptions): Promise<Api.EventDetail>;
  /** Send an event again: `POST /events/{eventId}/resend`. */
  resendEvent(eventId: string, options?: CallOptions): Promise<Api.ResentEvent>;
  /** Send failed events again: `POST /events/resend`. */
  resendFailedEvents(body: Api.ResendFailedEventsRequest, options?: CallOptions): Promise<Api.ResendFailedEventsResponse>;
  /** Listen to events: `GET /events/feed`. */
  listenToEvents(query?: Api.ListenToEventsQuery, options?: CallOptions): Promise<Api.EventFeed>;
  /** Answer a question as a listener: `POST /events/{eventId}/answer`. */
  answerEvent(eventId: string, body: Api.EventAnswer, options?: CallOptions): Promise<Api.EventSummary>;
  /** List the requests of the platform: `GET /request-logs`. */
  listRequestLogs(query?: Api.ListRequestLogsQuery, options?: CallOptions): List<Api.RequestLogListResponse>;
  /** Get one request: `GET /request-logs/{requestLogId}`. */
  getRequestLogById(requestLogId: string, options?: CallOptions): Promise<Api.RequestLog>;
  /** Find a resource: `GET /search`. */
  search(query: Api.SearchQuery, options?: CallOptions): List<Api.SearchResponse>;
  /** Send a test webhook: `POST /sandbox/webhooks/test`. */
  sendTestWebhook(options?: CallOptions): Promise<Api.TestWebhookResponse>;
  /** Read the clock: `GET /sandbox/clock`. */
  getSandboxClock(options?: CallOptions): Promise<Api.SandboxClock>;
  /** List what is due next: `GET /sandbox/clock/due`. */
  listSandboxClockDue(query?: Api.ListSandboxClockDueQuery, options?: CallOptions): List<Api.SandboxClockDueListResponse>;
  /** Move the clock ahead: `POST /sandbox/clock/advance`. */
  advanceSandboxClock(body: Api.SandboxClockAdvanceRequest, options?: CallOptions): Promise<Api.SandboxClockAdvanceReply>;
  /** Read the inbox: `GET /sandbox/messages`. */
  listSandboxMessages(query?: Api.ListSandboxMessagesQuery, options?: CallOptions): List<Api.SandboxMessageListResponse>;
  /** Fund an internal account: `POST /sandbox/internal-accounts/{accountId}/fund`. */
  sandboxFundInternalAccount(accountId: string, body: Api.SandboxFundRequest, options?: CallOptions): Promise<Api.InternalAccount>;
  /** Pay a quote: `POST /sandbox/send`. */
  sandboxSend(body: Api.SandboxSendRequest, options?: CallOptions): Promise<Api.TransactionOneOf>;
  /** Receive a UMA payment: `POST /sandbox/uma/receive`. */
  sandboxReceive(body: Api.SandboxUmaReceiveRequest, options?: CallOptions): Promise<Api.SandboxReceiveReply>;
  /** Buy something with a card: `POST /sandbox/cards/{id}/simulate/authorization`. */
  sandboxSimulateCardAuthorization(id: string, body: Api.SandboxCardAuthorizationRequest, options?: CallOptions): Promise<Api.SandboxCardSimulationResponse>;
  /** Clear a purchase: `POST /sandbox/cards/{id}/simulate/clearing`. */
  sandboxSimulateCardClearing(id: string, body: Api.SandboxCardClearingRequest, options?: CallOptions): Promise<Api.SandboxCardSimulationResponse>;
  /** Return a purchase: `POST /sandbox/cards/{id}/simulate/return`. */
  sandboxSimulateCardReturn(id: string, body: Api.SandboxCardReturnRequest, options?: CallOptions): Promise<Api.SandboxCardSimulationResponse>;
  /** Ask whether a card works: `POST /sandbox/cards/{id}/simulate/balance_inquiry`. */
  sandboxSimulateCardBalanceInquiry(id: string, body: Api.SandboxCardBalanceInquiryRequest, options?: CallOptions): Promise<Api.SandboxCardSimulationResponse>;
  /** Announce a credit: `POST /sandbox/cards/{id}/simulate/credit_authorization`. */
  sandboxSimulateCardCreditAuthorization(id: string, body: Api.SandboxCardAuthorizationRequest, options?: CallOptions): Promise<Api.SandboxCardSimulationResponse>;
  /** Pay with a card in one message: `POST /sandbox/cards/{id}/simulate/financial_authorization`. */
  sandboxSimulateCardFinancialAuthorization(id: string, body: Api.SandboxCardAuthorizationRequest, options?: CallOptions): Promise<Api.SandboxCardSimulationResponse>;
  /** Credit a card in one message: `POST /sandbox/cards/{id}/simulate/financial_credit_authorization`. */
  sandboxSimulateCardFinancialCreditAuthorization(id: string, body: Api.SandboxCardAuthorizationRequest, options?: CallOptions): Promise<Api.SandboxCardSimulationResponse>;
  /** Change the authorized amount: `POST /sandbox/cards/{id}/simulate/authorization_advice`. */
  sandboxSimulateCardAuthorizationAdvice(id: string, body: Api.SandboxCardAuthorizationAdviceRequest, options?: CallOptions): Promise<Api.SandboxCardSimulationResponse>;
  /** Announce a credit that was decided elsewhere: `POST /sandbox/cards/{id}/simulate/credit_authorization_advice`. */
  sandboxSimulateCardCreditAuthorizationAdvice(id: string, body: Api.SandboxCardAuthorizationRequest, options?: CallOptions): Promise<Api.SandboxCardSimulationResponse>;
  /** Reverse a return: `POST /sandbox/cards/{id}/simulate/return_reversal`. */
  sandboxSimulateCardReturnReversal(id: string, body: Api.SandboxCardTransactionRefRequest, options?: CallOptions): Promise<Api.SandboxCardSimulationResponse>;
  /** Simulate adding a card to a phone: `POST /sandbox/cards/{id}/simulate/tokenization`. */
  sandboxSimulateCardTokenization(id: string, body: Api.SandboxCardTokenizationRequest, options?: CallOptions): Promise<undefined>;
}

/** What a webhook tells. */
export type WebhookEvent =
  | Api.OutgoingPaymentWebhook
  | Api.IncomingPaymentWebhook
  | Api.CardStateChangeWebhook
  | Api.CardFundingSourceChangeWebhook
  | Api.CardTransactionWebhook
  | Api.InternalAccountStatusWebhook
  | Api.ExternalAccountStatusWebhook
  | Api.CustomerWebhook
  | Api.BulkUploadWebhook
  | Api.VerificationWebhook
  | Api.InvitationClaimedWebhook
  | Api.AgentActionWebhook
  | Api.TestWebhookRequest;

export const OPERATIONS: Readonly<Record<keyof Operations, Operation>> = {
  getPlatformConfig: {"method":"GET","path":"/config"},
  updatePlatformConfig: {"method":"PATCH","path":"/config","body":"json"},
  createToken: {"method":"POST","path":"/tokens","body":"json","hasKey":true},
  listTokens: {"method":"GET","path":"/tokens","query":["name","createdAfter","createdBefore","updatedAfter","updatedBefore","limit","cursor"],"isList":true},
  getTokenById: {"method":"GET","path":"/tokens/{tokenId}"},
  deleteTokenById: {"method":"DELETE","path":"/tokens/{tokenId}"},
  createConsoleSession: {"method":"POST","path":"/console-sessions","hasKey":true},
  getDiscoveries: {"method":"GET","path":"/discoveries","query":["country","currency"],"isList":true},
  getExchangeRates: {"method":"GET","path":"/exchange-rates","query":["sourceCurrency","destinationCurrency","sendingAmount"],"isList":true},
  getAvailableUmaProviders: {"method":"GET","path":"/uma-providers","query":["countryCode","currencyCode","hasBlockedProviders","sortOrder","limit","cursor"],"isList":true},
  listVasps: {"method":"GET","path":"/vasps","query":["limit","cursor"],"isList":true},
  createCustomer: {"method":"POST","path":"/customers","body":"json","hasKey":true},
  listCustomers: {"method":"GET","path":"/customers","query":["platformCustomerId","customerType","createdAfter","createdBefore","updatedAfter","updatedBefore","region","currency","email","umaAddress","isIncludingDeleted","limit","cursor"],"isList":true},
  getEndUserTerms: {"method":"GET","path":"/customers/end-user-terms"},
  getCustomerById: {"method":"GET","path":"/customers/{customerId}"},
  updateCustomerById: {"method":"PATCH","path":"/customers/{customerId}","body":"json"},
  deleteCustomerById: {"method":"DELETE","path":"/customers/{customerId}"},
  uploadCustomersCsv: {"method":"POST","path":"/customers/bulk/csv","body":"form","hasKey":true},
  getBulkCustomerImportJob: {"method":"GET","path":"/customers/bulk/jobs/{jobId}"},
  listBulkCustomerImportJobs: {"method":"GET","path":"/customers/bulk/jobs","query":["status","limit","cursor"],"isList":true},
  sendCustomerEmailVerification: {"method":"POST","path":"/customers/{customerId}/verify-email","hasKey":true},
  confirmCustomerEmailVerification: {"method":"POST","path":"/customers/{customerId}/verify-email/confirm","body":"json","hasKey":true},
  sendCustomerPhoneVerification: {"method":"POST","path":"/customers/{customerId}/verify-phone","hasKey":true},
  confirmCustomerPhoneVerification: {"method":"POST","path":"/customers/{customerId}/verify-phone/confirm","body":"json","hasKey":true},
  uploadDocument: {"method":"POST","path":"/documents","body":"form","hasKey":true},
  listDocuments: {"method":"GET","path":"/documents","query":["documentHolder","limit","cursor"],"isList":true},
  getDocument: {"method":"GET","path":"/documents/{documentId}"},
  replaceDocument: {"method":"PUT","path":"/documents/{documentId}","body":"form"},
  deleteDocument: {"method":"DELETE","path":"/documents/{documentId}"},
  createBeneficialOwner: {"method":"POST","path":"/beneficial-owners","body":"json","hasKey":true},
  listBeneficialOwners: {"method":"GET","path":"/beneficial-owners","query":["customerId","limit","cursor"],"isList":true},
  getBeneficialOwner: {"method":"GET","path":"/beneficial-owners/{beneficialOwnerId}"},
  updateBeneficialOwner: {"method":"PATCH","path":"/beneficial-owners/{beneficialOwnerId}","body":"json"},
  createVerification: {"method":"POST","path":"/verifications","body":"json","hasKey":true},
  listVerifications: {"method":"GET","path":"/verifications","query":["customerId","verificationStatus","limit","cursor"],"isList":true},
  getVerification: {"method":"GET","path":"/verifications/{verificationId}"},
  createCustomerKycLink: {"method":"POST","path":"/customers/{customerId}/kyc-link","body":"json","hasKey":true},
  authorizeQuote: {"method":"POST","path":"/quotes/{quoteId}/authorize","body":"json","hasKey":true},
  resendQuoteScaCode: {"method":"POST","path":"/quotes/{quoteId}/authorize/resend","hasKey":true},
  cancelQuoteAuthorization: {"method":"POST","path":"/quotes/{quoteId}/authorize/cancel","hasKey":true},
  changeQuoteScaFactor: {"method":"POST","path":"/quotes/{quoteId}/authorize/factor","body":"json","hasKey":true},
  listScaFactors: {"method":"GET","path":"/sca/factors","query":["customerId"]},
  startScaFactorEnrollment: {"method":"POST","path":"/sca/factors","query":["customerId"],"body":"json"},
  confirmScaFactorEnrollment: {"method":"POST","path":"/sca/factors/confirm","query":["customerId"],"body":"json"},
  deleteScaFactor: {"method":"DELETE","path":"/sca/factors/{credentialId}","query":["customerId"]},
  startScaLogin: {"method":"POST","path":"/sca/login/start","query":["customerId"],"body":"json"},
  completeScaLogin: {"method":"POST","path":"/sca/login/complete","query":["customerId"],"body":"json"},
  recordSecurityEvent: {"method":"POST","path":"/sca/record-event","query":["customerId"],"body":"json"},
  startTwoFactorReset: {"method":"POST","path":"/sca/factors/reset","query":["customerId"],"body":"json"},
  getTwoFactorResetStatus: {"method":"GET","path":"/sca/factors/reset/{resetId}","query":["customerId"]},
  completeTwoFactorReset: {"method":"POST","path":"/sca/factors/reset/{resetId}/complete","query":["customerId"],"body":"json"},
  startBeneficiaryTrust: {"method":"POST","path":"/customers/external-accounts/{externalAccountId}/trust","hasKey":true},
  confirmBeneficiaryTrust: {"method":"POST","path":"/customers/external-accounts/{externalAccountId}/trust/confirm","body":"json","hasKey":true},
  startBeneficiaryUntrust: {"method":"POST","path":"/customers/external-accounts/{externalAccountId}/untrust","hasKey":true},
  confirmBeneficiaryUntrust: {"method":"POST","path":"/customers/external-accounts/{externalAccountId}/untrust/confirm","body":"json","hasKey":true},
  createInvitation: {"method":"POST","path":"/invitations","body":"json","hasKey":true},
  listInvitations: {"method":"GET","path":"/invitations","query":["customerId","status","limit","cursor"],"isList":true},
  getInvitation: {"method":"GET","path":"/invitations/{invitationCode}"},
  claimInvitation: {"method":"POST","path":"/invitations/{invitationCode}/claim","body":"json","hasKey":true},
  cancelInvitation: {"method":"POST","path":"/invitations/{invitationCode}/cancel","hasKey":true},
  getAccountStatement: {"method":"GET","path":"/account-statements","query":["accountId","from","to","zone","format","version","limit","cursor"],"isList":true},
  listCustomerInternalAccounts: {"method":"GET","path":"/customers/internal-accounts","query":["currency","customerId","type","limit","cursor"],"isList":true},
  listInternalAccounts: {"method":"GET","path":"/internal-accounts","query":["currency","customerId","type","limit","cursor"],"isList":true},
  listPlatformInternalAccounts: {"method":"GET","path":"/platform/internal-accounts","query":["currency","type"],"isList":true},
  getInternalAccountById: {"method":"GET","path":"/internal-accounts/{id}"},
  updateInternalAccount: {"method":"PATCH","path":"/internal-accounts/{id}","body":"json"},
  listInternalAccountEntries: {"method":"GET","path":"/internal-accounts/{id}/entries","query":["book","limit","cursor"],"isList":true},
  exportInternalAccount: {"method":"POST","path":"/internal-accounts/{id}/export","body":"json"},
  listCustomerExternalAccounts: {"method":"GET","path":"/customers/external-accounts","query":["currency","customerId","limit","cursor"],"isList":true},
  createCustomerExternalAccount: {"method":"POST","path":"/customers/external-accounts","body":"json","hasKey":true},
  getCustomerExternalAccountById: {"method":"GET","path":"/customers/external-accounts/{externalAccountId}"},
  deleteCustomerExternalAccountById: {"method":"DELETE","path":"/customers/external-accounts/{externalAccountId}"},
  createExternalAccountOwnershipChallenge: {"method":"POST","path":"/customers/external-accounts/{externalAccountId}/challenge","body":"json","hasKey":true},
  verifyExternalAccountOwnership: {"method":"POST","path":"/customers/external-accounts/{externalAccountId}/verify","body":"json","hasKey":true},
  listPlatformExternalAccounts: {"method":"GET","path":"/platform/external-accounts","query":["currency","limit","cursor"],"isList":true},
  createPlatformExternalAccount: {"method":"POST","path":"/platform/external-accounts","body":"json","hasKey":true},
  getPlatformExternalAccountById: {"method":"GET","path":"/platform/external-accounts/{externalAccountId}"},
  deletePlatformExternalAccountById: {"method":"DELETE","path":"/platform/external-accounts/{externalAccountId}"},
  createPlatformExternalAccountOwnershipChallenge: {"method":"POST","path":"/platform/external-accounts/{externalAccountId}/challenge","body":"json","hasKey":true},
  verifyPlatformExternalAccountOwnership: {"method":"POST","path":"/platform/external-accounts/{externalAccountId}/verify","body":"json","hasKey":true},
  createDelegatedKey: {"method":"POST","path":"/auth/delegated-keys","body":"json"},
  listDelegatedKeys: {"method":"GET","path":"/auth/delegated-keys","query":["accountId","fundingSourceId"],"isList":true},
  getDelegatedKeyById: {"method":"GET","path":"/auth/delegated-keys/{id}"},
  revokeDelegatedKey: {"method":"DELETE","path":"/auth/delegated-keys/{id}"},
  createAuthCredential: {"method":"POST","path":"/auth/credentials","body":"json"},
  listAuthCredentials: {"method":"GET","path":"/auth/credentials","query":["accountId"],"isList":true},
  revokeAuthCredential: {"method":"DELETE","path":"/auth/credentials/{id}"},
  challengeAuthCredential: {"method":"POST","path":"/auth/credentials/{id}/challenge","body":"json"},
  verifyAuthCredential: {"method":"POST","path":"/auth/credentials/{id}/verify","body":"json"},
  listAuthSessions: {"method":"GET","path":"/auth/sessions","query":["accountId"],"isList":true},
  revokeAuthSession: {"method":"DELETE","path":"/auth/sessions/{id}"},
  refreshAuthSession: {"method":"POST","path":"/auth/sessions/{id}/refresh","body":"json"},
  createQuote: {"method":"POST","path":"/quotes","body":"json","hasKey":true},
  getQuoteById: {"method":"GET","path":"/quotes/{quoteId}"},
  executeQuote: {"method":"POST","path":"/quotes/{quoteId}/execute","body":"json","hasKey":true},
  estimateCryptoWithdrawalFee: {"method":"POST","path":"/crypto/estimate-withdrawal-fee","body":"json","hasKey":true},
  lookupUma: {"method":"GET","path":"/receiver/uma/{receiverUmaAddress}","query":["senderUmaAddress","customerId"]},
  lookupExternalAccount: {"method":"GET","path":"/receiver/external-account/{accountId}","query":["senderUmaAddress","customerId"]},
  createTransferIn: {"method":"POST","path":"/transfer-in","body":"json","hasKey":true},
  createTransferOut: {"method":"POST","path":"/transfer-out","body":"json","hasKey":true},
  explainTransaction: {"method":"GET","path":"/transactions/{transactionId}/explanation"},
  listTransactions: {"method":"GET","path":"/transactions","query":["customerId","platformCustomerId","accountIdentifier","senderAccountIdentifier","receiverAccountIdentifier","status","type","reference","startDate","endDate","sortOrder","cardId","limit","cursor"],"isList":true},
  getTransactionById: {"method":"GET","path":"/transactions/{transactionId}"},
  confirmReceiptDelivery: {"method":"POST","path":"/transactions/{transactionId}/confirm","body":"json","hasKey":true},
  approvePendingPayment: {"method":"POST","path":"/transactions/{transactionId}/approve","body":"json","hasKey":true},
  rejectPendingPayment: {"method":"POST","path":"/transactions/{transactionId}/reject","body":"json","hasKey":true},
  cancelTransaction: {"method":"POST","path":"/transactions/{transactionId}/cancel","body":"json","hasKey":true},
  createCard: {"method":"POST","path":"/cards","body":"json","hasKey":true},
  listCards: {"method":"GET","path":"/cards","query":["customerId","cardholderId","accountId","platformCardId","status","state","sortOrder","limit","cursor"],"isList":true},
  getCardById: {"method":"GET","path":"/cards/{id}"},
  updateCardById: {"method":"PATCH","path":"/cards/{id}","body":"json"},
  revealCard: {"method":"POST","path":"/cards/{id}/reveal"},
  registerStablecoin: {"method":"POST","path":"/stablecoins","body":"json","hasKey":true},
  listStablecoins: {"method":"GET","path":"/stablecoins","query":["issuanceStatus","svcOperationsStatus","provider","limit","cursor"],"isList":true},
  getStablecoin: {"method":"GET","path":"/stablecoins/{stablecoinId}"},
  requestStablecoinEnablement: {"method":"POST","path":"/stablecoins/{stablecoinId}/request-svc-enablement","hasKey":true},
  linkStablecoinProviderAccount: {"method":"POST","path":"/stablecoin-provider-accounts","body":"json","hasKey":true},
  listStablecoinProviderAccounts: {"method":"GET","path":"/stablecoin-provider-accounts","query":["provider","status","limit","cursor"],"isList":true},
  getStablecoinProviderAccount: {"method":"GET","path":"/stablecoin-provider-accounts/{stablecoinProviderAccountId}"},
  createStablecoinMint: {"method":"POST","path":"/stablecoins/{stablecoinId}/mints","body":"json","hasKey":true},
  createStablecoinBurn: {"method":"POST","path":"/stablecoins/{stablecoinId}/burns","body":"json","hasKey":true},
  listStablecoinOperations: {"method":"GET","path":"/stablecoins/{stablecoinId}/operations","query":["operationType","limit","cursor"],"isList":true},
  getStablecoinOperation: {"method":"GET","path":"/stablecoin-operations/{stablecoinOperationId}"},
  getStablecoinSupply: {"method":"GET","path":"/stablecoins/{stablecoinId}/supply"},
  createAgent: {"method":"POST","path":"/agents","body":"json","hasKey":true},
  listAgents: {"method":"GET","path":"/agents","query":["customerId","isPaused","isConnected","createdAfter","createdBefore","updatedAfter","updatedBefore","limit","cursor"],"isList":true},
  getAgentById: {"method":"GET","path":"/agents/{agentId}"},
  updateAgent: {"method":"PATCH","path":"/agents/{agentId}","body":"json"},
  deleteAgent: {"method":"DELETE","path":"/agents/{agentId}"},
  updateAgentPolicy: {"method":"PATCH","path":"/agents/{agentId}/policy","body":"json"},
  regenerateAgentDeviceCode: {"method":"POST","path":"/agents/{agentId}/device-codes","hasKey":true},
  getAgentDeviceCodeStatus: {"method":"GET","path":"/agents/device-codes/{code}/status"},
  redeemAgentDeviceCode: {"method":"POST","path":"/agents/device-codes/{code}/redeem"},
  listAgentApprovals: {"method":"GET","path":"/agents/approvals","query":["agentId","customerId","startDate","endDate","sortOrder","limit","cursor"],"isList":true},
  approveAgentAction: {"method":"POST","path":"/agents/{agentId}/actions/{actionId}/approve","hasKey":true},
  rejectAgentAction: {"method":"POST","path":"/agents/{agentId}/actions/{actionId}/reject","body":"json","hasKey":true},
  listAgentActions: {"method":"GET","path":"/agents/{agentId}/actions","query":["status","type","startDate","endDate","sortOrder","limit","cursor"],"isList":true},
  getAgentMe: {"method":"GET","path":"/agents/me"},
  agentListTransactions: {"method":"GET","path":"/agents/me/transactions","query":["accountIdentifier","senderAccountIdentifier","receiverAccountIdentifier","status","type","reference","startDate","endDate","sortOrder","cardId","limit","cursor"],"isList":true},
  agentGetTransaction: {"method":"GET","path":"/agents/me/transactions/{transactionId}"},
  agentCreateQuote: {"method":"POST","path":"/agents/me/quotes","body":"json","hasKey":true},
  agentGetQuote: {"method":"GET","path":"/agents/me/quotes/{quoteId}"},
  agentListInternalAccounts: {"method":"GET","path":"/agents/me/internal-accounts","query":["currency","type","limit","cursor"],"isList":true},
  agentCreateExternalAccount: {"method":"POST","path":"/agents/me/external-accounts","body":"json","hasKey":true},
  agentListExternalAccounts: {"method":"GET","path":"/agents/me/external-accounts","query":["currency","limit","cursor"],"isList":true},
  agentGetExternalAccount: {"method":"GET","path":"/agents/me/external-accounts/{externalAccountId}"},
  agentDeleteExternalAccount: {"method":"DELETE","path":"/agents/me/external-accounts/{externalAccountId}"},
  agentExecuteQuote: {"method":"POST","path":"/agents/me/quotes/{quoteId}/execute","hasKey":true},
  agentListActions: {"method":"GET","path":"/agents/me/actions","query":["status","limit","cursor"],"isList":true},
  agentGetAction: {"method":"GET","path":"/agents/me/actions/{actionId}"},
  agentCreateTransferIn: {"method":"POST","path":"/agents/me/transfer-in","body":"json","hasKey":true},
  agentCreateTransferOut: {"method":"POST","path":"/agents/me/transfer-out","body":"json","hasKey":true},
  sendWebhookTest: {"method":"POST","path":"/webhooks/test","hasKey":true},
  listWebhookKeys: {"method":"GET","path":"/webhooks/keys","isList":true},
  rotateWebhookKey: {"method":"POST","path":"/webhooks/keys/rotate","body":"json","hasKey":true,"isList":true},
  listEvents: {"method":"GET","path":"/events","query":["type","state","resourceId","createdAfter","createdBefore","limit","cursor"],"isList":true},
  listEventAttempts: {"method":"GET","path":"/events/{eventId}/attempts","query":["limit","cursor"],"isList":true},
  getEventById: {"method":"GET","path":"/events/{eventId}"},
  resendEvent: {"method":"POST","path":"/events/{eventId}/resend","hasKey":true},
  resendFailedEvents: {"method":"POST","path":"/events/resend","body":"json","hasKey":true},
  listenToEvents: {"method":"GET","path":"/events/feed","query":["cursor","waitSeconds","limit","answersQuestions"]},
  answerEvent: {"method":"POST","path":"/events/{eventId}/answer","body":"json","hasKey":true},
  listRequestLogs: {"method":"GET","path":"/request-logs","query":["statusClass","method","path","code","isExcludingConsoleReads","requestId","createdAfter","createdBefore","after","sortOrder","limit","cursor"],"isList":true},
  getRequestLogById: {"method":"GET","path":"/request-logs/{requestLogId}"},
  search: {"method":"GET","path":"/search","query":["q"],"isList":true},
  sendTestWebhook: {"method":"POST","path":"/sandbox/webhooks/test","hasKey":true},
  getSandboxClock: {"method":"GET","path":"/sandbox/clock"},
  listSandboxClockDue: {"method":"GET","path":"/sandbox/clock/due","query":["limit","cursor"],"isList":true},
  advanceSandboxClock: {"method":"POST","path":"/sandbox/clock/advance","body":"json","hasKey":true},
  listSandboxMessages: {"method":"GET","path":"/sandbox/messages","query":["recipient","limit","cursor"],"isList":true},
  sandboxFundInternalAccount: {"method":"POST","path":"/sandbox/internal-accounts/{accountId}/fund","body":"json","hasKey":true},
  sandboxSend: {"method":"POST","path":"/sandbox/send","body":"json","hasKey":true},
  sandboxReceive: {"method":"POST","path":"/sandbox/uma/receive","body":"json","hasKey":true},
  sandboxSimulateCardAuthorization: {"method":"POST","path":"/sandbox/cards/{id}/simulate/authorization","body":"json","hasKey":true},
  sandboxSimulateCardClearing: {"method":"POST","path":"/sandbox/cards/{id}/simulate/clearing","body":"json","hasKey":true},
  sandboxSimulateCardReturn: {"method":"POST","path":"/sandbox/cards/{id}/simulate/return","body":"json","hasKey":true},
  sandboxSimulateCardBalanceInquiry: {"method":"POST","path":"/sandbox/cards/{id}/simulate/balance_inquiry","body":"json","hasKey":true},
  sandboxSimulateCardCreditAuthorization: {"method":"POST","path":"/sandbox/cards/{id}/simulate/credit_authorization","body":"json","hasKey":true},
  sandboxSimulateCardFinancialAuthorization: {"method":"POST","path":"/sandbox/cards/{id}/simulate/financial_authorization","body":"json","hasKey":true},
  sandboxSimulateCardFinancialCreditAuthorization: {"method":"POST","path":"/sandbox/cards/{id}/simulate/financial_credit_authorization","body":"json","hasKey":true},
  sandboxSimulateCardAuthorizationAdvice: {"method":"POST","path":"/sandbox/cards/{id}/simulate/authorization_advice","body":"json","hasKey":true},
  sandboxSimulateCardCreditAuthorizationAdvice: {"method":"POST","path":"/sandbox/cards/{id}/simulate/credit_authorization_advice","body":"json","hasKey":true},
  sandboxSimulateCardReturnReversal: {"method":"POST","path":"/sandbox/cards/{id}/simulate/return_reversal","body":"json","hasKey":true},
  sandboxSimulateCardTokenization: {"method":"POST","path":"/sandbox/cards/{id}/simulate/tokenization","body":"json","hasKey":true},
};

/** Fields and values that hold the name of the service. */
export const NAMED_TOKENS: readonly string[] = ["svcApiVariableFeeRate","svcApiVariableFeeAmount","svcApiMultiplier","svcApiFixedFee","svcOperationsStatus","SVC_INTERNAL_ACCOUNT","SVC_SWITCH_ERROR","STABLECOIN_SVC_OPERATIONS_NOT_ENABLED","STABLECOIN_SVC_ENABLEMENT_NOT_REQUESTABLE","CLOSED_BY_SVC","SVC-7K2MQ4XA-REFUND"];
