/** Written by `npm run client:generate` from the API’s document. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountDestination: {
            /**
             * @description An internal or an external account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            destinationType: "ACCOUNT";
            /**
             * @description The internal or external account that receives.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * @description The rail to use; default: the account’s first one.
             * @enum {string}
             */
            paymentRail?: "ACH" | "ACH_COLOMBIA" | "BANK_TRANSFER" | "BRE_B" | "CIPS" | "FAST" | "FASTER_PAYMENTS" | "FEDNOW" | "INSTAPAY" | "MOBILE_MONEY" | "NEFT" | "PAYNOW" | "PESONET" | "PIX" | "RTGS" | "RTP" | "SEPA" | "SEPA_INSTANT" | "SPEI" | "SWIFT" | "UNIONPAY" | "UPI" | "WIRE";
        };
        AccountQuoteSource: {
            /**
             * @description An internal account, or an external one to pull from. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            sourceType: "ACCOUNT";
            /**
             * @description The internal account that pays, or an external bank account to pull from.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * @description The customer that the platform acts for; default: the owner of the account.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId?: string;
        };
        /** @description A page of the movements of an account in a period. */
        AccountStatement: {
            /**
             * @description The account.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * Format: date
             * @description The first day.
             */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            to: string;
            /**
             * @description The time zone of these days.
             * @example UTC
             */
            zone: string;
            /** @description The balance at the start of the first day, amounts on hold included. */
            opening: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description The balance at the end of the last day. The next period opens with it. */
            closing: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description Whether it may still change: the period ended less than five minutes ago, or has not ended. */
            isProvisional: boolean;
            /** @description The rows of this page. */
            data: components["schemas"]["AccountStatementLine"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
        };
        /** @description A movement of money, with the balance after it. */
        AccountStatementLine: {
            /**
             * Format: date-time
             * @description When it was booked.
             */
            at: string;
            /**
             * @description The entry of the ledger.
             * @example JournalEntry:019542f5-b3e7-7d02-8000-000000000099
             */
            entryId: string;
            /**
             * @description The transaction, or the mint or burn, that moved the money.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000032
             */
            transactionId?: string;
            /**
             * @description The kind of the ledger entry.
             * @example payment.executed
             * @enum {string}
             */
            kind: "deposit.received" | "payment.executed" | "payment.held" | "payment.captured" | "payment.released" | "payment.funded" | "payment.collected" | "payment.converted" | "payment.delivered" | "payment.returned" | "payment.unwound" | "refund.owed" | "refund.paid" | "refund.suspended" | "uma.received" | "uma.delivered" | "uma.held" | "uma.released" | "uma.refund_owed" | "uma.refund_paid" | "card.hold_adjusted" | "card.cleared" | "card.credited" | "collection.reversed" | "receipt.suspended" | "suspense.resolved" | "debt.written_off" | "card.shortfall_owed" | "card.credit_reversed" | "card.shortfall_collected" | "coin.hold_adjusted" | "coin.minted" | "coin.burned" | "coin.opened" | "bank.own_moved" | "bank.charged" | "bank.written_off";
            /**
             * @description The kind in words.
             * @example Payment sent
             */
            description: string;
            counterparty?: components["schemas"]["StatementCounterparty"];
            /** @description References of the payment. */
            references: string[];
            /**
             * @description Whether money was added or taken.
             * @enum {string}
             */
            direction: "IN" | "OUT";
            /** @description The amount that was added or taken. */
            amount: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description The balance after it, amounts on hold included. */
            balanceAfter: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
        };
        AccountTransactionDestination: {
            /**
             * @description An internal or an external account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            destinationType: "ACCOUNT";
            /**
             * @description The currency that is received.
             * @example USD
             */
            currency?: string;
            /**
             * @description The account.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            onChainTransaction?: components["schemas"]["OnChainTransaction"];
        };
        AccountTransactionSource: {
            /**
             * @description An internal or an external account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            sourceType: "ACCOUNT";
            /**
             * @description The currency that was sent.
             * @example USD
             */
            currency?: string;
            /**
             * @description The account.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            onChainTransaction?: components["schemas"]["OnChainTransaction"];
        };
        /** @description A postal address. */
        Address: {
            /**
             * @description Street and house number.
             * @example Hauptstrasse 1
             */
            line1: string;
            /**
             * @description Flat, floor, building.
             * @example Apt 4
             */
            line2?: string;
            /**
             * @description City or town.
             * @example Berlin
             */
            city?: string;
            /**
             * @description State, province or region.
             * @example BE
             */
            state?: string;
            /**
             * @description Postal code.
             * @example 10115
             */
            postalCode: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country of the address, ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string;
        };
        /** @description A postal address; it replaces the stored one entirely. */
        AddressUpdate: {
            /**
             * @description Street and house number.
             * @example Hauptstrasse 1
             */
            line1: string;
            /** @description Flat, floor, building. */
            line2?: string | null;
            /** @description City or town. */
            city?: string | null;
            /** @description State, province or region. */
            state?: string | null;
            /**
             * @description Postal code.
             * @example 10115
             */
            postalCode: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country of the address, ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string;
        };
        /** @description The person who holds the account. */
        AedBeneficiary: {
            /**
             * @description The holder is a person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            beneficiaryType: "INDIVIDUAL";
            /**
             * @description Name of the holder. 1 to 200 characters.
             * @example Ada Lovelace
             */
            fullName: string;
            /**
             * Format: date
             * @description Date of birth.
             * @example 1990-04-23
             */
            birthDate?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality?: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number, E.164.
             * @example +4915112345678
             */
            phoneNumber?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country where the holder lives, ISO 3166-1 alpha-2.
             * @example DE
             */
            countryOfResidence?: string;
            address: components["schemas"]["Address"];
        };
        /** @description An account of type `AED_ACCOUNT`. */
        AedExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "AED_ACCOUNT";
            /** @description IBAN of AE, without spaces. */
            iban: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["AedBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `AED_ACCOUNT`. */
        AedExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "AED_ACCOUNT";
            /** @description IBAN of AE, without spaces. */
            iban: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["AedBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description A program that acts for one customer, within its policy. */
        Agent: {
            /**
             * @description Id of the agent.
             * @example Agent:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description Your name for the agent; need not be unique.
             * @example Travel booker
             */
            name: string;
            /**
             * @description The customer that the agent acts for.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            /** @description Whether the agent is paused; then it can only read. */
            isPaused: boolean;
            /** @description Whether a device code was redeemed for its token. */
            isConnected: boolean;
            policy: components["schemas"]["AgentPolicy"];
            usage: components["schemas"]["AgentUsage"];
            /**
             * Format: date-time
             * @description When the agent was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its name, pause, policy or connection last changed.
             */
            updatedAt: string;
        };
        /** @description The customer’s accounts that the agent may use, and the rules for them. */
        AgentAccountRestrictions: {
            /** @description The internal accounts that the agent may use; `null`: all accounts of the customer. */
            allowedAccountIds?: string[] | null;
            /** @description At most one rule for each account. */
            accountRules?: components["schemas"]["AgentAccountRule"][];
        };
        /** @description A rule for movements from one account, or into it if no internal account pays. */
        AgentAccountRule: {
            /**
             * @description The account that the rule applies to.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            executionMode?: components["schemas"]["AgentExecutionMode"];
            /** @description Replaces the general limit for this account, in the currency of the limits. */
            perTransactionLimit?: number | null;
        };
        /** @description One request of an agent that moves money. */
        AgentAction: {
            /**
             * @description Id of the action.
             * @example AgentAction:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The agent that requested it.
             * @example Agent:019542f5-b3e7-7d02-8000-000000000099
             */
            agentId: string;
            /**
             * @description The customer that the agent acts for.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            /** @description Your own id for the customer. */
            platformCustomerId: string;
            status: components["schemas"]["AgentActionStatus"];
            type: components["schemas"]["AgentActionType"];
            quote?: components["schemas"]["Quote"];
            transferDetails?: components["schemas"]["AgentTransferDetails"];
            transaction?: components["schemas"]["TransactionOneOf"];
            payer?: components["schemas"]["PaymentParty"];
            payee?: components["schemas"]["PaymentParty"];
            /** @description In a payment that an agent requested: the text that the payee reads. */
            memo?: string;
            /** @description Why it was rejected, if a reason was given. */
            rejectionReason?: string;
            /** @description Why it failed: the code and reason of the error. */
            failure?: {
                /**
                 * @description Code of the error.
                 * @example INSUFFICIENT_FUNDS
                 */
                code: string;
                /** @description The error as text. */
                reason: string;
            };
            /**
             * Format: date-time
             * @description When the agent requested it.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was decided; until then, when the agent requested it.
             */
            updatedAt: string;
        };
        /** @description One page, and the cursor of the next. */
        AgentActionListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["AgentAction"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description The rejection of an action. */
        AgentActionRejectRequest: {
            /** @description The reason, which the agent sees. */
            reason?: string;
        };
        /**
         * @description `PENDING_APPROVAL`: it waits for your decision. `APPROVED`: it has started, by the policy or by your approval. `REJECTED`: you rejected it, or its agent or customer was deleted. `FAILED`: it could not start, or there was no decision in time.
         * @enum {string}
         */
        AgentActionStatus: "PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED";
        /**
         * @description The kind of action.
         * @enum {string}
         */
        AgentActionType: "EXECUTE_QUOTE" | "TRANSFER_OUT" | "TRANSFER_IN";
        /** @description An action that waits for approval. */
        AgentActionWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "AGENT_ACTION.PENDING_APPROVAL";
            data: components["schemas"]["AgentAction"];
        };
        /** @description The amount above which your approval is needed. */
        AgentApprovalThresholds: {
            /**
             * @description The currency of the threshold.
             * @example USD
             */
            currency?: string;
            /** @description Movements above this amount need an approval in every mode; `null`: no threshold. */
            amount?: number | null;
        };
        /** @description The agent to create. */
        AgentCreateRequest: {
            /**
             * @description Your name for the agent; need not be unique.
             * @example Travel booker
             */
            name: string;
            /**
             * @description The customer that the agent will act for.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            policy: components["schemas"]["AgentPolicy"];
        };
        /** @description The agent, and the code that connects it. */
        AgentCreateResponse: {
            agent: components["schemas"]["Agent"];
            deviceCode: components["schemas"]["AgentDeviceCode"];
        };
        /** @description A code that an agent redeems for its token, once. */
        AgentDeviceCode: {
            /**
             * @description The code for the party that runs the agent. It is shown once.
             * @example SVC-AGENT-7K2M-Q4XA-9TBC
             */
            code: string;
            /**
             * @description The agent that the code connects.
             * @example Agent:019542f5-b3e7-7d02-8000-000000000099
             */
            agentId: string;
            /**
             * Format: date-time
             * @description The deadline to redeem it.
             */
            expiresAt: string;
            /** @description Whether it was redeemed. */
            redeemed: boolean;
        };
        /** @description The agent’s token. */
        AgentDeviceCodeRedeemResponse: {
            /**
             * @description The agent that is connected now.
             * @example Agent:019542f5-b3e7-7d02-8000-000000000099
             */
            agentId: string;
            /** @description The platform’s name for the agent. */
            agentName: string;
            /** @description The bearer token for the agent’s requests. It is shown once. */
            accessToken: string;
            policy: components["schemas"]["AgentPolicy"];
        };
        /** @description The status of a device code. */
        AgentDeviceCodeStatusResponse: {
            /** @description The code in its displayed form. */
            code: string;
            /** @description Whether it was redeemed. */
            redeemed: boolean;
        };
        /**
         * @description `AUTO`: the agent’s actions start at once. `APPROVAL_REQUIRED`: they wait for your approval.
         * @enum {string}
         */
        AgentExecutionMode: "AUTO" | "APPROVAL_REQUIRED";
        /** @description One page, and the cursor of the next. */
        AgentListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["Agent"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /**
         * @description A permission of an agent. No permission includes another.
         * @enum {string}
         */
        AgentPermission: "VIEW_TRANSACTIONS" | "CREATE_TRANSFERS" | "CREATE_QUOTES" | "EXECUTE_QUOTES" | "MANAGE_EXTERNAL_ACCOUNTS";
        /** @description The rules for an agent: what it may do by itself, what needs your approval, and what it may never do. */
        AgentPolicy: {
            /**
             * @description The permissions of the agent; may be empty.
             * @example [
             *       "VIEW_TRANSACTIONS",
             *       "CREATE_QUOTES",
             *       "EXECUTE_QUOTES"
             *     ]
             */
            permissions: components["schemas"]["AgentPermission"][];
            defaultExecutionMode: components["schemas"]["AgentExecutionMode"];
            spendingLimits: components["schemas"]["AgentSpendingLimits"];
            accountRestrictions?: components["schemas"]["AgentAccountRestrictions"];
            approvalThresholds?: components["schemas"]["AgentApprovalThresholds"];
        };
        /** @description The changes of a policy. Omitted fields stay unchanged, lists are replaced as a whole, groups are merged member by member. */
        AgentPolicyUpdateRequest: {
            /**
             * @description The permissions of the agent; may be empty.
             * @example [
             *       "VIEW_TRANSACTIONS",
             *       "CREATE_QUOTES",
             *       "EXECUTE_QUOTES"
             *     ]
             */
            permissions?: components["schemas"]["AgentPermission"][];
            defaultExecutionMode?: components["schemas"]["AgentExecutionMode"];
            spendingLimits?: components["schemas"]["AgentSpendingLimitsUpdate"];
            accountRestrictions?: components["schemas"]["AgentAccountRestrictions"];
            approvalThresholds?: components["schemas"]["AgentApprovalThresholds"];
        };
        /** @description The agent’s limits. An approval cannot override a limit. */
        AgentSpendingLimits: {
            /**
             * @description The currency of the limits. Movements in another one are converted and rounded up.
             * @example USD
             */
            currency: string;
            /**
             * @description The maximum of one movement, in the smallest unit; exactly this amount is allowed.
             * @example 50000
             */
            perTransactionLimit: number;
            /** @description The maximum sum of the movements of one day (UTC). */
            dailyLimit?: number | null;
            /**
             * @description The maximum number of movements in one day (UTC). Once set, it can be changed but not cleared.
             * @example 20
             */
            dailyTransactionLimit?: number;
            /** @description The maximum sum of the movements of one month (UTC). */
            monthlyLimit?: number | null;
        };
        /** @description The limits to change. With another currency, limits that are not sent are converted, and so is the usage. */
        AgentSpendingLimitsUpdate: {
            /**
             * @description The currency of the limits. Movements in another one are converted and rounded up.
             * @example USD
             */
            currency?: string;
            /**
             * @description The maximum of one movement, in the smallest unit; exactly this amount is allowed.
             * @example 50000
             */
            perTransactionLimit?: number;
            /** @description The maximum sum of the movements of one day (UTC). */
            dailyLimit?: number | null;
            /**
             * @description The maximum number of movements in one day (UTC). Once set, it can be changed but not cleared.
             * @example 20
             */
            dailyTransactionLimit?: number;
            /** @description The maximum sum of the movements of one month (UTC). */
            monthlyLimit?: number | null;
        };
        /** @description The transfer that an agent requested. */
        AgentTransferDetails: {
            /** @description In the smallest unit of the currency. */
            amount: number;
            /**
             * @description The currency of both accounts.
             * @example USD
             */
            currency: string;
            /** @description The account that pays. */
            sourceAccountId: string;
            /** @description The account that is paid. */
            destinationAccountId: string;
        };
        /** @description The changes of an agent: its name, its pause, or both. */
        AgentUpdateRequest: {
            /**
             * @description Your name for the agent; need not be unique.
             * @example Travel booker
             */
            name?: string;
            /** @description Whether to pause the agent. */
            isPaused?: boolean;
        };
        /** @description The agent’s usage of its limits. */
        AgentUsage: {
            /** @description The number of movements started today (UTC). */
            dailyTransactionCount: number;
            /** @description The sum of today’s movements, in the smallest unit of the limits’ currency. */
            dailySpend: number;
            /**
             * Format: date
             * @description The day on which both are reset.
             * @example 2026-03-03
             */
            dailyResetDate?: string;
            /** @description The sum of this month’s movements. */
            monthlySpend: number;
            /**
             * @description The month in which this sum is reset.
             * @example 2026-04
             */
            monthlyResetMonth?: string;
        };
        /**
         * @description Income in a year, in US dollars.
         * @enum {string}
         */
        AnnualIncomeRange: "UNDER_50K" | "RANGE_50K_100K" | "RANGE_100K_250K" | "RANGE_250K_1M" | "OVER_1M";
        /** @description A credential of the platform in one environment. */
        ApiToken: {
            /**
             * @description Id of the token.
             * @example Token:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description Name that says what the token is for.
             * @example Payroll backend
             */
            name: string;
            /**
             * @description Permissions of the token.
             * @example [
             *       "VIEW",
             *       "TRANSACT"
             *     ]
             */
            permissions: components["schemas"]["Permission"][];
            /** @description Username of HTTP Basic: 32 hexadecimal digits. */
            clientId: string;
            /** @description Password of HTTP Basic. Shown once, when the token is created. */
            clientSecret?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        /** @description The token to create. */
        ApiTokenCreateRequest: {
            /**
             * @description Name that says what the token is for; need not be unique.
             * @example Payroll backend
             */
            name: string;
            /**
             * @description Permissions of the token; at least one.
             * @example [
             *       "VIEW",
             *       "TRANSACT"
             *     ]
             */
            permissions: components["schemas"]["Permission"][];
        };
        /** @description The approval of a payment. */
        ApprovePaymentRequest: {
            /** @description The data about the receiver that the sender’s provider requested, by field name. */
            receiverCustomerInfo?: {
                [key: string]: unknown;
            };
        };
        /** @description An account of type `ARBITRUM_WALLET`. */
        ArbitrumWalletExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ARBITRUM_WALLET";
            /** @description Address of the wallet: `0x` and 40 hexadecimal digits. */
            address: string;
            /**
             * @description The exchange that hosts the wallet, as listed by `GET /vasps`. Default: the wallet is self-hosted.
             * @example Kraken
             */
            vaspName?: string;
            /** @description The holder of the account. */
            beneficiary?: components["schemas"]["WalletIndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description For a passkey: the key of the new session. Other credentials need no body. */
        AuthCredentialChallengeRequest: {
            /**
             * @description A P-256 key of the client, in hexadecimal. A compressed key (66 digits) signs for the session itself. For an uncompressed key (130 digits), the service creates the session’s key and seals it to the client’s key.
             * @example 0225576f894a46e948716764e6a63a88b5fd454d27747cad2fadd2c243b297c9d4
             */
            clientPublicKey?: string;
        };
        /** @description A credential whose code was sent, or that needs no challenge. */
        AuthCredentialChallengeResponse: {
            /**
             * @description Id of the credential.
             * @example AuthMethod:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The embedded wallet.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * @description Any other kind of credential. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "OAUTH" | "EMAIL_OTP" | "SMS_OTP";
            /**
             * @description For a passkey: its id in browsers, in base64url.
             * @example Z0nM1EQQlo43tferBzafCg
             */
            credentialId?: string;
            /**
             * @description A display name: the e-mail address, phone number or name behind it. For a passkey, the name that it was given.
             * @example ada@example.com
             */
            nickname: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
            /** @description For a code that was just sent: the signed key to which the client seals the code, as JSON text. */
            otpEncryptionTargetBundle?: string;
        };
        AuthCredentialCreateRequestOneOf: components["schemas"]["EmailOtpCredentialCreateRequest"] | components["schemas"]["SmsOtpCredentialCreateRequest"] | components["schemas"]["OauthCredentialCreateRequest"] | components["schemas"]["PasskeyCredentialCreateRequest"];
        /** @description The credentials of one wallet. */
        AuthCredentialListResponse: {
            /** @description All credentials of the wallet, oldest first. */
            data: components["schemas"]["AuthMethod"][];
        };
        AuthCredentialResponseOneOf: components["schemas"]["AuthCredentialChallengeResponse"] | components["schemas"]["PasskeyAuthChallenge"];
        AuthCredentialVerifyRequestOneOf: components["schemas"]["EmailOtpCredentialVerifyRequest"] | components["schemas"]["SmsOtpCredentialVerifyRequest"] | components["schemas"]["OauthCredentialVerifyRequest"] | components["schemas"]["PasskeyCredentialVerifyRequest"];
        /** @description A credential of a wallet’s owner. */
        AuthMethod: {
            /**
             * @description Id of the credential.
             * @example AuthMethod:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The embedded wallet.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            type: components["schemas"]["AuthMethodType"];
            /**
             * @description For a passkey: its id in browsers, in base64url.
             * @example Z0nM1EQQlo43tferBzafCg
             */
            credentialId?: string;
            /**
             * @description A display name: the e-mail address, phone number or name behind it. For a passkey, the name that it was given.
             * @example ada@example.com
             */
            nickname: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        /** @description A credential and, if a code was sent, the key to seal that code to. */
        AuthMethodResponse: {
            /**
             * @description Id of the credential.
             * @example AuthMethod:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The embedded wallet.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            type: components["schemas"]["AuthMethodType"];
            /**
             * @description For a passkey: its id in browsers, in base64url.
             * @example Z0nM1EQQlo43tferBzafCg
             */
            credentialId?: string;
            /**
             * @description A display name: the e-mail address, phone number or name behind it. For a passkey, the name that it was given.
             * @example ada@example.com
             */
            nickname: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
            /** @description For a code that was just sent: the signed key to which the client seals the code, as JSON text. */
            otpEncryptionTargetBundle?: string;
        };
        /**
         * @description How the owner of a wallet proves their identity: by an account at Google, Apple or another issuer, by a code that is sent to their e-mail address or phone, or by a passkey.
         * @enum {string}
         */
        AuthMethodType: "OAUTH" | "EMAIL_OTP" | "SMS_OTP" | "PASSKEY";
        /** @description A session, whose keys sign for the wallet for fifteen minutes. */
        AuthSession: {
            /**
             * @description Id of the session.
             * @example Session:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The embedded wallet.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            type: components["schemas"]["AuthMethodType"];
            /**
             * @description For a passkey: its id in browsers, in base64url.
             * @example Z0nM1EQQlo43tferBzafCg
             */
            credentialId?: string;
            /**
             * @description A display name: the e-mail address, phone number or name behind it. For a passkey, the name that it was given.
             * @example ada@example.com
             */
            nickname: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
            /** @description The private key that signs for the session, sealed to the client’s key, in base58check. Only in the reply that creates the session. */
            encryptedSessionSigningKey?: string;
            /**
             * Format: date-time
             * @description When its keys stop being valid.
             */
            expiresAt: string;
        };
        /** @description The key of the new session. */
        AuthSessionRefreshRequest: {
            /**
             * @description A P-256 key of the client, in hexadecimal. A compressed key (66 digits) signs for the session itself. For an uncompressed key (130 digits), the service creates the session’s key and seals it to the client’s key.
             * @example 0225576f894a46e948716764e6a63a88b5fd454d27747cad2fadd2c243b297c9d4
             */
            clientPublicKey: string;
        };
        /** @description The payload to sign before the request takes effect, and the type of credential that it is about. */
        AuthSignedRequestChallenge: {
            /** @description Sign exactly these UTF-8 bytes: ECDSA with P-256 and SHA-256, by a key of an active session. */
            payloadToSign: string;
            /**
             * @description Send this as `Request-Id` when you repeat the call with the signature. It can be used once.
             * @example Request:019542f5-b3e7-7d02-8000-000000000099
             */
            requestId: string;
            /**
             * Format: date-time
             * @description The signature is accepted until this time.
             */
            expiresAt: string;
            type: components["schemas"]["AuthMethodType"];
        };
        /** @description An account of type `BASE_WALLET`. */
        BaseWalletExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BASE_WALLET";
            /** @description Address of the wallet: `0x` and 40 hexadecimal digits. */
            address: string;
            /**
             * @description The exchange that hosts the wallet, as listed by `GET /vasps`. Default: the wallet is self-hosted.
             * @example Kraken
             */
            vaspName?: string;
            /** @description The holder of the account. */
            beneficiary?: components["schemas"]["WalletIndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description The fields of every webhook. */
        BaseWebhook: {
            /**
             * @description The id of the event. It is the same on every attempt, so use it to detect duplicates.
             * @example Webhook:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            type: components["schemas"]["WebhookType"];
            /**
             * Format: date-time
             * @description When this attempt was sent. A retry has a later timestamp and a new signature.
             */
            timestamp: string;
        };
        /** @description An account of type `BDT_ACCOUNT`. */
        BdtExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BDT_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description Code of the branch.
             * @example 10482
             */
            branchCode?: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `BDT_ACCOUNT`. */
        BdtExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BDT_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description Code of the branch.
             * @example 10482
             */
            branchCode?: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
        };
        /** @description A person who owns or controls a business. */
        BeneficialOwner: {
            /**
             * @description Id of the owner.
             * @example BeneficialOwner:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description Id of the business.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            /** @description At least one role; duplicates count once. */
            roles: components["schemas"]["BeneficialOwnerRole"][];
            /**
             * @description Share of the business, in whole percent.
             * @example 51
             */
            ownershipPercentage: number;
            personalInfo: components["schemas"]["BeneficialOwnerPersonalInfo"];
            kycStatus: components["schemas"]["KycStatus"];
            /**
             * Format: date-time
             * @description When the owner was added.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the owner last changed.
             */
            updatedAt?: string;
        };
        /** @description A person who owns or controls the business. */
        BeneficialOwnerCreateRequest: {
            /**
             * @description Id of the business; an individual has no owners.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            /** @description At least one role; duplicates count once. */
            roles: components["schemas"]["BeneficialOwnerRole"][];
            /**
             * @description Share of the business, in whole percent.
             * @example 51
             */
            ownershipPercentage: number;
            personalInfo: components["schemas"]["BeneficialOwnerPersonalInfo"];
        };
        /** @description One page, and the cursor of the next. */
        BeneficialOwnerListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["BeneficialOwner"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description Personal details of the owner. */
        BeneficialOwnerPersonalInfo: {
            /**
             * @description First name, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . ,
             * @example Charles
             */
            firstName: string;
            /**
             * @description Middle name, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . ,
             * @example Xavier
             */
            middleName?: string;
            /**
             * @description Last name, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . ,
             * @example Babbage
             */
            lastName: string;
            /**
             * Format: date
             * @description Date of birth, after 1900-01-01 and not in the future.
             * @example 1990-04-23
             */
            birthDate: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number in E.164 form.
             * @example +4915112345678
             */
            phoneNumber?: string;
            address: components["schemas"]["Address"];
            idType: components["schemas"]["IdentificationType"];
            /**
             * @description The identification number. An SSN is `ddd-dd-dddd`, an ITIN has the same form and starts with 9, any other number has 4 to 30 letters, digits and `-./`. Inside a customer all but its last four characters are `*`.
             * @example DE-811907980
             */
            identifier: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country that issued the number. `US` for an SSN or ITIN, where it may be omitted; another country for `NON_US_TAX_ID`.
             * @example DE
             */
            countryOfIssuance?: string;
        };
        /** @description Changes to the owner’s personal details, key by key; the address is replaced entirely. */
        BeneficialOwnerPersonalInfoUpdate: {
            /**
             * @description First name, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . ,
             * @example Charles
             */
            firstName?: string;
            /** @description Middle name, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . , */
            middleName?: string | null;
            /**
             * @description Last name, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . ,
             * @example Babbage
             */
            lastName?: string;
            /**
             * Format: date
             * @description Date of birth, after 1900-01-01 and not in the future.
             * @example 1990-04-23
             */
            birthDate?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality?: string;
            /** @description E-mail address. */
            email?: string | null;
            /** @description Phone number in E.164 form. */
            phoneNumber?: string | null;
            address?: components["schemas"]["AddressUpdate"];
            idType?: components["schemas"]["IdentificationType"];
            /**
             * @description The identification number. An SSN is `ddd-dd-dddd`, an ITIN has the same form and starts with 9, any other number has 4 to 30 letters, digits and `-./`. Inside a customer all but its last four characters are `*`.
             * @example DE-811907980
             */
            identifier?: string;
            /** @description Country that issued the number. `US` for an SSN or ITIN, where it may be omitted; another country for `NON_US_TAX_ID`. */
            countryOfIssuance?: string | null;
        };
        /**
         * @description The person’s role in the business. `UBO` owns a part of it; every other role counts as control of the business.
         * @enum {string}
         */
        BeneficialOwnerRole: "UBO" | "DIRECTOR" | "COMPANY_OFFICER" | "CONTROL_PERSON" | "TRUSTEE" | "GENERAL_PARTNER";
        /** @description The fields to change. `roles` is replaced entirely; the status never changes. */
        BeneficialOwnerUpdateRequest: {
            /** @description At least one role; duplicates count once. */
            roles?: components["schemas"]["BeneficialOwnerRole"][];
            /**
             * @description Share of the business, in whole percent.
             * @example 51
             */
            ownershipPercentage?: number;
            personalInfo?: components["schemas"]["BeneficialOwnerPersonalInfoUpdate"];
        };
        /** @description The account’s trust after the change. */
        BeneficiaryTrustConfirm: {
            /** @description Whether the customer trusts the account from now on. */
            trusted: boolean;
        };
        /** @description The customer’s answer: a code, or the assertion of a passkey. */
        BeneficiaryTrustConfirmRequest: {
            /**
             * @description The `scaChallenge.id` from the start; omitted with the code of an authenticator app.
             * @example ScaChallenge:019542f5-b3e7-7d02-8000-000000000099
             */
            challengeId?: string | null;
            /**
             * @description The code of the text message or of the authenticator app.
             * @example 123456
             */
            code?: string | null;
            /** @description The answer of a passkey. */
            passkeyAssertion?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The origin of the page that requested the passkey; required with `passkeyAssertion`.
             * @example http://localhost:3000
             */
            origin?: string | null;
        };
        /** @description The challenge that the customer answers. Without `scaChallenge`, the customer gives the authenticator app’s code. */
        BeneficiaryTrustStart: {
            scaChallenge?: components["schemas"]["ScaChallenge"];
        };
        /**
         * @description The result of the check of the holder’s name. It never blocks a payment.
         * @enum {string}
         */
        BeneficiaryVerificationStatus: "MATCHED" | "PARTIAL_MATCH" | "NOT_MATCHED" | "UNSUPPORTED" | "CHECKED_BY_RECEIVING_FI" | "PENDING";
        /** @description The result of the name check. */
        BeneficiaryVerifiedData: {
            /** @description The holder’s name, if the check returned it. */
            fullName?: string;
        };
        /** @description An account of type `BRL_ACCOUNT`. */
        BrlExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BRL_ACCOUNT";
            /**
             * @description PIX key of the kind that `pixKeyType` names.
             * @example rosa.melo@mail.example
             */
            pixKey: string;
            /**
             * @description The kind of key in `pixKey`.
             * @enum {string}
             */
            pixKeyType: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "RANDOM";
            /**
             * @description CPF or CNPJ of the holder, digits only.
             * @example 52998224725
             */
            taxId: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `BRL_ACCOUNT`. */
        BrlExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BRL_ACCOUNT";
            /**
             * @description PIX key of the kind that `pixKeyType` names.
             * @example rosa.melo@mail.example
             */
            pixKey: string;
            /**
             * @description The kind of key in `pixKey`.
             * @enum {string}
             */
            pixKeyType: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "RANDOM";
            /**
             * @description CPF or CNPJ of the holder, digits only.
             * @example 52998224725
             */
            taxId: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "PIX"[];
        };
        /** @description A row that was not imported, or the problem with the whole file. */
        BulkCustomerImportErrorEntry: {
            /**
             * @description The row's `platformCustomerId`. If it has no usable one, `row_` and its number: 0 is the header, 1 the first row after it.
             * @example user-4711
             */
            correlationId: string;
            /**
             * @description `INVALID_FIELD`, `CONFLICT` or `UMA_ADDRESS_EXISTS` for a row, `invalid_csv_format` for the file.
             * @example INVALID_FIELD
             */
            code?: string;
            /** @description Human-readable description of the problem. */
            message?: string;
            /** @description For `INVALID_FIELD`: `errors`, one for each invalid column of the row. */
            details?: {
                [key: string]: unknown;
            };
        };
        /** @description An import of customers and its progress. */
        BulkCustomerImportJob: {
            /**
             * @description Id of the import.
             * @example Job:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description Status of the import. `COMPLETED` if it created at least one customer, else `FAILED`; both are final.
             * @enum {string}
             */
            status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
            /** @description Progress of the import. */
            progress: {
                /**
                 * @description Rows in the file; 0 until the file has been read once.
                 * @example 1000
                 */
                total: number;
                /**
                 * @description Processed rows: successful and failed ones.
                 * @example 1000
                 */
                processed: number;
                /**
                 * @description Customers created.
                 * @example 1000
                 */
                successful: number;
                /**
                 * @description Rows that were refused.
                 * @example 1000
                 */
                failed: number;
            };
            /** @description The first 10,000 errors, in the order of the file. Absent if there are none. */
            errors?: components["schemas"]["BulkCustomerImportErrorEntry"][];
            /**
             * Format: date-time
             * @description When the import ended; absent before that.
             */
            completedAt?: string;
        };
        /** @description The file was received; its rows are imported in the background. */
        BulkCustomerImportJobAccepted: {
            /**
             * @description Id of the import, with which you can read its progress.
             * @example Job:019542f5-b3e7-7d02-8000-000000000099
             */
            jobId: string;
            /**
             * @description Status of the import.
             * @enum {string}
             */
            status: "PENDING" | "PROCESSING";
        };
        /** @description One page, and the cursor of the next. */
        BulkCustomerImportJobListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["BulkCustomerImportJobSummary"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description An import of customers in a list, without the errors of its rows. */
        BulkCustomerImportJobSummary: {
            /**
             * @description Id of the import.
             * @example Job:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description Status of the import. `COMPLETED` if it created at least one customer, else `FAILED`; both are final.
             * @enum {string}
             */
            status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
            /** @description Progress of the import. */
            progress: {
                /**
                 * @description Rows in the file; 0 until the file has been read once.
                 * @example 1000
                 */
                total: number;
                /**
                 * @description Processed rows: successful and failed ones.
                 * @example 1000
                 */
                processed: number;
                /**
                 * @description Customers created.
                 * @example 1000
                 */
                successful: number;
                /**
                 * @description Rows that were refused.
                 * @example 1000
                 */
                failed: number;
            };
            /**
             * Format: date-time
             * @description When the file was uploaded.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the import ended; absent before that.
             */
            completedAt?: string;
        };
        /** @description An import of customers and its outcome. */
        BulkUploadWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "BULK_UPLOAD.COMPLETED" | "BULK_UPLOAD.FAILED";
            data: components["schemas"]["BulkCustomerImportJob"];
        };
        /** @description The business that holds the account. */
        BusinessBeneficiary: {
            /**
             * @description The holder is a company or organisation. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            beneficiaryType: "BUSINESS";
            /**
             * @description Registered name of the holder. 1 to 200 characters.
             * @example Analytical Engines Ltd
             */
            legalName: string;
            /** @description Number in the company register. */
            registrationNumber?: string;
            /** @description Tax number. */
            taxId?: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number, E.164.
             * @example +4915112345678
             */
            phoneNumber?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country where the business is registered, ISO 3166-1 alpha-2.
             * @example DE
             */
            countryOfResidence?: string;
            address?: components["schemas"]["Address"];
        };
        /** @description A customer that is a business. */
        BusinessCustomer: {
            /**
             * @description A company or other organisation. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            customerType: "BUSINESS";
            /**
             * @description Id of the customer.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            readonly id: string;
            /**
             * @description Your own reference.
             * @example user-4711
             */
            platformCustomerId: string;
            /**
             * @description UMA address.
             * @example $ada@example.com
             */
            umaAddress: string;
            endUserTermsConsent?: components["schemas"]["EndUserTermsConsent"];
            /**
             * @description Country of the customer, ISO 3166-1 alpha-2.
             * @example DE
             */
            region?: string;
            /** @description Currencies in which the customer has accounts. */
            currencies?: string[];
            /**
             * Format: email
             * @description E-mail address. Required for `USDB` and in regions that require verified contacts.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number in E.164 form. Required in regions that require verified contacts.
             * @example +4915112345678
             */
            phoneNumber?: string;
            /**
             * Format: date-time
             * @description When the customer was created.
             */
            readonly createdAt?: string;
            /**
             * Format: date-time
             * @description When the customer last changed.
             */
            readonly updatedAt?: string;
            /** @description Whether the customer was deleted. */
            readonly isDeleted?: boolean;
            contactVerification?: components["schemas"]["ContactVerification"];
            kybStatus?: components["schemas"]["KybStatus"];
            address?: components["schemas"]["Address"];
            businessInfo?: components["schemas"]["BusinessInfoResponse"];
            /** @description Owners and people in control, oldest first. */
            beneficialOwners?: components["schemas"]["BeneficialOwner"][];
        };
        /** @description A new customer that is a business. */
        BusinessCustomerCreateRequest: {
            /**
             * @description A company or other organisation. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            customerType: "BUSINESS";
            /**
             * @description Your own reference, unique among your customers that are not deleted. Absent: generated.
             * @example user-4711
             */
            platformCustomerId?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country of the customer, ISO 3166-1 alpha-2; cannot change. Absent: inferred from the address, the business or the first currency of a single country, else `US`.
             * @example DE
             */
            region?: string;
            /** @description Currencies in which the customer has accounts; each must be one of the platform’s. Absent on create: all of them, without `USDB` if there is no `email`. A customer with an `email` also gets the embedded wallet in `USDB`, even if `USDB` is not listed here. */
            currencies?: string[];
            /**
             * Format: email
             * @description E-mail address. Required for `USDB` and in regions that require verified contacts.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number in E.164 form. Required in regions that require verified contacts.
             * @example +4915112345678
             */
            phoneNumber?: string;
            /**
             * @description UMA address `$user@domain`: up to 64 characters before the `@`, of `a-z 0-9 - _ . +`, stored in lower case. Absent: generated.
             * @example $ada@example.com
             */
            umaAddress?: string;
            endUserTermsConsent?: components["schemas"]["EndUserTermsConsentRequest"];
            /** @description Set by the service; ignored. */
            kybStatus?: components["schemas"]["KybStatus"] | (unknown[] | boolean | null | number | Record<string, unknown> | string);
            address?: components["schemas"]["Address"];
            businessInfo: components["schemas"]["BusinessInfo"];
        };
        /** @description Changes to a business; omitted fields keep their values, `null` clears. */
        BusinessCustomerUpdateRequest: {
            /**
             * @description A company or other organisation. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            customerType: "BUSINESS";
            /** @description May be sent with the stored value; cannot change. */
            platformCustomerId?: string;
            /** @description May be sent with the stored value; cannot change. */
            region?: string;
            /** @description Currencies in which the customer has accounts; each must be one of the platform’s. Absent on create: all of them, without `USDB` if there is no `email`. A customer with an `email` also gets the embedded wallet in `USDB`, even if `USDB` is not listed here. */
            currencies?: string[];
            /** @description E-mail address. Required for `USDB` and in regions that require verified contacts. */
            email?: string | null;
            /** @description Phone number in E.164 form. Required in regions that require verified contacts. */
            phoneNumber?: string | null;
            /**
             * @description UMA address `$user@domain`: up to 64 characters before the `@`, of `a-z 0-9 - _ . +`, stored in lower case. Absent: generated.
             * @example $ada@example.com
             */
            umaAddress?: string;
            endUserTermsConsent?: components["schemas"]["EndUserTermsConsentRequest"];
            /** @description Set by the service; ignored. */
            kybStatus?: components["schemas"]["KybStatus"] | (unknown[] | boolean | null | number | Record<string, unknown> | string);
            /** @description A postal address; it replaces the stored one entirely. */
            address?: components["schemas"]["AddressUpdate"] | null;
            businessInfo?: components["schemas"]["BusinessInfoUpdate"];
        };
        /** @description Details of a business. */
        BusinessInfo: {
            /**
             * @description Registered name.
             * @example Analytical Engines GmbH
             */
            legalName: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Where the business is registered, ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string;
            /**
             * @description Tax number. A US business has 9 digits, with an optional leading `EIN-` and punctuation; any other has 4 to 30 letters, digits and `-./`.
             * @example 12-3456789
             */
            taxId: string;
            /**
             * Format: date
             * @description When the business was founded, after 1900-01-01 and not in the future.
             * @example 1990-04-23
             */
            incorporatedOn: string;
            /** @description Trade name, if it differs. */
            doingBusinessAs?: string;
            /** @description Number in the company register. */
            registrationNumber?: string;
            entityType?: components["schemas"]["EntityType"];
            /**
             * @description Countries in which the business operates.
             * @example [
             *       "US",
             *       "DE"
             *     ]
             */
            countriesOfOperation?: string[];
            businessType?: components["schemas"]["BusinessType"];
            purposeOfAccount?: components["schemas"]["PurposeOfAccount"];
            /** @description Where the money comes from, as free text. */
            sourceOfFunds?: string;
            expectedMonthlyTransactionCount?: components["schemas"]["ExpectedMonthlyTransactionCount"];
            expectedMonthlyTransactionVolume?: components["schemas"]["ExpectedMonthlyTransactionVolume"];
            /**
             * @description Countries that payments are expected to go to.
             * @example [
             *       "US",
             *       "DE"
             *     ]
             */
            expectedRecipientJurisdictions?: string[];
            /**
             * @description Code in the North American industry classification.
             * @example 522320
             */
            naicsCode?: string;
            /** @description Sources of the business's money. */
            sourceOfFundsCategories?: components["schemas"]["SourceOfFundsCategory"][];
            /** @description Describes `OTHER` in `sourceOfFundsCategories`. Ignored without `OTHER` there. */
            sourceOfFundsOtherDescription?: string;
            /** @description Describes `OTHER` in `purposeOfAccount`. Ignored without `OTHER` there. */
            purposeOfAccountOtherDescription?: string;
            /**
             * @description Countries of the counterparties of payments.
             * @example [
             *       "US",
             *       "DE"
             *     ]
             */
            expectedCounterpartyCountries?: string[];
            /** @description First name of the contact person. Required in regions that require verified contacts. */
            primaryContactFirstName?: string;
            /** @description Last name of the contact person. Required in regions that require verified contacts. */
            primaryContactLastName?: string;
        };
        /** @description Known details of a business. */
        BusinessInfoResponse: {
            /**
             * @description Registered name.
             * @example Analytical Engines GmbH
             */
            legalName: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Where the business is registered, ISO 3166-1 alpha-2.
             * @example DE
             */
            country?: string;
            /**
             * @description Tax number. A US business has 9 digits, with an optional leading `EIN-` and punctuation; any other has 4 to 30 letters, digits and `-./`.
             * @example 12-3456789
             */
            taxId?: string;
            /**
             * Format: date
             * @description When the business was founded, after 1900-01-01 and not in the future.
             * @example 1990-04-23
             */
            incorporatedOn?: string;
            /** @description Trade name, if it differs. */
            doingBusinessAs?: string;
            /** @description Number in the company register. */
            registrationNumber?: string;
            entityType?: components["schemas"]["EntityType"];
            /**
             * @description Countries in which the business operates.
             * @example [
             *       "US",
             *       "DE"
             *     ]
             */
            countriesOfOperation?: string[];
            businessType?: components["schemas"]["BusinessType"];
            purposeOfAccount?: components["schemas"]["PurposeOfAccount"];
            /** @description Where the money comes from, as free text. */
            sourceOfFunds?: string;
            expectedMonthlyTransactionCount?: components["schemas"]["ExpectedMonthlyTransactionCount"];
            expectedMonthlyTransactionVolume?: components["schemas"]["ExpectedMonthlyTransactionVolume"];
            /**
             * @description Countries that payments are expected to go to.
             * @example [
             *       "US",
             *       "DE"
             *     ]
             */
            expectedRecipientJurisdictions?: string[];
            /**
             * @description Code in the North American industry classification.
             * @example 522320
             */
            naicsCode?: string;
            /** @description Sources of the business's money. */
            sourceOfFundsCategories?: components["schemas"]["SourceOfFundsCategory"][];
            /** @description Describes `OTHER` in `sourceOfFundsCategories`. Ignored without `OTHER` there. */
            sourceOfFundsOtherDescription?: string;
            /** @description Describes `OTHER` in `purposeOfAccount`. Ignored without `OTHER` there. */
            purposeOfAccountOtherDescription?: string;
            /**
             * @description Countries of the counterparties of payments.
             * @example [
             *       "US",
             *       "DE"
             *     ]
             */
            expectedCounterpartyCountries?: string[];
            /** @description First name of the contact person. Required in regions that require verified contacts. */
            primaryContactFirstName?: string;
            /** @description Last name of the contact person. Required in regions that require verified contacts. */
            primaryContactLastName?: string;
        };
        /** @description Changes to the details of a business, key by key; `null` clears. */
        BusinessInfoUpdate: {
            /**
             * @description Registered name.
             * @example Analytical Engines GmbH
             */
            legalName?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Where the business is registered, ISO 3166-1 alpha-2.
             * @example DE
             */
            country?: string;
            /**
             * @description Tax number. A US business has 9 digits, with an optional leading `EIN-` and punctuation; any other has 4 to 30 letters, digits and `-./`.
             * @example 12-3456789
             */
            taxId?: string;
            /**
             * Format: date
             * @description When the business was founded, after 1900-01-01 and not in the future.
             * @example 1990-04-23
             */
            incorporatedOn?: string;
            /** @description Trade name, if it differs. */
            doingBusinessAs?: string | null;
            /** @description Number in the company register. */
            registrationNumber?: string | null;
            /** @description Legal form. */
            entityType?: components["schemas"]["EntityType"] | null;
            /** @description Countries in which the business operates. */
            countriesOfOperation?: string[] | null;
            /** @description Industry, by sector of the North American industry classification. */
            businessType?: components["schemas"]["BusinessType"] | null;
            /** @description Purpose of the account. `OTHER` needs `purposeOfAccountOtherDescription`. */
            purposeOfAccount?: components["schemas"]["PurposeOfAccount"] | null;
            /** @description Where the money comes from, as free text. */
            sourceOfFunds?: string | null;
            /** @description How many payments a month are expected. */
            expectedMonthlyTransactionCount?: components["schemas"]["ExpectedMonthlyTransactionCount"] | null;
            /** @description How much money a month is expected to move, in US dollars. */
            expectedMonthlyTransactionVolume?: components["schemas"]["ExpectedMonthlyTransactionVolume"] | null;
            /** @description Countries that payments are expected to go to. */
            expectedRecipientJurisdictions?: string[] | null;
            /** @description Code in the North American industry classification. */
            naicsCode?: string | null;
            /** @description Sources of the business's money. */
            sourceOfFundsCategories?: components["schemas"]["SourceOfFundsCategory"][] | null;
            /** @description Describes `OTHER` in `sourceOfFundsCategories`. Ignored without `OTHER` there. */
            sourceOfFundsOtherDescription?: string | null;
            /** @description Describes `OTHER` in `purposeOfAccount`. Ignored without `OTHER` there. */
            purposeOfAccountOtherDescription?: string | null;
            /** @description Countries of the counterparties of payments. */
            expectedCounterpartyCountries?: string[] | null;
            /** @description First name of the contact person. Required in regions that require verified contacts. */
            primaryContactFirstName?: string | null;
            /** @description Last name of the contact person. Required in regions that require verified contacts. */
            primaryContactLastName?: string | null;
        };
        /**
         * @description Industry, by sector of the North American industry classification.
         * @enum {string}
         */
        BusinessType: "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING" | "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION" | "UTILITIES" | "CONSTRUCTION" | "MANUFACTURING" | "WHOLESALE_TRADE" | "RETAIL_TRADE" | "TRANSPORTATION_AND_WAREHOUSING" | "INFORMATION" | "FINANCE_AND_INSURANCE" | "REAL_ESTATE_AND_RENTAL_AND_LEASING" | "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES" | "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES" | "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES" | "EDUCATIONAL_SERVICES" | "HEALTH_CARE_AND_SOCIAL_ASSISTANCE" | "ARTS_ENTERTAINMENT_AND_RECREATION" | "ACCOMMODATION_AND_FOOD_SERVICES" | "OTHER_SERVICES" | "PUBLIC_ADMINISTRATION";
        /** @description An account of type `BWP_ACCOUNT`. */
        BwpExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BWP_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `BWP_ACCOUNT`. */
        BwpExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BWP_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "MOBILE_MONEY"[];
        };
        /** @description The person who holds the account. */
        CadBeneficiary: {
            /**
             * @description The holder is a person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            beneficiaryType: "INDIVIDUAL";
            /**
             * @description Name of the holder. 1 to 200 characters.
             * @example Ada Lovelace
             */
            fullName: string;
            /**
             * Format: date
             * @description Date of birth.
             * @example 1990-04-23
             */
            birthDate?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality?: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number, E.164.
             * @example +4915112345678
             */
            phoneNumber?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country where the holder lives, ISO 3166-1 alpha-2.
             * @example DE
             */
            countryOfResidence?: string;
            address?: components["schemas"]["Address"];
            /** @description Registration number of the holder’s business. */
            registrationNumber?: string;
        };
        /** @description An account of type `CAD_ACCOUNT`. */
        CadExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "CAD_ACCOUNT";
            /**
             * @description Institution number of the bank.
             * @example 003
             */
            bankCode: string;
            /**
             * @description Transit number of the branch.
             * @example 10482
             */
            branchCode: string;
            /**
             * @description Number of the account at its bank.
             * @example 1234567
             */
            accountNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["CadBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `CAD_ACCOUNT`. */
        CadExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "CAD_ACCOUNT";
            /**
             * @description Institution number of the bank.
             * @example 003
             */
            bankCode: string;
            /**
             * @description Transit number of the branch.
             * @example 10482
             */
            branchCode: string;
            /**
             * @description Number of the account at its bank.
             * @example 1234567
             */
            accountNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["CadBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description The cancellation of a transaction. */
        CancelTransactionRequest: {
            /** @description The reason, for the audit log. */
            reason?: string;
        };
        /** @description A card of a customer. Its number is shown on a page only: POST /cards/{id}/reveal. */
        Card: {
            /**
             * @description Id of the card.
             * @example Card:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The cardholder.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            /** @description Your own id for the card. */
            platformCardId?: string;
            status: components["schemas"]["CardStatus"];
            statusReason?: components["schemas"]["CardStatusReason"];
            form: components["schemas"]["CardForm"];
            brand?: components["schemas"]["CardBrand"];
            /**
             * @description The last four digits of its number.
             * @example 4242
             */
            last4?: string;
            /** @description The month in which it expires. */
            expMonth?: number;
            /** @description The year in which it expires. */
            expYear?: number;
            /**
             * @description The internal account, in USD or USDB, that pays for purchases.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            fundingSource: string;
            /**
             * @description The currency of the card’s amounts: USD.
             * @example USD
             */
            currency?: string;
            /** @description The most that one purchase may cost, in cents; exactly this amount is still approved. */
            maxSpendPerTransaction?: number | null;
            /** @description The most that purchases of one day (UTC) may cost together, in cents. */
            maxSpendPerDay?: number | null;
            /** @description How many purchases may be approved in one day (UTC). */
            maxTransactionsPerDay?: number | null;
            /** @description The processor’s id for the card. */
            processorRef?: string;
            /** @description The issuer’s id for the card. */
            issuerRef?: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        /**
         * @description The network of the card.
         * @enum {string}
         */
        CardBrand: "VISA" | "MASTERCARD";
        /** @description A card to be issued. */
        CardCreateRequest: {
            /**
             * @description The cardholder, who must be approved.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            /** @description Your own id for the card; generated if you send none. */
            platformCardId?: string;
            form: components["schemas"]["CardForm"];
            /**
             * @description The internal account, in USD or USDB, that pays for purchases.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            fundingSource: string;
            /** @description The most that one purchase may cost, in cents; exactly this amount is still approved. */
            maxSpendPerTransaction?: number;
            /** @description The most that purchases of one day (UTC) may cost together, in cents. */
            maxSpendPerDay?: number;
            /** @description How many purchases may be approved in one day (UTC). */
            maxTransactionsPerDay?: number;
            /**
             * @deprecated
             * @description Not supported by this card program: leave it out.
             */
            threeDSecurePassword?: string;
            /**
             * @deprecated
             * @description The older name of `customerId`.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            cardholderId?: string;
            /**
             * @deprecated
             * @description The older form of `fundingSource`: only the first element is used.
             */
            fundingSources?: string[];
        };
        /**
         * @description Only virtual cards exist.
         * @enum {string}
         */
        CardForm: "VIRTUAL";
        /** @description A card, right after a change. */
        CardFundingSourceChangeWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "CARD.FUNDING_SOURCE_CHANGE";
            data: components["schemas"]["Card"];
        };
        /** @description One page, and the cursor of the next. */
        CardListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["Card"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description The merchant that accepted the card. */
        CardMerchant: {
            /**
             * @description The merchant’s name on the statement.
             * @example CORNER BOOKS
             */
            descriptor: string;
            /**
             * @description Merchant category code.
             * @example 5942
             */
            mcc?: string;
            /**
             * @description Country of the merchant.
             * @example US
             */
            country?: string;
            /** @description City of the merchant. */
            city?: string;
            /** @description State or region of the merchant. */
            state?: string;
        };
        /** @description The address of the page that shows a card’s number, and when it expires. */
        CardRevealResponse: {
            /**
             * Format: uri
             * @description The address of the page that shows number, expiry and security code, for an iframe. Keep it out of logs.
             */
            panEmbedUrl: string;
            /**
             * Format: date-time
             * @description When the page stops showing the card: after five minutes.
             */
            expiresAt: string;
        };
        /** @description A card, right after a change. */
        CardStateChangeWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "CARD.STATUS_CHANGE";
            data: components["schemas"]["Card"];
        };
        /**
         * @description `PROCESSING` until the issuer has made the card, `ACTIVE`, `FROZEN` while new purchases are declined, `CLOSED` for good.
         * @enum {string}
         */
        CardStatus: "PROCESSING" | "ACTIVE" | "FROZEN" | "CLOSED";
        /**
         * @description Why a card is closed.
         * @enum {string}
         */
        CardStatusReason: "ISSUER_REJECTED" | "CLOSED_BY_PLATFORM" | "CLOSED_BY_SVC";
        /** @description How cardholders receive the code that adds a card to a phone. Independent of embedded wallets. */
        CardTokenization2FAConfig: {
            /** @description Name shown to cardholders. */
            displayName?: string;
            /**
             * Format: uri
             * @description Logo shown to cardholders; https only.
             */
            logoUrl?: string;
            email?: components["schemas"]["CardTokenization2FAEmailConfig"];
            sms?: components["schemas"]["CardTokenization2FASmsConfig"];
        };
        /** @description Omitted fields keep their values; `null` resets a field. */
        CardTokenization2FAConfigUpdate: {
            /** @description Name shown to cardholders. */
            displayName?: string | null;
            /** @description Logo shown to cardholders; https only. */
            logoUrl?: string | null;
            /** @description Codes sent by e-mail. */
            email?: components["schemas"]["CardTokenization2FAEmailConfigUpdate"] | null;
            /** @description Codes sent by SMS. */
            sms?: components["schemas"]["CardTokenization2FASmsConfigUpdate"] | null;
        };
        /** @description Codes sent by e-mail. */
        CardTokenization2FAEmailConfig: {
            /**
             * Format: email
             * @description Sender address. Not verified here: an invalid one fails at delivery.
             * @example otp@example.com
             */
            fromAddress?: string;
            /** @description Sender name. */
            fromName?: string;
            /**
             * Format: email
             * @description Reply-to address.
             * @example otp@example.com
             */
            replyToAddress?: string;
            /** @description Subject line. */
            subject?: string;
            /** @description Text before the code. Plain text: markup and placeholders are not interpreted. */
            bodyText?: string;
        };
        /** @description Codes sent by e-mail. */
        CardTokenization2FAEmailConfigUpdate: {
            /** @description Sender address. Not verified here: an invalid one fails at delivery. */
            fromAddress?: string | null;
            /** @description Sender name. */
            fromName?: string | null;
            /** @description Reply-to address. */
            replyToAddress?: string | null;
            /** @description Subject line. */
            subject?: string | null;
            /** @description Text before the code. Plain text: markup and placeholders are not interpreted. */
            bodyText?: string | null;
        };
        /** @description Codes sent by SMS. */
        CardTokenization2FASmsConfig: {
            /** @description Template at the SMS provider. Not verified here: an invalid one fails at delivery. */
            templateSid?: string;
            /** @description Text before the code if no template is set. Plain text. */
            bodyText?: string;
        };
        /** @description Codes sent by SMS. */
        CardTokenization2FASmsConfigUpdate: {
            /** @description Template at the SMS provider. Not verified here: an invalid one fails at delivery. */
            templateSid?: string | null;
            /** @description Text before the code if no template is set. Plain text. */
            bodyText?: string | null;
        };
        /** @description A payment by card. */
        CardTransaction: {
            /**
             * @description A payment by card. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "CARD";
            /**
             * @description Id of the transaction.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The card that paid.
             * @example Card:019542f5-b3e7-7d02-8000-000000000099
             */
            cardId?: string;
            /**
             * @description The owner of the card.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            /** @description The platform’s own id for that customer. */
            platformCustomerId: string;
            /** @description The issuer’s id for the transaction. */
            issuerTransactionToken?: string;
            /**
             * @description Current status.
             * @enum {string}
             */
            status: "AUTHORIZED" | "PARTIALLY_SETTLED" | "SETTLED" | "DECLINED" | "EXCEPTION";
            /**
             * @description Whether money comes in or goes out.
             * @enum {string}
             */
            direction: "CREDIT" | "DEBIT";
            merchant: components["schemas"]["CardMerchant"];
            /** @description The amount that the merchant requested. */
            authorizedAmount: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description The amount settled so far. */
            settledAmount?: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /**
             * @description The account behind the card.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * Format: date-time
             * @description When the card was used.
             */
            authorizedAt: string;
            /**
             * Format: date-time
             * @description When the transaction was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the transaction last changed.
             */
            updatedAt: string;
            /** @description The text on the statement. */
            description?: string;
            /**
             * @description For a return, the purchase; for the reversal of a return, the return.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000099
             */
            originalTransactionId?: string;
            /**
             * @description Why the card was declined.
             * @enum {string}
             */
            cardDeclinedReason?: "CARD_NOT_ACTIVE" | "SPEND_LIMIT_EXCEEDED" | "INSUFFICIENT_FUNDS" | "NO_ELIGIBLE_FUNDING_SOURCE" | "BLOCKED" | "UNSUPPORTED_NETWORK" | "OTHER";
        };
        /** @description A card transaction, right after a change. */
        CardTransactionWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "CARD_TRANSACTION.AUTHORIZED" | "CARD_TRANSACTION.PARTIALLY_SETTLED" | "CARD_TRANSACTION.SETTLED" | "CARD_TRANSACTION.DECLINED" | "CARD_TRANSACTION.EXCEPTION";
            data: components["schemas"]["CardTransaction"];
        };
        /** @description The changes of a card; fields that are left out stay as they are. */
        CardUpdateRequest: {
            /**
             * @description The new status.
             * @enum {string}
             */
            status?: "ACTIVE" | "FROZEN" | "CLOSED";
            /**
             * @description The internal account, in USD or USDB, that pays for purchases.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            fundingSource?: string;
            /** @description The most that one purchase may cost, in cents; exactly this amount is still approved. */
            maxSpendPerTransaction?: number | null;
            /** @description The most that purchases of one day (UTC) may cost together, in cents. */
            maxSpendPerDay?: number | null;
            /** @description How many purchases may be approved in one day (UTC). */
            maxTransactionsPerDay?: number | null;
            /** @description A note for the audit log. */
            substatus?: string;
            /** @description A note for the audit log. */
            reason?: string;
            /**
             * @deprecated
             * @description The older name of `status`.
             * @enum {string}
             */
            state?: "ACTIVE" | "FROZEN" | "CLOSED";
            /**
             * @deprecated
             * @description The older form of `fundingSource`: only the first element is used.
             */
            fundingSources?: string[];
        };
        /** @description An account of type `CNY_ACCOUNT`. */
        CnyExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "CNY_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `CNY_ACCOUNT`. */
        CnyExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "CNY_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
        };
        /** @description The confirmation that the customer has the receipt. */
        ConfirmReceiptDeliveryRequest: {
            /**
             * Format: date-time
             * @description When the receipt was delivered; default: now.
             */
            receiptDeliveryConfirmedAt?: string;
        };
        /** @description An address that signs in to the console once. */
        ConsoleSession: {
            /**
             * Format: uri
             * @description The address to open in a browser. The part after `#` is a secret: keep it out of logs and messages.
             */
            url: string;
            /**
             * Format: date-time
             * @description When the address expires: after ten minutes of real time.
             */
            expiresAt: string;
        };
        /** @description Present only if the customer’s region requires verified contacts. */
        ContactVerification: {
            email?: components["schemas"]["ContactVerificationStatus"];
            phone?: components["schemas"]["ContactVerificationStatus"];
        };
        /** @description The code that was sent. */
        ContactVerificationConfirmRequest: {
            /**
             * @description The code from the message.
             * @example 123456
             */
            code: string;
        };
        /**
         * @description Whether the customer has proved that the contact is theirs.
         * @enum {string}
         */
        ContactVerificationStatus: "PENDING" | "VERIFIED";
        /** @description The person who holds the account. */
        CopBeneficiary: {
            /**
             * @description The holder is a person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            beneficiaryType: "INDIVIDUAL";
            /**
             * @description Name of the holder. 1 to 200 characters.
             * @example Ada Lovelace
             */
            fullName: string;
            /**
             * Format: date
             * @description Date of birth.
             * @example 1990-04-23
             */
            birthDate?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality?: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number, E.164.
             * @example +4915112345678
             */
            phoneNumber?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country where the holder lives, ISO 3166-1 alpha-2.
             * @example DE
             */
            countryOfResidence?: string;
            address?: components["schemas"]["Address"];
            /**
             * @description Kind of identity document: citizen, foreigner or youth card, tax number, passport.
             * @enum {string}
             */
            documentType?: "CC" | "CE" | "TI" | "NIT" | "PP";
            /** @description Number of the identity document. */
            documentNumber?: string;
        };
        /** @description An account of type `COP_ACCOUNT`. */
        CopExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "COP_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description The kind of account.
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["CopBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `COP_ACCOUNT`. */
        CopExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "COP_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description The kind of account.
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["CopBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
        };
        /** @description One fact that the counterparty of a payment is asked for. */
        CounterpartyFieldDefinition: {
            name: components["schemas"]["CustomerInfoFieldName"];
            /** @description False: the fact is requested, but a payment without it continues. */
            mandatory: boolean;
        };
        /**
         * @description A blockchain network.
         * @enum {string}
         */
        CryptoNetwork: "BITCOIN" | "ETHEREUM" | "SOLANA" | "BASE" | "POLYGON" | "TRON" | "PLASMA" | "SPARK" | "ARBITRUM";
        /** @description A currency and how its amounts are written. */
        Currency: {
            /**
             * @description ISO 4217 code, or BTC, USDC, USDT, USDB.
             * @example USD
             */
            code?: string;
            /**
             * @description English name of the currency.
             * @example US Dollar
             */
            name?: string;
            /**
             * @description Usual symbol.
             * @example $
             */
            symbol?: string;
            /**
             * @description Digits after the point: amounts are in units of 10^-decimals.
             * @example 2
             */
            decimals?: number;
        };
        /** @description Amount that the inviter intends to send once it is claimed. */
        CurrencyAmount: {
            /**
             * @description In the smallest unit of the currency (cents, satoshis, …).
             * @example 12550
             */
            amount: number;
            currency: components["schemas"]["Currency"];
        };
        /** @description A currency that the receiver accepts. */
        CurrencyPreference: {
            currency: components["schemas"]["Currency"];
            /**
             * @description The amount received per unit of the sender’s currency, after the platform’s fee. Not locked: a quote has the final rate.
             * @example 0.92
             */
            estimatedExchangeRate: number;
            /** @description Smallest amount that can be received, in the smallest unit. */
            min: number;
            /** @description Largest amount that can be received, in the smallest unit. */
            max: number;
        };
        /** @description A customer; `customerType` says which fields apply. */
        Customer: components["schemas"]["IndividualCustomer"] | components["schemas"]["BusinessCustomer"];
        /** @description A new customer; `customerType` says which fields apply. */
        CustomerCreateRequest: components["schemas"]["IndividualCustomerCreateRequest"] | components["schemas"]["BusinessCustomerCreateRequest"];
        /**
         * @description A fact about a person or business that a payment may have to carry.
         * @enum {string}
         */
        CustomerInfoFieldName: "FULL_NAME" | "BIRTH_DATE" | "NATIONALITY" | "PHONE_NUMBER" | "EMAIL" | "POSTAL_ADDRESS" | "TAX_ID" | "REGISTRATION_NUMBER" | "USER_TYPE" | "COUNTRY_OF_RESIDENCE" | "ACCOUNT_IDENTIFIER" | "FI_LEGAL_ENTITY_NAME" | "FI_ADDRESS" | "PURPOSE_OF_PAYMENT" | "ULTIMATE_INSTITUTION_COUNTRY" | "IDENTIFIER" | "BUSINESS_TYPE" | "COMPANY_LEGAL_NAME" | "ID_TYPE" | "ID_NUMBER";
        /** @description One page, and the cursor of the next. */
        CustomerListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["Customer"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /**
         * @description A natural person, or a company or other organisation.
         * @enum {string}
         */
        CustomerType: "INDIVIDUAL" | "BUSINESS";
        /** @description Changes to a customer; `customerType` must be the stored one. */
        CustomerUpdateRequest: components["schemas"]["IndividualCustomerUpdateRequest"] | components["schemas"]["BusinessCustomerUpdateRequest"];
        /** @description A customer and the status it entered. */
        CustomerWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "CUSTOMER.KYC_PENDING" | "CUSTOMER.KYC_APPROVED" | "CUSTOMER.KYC_REJECTED" | "CUSTOMER.KYB_PENDING" | "CUSTOMER.KYB_APPROVED" | "CUSTOMER.KYB_REJECTED";
            data: components["schemas"]["Customer"];
        };
        /** @description A file of new customers. */
        CustomersCsvUpload: {
            /**
             * Format: binary
             * @description CSV in UTF-8 with a header row, up to 100 MB. Columns in any order: `umaAddress`, `platformCustomerId`, `customerType`, `addressLine1`, `city`, `state`, `postalCode` and `country` for every row, `fullName` and `birthDate` for people, `businessLegalName` for businesses; optionally `addressLine2`, `email`, `phoneNumber`, `region`, `platformAccountId` and `description`, and for businesses `businessRegistrationNumber`, `businessTaxId`, `businessIncorporatedOn`, `primaryContactFirstName` and `primaryContactLastName`. In regions that require verified contacts, `email`, `phoneNumber` and a business’s primary contact are required.
             */
            file: Blob;
        };
        /** @description A key with which the owner of a wallet lets one card spend from it. */
        DelegatedKey: {
            /**
             * @description Id of the key.
             * @example DelegatedKey:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The card that spends.
             * @example Card:019542f5-b3e7-7d02-8000-000000000099
             */
            cardId: string;
            /**
             * @description Id of the card and the wallet together. It ends when the card’s funding source changes, and is never used again.
             * @example CardFundingSource:019542f5-b3e7-7d02-8000-000000000099
             */
            fundingSourceId: string;
            /**
             * @description The embedded wallet that pays.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * @description The public key, on P-256, compressed, in hexadecimal. The private key is never shown.
             * @example 02d4f5a1c0e7b39268fa14c5730b9e82d6c3f1a5497e0b8c2d61f3a7945e8b0c12
             */
            publicKey: string;
            /**
             * @description A name for the key.
             * @example Groceries
             */
            nickname: string;
            status: components["schemas"]["DelegatedKeyStatus"];
            /**
             * Format: date-time
             * @description When its owner first signed for it.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its status last changed.
             */
            updatedAt: string;
        };
        /** @description A request that lets a card spend from a wallet without a signature for every purchase. */
        DelegatedKeyCreateRequest: {
            /**
             * @description The card that may spend; the wallet is its funding source.
             * @example Card:019542f5-b3e7-7d02-8000-000000000099
             */
            cardId: string;
            /**
             * @description The embedded wallet.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            internalAccountId: string;
            /**
             * @description A name for the key.
             * @example Groceries
             */
            nickname: string;
        };
        /** @description Delegated keys of every status. */
        DelegatedKeyListResponse: {
            /** @description All keys, oldest first. */
            data: components["schemas"]["DelegatedKey"][];
        };
        /** @description The first or the second of two payloads that the owner of the wallet has to sign. */
        DelegatedKeySignedRequestChallenge: {
            /** @description Sign exactly these UTF-8 bytes: ECDSA with P-256 and SHA-256, by a key of an active session. */
            payloadToSign: string;
            /**
             * @description Send this as `Request-Id` when you repeat the call with the signature. It can be used once.
             * @example Request:019542f5-b3e7-7d02-8000-000000000099
             */
            requestId: string;
            /**
             * Format: date-time
             * @description The signature is accepted until this time.
             */
            expiresAt: string;
        };
        /**
         * @description `PENDING` until its owner has signed twice, `ACTIVE` while the card can spend, `REVOKED` for good.
         * @enum {string}
         */
        DelegatedKeyStatus: "PENDING" | "ACTIVE" | "REVOKED";
        /** @description A bank or mobile-money provider that receives payments. */
        Discovery: {
            /** @description The value to send as `bankName` or `provider` of an external account. */
            bankName: string;
            /** @description The name to show to people. */
            displayName: string;
            /**
             * @description ISO 3166-1 alpha-2 code.
             * @example NG
             */
            country: string;
            /**
             * @description ISO 4217 code.
             * @example NGN
             */
            currency: string;
            /** @description Rails on which accounts there can be paid. */
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        /** @description Receiving institutions. */
        DiscoveryListResponse: {
            /** @description By country, currency and display name. */
            data: components["schemas"]["Discovery"][];
        };
        /** @description An account of type `DKK_ACCOUNT`. */
        DkkExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "DKK_ACCOUNT";
            /** @description IBAN of DK, without spaces. */
            iban: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `DKK_ACCOUNT`. */
        DkkExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "DKK_ACCOUNT";
            /** @description IBAN of DK, without spaces. */
            iban: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("SEPA" | "SEPA_INSTANT")[];
        };
        /** @description A stored document. Its content cannot be downloaded again. */
        Document: {
            /**
             * @description Id of the document.
             * @example Document:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description Holder of the document: a customer or a beneficial owner.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            documentHolder: string;
            documentType: components["schemas"]["DocumentType"];
            /**
             * @description The side of a card that the file shows. If omitted, the file counts as both sides.
             * @enum {string}
             */
            side?: "FRONT" | "BACK";
            /**
             * Format: iso3166-1-alpha-2
             * @description Country that issued the document, ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string;
            /**
             * @description Number on the document. Required for `PASSPORT`, `DRIVERS_LICENSE` and `NATIONAL_ID`.
             * @example C01X00T47
             */
            documentNumber?: string;
            /**
             * @description Authority that issued the document. Required for `PASSPORT`, `DRIVERS_LICENSE` and `NATIONAL_ID`.
             * @example Stadt Berlin
             */
            issuingAuthority?: string;
            /**
             * @description Name of the uploaded file.
             * @example passport.pdf
             */
            fileName: string;
            /**
             * Format: date-time
             * @description When it was first uploaded.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last replaced.
             */
            updatedAt?: string;
        };
        /** @description One page, and the cursor of the next. */
        DocumentListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["Document"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description The new file and its details, which replace the stored ones. */
        DocumentReplaceRequest: {
            documentType: components["schemas"]["DocumentType"];
            /**
             * @description The side of a card that the file shows. If omitted, the file counts as both sides.
             * @enum {string}
             */
            side?: "FRONT" | "BACK";
            /**
             * Format: iso3166-1-alpha-2
             * @description Country that issued the document, ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string;
            /**
             * @description Number on the document. Required for `PASSPORT`, `DRIVERS_LICENSE` and `NATIONAL_ID`.
             * @example C01X00T47
             */
            documentNumber?: string;
            /**
             * @description Authority that issued the document. Required for `PASSPORT`, `DRIVERS_LICENSE` and `NATIONAL_ID`.
             * @example Stadt Berlin
             */
            issuingAuthority?: string;
            /**
             * Format: binary
             * @description The file: PDF, JPEG or PNG, at most 10 MB (10,485,760 bytes). Its type is taken from the part’s `Content-Type`, else from the extension of its name, else from its first bytes; `application/octet-stream` and `text/plain` count as no type.
             */
            file: Blob;
        };
        /**
         * @description Type of the document.
         * @enum {string}
         */
        DocumentType: "PASSPORT" | "DRIVERS_LICENSE" | "NATIONAL_ID" | "PROOF_OF_ADDRESS" | "BANK_STATEMENT" | "TAX_RETURN" | "CERTIFICATE_OF_INCORPORATION" | "ARTICLES_OF_INCORPORATION" | "ARTICLES_OF_ASSOCIATION" | "STATE_REGISTRY_EXCERPT" | "GOOD_STANDING_CERTIFICATE" | "INFORMATION_STATEMENT" | "INCUMBENCY_CERTIFICATE" | "BUSINESS_LICENSE" | "SHAREHOLDER_REGISTER" | "POWER_OF_ATTORNEY" | "UTILITY_BILL" | "ELECTRICITY_BILL" | "RENT_OR_LEASE_AGREEMENT" | "DIRECTOR_REGISTRY" | "TRUST_AGREEMENT" | "STATE_COMPANY_REGISTRY" | "PARTNERSHIP_CONTROL_AGREEMENT" | "PARTNERSHIP_AGREEMENT" | "SELFIE" | "OTHER";
        /** @description A document and its details. */
        DocumentUploadRequest: {
            /**
             * @description Holder of the document: a customer or a beneficial owner.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            documentHolder: string;
            documentType: components["schemas"]["DocumentType"];
            /**
             * @description The side of a card that the file shows. If omitted, the file counts as both sides.
             * @enum {string}
             */
            side?: "FRONT" | "BACK";
            /**
             * Format: iso3166-1-alpha-2
             * @description Country that issued the document, ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string;
            /**
             * @description Number on the document. Required for `PASSPORT`, `DRIVERS_LICENSE` and `NATIONAL_ID`.
             * @example C01X00T47
             */
            documentNumber?: string;
            /**
             * @description Authority that issued the document. Required for `PASSPORT`, `DRIVERS_LICENSE` and `NATIONAL_ID`.
             * @example Stadt Berlin
             */
            issuingAuthority?: string;
            /**
             * Format: binary
             * @description The file: PDF, JPEG or PNG, at most 10 MB (10,485,760 bytes). Its type is taken from the part’s `Content-Type`, else from the extension of its name, else from its first bytes; `application/octet-stream` and `text/plain` count as no type.
             */
            file: Blob;
        };
        /** @description An account of type `EGP_ACCOUNT`. */
        EgpExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "EGP_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /** @description IBAN of EG, without spaces. */
            iban?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `EGP_ACCOUNT`. */
        EgpExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "EGP_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /** @description IBAN of EG, without spaces. */
            iban?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
        };
        /** @description Codes to the customer’s e-mail address. */
        EmailOtpCredentialCreateRequest: {
            /**
             * @description A code by e-mail. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "EMAIL_OTP";
            /**
             * @description The embedded wallet.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
        };
        /** @description The code from an e-mail. */
        EmailOtpCredentialVerifyRequest: {
            /**
             * @description A code by e-mail. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "EMAIL_OTP";
            /** @description The code and the client’s new key, `{"otp_code", "public_key"}`, sealed to the key of the challenge, as JSON text. */
            encryptedOtpBundle: string;
        };
        /** @description How embedded wallets of this platform send their one-time codes. */
        EmbeddedWalletConfig: {
            /** @description Name of the app in messages to its users. */
            appName?: string;
            /** @description Characters of a one-time code. Unset: 6. */
            otpLength?: number;
            /** @description Whether codes also contain letters. Unset: digits only. */
            alphanumeric?: boolean;
            /** @description Seconds for which a code is valid. Unset: 300. */
            expirationSeconds?: number;
            /**
             * Format: email
             * @description Sender address of code mails.
             * @example otp@example.com
             */
            sendFromEmailAddress?: string;
            /** @description Sender name of code mails. Unset: Notifications. */
            sendFromEmailSenderName?: string;
            /**
             * Format: email
             * @description Reply-to address of code mails.
             * @example otp@example.com
             */
            replyToEmailAddress?: string;
            /**
             * Format: uri
             * @description Logo shown in code mails.
             */
            logoUrl?: string;
        };
        /** @description Omitted fields keep their values; `null` resets a field. */
        EmbeddedWalletConfigUpdate: {
            /** @description Name of the app in messages to its users. */
            appName?: string | null;
            /** @description Characters of a one-time code. Unset: 6. */
            otpLength?: number | null;
            /** @description Whether codes also contain letters. Unset: digits only. */
            alphanumeric?: boolean | null;
            /** @description Seconds for which a code is valid. Unset: 300. */
            expirationSeconds?: number | null;
            /** @description Sender address of code mails. */
            sendFromEmailAddress?: string | null;
            /** @description Sender name of code mails. Unset: Notifications. */
            sendFromEmailSenderName?: string | null;
            /** @description Reply-to address of code mails. */
            replyToEmailAddress?: string | null;
            /** @description Logo shown in code mails. */
            logoUrl?: string | null;
        };
        /** @description The end-user terms now in force. */
        EndUserTerms: {
            /**
             * @description The version now in force.
             * @example V1
             */
            version: string;
            /**
             * Format: uri
             * @description URL at which end users can read it.
             */
            url: string;
        };
        /**
         * @description How the end user agreed.
         * @enum {string}
         */
        EndUserTermsAcceptanceMethod: "CHECKBOX" | "CLICK_TO_ACCEPT";
        /** @description The consent on file. */
        EndUserTermsConsent: {
            /**
             * Format: date-time
             * @description When the end user agreed; at most 5 minutes ahead of our clock.
             */
            acceptedAt: string;
            /**
             * @description IPv4 or IPv6 address from which the end user agreed.
             * @example 203.0.113.7
             */
            ipAddress: string;
            /**
             * @description The version that the end user agreed to; any version ever published.
             * @example V1
             */
            termsVersion: string;
            acceptanceMethod: components["schemas"]["EndUserTermsAcceptanceMethod"];
        };
        /** @description The end user's consent to our terms. A later consent replaces it; it cannot be withdrawn. */
        EndUserTermsConsentRequest: {
            /**
             * Format: date-time
             * @description When the end user agreed; at most 5 minutes ahead of our clock.
             */
            acceptedAt: string;
            /**
             * @description IPv4 or IPv6 address from which the end user agreed.
             * @example 203.0.113.7
             */
            ipAddress: string;
            /**
             * @description The version that the end user agreed to; any version ever published.
             * @example V1
             */
            termsVersion: string;
            acceptanceMethod: components["schemas"]["EndUserTermsAcceptanceMethod"];
        };
        /**
         * @description Legal form.
         * @enum {string}
         */
        EntityType: "SOLE_PROPRIETORSHIP" | "PARTNERSHIP" | "LLC" | "CORPORATION" | "S_CORPORATION" | "NON_PROFIT" | "PUBLICLY_LISTED_COMPANY" | "TRUST" | "PRIVATE_FOUNDATION" | "CHARITY" | "OTHER";
        /** @description The body of a refusal with status 400. */
        Error400: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 400;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "INVALID_INPUT" | "INVALID_REQUEST_FORMAT" | "END_USER_TERMS_VERSION_NOT_FOUND" | "MISSING_MANDATORY_USER_INFO" | "INVITATION_ALREADY_CLAIMED" | "INVITATION_CANCELLED" | "INVITATIONS_NOT_CONFIGURED" | "INVALID_UMA_ADDRESS" | "QUOTE_REQUEST_FAILED" | "INVALID_PAYREQ_RESPONSE" | "PARSE_PAYREQ_RESPONSE_ERROR" | "PARSE_LNURLP_RESPONSE_ERROR" | "LOOKUP_REQUEST_FAILED" | "CERT_CHAIN_INVALID" | "CERT_CHAIN_EXPIRED" | "INVALID_PUBKEY_FORMAT" | "MISSING_REQUIRED_UMA_PARAMETERS" | "INVALID_TIMESTAMP" | "INVALID_NONCE" | "SENDER_NOT_ACCEPTED" | "INVALID_RECEIVER" | "AMOUNT_OUT_OF_RANGE" | "INVALID_CURRENCY" | "INVALID_AMOUNT" | "INVALID_BANK_ACCOUNT" | "SELF_PAYMENT" | "WEBHOOK_ENDPOINT_NOT_SET" | "WEBHOOK_DELIVERY_ERROR" | "LOW_QUALITY" | "DATA_MISMATCH" | "EXPIRED" | "SUSPECTED_FRAUD" | "UNSUITABLE_DOCUMENT" | "INCOMPLETE" | "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS" | "SMS_OTP_CREDENTIAL_ALREADY_EXISTS" | "PASSKEY_CREDENTIAL_ALREADY_EXISTS" | "CARDHOLDER_KYC_NOT_APPROVED" | "TRANSACTION_SIZE_LIMIT_EXCEEDED" | "EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED" | "INSUFFICIENT_FUNDS" | "QUOTE_EXPIRED" | "QUOTE_RATE_UNAVAILABLE" | "STABLECOIN_PROVIDER_ACCOUNT_INVALID" | "STABLECOIN_PROVIDER_ACCOUNT_REVOKED" | "STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED" | "STABLECOIN_VERIFICATION_FAILED" | "STABLECOIN_NOT_PROVISIONED" | "STABLECOIN_AMOUNT_NOT_REPRESENTABLE" | "STABLECOIN_OPERATION_NOT_SUPPORTED" | "STABLECOIN_BURN_SOURCE_NOT_SUPPORTED" | "STABLECOIN_SVC_OPERATIONS_NOT_ENABLED" | "STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED" | "STABLECOIN_EXTERNAL_ACCOUNT_NOT_LINKED" | "STABLECOIN_EXTERNAL_ACCOUNT_PROVIDER_LINK_REQUIRED" | "STABLECOIN_EXTERNAL_ACCOUNT_LINK_METHOD_REQUIRED" | "STABLECOIN_EXTERNAL_ACCOUNT_LINK_FAILED" | "STABLECOIN_EXTERNAL_ACCOUNT_PROVIDER_LINK_FAILED" | "STABLECOIN_PROVIDER_SOURCE_NOT_LINKED" | "STABLECOIN_PROVIDER_ERROR";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: {
                /** @description Every bad field at once. */
                errors?: components["schemas"]["FieldError"][];
            };
        };
        /** @description The body of a refusal with status 401. */
        Error401: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 401;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "UNAUTHORIZED" | "INVALID_SIGNATURE" | "WALLET_SIGNATURE_MISSING" | "REQUEST_ID_MISSING" | "WALLET_SIGNATURE_MALFORMED" | "WALLET_SIGNATURE_INVALID" | "WALLET_SIGNATURE_BODY_MISMATCH";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 403. */
        Error403: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 403;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "FORBIDDEN" | "END_USER_TERMS_NOT_ACCEPTED" | "USER_NOT_READY" | "COUNTERPARTY_NOT_ALLOWED" | "VELOCITY_LIMIT_EXCEEDED";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 404. */
        Error404: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 404;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "TRANSACTION_NOT_FOUND" | "QUOTE_NOT_FOUND" | "INVITATION_NOT_FOUND" | "TOKEN_NOT_FOUND" | "VERIFICATION_NOT_FOUND" | "SESSION_NOT_FOUND" | "BULK_UPLOAD_JOB_NOT_FOUND" | "STABLECOIN_NOT_FOUND" | "STABLECOIN_OPERATION_NOT_FOUND" | "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND" | "CUSTOMER_NOT_FOUND" | "USER_NOT_FOUND" | "ACCOUNT_NOT_FOUND" | "AUTH_METHOD_NOT_FOUND" | "DOCUMENT_HOLDER_NOT_FOUND" | "LOOKUP_REQUEST_NOT_FOUND" | "REFERENCE_NOT_FOUND" | "UMA_NOT_FOUND" | "REQUEST_NOT_FOUND" | "STABLECOIN_EXTERNAL_ACCOUNT_NOT_FOUND" | "PAYMENT_URL_NOT_FOUND" | "PLATFORM_NOT_FOUND" | "NOT_FOUND";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 405. */
        Error405: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 405;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "METHOD_NOT_ALLOWED";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 408. */
        Error408: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 408;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "REQUEST_TIMEOUT";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 409. */
        Error409: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 409;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "CONFLICT" | "UMA_ADDRESS_EXISTS" | "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" | "TRANSACTION_NOT_CANCELLABLE" | "EMAIL_OTP_EMAIL_ALREADY_EXISTS" | "SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS" | "EMAIL_OTP_CREDENTIAL_SET_CHANGED" | "SMS_OTP_CREDENTIAL_SET_CHANGED" | "PASSKEY_ALREADY_ENROLLED" | "SCA_SESSION_REQUIRED" | "BENEFICIARY_TRUSTED" | "BANK_ACCOUNT_VALIDATION_PENDING" | "DUPLICATE_EXTERNAL_ACCOUNT" | "DUPLICATE_PAY_REQUEST" | "DOCUMENT_ALREADY_EXISTS" | "INVALID_STATE_TRANSITION" | "CARD_ALREADY_CLOSED" | "CARD_NOT_MUTABLE" | "CARD_LIMIT_REACHED" | "WALLET_NOT_PROVISIONED" | "STABLECOIN_SYMBOL_ALREADY_EXISTS" | "STABLECOIN_TOKEN_IDENTIFIER_ALREADY_EXISTS" | "STABLECOIN_SVC_ENABLEMENT_NOT_REQUESTABLE";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 410. */
        Error410: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 410;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "CUSTOMER_DELETED";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 412. */
        Error412: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 412;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "UNSUPPORTED_UMA_VERSION";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 423. */
        Error423: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 423;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "ACCOUNT_LOCKED";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: {
                /**
                 * Format: date-time
                 * @description When the lock ends; absent if it does not end by itself.
                 */
                lockedUntil?: string;
                /** @description Failures counted so far. */
                failedAttempts?: number;
                /** @description Whether only a reset lifts the lock. */
                suspended?: boolean;
            };
        };
        /** @description The body of a refusal with status 424. */
        Error424: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 424;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "PAYREQ_REQUEST_FAILED" | "COUNTERPARTY_PUBKEY_FETCH_ERROR" | "NO_COMPATIBLE_UMA_VERSION" | "LNURLP_REQUEST_FAILED" | "EMAIL_OTP_CREDENTIAL_SYNC_FAILED" | "SMS_OTP_CREDENTIAL_SYNC_FAILED";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 429. */
        Error429: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 429;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "DAILY_VOLUME_LIMIT_EXCEEDED" | "RATE_LIMITED";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 500. */
        Error500: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 500;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "SVC_SWITCH_ERROR" | "INTERNAL_ERROR";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 501. */
        Error501: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 501;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "NOT_IMPLEMENTED" | "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY" | "UNRECOGNIZED_MANDATORY_COUNTERPARTY_DATA_KEY";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description The body of a refusal with status 503. */
        Error503: {
            /**
             * @description The HTTP status, repeated.
             * @enum {integer}
             */
            status?: 503;
            /**
             * @description Identifies the error, for programs.
             * @enum {string}
             */
            code: "SERVICE_UNAVAILABLE";
            /** @description Explains the error, for people. */
            reason: string;
            /** @description The same text as `reason`. */
            message?: string;
            /** @description Further details, if there are any. */
            details?: Record<string, unknown>;
        };
        /** @description A withdrawal to be priced. Nothing is reserved. */
        EstimateCryptoWithdrawalFeeRequest: {
            /**
             * @description Id of the account that the money would leave.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            internalAccountId: string;
            /**
             * @description Currency to withdraw: that of the account.
             * @example USDC
             */
            currency: string;
            /**
             * @description Network of the withdrawal.
             * @enum {string}
             */
            cryptoNetwork: "BITCOIN" | "LIGHTNING" | "SPARK" | "ETHEREUM" | "SOLANA" | "ARBITRUM" | "BASE" | "POLYGON" | "TRON" | "PLASMA";
            /**
             * @description Amount that leaves the account, including fees, in the smallest unit.
             * @example 25000000
             */
            amount: number;
            /** @description Destination: an address, or a Lightning invoice. */
            destinationAddress: string;
        };
        /** @description The current cost of a withdrawal. */
        EstimateCryptoWithdrawalFeeResponse: {
            /**
             * @description The network’s fee, in the smallest unit of `networkFeeAsset`. Do not add it to the other fees.
             * @example 5000
             */
            networkFee: number;
            /**
             * @description Asset in which the network’s fee is paid.
             * @example SOL
             */
            networkFeeAsset: string;
            /** @description The service’s fee, in the smallest unit of `currency`. */
            applicationFee: number;
            /**
             * @description Both fees together, the network’s converted and rounded up, in the smallest unit of `currency`.
             * @example 1000
             */
            totalFee: number;
            /**
             * @description Amount that would arrive: `amount` less `totalFee`.
             * @example 24999000
             */
            netAmount: number;
        };
        /** @description An account of type `ETHEREUM_WALLET`. */
        EthereumWalletExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ETHEREUM_WALLET";
            /** @description Address of the wallet: `0x` and 40 hexadecimal digits. */
            address: string;
            /**
             * @description The exchange that hosts the wallet, as listed by `GET /vasps`. Default: the wallet is self-hosted.
             * @example Kraken
             */
            vaspName?: string;
            /** @description The holder of the account. */
            beneficiary?: components["schemas"]["WalletIndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description The person who holds the account. */
        EurBeneficiary: {
            /**
             * @description The holder is a person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            beneficiaryType: "INDIVIDUAL";
            /**
             * @description Name of the holder. 1 to 200 characters.
             * @example Ada Lovelace
             */
            fullName: string;
            /**
             * Format: date
             * @description Date of birth.
             * @example 1990-04-23
             */
            birthDate?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality?: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number, E.164.
             * @example +4915112345678
             */
            phoneNumber?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country where the holder lives, ISO 3166-1 alpha-2.
             * @example DE
             */
            countryOfResidence: string;
            address?: components["schemas"]["Address"];
        };
        /** @description An account of type `EUR_ACCOUNT`. */
        EurExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "EUR_ACCOUNT";
            /**
             * @description International bank account number, without spaces.
             * @example DE89370400440532013000
             */
            iban: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["EurBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `EUR_ACCOUNT`. */
        EurExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "EUR_ACCOUNT";
            /**
             * @description International bank account number, without spaces.
             * @example DE89370400440532013000
             */
            iban: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["EurBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("SEPA" | "SEPA_INSTANT")[];
        };
        /** @description The answer of a listener’s receiver to a question. */
        EventAnswer: {
            /**
             * @description The HTTP status of the receiver’s answer.
             * @example 200
             */
            status: number;
            /**
             * @description The body of that answer as text, at most 10 KiB in UTF-8.
             * @example {"receiverCustomerInfo":{"FULL_NAME":"Ada Lovelace"}}
             */
            body?: string;
        };
        /** @description One attempt to deliver an event. */
        EventAttempt: {
            /**
             * @description Its number, from 1.
             * @example 1
             */
            attempt: number;
            /**
             * Format: date-time
             * @description When it was sent, in real time, as in the webhook’s `timestamp`.
             */
            at: string;
            /**
             * @description The address of the attempt, without user name, query and fragment, which may hold secrets; `listener:` and the id of a token if a listener with that token answered.
             * @example https://app.example.com/hooks
             */
            url: string;
            /**
             * @description How long it took, in milliseconds.
             * @example 48
             */
            durationMs: number;
            /**
             * @description The HTTP status of the answer.
             * @example 200
             */
            status?: number;
            /** @description The reason why there was no answer. */
            error?: string;
            /** @description The first 10 KiB of the answer. */
            responseBody?: string;
        };
        /** @description One page, and the cursor of the next. */
        EventAttemptListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["EventAttempt"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description An event with its payload. */
        EventDetail: {
            /**
             * @description Id of the event: the `id` of the webhook, the same on every attempt.
             * @example Webhook:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The event type.
             * @example OUTGOING_PAYMENT.COMPLETED
             */
            type: string;
            /**
             * @description The resource that the event is about: `data.id` of the webhook.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000030
             */
            resourceId: string;
            state: components["schemas"]["EventState"];
            /**
             * @description The number of delivery attempts.
             * @example 1
             */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the next retry is due; absent before the first attempt.
             */
            nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description When its content was erased, together with a customer that it named. It is not sent after that.
             */
            erasedAt?: string;
            /** @description The `data` of the webhook, sent or to be sent; empty after it was erased. */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description The events since the cursor. */
        EventFeed: {
            /** @description The events; those of one resource are in order. */
            events: components["schemas"]["HeardEvent"][];
            /** @description Send it with the next call. */
            cursor: string;
        };
        /** @description One page, and the cursor of the next. */
        EventListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["EventSummary"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /**
         * @description PENDING: waits for its first attempt or a retry. DELIVERED: answered with a 2xx. ACKED_DUPLICATE: answered with 409. EXHAUSTED: given up. SKIPPED: there was no endpoint when it was due, or it was erased before it was sent.
         * @enum {string}
         */
        EventState: "PENDING" | "DELIVERED" | "ACKED_DUPLICATE" | "EXHAUSTED" | "SKIPPED";
        /** @description An event and the state of its delivery. */
        EventSummary: {
            /**
             * @description Id of the event: the `id` of the webhook, the same on every attempt.
             * @example Webhook:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The event type.
             * @example OUTGOING_PAYMENT.COMPLETED
             */
            type: string;
            /**
             * @description The resource that the event is about: `data.id` of the webhook.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000030
             */
            resourceId: string;
            state: components["schemas"]["EventState"];
            /**
             * @description The number of delivery attempts.
             * @example 1
             */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the next retry is due; absent before the first attempt.
             */
            nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description When its content was erased, together with a customer that it named. It is not sent after that.
             */
            erasedAt?: string;
        };
        /** @description The price of one payment on one corridor and rail. */
        ExchangeRate: {
            sourceCurrency: components["schemas"]["Currency"];
            destinationCurrency: components["schemas"]["Currency"];
            /**
             * @description Rail of the payout; CRYPTO for every network of a digital currency.
             * @enum {string}
             */
            destinationPaymentRail: "ACH" | "ACH_COLOMBIA" | "BANK_TRANSFER" | "BRE_B" | "CIPS" | "FAST" | "FASTER_PAYMENTS" | "FEDNOW" | "INSTAPAY" | "MOBILE_MONEY" | "NEFT" | "PAYNOW" | "PESONET" | "PIX" | "RTGS" | "RTP" | "SEPA" | "SEPA_INSTANT" | "SPEI" | "SWIFT" | "UNIONPAY" | "UPI" | "WIRE" | "CRYPTO";
            /** @description Smallest amount that can be sent. */
            minSendingAmount: number;
            /** @description Largest amount that can be sent at once. */
            maxSendingAmount: number;
            /** @description The amount that was priced. */
            sendingAmount: number;
            /** @description Amount that would arrive, after all fees. */
            receivingAmount: number;
            /**
             * @description Units of the source per unit of the destination, before fees.
             * @example 1.08695652
             */
            exchangeRate: number;
            fees: components["schemas"]["ExchangeRateFees"];
            /**
             * Format: date-time
             * @description When the rate was read; it is valid for about five minutes.
             */
            updatedAt: string;
        };
        /** @description Cost of the payment, including the platform’s fees. */
        ExchangeRateFees: {
            /** @description Fixed fees, in the source currency. */
            fixed?: number;
            /** @description All fees at this amount, in the source currency. */
            total?: number;
        };
        /** @description Rates of all requested corridors. */
        ExchangeRateListResponse: {
            /** @description By source, destination and rail. */
            data: components["schemas"]["ExchangeRate"][];
        };
        /** @description The factor by which a customer under strong authentication authorizes the payment. */
        ExecuteQuoteRequest: {
            scaFactor?: components["schemas"]["ScaFactor"];
        };
        /**
         * @description How many payments a month are expected.
         * @enum {string}
         */
        ExpectedMonthlyTransactionCount: "COUNT_UNDER_10" | "COUNT_10_TO_100" | "COUNT_100_TO_500" | "COUNT_500_TO_1000" | "COUNT_OVER_1000";
        /**
         * @description How much money a month is expected to move, in US dollars.
         * @enum {string}
         */
        ExpectedMonthlyTransactionVolume: "VOLUME_UNDER_10K" | "VOLUME_10K_TO_100K" | "VOLUME_100K_TO_1M" | "VOLUME_1M_TO_10M" | "VOLUME_OVER_10M";
        /** @description The actor of an item. */
        ExplanationActor: {
            kind: components["schemas"]["ExplanationActorKind"];
            /**
             * @description Id of the token or agent.
             * @example Token:019542f5-b3e7-7d02-8000-000000000012
             */
            actorId?: string;
        };
        /**
         * @description The actor. TOKEN: a program of the platform. RAIL: a bank, network or other provider that moves money. PROVIDER: the issuer of a stablecoin. NETWORK: the card network. RECEIVER: the webhook endpoint. SERVICE: the service itself, by a timer or a rule. VISITOR: somebody on a hosted page.
         * @enum {string}
         */
        ExplanationActorKind: "TOKEN" | "AGENT" | "CUSTOMER" | "OPERATOR" | "SERVICE" | "RAIL" | "PROVIDER" | "NETWORK" | "RECEIVER" | "VISITOR";
        /** @description The call that does it. */
        ExplanationCall: {
            /**
             * @description The HTTP method.
             * @example POST
             * @enum {string}
             */
            method: "GET" | "POST";
            /**
             * @description The path, without the base path.
             * @example /quotes/{quoteId}/execute
             */
            path: string;
            /** @description The body to send. */
            body?: {
                [key: string]: unknown;
            };
        };
        /** @description The value that made the sandbox behave as it did. Absent in production. */
        ExplanationCause: {
            /**
             * @description The value that decided the outcome.
             * @example 004
             */
            value: string;
            /**
             * @description The part of the request that has the value.
             * @example the end of the account number
             */
            of: string;
            /**
             * @description The sandbox table that lists the value.
             * @example Payments within one currency
             */
            table: string;
            /**
             * @description The address of the table.
             * @example /docs/sandbox#same-currency-payouts
             */
            link: string;
            /**
             * @description What the table says about the value.
             * @example The bank refuses after a second.
             */
            effect: string;
        };
        /** @description Why a transaction failed. */
        ExplanationFailure: {
            /**
             * @description The reason as the transaction shows it.
             * @example PAYOUT_RETURNED
             */
            reason: string;
            /**
             * @description The reason in words.
             * @example The receiver’s bank sent the money back after the payment had been completed.
             */
            sentence: string;
            /**
             * @description The rule that was applied.
             * @example money.md §4.1
             */
            rule: string;
            causedBy?: components["schemas"]["ExplanationCause"];
        };
        /** @description One thing that happened to a transaction. */
        ExplanationItem: {
            kind: components["schemas"]["ExplanationItemKind"];
            /**
             * Format: date-time
             * @description When it happened, by the platform’s clock.
             */
            at: string;
            /**
             * Format: date-time
             * @description The same in real time; absent if that was not recorded.
             */
            recordedAt?: string;
            actor?: components["schemas"]["ExplanationActor"];
            /**
             * @description What happened, in words.
             * @example 100.00 USD was taken from the payer’s account.
             */
            title: string;
            /**
             * @description The rule behind it.
             * @example money.md §4.1
             */
            rule?: string;
            /** @description Structured facts, by kind. request: `requestId`, `method`, `path`, `status`, `code`, `durationMs`. decision: `about`, `outcome` and the compared values. transition: `of`, `from`, `to`. entry: `kind`, `number` and `lines`, each with `account`, `side`, `amount`, `currency`; only lines of your accounts and of fees. order: `order`, `state`. message: `message`, `channel`. job: `job`, `state`, `dueAt`, `attempts`. event: `eventId`, `type`, `state`, `attempts`. attempt: `eventId`, `attempt`, `status`, `error`, `durationMs`. */
            details: {
                [key: string]: unknown;
            };
        };
        /**
         * @description request: a call of the API. decision: what was checked, and its result. transition: a change of status. entry: a ledger entry. order: an instruction to a rail or provider, or its answer. message: an e-mail or text message, without its content. job: scheduled work. event: a webhook event. attempt: one attempt to deliver it.
         * @enum {string}
         */
        ExplanationItemKind: "request" | "decision" | "transition" | "entry" | "order" | "message" | "job" | "event" | "attempt";
        /** @description The last refused request about the transaction, if nothing has changed since. Absent once its check would pass. */
        ExplanationRefusal: {
            /**
             * @description The error code.
             * @example INSUFFICIENT_FUNDS
             */
            code: string;
            /**
             * Format: date-time
             * @description When it was refused, by the platform’s clock.
             */
            at: string;
            /**
             * @description The HTTP method.
             * @example POST
             */
            method: string;
            /**
             * @description The path, without the base path.
             * @example /quotes/{quoteId}/execute
             */
            path: string;
            /**
             * @description The HTTP status.
             * @example 400
             */
            status: number;
            /**
             * Format: uuid
             * @description The request’s id.
             * @example 5f0c2e6a-9d0b-4c55-8a55-0f6d6a4b7c11
             */
            requestId: string;
            /**
             * @description The rule that refused it.
             * @example money.md §3.3
             */
            rule?: string;
        };
        /** @description A resource that is related to the transaction. */
        ExplanationRelation: {
            /**
             * @description Id of the resource.
             * @example Quote:019542f5-b3e7-7d02-8000-000000000031
             */
            id: string;
            /**
             * @description How the resource relates to the transaction.
             * @example quote
             */
            relation: string;
        };
        /** @description What an unfinished transaction waits for. */
        ExplanationWaiting: {
            /**
             * @description What has to happen.
             * @example The platform has to execute the quote.
             */
            for: string;
            /**
             * Format: date-time
             * @description When the wait began.
             */
            since?: string;
            /**
             * Format: date-time
             * @description When the wait ends at the latest; absent if there is no deadline.
             */
            until?: string;
            /**
             * Format: date-time
             * @description When the service asks the awaited party next; the wait may last longer.
             */
            nextCheckAt?: string;
            /**
             * @description What happens after the wait.
             * @example The quote expires.
             */
            afterwards?: string;
            /** @description The party that can end the wait, and how. In the sandbox it includes calls that simulate the other party. */
            by: components["schemas"]["ExplanationWay"][];
        };
        /** @description How somebody can move a waiting transaction forward. */
        ExplanationWay: {
            who: components["schemas"]["ExplanationActorKind"];
            /**
             * @description What to do.
             * @example Execute the quote.
             */
            how: string;
            call?: components["schemas"]["ExplanationCall"];
            /**
             * @description The same step as a command.
             * @example corridor clock advance 5s
             */
            command?: string;
        };
        /** @description A bank account, mobile money account or wallet outside the service. */
        ExternalAccount: {
            /**
             * @description Id of the account.
             * @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /** @description The owner of the account; null if it is the platform itself. */
            customerId: string | null;
            status: components["schemas"]["ExternalAccountStatus"];
            /** @description Your own reference. It is returned unchanged and need not be unique. */
            platformAccountId?: string;
            ownershipType?: components["schemas"]["OwnershipType"];
            /**
             * @description The code of the account’s currency.
             * @example EUR
             */
            currency: string;
            /**
             * @description Whether money sent to the customer’s UMA address is forwarded to this account. At most one account of a customer has this; the latest one with it replaces the earlier.
             * @default false
             */
            defaultUmaDepositAccount: boolean;
            /** @description Beyond the contract, on customers’ accounts: whether the customer trusts the account. Payments to a trusted account need no challenge, and it cannot be deleted. */
            trusted?: boolean;
            beneficiaryVerificationStatus?: components["schemas"]["BeneficiaryVerificationStatus"];
            beneficiaryVerifiedData?: components["schemas"]["BeneficiaryVerifiedData"];
            accountInfo: components["schemas"]["ExternalAccountInfoOneOf"];
            /**
             * Format: date-time
             * @description When the account was added.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the account last changed.
             */
            updatedAt: string;
        };
        /** @description The account itself; `accountType` determines the fields. */
        ExternalAccountCreateInfoOneOf: components["schemas"]["AedExternalAccountCreateInfo"] | components["schemas"]["BdtExternalAccountCreateInfo"] | components["schemas"]["BrlExternalAccountCreateInfo"] | components["schemas"]["BwpExternalAccountCreateInfo"] | components["schemas"]["CadExternalAccountCreateInfo"] | components["schemas"]["CnyExternalAccountCreateInfo"] | components["schemas"]["CopExternalAccountCreateInfo"] | components["schemas"]["DkkExternalAccountCreateInfo"] | components["schemas"]["EgpExternalAccountCreateInfo"] | components["schemas"]["EurExternalAccountCreateInfo"] | components["schemas"]["GbpExternalAccountCreateInfo"] | components["schemas"]["GhsExternalAccountCreateInfo"] | components["schemas"]["GtqExternalAccountCreateInfo"] | components["schemas"]["HkdExternalAccountCreateInfo"] | components["schemas"]["HtgExternalAccountCreateInfo"] | components["schemas"]["IdrExternalAccountCreateInfo"] | components["schemas"]["IlsExternalAccountCreateInfo"] | components["schemas"]["InrExternalAccountCreateInfo"] | components["schemas"]["JmdExternalAccountCreateInfo"] | components["schemas"]["KesExternalAccountCreateInfo"] | components["schemas"]["MwkExternalAccountCreateInfo"] | components["schemas"]["MxnExternalAccountCreateInfo"] | components["schemas"]["MyrExternalAccountCreateInfo"] | components["schemas"]["NgnExternalAccountCreateInfo"] | components["schemas"]["PhpExternalAccountCreateInfo"] | components["schemas"]["PkrExternalAccountCreateInfo"] | components["schemas"]["RwfExternalAccountCreateInfo"] | components["schemas"]["SgdExternalAccountCreateInfo"] | components["schemas"]["SlvExternalAccountCreateInfo"] | components["schemas"]["ThbExternalAccountCreateInfo"] | components["schemas"]["TzsExternalAccountCreateInfo"] | components["schemas"]["UgxExternalAccountCreateInfo"] | components["schemas"]["UsdExternalAccountCreateInfo"] | components["schemas"]["VndExternalAccountCreateInfo"] | components["schemas"]["XafExternalAccountCreateInfo"] | components["schemas"]["XofExternalAccountCreateInfo"] | components["schemas"]["ZarExternalAccountCreateInfo"] | components["schemas"]["ZmwExternalAccountCreateInfo"] | components["schemas"]["SwiftExternalAccountCreateInfo"] | components["schemas"]["EthereumWalletExternalAccountInfo"] | components["schemas"]["BaseWalletExternalAccountInfo"] | components["schemas"]["PolygonWalletExternalAccountInfo"] | components["schemas"]["ArbitrumWalletExternalAccountInfo"] | components["schemas"]["PlasmaWalletExternalAccountInfo"] | components["schemas"]["SolanaWalletExternalAccountInfo"] | components["schemas"]["TronWalletExternalAccountInfo"] | components["schemas"]["SparkWalletExternalAccountInfo"] | components["schemas"]["LightningExternalAccountInfo"];
        /** @description An external account, to pay or to pull from. */
        ExternalAccountCreateRequest: {
            /**
             * @description The owner of the account; default: the platform itself.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId?: string;
            /**
             * @description The code of the account’s currency.
             * @example EUR
             */
            currency: string;
            /** @description Your own reference. It is returned unchanged and need not be unique. */
            platformAccountId?: string;
            ownershipType?: components["schemas"]["OwnershipType"];
            /**
             * @description Whether money sent to the customer’s UMA address is forwarded to this account. At most one account of a customer has this; the latest one with it replaces the earlier.
             * @default false
             */
            defaultUmaDepositAccount?: boolean;
            accountInfo: components["schemas"]["ExternalAccountCreateInfoOneOf"];
        };
        /** @description An external account, and the rail to it. */
        ExternalAccountDestinationReference: {
            /**
             * @description The external account that receives.
             * @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * @description The rail to use; default: the account’s first one.
             * @enum {string}
             */
            paymentRail?: "ACH" | "ACH_COLOMBIA" | "BANK_TRANSFER" | "BRE_B" | "CIPS" | "FAST" | "FASTER_PAYMENTS" | "FEDNOW" | "INSTAPAY" | "MOBILE_MONEY" | "NEFT" | "PAYNOW" | "PESONET" | "PIX" | "RTGS" | "RTP" | "SEPA" | "SEPA_INSTANT" | "SPEI" | "SWIFT" | "UNIONPAY" | "UPI" | "WIRE";
        };
        /** @description The account itself; `accountType` determines the fields. */
        ExternalAccountInfoOneOf: components["schemas"]["AedExternalAccountInfo"] | components["schemas"]["BdtExternalAccountInfo"] | components["schemas"]["BrlExternalAccountInfo"] | components["schemas"]["BwpExternalAccountInfo"] | components["schemas"]["CadExternalAccountInfo"] | components["schemas"]["CnyExternalAccountInfo"] | components["schemas"]["CopExternalAccountInfo"] | components["schemas"]["DkkExternalAccountInfo"] | components["schemas"]["EgpExternalAccountInfo"] | components["schemas"]["EurExternalAccountInfo"] | components["schemas"]["GbpExternalAccountInfo"] | components["schemas"]["GhsExternalAccountInfo"] | components["schemas"]["GtqExternalAccountInfo"] | components["schemas"]["HkdExternalAccountInfo"] | components["schemas"]["HtgExternalAccountInfo"] | components["schemas"]["IdrExternalAccountInfo"] | components["schemas"]["IlsExternalAccountInfo"] | components["schemas"]["InrExternalAccountInfo"] | components["schemas"]["JmdExternalAccountInfo"] | components["schemas"]["KesExternalAccountInfo"] | components["schemas"]["MwkExternalAccountInfo"] | components["schemas"]["MxnExternalAccountInfo"] | components["schemas"]["MyrExternalAccountInfo"] | components["schemas"]["NgnExternalAccountInfo"] | components["schemas"]["PhpExternalAccountInfo"] | components["schemas"]["PkrExternalAccountInfo"] | components["schemas"]["RwfExternalAccountInfo"] | components["schemas"]["SgdExternalAccountInfo"] | components["schemas"]["SlvExternalAccountInfo"] | components["schemas"]["ThbExternalAccountInfo"] | components["schemas"]["TzsExternalAccountInfo"] | components["schemas"]["UgxExternalAccountInfo"] | components["schemas"]["UsdExternalAccountInfo"] | components["schemas"]["VndExternalAccountInfo"] | components["schemas"]["XafExternalAccountInfo"] | components["schemas"]["XofExternalAccountInfo"] | components["schemas"]["ZarExternalAccountInfo"] | components["schemas"]["ZmwExternalAccountInfo"] | components["schemas"]["SwiftExternalAccountInfo"] | components["schemas"]["EthereumWalletExternalAccountInfo"] | components["schemas"]["BaseWalletExternalAccountInfo"] | components["schemas"]["PolygonWalletExternalAccountInfo"] | components["schemas"]["ArbitrumWalletExternalAccountInfo"] | components["schemas"]["PlasmaWalletExternalAccountInfo"] | components["schemas"]["SolanaWalletExternalAccountInfo"] | components["schemas"]["TronWalletExternalAccountInfo"] | components["schemas"]["SparkWalletExternalAccountInfo"] | components["schemas"]["LightningExternalAccountInfo"];
        /** @description One page, and the cursor of the next. */
        ExternalAccountListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["ExternalAccount"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description An external account. */
        ExternalAccountReference: {
            /**
             * @description The bank account to pull from.
             * @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
        };
        /**
         * @description `ACTIVE` can be paid. `PENDING` is being screened, `UNDER_REVIEW` waits for a manual review, and `INACTIVE` was disabled. `PENDING_OWNERSHIP_VERIFICATION` can be paid smaller amounts until its owner has proven ownership of the wallet; `UNVERIFIED` failed that proof.
         * @enum {string}
         */
        ExternalAccountStatus: "PENDING" | "ACTIVE" | "PENDING_OWNERSHIP_VERIFICATION" | "UNVERIFIED" | "UNDER_REVIEW" | "INACTIVE";
        /** @description An external account, right after a change of status. */
        ExternalAccountStatusWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "EXTERNAL_ACCOUNT.STATUS_UPDATED";
            data: components["schemas"]["ExternalAccount"];
        };
        /** @description A fee that the platform charges on top of the service’s fees. Either component may be used alone; if both are 0, the fee is off. */
        FeeConfig: {
            feeType: components["schemas"]["FeeType"];
            /**
             * Format: iso4217
             * @description Currency that is sent. USD only, for now. Upper case.
             * @example USD
             */
            sourceCurrency: string;
            /**
             * @description Basis points of the amount after all fixed fees. Left out: 0.
             * @example 30
             */
            variableFeeBps?: number;
            fixedFee?: components["schemas"]["FixedFee"];
        };
        /**
         * @description The kind of payment that the fee is charged on.
         * @enum {string}
         */
        FeeType: "CROSS_CURRENCY_TRANSACTION";
        /** @description The constraint that the value must satisfy. */
        FieldConstraint: {
            /** @description Name of the expected format. */
            format?: string;
            /** @description Regular expression. */
            pattern?: string;
            /** @description The accepted values. */
            enum?: string[];
            /** @description Fewest characters. */
            minLength?: number;
            /** @description Most characters. */
            maxLength?: number;
        };
        /** @description One bad field. */
        FieldError: {
            /** @description Dot path; an array index is a segment: `supportedCurrencies.0.minAmount`. */
            field: string;
            constraint?: components["schemas"]["FieldConstraint"];
            /** @description Says what is wrong with the value. */
            message: string;
        };
        /** @description An amount per payment. Left out: 0. */
        FixedFee: {
            /**
             * @description In the smallest unit.
             * @example 50
             */
            amount: number;
            /**
             * Format: iso4217
             * @description Must be the source currency. Upper case.
             * @example USD
             */
            currency: string;
        };
        /** @description An account of type `GBP_ACCOUNT`. */
        GbpExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "GBP_ACCOUNT";
            /**
             * @description Sort code of the bank.
             * @example 200415
             */
            sortCode: string;
            /**
             * @description Number of the account at its bank.
             * @example 55779911
             */
            accountNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `GBP_ACCOUNT`. */
        GbpExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "GBP_ACCOUNT";
            /**
             * @description Sort code of the bank.
             * @example 200415
             */
            sortCode: string;
            /**
             * @description Number of the account at its bank.
             * @example 55779911
             */
            accountNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "FASTER_PAYMENTS"[];
        };
        /** @description An account of type `GHS_ACCOUNT`. */
        GhsExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "GHS_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `GHS_ACCOUNT`. */
        GhsExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "GHS_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
        };
        /** @description The person who holds the account. */
        GtqBeneficiary: {
            /**
             * @description The holder is a person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            beneficiaryType: "INDIVIDUAL";
            /**
             * @description Name of the holder. 1 to 200 characters.
             * @example Ada Lovelace
             */
            fullName: string;
            /**
             * Format: date
             * @description Date of birth.
             * @example 1990-04-23
             */
            birthDate?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality?: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number, E.164.
             * @example +4915112345678
             */
            phoneNumber: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country where the holder lives, ISO 3166-1 alpha-2.
             * @example DE
             */
            countryOfResidence: string;
            address?: components["schemas"]["Address"];
        };
        /** @description An account of type `GTQ_ACCOUNT`. */
        GtqExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "GTQ_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description The kind of account.
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["GtqBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `GTQ_ACCOUNT`. */
        GtqExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "GTQ_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description The kind of account.
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["GtqBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description An event as the webhook that an endpoint would get now. */
        HeardEvent: {
            /**
             * @description Id of the event. Together with `resentAt` it identifies a repetition.
             * @example Webhook:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event was resent, in real time. Absent the first time.
             */
            resentAt?: string;
            /** @description Whether the event asks for a decision. */
            isQuestion: boolean;
            /**
             * Format: date-time
             * @description The deadline, in real time, for a listener’s answer to a question. Absent if the endpoint answers it, and after the deadline.
             */
            answerBy?: string;
            /** @description The headers of the webhook, its signature among them. */
            headers: {
                [key: string]: string;
            };
            /** @description The exact body of the webhook, which the signature covers. */
            body: string;
        };
        /** @description An account of type `HKD_ACCOUNT`. */
        HkdExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "HKD_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `HKD_ACCOUNT`. */
        HkdExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "HKD_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description An account of type `HTG_ACCOUNT`. */
        HtgExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "HTG_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `HTG_ACCOUNT`. */
        HtgExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "HTG_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "MOBILE_MONEY"[];
        };
        /**
         * @description The kind of number in `identifier`: US social security number, US individual taxpayer number, US employer number, or the tax number of another country. `EIN` is not possible for an individual customer.
         * @enum {string}
         */
        IdentificationType: "SSN" | "ITIN" | "EIN" | "NON_US_TAX_ID";
        /** @description An account of type `IDR_ACCOUNT`. */
        IdrExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "IDR_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +6281234567890
             */
            phoneNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `IDR_ACCOUNT`. */
        IdrExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "IDR_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +6281234567890
             */
            phoneNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description An account of type `ILS_ACCOUNT`. */
        IlsExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ILS_ACCOUNT";
            /** @description IBAN of IL, without spaces. */
            iban: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode?: string;
            /**
             * @description Name of the bank.
             * @example JPMorgan Chase
             */
            bankName?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `ILS_ACCOUNT`. */
        IlsExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ILS_ACCOUNT";
            /** @description IBAN of IL, without spaces. */
            iban: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode?: string;
            /**
             * @description Name of the bank.
             * @example JPMorgan Chase
             */
            bankName?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description An incoming transaction, right after a change. */
        IncomingPaymentWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "INCOMING_PAYMENT.PENDING" | "INCOMING_PAYMENT.COMPLETED" | "INCOMING_PAYMENT.FAILED" | "INCOMING_PAYMENT.REFUND_PENDING" | "INCOMING_PAYMENT.REFUND_COMPLETED" | "INCOMING_PAYMENT.REFUND_FAILED";
            /** @description The resource at the time of the event. */
            data: (components["schemas"]["Transaction"] & components["schemas"]["IncomingTransaction"]) & components["schemas"]["IncomingPaymentWebhookData"];
        };
        /** @description The incoming transaction, and the requested data about its receiver. */
        IncomingPaymentWebhookData: {
            /**
             * @description Id of the transaction.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description What the payment waits for, while it is blocked.
             * @enum {string}
             */
            pendingReason?: "COUNTERPARTY_DECLARATION_REQUIRED" | "WALLET_VERIFICATION_REQUIRED" | "COUNTERPARTY_INFORMATION_REQUIRED" | "COMPLIANCE_REVIEW";
            /**
             * @description Whether money comes in or goes out.
             * @enum {string}
             */
            direction: "CREDIT" | "DEBIT";
            /** @description The destination of the money. */
            destination: components["schemas"]["AccountTransactionDestination"] | components["schemas"]["UmaAddressTransactionDestination"];
            /**
             * @description The owner of the transaction: a customer, or the platform itself.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            /** @description The platform’s own id for that customer. */
            platformCustomerId: string;
            /**
             * Format: date-time
             * @description When the transaction completed.
             */
            settledAt?: string;
            /**
             * Format: date-time
             * @description When the transaction was created.
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description When the transaction last changed.
             */
            updatedAt?: string;
            /**
             * Format: date-time
             * @description When the platform delivered the receipt, as it confirmed.
             */
            receiptDeliveryConfirmedAt?: string;
            /** @description The agent that requested the payment. */
            agentId?: string;
            /** @description The platform’s note. */
            description?: string;
            /** @description Sending units per receiving unit, in major units, without fees. */
            exchangeRate?: number;
            /**
             * @description The quote that the transaction was created with.
             * @example Quote:019542f5-b3e7-7d02-8000-000000000099
             */
            quoteId?: string;
            refund?: components["schemas"]["Refund"];
            /** @description The known data about the other party. */
            counterpartyInformation?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description In a payment that an agent requested: when it started. Absent if it has not started.
             */
            executedAt?: string;
            /**
             * Format: date-time
             * @description In a payment that an agent requested: when the payer’s money was taken. Absent if nothing was taken. While the customer has to authorize the payment, `sentAmount` is on hold in an internal account.
             */
            takenAt?: string;
            payer?: components["schemas"]["PaymentParty"];
            payee?: components["schemas"]["PaymentParty"];
            /** @description In a payment that an agent requested: the text that the payee reads. */
            memo?: string;
            /**
             * @description Money that a customer or the platform receives.
             * @enum {string}
             */
            type: "INCOMING";
            /**
             * @description Current status.
             * @enum {string}
             */
            status: "CREATED" | "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
            /** @description The source of the money. */
            source?: components["schemas"]["AccountTransactionSource"] | components["schemas"]["UmaAddressTransactionSource"] | components["schemas"]["RealtimeFundingTransactionSource"];
            /** @description The amount that the sender sent, if known. */
            sentAmount?: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description The amount that arrives. */
            receivedAmount: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description All fees, in the smallest sending unit. */
            fees?: number;
            reconciliationInstructions?: components["schemas"]["ReconciliationInstructions"];
            /**
             * @description Why the payment failed; only if `status` is `FAILED`.
             * @enum {string}
             */
            failureReason?: "LNURLP_FAILED" | "PAY_REQUEST_FAILED" | "PAYMENT_APPROVAL_WEBHOOK_ERROR" | "PAYMENT_APPROVAL_TIMED_OUT" | "OFFRAMP_FAILED" | "MISSING_MANDATORY_PAYEE_DATA" | "QUOTE_EXPIRED" | "QUOTE_EXECUTION_FAILED" | "COMPLIANCE_REJECTED" | "COLLECTION_FAILED";
            /** @description Data about the receiver that the sender’s provider requests and that is not on file; only in a question. */
            requestedReceiverCustomerInfoFields?: components["schemas"]["CounterpartyFieldDefinition"][];
        };
        /** @description A payment that brings money in. */
        IncomingTransaction: {
            /**
             * @description Id of the transaction.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description What the payment waits for, while it is blocked.
             * @enum {string}
             */
            pendingReason?: "COUNTERPARTY_DECLARATION_REQUIRED" | "WALLET_VERIFICATION_REQUIRED" | "COUNTERPARTY_INFORMATION_REQUIRED" | "COMPLIANCE_REVIEW";
            /**
             * @description Whether money comes in or goes out.
             * @enum {string}
             */
            direction: "CREDIT" | "DEBIT";
            /** @description The destination of the money. */
            destination: components["schemas"]["AccountTransactionDestination"] | components["schemas"]["UmaAddressTransactionDestination"];
            /**
             * @description The owner of the transaction: a customer, or the platform itself.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            /** @description The platform’s own id for that customer. */
            platformCustomerId: string;
            /**
             * Format: date-time
             * @description When the transaction completed.
             */
            settledAt?: string;
            /**
             * Format: date-time
             * @description When the transaction was created.
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description When the transaction last changed.
             */
            updatedAt?: string;
            /**
             * Format: date-time
             * @description When the platform delivered the receipt, as it confirmed.
             */
            receiptDeliveryConfirmedAt?: string;
            /** @description The agent that requested the payment. */
            agentId?: string;
            /** @description The platform’s note. */
            description?: string;
            /** @description Sending units per receiving unit, in major units, without fees. */
            exchangeRate?: number;
            /**
             * @description The quote that the transaction was created with.
             * @example Quote:019542f5-b3e7-7d02-8000-000000000099
             */
            quoteId?: string;
            refund?: components["schemas"]["Refund"];
            /** @description The known data about the other party. */
            counterpartyInformation?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description In a payment that an agent requested: when it started. Absent if it has not started.
             */
            executedAt?: string;
            /**
             * Format: date-time
             * @description In a payment that an agent requested: when the payer’s money was taken. Absent if nothing was taken. While the customer has to authorize the payment, `sentAmount` is on hold in an internal account.
             */
            takenAt?: string;
            payer?: components["schemas"]["PaymentParty"];
            payee?: components["schemas"]["PaymentParty"];
            /** @description In a payment that an agent requested: the text that the payee reads. */
            memo?: string;
            /**
             * @description Money that a customer or the platform receives. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "INCOMING";
            /**
             * @description Current status.
             * @enum {string}
             */
            status: "CREATED" | "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
            /** @description The source of the money. */
            source?: components["schemas"]["AccountTransactionSource"] | components["schemas"]["UmaAddressTransactionSource"] | components["schemas"]["RealtimeFundingTransactionSource"];
            /** @description The amount that the sender sent, if known. */
            sentAmount?: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description The amount that arrives. */
            receivedAmount: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description All fees, in the smallest sending unit. */
            fees?: number;
            reconciliationInstructions?: components["schemas"]["ReconciliationInstructions"];
            /**
             * @description Why the payment failed; only if `status` is `FAILED`.
             * @enum {string}
             */
            failureReason?: "LNURLP_FAILED" | "PAY_REQUEST_FAILED" | "PAYMENT_APPROVAL_WEBHOOK_ERROR" | "PAYMENT_APPROVAL_TIMED_OUT" | "OFFRAMP_FAILED" | "MISSING_MANDATORY_PAYEE_DATA" | "QUOTE_EXPIRED" | "QUOTE_EXECUTION_FAILED" | "COMPLIANCE_REJECTED" | "COLLECTION_FAILED";
        };
        /** @description The person who holds the account. */
        IndividualBeneficiary: {
            /**
             * @description The holder is a person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            beneficiaryType: "INDIVIDUAL";
            /**
             * @description Name of the holder. 1 to 200 characters.
             * @example Ada Lovelace
             */
            fullName: string;
            /**
             * Format: date
             * @description Date of birth.
             * @example 1990-04-23
             */
            birthDate?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality?: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number, E.164.
             * @example +4915112345678
             */
            phoneNumber?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country where the holder lives, ISO 3166-1 alpha-2.
             * @example DE
             */
            countryOfResidence?: string;
            address?: components["schemas"]["Address"];
        };
        /** @description A customer who is a person. `identifier` is never sent back. */
        IndividualCustomer: {
            /**
             * @description A natural person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            customerType: "INDIVIDUAL";
            /**
             * @description Id of the customer.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            readonly id: string;
            /**
             * @description Your own reference.
             * @example user-4711
             */
            platformCustomerId: string;
            /**
             * @description UMA address.
             * @example $ada@example.com
             */
            umaAddress: string;
            endUserTermsConsent?: components["schemas"]["EndUserTermsConsent"];
            /**
             * @description Country of the customer, ISO 3166-1 alpha-2.
             * @example DE
             */
            region?: string;
            /** @description Currencies in which the customer has accounts. */
            currencies?: string[];
            /**
             * Format: email
             * @description E-mail address. Required for `USDB` and in regions that require verified contacts.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number in E.164 form. Required in regions that require verified contacts.
             * @example +4915112345678
             */
            phoneNumber?: string;
            /**
             * Format: date-time
             * @description When the customer was created.
             */
            readonly createdAt?: string;
            /**
             * Format: date-time
             * @description When the customer last changed.
             */
            readonly updatedAt?: string;
            /** @description Whether the customer was deleted. */
            readonly isDeleted?: boolean;
            contactVerification?: components["schemas"]["ContactVerification"];
            kycStatus?: components["schemas"]["KycStatus"];
            /**
             * @description First and last name, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . ,
             * @example Ada Lovelace
             */
            fullName?: string;
            /**
             * Format: date
             * @description Date of birth, after 1900-01-01 and not in the future.
             * @example 1990-04-23
             */
            birthDate?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality?: string;
            address?: components["schemas"]["Address"];
            idType?: components["schemas"]["IdentificationType"];
            /** @description The identification number, never returned. An SSN is `ddd-dd-dddd`, an ITIN has the same form and starts with 9, any other number has 4 to 30 letters, digits and `-./`. */
            identifier?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country that issued the number. `US` for an SSN or ITIN, where it may be omitted; another country otherwise.
             * @example DE
             */
            countryOfIssuance?: string;
            /** @description Sources of the money in this account. */
            sourceOfFundsCategories?: components["schemas"]["IndividualSourceOfFundsCategory"][];
            /** @description Describes `OTHER` in `sourceOfFundsCategories`. Ignored without `OTHER` there. */
            sourceOfFundsOtherDescription?: string;
            /** @description Sources of the person's wealth. */
            sourceOfWealthCategories?: components["schemas"]["SourceOfWealthCategory"][];
            /** @description Describes `OTHER` in `sourceOfWealthCategories`. Ignored without `OTHER` there. */
            sourceOfWealthOtherDescription?: string;
            purposeOfAccount?: components["schemas"]["PurposeOfAccount"];
            /** @description Describes `OTHER` in `purposeOfAccount`. Ignored without `OTHER` there. */
            purposeOfAccountOtherDescription?: string;
            expectedMonthlyTransactionCount?: components["schemas"]["ExpectedMonthlyTransactionCount"];
            expectedMonthlyTransactionVolume?: components["schemas"]["ExpectedMonthlyTransactionVolume"];
            annualIncomeRange?: components["schemas"]["AnnualIncomeRange"];
            netWorthRange?: components["schemas"]["NetWorthRange"];
            pepStatus?: components["schemas"]["PepStatus"];
        };
        /** @description A new customer who is a person. */
        IndividualCustomerCreateRequest: {
            /**
             * @description A natural person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            customerType: "INDIVIDUAL";
            /**
             * @description Your own reference, unique among your customers that are not deleted. Absent: generated.
             * @example user-4711
             */
            platformCustomerId?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country of the customer, ISO 3166-1 alpha-2; cannot change. Absent: inferred from the address, the business or the first currency of a single country, else `US`.
             * @example DE
             */
            region?: string;
            /** @description Currencies in which the customer has accounts; each must be one of the platform’s. Absent on create: all of them, without `USDB` if there is no `email`. A customer with an `email` also gets the embedded wallet in `USDB`, even if `USDB` is not listed here. */
            currencies?: string[];
            /**
             * Format: email
             * @description E-mail address. Required for `USDB` and in regions that require verified contacts.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number in E.164 form. Required in regions that require verified contacts.
             * @example +4915112345678
             */
            phoneNumber?: string;
            /**
             * @description UMA address `$user@domain`: up to 64 characters before the `@`, of `a-z 0-9 - _ . +`, stored in lower case. Absent: generated.
             * @example $ada@example.com
             */
            umaAddress?: string;
            endUserTermsConsent?: components["schemas"]["EndUserTermsConsentRequest"];
            /** @description Set by the service; ignored. */
            kycStatus?: components["schemas"]["KycStatus"] | (unknown[] | boolean | null | number | Record<string, unknown> | string);
            /**
             * @description First and last name, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . ,
             * @example Ada Lovelace
             */
            fullName?: string;
            /**
             * Format: date
             * @description Date of birth, after 1900-01-01 and not in the future.
             * @example 1990-04-23
             */
            birthDate?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality?: string;
            address?: components["schemas"]["Address"];
            idType?: components["schemas"]["IdentificationType"];
            /** @description The identification number, never returned. An SSN is `ddd-dd-dddd`, an ITIN has the same form and starts with 9, any other number has 4 to 30 letters, digits and `-./`. */
            identifier?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country that issued the number. `US` for an SSN or ITIN, where it may be omitted; another country otherwise.
             * @example DE
             */
            countryOfIssuance?: string;
            /** @description Sources of the money in this account. */
            sourceOfFundsCategories?: components["schemas"]["IndividualSourceOfFundsCategory"][];
            /** @description Describes `OTHER` in `sourceOfFundsCategories`. Ignored without `OTHER` there. */
            sourceOfFundsOtherDescription?: string;
            /** @description Sources of the person's wealth. */
            sourceOfWealthCategories?: components["schemas"]["SourceOfWealthCategory"][];
            /** @description Describes `OTHER` in `sourceOfWealthCategories`. Ignored without `OTHER` there. */
            sourceOfWealthOtherDescription?: string;
            purposeOfAccount?: components["schemas"]["PurposeOfAccount"];
            /** @description Describes `OTHER` in `purposeOfAccount`. Ignored without `OTHER` there. */
            purposeOfAccountOtherDescription?: string;
            expectedMonthlyTransactionCount?: components["schemas"]["ExpectedMonthlyTransactionCount"];
            expectedMonthlyTransactionVolume?: components["schemas"]["ExpectedMonthlyTransactionVolume"];
            annualIncomeRange?: components["schemas"]["AnnualIncomeRange"];
            netWorthRange?: components["schemas"]["NetWorthRange"];
            pepStatus?: components["schemas"]["PepStatus"];
        };
        /** @description Changes to a person; omitted fields keep their values, `null` clears. */
        IndividualCustomerUpdateRequest: {
            /**
             * @description A natural person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            customerType: "INDIVIDUAL";
            /** @description May be sent with the stored value; cannot change. */
            platformCustomerId?: string;
            /** @description May be sent with the stored value; cannot change. */
            region?: string;
            /** @description Currencies in which the customer has accounts; each must be one of the platform’s. Absent on create: all of them, without `USDB` if there is no `email`. A customer with an `email` also gets the embedded wallet in `USDB`, even if `USDB` is not listed here. */
            currencies?: string[];
            /** @description E-mail address. Required for `USDB` and in regions that require verified contacts. */
            email?: string | null;
            /** @description Phone number in E.164 form. Required in regions that require verified contacts. */
            phoneNumber?: string | null;
            /**
             * @description UMA address `$user@domain`: up to 64 characters before the `@`, of `a-z 0-9 - _ . +`, stored in lower case. Absent: generated.
             * @example $ada@example.com
             */
            umaAddress?: string;
            endUserTermsConsent?: components["schemas"]["EndUserTermsConsentRequest"];
            /** @description Set by the service; ignored. */
            kycStatus?: components["schemas"]["KycStatus"] | (unknown[] | boolean | null | number | Record<string, unknown> | string);
            /** @description First and last name, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . , */
            fullName?: string | null;
            /** @description Date of birth, after 1900-01-01 and not in the future. */
            birthDate?: string | null;
            /** @description Nationality, ISO 3166-1 alpha-2. */
            nationality?: string | null;
            /** @description A postal address; it replaces the stored one entirely. */
            address?: components["schemas"]["AddressUpdate"] | null;
            /** @description The kind of number in `identifier`: US social security number, US individual taxpayer number, US employer number, or the tax number of another country. `EIN` is not possible for an individual customer. */
            idType?: components["schemas"]["IdentificationType"] | null;
            /** @description The identification number, never returned. An SSN is `ddd-dd-dddd`, an ITIN has the same form and starts with 9, any other number has 4 to 30 letters, digits and `-./`. */
            identifier?: string | null;
            /** @description Country that issued the number. `US` for an SSN or ITIN, where it may be omitted; another country otherwise. */
            countryOfIssuance?: string | null;
            /** @description Sources of the money in this account. */
            sourceOfFundsCategories?: components["schemas"]["IndividualSourceOfFundsCategory"][] | null;
            /** @description Describes `OTHER` in `sourceOfFundsCategories`. Ignored without `OTHER` there. */
            sourceOfFundsOtherDescription?: string | null;
            /** @description Sources of the person's wealth. */
            sourceOfWealthCategories?: components["schemas"]["SourceOfWealthCategory"][] | null;
            /** @description Describes `OTHER` in `sourceOfWealthCategories`. Ignored without `OTHER` there. */
            sourceOfWealthOtherDescription?: string | null;
            /** @description Purpose of the account. `OTHER` needs `purposeOfAccountOtherDescription`. */
            purposeOfAccount?: components["schemas"]["PurposeOfAccount"] | null;
            /** @description Describes `OTHER` in `purposeOfAccount`. Ignored without `OTHER` there. */
            purposeOfAccountOtherDescription?: string | null;
            /** @description How many payments a month are expected. */
            expectedMonthlyTransactionCount?: components["schemas"]["ExpectedMonthlyTransactionCount"] | null;
            /** @description How much money a month is expected to move, in US dollars. */
            expectedMonthlyTransactionVolume?: components["schemas"]["ExpectedMonthlyTransactionVolume"] | null;
            /** @description Income in a year, in US dollars. */
            annualIncomeRange?: components["schemas"]["AnnualIncomeRange"] | null;
            /** @description Net worth: assets less debts, in US dollars. */
            netWorthRange?: components["schemas"]["NetWorthRange"] | null;
            /** @description Whether the person is politically exposed: at home, abroad, in an international organisation, or as a close associate or relative of such a person. */
            pepStatus?: components["schemas"]["PepStatus"] | null;
        };
        /**
         * @description Where a person's money for this account comes from.
         * @enum {string}
         */
        IndividualSourceOfFundsCategory: "SALARY" | "SELF_EMPLOYMENT_INCOME" | "INVESTMENT_INCOME" | "PENSION" | "RENTAL_INCOME" | "GIFT" | "INHERITANCE" | "LOAN" | "SAVINGS" | "SALE_OF_ASSETS" | "OTHER";
        /** @description An account of type `INR_ACCOUNT`. */
        InrExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "INR_ACCOUNT";
            /**
             * @description UPI address. Give this, or account number, IFSC and rail, or all of them.
             * @example asha.k@okbank
             */
            vpa?: string;
            /**
             * @description Number of the account at its bank.
             * @example 50100123456789
             */
            accountNumber?: string;
            /**
             * @description IFSC of the branch.
             * @example HDFC0000001
             */
            ifsc?: string;
            /**
             * @description The rail over which the bank account is paid.
             * @enum {string}
             */
            rail?: "NEFT" | "RTGS";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `INR_ACCOUNT`. */
        InrExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "INR_ACCOUNT";
            /**
             * @description UPI address. Give this, or account number, IFSC and rail, or all of them.
             * @example asha.k@okbank
             */
            vpa?: string;
            /**
             * @description Number of the account at its bank.
             * @example 50100123456789
             */
            accountNumber?: string;
            /**
             * @description IFSC of the branch.
             * @example HDFC0000001
             */
            ifsc?: string;
            /**
             * @description The rail over which the bank account is paid.
             * @enum {string}
             */
            rail?: "NEFT" | "RTGS";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("UPI" | "NEFT" | "RTGS")[];
        };
        /** @description An account that the service keeps for a customer or for the platform, in one currency. */
        InternalAccount: {
            /**
             * @description Id of the account.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description Owner of the account; absent if it is the platform’s own.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId?: string;
            type: components["schemas"]["InternalAccountType"];
            status: components["schemas"]["InternalAccountStatus"];
            /** @description Spendable money: settled money less holds. */
            balance: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description All money: spendable, on hold, and arriving. */
            totalBalance: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description Ways to pay money in, each with coordinates that belong to this account only. They never change. */
            fundingPaymentInstructions: components["schemas"]["PaymentInstructions"][];
            /** @description On `EMBEDDED_WALLET` only: whether its transfers are hidden from the public. */
            privateEnabled?: boolean;
            /**
             * Format: date-time
             * @description When the account was opened.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, including its balances.
             */
            updatedAt: string;
        };
        /** @description A change of an account’s money, with the balance after it. */
        InternalAccountEntry: {
            /**
             * @description Id of the ledger entry. An entry that changes two parts of the money is listed once for each.
             * @example JournalEntry:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was posted.
             */
            createdAt: string;
            /**
             * @description What the entry posts.
             * @example payment.executed
             * @enum {string}
             */
            kind: "deposit.received" | "payment.executed" | "payment.held" | "payment.captured" | "payment.released" | "payment.funded" | "payment.collected" | "payment.converted" | "payment.delivered" | "payment.returned" | "payment.unwound" | "refund.owed" | "refund.paid" | "refund.suspended" | "uma.received" | "uma.delivered" | "uma.held" | "uma.released" | "uma.refund_owed" | "uma.refund_paid" | "card.hold_adjusted" | "card.cleared" | "card.credited" | "collection.reversed" | "receipt.suspended" | "suspense.resolved" | "debt.written_off" | "card.shortfall_owed" | "card.credit_reversed" | "card.shortfall_collected" | "coin.hold_adjusted" | "coin.minted" | "coin.burned" | "coin.opened" | "bank.own_moved" | "bank.charged" | "bank.written_off";
            /**
             * @description The transaction, or the mint or burn, that posted it.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000032
             */
            transactionId?: string;
            /**
             * @description The part of the account’s money that changes. AVAILABLE: can be spent. HELD: on hold for a payment. ARRIVING: not credited yet.
             * @enum {string}
             */
            book: "AVAILABLE" | "HELD" | "ARRIVING";
            /**
             * @description Whether the entry adds to this part or takes from it.
             * @enum {string}
             */
            direction: "IN" | "OUT";
            /** @description The amount of the change. */
            amount: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description The balance of this part after the entry. */
            balanceAfter: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
        };
        /** @description One page, and the cursor of the next. */
        InternalAccountEntryListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["InternalAccountEntry"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
        };
        /** @description The key that the words of the wallet are sealed to. */
        InternalAccountExportRequest: {
            /**
             * @description A new P-256 key of the client, uncompressed, in 130 hexadecimal digits: the words are sealed to it.
             * @example 04da3883cf15b487bc9a8d7f073a185bb02ee633e532d1bbc6692c0e1a05cd39e4e07c4a4ee56b14f9273ad48a711d1e97187a5aa2a5bf2cab83c695a633e80699
             */
            clientPublicKey: string;
        };
        /** @description The words that restore the wallet anywhere, readable only by its owner. */
        InternalAccountExportResponse: {
            /**
             * @description Id of the wallet’s account.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /** @description The twelve words of the wallet, sealed to the client’s key, in an envelope as JSON text. The service signs the envelope; in the sandbox it is unsigned. */
            encryptedWalletCredentials: string;
            /** @description The path by which the wallet’s identity key is derived from the words (BIP-32). The second number is the account number, which the owner enters in another Spark wallet, whose default is 1. Beyond the contract. */
            derivationPath: string;
        };
        /** @description One page, and the cursor of the next. */
        InternalAccountListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["InternalAccount"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description An internal account. */
        InternalAccountReference: {
            /**
             * @description The internal account.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
        };
        /**
         * @description Only an `ACTIVE` account sends or receives. A `PENDING` account is being set up; a `FAILED` one could not be set up; a `FROZEN` one was stopped by the operator; `CLOSED` is final.
         * @enum {string}
         */
        InternalAccountStatus: "PENDING" | "ACTIVE" | "CLOSED" | "FROZEN" | "FAILED";
        /** @description An internal account, right after a change. */
        InternalAccountStatusWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "INTERNAL_ACCOUNT.BALANCE_UPDATED" | "INTERNAL_ACCOUNT.STATUS_UPDATED" | "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED";
            data: components["schemas"]["InternalAccount"];
        };
        /**
         * @description The kind of money in the account: a fiat currency, a digital currency that the service keeps for its owner, or a digital currency in a wallet whose keys only the customer can use.
         * @enum {string}
         */
        InternalAccountType: "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";
        /** @description The fields to change; at least one. */
        InternalAccountUpdateRequest: {
            /** @description Whether the wallet’s transfers are hidden from the public. */
            privateEnabled?: boolean;
        };
        /** @description An invitation that was claimed. */
        InvitationClaimedWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "INVITATION.CLAIMED";
            data: components["schemas"]["UmaInvitation"];
        };
        /** @description The person who holds the account. */
        JmdBeneficiary: {
            /**
             * @description The holder is a person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            beneficiaryType: "INDIVIDUAL";
            /**
             * @description Name of the holder. 1 to 200 characters.
             * @example Ada Lovelace
             */
            fullName: string;
            /**
             * Format: date
             * @description Date of birth.
             * @example 1990-04-23
             */
            birthDate?: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Nationality, ISO 3166-1 alpha-2.
             * @example DE
             */
            nationality?: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: e.164
             * @description Phone number, E.164.
             * @example +4915112345678
             */
            phoneNumber: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country where the holder lives, ISO 3166-1 alpha-2.
             * @example DE
             */
            countryOfResidence?: string;
            address: components["schemas"]["Address"];
        };
        /** @description An account of type `JMD_ACCOUNT`. */
        JmdExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "JMD_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description Code of the branch.
             * @example 10482
             */
            branchCode: string;
            /**
             * @description The kind of account.
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["JmdBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `JMD_ACCOUNT`. */
        JmdExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "JMD_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description Code of the branch.
             * @example 10482
             */
            branchCode: string;
            /**
             * @description The kind of account.
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["JmdBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description An account of type `KES_ACCOUNT`. */
        KesExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "KES_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +254712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `KES_ACCOUNT`. */
        KesExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "KES_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +254712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "MOBILE_MONEY"[];
        };
        /**
         * @description Status of a business’s check. `APPROVED` and `REJECTED` are final; `HOLD` is a pause that only the provider sets.
         * @enum {string}
         */
        KybStatus: "UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED" | "HOLD";
        /** @description Options of the link. */
        KycLinkCreateRequest: {
            /**
             * Format: uri
             * @description URL to which the customer is redirected after the form, unchanged. It must be `https://`; for development it may be `http://`, in production to localhost only. Browsers follow the form to this origin only: it must not redirect to another origin.
             * @example https://app.example.com/onboarding/done
             */
            redirectUri?: string;
        };
        /** @description A link to the hosted onboarding page. */
        KycLinkResponse: {
            /**
             * @description Send the customer to this URL. Anyone who has it can fill in the form, so treat it as a secret.
             * @example https://pay.example.com/onboard/tEGdV9kK?redirectUri=https%3A%2F%2Fapp.example.com%2Fdone
             */
            kycUrl: string;
            /**
             * Format: date-time
             * @description When the link expires: after 24 hours.
             */
            expiresAt: string;
            provider: components["schemas"]["KycProvider"];
            /** @description The same link as an opaque string, for clients that embed the page. */
            token?: string;
        };
        /**
         * @description The provider whose interface the reply follows. The page itself is ours.
         * @enum {string}
         */
        KycProvider: "SUMSUB";
        /**
         * @description Status of a person’s identity check. `APPROVED` and `REJECTED` are final; `HOLD` is a pause that only the provider sets.
         * @enum {string}
         */
        KycStatus: "UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED" | "HOLD";
        /** @description An account of type `LIGHTNING` or `LIGHTNING_ACCOUNT`. */
        LightningExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "LIGHTNING" | "LIGHTNING_ACCOUNT";
            /** @description BOLT 11 invoice; it can be paid once. */
            invoice?: string;
            /**
             * @description BOLT 12 offer.
             * @example lno1…
             */
            bolt12?: string;
            /**
             * @description Lightning address: `user@domain`.
             * @example ada@wallet.example
             */
            lightningAddress?: string;
        };
        /** @description A page for the owner to open. */
        LivenessChallenge: {
            /**
             * @description The owner opens a page. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            method: "LIVENESS";
            /**
             * Format: uri
             * @description The page that the owner opens. The outcome arrives as a webhook.
             */
            verificationLink: string;
            /** @description For the provider’s SDK, if it has one. */
            token?: string;
            /**
             * Format: date-time
             * @description The deadline for the proof.
             */
            expiresAt: string;
        };
        /** @description An account of type `MWK_ACCOUNT`. */
        MwkExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "MWK_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `MWK_ACCOUNT`. */
        MwkExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "MWK_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "MOBILE_MONEY"[];
        };
        /** @description An account of type `MXN_ACCOUNT`. */
        MxnExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "MXN_ACCOUNT";
            /**
             * @description CLABE, the 18-digit account number.
             * @example 032180000118359719
             */
            clabeNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `MXN_ACCOUNT`. */
        MxnExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "MXN_ACCOUNT";
            /**
             * @description CLABE, the 18-digit account number.
             * @example 032180000118359719
             */
            clabeNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "SPEI"[];
        };
        /** @description An account of type `MYR_ACCOUNT`. */
        MyrExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "MYR_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `MYR_ACCOUNT`. */
        MyrExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "MYR_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /**
         * @description Net worth: assets less debts, in US dollars.
         * @enum {string}
         */
        NetWorthRange: "UNDER_100K" | "RANGE_100K_500K" | "RANGE_500K_1M" | "RANGE_1M_5M" | "RANGE_5M_25M" | "OVER_25M";
        /** @description An account of type `NGN_ACCOUNT`. */
        NgnExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "NGN_ACCOUNT";
            /**
             * @description NUBAN account number.
             * @example 0123456789
             */
            accountNumber: string;
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `NGN_ACCOUNT`. */
        NgnExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "NGN_ACCOUNT";
            /**
             * @description NUBAN account number.
             * @example 0123456789
             */
            accountNumber: string;
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description An account at an issuer of id tokens. */
        OauthCredentialCreateRequest: {
            /**
             * @description An id token from an issuer. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "OAUTH";
            /**
             * @description The embedded wallet.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /** @description A fresh id token from the issuer: issued within the last minute. */
            oidcToken: string;
        };
        /** @description An id token whose `nonce` names the client’s key. */
        OauthCredentialVerifyRequest: {
            /**
             * @description An id token from an issuer. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "OAUTH";
            /** @description A fresh id token from the issuer: issued within the last minute. */
            oidcToken: string;
            /**
             * @description A P-256 key of the client, in hexadecimal. A compressed key (66 digits) signs for the session itself. For an uncompressed key (130 digits), the service creates the session’s key and seals it to the client’s key.
             * @example 0225576f894a46e948716764e6a63a88b5fd454d27747cad2fadd2c243b297c9d4
             */
            clientPublicKey: string;
        };
        /** @description The transfer’s transaction on the blockchain. */
        OnChainTransaction: {
            /** @description The hash, in the network’s own notation. */
            transactionHash: string;
            network: components["schemas"]["CryptoNetwork"];
        };
        /** @description An outgoing transaction, right after a change. */
        OutgoingPaymentWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "OUTGOING_PAYMENT.PENDING" | "OUTGOING_PAYMENT.PENDING_AUTHORIZATION" | "OUTGOING_PAYMENT.PROCESSING" | "OUTGOING_PAYMENT.COMPLETED" | "OUTGOING_PAYMENT.FAILED" | "OUTGOING_PAYMENT.EXPIRED" | "OUTGOING_PAYMENT.REFUND_PENDING" | "OUTGOING_PAYMENT.REFUND_COMPLETED" | "OUTGOING_PAYMENT.REFUND_FAILED";
            /** @description The resource at the time of the event. */
            data: components["schemas"]["Transaction"] & components["schemas"]["OutgoingTransaction"];
        };
        /** @description How a payment across currencies is priced. */
        OutgoingRateDetails: {
            /** @description Smallest receiving units per thousandth of a satoshi; for information. */
            counterpartyMultiplier: number;
            /** @description The counterparty’s fee, in the smallest receiving unit. */
            counterpartyFixedFee: number;
            /** @description Thousandths of a satoshi per smallest sending unit, after the variable fee; for information. */
            svcApiMultiplier: number;
            /** @description The fixed part of the service fee, in the smallest sending unit. */
            svcApiFixedFee: number;
            /**
             * @description The variable part of the service fee, as a share of the amount sent.
             * @example 0.005
             */
            svcApiVariableFeeRate: number;
            /** @description The variable part of the service fee, in the smallest sending unit. */
            svcApiVariableFeeAmount: number;
        };
        /** @description A payment that sends money. */
        OutgoingTransaction: {
            /**
             * @description Id of the transaction.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description What the payment waits for, while it is blocked.
             * @enum {string}
             */
            pendingReason?: "COUNTERPARTY_DECLARATION_REQUIRED" | "WALLET_VERIFICATION_REQUIRED" | "COUNTERPARTY_INFORMATION_REQUIRED" | "COMPLIANCE_REVIEW";
            /**
             * @description Whether money comes in or goes out.
             * @enum {string}
             */
            direction: "CREDIT" | "DEBIT";
            /** @description The destination of the money. */
            destination: components["schemas"]["AccountTransactionDestination"] | components["schemas"]["UmaAddressTransactionDestination"];
            /**
             * @description The owner of the transaction: a customer, or the platform itself.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            /** @description The platform’s own id for that customer. */
            platformCustomerId: string;
            /**
             * Format: date-time
             * @description When the transaction completed.
             */
            settledAt?: string;
            /**
             * Format: date-time
             * @description When the transaction was created.
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description When the transaction last changed.
             */
            updatedAt?: string;
            /**
             * Format: date-time
             * @description When the platform delivered the receipt, as it confirmed.
             */
            receiptDeliveryConfirmedAt?: string;
            /** @description The agent that requested the payment. */
            agentId?: string;
            /** @description The platform’s note. */
            description?: string;
            /** @description Sending units per receiving unit, in major units, without fees. */
            exchangeRate?: number;
            /**
             * @description The quote that the transaction was created with.
             * @example Quote:019542f5-b3e7-7d02-8000-000000000099
             */
            quoteId?: string;
            refund?: components["schemas"]["Refund"];
            /** @description The known data about the other party. */
            counterpartyInformation?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description In a payment that an agent requested: when it started. Absent if it has not started.
             */
            executedAt?: string;
            /**
             * Format: date-time
             * @description In a payment that an agent requested: when the payer’s money was taken. Absent if nothing was taken. While the customer has to authorize the payment, `sentAmount` is on hold in an internal account.
             */
            takenAt?: string;
            payer?: components["schemas"]["PaymentParty"];
            payee?: components["schemas"]["PaymentParty"];
            /** @description In a payment that an agent requested: the text that the payee reads. */
            memo?: string;
            /**
             * @description Money that a customer or the platform sends. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "OUTGOING";
            /**
             * @description Current status.
             * @enum {string}
             */
            status: "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED";
            /** @description The source of the money. */
            source: components["schemas"]["AccountTransactionSource"] | components["schemas"]["UmaAddressTransactionSource"] | components["schemas"]["RealtimeFundingTransactionSource"];
            /** @description The amount taken from the payer, fees included. */
            sentAmount: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description The amount that the receiver gets. */
            receivedAmount?: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
            /** @description All fees, in the smallest sending unit. */
            fees?: number;
            /** @description The platform’s part of `fees`. */
            platformFees?: number;
            reconciliationInstructions?: components["schemas"]["ReconciliationInstructions"];
            /** @description How to fund or sign the payment, copied from its quote. */
            paymentInstructions?: components["schemas"]["PaymentInstructions"][];
            rateDetails?: components["schemas"]["OutgoingRateDetails"];
            /**
             * @description Why the payment failed; only if `status` is `FAILED`.
             * @enum {string}
             */
            failureReason?: "QUOTE_EXPIRED" | "QUOTE_RATE_UNAVAILABLE" | "QUOTE_EXECUTION_FAILED" | "FUNDING_AMOUNT_MISMATCH" | "SCA_NOT_COMPLETED" | "PAYOUT_RETURNED" | "LIMIT_EXCEEDED" | "ACCOUNT_CANNOT_RECEIVE" | "ACCOUNT_INVALID" | "COMPLIANCE_REJECTED" | "LIGHTNING_PAYMENT_FAILED" | "COUNTERPARTY_POST_TX_FAILED";
            /** @description The rail of the payout; null if it does not go to a bank. */
            paymentRail?: ("ACH" | "ACH_COLOMBIA" | "BANK_TRANSFER" | "BRE_B" | "CIPS" | "FAST" | "FASTER_PAYMENTS" | "FEDNOW" | "INSTAPAY" | "MOBILE_MONEY" | "NEFT" | "PAYNOW" | "PESONET" | "PIX" | "RTGS" | "RTP" | "SEPA" | "SEPA_INSTANT" | "SPEI" | "SWIFT" | "UNIONPAY" | "UPI" | "WIRE") | null;
            /** @description `MANUAL` if the caller chose the rail, `AUTO` if not; null if there is no rail. */
            railSelectionMode?: ("AUTO" | "MANUAL") | null;
            /** @description When the payout should arrive; null if that is at once. */
            expectedSettlementAt?: string | null;
            /** @description How long the rail takes; null if it is instant. */
            settlementTimelineSeconds?: number | null;
        };
        /** @description The proof that the wallet’s owner has to give. */
        OwnershipChallenge: components["schemas"]["WalletSignatureChallenge"] | components["schemas"]["LivenessChallenge"];
        /** @description How the owner will prove ownership of the wallet. */
        OwnershipChallengeRequest: {
            method: components["schemas"]["OwnershipVerificationMethod"];
        };
        /**
         * @description Whether the account is the owner’s own or a third party’s.
         * @enum {string}
         */
        OwnershipType: "FIRST_PARTY" | "THIRD_PARTY";
        /**
         * @description A signature by the wallet’s key, or a liveness check on a hosted page.
         * @enum {string}
         */
        OwnershipVerificationMethod: "WALLET_SIGNATURE" | "LIVENESS";
        /** @description The proof of ownership of the wallet. */
        OwnershipVerifyRequest: {
            /** @description The signature over the challenge’s text, in the wallet’s format: hexadecimal on EVM chains and Tron, Base58 on Solana, base64 for Bitcoin and Spark. */
            signature: string;
            /**
             * @description Bitcoin only: `electrum` for Electrum and Sparrow wallets.
             * @default bip137
             * @enum {string}
             */
            signatureScheme?: "bip137" | "electrum";
        };
        /** @description The result of `navigator.credentials.get`. */
        PasskeyAssertion: {
            /** @description The passkey’s id, in base64url. */
            credentialId: string;
            /** @description The client data, in base64url. */
            clientDataJson: string;
            /** @description The authenticator data, in base64url. */
            authenticatorData: string;
            /** @description The signature, in base64url. */
            signature: string;
            /** @description Accepted but not used. */
            userHandle?: string;
        };
        /** @description The result of `navigator.credentials.create`. */
        PasskeyAttestation: {
            /** @description The passkey’s id, in base64url. */
            credentialId: string;
            /** @description The client data from the browser, in base64url. */
            clientDataJson: string;
            /** @description The attestation object from the browser, in base64url. */
            attestationObject: string;
            /** @description How the authenticator can be reached. */
            transports?: ("usb" | "nfc" | "ble" | "internal" | "hybrid")[];
        };
        /** @description A passkey and the challenge that it has to sign. */
        PasskeyAuthChallenge: {
            /**
             * @description Id of the credential.
             * @example AuthMethod:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The embedded wallet.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * @description A passkey. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "PASSKEY";
            /**
             * @description For a passkey: its id in browsers, in base64url.
             * @example Z0nM1EQQlo43tferBzafCg
             */
            credentialId: string;
            /**
             * @description A display name: the e-mail address, phone number or name behind it. For a passkey, the name that it was given.
             * @example ada@example.com
             */
            nickname: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
            /** @description Hexadecimal digits. Pass their 64 ASCII characters, not the decoded bytes, to `navigator.credentials.get`. */
            challenge: string;
            /**
             * @description Send it as `Request-Id` with the verification.
             * @example Request:019542f5-b3e7-7d02-8000-000000000099
             */
            requestId: string;
            /**
             * Format: date-time
             * @description The deadline to answer the challenge.
             */
            expiresAt: string;
        };
        /** @description A passkey that a browser or phone has just created. */
        PasskeyCredentialCreateRequest: {
            /**
             * @description A passkey. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "PASSKEY";
            /**
             * @description The embedded wallet.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * @description The owner’s name for it: up to 100 letters, digits, spaces and `. _ - ' ( )`.
             * @example Ada's phone
             */
            nickname: string;
            /** @description The challenge that you gave the browser, in base64url. */
            challenge: string;
            attestation: components["schemas"]["PasskeyAttestation"];
        };
        /** @description The passkey’s answer to a challenge. */
        PasskeyCredentialVerifyRequest: {
            /**
             * @description A passkey. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "PASSKEY";
            assertion: components["schemas"]["PasskeyAssertion"];
        };
        /** @description A new passkey. */
        PasskeyEnrollmentConfirmRequest: {
            /**
             * @description A passkey. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "PASSKEY";
            /**
             * @description The origin of the page that created the passkey.
             * @example http://localhost:3000
             */
            origin: string;
            /** @description `PublicKeyCredential.toJSON()` of the result of `navigator.credentials.create()`. */
            credential: {
                [key: string]: unknown;
            };
        };
        /** @description The passkey is enrolled. */
        PasskeyEnrollmentConfirmResponse: {
            /**
             * @description A passkey. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "PASSKEY";
            factor: components["schemas"]["ScaFactorView"];
        };
        /** @description The options with which a browser creates a passkey; valid for ten minutes. */
        PasskeyEnrollmentStart: {
            /**
             * @description A passkey. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "PASSKEY";
            /** @description The options for `navigator.credentials.create()`, in the form that `parseCreationOptionsFromJSON` takes. */
            options: {
                [key: string]: unknown;
            };
            /** @description The origins of pages that may use the passkey. */
            allowedOrigins: string[];
            /**
             * @description The relying party that the passkey belongs to.
             * @example localhost
             */
            relyingPartyId: string;
        };
        /** @description A passkey. */
        PasskeyFactorEnrollRequest: {
            /**
             * @description A passkey. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "PASSKEY";
        };
        PaymentAedAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "AED_ACCOUNT";
            /** @description IBAN of AE. */
            iban: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode?: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentArsAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ARS_ACCOUNT";
            /** @description CVU. */
            accountNumber: string;
        };
        PaymentBaseWalletInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BASE_WALLET";
            /** @description Address on the network to send to. */
            address: string;
            /**
             * @description Asset to send; anything else is lost.
             * @enum {string}
             */
            assetType?: "USDC";
        };
        PaymentBdtAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BDT_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /** @description Branch code (transit number). */
            branchCode?: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode?: string;
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentBitcoinL1Info: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BITCOIN_L1";
            /** @description Address on the network to send to. */
            address: string;
            /**
             * @description Network of the address.
             * @enum {string}
             */
            network?: "BITCOIN";
        };
        PaymentBrlAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BRL_ACCOUNT";
            /** @description BR Code to pay by PIX, as text or drawn as a QR code. */
            qrCode: string;
        };
        PaymentBwpAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "BWP_ACCOUNT";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /**
             * @description Mobile money provider.
             * @example M-PESA
             */
            provider: string;
            /** @description Rails over which money may come in. */
            paymentRails: "MOBILE_MONEY"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentCadAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "CAD_ACCOUNT";
            /** @description Institution number of the bank. */
            bankCode: string;
            /** @description Branch code (transit number). */
            branchCode: string;
            /** @description Account number at the bank. */
            accountNumber: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentCnyAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "CNY_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentCopAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "COP_ACCOUNT";
            /**
             * Format: uri
             * @description Page on which the payment is made.
             */
            paymentUrl: string;
        };
        PaymentDkkAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "DKK_ACCOUNT";
            /** @description IBAN of DK. */
            iban: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("SEPA" | "SEPA_INSTANT")[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentEgpAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "EGP_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /** @description IBAN of EG. */
            iban?: string;
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentEmbeddedWalletInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "EMBEDDED_WALLET";
            /** @description Payload that the wallet signs, byte for byte, to release the payment. */
            payloadToSign: string;
        };
        PaymentEthereumWalletInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ETHEREUM_WALLET";
            /** @description Address on the network to send to. */
            address: string;
            /**
             * @description Asset to send; anything else is lost.
             * @enum {string}
             */
            assetType?: "USDC" | "USDT";
        };
        PaymentEurAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "EUR_ACCOUNT";
            /** @description International bank account number. */
            iban: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("SEPA" | "SEPA_INSTANT")[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentGbpAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "GBP_ACCOUNT";
            /** @description Sort code. */
            sortCode: string;
            /** @description Account number at the bank. */
            accountNumber: string;
            /** @description Rails over which money may come in. */
            paymentRails: "FASTER_PAYMENTS"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentGhsAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "GHS_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentGtqAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "GTQ_ACCOUNT";
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description Kind of bank account.
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentHkdAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "HKD_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentHtgAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "HTG_ACCOUNT";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /** @description Rails over which money may come in. */
            paymentRails: "MOBILE_MONEY"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentIdrAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "IDR_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode: string;
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentInrAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "INR_ACCOUNT";
            /**
             * @description UPI address.
             * @example fund.8841@sandbox
             */
            vpa?: string;
            /** @description Account number at the bank. */
            accountNumber?: string;
            /** @description IFSC of the branch. */
            ifsc?: string;
            /** @description Rail of the bank account: `NEFT` or `RTGS`. */
            rail?: string;
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("UPI" | "NEFT" | "RTGS")[];
        };
        /** @description One way to pay money in. */
        PaymentInstructions: {
            /** @description Notes for a person who pays this way. */
            instructionsNotes?: string;
            /** @description Whether the money goes to the platform itself, not to a customer. */
            isPlatformAccount?: boolean;
            /** @description Where to send the money; `accountType` determines the fields. */
            accountOrWalletInfo: components["schemas"]["PaymentUsdAccountInfo"] | components["schemas"]["PaymentBrlAccountInfo"] | components["schemas"]["PaymentMxnAccountInfo"] | components["schemas"]["PaymentDkkAccountInfo"] | components["schemas"]["PaymentEurAccountInfo"] | components["schemas"]["PaymentInrAccountInfo"] | components["schemas"]["PaymentNgnAccountInfo"] | components["schemas"]["PaymentCadAccountInfo"] | components["schemas"]["PaymentGbpAccountInfo"] | components["schemas"]["PaymentHkdAccountInfo"] | components["schemas"]["PaymentIdrAccountInfo"] | components["schemas"]["PaymentMyrAccountInfo"] | components["schemas"]["PaymentPhpAccountInfo"] | components["schemas"]["PaymentSgdAccountInfo"] | components["schemas"]["PaymentThbAccountInfo"] | components["schemas"]["PaymentVndAccountInfo"] | components["schemas"]["PaymentAedAccountInfo"] | components["schemas"]["PaymentKesAccountInfo"] | components["schemas"]["PaymentMwkAccountInfo"] | components["schemas"]["PaymentRwfAccountInfo"] | components["schemas"]["PaymentTzsAccountInfo"] | components["schemas"]["PaymentUgxAccountInfo"] | components["schemas"]["PaymentXofAccountInfo"] | components["schemas"]["PaymentZarAccountInfo"] | components["schemas"]["PaymentZmwAccountInfo"] | components["schemas"]["PaymentBwpAccountInfo"] | components["schemas"]["PaymentXafAccountInfo"] | components["schemas"]["PaymentBdtAccountInfo"] | components["schemas"]["PaymentArsAccountInfo"] | components["schemas"]["PaymentCopAccountInfo"] | components["schemas"]["PaymentEgpAccountInfo"] | components["schemas"]["PaymentGhsAccountInfo"] | components["schemas"]["PaymentGtqAccountInfo"] | components["schemas"]["PaymentHtgAccountInfo"] | components["schemas"]["PaymentJmdAccountInfo"] | components["schemas"]["PaymentPkrAccountInfo"] | components["schemas"]["PaymentSlvAccountInfo"] | components["schemas"]["PaymentSwiftAccountInfo"] | components["schemas"]["PaymentCnyAccountInfo"] | components["schemas"]["PaymentSparkWalletInfo"] | components["schemas"]["PaymentLightningInfo"] | components["schemas"]["PaymentSolanaWalletInfo"] | components["schemas"]["PaymentTronWalletInfo"] | components["schemas"]["PaymentPlasmaWalletInfo"] | components["schemas"]["PaymentPolygonWalletInfo"] | components["schemas"]["PaymentBaseWalletInfo"] | components["schemas"]["PaymentEthereumWalletInfo"] | components["schemas"]["PaymentBitcoinL1Info"] | components["schemas"]["PaymentEmbeddedWalletInfo"];
        };
        PaymentJmdAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "JMD_ACCOUNT";
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber: string;
            /** @description Branch code (transit number). */
            branchCode: string;
            /**
             * @description Kind of bank account.
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentKesAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "KES_ACCOUNT";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /**
             * @description Mobile money provider.
             * @example M-PESA
             */
            provider: string;
            /** @description Rails over which money may come in. */
            paymentRails: "MOBILE_MONEY"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentLightningInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "LIGHTNING";
            /** @description Lightning invoice to pay. */
            invoice: string;
        };
        PaymentMwkAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "MWK_ACCOUNT";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /**
             * @description Mobile money provider.
             * @example M-PESA
             */
            provider: string;
            /** @description Rails over which money may come in. */
            paymentRails: "MOBILE_MONEY"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentMxnAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "MXN_ACCOUNT";
            /** @description CLABE. */
            clabeNumber: string;
            /** @description Rails over which money may come in. */
            paymentRails: "SPEI"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentMyrAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "MYR_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentNgnAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "NGN_ACCOUNT";
            /** @description NUBAN account number. */
            accountNumber: string;
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        /** @description The other party of a payment. */
        PaymentParty: {
            /** @description The holder’s name on the account. */
            name?: string;
            /**
             * @description The number or address of the account: `****` and its last four characters. A UMA address is shown in full.
             * @example ****3000
             */
            account: string;
        };
        PaymentPhpAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "PHP_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /** @description Account number at the bank. */
            accountNumber: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentPkrAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "PKR_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /** @description IBAN of PK. */
            iban?: string;
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentPlasmaWalletInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "PLASMA_WALLET";
            /** @description Address on the network to send to. */
            address: string;
            /**
             * @description Asset to send; anything else is lost.
             * @enum {string}
             */
            assetType?: "USDT";
        };
        PaymentPolygonWalletInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "POLYGON_WALLET";
            /** @description Address on the network to send to. */
            address: string;
            /**
             * @description Asset to send; anything else is lost.
             * @enum {string}
             */
            assetType?: "USDC";
        };
        /**
         * @description A way in which a payment travels.
         * @enum {string}
         */
        PaymentRail: "ACH" | "ACH_COLOMBIA" | "BANK_TRANSFER" | "BRE_B" | "CIPS" | "FAST" | "FASTER_PAYMENTS" | "FEDNOW" | "INSTAPAY" | "MOBILE_MONEY" | "NEFT" | "PAYNOW" | "PESONET" | "PIX" | "RTGS" | "RTP" | "SEPA" | "SEPA_INSTANT" | "SPEI" | "SWIFT" | "UNIONPAY" | "UPI" | "WIRE";
        PaymentRwfAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "RWF_ACCOUNT";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /**
             * @description Mobile money provider.
             * @example M-PESA
             */
            provider: string;
            /** @description Rails over which money may come in. */
            paymentRails: "MOBILE_MONEY"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentSgdAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SGD_ACCOUNT";
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode: string;
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("PAYNOW" | "FAST" | "BANK_TRANSFER")[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentSlvAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SLV_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName?: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description Kind of bank account.
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentSolanaWalletInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SOLANA_WALLET";
            /** @description Address on the network to send to. */
            address: string;
            /**
             * @description Asset to send; anything else is lost.
             * @enum {string}
             */
            assetType?: "USDC" | "USDT";
        };
        PaymentSparkWalletInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SPARK_WALLET";
            /** @description Address on the network to send to. */
            address: string;
            /**
             * @description Asset to send: `BTC` or the code of a token.
             * @example BTC
             */
            assetType: string;
            /** @description Spark invoice for exactly this payment. */
            invoice?: string;
        };
        PaymentSwiftAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SWIFT_ACCOUNT";
            /** @description Country of the bank, ISO 3166-1 alpha-2. */
            country: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode: string;
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /** @description Name of the account holder. */
            accountHolderName: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /** @description International bank account number. */
            iban?: string;
            /** @description Postal address of the bank. */
            bankAddress?: string;
            /** @description Must be part of the payment, if given. */
            reference?: string;
            /** @description Rails over which money may come in. */
            paymentRails: "SWIFT"[];
        };
        PaymentThbAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "THB_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentTronWalletInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "TRON_WALLET";
            /** @description Address on the network to send to. */
            address: string;
            /**
             * @description Asset to send; anything else is lost.
             * @enum {string}
             */
            assetType?: "USDT";
        };
        PaymentTzsAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "TZS_ACCOUNT";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /**
             * @description Mobile money provider.
             * @example M-PESA
             */
            provider: string;
            /** @description Rails over which money may come in. */
            paymentRails: "MOBILE_MONEY"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentUgxAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "UGX_ACCOUNT";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /**
             * @description Mobile money provider.
             * @example M-PESA
             */
            provider: string;
            /** @description Rails over which money may come in. */
            paymentRails: "MOBILE_MONEY"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentUsdAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "USD_ACCOUNT";
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber: string;
            /** @description ABA routing number of the bank. */
            routingNumber: string;
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName?: string;
            /** @description Postal address of the bank. */
            bankAddress?: string;
            /**
             * @description Kind of bank account.
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            /** @description Wires only: the intermediary bank. */
            intermediaryBankName?: string;
            /** @description Wires only: routing number of the intermediary bank. */
            intermediaryRoutingNumber?: string;
            /** @description Wires only: note from bank to bank. */
            fiToFiInformation?: string;
            /** @description Name of the account holder. */
            accountHolderName?: string;
            /** @description Rails over which money may come in. */
            paymentRails: ("ACH" | "WIRE" | "RTP" | "FEDNOW")[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentVndAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "VND_ACCOUNT";
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /**
             * @description Account number at the bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description SWIFT code (BIC) of the bank.
             * @example SBOXDEFF
             */
            swiftCode: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentXafAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "XAF_ACCOUNT";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /**
             * @description Mobile money provider.
             * @example M-PESA
             */
            provider: string;
            /**
             * @description Country of the account, ISO 3166-1 alpha-2.
             * @enum {string}
             */
            region: "CM" | "CG";
            /** @description Rails over which money may come in. */
            paymentRails: "MOBILE_MONEY"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentXofAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "XOF_ACCOUNT";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /**
             * @description Mobile money provider.
             * @example M-PESA
             */
            provider: string;
            /**
             * @description Country of the account, ISO 3166-1 alpha-2.
             * @enum {string}
             */
            region: "BJ" | "CI" | "SN" | "TG";
            /** @description Rails over which money may come in. */
            paymentRails: "MOBILE_MONEY"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentZarAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ZAR_ACCOUNT";
            /** @description Account number at the bank. */
            accountNumber: string;
            /**
             * @description Name of the bank.
             * @example Sandbox Bank
             */
            bankName: string;
            /** @description Rails over which money may come in. */
            paymentRails: "BANK_TRANSFER"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        PaymentZmwAccountInfo: {
            /**
             * @description Determines the fields. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ZMW_ACCOUNT";
            /** @description Phone number in international form, starting with a plus sign. */
            phoneNumber: string;
            /**
             * @description Mobile money provider.
             * @example M-PESA
             */
            provider: string;
            /** @description Rails over which money may come in. */
            paymentRails: "MOBILE_MONEY"[];
            /**
             * @description Must be part of the payment, so that the money reaches this account.
             * @example FUND-7QK2M9XA
             */
            reference: string;
        };
        /**
         * @description Whether the person is politically exposed: at home, abroad, in an international organisation, or as a close associate or relative of such a person.
         * @enum {string}
         */
        PepStatus: "NONE" | "DOMESTIC" | "FOREIGN" | "HIO" | "FAMILY_OR_ASSOCIATE";
        /**
         * @description VIEW reads, TRANSACT moves money, MANAGE writes everything else. No permission includes another.
         * @enum {string}
         */
        Permission: "VIEW" | "TRANSACT" | "MANAGE";
        /** @description An account of type `PHP_ACCOUNT`. */
        PhpExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "PHP_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 001234567890
             */
            accountNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `PHP_ACCOUNT`. */
        PhpExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "PHP_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 001234567890
             */
            accountNumber: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description An account of type `PKR_ACCOUNT`. */
        PkrExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "PKR_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /** @description IBAN of PK, without spaces. */
            iban?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `PKR_ACCOUNT`. */
        PkrExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "PKR_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /** @description IBAN of PK, without spaces. */
            iban?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
        };
        /** @description An account of type `PLASMA_WALLET`. */
        PlasmaWalletExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "PLASMA_WALLET";
            /** @description Address of the wallet: `0x` and 40 hexadecimal digits. */
            address: string;
            /**
             * @description The exchange that hosts the wallet, as listed by `GET /vasps`. Default: the wallet is self-hosted.
             * @example Kraken
             */
            vaspName?: string;
            /** @description The holder of the account. */
            beneficiary?: components["schemas"]["WalletIndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description The settings that a platform chooses for itself, in one environment. */
        PlatformConfig: {
            /**
             * @description Id of the configuration.
             * @example PlatformConfig:019542f5-b3e7-7d02-8000-000000000099
             */
            readonly id: string;
            /**
             * @description Domain of the UMA addresses of new customers.
             * @example pay.example.com
             */
            umaDomain?: string;
            /**
             * @description First label of `umaDomain`, with a number if another platform has that label.
             * @example pay
             */
            readonly proxyUmaSubdomain?: string;
            /**
             * @description URL that events are delivered to.
             * @example https://example.com/hooks
             */
            webhookEndpoint?: string;
            /** @description Currencies the platform uses. */
            supportedCurrencies?: components["schemas"]["PlatformCurrencyConfig"][];
            /** @description Whether the platform verifies its customers itself. Set by the operator. */
            readonly isRegulatedFinancialInstitution?: boolean;
            embeddedWalletConfig?: components["schemas"]["EmbeddedWalletConfig"];
            cardTokenization2faConfig?: components["schemas"]["CardTokenization2FAConfig"];
            /** @description Fees of the platform that are in force. */
            feeConfigs?: components["schemas"]["FeeConfig"][];
            /**
             * Format: date-time
             * @description When the platform was created.
             */
            readonly createdAt?: string;
            /**
             * Format: date-time
             * @description When a setting last changed.
             */
            readonly updatedAt?: string;
        };
        /** @description The fields to change; omitted fields keep their values. */
        PlatformConfigUpdateRequest: {
            /**
             * @description DNS name that no other platform uses. Existing addresses keep their domain.
             * @example pay.example.com
             */
            umaDomain?: string;
            /** @description Absolute URL without credentials or fragment; in production https and a public address. `null` clears it. */
            webhookEndpoint?: string | null;
            /** @description Replaces the whole list. */
            supportedCurrencies?: components["schemas"]["PlatformCurrencyConfigUpdate"][];
            /** @description Omitted fields keep their values; `null` resets a field. */
            embeddedWalletConfig?: components["schemas"]["EmbeddedWalletConfigUpdate"] | null;
            /** @description Omitted fields keep their values; `null` resets a field. */
            cardTokenization2faConfig?: components["schemas"]["CardTokenization2FAConfigUpdate"] | null;
            /** @description Sets or replaces fees by type and source currency; fees that are not sent stay. */
            feeConfigs?: components["schemas"]["FeeConfig"][];
        };
        /** @description One currency of the platform and the rules for using it. */
        PlatformCurrencyConfig: {
            /**
             * @description ISO 4217 code, or BTC, USDC, USDT, USDB, or a currency of the platform’s own. Upper case.
             * @example USD
             */
            currencyCode: string;
            /**
             * @description Smallest amount of one payment, in the smallest unit.
             * @example 100
             */
            minAmount: number;
            /**
             * @description Largest amount of one payment, in the smallest unit.
             * @example 1000000
             */
            maxAmount: number;
            /** @description Facts that UMA senders are asked for. The webhook of a pending payment carries them. */
            requiredCounterpartyFields: components["schemas"]["CounterpartyFieldDefinition"][];
            /** @description Directions in which the currency may be used. */
            enabledTransactionTypes: components["schemas"]["TransactionType"][];
            /** @description Facts about a customer that our providers require before the currency can be enabled for it. */
            readonly providerRequiredCustomerFields?: components["schemas"]["CustomerInfoFieldName"][];
            /** @description Facts about the counterparty that our providers require before they quote a payment in the currency. */
            readonly providerRequiredCounterpartyCustomerFields?: components["schemas"]["CustomerInfoFieldName"][];
        };
        /** @description One currency of the platform and the rules for using it. */
        PlatformCurrencyConfigUpdate: {
            /**
             * @description ISO 4217 code, or BTC, USDC, USDT, USDB, or a currency of the platform’s own. Upper case.
             * @example USD
             */
            currencyCode: string;
            /**
             * @description Smallest amount of one payment, in the smallest unit.
             * @example 100
             */
            minAmount: number;
            /**
             * @description Largest amount of one payment, in the smallest unit.
             * @example 1000000
             */
            maxAmount: number;
            /** @description Facts that UMA senders are asked for. The webhook of a pending payment carries them. */
            requiredCounterpartyFields: components["schemas"]["CounterpartyFieldDefinition"][];
            /** @description Directions in which the currency may be used. */
            enabledTransactionTypes: components["schemas"]["TransactionType"][];
            /** @description Set by the service; ignored. */
            providerRequiredCustomerFields?: components["schemas"]["CustomerInfoFieldName"][] | (unknown[] | boolean | null | number | Record<string, unknown> | string);
            /** @description Set by the service; ignored. */
            providerRequiredCounterpartyCustomerFields?: components["schemas"]["CustomerInfoFieldName"][] | (unknown[] | boolean | null | number | Record<string, unknown> | string);
        };
        /** @description An external account of the platform itself, to pay or to pull from. */
        PlatformExternalAccountCreateRequest: {
            /**
             * @description The code of the account’s currency.
             * @example EUR
             */
            currency: string;
            /** @description Your own reference. It is returned unchanged and need not be unique. */
            platformAccountId?: string;
            ownershipType?: components["schemas"]["OwnershipType"];
            accountInfo: components["schemas"]["ExternalAccountCreateInfoOneOf"];
        };
        /** @description The platform’s fee for this quote only, in place of its configured fee. */
        PlatformFeeOverride: {
            /** @description An amount per payment. */
            platformFixedFee: {
                /**
                 * @description In the smallest unit.
                 * @example 50
                 */
                amount: number;
                /**
                 * @description Must be the currency that is sent.
                 * @example USD
                 */
                currency: string;
            };
            /** @description Share of the amount sent after fixed fees, in hundredths of a percent. */
            platformVariableFeeBps: number;
        };
        /** @description The platform’s own accounts. */
        PlatformInternalAccountListResponse: {
            /** @description All accounts of the platform, oldest first. */
            data: components["schemas"]["InternalAccount"][];
        };
        /** @description An account of type `POLYGON_WALLET`. */
        PolygonWalletExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "POLYGON_WALLET";
            /** @description Address of the wallet: `0x` and 40 hexadecimal digits. */
            address: string;
            /**
             * @description The exchange that hosts the wallet, as listed by `GET /vasps`. Default: the wallet is self-hosted.
             * @example Kraken
             */
            vaspName?: string;
            /** @description The holder of the account. */
            beneficiary?: components["schemas"]["WalletIndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /**
         * @description Purpose of the account. `OTHER` needs `purposeOfAccountOtherDescription`.
         * @enum {string}
         */
        PurposeOfAccount: "CONTRACTOR_PAYOUTS" | "CREATOR_PAYOUTS" | "EMPLOYEE_PAYOUTS" | "MARKETPLACE_SELLER_PAYOUTS" | "SUPPLIER_PAYMENTS" | "CROSS_BORDER_B2B" | "AR_AUTOMATION" | "AP_AUTOMATION" | "EMBEDDED_PAYMENTS" | "PLATFORM_FEE_COLLECTION" | "P2P_TRANSFERS" | "CHARITABLE_DONATIONS" | "OTHER";
        /**
         * @description The purpose of the payment.
         * @enum {string}
         */
        PurposeOfPayment: "GIFT" | "SELF" | "GOODS_OR_SERVICES" | "EDUCATION" | "HEALTH_OR_MEDICAL" | "REAL_ESTATE_PURCHASE" | "TAX_PAYMENT" | "LOAN_PAYMENT" | "UTILITY_BILL" | "DONATION" | "TRAVEL" | "FAMILY_SUPPORT" | "SALARY_PAYMENT" | "OTHER";
        /** @description A payment at a price that is fixed for a few minutes. */
        Quote: {
            /**
             * @description Id of the quote.
             * @example Quote:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description Follows the status of its transaction.
             * @enum {string}
             */
            status: "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED";
            /**
             * Format: date-time
             * @description When the quote was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The deadline to execute or fund the quote.
             */
            expiresAt: string;
            /** @description The source of the money. */
            source: components["schemas"]["AccountQuoteSource"] | components["schemas"]["RealtimeFundingQuoteSource"];
            /** @description The destination of the money. */
            destination: components["schemas"]["AccountDestination"] | components["schemas"]["UmaAddressDestination"];
            sendingCurrency: components["schemas"]["Currency"];
            receivingCurrency: components["schemas"]["Currency"];
            /** @description The amount taken from the payer, fees included, in the smallest sending unit. */
            totalSendingAmount: number;
            /** @description The amount that the receiver gets, in the smallest receiving unit. */
            totalReceivingAmount: number;
            /** @description Sending units per receiving unit, in major units and without fees. The amounts are exact; this rate is rounded. */
            exchangeRate: number;
            /** @description All fees, in the smallest sending unit; part of `totalSendingAmount`. */
            feesIncluded: number;
            /** @description The platform’s part of `feesIncluded`. */
            platformFeesIncluded?: number;
            /** @description Ways to fund a real-time quote; the first payment of the exact amount counts. For a quote from an embedded wallet: the payload that its owner signs, and the address of the wallet. */
            paymentInstructions?: components["schemas"]["PaymentInstructions"][];
            /**
             * @description The transaction that was created with the quote.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000099
             */
            transactionId: string;
            /** @description The receiver’s data, as reported by the receiver’s provider. */
            counterpartyInformation?: {
                [key: string]: unknown;
            };
            rateDetails?: components["schemas"]["OutgoingRateDetails"];
            scaChallenge?: components["schemas"]["ScaChallenge"];
        };
        /**
         * @description The side whose amount is fixed; the other amount is computed.
         * @enum {string}
         */
        QuoteLockSide: "SENDING" | "RECEIVING";
        /** @description The payment to price. */
        QuoteRequest: {
            /**
             * @description The look-up of the receiver, at most an hour old. Required for a UMA address.
             * @example Lookup:019542f5-b3e7-7d02-8000-000000000099
             */
            lookupId?: string;
            /** @description The source of the money. */
            source: components["schemas"]["AccountQuoteSource"] | components["schemas"]["RealtimeFundingQuoteSource"];
            /** @description The destination of the money. */
            destination: components["schemas"]["AccountDestination"] | components["schemas"]["UmaAddressDestination"];
            lockedCurrencySide: components["schemas"]["QuoteLockSide"];
            /**
             * @description Above zero, in the smallest unit of the locked side’s currency.
             * @example 25000
             */
            lockedCurrencyAmount: number;
            /** @description Execute the quote in the same request, at the current rate. Either both happen or neither. Has no effect with real-time funding, where the arrival of the funds executes the quote. */
            immediatelyExecute?: boolean;
            /** @description Your own note, shown on the transaction. */
            description?: string;
            /**
             * @description A text for the receiver’s statement.
             * @example Invoice 2041
             */
            remittanceInformation?: string;
            purposeOfPayment?: components["schemas"]["PurposeOfPayment"];
            platformFeeOverride?: components["schemas"]["PlatformFeeOverride"];
            scaFactor?: components["schemas"]["ScaFactor"];
            /** @description The data about the sender that the receiver’s provider requested, by field name. */
            senderCustomerInfo?: {
                [key: string]: unknown;
            };
        };
        /** @description The factor by which the customer authorizes the payment instead; it must be enrolled. */
        QuoteScaFactorRequest: {
            scaFactor: components["schemas"]["ScaFactor"];
        };
        RealtimeFundingQuoteSource: {
            /**
             * @description Funds that are paid in for this quote. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            sourceType: "REALTIME_FUNDING";
            /**
             * @description The customer that the platform acts for; default: the platform itself.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId?: string;
            /**
             * @description The currency that will be paid in.
             * @example USD
             */
            currency: string;
            /**
             * @description For a stablecoin: the network that it arrives on.
             * @example SOLANA
             */
            cryptoNetwork?: string;
        };
        RealtimeFundingTransactionSource: {
            /**
             * @description Funds that were paid in. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            sourceType: "REALTIME_FUNDING";
            /**
             * @description The customer that the funds were paid in for.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId?: string;
            /**
             * @description The currency that was paid in.
             * @example USD
             */
            currency: string;
            /** @description The payer’s name, as the bank reported it. */
            accountHolderName?: string;
            /** @description The payer’s account, if the bank reported it. */
            accountIdentifier?: string;
            /** @description The payer’s bank. */
            bankName?: string;
            /** @description The identifier of the payer’s bank. */
            bankIdentifier?: string;
            /**
             * @description The rail over which the funds arrived.
             * @enum {string}
             */
            paymentRail?: "ACH" | "ACH_COLOMBIA" | "BANK_TRANSFER" | "BRE_B" | "CIPS" | "FAST" | "FASTER_PAYMENTS" | "FEDNOW" | "INSTAPAY" | "MOBILE_MONEY" | "NEFT" | "PAYNOW" | "PESONET" | "PIX" | "RTGS" | "RTP" | "SEPA" | "SEPA_INSTANT" | "SPEI" | "SWIFT" | "UNIONPAY" | "UPI" | "WIRE";
            /** @description The payer’s message. */
            remittanceInformation?: string;
            /** @description The payer’s own id for the payment. */
            endToEndId?: string;
            /** @description The rail’s id for the payment. */
            traceNumber?: string;
            onChainTransaction?: components["schemas"]["OnChainTransaction"];
        };
        /** @description A receiver with an external account. */
        ReceiverExternalAccountLookupResponse: {
            /** @description The currencies that the receiver accepts; the first one is used unless you choose another. */
            supportedCurrencies: components["schemas"]["CurrencyPreference"][];
            /** @description The data about the sender that the receiver’s provider requires. */
            requiredPayerDataFields: components["schemas"]["CounterpartyFieldDefinition"][];
            /**
             * @description Give this when you create a quote, within an hour.
             * @example Lookup:019542f5-b3e7-7d02-8000-000000000099
             */
            lookupId: string;
            /**
             * @description The account that was looked up.
             * @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
        };
        /** @description A receiver with a UMA address. */
        ReceiverUmaLookupResponse: {
            /** @description The currencies that the receiver accepts; the first one is used unless you choose another. */
            supportedCurrencies: components["schemas"]["CurrencyPreference"][];
            /** @description The data about the sender that the receiver’s provider requires. */
            requiredPayerDataFields: components["schemas"]["CounterpartyFieldDefinition"][];
            /**
             * @description Give this when you create a quote, within an hour.
             * @example Lookup:019542f5-b3e7-7d02-8000-000000000099
             */
            lookupId: string;
            /** @description The address that was looked up, in lower case. */
            receiverUmaAddress: string;
        };
        /** @description How to find this payment in other systems. */
        ReconciliationInstructions: {
            /** @description The reference to look for on a statement. */
            reference?: string;
            /**
             * @deprecated
             * @description The same hash as in `onChainTransaction`.
             */
            transactionHash?: string;
        };
        /** @description A security event that the platform observed for a customer. */
        RecordSecurityEventRequest: {
            /**
             * @description The event at the platform’s own login.
             * @enum {string}
             */
            eventType: "RESET_PASSWORD_COMPLETED" | "FAILED_LOGIN_ATTEMPT";
        };
        /** @description The customer’s lock status after the event. */
        RecordSecurityEventResponse: {
            /**
             * @description The event at the platform’s own login.
             * @enum {string}
             */
            eventType: "RESET_PASSWORD_COMPLETED" | "FAILED_LOGIN_ATTEMPT";
            /** @description Whether the customer is locked indefinitely. */
            suspended: boolean;
            /** @description When the customer’s lock ends; `null` if not locked, or suspended. */
            lockedUntil?: string | null;
            /**
             * @description Failures since the last success.
             * @example 5
             */
            failedAttempts: number;
        };
        /** @description The refund of money that was taken: all of it, fees included. */
        Refund: {
            /**
             * @description Identifies the refund on statements.
             * @example SVC-7K2MQ4XA-REFUND
             */
            reference: string;
            /**
             * Format: date-time
             * @description When the refund became due.
             */
            initiatedAt: string;
            /**
             * Format: date-time
             * @description When the payer had the money back.
             */
            settledAt?: string;
            /**
             * @description `FAILED`: the operator resolves it by hand.
             * @enum {string}
             */
            status: "PENDING" | "COMPLETED" | "FAILED";
            /**
             * @description Why the money is refunded.
             * @enum {string}
             */
            reason?: "TRANSACTION_FAILED" | "USER_CANCELLATION" | "TIMEOUT";
            /** @description The refunded amount: all that was taken, or the wrong amount that arrived. */
            amount: {
                /**
                 * @description In the smallest unit of the currency (cents, satoshis, …).
                 * @example 12550
                 */
                amount: number;
                currency: components["schemas"]["Currency"];
            };
        };
        /** @description The rejection of a payment. */
        RejectPaymentRequest: {
            /** @description The reason, for the audit log. */
            reason?: string;
        };
        /** @description One request of the platform, with the stored parts of its bodies in the sandbox. */
        RequestLog: {
            /**
             * @description Id of this entry.
             * @example RequestLog:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /** @description Value of the reply’s `X-Request-Id`. */
            requestId: string;
            /**
             * Format: date-time
             * @description When the request was answered, in real time.
             */
            createdAt: string;
            /**
             * @description HTTP method of the request.
             * @example POST
             */
            method: string;
            /**
             * @description Path template, as in this document.
             * @example /quotes/{quoteId}/execute
             */
            route: string;
            /** @description Path of the request, below the base path. Parameters that are not ids are shown as `…`. */
            path: string;
            /**
             * @description HTTP status of the reply.
             * @example 400
             */
            status: number;
            /**
             * @description For a refusal: its code.
             * @example INVALID_INPUT
             */
            code?: string;
            /** @description Duration of the request in milliseconds. */
            durationMs: number;
            /**
             * @description Result of its `Idempotency-Key`: there was none, the key was new, the first reply was sent again, or the key belongs to another call.
             * @enum {string}
             */
            idempotency: "NONE" | "NEW" | "REPLAYED" | "CONFLICT";
            /**
             * @description Token of the caller.
             * @example Token:019542f5-b3e7-7d02-8000-000000000099
             */
            tokenId?: string;
            /**
             * @description Agent that called.
             * @example Agent:019542f5-b3e7-7d02-8000-000000000099
             */
            agentId?: string;
            /**
             * @description `CONSOLE` if the call came from the console.
             * @enum {string}
             */
            via?: "CONSOLE";
            /**
             * @description Unknown fields and parameters, as the reply’s header named them. They are ignored, or refused if the platform is set up so. Names only, never values.
             * @example [
             *       "immediatlyExecute: did you mean immediatelyExecute?"
             *     ]
             */
            unknownFields?: string[];
            /** @description Stored part of its query: values that cannot be personal or secret; `…` replaces others. */
            query?: {
                [key: string]: unknown;
            };
            /** @description Stored part of its body, in the same form. */
            request?: {
                [key: string]: unknown;
            };
            /** @description Stored part of the reply, in the same form; lists keep their first ten entries. */
            reply?: {
                [key: string]: unknown;
            };
        };
        /** @description One page, and the cursor of the next. */
        RequestLogListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["RequestLogSummary"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One request of the platform. */
        RequestLogSummary: {
            /**
             * @description Id of this entry.
             * @example RequestLog:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /** @description Value of the reply’s `X-Request-Id`. */
            requestId: string;
            /**
             * Format: date-time
             * @description When the request was answered, in real time.
             */
            createdAt: string;
            /**
             * @description HTTP method of the request.
             * @example POST
             */
            method: string;
            /**
             * @description Path template, as in this document.
             * @example /quotes/{quoteId}/execute
             */
            route: string;
            /** @description Path of the request, below the base path. Parameters that are not ids are shown as `…`. */
            path: string;
            /**
             * @description HTTP status of the reply.
             * @example 400
             */
            status: number;
            /**
             * @description For a refusal: its code.
             * @example INVALID_INPUT
             */
            code?: string;
            /** @description Duration of the request in milliseconds. */
            durationMs: number;
            /**
             * @description Result of its `Idempotency-Key`: there was none, the key was new, the first reply was sent again, or the key belongs to another call.
             * @enum {string}
             */
            idempotency: "NONE" | "NEW" | "REPLAYED" | "CONFLICT";
            /**
             * @description Token of the caller.
             * @example Token:019542f5-b3e7-7d02-8000-000000000099
             */
            tokenId?: string;
            /**
             * @description Agent that called.
             * @example Agent:019542f5-b3e7-7d02-8000-000000000099
             */
            agentId?: string;
            /**
             * @description `CONSOLE` if the call came from the console.
             * @enum {string}
             */
            via?: "CONSOLE";
            /**
             * @description Unknown fields and parameters, as the reply’s header named them. They are ignored, or refused if the platform is set up so. Names only, never values.
             * @example [
             *       "immediatlyExecute: did you mean immediatelyExecute?"
             *     ]
             */
            unknownFields?: string[];
        };
        /** @description The selection of events to send again. */
        ResendFailedEventsRequest: {
            /**
             * Format: date-time
             * @description Only events created at this time or later.
             * @example 2026-03-02T10:00:00.000Z
             */
            since: string;
            /** @description Whether to include events that were skipped because there was no endpoint. */
            includeSkipped?: boolean;
        };
        /** @description The result of a resend. */
        ResendFailedEventsResponse: {
            /**
             * @description How many events this call sends again.
             * @example 3
             */
            count: number;
            /** @description Whether there are more; they follow without another call. */
            hasMore: boolean;
            /**
             * @description The current receivers. ENDPOINT: the webhook endpoint. LISTENERS: at least one listener receives it again. Empty: no receiver, unless an earlier listener returns.
             * @example [
             *       "ENDPOINT"
             *     ]
             */
            sentTo: ("ENDPOINT" | "LISTENERS")[];
        };
        /** @description An event that is sent again, with its receivers. */
        ResentEvent: {
            /**
             * @description Id of the event: the `id` of the webhook, the same on every attempt.
             * @example Webhook:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The event type.
             * @example OUTGOING_PAYMENT.COMPLETED
             */
            type: string;
            /**
             * @description The resource that the event is about: `data.id` of the webhook.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000030
             */
            resourceId: string;
            state: components["schemas"]["EventState"];
            /**
             * @description The number of delivery attempts.
             * @example 1
             */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the next retry is due; absent before the first attempt.
             */
            nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description When its content was erased, together with a customer that it named. It is not sent after that.
             */
            erasedAt?: string;
            /**
             * @description The current receivers. ENDPOINT: the webhook endpoint. LISTENERS: at least one listener receives it again. Empty: no receiver, unless an earlier listener returns.
             * @example [
             *       "ENDPOINT"
             *     ]
             */
            sentTo: ("ENDPOINT" | "LISTENERS")[];
        };
        /** @description The terms of a rotation. */
        RotateWebhookKeyRequest: {
            /**
             * @description How long the new key is published before it signs.
             * @default 86400
             */
            signsAfterSeconds?: number;
            /**
             * @description How long the old key stays published after that.
             * @default 86400
             */
            keepsOldForSeconds?: number;
            /** @description The new key signs from the next attempt on, and all others are removed at once, even during a rotation: for a key that may have leaked. Excludes the two times. */
            immediately?: boolean;
        };
        /** @description An account of type `RWF_ACCOUNT`. */
        RwfExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "RWF_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +250781234567
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `RWF_ACCOUNT`. */
        RwfExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "RWF_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +250781234567
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "MOBILE_MONEY"[];
        };
        /** @description A new total of an authorization. */
        SandboxCardAuthorizationAdviceRequest: {
            /**
             * @description The card transaction that the message is about.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000101
             */
            cardTransactionId: string;
            /**
             * @description The new total, in cents.
             * @example 1250
             */
            amount: number;
        };
        /** @description A merchant requests money, or gives a credit. */
        SandboxCardAuthorizationRequest: {
            /**
             * @description The amount, in cents.
             * @example 1250
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            merchant: components["schemas"]["CardMerchant"];
        };
        /** @description A merchant asks whether the card works. */
        SandboxCardBalanceInquiryRequest: {
            merchant: components["schemas"]["CardMerchant"];
        };
        /** @description A merchant takes the authorized amount, less or more. */
        SandboxCardClearingRequest: {
            /**
             * @description The card transaction that the message is about.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000101
             */
            cardTransactionId: string;
            /**
             * @description The amount that the merchant takes, in cents; 0: nothing more, and the rest of the hold is released.
             * @example 1250
             */
            amount: number;
        };
        /** @description A merchant gives money back. */
        SandboxCardReturnRequest: {
            /**
             * @description The card transaction that the message is about.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000101
             */
            cardTransactionId: string;
            /**
             * @description The returned amount, in cents.
             * @example 1250
             */
            amount: number;
        };
        /** @description The message is accepted; it takes effect within a second. */
        SandboxCardSimulationResponse: {
            /** @description The issuer’s token of the card transaction that is created or changed. */
            issuerTransactionToken: string;
        };
        /** @description A message of the card network when a card is added to a phone: send exactly one of the two. */
        SandboxCardTokenizationRequest: {
            /**
             * @description The network asks for a code, to be sent this way.
             * @enum {string}
             */
            channel?: "EMAIL" | "SMS";
            /**
             * @description Or it passes on the code that the cardholder typed.
             * @example 123456
             */
            code?: string;
        };
        /** @description A card transaction. */
        SandboxCardTransactionRefRequest: {
            /**
             * @description The row of the return.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000102
             */
            cardTransactionId: string;
        };
        /** @description A sandbox platform's own clock. */
        SandboxClock: {
            /**
             * Format: date-time
             * @description The platform’s current time.
             */
            now: string;
            /**
             * @description How far the clock is ahead of real time.
             * @example 360
             */
            offsetSeconds: number;
        };
        /** @description A sandbox platform's own clock after a move. */
        SandboxClockAdvanceReply: {
            /**
             * Format: date-time
             * @description The platform’s current time.
             */
            now: string;
            /**
             * @description How far the clock is ahead of real time.
             * @example 360
             */
            offsetSeconds: number;
            reached?: components["schemas"]["SandboxClockDueItem"];
        };
        /** @description How far to move the clock: by `seconds`, or `until` something that is due. */
        SandboxClockAdvanceRequest: {
            /**
             * @description How far to move the clock ahead; a year at most.
             * @example 360
             */
            seconds?: number;
            /**
             * @description `next` moves to the first item of `GET /sandbox/clock/due`; the id of an item moves to that item. The clock stops exactly at its time, and the item happens. Beyond the contract.
             * @example next
             */
            until?: string;
        };
        /** @description Something that will happen on the clock. */
        SandboxClockDueItem: {
            /**
             * @description Id of the item. Send it as `until` to move the clock to this item.
             * @example DueItem:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * Format: date-time
             * @description When it will happen, on the platform’s clock.
             */
            dueAt: string;
            /**
             * @description The resource that the item concerns, if there is one.
             * @example Quote:019542f5-b3e7-7d02-8000-000000000031
             */
            resourceId?: string;
            /**
             * @description The kind of that resource: the part of its id before the colon.
             * @example Quote
             */
            kind?: string;
            /** @description What will happen, in one sentence. */
            sentence: string;
        };
        /** @description One page, and the cursor of the next. */
        SandboxClockDueListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["SandboxClockDueItem"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
        };
        /** @description Test money for an account. */
        SandboxFundRequest: {
            /**
             * @description The amount to credit, in the smallest unit of the account’s currency.
             * @example 100000
             */
            amount: number;
        };
        /** @description A message that a real provider would have sent. */
        SandboxMessage: {
            /** @description Id of the message. */
            id: string;
            /**
             * @description How it would have been sent.
             * @enum {string}
             */
            channel: "EMAIL" | "SMS";
            /**
             * @description E-mail address or phone number.
             * @example ada@example.com
             */
            recipient: string;
            /** @description The text of the message. */
            text: string;
            /**
             * Format: date-time
             * @description When the message was requested.
             */
            sentAt: string;
        };
        /** @description One page, and the cursor of the next. */
        SandboxMessageListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["SandboxMessage"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description Money paid in for a quote. */
        SandboxSendRequest: {
            /**
             * @description The quote to pay: with a real-time source, or out of an external account.
             * @example Quote:019542f5-b3e7-7d02-8000-000000000099
             */
            quoteId: string;
            /**
             * @description The currency that is paid in.
             * @example USD
             */
            currencyCode: string;
            /** @description The amount; default: exactly the amount of the quote. */
            currencyAmount?: number;
        };
        /** @description A payment from a sender at another provider to a customer. */
        SandboxUmaReceiveRequest: {
            /**
             * @description The sender: a scenario at the sandbox’s own UMA domain.
             * @example $success.usd@sandbox.example
             */
            senderUmaAddress: string;
            /** @description The customer’s UMA address. */
            receiverUmaAddress?: string;
            /**
             * @description The customer, instead of the address or together with it.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId?: string;
            /**
             * @description The currency that the customer receives.
             * @example USD
             */
            receivingCurrencyCode: string;
            /**
             * @description The amount, in the smallest unit.
             * @example 5000
             */
            receivingCurrencyAmount: number;
        };
        /** @description The customer’s answer to the challenge: a code or the assertion of a passkey, not both. */
        ScaAuthorization: {
            /**
             * @description The code of the text message or of the authenticator app.
             * @example 123456
             */
            code?: string | null;
            /** @description The answer of a passkey. */
            passkeyAssertion?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The origin of the page that requested the passkey; required with `passkeyAssertion`.
             * @example http://localhost:3000
             */
            origin?: string | null;
            /**
             * @description The IPv4 or IPv6 address that the customer’s request came from, for the audit log.
             * @example 203.0.113.7
             */
            endUserIpAddress?: string | null;
        };
        /** @description A challenge that the customer must answer before money moves or an account becomes trusted. */
        ScaChallenge: {
            /**
             * @description Id of the challenge.
             * @example ScaChallenge:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * Format: date-time
             * @description When the challenge expires.
             */
            expiresAt: string;
            factor: components["schemas"]["ScaFactor"];
            /** @description Factors that this customer can use, including this one. */
            availableFactors: components["schemas"]["ScaFactor"][];
            /** @description The authorized operation: `TRANSFER`, `PAYOUT` or `CURRENCY_CONVERSION`. */
            purpose?: string | null;
            /** @description For a passkey: the options for `navigator.credentials.get()`, in the form that `parseRequestOptionsFromJSON` takes. */
            passkeyAssertionOptions?: {
                [key: string]: unknown;
            } | null;
            /** @description For a passkey: the origins that may answer. */
            passkeyAllowedOrigins?: string[] | null;
        };
        /**
         * @description How a customer authenticates: with a code in a text message, a code of an authenticator app, or a passkey.
         * @enum {string}
         */
        ScaFactor: "SMS_OTP" | "TOTP" | "PASSKEY";
        ScaFactorConfirmRequestOneOf: components["schemas"]["TotpEnrollmentConfirmRequest"] | components["schemas"]["PasskeyEnrollmentConfirmRequest"] | components["schemas"]["SmsEnrollmentConfirmRequest"];
        ScaFactorConfirmResponseOneOf: components["schemas"]["TotpEnrollmentConfirmResponse"] | components["schemas"]["PasskeyEnrollmentConfirmResponse"] | components["schemas"]["SmsEnrollmentConfirmResponse"];
        ScaFactorEnrollRequestOneOf: components["schemas"]["TotpFactorEnrollRequest"] | components["schemas"]["PasskeyFactorEnrollRequest"] | components["schemas"]["SmsFactorEnrollRequest"];
        ScaFactorEnrollStartOneOf: components["schemas"]["TotpEnrollmentStart"] | components["schemas"]["PasskeyEnrollmentStart"] | components["schemas"]["SmsEnrollmentStart"];
        /** @description The factors of a customer. */
        ScaFactorList: {
            /** @description Oldest first. */
            factors: components["schemas"]["ScaFactorView"][];
        };
        /** @description A factor with which a customer can authenticate. */
        ScaFactorView: {
            factor: components["schemas"]["ScaFactor"];
            /**
             * @description For a passkey: its WebAuthn id in base64url, by which it can be deleted.
             * @example bG9uZ2VyIHRoYW4gdGhpcw
             */
            credentialId?: string;
            /** @description Reserved: never shown today. */
            name?: string;
        };
        /** @description The customer is logged in. */
        ScaLoginComplete: {
            /**
             * @description Always `SUCCESS`.
             * @example SUCCESS
             */
            status: string;
            /** @description When the session ends, in 180 days. */
            sessionExpiresAt?: string | null;
        };
        /** @description The proof of a login: a code, or the assertion of a passkey with its origin. */
        ScaLoginCompleteRequest: {
            factor: components["schemas"]["ScaFactor"];
            /**
             * @description The IPv4 or IPv6 address of the person who logs in.
             * @example 203.0.113.7
             */
            endUserIpAddress: string;
            /**
             * @description For a text message: the `challengeId` of the start.
             * @example ScaChallenge:019542f5-b3e7-7d02-8000-000000000099
             */
            challengeId?: string | null;
            /**
             * @description The code of the text message or of the authenticator app.
             * @example 123456
             */
            code?: string | null;
            /** @description The answer of a passkey. */
            passkeyAssertion?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The origin of the page that requested the passkey; required with `passkeyAssertion`.
             * @example http://localhost:3000
             */
            origin?: string | null;
        };
        /** @description The challenge of a login. An authenticator app has no challenge. */
        ScaLoginStart: {
            factor: components["schemas"]["ScaFactor"];
            /** @description For a text message: the id of the challenge, to be sent back with the code. */
            challengeId?: string | null;
            /** @description For a text message: when its code expires. */
            expiresAt?: string | null;
            /** @description For a passkey: the options for `navigator.credentials.get()`, in the form that `parseRequestOptionsFromJSON` takes. */
            passkeyOptions?: {
                [key: string]: unknown;
            } | null;
            /** @description The origins of pages that may use the passkey. */
            allowedOrigins?: string[] | null;
            /**
             * @description The relying party that the passkey belongs to.
             * @example localhost
             */
            relyingPartyId?: string | null;
        };
        /** @description The factor to log in with; it must be enrolled. */
        ScaLoginStartRequest: {
            factor: components["schemas"]["ScaFactor"];
        };
        /** @description What was found. */
        SearchResponse: {
            /** @description At most five resources of each kind and field. */
            data: components["schemas"]["SearchResult"][];
        };
        /** @description A resource that was found. */
        SearchResult: {
            /**
             * @description Its id.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000013
             */
            resourceId: string;
            /**
             * @description Its kind: the part of its id before the colon.
             * @example Customer
             */
            kind: string;
            /**
             * @description The field that matches.
             * @example email
             */
            field: string;
        };
        /** @description The active sessions of one wallet. */
        SessionListResponse: {
            /** @description The active sessions of the wallet, oldest first. */
            data: components["schemas"]["AuthSession"][];
        };
        /** @description An account of type `SGD_ACCOUNT`. */
        SgdExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SGD_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `SGD_ACCOUNT`. */
        SgdExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SGD_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("PAYNOW" | "FAST" | "BANK_TRANSFER")[];
        };
        /** @description A payload that the owner of the wallet must sign before the call takes effect. */
        SignedRequestChallenge: {
            /** @description Sign exactly these UTF-8 bytes: ECDSA with P-256 and SHA-256, by a key of an active session. */
            payloadToSign: string;
            /**
             * @description Send this as `Request-Id` when you repeat the call with the signature. It can be used once.
             * @example Request:019542f5-b3e7-7d02-8000-000000000099
             */
            requestId: string;
            /**
             * Format: date-time
             * @description The signature is accepted until this time.
             */
            expiresAt: string;
        };
        /** @description An account of type `SLV_ACCOUNT`. */
        SlvExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SLV_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description The kind of account.
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `SLV_ACCOUNT`. */
        SlvExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SLV_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description The kind of account.
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName?: string;
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("BANK_TRANSFER" | "MOBILE_MONEY")[];
        };
        /** @description The proof, by another factor, that the phone number is the customer’s; beyond the contract. */
        SmsEnrollmentConfirmRequest: {
            /**
             * @description Text messages; beyond the contract. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SMS_OTP";
            /**
             * @description The id of the start’s `scaChallenge`.
             * @example ScaChallenge:019542f5-b3e7-7d02-8000-000000000099
             */
            challengeId: string;
            /**
             * @description The code of the text message or of the authenticator app.
             * @example 123456
             */
            code?: string | null;
            /** @description The answer of a passkey. */
            passkeyAssertion?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The origin of the page that requested the passkey; required with `passkeyAssertion`.
             * @example http://localhost:3000
             */
            origin?: string | null;
        };
        /** @description Text messages to the number are now a factor; beyond the contract. */
        SmsEnrollmentConfirmResponse: {
            /**
             * @description Text messages; beyond the contract. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SMS_OTP";
            factor: components["schemas"]["ScaFactorView"];
        };
        /** @description The challenge that another factor of the customer must answer; beyond the contract. */
        SmsEnrollmentStart: {
            /**
             * @description Text messages; beyond the contract. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SMS_OTP";
            scaChallenge: components["schemas"]["ScaChallenge"];
        };
        /** @description Text messages to a phone number that replaced another one, or was verified after a login. Beyond the contract. */
        SmsFactorEnrollRequest: {
            /**
             * @description Text messages; beyond the contract. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SMS_OTP";
        };
        /** @description Codes to the customer’s phone number. */
        SmsOtpCredentialCreateRequest: {
            /**
             * @description A code by text message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SMS_OTP";
            /**
             * @description The embedded wallet.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
        };
        /** @description The code from a text message. */
        SmsOtpCredentialVerifyRequest: {
            /**
             * @description A code by text message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SMS_OTP";
            /** @description The code and the client’s new key, `{"otp_code", "public_key"}`, sealed to the key of the challenge, as JSON text. */
            encryptedOtpBundle: string;
        };
        /** @description An account of type `SOLANA_WALLET`. */
        SolanaWalletExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SOLANA_WALLET";
            /** @description Address of the wallet, in Base58. */
            address: string;
            /**
             * @description The exchange that hosts the wallet, as listed by `GET /vasps`. Default: the wallet is self-hosted.
             * @example Kraken
             */
            vaspName?: string;
            /** @description The holder of the account. */
            beneficiary?: components["schemas"]["WalletIndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /**
         * @description Where a business's money for this account comes from.
         * @enum {string}
         */
        SourceOfFundsCategory: "OPERATING_REVENUE" | "INVESTMENT_INCOME" | "LOANS" | "VENTURE_CAPITAL" | "PERSONAL_SAVINGS" | "DONATIONS" | "OTHER";
        /**
         * @description Where a person's total wealth comes from.
         * @enum {string}
         */
        SourceOfWealthCategory: "SALARY" | "BUSINESS_INCOME" | "INVESTMENTS" | "INHERITANCE" | "PROPERTY_SALE" | "GIFT" | "RETIREMENT" | "SAVINGS" | "OTHER";
        /** @description An account of type `SPARK_WALLET`. */
        SparkWalletExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SPARK_WALLET";
            /** @description Spark address of the wallet, or an on-chain Bitcoin address. */
            address: string;
            /**
             * @description The exchange that hosts the wallet, as listed by `GET /vasps`. Default: the wallet is self-hosted.
             * @example Kraken
             */
            vaspName?: string;
            /** @description The holder of the account. */
            beneficiary?: components["schemas"]["WalletIndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description One of your coins, worth one US dollar. */
        Stablecoin: {
            /**
             * @description Id of the coin.
             * @example Stablecoin:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description Its name at the provider.
             * @example Acme Dollar
             */
            name: string;
            /**
             * @description Its symbol at the provider.
             * @example ACMEUSD
             */
            symbol: string;
            /**
             * @description The currency of which one coin is worth one unit: USD.
             * @example USD
             */
            baseCurrency: string;
            network: components["schemas"]["StablecoinNetwork"];
            /**
             * @description Digits after the point: amounts are in units of 10^-decimals.
             * @example 6
             */
            decimals: number;
            issuanceStatus: components["schemas"]["StablecoinIssuanceStatus"];
            svcOperationsStatus: components["schemas"]["StablecoinSvcOperationsStatus"];
            /** @description The token’s identifier on the network. */
            networkTokenIdentifier: string;
            /**
             * @description Its currency code, which is its symbol. Present after the coin was enabled for the first time.
             * @example ACMEUSD
             */
            currency?: string;
            provider: components["schemas"]["StablecoinProvider"];
            /**
             * @description The link to the provider.
             * @example StablecoinProviderAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            stablecoinProviderAccountId: string;
            providerEnvironment: components["schemas"]["StablecoinProviderEnvironment"];
            /** @description The token’s identifier at the provider. */
            providerTokenIdentifier: string;
            /**
             * Format: date-time
             * @description When the coin was registered.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the coin last changed.
             */
            updatedAt: string;
        };
        /** @description Dollars that the provider collects from a bank account by ACH. */
        StablecoinAchDebitFundingSource: {
            /**
             * @description The provider debits the account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ACH_DEBIT";
            /**
             * @description A bank account in US dollars.
             * @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            externalAccountId: string;
        };
        /** @description The destination of the dollars. */
        StablecoinBurnDestination: {
            /**
             * @description An external account.
             * @enum {string}
             */
            type: "EXTERNAL_ACCOUNT";
            /**
             * @description A bank account in US dollars.
             * @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            externalAccountId: string;
            /**
             * @description The rail by which the dollars are paid out.
             * @enum {string}
             */
            rail: "WIRE" | "ACH_CREDIT" | "SAME_DAY_ACH_CREDIT" | "RTP_CREDIT";
        };
        /** @description The coins to burn, for dollars. */
        StablecoinBurnRequest: {
            /**
             * @description The amount in the coin’s smallest units (see `decimals`), as digits. Its value must be whole US cents.
             * @example 25000000
             */
            amount: string;
            source: components["schemas"]["StablecoinBurnSource"];
            destination: components["schemas"]["StablecoinBurnDestination"];
            /** @description Your own note, stored with the operation. */
            description?: string;
        };
        /** @description The source of the coins. */
        StablecoinBurnSource: components["schemas"]["StablecoinExternalAccountBurnSource"] | components["schemas"]["StablecoinSvcInternalBurnSource"] | components["schemas"]["StablecoinProviderBalanceBurnSource"];
        /** @description The payout of a burn, and its expected time. */
        StablecoinEstimatedDelivery: {
            /**
             * @description The rail by which the dollars are paid out.
             * @example WIRE
             */
            rail?: string;
            /**
             * @description The amount, in cents.
             * @example 2500
             */
            amount?: string;
            /**
             * @description USD.
             * @example USD
             */
            currency?: string;
            /**
             * @description The expected time, as text.
             * @example same business day
             */
            timing?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Coins that are sent to the provider, from any wallet. */
        StablecoinExternalAccountBurnSource: {
            /**
             * @description You send the coins; the reply has the instructions. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "EXTERNAL_ACCOUNT";
        };
        /** @description How to send the money or coins that the operation waits for. */
        StablecoinFundingInstructions: {
            /**
             * @description `WIRE` or `SPARK`.
             * @example WIRE
             */
            rail?: string;
            /**
             * @description The network to send coins over.
             * @example SPARK
             */
            network?: string;
            /** @description The address to send coins to. */
            address?: string;
            /** @description The symbol of the coin to send. */
            valueType?: string;
            /** @description For a wire: the beneficiary. */
            beneficiaryName?: string;
            /** @description For a wire: the bank. */
            bankName?: string;
            /** @description For a wire: the account number. */
            accountNumber?: string;
            /** @description For a wire: the bank’s routing number. */
            routingNumber?: string;
            /** @description For a wire: the reference that it must state, so that it is assigned. */
            reference?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The provider’s progress with the coin. The coin can be minted and burned once it is `PROVISIONED`.
         * @enum {string}
         */
        StablecoinIssuanceStatus: "PENDING_REVIEW" | "PROVISIONING" | "PROVISIONED" | "REJECTED" | "FAILED";
        /** @description One page, and the cursor of the next. */
        StablecoinListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["Stablecoin"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description The destination of the coins. */
        StablecoinMintDestination: {
            /**
             * @description A Spark wallet among your external accounts or, once the coin is enabled, an internal account in it.
             * @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
        };
        /** @description The funding of the coins. */
        StablecoinMintFundingSource: components["schemas"]["StablecoinWireFundingSource"] | components["schemas"]["StablecoinAchDebitFundingSource"] | components["schemas"]["StablecoinSameDayAchDebitFundingSource"] | components["schemas"]["StablecoinSvcInternalFundingSource"] | components["schemas"]["StablecoinProviderBalanceFundingSource"];
        /** @description The coins to mint. */
        StablecoinMintRequest: {
            /**
             * @description The amount in the coin’s smallest units (see `decimals`), as digits. Its value must be whole US cents.
             * @example 25000000
             */
            amount: string;
            fundingSource: components["schemas"]["StablecoinMintFundingSource"];
            destination: components["schemas"]["StablecoinMintDestination"];
            /** @description Your own note, stored with the operation. */
            description?: string;
        };
        /**
         * @description The network that the token is on.
         * @enum {string}
         */
        StablecoinNetwork: "SPARK";
        /** @description A mint or a burn. */
        StablecoinOperation: {
            /**
             * @description Id of the mint or burn.
             * @example StablecoinOperation:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description The coin.
             * @example Stablecoin:019542f5-b3e7-7d02-8000-000000000099
             */
            stablecoinId: string;
            operationType: components["schemas"]["StablecoinOperationType"];
            status: components["schemas"]["StablecoinOperationStatus"];
            /**
             * @description The amount in the coin’s smallest units.
             * @example 25000000
             */
            amount: string;
            provider: components["schemas"]["StablecoinProvider"];
            providerEnvironment: components["schemas"]["StablecoinProviderEnvironment"];
            /**
             * @description The link that the operation was made with.
             * @example StablecoinProviderAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            stablecoinProviderAccountId: string;
            source?: components["schemas"]["StablecoinOperationSource"];
            fundingInstructions?: components["schemas"]["StablecoinFundingInstructions"];
            destination?: components["schemas"]["StablecoinOperationDestination"];
            estimatedDelivery?: components["schemas"]["StablecoinEstimatedDelivery"];
            /**
             * Format: date-time
             * @description The deadline for its funds.
             */
            expiresAt?: string;
            /** @description The provider’s own name for the status. */
            providerStatus?: string;
            /**
             * @description Why it failed.
             * @example PROVIDER_TRANSFER_FAILED
             */
            failureReason?: string;
            /** @description Your note. */
            description?: string;
            /**
             * Format: date-time
             * @description When the operation was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the operation last changed.
             */
            updatedAt: string;
        };
        /** @description The destination of the coins, or of the dollars. */
        StablecoinOperationDestination: {
            /**
             * @description The account that gets the coins, or the dollars.
             * @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * @description The rail by which the dollars are paid out.
             * @enum {string}
             */
            rail?: "WIRE" | "ACH_CREDIT" | "SAME_DAY_ACH_CREDIT" | "RTP_CREDIT";
        };
        /** @description One page, and the cursor of the next. */
        StablecoinOperationListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["StablecoinOperation"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description The funding of a mint, or the source of a burn’s coins. */
        StablecoinOperationSource: {
            /**
             * @description The type of the funding, or of the source of the coins.
             * @enum {string}
             */
            type: "WIRE" | "ACH_DEBIT" | "SAME_DAY_ACH_DEBIT" | "EXTERNAL_ACCOUNT" | "SVC_INTERNAL_ACCOUNT" | "PROVIDER_INTERNAL_BALANCE";
            /**
             * @description The account that is debited.
             * @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            externalAccountId?: string;
            /**
             * @description The internal account.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId?: string;
            /** @description Another token at the provider. */
            sourceTokenIdentifier?: string;
            /** @description The network of that token. */
            cryptoNetwork?: string;
        };
        /**
         * @description The progress of the operation. `PENDING_FUNDING` waits for your wire or coins. `CREATED` waits for the provider’s confirmation that it has the operation. `COMPLETED`, `FAILED` and `EXPIRED` are final.
         * @enum {string}
         */
        StablecoinOperationStatus: "CREATED" | "PENDING_FUNDING" | "PENDING_PROVIDER" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED";
        /**
         * @description Whether coins are issued or destroyed.
         * @enum {string}
         */
        StablecoinOperationType: "MINT" | "BURN";
        /**
         * @description The provider that issues the coin.
         * @enum {string}
         */
        StablecoinProvider: "BRALE";
        /** @description Your account at the provider that issues coins. Its credentials are never shown. */
        StablecoinProviderAccount: {
            /**
             * @description Id of the link.
             * @example StablecoinProviderAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            provider: components["schemas"]["StablecoinProvider"];
            /** @description The account’s id at the provider. */
            providerAccountId: string;
            providerEnvironment: components["schemas"]["StablecoinProviderEnvironment"];
            status: components["schemas"]["StablecoinProviderAccountStatus"];
            /**
             * Format: date-time
             * @description When the provider last accepted the credentials.
             */
            lastVerifiedAt?: string;
            /**
             * Format: date-time
             * @description When the account was linked.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the link last changed.
             */
            updatedAt: string;
        };
        /** @description The provider account to link. */
        StablecoinProviderAccountLinkRequest: {
            provider: components["schemas"]["StablecoinProvider"];
            /** @description The client id of your API credentials at the provider. */
            apiClientId: string;
            /** @description Its secret. It is stored encrypted and never shown again. */
            apiClientSecret: string;
            /** @description The account, if the credentials open several. */
            providerAccountId?: string;
        };
        /** @description One page, and the cursor of the next. */
        StablecoinProviderAccountListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["StablecoinProviderAccount"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /**
         * @description Whether the provider accepts the credentials. `INVALID`: it refused them; link the account again. `REVOKED` is final.
         * @enum {string}
         */
        StablecoinProviderAccountStatus: "ACTIVE" | "INVALID" | "REVOKED";
        /** @description Coins that you hold at the provider. */
        StablecoinProviderBalanceBurnSource: {
            /**
             * @description Coins that you hold at the provider. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "PROVIDER_INTERNAL_BALANCE";
        };
        /** @description Another token of yours at the provider. Reserved: mints do not accept it yet. */
        StablecoinProviderBalanceFundingSource: {
            /**
             * @description Another token that you hold at the provider. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "PROVIDER_INTERNAL_BALANCE";
            /** @description The token to pay with. */
            sourceTokenIdentifier: string;
            /** @description The network of that token. */
            cryptoNetwork: string;
        };
        /**
         * @description The provider’s environment, which follows from your token.
         * @enum {string}
         */
        StablecoinProviderEnvironment: "SANDBOX" | "PRODUCTION";
        /** @description An existing token at the provider, to register as a coin. */
        StablecoinRegisterRequest: {
            /** @description The token’s identifier at the provider. */
            providerTokenIdentifier: string;
            /** @description The token’s identifier on the network. */
            networkTokenIdentifier: string;
            network: components["schemas"]["StablecoinNetwork"];
            /**
             * @description The link to the provider. Optional if exactly one link is active.
             * @example StablecoinProviderAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            stablecoinProviderAccountId?: string;
        };
        /** @description Dollars that the provider collects from a bank account by same-day ACH. */
        StablecoinSameDayAchDebitFundingSource: {
            /**
             * @description The provider debits the account on the same day. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SAME_DAY_ACH_DEBIT";
            /**
             * @description A bank account in US dollars.
             * @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            externalAccountId: string;
        };
        /** @description The coins that exist and the money behind them, as the ledger has them. All figures are of the same moment. */
        StablecoinSupply: {
            /**
             * @description The coin.
             * @example Stablecoin:019542f5-b3e7-7d02-8000-000000000099
             */
            stablecoinId: string;
            /**
             * @description The coins that were issued and not redeemed, including those from before the registration. In the coin’s smallest units.
             * @example 125000000
             */
            issued: string;
            /**
             * @description Those within the service: in internal accounts, on hold, or in payments under way. In the coin’s smallest units.
             * @example 125000000
             */
            inside: string;
            /**
             * @description Those in external wallets and at the provider. `inside` and `outside` add up to `issued`. In the coin’s smallest units.
             * @example 125000000
             */
            outside: string;
            /**
             * @description The money that backs the coins, in the smallest unit of `reserveCurrency`.
             * @example 12500
             */
            reserve: string;
            /**
             * @description The currency of the reserve: USD.
             * @example USD
             */
            reserveCurrency: string;
            /**
             * @description The sum of the mints that have not ended. In the coin’s smallest units.
             * @example 125000000
             */
            openMints: string;
            /**
             * @description The sum of the burns that have not ended. `issued` still includes these coins. In the coin’s smallest units.
             * @example 125000000
             */
            openBurns: string;
        };
        /** @description Coins from an internal account, once the coin is enabled. */
        StablecoinSvcInternalBurnSource: {
            /**
             * @description An internal account gives the coins. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SVC_INTERNAL_ACCOUNT";
            /**
             * @description The account, in the coin; the coins are put on hold at once.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
        };
        /** @description Dollars from an internal account, once the coin is enabled. */
        StablecoinSvcInternalFundingSource: {
            /**
             * @description An internal account pays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SVC_INTERNAL_ACCOUNT";
            /**
             * @description The account, in USD; the dollars are put on hold at once.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
        };
        /**
         * @description Whether internal accounts can hold the coin. While it is `ENABLED`, it is one of your currencies.
         * @enum {string}
         */
        StablecoinSvcOperationsStatus: "NOT_ENABLED" | "PENDING_APPROVAL" | "ENABLING" | "ENABLED" | "DISABLED";
        /** @description Dollars that you send to the provider by wire. */
        StablecoinWireFundingSource: {
            /**
             * @description You send a wire; the reply has the instructions. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "WIRE";
        };
        /** @description The other party of a movement, as its transaction shows it. */
        StatementCounterparty: {
            /**
             * @description Its name.
             * @example CORNER BOOKS
             */
            name?: string;
            /** @description Its account: the id of an account, a UMA address, or a number at a bank. */
            account?: string;
        };
        /** @description An account of type `SWIFT_ACCOUNT`. */
        SwiftExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SWIFT_ACCOUNT";
            /**
             * Format: iso3166-1-alpha-2
             * @description Country of the bank, ISO 3166-1 alpha-2; it may differ from the currency’s own.
             * @example CH
             */
            country: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description International bank account number, without spaces.
             * @example DE89370400440532013000
             */
            iban?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `SWIFT_ACCOUNT`. */
        SwiftExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "SWIFT_ACCOUNT";
            /**
             * Format: iso3166-1-alpha-2
             * @description Country of the bank, ISO 3166-1 alpha-2; it may differ from the currency’s own.
             * @example CH
             */
            country: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber?: string;
            /**
             * @description International bank account number, without spaces.
             * @example DE89370400440532013000
             */
            iban?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "SWIFT"[];
        };
        /** @description A test event without data. */
        TestWebhookRequest: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "TEST";
            /** @description The resource at the time of the event. */
            data: Record<string, unknown>;
        };
        /** @description The answer of the webhook endpoint to the test event. */
        TestWebhookResponse: {
            /**
             * @description The HTTP status of the endpoint’s answer.
             * @example 200
             */
            response_status: number;
            /**
             * Format: uri
             * @description Where the event was sent.
             */
            url?: string;
            /** @description The first 10 KiB of the endpoint’s answer. */
            response_body?: string;
        };
        /** @description An account of type `THB_ACCOUNT`. */
        ThbExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "THB_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `THB_ACCOUNT`. */
        ThbExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "THB_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description One page, and the cursor of the next. */
        TokenListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["ApiToken"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description The proof that an app has the secret. */
        TotpEnrollmentConfirmRequest: {
            /**
             * @description An authenticator app. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "TOTP";
            /** @description The secret of the start, in hexadecimal or Base32. */
            secret: string;
            /**
             * @description The code that the app shows.
             * @example 123456
             */
            code: string;
        };
        /** @description The authenticator app is enrolled. */
        TotpEnrollmentConfirmResponse: {
            /**
             * @description An authenticator app. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "TOTP";
            /**
             * @description Ten codes, shown only here; each works once in place of a code of the app.
             * @example [
             *       "7KQM-2XWA-9FHT"
             *     ]
             */
            recoveryCodes: string[];
        };
        /** @description The secret for an authenticator app; valid for ten minutes. */
        TotpEnrollmentStart: {
            /**
             * @description An authenticator app. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "TOTP";
            /**
             * @description The secret, 20 bytes in hexadecimal.
             * @example 3132333435363738393031323334353637383930
             */
            secret: string;
            /**
             * @description The same in Base32, for typing it into an app.
             * @example GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ
             */
            secretBase32Encoded: string;
            /**
             * @description The same as a URI, for a QR code.
             * @example otpauth://totp/Svc:emmy@example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Svc
             */
            totpUri: string;
        };
        /** @description Codes of an authenticator app. */
        TotpFactorEnrollRequest: {
            /**
             * @description An authenticator app. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "TOTP";
        };
        /** @description Fields that all payments share. */
        Transaction: {
            /**
             * @description The direction of the payment.
             * @enum {string}
             */
            type: "INCOMING" | "OUTGOING";
            /**
             * @description Current status.
             * @enum {string}
             */
            status: "CREATED" | "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
        } & {
            [key: string]: unknown;
        };
        /** @description Why a transaction is in its present state, with one timeline of everything that happened to it. */
        TransactionExplanation: {
            /**
             * @description Id of the transaction, the mint or burn, or the agent’s action.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000032
             */
            id: string;
            /**
             * @description `OUTGOING`, `INCOMING`, `CARD`, `MINT`, `BURN` or `AGENT_ACTION`.
             * @example OUTGOING
             */
            type: string;
            /**
             * @description Its present status.
             * @example PROCESSING
             */
            status: string;
            /**
             * Format: date-time
             * @description The present time of the platform’s clock.
             */
            now: string;
            /**
             * @description Where the money is, and why.
             * @example Nothing has moved: the quote has not been executed.
             */
            summary: string;
            waiting?: components["schemas"]["ExplanationWaiting"];
            failure?: components["schemas"]["ExplanationFailure"];
            refusal?: components["schemas"]["ExplanationRefusal"];
            /** @description Resources that are related to the transaction. */
            related: components["schemas"]["ExplanationRelation"][];
            /** @description What happened, oldest first. */
            items: components["schemas"]["ExplanationItem"][];
            /**
             * @description Whether older items were left out, because there are more than 500.
             * @example false
             */
            isTruncated: boolean;
        };
        /** @description One page, and the cursor of the next. */
        TransactionListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["TransactionOneOf"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description A transaction of any type; `type` determines the fields. */
        TransactionOneOf: components["schemas"]["IncomingTransaction"] | components["schemas"]["OutgoingTransaction"] | components["schemas"]["CardTransaction"];
        /**
         * @description The direction of a payment, seen from the platform.
         * @enum {string}
         */
        TransactionType: "INCOMING" | "OUTGOING";
        /** @description A pull from a bank account. */
        TransferInRequest: {
            source: components["schemas"]["ExternalAccountReference"];
            destination: components["schemas"]["InternalAccountReference"];
            /**
             * @description In the smallest unit of the accounts’ currency. Required.
             * @example 12550
             */
            amount?: number;
        };
        /** @description A payment from an internal account, in its own currency. */
        TransferOutRequest: {
            source: components["schemas"]["InternalAccountReference"];
            destination: components["schemas"]["ExternalAccountDestinationReference"];
            /**
             * @description In the smallest unit of the accounts’ currency. Default: the whole available balance.
             * @example 12550
             */
            amount?: number;
            /**
             * @description A text for the receiver’s statement.
             * @example Invoice 2041
             */
            remittanceInformation?: string;
            purposeOfPayment?: components["schemas"]["PurposeOfPayment"];
        };
        /** @description An account of type `TRON_WALLET`. */
        TronWalletExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "TRON_WALLET";
            /** @description Address of the wallet: `T` and 33 letters and digits. */
            address: string;
            /**
             * @description The exchange that hosts the wallet, as listed by `GET /vasps`. Default: the wallet is self-hosted.
             * @example Kraken
             */
            vaspName?: string;
            /** @description The holder of the account. */
            beneficiary?: components["schemas"]["WalletIndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description The new phone number for text messages; an app or a passkey is enrolled again instead. */
        TwoFactorResetCompleteRequest: {
            /** @description To reset text messages: the number that receives them from now on. */
            mobile?: {
                /**
                 * @description With or without `+`.
                 * @example +49
                 */
                countryCode: string;
                /**
                 * @description The rest of the number, digits only.
                 * @example 15187654321
                 */
                number: string;
            };
        };
        /** @description A reset that waits for a liveness check. */
        TwoFactorResetStart: {
            /**
             * @description Id of the reset.
             * @example ScaReset:019542f5-b3e7-7d02-8000-000000000099
             */
            resetId: string;
            /** @description Token for the SDK of the liveness provider, if it has one. */
            livenessAccessToken?: string | null;
            /** @description URL of the liveness check for the customer. */
            verificationLink?: string | null;
            /** @description When the reset expires: after 15 minutes. */
            expiresAt?: string | null;
        };
        /** @description The factor that the customer has lost; it must be enrolled. */
        TwoFactorResetStartRequest: {
            factor: components["schemas"]["ScaFactor"];
        };
        /** @description The status of a reset. */
        TwoFactorResetStatus: {
            /**
             * @description Status of the reset.
             * @enum {string}
             */
            status: "INITIATED" | "PENDING_REVIEW" | "LIVENESS_PASSED" | "COMPLETED" | "REJECTED" | "EXPIRED";
            factor: components["schemas"]["ScaFactor"];
            /** @description For a completed reset: whether the removed factor was enrolled again. `null` for text messages. */
            enrollmentStatus?: ("PENDING" | "COMPLETED") | null;
            /**
             * Format: date-time
             * @description When the reset expires.
             */
            expiresAt: string;
            /** @description When it was completed; `null` before. */
            completedAt?: string | null;
        };
        /** @description An account of type `TZS_ACCOUNT`. */
        TzsExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "TZS_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +255712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `TZS_ACCOUNT`. */
        TzsExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "TZS_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +255712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "MOBILE_MONEY"[];
        };
        /** @description An account of type `UGX_ACCOUNT`. */
        UgxExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "UGX_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `UGX_ACCOUNT`. */
        UgxExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "UGX_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "MOBILE_MONEY"[];
        };
        UmaAddressDestination: {
            /**
             * @description The holder of a UMA address. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            destinationType: "UMA_ADDRESS";
            /**
             * @description The receiver.
             * @example $ada@uma.example
             */
            umaAddress: string;
            /**
             * @description The currency that the receiver gets; default: the first one it supports.
             * @example USD
             */
            currency?: string;
        };
        UmaAddressTransactionDestination: {
            /**
             * @description The holder of a UMA address. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            destinationType: "UMA_ADDRESS";
            /**
             * @description The currency that is received.
             * @example USD
             */
            currency?: string;
            /**
             * @description The receiver.
             * @example $ada@uma.example
             */
            umaAddress: string;
        };
        UmaAddressTransactionSource: {
            /**
             * @description The holder of a UMA address. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            sourceType: "UMA_ADDRESS";
            /**
             * @description The currency that was sent.
             * @example USD
             */
            currency?: string;
            /**
             * @description The sender.
             * @example $ada@uma.example
             */
            umaAddress: string;
        };
        /** @description An invitation to UMA. All times are by the clock of the platform that created it. */
        UmaInvitation: {
            /**
             * @description Ten characters that identify the invitation on any platform of the environment.
             * @example 7h3qk2vd9x
             */
            code: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was claimed.
             */
            claimedAt?: string;
            /**
             * @description The page for the invited person: it names the inviter and says what to do next.
             * @example https://pay.example.com/i/7h3qk2vd9x
             */
            url: string;
            /**
             * Format: date-time
             * @description When the invitation expires. Absent: it never expires.
             */
            expiresAt?: string;
            /**
             * @description The UMA address of the inviter.
             * @example $ada@example.com
             */
            inviterUma: string;
            /**
             * @description The UMA address that claimed it.
             * @example $grace@example.org
             */
            inviteeUma?: string;
            /**
             * @description Only a `PENDING` invitation can be claimed or cancelled; the other statuses are final.
             * @enum {string}
             */
            status: "PENDING" | "CLAIMED" | "EXPIRED" | "CANCELLED";
            /**
             * @description First name of the invited person, shown on the page.
             * @example Grace
             */
            firstName?: string;
            amountToSend?: components["schemas"]["CurrencyAmount"];
        };
        /** @description The address that accepts the invitation. */
        UmaInvitationClaimRequest: {
            /**
             * @description The UMA address of the invited person, in any case. In production it must belong to one of your customers.
             * @example $grace@example.org
             */
            inviteeUma: string;
        };
        /** @description The inviter and the invited person. */
        UmaInvitationCreateRequest: {
            /**
             * @description The UMA address of the customer who invites, in any case.
             * @example $ada@example.com
             */
            inviterUma: string;
            /**
             * @description First name of the invited person, shown on the page: one line of plain text.
             * @example Grace
             */
            firstName?: string;
            /**
             * @description Amount that the inviter intends to send once the invitation is claimed, in the smallest unit of their first currency. It is only shown: you make the payment yourself.
             * @example 1000
             */
            amountToSend?: number;
            /**
             * Format: date-time
             * @description When the invitation expires. If omitted, it never expires.
             */
            expiresAt?: string;
        };
        /** @description One page, and the cursor of the next. */
        UmaInvitationListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["UmaInvitation"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description A provider whose UMA addresses can be paid. */
        UmaProvider: {
            /** @description Name of the provider. */
            name?: string;
            /** @description Countries that it serves. */
            supportedRegions?: string[];
            /** @description Domain of its UMA addresses. */
            domain?: string;
            /**
             * Format: uri
             * @description Its logo.
             */
            logoUrl?: string;
            /** @description Currencies that its users can receive. */
            supportedCurrencies?: components["schemas"]["Currency"][];
            /** @description Legal Entity Identifier. */
            lei?: string;
            /** @description Whether this platform may pay its users. */
            allowListStatus?: boolean;
        };
        /** @description One page, and the cursor of the next. */
        UmaProviderListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["UmaProvider"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description An account of type `USD_ACCOUNT`. */
        UsdExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "USD_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description ABA routing number of the bank.
             * @example 021000021
             */
            routingNumber: string;
            /**
             * @description Name of the bank.
             * @example JPMorgan Chase
             */
            bankName?: string;
            /**
             * @description The kind of account; default: checking.
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            /** @description Wires only: the intermediary bank. */
            intermediaryBankName?: string;
            /** @description Wires only: ABA routing number of the intermediary bank. */
            intermediaryRoutingNumber?: string;
            /** @description Wires only: a note from bank to bank. */
            fiToFiInformation?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `USD_ACCOUNT`. */
        UsdExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "USD_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description ABA routing number of the bank.
             * @example 021000021
             */
            routingNumber: string;
            /**
             * @description Name of the bank.
             * @example JPMorgan Chase
             */
            bankName?: string;
            /**
             * @description The kind of account; default: checking.
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            /** @description Wires only: the intermediary bank. */
            intermediaryBankName?: string;
            /** @description Wires only: ABA routing number of the intermediary bank. */
            intermediaryRoutingNumber?: string;
            /** @description Wires only: a note from bank to bank. */
            fiToFiInformation?: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: ("ACH" | "WIRE" | "RTP" | "FEDNOW")[];
        };
        /** @description An exchange that holds wallets for its users. */
        Vasp: {
            /** @description The value to send as `vaspName` of a wallet that the exchange holds. */
            vaspName: string;
            /**
             * Format: uri
             * @description Its website.
             */
            url?: string;
        };
        /** @description One page, and the cursor of the next. */
        VaspListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["Vasp"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
        };
        /** @description One submission of a customer for verification, and its outcome. */
        Verification: {
            /**
             * @description Id of the submission.
             * @example Verification:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /**
             * @description Id of the submitted customer.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
            verificationStatus: components["schemas"]["VerificationStatus"];
            /** @description Problems to correct (`RESOLVE_ERRORS`) or reasons for the rejection (`REJECTED`); empty otherwise. */
            errors: components["schemas"]["VerificationError"][];
            /**
             * Format: date-time
             * @description When it was submitted.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed or was submitted again.
             */
            updatedAt?: string;
        };
        /** @description One problem of a submission. */
        VerificationError: {
            /**
             * @description The customer or beneficial owner with the problem.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            resourceId: string;
            type: components["schemas"]["VerificationErrorType"];
            /**
             * @description With `MISSING_FIELD` and `INVALID_FIELD`: the field’s path. Bare for an individual, under `customer` for a business, under `personalInfo` for an owner.
             * @example customer.businessInfo.entityType
             */
            field?: string;
            /** @description Any one of these documents resolves the problem. */
            acceptedDocumentTypes?: components["schemas"]["DocumentType"][];
            /**
             * @description Human-readable description of the problem.
             * @example Birth date is missing.
             */
            reason: string;
        };
        /**
         * @description Kind of the problem.
         * @enum {string}
         */
        VerificationErrorType: "MISSING_FIELD" | "INVALID_FIELD" | "MISSING_LEGAL_PRESENCE_DOCUMENT" | "MISSING_CONTROL_STRUCTURE_DOCUMENT" | "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT" | "MISSING_PROOF_OF_ADDRESS_DOCUMENT" | "MISSING_IDENTITY_DOCUMENT" | "INVALID_DOCUMENT" | "EXPIRED_DOCUMENT" | "POOR_QUALITY_DOCUMENT" | "SUSPECTED_FRAUD_DOCUMENT" | "WRONG_DOCUMENT_TYPE" | "INCOMPLETE_DOCUMENT" | "UNREADABLE_DOCUMENT" | "DOCUMENT_VERIFICATION_FAILED" | "APPLICANT_SANCTIONED" | "APPLICANT_FRAUD" | "APPLICANT_CRIMINAL_RECORD" | "APPLICANT_REJECTED" | "MISSING_BENEFICIAL_OWNER" | "MISSING_CONTROL_PERSON" | "MISSING_GOOD_STANDING_DOCUMENT";
        /** @description One page, and the cursor of the next. */
        VerificationListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["Verification"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description The customer to submit. */
        VerificationRequest: {
            /**
             * @description Id of the customer to verify.
             * @example Customer:019542f5-b3e7-7d02-8000-000000000099
             */
            customerId: string;
        };
        /**
         * @description Status of a submission. `RESOLVE_ERRORS`: correct the problems in `errors` and submit again. `IN_PROGRESS`: being checked. `PENDING_MANUAL_REVIEW`: being reviewed by a person. `APPROVED` and `REJECTED` are final. `READY_FOR_VERIFICATION` is reserved and not used.
         * @enum {string}
         */
        VerificationStatus: "RESOLVE_ERRORS" | "PENDING_MANUAL_REVIEW" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "READY_FOR_VERIFICATION";
        /** @description A submission and the status it entered. */
        VerificationWebhook: components["schemas"]["BaseWebhook"] & {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "VERIFICATION.APPROVED" | "VERIFICATION.REJECTED" | "VERIFICATION.RESOLVE_ERRORS" | "VERIFICATION.IN_PROGRESS" | "VERIFICATION.PENDING_MANUAL_REVIEW";
            data: components["schemas"]["Verification"];
        };
        /** @description An account of type `VND_ACCOUNT`. */
        VndExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "VND_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `VND_ACCOUNT`. */
        VndExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "VND_ACCOUNT";
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /**
             * @description Number of the account at its bank.
             * @example 004512987733
             */
            accountNumber: string;
            /**
             * @description BIC (SWIFT code) of the bank: 8 or 11 characters.
             * @example DBSSSGSG
             */
            swiftCode: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description The person who holds the wallet. */
        WalletIndividualBeneficiary: {
            /**
             * @description The holder is a person. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            beneficiaryType: "INDIVIDUAL";
            /**
             * @description Name of the holder. 1 to 200 characters.
             * @example Ada Lovelace
             */
            fullName: string;
            /**
             * Format: iso3166-1-alpha-2
             * @description Country where the holder lives, ISO 3166-1 alpha-2.
             * @example DE
             */
            countryOfResidence: string;
        };
        /** @description A text for the wallet to sign. */
        WalletSignatureChallenge: {
            /**
             * @description The wallet signs a text. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            method: "WALLET_SIGNATURE";
            /** @description Sign exactly this text, byte for byte. */
            messageToSign: string;
            /**
             * Format: date-time
             * @description The deadline for the proof.
             */
            expiresAt: string;
        };
        /** @description A key that verifies webhooks. */
        WebhookKey: {
            /**
             * @description Id of the key. Every webhook names it beside its signature.
             * @example WebhookKey:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            status: components["schemas"]["WebhookKeyStatus"];
            /** @description The public key as SPKI PEM, for ECDSA on the curve P-256. OpenSSL and common libraries read it. */
            publicKey: string;
            /**
             * Format: date-time
             * @description The time from which it signs webhooks.
             */
            signsFrom: string;
            /**
             * Format: date-time
             * @description When it is removed from the list. Absent until another key replaces it.
             */
            goesAt?: string;
        };
        /** @description The keys that verify webhooks. */
        WebhookKeyListResponse: {
            /** @description The published keys, in the order in which they sign: one, or two during a rotation. */
            data: components["schemas"]["WebhookKey"][];
        };
        /**
         * @description NEXT: published, and will sign. SIGNING: signs now. RETIRING: no longer signs, but stays published for webhooks that arrive late.
         * @enum {string}
         */
        WebhookKeyStatus: "NEXT" | "SIGNING" | "RETIRING";
        /**
         * @description The type of the event: the resource and the state that it entered.
         * @enum {string}
         */
        WebhookType: "OUTGOING_PAYMENT.PENDING" | "OUTGOING_PAYMENT.PENDING_AUTHORIZATION" | "OUTGOING_PAYMENT.PROCESSING" | "OUTGOING_PAYMENT.COMPLETED" | "OUTGOING_PAYMENT.FAILED" | "OUTGOING_PAYMENT.EXPIRED" | "OUTGOING_PAYMENT.REFUND_PENDING" | "OUTGOING_PAYMENT.REFUND_COMPLETED" | "OUTGOING_PAYMENT.REFUND_FAILED" | "INCOMING_PAYMENT.PENDING" | "INCOMING_PAYMENT.COMPLETED" | "INCOMING_PAYMENT.FAILED" | "INCOMING_PAYMENT.REFUND_PENDING" | "INCOMING_PAYMENT.REFUND_COMPLETED" | "INCOMING_PAYMENT.REFUND_FAILED" | "CUSTOMER.KYC_PENDING" | "CUSTOMER.KYC_APPROVED" | "CUSTOMER.KYC_REJECTED" | "CUSTOMER.KYB_PENDING" | "CUSTOMER.KYB_APPROVED" | "CUSTOMER.KYB_REJECTED" | "VERIFICATION.READY_FOR_VERIFICATION" | "VERIFICATION.IN_PROGRESS" | "VERIFICATION.RESOLVE_ERRORS" | "VERIFICATION.PENDING_MANUAL_REVIEW" | "VERIFICATION.APPROVED" | "VERIFICATION.REJECTED" | "EXTERNAL_ACCOUNT.STATUS_UPDATED" | "INTERNAL_ACCOUNT.BALANCE_UPDATED" | "INTERNAL_ACCOUNT.STATUS_UPDATED" | "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED" | "INVITATION.CLAIMED" | "BULK_UPLOAD.COMPLETED" | "BULK_UPLOAD.FAILED" | "AGENT_ACTION.PENDING_APPROVAL" | "CARD.STATUS_CHANGE" | "CARD.FUNDING_SOURCE_CHANGE" | "CARD_TRANSACTION.AUTHORIZED" | "CARD_TRANSACTION.PARTIALLY_SETTLED" | "CARD_TRANSACTION.SETTLED" | "CARD_TRANSACTION.DECLINED" | "CARD_TRANSACTION.EXCEPTION" | "TEST";
        /** @description An account of type `XAF_ACCOUNT`. */
        XafExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "XAF_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /**
             * @description Country of the mobile money account, because several countries use the currency.
             * @enum {string}
             */
            region: "CM" | "CG";
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `XAF_ACCOUNT`. */
        XafExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "XAF_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /**
             * @description Country of the mobile money account, because several countries use the currency.
             * @enum {string}
             */
            region: "CM" | "CG";
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "MOBILE_MONEY"[];
        };
        /** @description An account of type `XOF_ACCOUNT`. */
        XofExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "XOF_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /**
             * @description Country of the mobile money account, because several countries use the currency.
             * @enum {string}
             */
            region: "BJ" | "CI" | "SN" | "TG";
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `XOF_ACCOUNT`. */
        XofExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "XOF_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +8801712345678
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /**
             * @description Country of the mobile money account, because several countries use the currency.
             * @enum {string}
             */
            region: "BJ" | "CI" | "SN" | "TG";
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "MOBILE_MONEY"[];
        };
        /** @description An account of type `ZAR_ACCOUNT`. */
        ZarExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ZAR_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 62001234567
             */
            accountNumber: string;
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `ZAR_ACCOUNT`. */
        ZarExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ZAR_ACCOUNT";
            /**
             * @description Number of the account at its bank.
             * @example 62001234567
             */
            accountNumber: string;
            /**
             * @description Name of the bank, spelled as `GET /discoveries` lists it.
             * @example Maybank
             */
            bankName: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "BANK_TRANSFER"[];
        };
        /** @description An account of type `ZMW_ACCOUNT`. */
        ZmwExternalAccountCreateInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ZMW_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +260971234567
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        };
        /** @description An account of type `ZMW_ACCOUNT`. */
        ZmwExternalAccountInfo: {
            /**
             * @description The kind of account. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            accountType: "ZMW_ACCOUNT";
            /**
             * @description Phone number with `+` and country code, digits only.
             * @example +260971234567
             */
            phoneNumber: string;
            /**
             * @description Mobile money provider, spelled as `GET /discoveries` lists it.
             * @example M-PESA
             */
            provider: string;
            /** @description The holder of the account. */
            beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
            /** @description The rails over which the account can be paid. */
            paymentRails: "MOBILE_MONEY"[];
        };
        ListTokensQuery: {
            /** @description Only tokens with exactly this name. */
            name?: string;
            /**
             * Format: date-time
             * @description Only tokens created at this time or later.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only tokens created at this time or earlier.
             */
            createdBefore?: string;
            /**
             * Format: date-time
             * @description Only tokens changed at this time or later.
             */
            updatedAfter?: string;
            /**
             * Format: date-time
             * @description Only tokens changed at this time or earlier.
             */
            updatedBefore?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        GetDiscoveriesQuery: {
            /** @description ISO 3166-1 alpha-2 code. */
            country?: string;
            /** @description Code of the currency. */
            currency?: string;
        };
        GetExchangeRatesQuery: {
            /** @description Only rates from this currency. */
            sourceCurrency?: string;
            /** @description Only rates into these currencies; repeat the parameter or separate by commas. */
            destinationCurrency?: string[];
            /**
             * @description Amount to price, in the smallest unit of each source currency.
             * @default 10000
             */
            sendingAmount?: number;
        };
        GetAvailableUmaProvidersQuery: {
            /** @description Only providers that serve this country. */
            countryCode?: string;
            /** @description Only providers that receive this currency. */
            currencyCode?: string;
            /** @description False omits providers that this platform may not pay. */
            hasBlockedProviders?: boolean;
            /**
             * @description By name.
             * @default desc
             * @enum {string}
             */
            sortOrder?: "asc" | "desc";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListVaspsQuery: {
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListCustomersQuery: {
            /** @description Only the customer with exactly this reference of yours. */
            platformCustomerId?: string;
            customerType?: components["schemas"]["CustomerType"];
            /**
             * Format: date-time
             * @description Created at this time or later.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Created at this time or earlier.
             */
            createdBefore?: string;
            /**
             * Format: date-time
             * @description Last changed at this time or later.
             */
            updatedAfter?: string;
            /**
             * Format: date-time
             * @description Last changed at this time or earlier.
             */
            updatedBefore?: string;
            /**
             * @description Region, ISO 3166-1 alpha-2.
             * @example DE
             */
            region?: string;
            /**
             * @description Only customers with an account in this currency.
             * @example EUR
             */
            currency?: string;
            /** @description Only customers with this whole e-mail address, matched in any case. Beyond the contract. */
            email?: string;
            /** @description UMA address, matched in any case. */
            umaAddress?: string;
            /** @description Whether deleted customers are listed as well. Default: no. */
            isIncludingDeleted?: boolean;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListBulkCustomerImportJobsQuery: {
            /**
             * @description Status of the import. `COMPLETED` if it created at least one customer, else `FAILED`; both are final.
             * @enum {string}
             */
            status?: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListDocumentsQuery: {
            /** @description Only documents of this customer or beneficial owner. */
            documentHolder?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListBeneficialOwnersQuery: {
            /** @description The business whose owners are listed. */
            customerId: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListVerificationsQuery: {
            /** @description Only submissions of this customer. */
            customerId?: string;
            verificationStatus?: components["schemas"]["VerificationStatus"];
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListScaFactorsQuery: {
            /** @description The customer who authenticates. */
            customerId: string;
        };
        StartScaFactorEnrollmentQuery: {
            /** @description The customer who authenticates. */
            customerId: string;
        };
        ConfirmScaFactorEnrollmentQuery: {
            /** @description The customer who authenticates. */
            customerId: string;
        };
        DeleteScaFactorQuery: {
            /** @description The customer who authenticates. */
            customerId: string;
        };
        StartScaLoginQuery: {
            /** @description The customer who authenticates. */
            customerId: string;
        };
        CompleteScaLoginQuery: {
            /** @description The customer who authenticates. */
            customerId: string;
        };
        RecordSecurityEventQuery: {
            /** @description The customer who authenticates. */
            customerId: string;
        };
        StartTwoFactorResetQuery: {
            /** @description The customer who authenticates. */
            customerId: string;
        };
        GetTwoFactorResetStatusQuery: {
            /** @description The customer who authenticates. */
            customerId: string;
        };
        CompleteTwoFactorResetQuery: {
            /** @description The customer who authenticates. */
            customerId: string;
        };
        ListInvitationsQuery: {
            /** @description Invitations from this customer. */
            customerId?: string;
            /**
             * @description Only a `PENDING` invitation can be claimed or cancelled; the other statuses are final.
             * @enum {string}
             */
            status?: "PENDING" | "CLAIMED" | "EXPIRED" | "CANCELLED";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        GetAccountStatementQuery: {
            /**
             * @description The account.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            accountId: string;
            /**
             * @description The first day.
             * @example 2026-03-31
             */
            from: string;
            /**
             * @description The last day, at most 366 days after the first.
             * @example 2026-03-31
             */
            to: string;
            /**
             * @description The time zone of the days. Default: `UTC`.
             * @example Europe/Berlin
             */
            zone?: string;
            /**
             * @description A page in JSON, or the whole period as a file: `csv`, `camt053` (XML of ISO 20022), `html` (a page to print). Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv" | "camt053" | "html";
            /**
             * @description The version of `camt053`. Default: `08`.
             * @enum {string}
             */
            version?: "08" | "04";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListCustomerInternalAccountsQuery: {
            /**
             * @description Only accounts in this currency, by its exact code.
             * @example USD
             */
            currency?: string;
            /** @description Only accounts of this customer. */
            customerId?: string;
            /**
             * @description Only accounts of this type.
             * @enum {string}
             */
            type?: "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListInternalAccountsQuery: {
            /**
             * @description Only accounts in this currency, by its exact code.
             * @example USD
             */
            currency?: string;
            /** @description Only accounts of this customer. */
            customerId?: string;
            /**
             * @description Only accounts of this type.
             * @enum {string}
             */
            type?: "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListPlatformInternalAccountsQuery: {
            /**
             * @description Only accounts in this currency, by its exact code.
             * @example USD
             */
            currency?: string;
            /**
             * @description Only accounts of this type.
             * @enum {string}
             */
            type?: "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";
        };
        ListInternalAccountEntriesQuery: {
            /**
             * @description Only changes of this part of the money. AVAILABLE: can be spent. HELD: on hold for a payment. ARRIVING: not credited yet.
             * @enum {string}
             */
            book?: "AVAILABLE" | "HELD" | "ARRIVING";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListCustomerExternalAccountsQuery: {
            /**
             * @description Only accounts in this currency, by its exact code.
             * @example EUR
             */
            currency?: string;
            /** @description Only accounts of this customer. */
            customerId?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListPlatformExternalAccountsQuery: {
            /**
             * @description Only accounts in this currency, by its exact code.
             * @example EUR
             */
            currency?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListDelegatedKeysQuery: {
            /** @description Keys of this wallet. */
            accountId?: string;
            /** @description Keys of this card and wallet together. */
            fundingSourceId?: string;
        };
        ListAuthCredentialsQuery: {
            /** @description The wallet. */
            accountId: string;
        };
        ListAuthSessionsQuery: {
            /** @description The wallet. */
            accountId: string;
        };
        LookupUmaQuery: {
            /** @description The sender, by UMA address. Without this and `customerId`, the platform is the sender. */
            senderUmaAddress?: string;
            /** @description The sender, by id. */
            customerId?: string;
        };
        LookupExternalAccountQuery: {
            /** @description The sender, by UMA address. Without this and `customerId`, the platform is the sender. */
            senderUmaAddress?: string;
            /** @description The sender, by id. */
            customerId?: string;
        };
        ListTransactionsQuery: {
            /** @description Only transactions of this customer; give the platform’s id for its own. */
            customerId?: string;
            /** @description The same, by the platform’s own id for the customer. */
            platformCustomerId?: string;
            /** @description Id of an account, or a UMA address, that the money leaves or reaches. */
            accountIdentifier?: string;
            /** @description Id of an account, or a UMA address, that the money leaves. */
            senderAccountIdentifier?: string;
            /** @description Id of an account, or a UMA address, that the money reaches. */
            receiverAccountIdentifier?: string;
            /**
             * @description Only payments in this status; cannot be combined with card transactions.
             * @enum {string}
             */
            status?: "CREATED" | "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
            /**
             * @description Only transactions of this type.
             * @enum {string}
             */
            type?: "INCOMING" | "OUTGOING" | "CARD";
            /** @description The reference on a statement, of the payment or of its refund. */
            reference?: string;
            /**
             * Format: date-time
             * @description Created at this time or later.
             */
            startDate?: string;
            /**
             * Format: date-time
             * @description Created at this time or earlier.
             */
            endDate?: string;
            /**
             * @description `desc`: newest first.
             * @default desc
             * @enum {string}
             */
            sortOrder?: "asc" | "desc";
            /** @description Only transactions of this card. */
            cardId?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ApprovePendingPaymentReply: (components["schemas"]["Transaction"] & components["schemas"]["IncomingTransaction"]) | (components["schemas"]["Transaction"] & components["schemas"]["OutgoingTransaction"]);
        RejectPendingPaymentReply: (components["schemas"]["Transaction"] & components["schemas"]["IncomingTransaction"]) | (components["schemas"]["Transaction"] & components["schemas"]["OutgoingTransaction"]);
        ListCardsQuery: {
            /** @description Cards of this customer. */
            customerId?: string;
            /**
             * @deprecated
             * @description The older name of `customerId`.
             */
            cardholderId?: string;
            /** @description Cards that this account pays for now. */
            accountId?: string;
            /** @description The card with this `platformCardId`. */
            platformCardId?: string;
            status?: components["schemas"]["CardStatus"];
            /**
             * @deprecated
             * @description The older name of `status`.
             * @enum {string}
             */
            state?: "PROCESSING" | "ACTIVE" | "FROZEN" | "CLOSED";
            /**
             * @description The order by time of creation.
             * @default desc
             * @enum {string}
             */
            sortOrder?: "asc" | "desc";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListStablecoinsQuery: {
            issuanceStatus?: components["schemas"]["StablecoinIssuanceStatus"];
            svcOperationsStatus?: components["schemas"]["StablecoinSvcOperationsStatus"];
            provider?: components["schemas"]["StablecoinProvider"];
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListStablecoinProviderAccountsQuery: {
            provider?: components["schemas"]["StablecoinProvider"];
            status?: components["schemas"]["StablecoinProviderAccountStatus"];
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListStablecoinOperationsQuery: {
            operationType?: components["schemas"]["StablecoinOperationType"];
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAgentsQuery: {
            /** @description Agents of this customer. */
            customerId?: string;
            /** @description Only agents that are paused, or that are not. */
            isPaused?: boolean;
            /** @description Only agents that are connected, or that are not. */
            isConnected?: boolean;
            /**
             * Format: date-time
             * @description Created at this time or later.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Created at this time or earlier.
             */
            createdBefore?: string;
            /**
             * Format: date-time
             * @description Changed at this time or later.
             */
            updatedAfter?: string;
            /**
             * Format: date-time
             * @description Changed at this time or earlier.
             */
            updatedBefore?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAgentApprovalsQuery: {
            /** @description Actions of this agent. */
            agentId?: string;
            /** @description Actions of the agents of this customer. */
            customerId?: string;
            /**
             * Format: date-time
             * @description Requested at this time or later.
             */
            startDate?: string;
            /**
             * Format: date-time
             * @description Requested at this time or earlier.
             */
            endDate?: string;
            /**
             * @description Order of `createdAt`.
             * @default desc
             * @enum {string}
             */
            sortOrder?: "asc" | "desc";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAgentActionsQuery: {
            status?: components["schemas"]["AgentActionStatus"];
            type?: components["schemas"]["AgentActionType"];
            /**
             * Format: date-time
             * @description Requested at this time or later.
             */
            startDate?: string;
            /**
             * Format: date-time
             * @description Requested at this time or earlier.
             */
            endDate?: string;
            /**
             * @description Order of `createdAt`.
             * @default desc
             * @enum {string}
             */
            sortOrder?: "asc" | "desc";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        AgentListTransactionsQuery: {
            /** @description Id of an account, or a UMA address, that the money leaves or reaches. */
            accountIdentifier?: string;
            /** @description Id of an account, or a UMA address, that the money leaves. */
            senderAccountIdentifier?: string;
            /** @description Id of an account, or a UMA address, that the money reaches. */
            receiverAccountIdentifier?: string;
            /**
             * @description Only payments in this status.
             * @enum {string}
             */
            status?: "CREATED" | "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
            /**
             * @description Only payments of this type.
             * @enum {string}
             */
            type?: "INCOMING" | "OUTGOING";
            /** @description The reference on a statement, of the payment or of its refund. */
            reference?: string;
            /**
             * Format: date-time
             * @description Created at this time or later.
             */
            startDate?: string;
            /**
             * Format: date-time
             * @description Created at this time or earlier.
             */
            endDate?: string;
            /**
             * @description `desc`: newest first.
             * @default desc
             * @enum {string}
             */
            sortOrder?: "asc" | "desc";
            /** @description Refused: agents do not see card transactions. */
            cardId?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        AgentListInternalAccountsQuery: {
            /**
             * @description Only accounts in this currency, by its exact code.
             * @example USD
             */
            currency?: string;
            /**
             * @description Only accounts of this type.
             * @enum {string}
             */
            type?: "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        AgentListExternalAccountsQuery: {
            /**
             * @description Only accounts in this currency, by its exact code.
             * @example EUR
             */
            currency?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        AgentListActionsQuery: {
            status?: components["schemas"]["AgentActionStatus"];
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListEventsQuery: {
            /**
             * @description Only events of this type.
             * @enum {string}
             */
            type?: "OUTGOING_PAYMENT.PENDING" | "OUTGOING_PAYMENT.PENDING_AUTHORIZATION" | "OUTGOING_PAYMENT.PROCESSING" | "OUTGOING_PAYMENT.COMPLETED" | "OUTGOING_PAYMENT.FAILED" | "OUTGOING_PAYMENT.EXPIRED" | "OUTGOING_PAYMENT.REFUND_PENDING" | "OUTGOING_PAYMENT.REFUND_COMPLETED" | "OUTGOING_PAYMENT.REFUND_FAILED" | "INCOMING_PAYMENT.PENDING" | "INCOMING_PAYMENT.COMPLETED" | "INCOMING_PAYMENT.FAILED" | "INCOMING_PAYMENT.REFUND_PENDING" | "INCOMING_PAYMENT.REFUND_COMPLETED" | "INCOMING_PAYMENT.REFUND_FAILED" | "CUSTOMER.KYC_PENDING" | "CUSTOMER.KYC_APPROVED" | "CUSTOMER.KYC_REJECTED" | "CUSTOMER.KYB_PENDING" | "CUSTOMER.KYB_APPROVED" | "CUSTOMER.KYB_REJECTED" | "VERIFICATION.READY_FOR_VERIFICATION" | "VERIFICATION.IN_PROGRESS" | "VERIFICATION.RESOLVE_ERRORS" | "VERIFICATION.PENDING_MANUAL_REVIEW" | "VERIFICATION.APPROVED" | "VERIFICATION.REJECTED" | "EXTERNAL_ACCOUNT.STATUS_UPDATED" | "INTERNAL_ACCOUNT.BALANCE_UPDATED" | "INTERNAL_ACCOUNT.STATUS_UPDATED" | "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED" | "INVITATION.CLAIMED" | "BULK_UPLOAD.COMPLETED" | "BULK_UPLOAD.FAILED" | "AGENT_ACTION.PENDING_APPROVAL" | "CARD.STATUS_CHANGE" | "CARD.FUNDING_SOURCE_CHANGE" | "CARD_TRANSACTION.AUTHORIZED" | "CARD_TRANSACTION.PARTIALLY_SETTLED" | "CARD_TRANSACTION.SETTLED" | "CARD_TRANSACTION.DECLINED" | "CARD_TRANSACTION.EXCEPTION" | "TEST";
            state?: components["schemas"]["EventState"];
            /** @description Only events of the resource with this id. */
            resourceId?: string;
            /**
             * Format: date-time
             * @description Created at this time or later.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Created at this time or earlier.
             */
            createdBefore?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListEventAttemptsQuery: {
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListenToEventsQuery: {
            /** @description The opaque `cursor` of the last answer. Absent: from now on. A cursor that is ahead of the database, for example after a restore from a backup, is refused: begin again without one. */
            cursor?: string;
            /**
             * @description How long the call waits if there is no event yet.
             * @default 0
             */
            waitSeconds?: number;
            /**
             * @description The most events in one answer.
             * @default 50
             */
            limit?: number;
            /**
             * @description Whether the listener answers approval questions within their five seconds. Without an endpoint, they then wait for its answer. Also requires the TRANSACT permission.
             * @default false
             */
            answersQuestions?: boolean;
        };
        ListRequestLogsQuery: {
            /**
             * @description Only requests with a status of this class.
             * @enum {string}
             */
            statusClass?: "2XX" | "3XX" | "4XX" | "5XX";
            /**
             * @description Only requests with this method.
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Only requests with this path, either the template of this document or the called path. */
            path?: string;
            /**
             * @description Only refusals with this code.
             * @example INVALID_INPUT
             */
            code?: string;
            /** @description Whether to leave out the reads of the console’s own pages. */
            isExcludingConsoleReads?: boolean;
            /**
             * Format: uuid
             * @description Only the request with this `X-Request-Id`.
             */
            requestId?: string;
            /**
             * Format: date-time
             * @description Only requests at this time or later, in real time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only requests at this time or earlier, in real time.
             */
            createdBefore?: string;
            /** @description Only entries after this one. Use it with `sortOrder=asc` to follow the log. */
            after?: string;
            /**
             * @description Newest first (`desc`) or last (`asc`).
             * @default desc
             * @enum {string}
             */
            sortOrder?: "asc" | "desc";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        SearchQuery: {
            /** @description The value to look for. */
            q: string;
        };
        ListSandboxClockDueQuery: {
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListSandboxMessagesQuery: {
            /** @description Only messages to this e-mail address or phone number, exactly. */
            recipient?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        SandboxReceiveReply: components["schemas"]["Transaction"] & components["schemas"]["IncomingTransaction"];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccountDestination = components['schemas']['AccountDestination'];
export type AccountQuoteSource = components['schemas']['AccountQuoteSource'];
export type AccountStatement = components['schemas']['AccountStatement'];
export type AccountStatementLine = components['schemas']['AccountStatementLine'];
export type AccountTransactionDestination = components['schemas']['AccountTransactionDestination'];
export type AccountTransactionSource = components['schemas']['AccountTransactionSource'];
export type Address = components['schemas']['Address'];
export type AddressUpdate = components['schemas']['AddressUpdate'];
export type AedBeneficiary = components['schemas']['AedBeneficiary'];
export type AedExternalAccountCreateInfo = components['schemas']['AedExternalAccountCreateInfo'];
export type AedExternalAccountInfo = components['schemas']['AedExternalAccountInfo'];
export type Agent = components['schemas']['Agent'];
export type AgentAccountRestrictions = components['schemas']['AgentAccountRestrictions'];
export type AgentAccountRule = components['schemas']['AgentAccountRule'];
export type AgentAction = components['schemas']['AgentAction'];
export type AgentActionListResponse = components['schemas']['AgentActionListResponse'];
export type AgentActionRejectRequest = components['schemas']['AgentActionRejectRequest'];
export type AgentActionStatus = components['schemas']['AgentActionStatus'];
export type AgentActionType = components['schemas']['AgentActionType'];
export type AgentActionWebhook = components['schemas']['AgentActionWebhook'];
export type AgentApprovalThresholds = components['schemas']['AgentApprovalThresholds'];
export type AgentCreateRequest = components['schemas']['AgentCreateRequest'];
export type AgentCreateResponse = components['schemas']['AgentCreateResponse'];
export type AgentDeviceCode = components['schemas']['AgentDeviceCode'];
export type AgentDeviceCodeRedeemResponse = components['schemas']['AgentDeviceCodeRedeemResponse'];
export type AgentDeviceCodeStatusResponse = components['schemas']['AgentDeviceCodeStatusResponse'];
export type AgentExecutionMode = components['schemas']['AgentExecutionMode'];
export type AgentListResponse = components['schemas']['AgentListResponse'];
export type AgentPermission = components['schemas']['AgentPermission'];
export type AgentPolicy = components['schemas']['AgentPolicy'];
export type AgentPolicyUpdateRequest = components['schemas']['AgentPolicyUpdateRequest'];
export type AgentSpendingLimits = components['schemas']['AgentSpendingLimits'];
export type AgentSpendingLimitsUpdate = components['schemas']['AgentSpendingLimitsUpdate'];
export type AgentTransferDetails = components['schemas']['AgentTransferDetails'];
export type AgentUpdateRequest = components['schemas']['AgentUpdateRequest'];
export type AgentUsage = components['schemas']['AgentUsage'];
export type AnnualIncomeRange = components['schemas']['AnnualIncomeRange'];
export type ApiToken = components['schemas']['ApiToken'];
export type ApiTokenCreateRequest = components['schemas']['ApiTokenCreateRequest'];
export type ApprovePaymentRequest = components['schemas']['ApprovePaymentRequest'];
export type ArbitrumWalletExternalAccountInfo = components['schemas']['ArbitrumWalletExternalAccountInfo'];
export type AuthCredentialChallengeRequest = components['schemas']['AuthCredentialChallengeRequest'];
export type AuthCredentialChallengeResponse = components['schemas']['AuthCredentialChallengeResponse'];
export type AuthCredentialCreateRequestOneOf = components['schemas']['AuthCredentialCreateRequestOneOf'];
export type AuthCredentialListResponse = components['schemas']['AuthCredentialListResponse'];
export type AuthCredentialResponseOneOf = components['schemas']['AuthCredentialResponseOneOf'];
export type AuthCredentialVerifyRequestOneOf = components['schemas']['AuthCredentialVerifyRequestOneOf'];
export type AuthMethod = components['schemas']['AuthMethod'];
export type AuthMethodResponse = components['schemas']['AuthMethodResponse'];
export type AuthMethodType = components['schemas']['AuthMethodType'];
export type AuthSession = components['schemas']['AuthSession'];
export type AuthSessionRefreshRequest = components['schemas']['AuthSessionRefreshRequest'];
export type AuthSignedRequestChallenge = components['schemas']['AuthSignedRequestChallenge'];
export type BaseWalletExternalAccountInfo = components['schemas']['BaseWalletExternalAccountInfo'];
export type BaseWebhook = components['schemas']['BaseWebhook'];
export type BdtExternalAccountCreateInfo = components['schemas']['BdtExternalAccountCreateInfo'];
export type BdtExternalAccountInfo = components['schemas']['BdtExternalAccountInfo'];
export type BeneficialOwner = components['schemas']['BeneficialOwner'];
export type BeneficialOwnerCreateRequest = components['schemas']['BeneficialOwnerCreateRequest'];
export type BeneficialOwnerListResponse = components['schemas']['BeneficialOwnerListResponse'];
export type BeneficialOwnerPersonalInfo = components['schemas']['BeneficialOwnerPersonalInfo'];
export type BeneficialOwnerPersonalInfoUpdate = components['schemas']['BeneficialOwnerPersonalInfoUpdate'];
export type BeneficialOwnerRole = components['schemas']['BeneficialOwnerRole'];
export type BeneficialOwnerUpdateRequest = components['schemas']['BeneficialOwnerUpdateRequest'];
export type BeneficiaryTrustConfirm = components['schemas']['BeneficiaryTrustConfirm'];
export type BeneficiaryTrustConfirmRequest = components['schemas']['BeneficiaryTrustConfirmRequest'];
export type BeneficiaryTrustStart = components['schemas']['BeneficiaryTrustStart'];
export type BeneficiaryVerificationStatus = components['schemas']['BeneficiaryVerificationStatus'];
export type BeneficiaryVerifiedData = components['schemas']['BeneficiaryVerifiedData'];
export type BrlExternalAccountCreateInfo = components['schemas']['BrlExternalAccountCreateInfo'];
export type BrlExternalAccountInfo = components['schemas']['BrlExternalAccountInfo'];
export type BulkCustomerImportErrorEntry = components['schemas']['BulkCustomerImportErrorEntry'];
export type BulkCustomerImportJob = components['schemas']['BulkCustomerImportJob'];
export type BulkCustomerImportJobAccepted = components['schemas']['BulkCustomerImportJobAccepted'];
export type BulkCustomerImportJobListResponse = components['schemas']['BulkCustomerImportJobListResponse'];
export type BulkCustomerImportJobSummary = components['schemas']['BulkCustomerImportJobSummary'];
export type BulkUploadWebhook = components['schemas']['BulkUploadWebhook'];
export type BusinessBeneficiary = components['schemas']['BusinessBeneficiary'];
export type BusinessCustomer = components['schemas']['BusinessCustomer'];
export type BusinessCustomerCreateRequest = components['schemas']['BusinessCustomerCreateRequest'];
export type BusinessCustomerUpdateRequest = components['schemas']['BusinessCustomerUpdateRequest'];
export type BusinessInfo = components['schemas']['BusinessInfo'];
export type BusinessInfoResponse = components['schemas']['BusinessInfoResponse'];
export type BusinessInfoUpdate = components['schemas']['BusinessInfoUpdate'];
export type BusinessType = components['schemas']['BusinessType'];
export type BwpExternalAccountCreateInfo = components['schemas']['BwpExternalAccountCreateInfo'];
export type BwpExternalAccountInfo = components['schemas']['BwpExternalAccountInfo'];
export type CadBeneficiary = components['schemas']['CadBeneficiary'];
export type CadExternalAccountCreateInfo = components['schemas']['CadExternalAccountCreateInfo'];
export type CadExternalAccountInfo = components['schemas']['CadExternalAccountInfo'];
export type CancelTransactionRequest = components['schemas']['CancelTransactionRequest'];
export type Card = components['schemas']['Card'];
export type CardBrand = components['schemas']['CardBrand'];
export type CardCreateRequest = components['schemas']['CardCreateRequest'];
export type CardForm = components['schemas']['CardForm'];
export type CardFundingSourceChangeWebhook = components['schemas']['CardFundingSourceChangeWebhook'];
export type CardListResponse = components['schemas']['CardListResponse'];
export type CardMerchant = components['schemas']['CardMerchant'];
export type CardRevealResponse = components['schemas']['CardRevealResponse'];
export type CardStateChangeWebhook = components['schemas']['CardStateChangeWebhook'];
export type CardStatus = components['schemas']['CardStatus'];
export type CardStatusReason = components['schemas']['CardStatusReason'];
export type CardTokenization2FaConfig = components['schemas']['CardTokenization2FAConfig'];
export type CardTokenization2FaConfigUpdate = components['schemas']['CardTokenization2FAConfigUpdate'];
export type CardTokenization2FaEmailConfig = components['schemas']['CardTokenization2FAEmailConfig'];
export type CardTokenization2FaEmailConfigUpdate = components['schemas']['CardTokenization2FAEmailConfigUpdate'];
export type CardTokenization2FaSmsConfig = components['schemas']['CardTokenization2FASmsConfig'];
export type CardTokenization2FaSmsConfigUpdate = components['schemas']['CardTokenization2FASmsConfigUpdate'];
export type CardTransaction = components['schemas']['CardTransaction'];
export type CardTransactionWebhook = components['schemas']['CardTransactionWebhook'];
export type CardUpdateRequest = components['schemas']['CardUpdateRequest'];
export type CnyExternalAccountCreateInfo = components['schemas']['CnyExternalAccountCreateInfo'];
export type CnyExternalAccountInfo = components['schemas']['CnyExternalAccountInfo'];
export type ConfirmReceiptDeliveryRequest = components['schemas']['ConfirmReceiptDeliveryRequest'];
export type ConsoleSession = components['schemas']['ConsoleSession'];
export type ContactVerification = components['schemas']['ContactVerification'];
export type ContactVerificationConfirmRequest = components['schemas']['ContactVerificationConfirmRequest'];
export type ContactVerificationStatus = components['schemas']['ContactVerificationStatus'];
export type CopBeneficiary = components['schemas']['CopBeneficiary'];
export type CopExternalAccountCreateInfo = components['schemas']['CopExternalAccountCreateInfo'];
export type CopExternalAccountInfo = components['schemas']['CopExternalAccountInfo'];
export type CounterpartyFieldDefinition = components['schemas']['CounterpartyFieldDefinition'];
export type CryptoNetwork = components['schemas']['CryptoNetwork'];
export type Currency = components['schemas']['Currency'];
export type CurrencyAmount = components['schemas']['CurrencyAmount'];
export type CurrencyPreference = components['schemas']['CurrencyPreference'];
export type Customer = components['schemas']['Customer'];
export type CustomerCreateRequest = components['schemas']['CustomerCreateRequest'];
export type CustomerInfoFieldName = components['schemas']['CustomerInfoFieldName'];
export type CustomerListResponse = components['schemas']['CustomerListResponse'];
export type CustomerType = components['schemas']['CustomerType'];
export type CustomerUpdateRequest = components['schemas']['CustomerUpdateRequest'];
export type CustomerWebhook = components['schemas']['CustomerWebhook'];
export type CustomersCsvUpload = components['schemas']['CustomersCsvUpload'];
export type DelegatedKey = components['schemas']['DelegatedKey'];
export type DelegatedKeyCreateRequest = components['schemas']['DelegatedKeyCreateRequest'];
export type DelegatedKeyListResponse = components['schemas']['DelegatedKeyListResponse'];
export type DelegatedKeySignedRequestChallenge = components['schemas']['DelegatedKeySignedRequestChallenge'];
export type DelegatedKeyStatus = components['schemas']['DelegatedKeyStatus'];
export type Discovery = components['schemas']['Discovery'];
export type DiscoveryListResponse = components['schemas']['DiscoveryListResponse'];
export type DkkExternalAccountCreateInfo = components['schemas']['DkkExternalAccountCreateInfo'];
export type DkkExternalAccountInfo = components['schemas']['DkkExternalAccountInfo'];
export type Document = components['schemas']['Document'];
export type DocumentListResponse = components['schemas']['DocumentListResponse'];
export type DocumentReplaceRequest = components['schemas']['DocumentReplaceRequest'];
export type DocumentType = components['schemas']['DocumentType'];
export type DocumentUploadRequest = components['schemas']['DocumentUploadRequest'];
export type EgpExternalAccountCreateInfo = components['schemas']['EgpExternalAccountCreateInfo'];
export type EgpExternalAccountInfo = components['schemas']['EgpExternalAccountInfo'];
export type EmailOtpCredentialCreateRequest = components['schemas']['EmailOtpCredentialCreateRequest'];
export type EmailOtpCredentialVerifyRequest = components['schemas']['EmailOtpCredentialVerifyRequest'];
export type EmbeddedWalletConfig = components['schemas']['EmbeddedWalletConfig'];
export type EmbeddedWalletConfigUpdate = components['schemas']['EmbeddedWalletConfigUpdate'];
export type EndUserTerms = components['schemas']['EndUserTerms'];
export type EndUserTermsAcceptanceMethod = components['schemas']['EndUserTermsAcceptanceMethod'];
export type EndUserTermsConsent = components['schemas']['EndUserTermsConsent'];
export type EndUserTermsConsentRequest = components['schemas']['EndUserTermsConsentRequest'];
export type EntityType = components['schemas']['EntityType'];
export type Error400 = components['schemas']['Error400'];
export type Error401 = components['schemas']['Error401'];
export type Error403 = components['schemas']['Error403'];
export type Error404 = components['schemas']['Error404'];
export type Error405 = components['schemas']['Error405'];
export type Error408 = components['schemas']['Error408'];
export type Error409 = components['schemas']['Error409'];
export type Error410 = components['schemas']['Error410'];
export type Error412 = components['schemas']['Error412'];
export type Error423 = components['schemas']['Error423'];
export type Error424 = components['schemas']['Error424'];
export type Error429 = components['schemas']['Error429'];
export type Error500 = components['schemas']['Error500'];
export type Error501 = components['schemas']['Error501'];
export type Error503 = components['schemas']['Error503'];
export type EstimateCryptoWithdrawalFeeRequest = components['schemas']['EstimateCryptoWithdrawalFeeRequest'];
export type EstimateCryptoWithdrawalFeeResponse = components['schemas']['EstimateCryptoWithdrawalFeeResponse'];
export type EthereumWalletExternalAccountInfo = components['schemas']['EthereumWalletExternalAccountInfo'];
export type EurBeneficiary = components['schemas']['EurBeneficiary'];
export type EurExternalAccountCreateInfo = components['schemas']['EurExternalAccountCreateInfo'];
export type EurExternalAccountInfo = components['schemas']['EurExternalAccountInfo'];
export type EventAnswer = components['schemas']['EventAnswer'];
export type EventAttempt = components['schemas']['EventAttempt'];
export type EventAttemptListResponse = components['schemas']['EventAttemptListResponse'];
export type EventDetail = components['schemas']['EventDetail'];
export type EventFeed = components['schemas']['EventFeed'];
export type EventListResponse = components['schemas']['EventListResponse'];
export type EventState = components['schemas']['EventState'];
export type EventSummary = components['schemas']['EventSummary'];
export type ExchangeRate = components['schemas']['ExchangeRate'];
export type ExchangeRateFees = components['schemas']['ExchangeRateFees'];
export type ExchangeRateListResponse = components['schemas']['ExchangeRateListResponse'];
export type ExecuteQuoteRequest = components['schemas']['ExecuteQuoteRequest'];
export type ExpectedMonthlyTransactionCount = components['schemas']['ExpectedMonthlyTransactionCount'];
export type ExpectedMonthlyTransactionVolume = components['schemas']['ExpectedMonthlyTransactionVolume'];
export type ExplanationActor = components['schemas']['ExplanationActor'];
export type ExplanationActorKind = components['schemas']['ExplanationActorKind'];
export type ExplanationCall = components['schemas']['ExplanationCall'];
export type ExplanationCause = components['schemas']['ExplanationCause'];
export type ExplanationFailure = components['schemas']['ExplanationFailure'];
export type ExplanationItem = components['schemas']['ExplanationItem'];
export type ExplanationItemKind = components['schemas']['ExplanationItemKind'];
export type ExplanationRefusal = components['schemas']['ExplanationRefusal'];
export type ExplanationRelation = components['schemas']['ExplanationRelation'];
export type ExplanationWaiting = components['schemas']['ExplanationWaiting'];
export type ExplanationWay = components['schemas']['ExplanationWay'];
export type ExternalAccount = components['schemas']['ExternalAccount'];
export type ExternalAccountCreateInfoOneOf = components['schemas']['ExternalAccountCreateInfoOneOf'];
export type ExternalAccountCreateRequest = components['schemas']['ExternalAccountCreateRequest'];
export type ExternalAccountDestinationReference = components['schemas']['ExternalAccountDestinationReference'];
export type ExternalAccountInfoOneOf = components['schemas']['ExternalAccountInfoOneOf'];
export type ExternalAccountListResponse = components['schemas']['ExternalAccountListResponse'];
export type ExternalAccountReference = components['schemas']['ExternalAccountReference'];
export type ExternalAccountStatus = components['schemas']['ExternalAccountStatus'];
export type ExternalAccountStatusWebhook = components['schemas']['ExternalAccountStatusWebhook'];
export type FeeConfig = components['schemas']['FeeConfig'];
export type FeeType = components['schemas']['FeeType'];
export type FieldConstraint = components['schemas']['FieldConstraint'];
export type FieldError = components['schemas']['FieldError'];
export type FixedFee = components['schemas']['FixedFee'];
export type GbpExternalAccountCreateInfo = components['schemas']['GbpExternalAccountCreateInfo'];
export type GbpExternalAccountInfo = components['schemas']['GbpExternalAccountInfo'];
export type GhsExternalAccountCreateInfo = components['schemas']['GhsExternalAccountCreateInfo'];
export type GhsExternalAccountInfo = components['schemas']['GhsExternalAccountInfo'];
export type GtqBeneficiary = components['schemas']['GtqBeneficiary'];
export type GtqExternalAccountCreateInfo = components['schemas']['GtqExternalAccountCreateInfo'];
export type GtqExternalAccountInfo = components['schemas']['GtqExternalAccountInfo'];
export type HeardEvent = components['schemas']['HeardEvent'];
export type HkdExternalAccountCreateInfo = components['schemas']['HkdExternalAccountCreateInfo'];
export type HkdExternalAccountInfo = components['schemas']['HkdExternalAccountInfo'];
export type HtgExternalAccountCreateInfo = components['schemas']['HtgExternalAccountCreateInfo'];
export type HtgExternalAccountInfo = components['schemas']['HtgExternalAccountInfo'];
export type IdentificationType = components['schemas']['IdentificationType'];
export type IdrExternalAccountCreateInfo = components['schemas']['IdrExternalAccountCreateInfo'];
export type IdrExternalAccountInfo = components['schemas']['IdrExternalAccountInfo'];
export type IlsExternalAccountCreateInfo = components['schemas']['IlsExternalAccountCreateInfo'];
export type IlsExternalAccountInfo = components['schemas']['IlsExternalAccountInfo'];
export type IncomingPaymentWebhook = components['schemas']['IncomingPaymentWebhook'];
export type IncomingPaymentWebhookData = components['schemas']['IncomingPaymentWebhookData'];
export type IncomingTransaction = components['schemas']['IncomingTransaction'];
export type IndividualBeneficiary = components['schemas']['IndividualBeneficiary'];
export type IndividualCustomer = components['schemas']['IndividualCustomer'];
export type IndividualCustomerCreateRequest = components['schemas']['IndividualCustomerCreateRequest'];
export type IndividualCustomerUpdateRequest = components['schemas']['IndividualCustomerUpdateRequest'];
export type IndividualSourceOfFundsCategory = components['schemas']['IndividualSourceOfFundsCategory'];
export type InrExternalAccountCreateInfo = components['schemas']['InrExternalAccountCreateInfo'];
export type InrExternalAccountInfo = components['schemas']['InrExternalAccountInfo'];
export type InternalAccount = components['schemas']['InternalAccount'];
export type InternalAccountEntry = components['schemas']['InternalAccountEntry'];
export type InternalAccountEntryListResponse = components['schemas']['InternalAccountEntryListResponse'];
export type InternalAccountExportRequest = components['schemas']['InternalAccountExportRequest'];
export type InternalAccountExportResponse = components['schemas']['InternalAccountExportResponse'];
export type InternalAccountListResponse = components['schemas']['InternalAccountListResponse'];
export type InternalAccountReference = components['schemas']['InternalAccountReference'];
export type InternalAccountStatus = components['schemas']['InternalAccountStatus'];
export type InternalAccountStatusWebhook = components['schemas']['InternalAccountStatusWebhook'];
export type InternalAccountType = components['schemas']['InternalAccountType'];
export type InternalAccountUpdateRequest = components['schemas']['InternalAccountUpdateRequest'];
export type InvitationClaimedWebhook = components['schemas']['InvitationClaimedWebhook'];
export type JmdBeneficiary = components['schemas']['JmdBeneficiary'];
export type JmdExternalAccountCreateInfo = components['schemas']['JmdExternalAccountCreateInfo'];
export type JmdExternalAccountInfo = components['schemas']['JmdExternalAccountInfo'];
export type KesExternalAccountCreateInfo = components['schemas']['KesExternalAccountCreateInfo'];
export type KesExternalAccountInfo = components['schemas']['KesExternalAccountInfo'];
export type KybStatus = components['schemas']['KybStatus'];
export type KycLinkCreateRequest = components['schemas']['KycLinkCreateRequest'];
export type KycLinkResponse = components['schemas']['KycLinkResponse'];
export type KycProvider = components['schemas']['KycProvider'];
export type KycStatus = components['schemas']['KycStatus'];
export type LightningExternalAccountInfo = components['schemas']['LightningExternalAccountInfo'];
export type LivenessChallenge = components['schemas']['LivenessChallenge'];
export type MwkExternalAccountCreateInfo = components['schemas']['MwkExternalAccountCreateInfo'];
export type MwkExternalAccountInfo = components['schemas']['MwkExternalAccountInfo'];
export type MxnExternalAccountCreateInfo = components['schemas']['MxnExternalAccountCreateInfo'];
export type MxnExternalAccountInfo = components['schemas']['MxnExternalAccountInfo'];
export type MyrExternalAccountCreateInfo = components['schemas']['MyrExternalAccountCreateInfo'];
export type MyrExternalAccountInfo = components['schemas']['MyrExternalAccountInfo'];
export type NetWorthRange = components['schemas']['NetWorthRange'];
export type NgnExternalAccountCreateInfo = components['schemas']['NgnExternalAccountCreateInfo'];
export type NgnExternalAccountInfo = components['schemas']['NgnExternalAccountInfo'];
export type OauthCredentialCreateRequest = components['schemas']['OauthCredentialCreateRequest'];
export type OauthCredentialVerifyRequest = components['schemas']['OauthCredentialVerifyRequest'];
export type OnChainTransaction = components['schemas']['OnChainTransaction'];
export type OutgoingPaymentWebhook = components['schemas']['OutgoingPaymentWebhook'];
export type OutgoingRateDetails = components['schemas']['OutgoingRateDetails'];
export type OutgoingTransaction = components['schemas']['OutgoingTransaction'];
export type OwnershipChallenge = components['schemas']['OwnershipChallenge'];
export type OwnershipChallengeRequest = components['schemas']['OwnershipChallengeRequest'];
export type OwnershipType = components['schemas']['OwnershipType'];
export type OwnershipVerificationMethod = components['schemas']['OwnershipVerificationMethod'];
export type OwnershipVerifyRequest = components['schemas']['OwnershipVerifyRequest'];
export type PasskeyAssertion = components['schemas']['PasskeyAssertion'];
export type PasskeyAttestation = components['schemas']['PasskeyAttestation'];
export type PasskeyAuthChallenge = components['schemas']['PasskeyAuthChallenge'];
export type PasskeyCredentialCreateRequest = components['schemas']['PasskeyCredentialCreateRequest'];
export type PasskeyCredentialVerifyRequest = components['schemas']['PasskeyCredentialVerifyRequest'];
export type PasskeyEnrollmentConfirmRequest = components['schemas']['PasskeyEnrollmentConfirmRequest'];
export type PasskeyEnrollmentConfirmResponse = components['schemas']['PasskeyEnrollmentConfirmResponse'];
export type PasskeyEnrollmentStart = components['schemas']['PasskeyEnrollmentStart'];
export type PasskeyFactorEnrollRequest = components['schemas']['PasskeyFactorEnrollRequest'];
export type PaymentAedAccountInfo = components['schemas']['PaymentAedAccountInfo'];
export type PaymentArsAccountInfo = components['schemas']['PaymentArsAccountInfo'];
export type PaymentBaseWalletInfo = components['schemas']['PaymentBaseWalletInfo'];
export type PaymentBdtAccountInfo = components['schemas']['PaymentBdtAccountInfo'];
export type PaymentBitcoinL1Info = components['schemas']['PaymentBitcoinL1Info'];
export type PaymentBrlAccountInfo = components['schemas']['PaymentBrlAccountInfo'];
export type PaymentBwpAccountInfo = components['schemas']['PaymentBwpAccountInfo'];
export type PaymentCadAccountInfo = components['schemas']['PaymentCadAccountInfo'];
export type PaymentCnyAccountInfo = components['schemas']['PaymentCnyAccountInfo'];
export type PaymentCopAccountInfo = components['schemas']['PaymentCopAccountInfo'];
export type PaymentDkkAccountInfo = components['schemas']['PaymentDkkAccountInfo'];
export type PaymentEgpAccountInfo = components['schemas']['PaymentEgpAccountInfo'];
export type PaymentEmbeddedWalletInfo = components['schemas']['PaymentEmbeddedWalletInfo'];
export type PaymentEthereumWalletInfo = components['schemas']['PaymentEthereumWalletInfo'];
export type PaymentEurAccountInfo = components['schemas']['PaymentEurAccountInfo'];
export type PaymentGbpAccountInfo = components['schemas']['PaymentGbpAccountInfo'];
export type PaymentGhsAccountInfo = components['schemas']['PaymentGhsAccountInfo'];
export type PaymentGtqAccountInfo = components['schemas']['PaymentGtqAccountInfo'];
export type PaymentHkdAccountInfo = components['schemas']['PaymentHkdAccountInfo'];
export type PaymentHtgAccountInfo = components['schemas']['PaymentHtgAccountInfo'];
export type PaymentIdrAccountInfo = components['schemas']['PaymentIdrAccountInfo'];
export type PaymentInrAccountInfo = components['schemas']['PaymentInrAccountInfo'];
export type PaymentInstructions = components['schemas']['PaymentInstructions'];
export type PaymentJmdAccountInfo = components['schemas']['PaymentJmdAccountInfo'];
export type PaymentKesAccountInfo = components['schemas']['PaymentKesAccountInfo'];
export type PaymentLightningInfo = components['schemas']['PaymentLightningInfo'];
export type PaymentMwkAccountInfo = components['schemas']['PaymentMwkAccountInfo'];
export type PaymentMxnAccountInfo = components['schemas']['PaymentMxnAccountInfo'];
export type PaymentMyrAccountInfo = components['schemas']['PaymentMyrAccountInfo'];
export type PaymentNgnAccountInfo = components['schemas']['PaymentNgnAccountInfo'];
export type PaymentParty = components['schemas']['PaymentParty'];
export type PaymentPhpAccountInfo = components['schemas']['PaymentPhpAccountInfo'];
export type PaymentPkrAccountInfo = components['schemas']['PaymentPkrAccountInfo'];
export type PaymentPlasmaWalletInfo = components['schemas']['PaymentPlasmaWalletInfo'];
export type PaymentPolygonWalletInfo = components['schemas']['PaymentPolygonWalletInfo'];
export type PaymentRail = components['schemas']['PaymentRail'];
export type PaymentRwfAccountInfo = components['schemas']['PaymentRwfAccountInfo'];
export type PaymentSgdAccountInfo = components['schemas']['PaymentSgdAccountInfo'];
export type PaymentSlvAccountInfo = components['schemas']['PaymentSlvAccountInfo'];
export type PaymentSolanaWalletInfo = components['schemas']['PaymentSolanaWalletInfo'];
export type PaymentSparkWalletInfo = components['schemas']['PaymentSparkWalletInfo'];
export type PaymentSwiftAccountInfo = components['schemas']['PaymentSwiftAccountInfo'];
export type PaymentThbAccountInfo = components['schemas']['PaymentThbAccountInfo'];
export type PaymentTronWalletInfo = components['schemas']['PaymentTronWalletInfo'];
export type PaymentTzsAccountInfo = components['schemas']['PaymentTzsAccountInfo'];
export type PaymentUgxAccountInfo = components['schemas']['PaymentUgxAccountInfo'];
export type PaymentUsdAccountInfo = components['schemas']['PaymentUsdAccountInfo'];
export type PaymentVndAccountInfo = components['schemas']['PaymentVndAccountInfo'];
export type PaymentXafAccountInfo = components['schemas']['PaymentXafAccountInfo'];
export type PaymentXofAccountInfo = components['schemas']['PaymentXofAccountInfo'];
export type PaymentZarAccountInfo = components['schemas']['PaymentZarAccountInfo'];
export type PaymentZmwAccountInfo = components['schemas']['PaymentZmwAccountInfo'];
export type PepStatus = components['schemas']['PepStatus'];
export type Permission = components['schemas']['Permission'];
export type PhpExternalAccountCreateInfo = components['schemas']['PhpExternalAccountCreateInfo'];
export type PhpExternalAccountInfo = components['schemas']['PhpExternalAccountInfo'];
export type PkrExternalAccountCreateInfo = components['schemas']['PkrExternalAccountCreateInfo'];
export type PkrExternalAccountInfo = components['schemas']['PkrExternalAccountInfo'];
export type PlasmaWalletExternalAccountInfo = components['schemas']['PlasmaWalletExternalAccountInfo'];
export type PlatformConfig = components['schemas']['PlatformConfig'];
export type PlatformConfigUpdateRequest = components['schemas']['PlatformConfigUpdateRequest'];
export type PlatformCurrencyConfig = components['schemas']['PlatformCurrencyConfig'];
export type PlatformCurrencyConfigUpdate = components['schemas']['PlatformCurrencyConfigUpdate'];
export type PlatformExternalAccountCreateRequest = components['schemas']['PlatformExternalAccountCreateRequest'];
export type PlatformFeeOverride = components['schemas']['PlatformFeeOverride'];
export type PlatformInternalAccountListResponse = components['schemas']['PlatformInternalAccountListResponse'];
export type PolygonWalletExternalAccountInfo = components['schemas']['PolygonWalletExternalAccountInfo'];
export type PurposeOfAccount = components['schemas']['PurposeOfAccount'];
export type PurposeOfPayment = components['schemas']['PurposeOfPayment'];
export type Quote = components['schemas']['Quote'];
export type QuoteLockSide = components['schemas']['QuoteLockSide'];
export type QuoteRequest = components['schemas']['QuoteRequest'];
export type QuoteScaFactorRequest = components['schemas']['QuoteScaFactorRequest'];
export type RealtimeFundingQuoteSource = components['schemas']['RealtimeFundingQuoteSource'];
export type RealtimeFundingTransactionSource = components['schemas']['RealtimeFundingTransactionSource'];
export type ReceiverExternalAccountLookupResponse = components['schemas']['ReceiverExternalAccountLookupResponse'];
export type ReceiverUmaLookupResponse = components['schemas']['ReceiverUmaLookupResponse'];
export type ReconciliationInstructions = components['schemas']['ReconciliationInstructions'];
export type RecordSecurityEventRequest = components['schemas']['RecordSecurityEventRequest'];
export type RecordSecurityEventResponse = components['schemas']['RecordSecurityEventResponse'];
export type Refund = components['schemas']['Refund'];
export type RejectPaymentRequest = components['schemas']['RejectPaymentRequest'];
export type RequestLog = components['schemas']['RequestLog'];
export type RequestLogListResponse = components['schemas']['RequestLogListResponse'];
export type RequestLogSummary = components['schemas']['RequestLogSummary'];
export type ResendFailedEventsRequest = components['schemas']['ResendFailedEventsRequest'];
export type ResendFailedEventsResponse = components['schemas']['ResendFailedEventsResponse'];
export type ResentEvent = components['schemas']['ResentEvent'];
export type RotateWebhookKeyRequest = components['schemas']['RotateWebhookKeyRequest'];
export type RwfExternalAccountCreateInfo = components['schemas']['RwfExternalAccountCreateInfo'];
export type RwfExternalAccountInfo = components['schemas']['RwfExternalAccountInfo'];
export type SandboxCardAuthorizationAdviceRequest = components['schemas']['SandboxCardAuthorizationAdviceRequest'];
export type SandboxCardAuthorizationRequest = components['schemas']['SandboxCardAuthorizationRequest'];
export type SandboxCardBalanceInquiryRequest = components['schemas']['SandboxCardBalanceInquiryRequest'];
export type SandboxCardClearingRequest = components['schemas']['SandboxCardClearingRequest'];
export type SandboxCardReturnRequest = components['schemas']['SandboxCardReturnRequest'];
export type SandboxCardSimulationResponse = components['schemas']['SandboxCardSimulationResponse'];
export type SandboxCardTokenizationRequest = components['schemas']['SandboxCardTokenizationRequest'];
export type SandboxCardTransactionRefRequest = components['schemas']['SandboxCardTransactionRefRequest'];
export type SandboxClock = components['schemas']['SandboxClock'];
export type SandboxClockAdvanceReply = components['schemas']['SandboxClockAdvanceReply'];
export type SandboxClockAdvanceRequest = components['schemas']['SandboxClockAdvanceRequest'];
export type SandboxClockDueItem = components['schemas']['SandboxClockDueItem'];
export type SandboxClockDueListResponse = components['schemas']['SandboxClockDueListResponse'];
export type SandboxFundRequest = components['schemas']['SandboxFundRequest'];
export type SandboxMessage = components['schemas']['SandboxMessage'];
export type SandboxMessageListResponse = components['schemas']['SandboxMessageListResponse'];
export type SandboxSendRequest = components['schemas']['SandboxSendRequest'];
export type SandboxUmaReceiveRequest = components['schemas']['SandboxUmaReceiveRequest'];
export type ScaAuthorization = components['schemas']['ScaAuthorization'];
export type ScaChallenge = components['schemas']['ScaChallenge'];
export type ScaFactor = components['schemas']['ScaFactor'];
export type ScaFactorConfirmRequestOneOf = components['schemas']['ScaFactorConfirmRequestOneOf'];
export type ScaFactorConfirmResponseOneOf = components['schemas']['ScaFactorConfirmResponseOneOf'];
export type ScaFactorEnrollRequestOneOf = components['schemas']['ScaFactorEnrollRequestOneOf'];
export type ScaFactorEnrollStartOneOf = components['schemas']['ScaFactorEnrollStartOneOf'];
export type ScaFactorList = components['schemas']['ScaFactorList'];
export type ScaFactorView = components['schemas']['ScaFactorView'];
export type ScaLoginComplete = components['schemas']['ScaLoginComplete'];
export type ScaLoginCompleteRequest = components['schemas']['ScaLoginCompleteRequest'];
export type ScaLoginStart = components['schemas']['ScaLoginStart'];
export type ScaLoginStartRequest = components['schemas']['ScaLoginStartRequest'];
export type SearchResponse = components['schemas']['SearchResponse'];
export type SearchResult = components['schemas']['SearchResult'];
export type SessionListResponse = components['schemas']['SessionListResponse'];
export type SgdExternalAccountCreateInfo = components['schemas']['SgdExternalAccountCreateInfo'];
export type SgdExternalAccountInfo = components['schemas']['SgdExternalAccountInfo'];
export type SignedRequestChallenge = components['schemas']['SignedRequestChallenge'];
export type SlvExternalAccountCreateInfo = components['schemas']['SlvExternalAccountCreateInfo'];
export type SlvExternalAccountInfo = components['schemas']['SlvExternalAccountInfo'];
export type SmsEnrollmentConfirmRequest = components['schemas']['SmsEnrollmentConfirmRequest'];
export type SmsEnrollmentConfirmResponse = components['schemas']['SmsEnrollmentConfirmResponse'];
export type SmsEnrollmentStart = components['schemas']['SmsEnrollmentStart'];
export type SmsFactorEnrollRequest = components['schemas']['SmsFactorEnrollRequest'];
export type SmsOtpCredentialCreateRequest = components['schemas']['SmsOtpCredentialCreateRequest'];
export type SmsOtpCredentialVerifyRequest = components['schemas']['SmsOtpCredentialVerifyRequest'];
export type SolanaWalletExternalAccountInfo = components['schemas']['SolanaWalletExternalAccountInfo'];
export type SourceOfFundsCategory = components['schemas']['SourceOfFundsCategory'];
export type SourceOfWealthCategory = components['schemas']['SourceOfWealthCategory'];
export type SparkWalletExternalAccountInfo = components['schemas']['SparkWalletExternalAccountInfo'];
export type Stablecoin = components['schemas']['Stablecoin'];
export type StablecoinAchDebitFundingSource = components['schemas']['StablecoinAchDebitFundingSource'];
export type StablecoinBurnDestination = components['schemas']['StablecoinBurnDestination'];
export type StablecoinBurnRequest = components['schemas']['StablecoinBurnRequest'];
export type StablecoinBurnSource = components['schemas']['StablecoinBurnSource'];
export type StablecoinEstimatedDelivery = components['schemas']['StablecoinEstimatedDelivery'];
export type StablecoinExternalAccountBurnSource = components['schemas']['StablecoinExternalAccountBurnSource'];
export type StablecoinFundingInstructions = components['schemas']['StablecoinFundingInstructions'];
export type StablecoinIssuanceStatus = components['schemas']['StablecoinIssuanceStatus'];
export type StablecoinListResponse = components['schemas']['StablecoinListResponse'];
export type StablecoinMintDestination = components['schemas']['StablecoinMintDestination'];
export type StablecoinMintFundingSource = components['schemas']['StablecoinMintFundingSource'];
export type StablecoinMintRequest = components['schemas']['StablecoinMintRequest'];
export type StablecoinNetwork = components['schemas']['StablecoinNetwork'];
export type StablecoinOperation = components['schemas']['StablecoinOperation'];
export type StablecoinOperationDestination = components['schemas']['StablecoinOperationDestination'];
export type StablecoinOperationListResponse = components['schemas']['StablecoinOperationListResponse'];
export type StablecoinOperationSource = components['schemas']['StablecoinOperationSource'];
export type StablecoinOperationStatus = components['schemas']['StablecoinOperationStatus'];
export type StablecoinOperationType = components['schemas']['StablecoinOperationType'];
export type StablecoinProvider = components['schemas']['StablecoinProvider'];
export type StablecoinProviderAccount = components['schemas']['StablecoinProviderAccount'];
export type StablecoinProviderAccountLinkRequest = components['schemas']['StablecoinProviderAccountLinkRequest'];
export type StablecoinProviderAccountListResponse = components['schemas']['StablecoinProviderAccountListResponse'];
export type StablecoinProviderAccountStatus = components['schemas']['StablecoinProviderAccountStatus'];
export type StablecoinProviderBalanceBurnSource = components['schemas']['StablecoinProviderBalanceBurnSource'];
export type StablecoinProviderBalanceFundingSource = components['schemas']['StablecoinProviderBalanceFundingSource'];
export type StablecoinProviderEnvironment = components['schemas']['StablecoinProviderEnvironment'];
export type StablecoinRegisterRequest = components['schemas']['StablecoinRegisterRequest'];
export type StablecoinSameDayAchDebitFundingSource = components['schemas']['StablecoinSameDayAchDebitFundingSource'];
export type StablecoinSupply = components['schemas']['StablecoinSupply'];
export type StablecoinSvcInternalBurnSource = components['schemas']['StablecoinSvcInternalBurnSource'];
export type StablecoinSvcInternalFundingSource = components['schemas']['StablecoinSvcInternalFundingSource'];
export type StablecoinSvcOperationsStatus = components['schemas']['StablecoinSvcOperationsStatus'];
export type StablecoinWireFundingSource = components['schemas']['StablecoinWireFundingSource'];
export type StatementCounterparty = components['schemas']['StatementCounterparty'];
export type SwiftExternalAccountCreateInfo = components['schemas']['SwiftExternalAccountCreateInfo'];
export type SwiftExternalAccountInfo = components['schemas']['SwiftExternalAccountInfo'];
export type TestWebhookRequest = components['schemas']['TestWebhookRequest'];
export type TestWebhookResponse = components['schemas']['TestWebhookResponse'];
export type ThbExternalAccountCreateInfo = components['schemas']['ThbExternalAccountCreateInfo'];
export type ThbExternalAccountInfo = components['schemas']['ThbExternalAccountInfo'];
export type TokenListResponse = components['schemas']['TokenListResponse'];
export type TotpEnrollmentConfirmRequest = components['schemas']['TotpEnrollmentConfirmRequest'];
export type TotpEnrollmentConfirmResponse = components['schemas']['TotpEnrollmentConfirmResponse'];
export type TotpEnrollmentStart = components['schemas']['TotpEnrollmentStart'];
export type TotpFactorEnrollRequest = components['schemas']['TotpFactorEnrollRequest'];
export type Transaction = components['schemas']['Transaction'];
export type TransactionExplanation = components['schemas']['TransactionExplanation'];
export type TransactionListResponse = components['schemas']['TransactionListResponse'];
export type TransactionOneOf = components['schemas']['TransactionOneOf'];
export type TransactionType = components['schemas']['TransactionType'];
export type TransferInRequest = components['schemas']['TransferInRequest'];
export type TransferOutRequest = components['schemas']['TransferOutRequest'];
export type TronWalletExternalAccountInfo = components['schemas']['TronWalletExternalAccountInfo'];
export type TwoFactorResetCompleteRequest = components['schemas']['TwoFactorResetCompleteRequest'];
export type TwoFactorResetStart = components['schemas']['TwoFactorResetStart'];
export type TwoFactorResetStartRequest = components['schemas']['TwoFactorResetStartRequest'];
export type TwoFactorResetStatus = components['schemas']['TwoFactorResetStatus'];
export type TzsExternalAccountCreateInfo = components['schemas']['TzsExternalAccountCreateInfo'];
export type TzsExternalAccountInfo = components['schemas']['TzsExternalAccountInfo'];
export type UgxExternalAccountCreateInfo = components['schemas']['UgxExternalAccountCreateInfo'];
export type UgxExternalAccountInfo = components['schemas']['UgxExternalAccountInfo'];
export type UmaAddressDestination = components['schemas']['UmaAddressDestination'];
export type UmaAddressTransactionDestination = components['schemas']['UmaAddressTransactionDestination'];
export type UmaAddressTransactionSource = components['schemas']['UmaAddressTransactionSource'];
export type UmaInvitation = components['schemas']['UmaInvitation'];
export type UmaInvitationClaimRequest = components['schemas']['UmaInvitationClaimRequest'];
export type UmaInvitationCreateRequest = components['schemas']['UmaInvitationCreateRequest'];
export type UmaInvitationListResponse = components['schemas']['UmaInvitationListResponse'];
export type UmaProvider = components['schemas']['UmaProvider'];
export type UmaProviderListResponse = components['schemas']['UmaProviderListResponse'];
export type UsdExternalAccountCreateInfo = components['schemas']['UsdExternalAccountCreateInfo'];
export type UsdExternalAccountInfo = components['schemas']['UsdExternalAccountInfo'];
export type Vasp = components['schemas']['Vasp'];
export type VaspListResponse = components['schemas']['VaspListResponse'];
export type Verification = components['schemas']['Verification'];
export type VerificationError = components['schemas']['VerificationError'];
export type VerificationErrorType = components['schemas']['VerificationErrorType'];
export type VerificationListResponse = components['schemas']['VerificationListResponse'];
export type VerificationRequest = components['schemas']['VerificationRequest'];
export type VerificationStatus = components['schemas']['VerificationStatus'];
export type VerificationWebhook = components['schemas']['VerificationWebhook'];
export type VndExternalAccountCreateInfo = components['schemas']['VndExternalAccountCreateInfo'];
export type VndExternalAccountInfo = components['schemas']['VndExternalAccountInfo'];
export type WalletIndividualBeneficiary = components['schemas']['WalletIndividualBeneficiary'];
export type WalletSignatureChallenge = components['schemas']['WalletSignatureChallenge'];
export type WebhookKey = components['schemas']['WebhookKey'];
export type WebhookKeyListResponse = components['schemas']['WebhookKeyListResponse'];
export type WebhookKeyStatus = components['schemas']['WebhookKeyStatus'];
export type WebhookType = components['schemas']['WebhookType'];
export type XafExternalAccountCreateInfo = components['schemas']['XafExternalAccountCreateInfo'];
export type XafExternalAccountInfo = components['schemas']['XafExternalAccountInfo'];
export type XofExternalAccountCreateInfo = components['schemas']['XofExternalAccountCreateInfo'];
export type XofExternalAccountInfo = components['schemas']['XofExternalAccountInfo'];
export type ZarExternalAccountCreateInfo = components['schemas']['ZarExternalAccountCreateInfo'];
export type ZarExternalAccountInfo = components['schemas']['ZarExternalAccountInfo'];
export type ZmwExternalAccountCreateInfo = components['schemas']['ZmwExternalAccountCreateInfo'];
export type ZmwExternalAccountInfo = components['schemas']['ZmwExternalAccountInfo'];
export type ListTokensQuery = components['schemas']['ListTokensQuery'];
export type GetDiscoveriesQuery = components['schemas']['GetDiscoveriesQuery'];
export type GetExchangeRatesQuery = components['schemas']['GetExchangeRatesQuery'];
export type GetAvailableUmaProvidersQuery = components['schemas']['GetAvailableUmaProvidersQuery'];
export type ListVaspsQuery = components['schemas']['ListVaspsQuery'];
export type ListCustomersQuery = components['schemas']['ListCustomersQuery'];
export type ListBulkCustomerImportJobsQuery = components['schemas']['ListBulkCustomerImportJobsQuery'];
export type ListDocumentsQuery = components['schemas']['ListDocumentsQuery'];
export type ListBeneficialOwnersQuery = components['schemas']['ListBeneficialOwnersQuery'];
export type ListVerificationsQuery = components['schemas']['ListVerificationsQuery'];
export type ListScaFactorsQuery = components['schemas']['ListScaFactorsQuery'];
export type StartScaFactorEnrollmentQuery = components['schemas']['StartScaFactorEnrollmentQuery'];
export type ConfirmScaFactorEnrollmentQuery = components['schemas']['ConfirmScaFactorEnrollmentQuery'];
export type DeleteScaFactorQuery = components['schemas']['DeleteScaFactorQuery'];
export type StartScaLoginQuery = components['schemas']['StartScaLoginQuery'];
export type CompleteScaLoginQuery = components['schemas']['CompleteScaLoginQuery'];
export type RecordSecurityEventQuery = components['schemas']['RecordSecurityEventQuery'];
export type StartTwoFactorResetQuery = components['schemas']['StartTwoFactorResetQuery'];
export type GetTwoFactorResetStatusQuery = components['schemas']['GetTwoFactorResetStatusQuery'];
export type CompleteTwoFactorResetQuery = components['schemas']['CompleteTwoFactorResetQuery'];
export type ListInvitationsQuery = components['schemas']['ListInvitationsQuery'];
export type GetAccountStatementQuery = components['schemas']['GetAccountStatementQuery'];
export type ListCustomerInternalAccountsQuery = components['schemas']['ListCustomerInternalAccountsQuery'];
export type ListInternalAccountsQuery = components['schemas']['ListInternalAccountsQuery'];
export type ListPlatformInternalAccountsQuery = components['schemas']['ListPlatformInternalAccountsQuery'];
export type ListInternalAccountEntriesQuery = components['schemas']['ListInternalAccountEntriesQuery'];
export type ListCustomerExternalAccountsQuery = components['schemas']['ListCustomerExternalAccountsQuery'];
export type ListPlatformExternalAccountsQuery = components['schemas']['ListPlatformExternalAccountsQuery'];
export type ListDelegatedKeysQuery = components['schemas']['ListDelegatedKeysQuery'];
export type ListAuthCredentialsQuery = components['schemas']['ListAuthCredentialsQuery'];
export type ListAuthSessionsQuery = components['schemas']['ListAuthSessionsQuery'];
export type LookupUmaQuery = components['schemas']['LookupUmaQuery'];
export type LookupExternalAccountQuery = components['schemas']['LookupExternalAccountQuery'];
export type ListTransactionsQuery = components['schemas']['ListTransactionsQuery'];
export type ApprovePendingPaymentReply = components['schemas']['ApprovePendingPaymentReply'];
export type RejectPendingPaymentReply = components['schemas']['RejectPendingPaymentReply'];
export type ListCardsQuery = components['schemas']['ListCardsQuery'];
export type ListStablecoinsQuery = components['schemas']['ListStablecoinsQuery'];
export type ListStablecoinProviderAccountsQuery = components['schemas']['ListStablecoinProviderAccountsQuery'];
export type ListStablecoinOperationsQuery = components['schemas']['ListStablecoinOperationsQuery'];
export type ListAgentsQuery = components['schemas']['ListAgentsQuery'];
export type ListAgentApprovalsQuery = components['schemas']['ListAgentApprovalsQuery'];
export type ListAgentActionsQuery = components['schemas']['ListAgentActionsQuery'];
export type AgentListTransactionsQuery = components['schemas']['AgentListTransactionsQuery'];
export type AgentListInternalAccountsQuery = components['schemas']['AgentListInternalAccountsQuery'];
export type AgentListExternalAccountsQuery = components['schemas']['AgentListExternalAccountsQuery'];
export type AgentListActionsQuery = components['schemas']['AgentListActionsQuery'];
export type ListEventsQuery = components['schemas']['ListEventsQuery'];
export type ListEventAttemptsQuery = components['schemas']['ListEventAttemptsQuery'];
export type ListenToEventsQuery = components['schemas']['ListenToEventsQuery'];
export type ListRequestLogsQuery = components['schemas']['ListRequestLogsQuery'];
export type SearchQuery = components['schemas']['SearchQuery'];
export type ListSandboxClockDueQuery = components['schemas']['ListSandboxClockDueQuery'];
export type ListSandboxMessagesQuery = components['schemas']['ListSandboxMessagesQuery'];
export type SandboxReceiveReply = components['schemas']['SandboxReceiveReply'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
