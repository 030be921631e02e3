/** An example that is sent, by its operation and title; or seconds that pass. */
export type Step = readonly [operationId: string, title: string] | { readonly seconds: number };

/**
 * The examples of all operations in an order that makes each work on a fresh platform: what one needs, one before it has
 * made. A new operation's examples are put where they belong in it.
 */
export const STORY: readonly Step[] = [
  // The platform is set up, and hears of everything.
  ['getPlatformConfig', 'A fresh platform'],
  ['updatePlatformConfig', 'Currencies, and where webhooks go'],
  ['sendTestWebhook', 'An endpoint that answers'],
  ['sendWebhookTest', 'An endpoint that answers'],
  ['createToken', 'For a backend'],
  ['listTokens', 'By name'],
  ['getTokenById', 'For a backend'],
  ['deleteTokenById', 'For a backend'],
  ['getDiscoveries', 'Kenya'],
  ['getAvailableUmaProviders', 'Those that take pesos'],
  ['listVasps', 'A first page'],
  ['getExchangeRates', 'Dollars to pesos'],
  ['getSandboxClock', 'A clock that nobody moved'],

  // Ada is onboarded, with everything that a verification asks for.
  ['getEndUserTerms', 'The terms in force'],
  ['createCustomer', 'A person'],
  ['uploadDocument', 'A passport'],
  ['getDocument', 'A passport'],
  ['listDocuments', 'Of a person'],
  ['replaceDocument', 'A newer passport'],
  ['createVerification', 'A person, complete'],
  ['getVerification', 'A person, approved'],
  ['listVerifications', 'Of a person'],
  ['getCustomerById', 'A verified person'],

  // A business begins, and hears what is missing.
  ['createCustomer', 'A business'],
  ['createBeneficialOwner', 'An owner who directs the business'],
  ['getBeneficialOwner', 'An owner'],
  ['listBeneficialOwners', 'Of a business'],
  ['updateBeneficialOwner', 'Another share, and an e-mail address'],
  ['uploadDocument', 'A paper of a business'],
  ['createVerification', 'A business, with papers missing'],
  ['deleteDocument', 'A paper of a business'],
  ['createCustomerKycLink', 'For a business'],

  // Emmy's contacts are verified, and she herself; others come in a file.
  ['createCustomer', 'A person whose contacts have to be verified'],
  ['sendCustomerEmailVerification', 'A code is sent'],
  ['listSandboxMessages', 'A code by e-mail'],
  ['confirmCustomerEmailVerification', 'The right code'],
  ['sendCustomerPhoneVerification', 'A code is sent'],
  ['confirmCustomerPhoneVerification', 'The right code'],
  ['updateCustomerById', 'What is known by now'],
  ['listCustomers', 'Of one region'],
  ['uploadDocument', 'A passport of Germany'],
  ['createVerification', 'A person whose contacts are verified'],
  ['uploadCustomersCsv', 'Two people'],
  ['getBulkCustomerImportJob', 'An import that is done'],

  // Ada's money, and accounts outside.
  ['listCustomerInternalAccounts', 'The dollars of a customer'],
  ['listInternalAccounts', 'The digital dollars of a customer'],
  ['listPlatformInternalAccounts', 'The digital dollars of the platform'],
  ['sandboxFundInternalAccount', 'A thousand dollars'],
  ['estimateCryptoWithdrawalFee', 'Over Solana'],
  ['createCustomerExternalAccount', 'A bank account in the euro area'],
  ['createCustomerExternalAccount', 'The customer’s own US bank account'],
  ['getCustomerExternalAccountById', 'A bank account'],
  ['listCustomerExternalAccounts', 'Those of a customer in euros'],
  ['createCustomerExternalAccount', 'The customer’s own wallet'],
  ['createExternalAccountOwnershipChallenge', 'By a signature'],
  ['verifyExternalAccountOwnership', 'A good signature'],
  ['createCustomerExternalAccount', 'For a customer who authenticates strongly'],
  ['createPlatformExternalAccount', 'The platform’s own wallet'],
  ['getPlatformExternalAccountById', 'A wallet'],
  ['listPlatformExternalAccounts', 'Those for USDC'],
  ['createPlatformExternalAccountOwnershipChallenge', 'By a signature'],
  ['verifyPlatformExternalAccountOwnership', 'A good signature'],

  // Ada's wallet: she logs in with a code, adds other ways and logs in with those; and she exports it.
  ['listInternalAccounts', 'The wallet of a customer'],
  ['listAuthCredentials', 'A wallet that was just made'],
  ['challengeAuthCredential', 'A code by e-mail'],
  ['verifyAuthCredential', 'A code that came by e-mail'],
  ['createAuthCredential', 'Codes to the phone'],
  ['createAuthCredential', 'A passkey'],
  ['challengeAuthCredential', 'A passkey'],
  ['verifyAuthCredential', 'A passkey'],
  ['createAuthCredential', 'An account at Google'],
  ['verifyAuthCredential', 'An account at Google'],
  ['listAuthSessions', 'In all ways'],
  ['refreshAuthSession', 'With the client’s own key'],
  ['revokeAuthSession', 'A passkey’s session'],
  ['revokeAuthCredential', 'A passkey'],
  ['updateInternalAccount', 'A private one'],
  ['exportInternalAccount', 'In the sandbox'],
  ['updateCustomerById', 'An e-mail address that codes of a wallet go to'],

  // The first payment: dollars to euros.
  ['lookupExternalAccount', 'A bank account in the euro area'],
  ['createQuote', 'Dollars to euros'],
  ['getQuoteById', 'Dollars to euros'],
  ['executeQuote', 'Dollars to euros'],
  ['advanceSandboxClock', 'Five seconds'],
  ['getTransactionById', 'Dollars to euros'],
  ['confirmReceiptDelivery', 'A receipt that was handed over'],
  ['listTransactions', 'What a customer sent'],

  // Other ways to pay.
  ['lookupUma', 'A receiver of pesos'],
  ['createQuote', 'A fixed amount in pesos to a UMA address, executed at once'],
  ['createQuote', 'To be paid in over Solana'],
  ['sandboxSend', 'Exactly what the quote asks for'],
  ['createQuote', 'To be paid in by bank transfer'],
  ['sandboxSend', 'Too little'],
  ['sandboxFundInternalAccount', 'A wallet'],
  ['createQuote', 'Out of an embedded wallet'],
  ['executeQuote', 'Out of an embedded wallet'],
  ['createTransferIn', 'From the customer’s own bank account'],
  ['createTransferOut', 'To the customer’s own bank account'],
  ['cancelTransaction', 'A payment over ACH'],

  // Ada has a card, adds it to her phone, freezes it for a while, has her wallet pay for it, and gives it up.
  ['createCard', 'A virtual card'],
  { seconds: 1 },
  ['getCardById', 'A card that the issuer has activated'],
  ['listCards', 'Of a customer'],
  ['revealCard', 'An active card'],
  ['sandboxSimulateCardTokenization', 'A code is asked for'],
  ['sandboxSimulateCardTokenization', 'The right code was typed'],
  ['updateCardById', 'Frozen while it is looked for'],
  ['updateCardById', 'Thawed, with another account and other limits'],
  ['updateCardById', 'Closed for good'],

  // Emmy tries other factors than text messages, and gives them up again.
  ['listScaFactors', 'Text messages alone'],
  ['startScaFactorEnrollment', 'An authenticator app'],
  ['confirmScaFactorEnrollment', 'An authenticator app'],
  ['startScaFactorEnrollment', 'A passkey'],
  ['confirmScaFactorEnrollment', 'A passkey'],
  ['startScaLogin', 'A passkey'],
  ['completeScaLogin', 'A passkey'],
  ['deleteScaFactor', 'A passkey'],
  ['startTwoFactorReset', 'An authenticator app'],
  { seconds: 5 },
  ['getTwoFactorResetStatus', 'A liveness check that has passed'],
  ['completeTwoFactorReset', 'An authenticator app'],
  ['recordSecurityEvent', 'A wrong password'],

  // She logs in by text message; she trusts an account, and then does not.
  ['startScaLogin', 'A code to the phone'],
  ['completeScaLogin', 'The code that came to the phone'],
  ['startBeneficiaryTrust', 'A code to the phone'],
  ['confirmBeneficiaryTrust', 'The code that came to the phone'],
  ['startBeneficiaryUntrust', 'A code to the phone'],
  ['confirmBeneficiaryUntrust', 'The code that came to the phone'],

  // Emmy authorizes what she pays: her money is on hold until then, or is to be paid in after it.
  ['listInternalAccounts', 'The dollars of another customer'],
  ['sandboxFundInternalAccount', 'As much as is to be paid'],
  ['createQuote', 'Of a customer who authenticates strongly'],
  ['executeQuote', 'Of a customer who authenticates strongly'],
  ['getQuoteById', 'That waits for its customer'],
  ['listCustomerInternalAccounts', 'Dollars on hold for a payment that waits'],
  ['resendQuoteScaCode', 'A code to the phone'],
  ['authorizeQuote', 'The code that came to the phone'],
  ['createQuote', 'To be paid in once its customer has authorized it'],
  ['authorizeQuote', 'The first of two challenges'],
  ['authorizeQuote', 'The second of two challenges'],

  // Money comes from users of other providers.
  ['sandboxReceive', 'To a customer'],
  ['approvePendingPayment', 'Money that is taken'],
  ['sandboxReceive', 'To a UMA address'],
  ['rejectPendingPayment', 'Money that is refused'],
  ['sandboxReceive', 'From a sender who fails a review'],
  { seconds: 5 },

  // She invites two friends; one accepts, with an address that another provider gave her.
  ['createInvitation', 'With a name and an amount'],
  ['getInvitation', 'That waits to be claimed'],
  ['claimInvitation', 'By an address at another provider'],
  ['createInvitation', 'That never expires'],
  ['cancelInvitation', 'That nobody claimed'],

  // A quote that nobody executes; and what is not needed any more goes.
  ['createQuote', 'A fixed amount in euros'],
  { seconds: 360 },
  ['deleteCustomerExternalAccountById', 'A wallet'],
  ['deletePlatformExternalAccountById', 'A wallet'],
  ['deleteCustomerById', 'A person'],
];
