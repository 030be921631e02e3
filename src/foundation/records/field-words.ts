import type { Masking } from './mask-value.ts';

function all(masking: Masking, names: string): [string, Masking][] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => [name, masking]);
}

/**
 * What operators see of each field of a record, an event or a logged request, by the field's name (operator.md §4.1). A name
 * that is not here is left out. So is every field that is added later, until somebody says here what it may show. An entry with
 * the names of the parent and the field has precedence over one with the field's name alone.
 */
export const FIELD_WORDS: Readonly<Record<string, Masking>> = Object.fromEntries([
  // Ids and references that the service or a provider assigns.
  ...all(
    'code',
    `id accountId actionId agentId apiClientId cardId cardTransactionId cardholderId challengeId clientId customerId
     destinationAccountId documentHolder eventId externalAccountId fundingSource fundingSourceId internalAccountId jobId
     lookupId originalTransactionId platformAccountId platform quoteId requestId resetId resourceId sourceAccountId
     stablecoinId stablecoinProviderAccountId tokenId transaction transactionId verification wallet customer account agent
     action card quote stablecoin entry operation resource inviterId`,
  ),
  // Kinds, statuses, reasons that are codes, and rules.
  ...all(
    'code',
    `accountType acceptanceMethod assetType audience bankAccountType beneficiaryType beneficiaryVerificationStatus book brand
     businessType cardDeclinedReason channel code cryptoNetwork customerType defaultExecutionMode destinationPaymentRail
     destinationType direction documentType eventType executionMode factor failure failureReason feeType field form
     idempotency idType issuance issuanceStatus kind kybStatus kycStatus lockedCurrencySide method mode mcc network
     operationType ownershipType paymentRail paymentRails pendingReason pepStatus permissions providerStatus rail railSelectionMode
     reason region roles scaFactor side sourceType state status statusReason substatus svcOperationsStatus type
     verificationStatus via nameCheck usValidation environment attempts enabledTransactionTypes supportedCurrencies
     requiredCounterpartyFields shares termsVersion country countryCode nationality countryOfIssuance countryOfResidence
     countriesOfOperation verificationLevel availableFactors emailVerification phoneVerification verificationType balance
     response_status responseStatus statusCode`,
  ),
  // Amounts, counts, limits, prices, and the answers to yes-or-no questions.
  ...all(
    'code',
    `amount attempt attemptCount authorized count currencyAmount dailySpend dailyTransactionCount dailyTransactionLimit decimals
     durationMs estimatedExchangeRate exchangeRate expMonth expYear failed failedAttempts feesIncluded fixed fixedFee
     lockedCurrencyAmount maxAmount minAmount monthlySpend netAmount networkFee platformFees processed receivingAmount
     receivingCurrencyAmount sendingAmount successful total totalCount totalFee totalReceivingAmount totalSendingAmount units
     variableFeeBps feeAmount failuresWithinADay recoveryCodesLeft liveSessions activeSessions openBurns openMints credentials
     reserve issued inside outside allowListStatus defaultUmaDepositAccount isConnected isDeleted isPaused isPlatformAccount
     isRegulatedFinancialInstitution isTruncated hasKey deleted privateEnabled redeemed suspended trusted numberNeedsProof
     perTransactionLimit maxSpendPerDay maxSpendPerTransaction maxTransactionsPerDay ownershipPercentage no`,
  ),
  // Times.
  ...all(
    'code',
    `acceptedAt at answerBy authorizedAt claimedAt completedAt createdAt disabledAt dueAt erasedAt executedAt expiresAt
     firstLoginAt goesAt initiatedAt lastVerifiedAt lastUsedAt lockedUntil nextAttemptAt nextCheckAt now recordedAt
     receiptDeliveryConfirmedAt resentAt resolvedAt revokedAt sentAt settledAt signsFrom since takenAt timestamp tokenUsedAt
     until updatedAt heldSince`,
  ),
  ...all(
    'currency',
    `currency sendingCurrency receivingCurrency sourceCurrency destinationCurrency currencies baseCurrency symbol currencyCode
     receivingCurrencyCode reserveCurrency`,
  ),
  ['last4', 'code'],
  ...all(
    'name',
    `accountHolderName agentName beneficiaryName displayName doingBusinessAs firstName fullName lastName legalName middleName
     name nickname primaryContactFirstName primaryContactLastName businessName`,
  ),
  ...all(
    'email',
    'email emailAddress replyToAddress recipient vpa upiId lightningAddress textMessagesToEmail',
  ),
  ...all('phone', 'phone phoneNumber textMessagesTo'),
  // Whether a contact is verified.
  ...all('code', 'contactVerification.email contactVerification.phone'),
  ...all('address', 'address bankAddressOf registeredAddress postalAddress'),
  ...all(
    'number',
    `accountIdentifier accountNumber bankReference clabeNumber documentNumber iban identifier ifsc lei registrationNumber
     routingNumber sortCode swiftCode taxId traceNumber transactionHash number destinationAddress endToEndId`,
  ),
  ...all('birthDate', 'birthDate incorporatedOn'),
  ...all('uma', 'umaAddress inviteeUma inviterUma receiverUmaAddress senderUmaAddress'),
]);

const SECRET =
  /secret|password|otp|(?<!network)token(?!Id|s|UsedAt)|^pan$|cvv|^pin$|seed|mnemonic|private_?key|embedUrl|kycUrl|^url$/i;

/** Whether nobody is ever shown a field of this name, for whatever reason. */
export function isSecretField(name: string): boolean {
  return SECRET.test(name);
}
