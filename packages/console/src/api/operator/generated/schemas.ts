/** Written by `npm run client:generate` from the API’s document. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Accounts that the connector opens. */
        AccountCapability: {
            /**
             * Format: iso4217
             * @description An ISO 4217 code, or BTC, USDB, USDC or USDT.
             * @example EUR
             */
            currency: string;
            /** @description Types of their coordinates. */
            accountTypes: string[];
        };
        /** @description The proof of a day. */
        AccountProof: {
            /** @description The settlement account, behind the name of its connector. */
            account: string | null;
            /** @description The day, in the zone of the account. */
            day: string | null;
            /** @description The currency of all amounts, which are in the smallest unit. */
            currency: string | null;
            /** @description Whether the day is proven. */
            state: ("PROVEN" | "UNPROVEN") | null;
            /** @description The balance of the account in the books at the end of the day. */
            ours: string | null;
            /** @description The closing balance of the bank. */
            closing: string | null;
            /** @description The sum of our lines that the bank had not booked by then. */
            oursInTransit: string | null;
            /** @description The sum of lines of the bank that the books did not have by then. */
            theirsInTransit: string | null;
            /** @description The difference that is left without the items in transit. A proven day has 0. */
            difference: string | null;
            /** @description Items in transit that are due and have no break. */
            unexplainedItems: number | null;
            /** @description When the proof was computed. */
            provenAt: string | null;
        };
        /** @description The proofs of a settlement account over a period. */
        AccountProofs: {
            /** @description The proofs, the newest first. */
            data: components["schemas"]["AccountProof"][];
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
        AddConnectorRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Its name: a–z, 0–9 and -. */
            name: string;
            /** @description The URL below which it is called. */
            url: string;
        };
        AddFilesConnectorRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Its name: a–z, 0–9 and -. */
            name: string;
        };
        AddSwiftInstructionsRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The country of the bank. */
            country: string;
            /** @description The bank’s SWIFT code. */
            swiftCode: string;
            /** @description The bank’s name. */
            bankName: string;
            /** @description The bank’s address. */
            bankAddress?: string;
            /** @description The account there. */
            accountNumber?: string;
            /** @description The account there, instead or as well. */
            iban?: string;
        };
        AdoptBankFilesRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        ApproveReviewRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        ApproveStablecoinRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        AssignBreakRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description The break about the money.
             * @example Break:019542f5-b3e7-7d02-8000-000000000099
             */
            break: string;
        };
        /** @description The balance of an account in one currency. */
        BookBalance: {
            /** @description The account, such as `FEES:USD`, or a kind of accounts. */
            account: string;
            /** @description The code of the currency. */
            currency: string;
            /** @description Digits after the point. */
            decimals: number;
            /** @description The balance. In the smallest unit: debit above zero, credit below. */
            balance: string;
        };
        /** @description Balances of accounts at a moment. */
        BookBalances: {
            /**
             * Format: date-time
             * @description The business time up to which the answer holds.
             */
            at: string;
            /** @description Whether the answer may still change: entries of the last minutes may be missing. */
            isProvisional: boolean;
            /** @description One for each account and currency. */
            balances: components["schemas"]["BookBalance"][];
        };
        BookBankDifferenceRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description What it is.
             * @enum {string}
             */
            as: "OWN" | "WRITE_OFF";
        };
        BookBankLineRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description What the line is.
             * @enum {string}
             */
            as: "CHARGE" | "INTEREST";
        };
        BookBreakRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description What the bank says: `settled`, the money moved; `failed`, it did not and will not; `returned`, it came back.
             * @enum {string}
             */
            outcome: "settled" | "failed" | "returned";
        };
        BookDepositRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description How much, in the smallest unit of the currency. */
            amount: number;
            /** @description Its currency, such as `EUR`. */
            currency: string;
            /** @description The payer’s name on the bank’s statement. */
            sender: string;
            /** @description The bank’s own reference. One reference is one deposit. */
            bankReference: string;
            /**
             * @description The rail over which it came, such as `SEPA`.
             * @default BANK_TRANSFER
             */
            rail?: string;
        };
        /** @description An entry of the journal with its lines and who caused it. */
        BookEntry: {
            /** @example JournalEntry:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /**
             * @description The platform in whose journal it is.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform: string;
            /** @description Its number in the journal. */
            seq: string;
            /** @description Its kind. */
            kind: string;
            /**
             * Format: date-time
             * @description Its business time.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Its real time.
             */
            recordedAt: string;
            /**
             * @description The entry that it reverses.
             * @example JournalEntry:019542f5-b3e7-7d02-8000-000000000099
             */
            reverses?: string;
            /**
             * @description The entry that reverses it.
             * @example JournalEntry:019542f5-b3e7-7d02-8000-000000000099
             */
            reversedBy?: string;
            /** @description Its hash in the chain. Absent until it is read. */
            hash?: string;
            transaction?: components["schemas"]["EntryTransaction"];
            cause: components["schemas"]["EntryCause"];
            /** @description In the order of the entry. */
            lines: components["schemas"]["EntryLine"][];
        };
        /** @description A line of an account. */
        BookLine: {
            /**
             * Format: date-time
             * @description Its business time.
             */
            at: string;
            /**
             * @description Its entry.
             * @example JournalEntry:019542f5-b3e7-7d02-8000-000000000099
             */
            entry: string;
            /** @description The number of the entry in the journal. */
            seq: string;
            /** @description The kind of entry. */
            kind: string;
            /**
             * @description The transaction of the entry.
             * @example Transaction:019542f5-b3e7-7d02-8000-000000000099
             */
            transactionId?: string;
            /** @description The code of the currency. */
            currency: string;
            /** @description Digits after the point. */
            decimals: number;
            /** @description The amount. In the smallest unit: debit above zero, credit below. */
            amount: string;
            /** @description The balance after the line. In the smallest unit: debit above zero, credit below. */
            balance: string;
        };
        BookOpeningBalanceRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The name of the connector. */
            connector: string;
            /** @description The settlement account. */
            settlementAccount: string;
        };
        /** @description The entry that was booked to resolve a break. */
        BookedBankLine: {
            /**
             * @description The entry.
             * @example JournalEntry:019542f5-b3e7-7d02-8000-000000000099
             */
            entry: string;
            /** @description In the smallest unit. Above zero: the money in the settlement account grew. */
            amount: string;
            /** @description Its currency. */
            currency: string;
        };
        /** @description A payment after a break about it was booked. */
        BookedBreak: {
            /** @example Transaction:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /**
             * @description Its status now.
             * @enum {string}
             */
            status: "CREATED" | "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
        };
        /** @description A deposit that was booked by hand. */
        BookedDeposit: {
            /** @example Transaction:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /**
             * @description Its status now.
             * @enum {string}
             */
            status: "CREATED" | "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
            /** @description Whether it was booked now; otherwise nothing was done. */
            isNew: boolean;
        };
        /** @description What was found. */
        BreakGlassAcknowledgement: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description A command that did at once what needs a second operator. The audit log has the reason, under its id. */
        BreakGlassUse: {
            /** @example BreakGlass:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description The operation that was performed, by its id in this document. */
            operation: string;
            /** @description The id of the resource that it was about. */
            resource?: string;
            /**
             * @description Absent: it was about the installation.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platformId?: string;
            /** @description The account at the command line, as the audit log names it. */
            madeBy: string;
            /**
             * @description The operator in whose name it was done.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            operatorId?: string;
            /**
             * Format: date-time
             * @description When it was done.
             */
            createdAt: string;
            /**
             * @description The operator who has acknowledged it.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            acknowledgedBy?: string;
            /**
             * Format: date-time
             * @description When it was acknowledged.
             */
            acknowledgedAt?: string;
        };
        /** @description One page, and the cursor of the next. */
        BreakGlassUseList: {
            /** @description The rows of this page. */
            data: components["schemas"]["BreakGlassUse"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description A line of the books or of the bank. */
        BreakLine: {
            /** @description The side of the line. */
            whose: ("OURS" | "THEIRS") | null;
            /** @description Its entry in the journal, or our id of a line of the bank. */
            item: string | null;
            /** @description The day on which it was booked. */
            day: string | null;
            /** @description Its amount in the smallest unit. Above zero: money came in. */
            amount: string | null;
            /** @description Its currency. */
            currency: string | null;
            /** @description The kind of a line of the bank. Null: it is ours. */
            kind: string | null;
            /** @description The day from which on it counts as matched. Null: it is not matched. */
            matchedOn: string | null;
            /** @description The transaction of a line of ours. Null: it has none. */
            transaction: string | null;
            /** @description The bank’s id of its line, or the end of it if it could be a text. Null: it is ours. */
            line: string | null;
        };
        /** @description A contradiction between the books and a connector or a bank. */
        BreakRecord: {
            /** @description The break. */
            id: string | null;
            /** @description The connector. */
            connector: string | null;
            /** @description Its kind. */
            kind: ("CONTRADICTION" | "AMOUNT_DIFFERS" | "DUPLICATE" | "RETURNED" | "MALFORMED" | "LOST" | "THEIRS_UNMATCHED" | "OURS_UNMATCHED" | "LATE" | "GAP" | "UNPROVEN") | null;
            /** @description What was found. */
            what: string | null;
            /** @description The reference of an order, or a kind with an id: `credit 4711`. If an id that the connector chose could be a text, only its end is shown. */
            about: string | null;
            /** @description The platform that it concerns. Null: none is known. */
            platform: string | null;
            /** @description The payment that it concerns. Null: none is known. */
            transaction: string | null;
            /** @description The amount, in the smallest unit. Null: none is known. */
            amount: string | null;
            /** @description Its currency. */
            currency: string | null;
            /** @description The operator who takes care of it. Null: nobody does yet. */
            owner: string | null;
            /** @description When it was found. */
            openedAt: string | null;
            /** @description When a person resolved it. Null: it is open. */
            resolvedAt: string | null;
        };
        /** @description The line that a break is about, and lines of the other side that may belong to it. */
        BreakSuggestions: {
            /** @description The note of finance about the break. Null: there is none. */
            notes: string | null;
            /** @description The line. Null: the break is about no line. */
            line: components["schemas"]["BreakLine"] | null;
            /** @description The best first; at most ten. */
            suggestions: components["schemas"]["SuggestedLine"][];
        };
        /** @description What the connector can do. Corridor reads it every five minutes. */
        Capabilities: {
            /**
             * @description The version of this protocol.
             * @constant
             */
            protocol: "1";
            /** @description Whether this is a test installation, with the calls below `/test`. */
            test: boolean;
            /** @description The time between two readings of events. */
            pollSeconds: number;
            /** @description Calls that Corridor may have open at once. */
            inFlightMax: number;
            /** @description New orders within one second. */
            ordersPerSecond: number;
            /** @description The accounts at the bank. */
            settlementAccounts: components["schemas"]["SettlementAccount"][];
            /** @description The orders that the connector takes. */
            rails: components["schemas"]["RailCapability"][];
            /** @description Absent: the connector opens no accounts. */
            accounts?: components["schemas"]["AccountCapability"][];
            /** @description Account types whose holders’ names can be checked. Absent: none. */
            nameChecks?: string[];
            /** @description Whether there are statements of the settlement accounts. */
            statements: boolean;
        };
        /** @description An internal account after an operator’s change. */
        ChangedAccount: {
            /** @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Its status now. */
            status: string;
        };
        /** @description A connector after an operator’s change. */
        ChangedConnector: {
            /** @description Its name. */
            name: string;
            /** @description The URL below which it is called, without credentials. */
            url: string;
        };
        /** @description A connector by files that an operator changed. */
        ChangedFilesConnector: {
            /** @description Its name. */
            name: string;
        };
        /** @description A platform after an operator’s change. */
        ChangedPlatform: {
            /** @example Platform:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Whether its tokens and links are accepted. */
            isEnabled: boolean;
        };
        /** @description Rates that an operator set or removed. */
        ChangedRates: {
            /** @description The currencies whose rates changed. */
            currencies: string[];
        };
        /** @description A route that an operator set or removed. */
        ChangedRoute: {
            /** @description Its number. */
            number: number;
        };
        /** @description A setting that would change, masked as its field is. */
        ChangedValue: {
            /** @description Where it is in the request: `settings.fees.fixed.USD`. */
            field: string;
            /** @description Its value so far; null: none. */
            before: unknown;
            /** @description Its value afterwards; null: none. */
            after: unknown;
        };
        ClearRatesRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The currencies to remove rates of. */
            currencies: string[];
        };
        CloseAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        CloseBankFileRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        CloseCardRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description A file in quarantine that an operator closed. */
        ClosedBankFile: {
            /** @description Its id. */
            file: string;
        };
        /** @description A card that an operator closed. */
        ClosedCard: {
            /** @example Card:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Its status now. */
            status: string;
        };
        CollectExceptionRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        CompleteStablecoinOperationRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description A connector, what it can do, and its routes. */
        ConnectorRecord: {
            /** @description Its name. */
            name: string | null;
            /** @description The URL below which it is called, without credentials. */
            url: string | null;
            /** @description Whether it takes orders. */
            state: ("UP" | "DOWN" | "PAUSED") | null;
            /** @description Why it is paused. Null: it is not. */
            pausedBecause: ("OPERATOR" | "STORE" | "CURSOR" | "FILES") | null;
            /** @description Since when it is paused. */
            pausedSince: string | null;
            /** @description Since when it does not answer. Null: it does. */
            downSince: string | null;
            /** @description Whether it is a test installation. Null: it has not said yet. */
            isTest: boolean | null;
            /** @description The id of the store that counts. */
            store: string | null;
            /** @description When it last gave a signed answer, to within ten seconds. */
            answeredAt: string | null;
            /** @description Calls in a row that were not answered. */
            silences: number | null;
            /** @description When a call was last not answered. */
            silentAt: string | null;
            /** @description Why that was no answer. */
            silenceWhy: string | null;
            /** @description The place up to which its events were read. */
            cursor: string | null;
            /** @description When its events were last read. */
            eventsReadAt: string | null;
            /** @description When it last said what it can do. */
            capabilitiesReadAt: string | null;
            /** @description Why its newer capabilities do not count. Null: they count. */
            capabilitiesTrouble: string | null;
            /** @description When the client certificate of this connector ends. Null: it has none. */
            clientCertificateUntil: string | null;
            /** @description When it was added. */
            createdAt: string | null;
            /** @description Orders that have not ended. */
            openOrders: number | null;
            /** @description Orders that the connector has not confirmed yet. */
            unknownOrders: number | null;
            /** @description For how long the oldest of them is unknown, in seconds. */
            oldestUnknownSeconds: number | null;
            /** @description Breaks that nobody has resolved. */
            openBreaks: number | null;
            /** @description The capabilities that the connector gave. Null: it has given none yet. */
            capabilities: components["schemas"]["Capabilities"] | null;
            /** @description Undecided proposals about the record, the newest first. */
            pendingProposals?: string[];
            /** @description Its routes. */
            routes: components["schemas"]["ConnectorRoute"][];
            /** @description The owners of its settlement accounts. One without an owner takes no money in. */
            owners: components["schemas"]["SettlementAccountOwned"][];
        };
        /** @description A route, which sends certain orders to its connector. */
        ConnectorRoute: {
            /** @description Its number: the lowest that fits wins. */
            number: number;
            /** @description The connector. */
            connector: string;
            /** @description Orders over this rail only. Null: any. */
            rail: string | null;
            /** @description Orders in this currency only. Null: any. */
            currency: string | null;
            /** @description Only for this kind. Null: any. */
            kind: ("PAYOUT" | "COLLECTION" | "REFUND" | "ACCOUNT" | "QUOTE" | "NAME_CHECK") | null;
            /** @description Accounts in this country only. Null: any. */
            country: string | null;
            /** @description Orders of this platform only. Null: any. */
            platform: string | null;
            /** @description From this amount on, in the smallest unit. Null: any. */
            least: string | null;
            /** @description Up to this amount, in the smallest unit. Null: any. */
            most: string | null;
        };
        /** @description All routes in their order. */
        ConnectorRouteList: {
            /** @description The routes, the lowest number first. */
            data: components["schemas"]["ConnectorRoute"][];
        };
        /** @description A new secret of a connector, shown only here. */
        ConnectorSecret: {
            /** @description The id of its key, `ConnectorKey:…`. */
            keyId: string;
            /** @description The secret in base64. */
            secret: string;
        };
        CreatePlatformRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Its name. */
            name: string;
            /**
             * @description Its environment.
             * @enum {string}
             */
            environment: "SANDBOX" | "PRODUCTION";
            /** @description Settings that differ from their defaults; `null` resets one to its default. */
            settings?: Record<string, unknown>;
        };
        CreateTokenOfPlatformRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Its name. */
            name: string;
            /** @description What it may do. */
            permissions: components["schemas"]["Permission"][];
        };
        /** @description A new platform with its first credentials. */
        CreatedPlatform: {
            /** @example Platform:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /**
             * @description Its first token.
             * @example Token:019542f5-b3e7-7d02-8000-000000000099
             */
            tokenId: string;
            /** @description The username of HTTP Basic. */
            clientId: string;
            /** @description The password of HTTP Basic, shown only here. */
            clientSecret: string;
            /** @description The key that verifies its webhooks, SPKI in PEM. */
            webhookPublicKey: string;
        };
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
        /** @description An exact amount of one currency. */
        CurrencyAmount: {
            /**
             * @description In the smallest unit of the currency (cents, satoshis, …).
             * @example 12550
             */
            amount: number;
            currency: components["schemas"]["Currency"];
        };
        /** @description Until when the bank carries orders out on the same day. Corridor sends orders at any time all the same. */
        CutOff: {
            /**
             * @description The time of day.
             * @example 15:30
             */
            time: string;
            /**
             * Format: time-zone
             * @description The zone of that time.
             * @example Europe/Berlin
             */
            zone: string;
            /** @description The days on which the rail works. */
            weekdays: ("MONDAY" | "TUESDAY" | "WEDNESDAY" | "THURSDAY" | "FRIDAY" | "SATURDAY" | "SUNDAY")[];
            /** @description Days without the rail. */
            holidays?: string[];
        };
        /** @description A stablecoin after an operator’s decision. */
        DecidedCoin: {
            /** @example Stablecoin:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Its status now. */
            status: string;
        };
        /** @description A customer after an operator’s decision. */
        DecidedCustomer: {
            /** @example Customer:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Its verification status now. */
            status: string | null;
        };
        /** @description An external account after an operator’s decision. */
        DecidedExternalAccount: {
            /** @example ExternalAccount:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Its status now. */
            status: string;
        };
        DeclineStablecoinRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        DisableExternalAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        DisablePlatformRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        DisableStablecoinRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description One field of one record, and why. */
        DiscloseFieldRequest: {
            /** @description Where the field is in the record: `fullName`, `address.line1`, `accounts.0.accountNumber`. */
            field: string;
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description One field in clear. */
        DisclosedField: {
            /** @description Where it is in the record. */
            field: string;
            /** @description Its value. Null: the record has none. */
            value: string | number | boolean | null;
        };
        /** @description One field in clear. */
        DisclosedProposalField: {
            /** @description Where it is in the body of the input. */
            field: string;
            /** @description Its value. */
            value: string | number | boolean | null;
        };
        EnableExternalAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        EnablePlatformRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        EnableStablecoinRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description A mint or burn that an operator ended. */
        EndedOperation: {
            /** @example StablecoinOperation:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Its status now. */
            status: string;
        };
        /** @description The result. */
        EndedOperatorSessions: {
            /** @description How many sessions were ended. */
            ended: number;
        };
        /** @description The act that posted an entry. */
        EntryCause: {
            /** @description Who acted. `SERVICE`: the service by itself. */
            kind: string;
            /** @description The token, agent or operator. */
            actorId?: string;
            /** @description The action, as in the audit log. */
            action?: string;
            /** @description The `X-Request-Id` of the request. */
            requestId?: string;
        };
        /** @description A line of an entry. */
        EntryLine: {
            /** @description The account, such as `FEES:USD`, or a kind of accounts. */
            account: string;
            /** @description The code of the currency. */
            currency: string;
            /** @description Digits after the point. */
            decimals: number;
            /** @description The amount. In the smallest unit: debit above zero, credit below. */
            amount: string;
            /** @description The balance of the account after it. Absent until the entry is read. In the smallest unit: debit above zero, credit below. */
            balance?: string;
        };
        /** @description The transaction that an entry belongs to. */
        EntryTransaction: {
            /** @description Its id. */
            id: string;
            /** @description Its type. */
            type: string;
            /** @description Its status. */
            status: string;
        };
        EraseCustomerRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Erases although its data has to be kept for longer. The audit log records it. */
            despiteRetention?: boolean;
        };
        /** @description A customer whose personal data is gone. */
        ErasedCustomer: {
            /** @example Customer:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Whether it had been erased before. */
            wasErased: boolean;
        };
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
            code: "STEP_UP_REQUIRED" | "FORBIDDEN" | "END_USER_TERMS_NOT_ACCEPTED" | "USER_NOT_READY" | "COUNTERPARTY_NOT_ALLOWED" | "VELOCITY_LIMIT_EXCEEDED";
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
            code: "OPERATOR_NOT_FOUND" | "PROPOSAL_NOT_FOUND" | "TRANSACTION_NOT_FOUND" | "QUOTE_NOT_FOUND" | "INVITATION_NOT_FOUND" | "TOKEN_NOT_FOUND" | "VERIFICATION_NOT_FOUND" | "SESSION_NOT_FOUND" | "BULK_UPLOAD_JOB_NOT_FOUND" | "STABLECOIN_NOT_FOUND" | "STABLECOIN_OPERATION_NOT_FOUND" | "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND" | "CUSTOMER_NOT_FOUND" | "USER_NOT_FOUND" | "ACCOUNT_NOT_FOUND" | "AUTH_METHOD_NOT_FOUND" | "DOCUMENT_HOLDER_NOT_FOUND" | "LOOKUP_REQUEST_NOT_FOUND" | "REFERENCE_NOT_FOUND" | "UMA_NOT_FOUND" | "REQUEST_NOT_FOUND" | "STABLECOIN_EXTERNAL_ACCOUNT_NOT_FOUND" | "PAYMENT_URL_NOT_FOUND" | "PLATFORM_NOT_FOUND" | "NOT_FOUND";
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
            code: "PROPOSAL_PENDING" | "PROPOSAL_STALE" | "PROPOSAL_DECIDED" | "CONFLICT" | "UMA_ADDRESS_EXISTS" | "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" | "TRANSACTION_NOT_CANCELLABLE" | "EMAIL_OTP_EMAIL_ALREADY_EXISTS" | "SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS" | "EMAIL_OTP_CREDENTIAL_SET_CHANGED" | "SMS_OTP_CREDENTIAL_SET_CHANGED" | "PASSKEY_ALREADY_ENROLLED" | "SCA_SESSION_REQUIRED" | "BENEFICIARY_TRUSTED" | "BANK_ACCOUNT_VALIDATION_PENDING" | "DUPLICATE_EXTERNAL_ACCOUNT" | "DUPLICATE_PAY_REQUEST" | "DOCUMENT_ALREADY_EXISTS" | "INVALID_STATE_TRANSITION" | "CARD_ALREADY_CLOSED" | "CARD_NOT_MUTABLE" | "CARD_LIMIT_REACHED" | "WALLET_NOT_PROVISIONED" | "STABLECOIN_SYMBOL_ALREADY_EXISTS" | "STABLECOIN_TOKEN_IDENTIFIER_ALREADY_EXISTS" | "STABLECOIN_SVC_ENABLEMENT_NOT_REQUESTABLE";
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
        FailPaymentRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description Why a payout failed, as its platform sees it. Default: `QUOTE_EXECUTION_FAILED`.
             * @enum {string}
             */
            failure?: "QUOTE_EXECUTION_FAILED" | "ACCOUNT_CANNOT_RECEIVE" | "ACCOUNT_INVALID" | "COMPLIANCE_REJECTED";
            /** @description The bank’s own reference, for later inquiries. */
            bankReference?: string;
            /** @description Also if an order for the payment is open at a connector. */
            despiteConnector?: boolean;
        };
        FailStablecoinOperationRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
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
        /** @description Recent activity on one platform or on several. */
        Figures: {
            /**
             * Format: date-time
             * @description The real time at which the figures were read.
             */
            at: string;
            requests: components["schemas"]["RequestFigures"];
            webhooks: components["schemas"]["WebhookFigures"];
            /** @description By status. */
            payments: components["schemas"]["PaymentFigures"][];
            volumes: components["schemas"]["VolumeFigures"];
        };
        /** @description The value to look for. */
        FindRecordsRequest: {
            /** @description The whole value. */
            value: string;
        };
        /** @description A record that was found. */
        FoundRecord: {
            /** @description Its id. */
            resourceId: string;
            /** @description Its kind: the part of its id before the colon. */
            kind: string;
            /** @description The field that matches. */
            field: string;
            /**
             * @description The platform of the record. Absent: it belongs to none.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description The name of the platform. */
            platformName?: string;
            /**
             * @description The environment of the platform.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
        };
        /** @description The records that have the value. */
        FoundRecords: {
            /** @description At most 50 records, the newest first, and at most five of each kind and field on one platform. */
            data: components["schemas"]["FoundRecord"][];
            /** @description Whether more records have the value. */
            isTruncated: boolean;
        };
        FreezeAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description A line that only one side had at the end of the day. */
        ItemInTransit: {
            /** @description The side of the line. */
            whose: ("OURS" | "THEIRS") | null;
            /** @description Its entry in the journal, or our id of a line of the bank. */
            item: string | null;
            /** @description The day on which it was booked. */
            day: string | null;
            /** @description Its amount in the smallest unit. Above zero: money came in. */
            amount: string | null;
            /** @description Its currency. */
            currency: string | null;
            /** @description The kind of a line of the bank. Null: it is ours. */
            kind: string | null;
            /** @description The day from which on it counts as matched. Null: it is not matched. */
            matchedOn: string | null;
            /** @description The transaction of a line of ours. Null: it has none. */
            transaction: string | null;
            /** @description The bank’s id of its line, or the end of it if it could be a text. Null: it is ours. */
            line: string | null;
            /** @description The break about the line. Null: there is none. */
            break: string | null;
            /** @description The kind of this break. */
            breakKind: string | null;
            /** @description Its state. */
            breakState: ("OPEN" | "RESOLVED" | "GONE") | null;
        };
        /** @description The signed end of a chain at a moment: the last one of a day. */
        JournalHead: {
            /** @description The number of its last entry. */
            seq: string;
            /** @description How many entries the chain has up to there. */
            entries: string;
            /** @description The hash of the last entry, which vouches for all before it. */
            hash: string;
            /**
             * Format: date-time
             * @description When it was signed, in real time.
             */
            madeAt: string;
            /** @description The number of the key. */
            keyId: number;
            /** @description Ed25519, base64url. */
            signature: string;
        };
        /** @description The signed ends of a platform’s chain of entries. */
        JournalHeads: {
            /** @description The oldest first. */
            heads: components["schemas"]["JournalHead"][];
            /** @description All keys, the newest first. */
            keys: components["schemas"]["JournalKey"][];
        };
        /** @description A public key that signs ends of chains. */
        JournalKey: {
            /** @description Its number. */
            id: number;
            /** @description SPKI, PEM. */
            publicKey: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
        };
        /** @description One check of the verification. */
        LedgerCheck: {
            /** @description Its place in the verification. */
            place: number;
            /** @description What it proves. */
            proves: string;
            /** @description The rule that it proves. */
            rule: string;
        };
        /** @description The checks of the ledger, with what each proves. */
        LedgerChecks: {
            /** @description In the order in which they run. */
            checks: components["schemas"]["LedgerCheck"][];
        };
        /** @description The result of one check of a verification. */
        LedgerFinding: {
            /** @description Its place in the verification. */
            place: number;
            /** @description What it proves. */
            proves: string;
            /** @description The rule that it proves. */
            rule: string;
            /** @description How many rows it examined. */
            examined: string;
            /** @description Contradictions to the check, at most ten. Empty: it holds. */
            violations: string[];
        };
        /** @description A verification of the whole ledger, in one moment of the database. */
        LedgerProof: {
            /** @description Its number. */
            number: string;
            /**
             * @description Whether it waits for a worker, runs, found that every check holds, found one that does not, or ended without a result.
             * @enum {string}
             */
            status: "WAITING" | "RUNNING" | "HOLDS" | "BROKEN" | "STOPPED";
            /** @description The actor who asked for it. */
            madeBy: string;
            /**
             * Format: date-time
             * @description When it was asked for, in real time.
             */
            askedAt: string;
            /**
             * Format: date-time
             * @description The moment whose books it checks.
             */
            begunAt?: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finishedAt?: string;
            /** @description The check at which it is; 0 before the first one. */
            place: number;
            /** @description How many checks there are. */
            checks: number;
            /** @description The results of the checks so far, in the order of the checks. */
            findings: components["schemas"]["LedgerFinding"][];
            /** @description Why it ended without a result. */
            trouble?: string;
        };
        /** @description The newest verifications of the ledger. */
        LedgerProofs: {
            /** @description The newest first, at most ten. */
            data: components["schemas"]["LedgerProof"][];
        };
        /** @description Actions that agents requested: one row. */
        ListedAgentActions: {
            /** @description The action. */
            action?: string | null;
            /** @description The agent that requested it. */
            agent?: string | null;
            /** @description Its type. */
            type?: string | null;
            /** @description Its status. */
            status?: ("PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED") | null;
            /** @description The code of its failure. */
            failure?: string | null;
            /** @description The transaction that it is about. */
            transaction?: string | null;
            /** @description When it was requested. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Agents: one row. */
        ListedAgents: {
            /** @description The agent. */
            agent?: string | null;
            /** @description The customer for whom it acts. */
            customer?: string | null;
            /** @description The first letters of its name. */
            name?: string | null;
            /** @description Whether it may only read. */
            isPaused?: boolean | null;
            /** @description Whether it has a token. */
            isConnected?: boolean | null;
            /** @description Whether its payments need an approval. */
            mode?: string | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description The audit log: one row. */
        ListedAudit: {
            /** @description When it was done, in real time. */
            at?: string | null;
            /** @description The kind of actor: a token, an agent, an operator, a visitor of a page, the service. */
            actorKind?: string | null;
            /** @description The id of the token or agent, or the name of the operator. */
            actor?: string | null;
            /** @description The action. */
            action?: string | null;
            /** @description The resource of the action. */
            resource?: string | null;
            /** @description The platform. Null: the installation. */
            platform?: string | null;
            /** @description The `X-Request-Id` of the request. */
            request?: string | null;
            /** @description Details: each field is masked by its name. */
            details?: {
                [key: string]: unknown;
            };
        };
        /** @description Contradictions between the books and connectors or banks: one row. */
        ListedBreaks: {
            /** @description The break. */
            id?: string | null;
            /** @description The connector. */
            connector?: string | null;
            /** @description Its kind. */
            kind?: ("CONTRADICTION" | "AMOUNT_DIFFERS" | "DUPLICATE" | "RETURNED" | "MALFORMED" | "LOST" | "THEIRS_UNMATCHED" | "OURS_UNMATCHED" | "LATE" | "GAP" | "UNPROVEN") | null;
            /** @description What was found. */
            what?: string | null;
            /** @description The reference of an order, or a kind with an id: `credit 4711`. If an id that the connector chose could be a text, only its end is shown. */
            about?: string | null;
            /** @description The platform that it concerns. Null: none is known. */
            platform?: string | null;
            /** @description The payment that it concerns. Null: none is known. */
            transaction?: string | null;
            /** @description The amount, in the smallest unit. Null: none is known. */
            amount?: string | null;
            /** @description Its currency. */
            currency?: string | null;
            /** @description The operator who takes care of it. Null: nobody does yet. */
            owner?: string | null;
            /** @description When it was found. */
            openedAt?: string | null;
            /** @description When a person resolved it. Null: it is open. */
            resolvedAt?: string | null;
        };
        /** @description Cards: one row. */
        ListedCards: {
            /** @description The card. */
            card?: string | null;
            /** @description The customer who holds it. */
            customer?: string | null;
            /** @description Its status. */
            status?: ("PROCESSING" | "ACTIVE" | "FROZEN" | "CLOSED") | null;
            /** @description The reason of its status. */
            reason?: string | null;
            /** @description The last four digits of its number. */
            last4?: string | null;
            /** @description The account that pays for it. */
            fundingSource?: string | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Events that connectors reported: one row. */
        ListedConnectorEvents: {
            /** @description The connector. */
            connector?: string | null;
            /** @description The store that listed it. */
            store?: string | null;
            /** @description Its id in that store. */
            event?: string | null;
            /** @description Its type. */
            type?: string | null;
            /** @description The order, account or credit that it is about. */
            about?: string | null;
            /** @description When it happened, as the connector says. */
            at?: string | null;
            /** @description When it was read. */
            receivedAt?: string | null;
            /** @description When it was applied. Null: not yet. */
            appliedAt?: string | null;
            /** @description The result. */
            outcome?: string | null;
            /** @description How often applying it failed. */
            failures?: number | null;
        };
        /** @description Orders to connectors: one row. */
        ListedConnectorOrders: {
            /** @description Its name at the connector. */
            reference?: string | null;
            /** @description The payment. */
            transaction?: string | null;
            /** @description The connector. Null: none was chosen, or none can take it. */
            connector?: string | null;
            /** @description The operator’s account at the bank. */
            settlementAccount?: string | null;
            /** @description Its kind. */
            kind?: ("PAYOUT" | "COLLECTION" | "REFUND") | null;
            /** @description Where it stands here. */
            status?: ("WAITING" | "ROUTED" | "ASKED" | "TAKEN" | "ENDED" | "LEFT" | "CONFLICT" | "BY_HAND") | null;
            /** @description The last state that the connector gave. Null: it has given none yet. */
            state?: ("RECEIVED" | "HELD" | "SENT" | "SETTLED" | "FAILED" | "CANCELLED" | "RETURNED") | null;
            /** @description The rail. */
            rail?: string | null;
            /** @description The amount. */
            amount?: components["schemas"]["CurrencyAmount"] | null;
            /** @description Calls about it in a row that were not answered. */
            silences?: number | null;
            /** @description The next call about it. */
            nextCall?: ("PUT" | "GET" | "CANCEL") | null;
            /** @description When that call is due. */
            nextCallAt?: string | null;
            /** @description When its first byte was sent. Null: nothing was sent. */
            sentAt?: string | null;
            /** @description When the connector first said that it has it. */
            acknowledgedAt?: string | null;
            /** @description When it ended. */
            endedAt?: string | null;
            /** @description The bank’s own reference. */
            bankReference?: string | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Connectors with what waits at them: one row. */
        ListedConnectors: {
            /** @description Its name. */
            name?: string | null;
            /** @description The URL below which it is called, without credentials. */
            url?: string | null;
            /** @description Whether it takes orders. */
            state?: ("UP" | "DOWN" | "PAUSED") | null;
            /** @description Why it is paused. Null: it is not. */
            pausedBecause?: ("OPERATOR" | "STORE" | "CURSOR" | "FILES") | null;
            /** @description Since when it is paused. */
            pausedSince?: string | null;
            /** @description Since when it does not answer. Null: it does. */
            downSince?: string | null;
            /** @description Whether it is a test installation. Null: it has not said yet. */
            isTest?: boolean | null;
            /** @description The id of the store that counts. */
            store?: string | null;
            /** @description When it last gave a signed answer, to within ten seconds. */
            answeredAt?: string | null;
            /** @description Calls in a row that were not answered. */
            silences?: number | null;
            /** @description When a call was last not answered. */
            silentAt?: string | null;
            /** @description Why that was no answer. */
            silenceWhy?: string | null;
            /** @description The place up to which its events were read. */
            cursor?: string | null;
            /** @description When its events were last read. */
            eventsReadAt?: string | null;
            /** @description When it last said what it can do. */
            capabilitiesReadAt?: string | null;
            /** @description Why its newer capabilities do not count. Null: they count. */
            capabilitiesTrouble?: string | null;
            /** @description When the client certificate of this connector ends. Null: it has none. */
            clientCertificateUntil?: string | null;
            /** @description When it was added. */
            createdAt?: string | null;
            /** @description Orders that have not ended. */
            openOrders?: number | null;
            /** @description Orders that the connector has not confirmed yet. */
            unknownOrders?: number | null;
            /** @description For how long the oldest of them is unknown, in seconds. */
            oldestUnknownSeconds?: number | null;
            /** @description Breaks that nobody has resolved. */
            openBreaks?: number | null;
        };
        /** @description Customers: one row. */
        ListedCustomers: {
            /** @description The customer. */
            customer?: string | null;
            /** @description Whether it is a person or a business. */
            type?: ("INDIVIDUAL" | "BUSINESS") | null;
            /** @description The end of the platform’s own reference. */
            platformCustomerId?: string | null;
            /** @description The status of the identity check. */
            status?: string | null;
            /** @description The region. */
            region?: string | null;
            /** @description The currencies that the customer holds. */
            currencies?: string | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /** @description Whether it is deleted. */
            deleted?: boolean | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description External accounts: one row. */
        ListedExternalAccounts: {
            /** @description The account. */
            account?: string | null;
            /** @description Its owner. Null: the platform itself. */
            customer?: string | null;
            /** @description Its type. */
            type?: string | null;
            /** @description Its currency. */
            currency?: string | null;
            /** @description Its status. */
            status?: ("PENDING" | "ACTIVE" | "PENDING_OWNERSHIP_VERIFICATION" | "UNVERIFIED" | "UNDER_REVIEW" | "INACTIVE") | null;
            /** @description The result of the name check. */
            nameCheck?: string | null;
            /** @description Whether a US bank account exists. */
            usValidation?: string | null;
            /** @description When it was added. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Internal accounts of customers, with their balances: one row. */
        ListedInternalAccounts: {
            /** @description The account. */
            account?: string | null;
            /** @description Its owner. Null: the platform itself. */
            customer?: string | null;
            /** @description Its type. */
            type?: ("INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET") | null;
            /** @description Its status. */
            status?: ("PENDING" | "ACTIVE" | "CLOSED" | "FROZEN" | "FAILED") | null;
            /** @description What can be spent. */
            available?: components["schemas"]["CurrencyAmount"] | null;
            /** @description The whole balance, including amounts on hold. */
            total?: components["schemas"]["CurrencyAmount"] | null;
            /** @description The part of the balance that is on hold. */
            onHold?: components["schemas"]["CurrencyAmount"] | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Invitations to UMA: one row. */
        ListedInvitations: {
            /** @description The customer who invited. */
            customer?: string | null;
            /** @description Its status. */
            status?: string | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /** @description When it expires. */
            expiresAt?: string | null;
            /** @description When it was claimed. */
            claimedAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Payments and transactions of cards: one row. */
        ListedPayments: {
            /** @description The transaction. */
            transaction?: string | null;
            /** @description Its type. */
            type?: ("INCOMING" | "OUTGOING" | "CARD") | null;
            /** @description Its status. */
            status?: string | null;
            /** @description Its customer, or the platform. */
            customer?: string | null;
            /** @description The amount sent; of a purchase, what was settled or else authorized. */
            sent?: components["schemas"]["CurrencyAmount"] | null;
            /** @description The amount received; of a credit to a card, what was settled or else authorized. */
            received?: components["schemas"]["CurrencyAmount"] | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Platforms: one row. */
        ListedPlatforms: {
            /** @description The platform. */
            id?: string | null;
            /** @description Its name. */
            name?: string | null;
            /** @description Its environment. */
            environment?: ("SANDBOX" | "PRODUCTION") | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /** @description When its tokens and links were refused; null: they are accepted. */
            disabledAt?: string | null;
        };
        /** @description Quotes: one row. */
        ListedQuotes: {
            /** @description The quote. */
            quote?: string | null;
            /** @description Its status. */
            status?: string | null;
            /** @description The customer who pays, or the platform. */
            customer?: string | null;
            /** @description The amount sent. */
            sends?: components["schemas"]["CurrencyAmount"] | null;
            /** @description Its transaction. */
            transaction?: string | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Reads of data of people: who looked, and at which fields: one row. */
        ListedReads: {
            /** @description When it was read, in real time. */
            at?: string | null;
            /** @description The operator who looked. */
            operator?: string | null;
            /** @description The roles of the operator. */
            roles?: string | null;
            /** @description The kind of read. */
            kind?: ("FIELD" | "SEARCH" | "EXPORT" | "DOCUMENT" | "PAGE") | null;
            /** @description The record, or the name of the list. */
            resource?: string | null;
            /** @description The fields that were read or searched. */
            fields?: string | null;
            /** @description The platform. Null: all of them. */
            platform?: string | null;
        };
        /** @description Debts after returns and reversals: one row. */
        ListedReceivables: {
            /** @description The customer, the platform or the transaction of a card that owes it. */
            owner?: string | null;
            /** @description How much is owed. */
            amount?: components["schemas"]["CurrencyAmount"] | null;
            /** @description When it last changed. */
            since?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Requests of platforms: one row. */
        ListedRequests: {
            /** @description The request. */
            id?: string | null;
            /** @description Its `X-Request-Id`. */
            requestId?: string | null;
            /** @description Its method. */
            method?: string | null;
            /** @description The template of its path. */
            route?: string | null;
            /** @description Its path; parameters that are not ids are `…`. */
            path?: string | null;
            /** @description The status of the reply. */
            status?: number | null;
            /** @description The code of the refusal. */
            code?: string | null;
            /** @description How long it took, in milliseconds. */
            durationMs?: number | null;
            /** @description The verdict on its `Idempotency-Key`. */
            idempotency?: ("NONE" | "NEW" | "REPLAYED" | "CONFLICT") | null;
            /** @description The token of the caller. */
            tokenId?: string | null;
            /** @description The agent that called. */
            agentId?: string | null;
            /** @description `CONSOLE` if it came from the console. */
            via?: string | null;
            /** @description When it was answered, in real time. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Customers who wait for a decision: one row. */
        ListedReviews: {
            /** @description The customer. */
            customer?: string | null;
            /** @description Whether it is a person or a business. */
            type?: string | null;
            /** @description The status of the identity check. */
            status?: string | null;
            /** @description Since when the customer waits. */
            since?: string | null;
            /** @description The verification. Null: the customer was created into review. */
            verification?: string | null;
            /** @description Its status. */
            verificationStatus?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Customers who are locked or suspended after wrong proofs: one row. */
        ListedSca: {
            /** @description The customer. */
            customer?: string | null;
            /** @description Whether the customer is suspended until an operator or a reset ends it. */
            suspended?: boolean | null;
            /** @description Until when the customer is locked. */
            lockedUntil?: string | null;
            /** @description How many proofs in a row were wrong. */
            failedAttempts?: number | null;
            /** @description When the customer was created. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Mints and burns: one row. */
        ListedStablecoinOperations: {
            /** @description The mint or burn. */
            operation?: string | null;
            /** @description Its coin. */
            stablecoin?: string | null;
            /** @description Whether coins are minted or burnt. */
            type?: ("MINT" | "BURN") | null;
            /** @description Its status. */
            status?: ("CREATED" | "PENDING_FUNDING" | "PENDING_PROVIDER" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED") | null;
            /** @description The amount of the coin. */
            amount?: components["schemas"]["CurrencyAmount"] | null;
            /** @description The kind of source that pays for it. */
            source?: string | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /** @description When it changed last. */
            updatedAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Stablecoins: one row. */
        ListedStablecoins: {
            /** @description The coin. */
            stablecoin?: string | null;
            /** @description Its symbol. */
            symbol?: string | null;
            /** @description The first letters of its name. */
            name?: string | null;
            /** @description Its status at the provider. */
            issuance?: ("PENDING_REVIEW" | "PROVISIONING" | "PROVISIONED" | "REJECTED" | "FAILED") | null;
            /** @description Its status for internal accounts. */
            status?: ("NOT_ENABLED" | "PENDING_APPROVAL" | "ENABLING" | "ENABLED" | "DISABLED") | null;
            /** @description When it was registered. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Money that could not be assigned: one row. */
        ListedSuspense: {
            /** @description The entry that booked it. */
            entry?: string | null;
            /** @description Why it is in suspense. */
            because?: string | null;
            /** @description The payment whose refund failed. */
            transaction?: string | null;
            /** @description How much. */
            amount?: components["schemas"]["CurrencyAmount"] | null;
            /** @description The sender, as the bank gives it. */
            sender?: string | null;
            /** @description The bank’s reference. */
            bankReference?: string | null;
            /** @description The reference that the sender gave. */
            statedReference?: string | null;
            /** @description The account that it was meant for. */
            intendedAccount?: string | null;
            /** @description Since when it waits. */
            since?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Tokens of platforms: one row. */
        ListedTokens: {
            /** @description The token. */
            id?: string | null;
            /** @description The first letters of its name. */
            name?: string | null;
            /** @description Its permissions. */
            permissions?: string[];
            /** @description The client id of its credentials. */
            clientId?: string | null;
            /** @description Whether it is accepted. */
            status?: ("LIVE" | "REVOKED") | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /** @description When it was used last, to the hour. */
            lastUsedAt?: string | null;
            /** @description When it was revoked. */
            revokedAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Embedded wallets: one row. */
        ListedWallets: {
            /** @description The wallet. */
            wallet?: string | null;
            /** @description Its owner. */
            customer?: string | null;
            /** @description The status of its account. */
            status?: ("PENDING" | "ACTIVE" | "CLOSED" | "FROZEN" | "FAILED") | null;
            /** @description The kinds of its credentials. */
            credentials?: string | null;
            /** @description How many sessions can sign now. */
            activeSessions?: number | null;
            /** @description Whether it has a key. */
            hasKey?: boolean | null;
            /** @description When it was created. */
            createdAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        /** @description Events and the state of their delivery: one row. */
        ListedWebhooks: {
            /** @description The event. */
            id?: string | null;
            /** @description Its type. */
            type?: string | null;
            /** @description The resource that it is about. */
            resourceId?: string | null;
            /** @description The state of its delivery. */
            state?: ("PENDING" | "DELIVERED" | "ACKED_DUPLICATE" | "EXHAUSTED" | "SKIPPED") | null;
            /** @description How often it was sent. */
            attempts?: number | null;
            /** @description When it happened, in the platform’s business time. */
            createdAt?: string | null;
            /** @description When it is sent next. */
            nextAttemptAt?: string | null;
            /** @description When its content was erased, with the customer whom it named. */
            erasedAt?: string | null;
            /**
             * @description The platform of the row.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description Its name. */
            platformName?: string;
        };
        MatchBreakRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Lines of ours by their entries, `JournalEntry:…`, and lines of the bank by our ids of them. */
            lines: string[];
            /**
             * @description Whether the bank kept the rest as its charge.
             * @default false
             */
            charge?: boolean;
        };
        /** @description Lines that were matched by hand. */
        MatchedBreak: {
            /** @description How many lines of ours. */
            ours: number;
            /** @description How many lines of the bank. */
            theirs: number;
            /** @description The amount that was booked as a charge, in the smallest unit; `0`: nothing. */
            rest: string;
            /** @description Its currency. */
            currency: string;
        };
        /** @description A passkey that the browser has made. */
        NewOperatorPasskey: {
            /** @description The nonce of the challenge. */
            nonce: string;
            /** @description base64url. */
            credentialId: string;
            /** @description base64url. */
            clientDataJson: string;
            /** @description base64url. */
            attestationObject: string;
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        NoteBreakRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description What was found so far. */
            note?: string;
        };
        /** @description A note of the caller for others about an item. */
        NoteWorkRequest: {
            /** @description The `id` of the item. */
            item: string;
            /** @description At most 500 characters. `null` removes it. */
            note: string | null;
        };
        /** @description A person who runs the service. */
        Operator: {
            /**
             * @description Id of the operator.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /** @description Name of the person. */
            name: string;
            /** @description E-mail address; no two operators have the same. */
            email: string;
            /** @description What the operator may do; empty if the issuer gives no role any more. */
            roles: components["schemas"]["OperatorRole"][];
            status: components["schemas"]["OperatorStatus"];
            /** @description The operator who invited this one, the account that ran the command, or the issuer. */
            invitedBy: string;
            /**
             * Format: date-time
             * @description When the operator was first invited.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The last visit.
             */
            lastSeenAt?: string;
            /** @description While `JOINED`: six digits of the new key, to compare with the person. */
            digits?: string;
            /**
             * Format: date-time
             * @description After a lost passkey: the operator approves nothing before this time.
             */
            approvesFrom?: string;
        };
        /** @description An address with which an operator joins, once. */
        OperatorAddress: {
            operator: components["schemas"]["Operator"];
            /**
             * Format: date-time
             * @description When the address expires.
             */
            expiresAt: string;
            /** @description Whether it is mailed to the operator, and shown to nobody. */
            isMailed: boolean;
            /** @description The address, if no mail server is set. The part after `#` is a secret. */
            url?: string;
        };
        /** @description The result of `navigator.credentials.get`, in base64url. */
        OperatorAssertion: {
            /** @description Which passkey it is. */
            credentialId: string;
            /** @description The data that the browser signed. */
            clientDataJson: string;
            /** @description The data of the passkey about itself. */
            authenticatorData: string;
            /** @description Its signature. */
            signature: string;
        };
        /** @description The digits that the person has read out. */
        OperatorConfirmation: {
            /** @description Six digits. */
            digits: string;
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description The person to invite, and their roles. */
        OperatorInvitation: {
            /** @description Name of the person. */
            name: string;
            /**
             * Format: email
             * @description E-mail address of the person.
             */
            email: string;
            /** @description What the operator may do. */
            roles: components["schemas"]["OperatorRole"][];
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description One page, and the cursor of the next. */
        OperatorListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["Operator"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description The name behind the id of an operator. */
        OperatorName: {
            /**
             * @description Id of the operator.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /** @description Name of the person. */
            name: string;
        };
        /** @description The names of all operators. */
        OperatorNameList: {
            /** @description All of them, also those who were removed. */
            data: components["schemas"]["OperatorName"][];
        };
        /** @description One of the passkeys of an operator. */
        OperatorPasskey: {
            /** @description Id of the passkey. */
            id: string;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last used.
             */
            usedAt?: string;
        };
        /** @description What a browser needs to make a passkey. */
        OperatorPasskeyChallenge: {
            /** @description To be sent back with the passkey. */
            nonce: string;
            /** @description The challenge, in base64url. */
            challenge: string;
            /** @description The relying party. */
            rpId: string;
        };
        /** @description All of them. */
        OperatorPasskeyList: {
            /** @description At most ten. */
            data: components["schemas"]["OperatorPasskey"][];
        };
        /** @description Why. */
        OperatorReason: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description A person who runs the service, and proposals. */
        OperatorRecord: {
            /**
             * @description Id of the operator.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            id: string;
            /** @description Name of the person. */
            name: string;
            /** @description E-mail address; no two operators have the same. */
            email: string;
            /** @description What the operator may do; empty if the issuer gives no role any more. */
            roles: components["schemas"]["OperatorRole"][];
            status: components["schemas"]["OperatorStatus"];
            /** @description The operator who invited this one, the account that ran the command, or the issuer. */
            invitedBy: string;
            /**
             * Format: date-time
             * @description When the operator was first invited.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The last visit.
             */
            lastSeenAt?: string;
            /** @description While `JOINED`: six digits of the new key, to compare with the person. */
            digits?: string;
            /**
             * Format: date-time
             * @description After a lost passkey: the operator approves nothing before this time.
             */
            approvesFrom?: string;
            /** @description Undecided proposals about the record, the newest first. */
            pendingProposals?: string[];
        };
        /**
         * @description Roles add up, and no role contains another.
         * @enum {string}
         */
        OperatorRole: "viewer" | "support" | "compliance" | "finance" | "treasury" | "admin";
        /** @description All roles that an operator has from now on. */
        OperatorRolesRequest: {
            /** @description What the operator may do. */
            roles: components["schemas"]["OperatorRole"][];
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description A browser in which the operator has signed in. */
        OperatorSession: {
            /** @description Id of the session. */
            id: string;
            /**
             * Format: date-time
             * @description When the operator signed in.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The last use.
             */
            usedAt: string;
            /**
             * Format: date-time
             * @description When it ends at the latest.
             */
            expiresAt: string;
            /** @description The network address of the sign-in. */
            remoteAddress?: string;
            /** @description The browser, as it names itself. */
            browser?: string;
        };
        /** @description The live sessions of an operator. */
        OperatorSessionList: {
            /** @description The newest first. */
            data: components["schemas"]["OperatorSession"][];
        };
        /**
         * @description Where an operator stands.
         * @enum {string}
         */
        OperatorStatus: "INVITED" | "JOINED" | "ACTIVE" | "SUSPENDED" | "REMOVED";
        /** @description One page, and the cursor of the next. */
        PageOfAgentActions: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedAgentActions"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfAgents: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedAgents"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfAudit: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedAudit"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfBookAccounts: {
            /** @description The rows of this page. */
            data: components["schemas"]["BookBalance"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
        };
        /** @description One page, and the cursor of the next. */
        PageOfBookLines: {
            /** @description The rows of this page. */
            data: components["schemas"]["BookLine"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
        };
        /** @description One page, and the cursor of the next. */
        PageOfBreaks: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedBreaks"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfCards: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedCards"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfConnectorEvents: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedConnectorEvents"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfConnectorOrders: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedConnectorOrders"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfConnectors: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedConnectors"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfCustomers: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedCustomers"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfExternalAccounts: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedExternalAccounts"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfInternalAccounts: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedInternalAccounts"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfInvitations: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedInvitations"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfPayments: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedPayments"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfPlatforms: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedPlatforms"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfQuotes: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedQuotes"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfReads: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedReads"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfReceivables: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedReceivables"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfRequests: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedRequests"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfReviews: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedReviews"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfSca: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedSca"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfStablecoinOperations: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedStablecoinOperations"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfStablecoins: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedStablecoins"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfSuspense: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedSuspense"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfTokens: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedTokens"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfWallets: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedWallets"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description One page, and the cursor of the next. */
        PageOfWebhooks: {
            /** @description The rows of this page. */
            data: components["schemas"]["ListedWebhooks"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        PauseAgentRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        PauseConnectorRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description An agent that an operator paused. */
        PausedAgent: {
            /** @example Agent:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Whether it may only read. */
            isPaused: boolean;
        };
        /** @description Payments of the last 24 hours by their present status. */
        PaymentFigures: {
            /** @description The status. */
            status: string;
            /** @description How many payments; at most 10,000 of each platform are counted. */
            count: number;
            /** @description Whether a platform has more. */
            isCapped: boolean;
        };
        /**
         * @description VIEW reads, TRANSACT moves money, MANAGE writes everything else. No permission includes another.
         * @enum {string}
         */
        Permission: "VIEW" | "TRANSACT" | "MANAGE";
        /** @description What the operation would do. Ids that it would make up are `new 1`, `new 2` and so on. */
        PreviewOfChange: {
            /** @description What the audit log would say. */
            changes: unknown[];
            /** @description The settings that would change; absent if the operation changes none. */
            values?: components["schemas"]["ChangedValue"][];
            /** @description The rows that would change, with their statuses afterwards. */
            rows: unknown[];
            /** @description Each ledger entry as a sentence, with its lines. */
            entries: unknown[];
            /** @description The events that the platform would receive. */
            events: unknown[];
            /** @description The kinds of work that would be scheduled. */
            jobs: unknown[];
            /** @description The money that would move, by currency, in its smallest unit. */
            amounts: {
                [key: string]: string;
            };
            /** @description The reply of the operation; absent if it contains a secret. */
            reply?: unknown;
        };
        /** @description The proof of a day, with each item in transit. */
        ProofRecord: {
            /** @description The settlement account, behind the name of its connector. */
            account: string | null;
            /** @description The day, in the zone of the account. */
            day: string | null;
            /** @description The currency of all amounts, which are in the smallest unit. */
            currency: string | null;
            /** @description Whether the day is proven. */
            state: ("PROVEN" | "UNPROVEN") | null;
            /** @description The balance of the account in the books at the end of the day. */
            ours: string | null;
            /** @description The closing balance of the bank. */
            closing: string | null;
            /** @description The sum of our lines that the bank had not booked by then. */
            oursInTransit: string | null;
            /** @description The sum of lines of the bank that the books did not have by then. */
            theirsInTransit: string | null;
            /** @description The difference that is left without the items in transit. A proven day has 0. */
            difference: string | null;
            /** @description Items in transit that are due and have no break. */
            unexplainedItems: number | null;
            /** @description When the proof was computed. */
            provenAt: string | null;
            /** @description The break about the day. Null: there was none. */
            break: string | null;
            /** @description The items: ours first, then those of the bank, the oldest first. */
            items: components["schemas"]["ItemInTransit"][];
            /** @description Whether these are all items. At most 1,000 of each side are listed. */
            isComplete: boolean;
        };
        /**
         * @description A proposal with everything that a second operator has to see.
         * @example {
         *       "id": "Proposal:01a1d0c5-0c1a-7e0f-a3b7-52d9c1e4f681",
         *       "status": "PENDING",
         *       "operation": "bookDeposit",
         *       "resource": "InternalAccount:01a1d0c4-6f2e-7c1b-9d55-3f0a8b7c2e10",
         *       "platformId": "Platform:01a1ce11-95a0-7d0e-b5f0-0d3c7a9f1b44",
         *       "makerId": "Operator:01a1d0b9-11d0-7a63-8f1e-6b2f4f1f9c02",
         *       "madeBy": "Operator:01a1d0b9-11d0-7a63-8f1e-6b2f4f1f9c02",
         *       "hash": "9f2c4d6e8a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0d",
         *       "createdAt": "2026-03-02T10:00:00.000Z",
         *       "expiresAt": "2026-03-05T10:00:00.000Z",
         *       "reason": "on the statement of 2 March, page 4",
         *       "input": {
         *         "params": {
         *           "accountId": "01a1d0c4-6f2e-7c1b-9d55-3f0a8b7c2e10"
         *         },
         *         "query": {},
         *         "body": {
         *           "amount": 125000,
         *           "currency": "USD",
         *           "sender": "G. H.",
         *           "bankReference": "…4711",
         *           "rail": "ACH",
         *           "reason": "on the statement of 2 March, page 4"
         *         }
         *       },
         *       "preview": {
         *         "changes": [
         *           {
         *             "action": "deposit book",
         *             "resource": "Transaction:new 1",
         *             "details": {
         *               "bankReference": "…4711"
         *             }
         *           }
         *         ],
         *         "rows": [
         *           {
         *             "table": "transactions",
         *             "id": "new 1",
         *             "isNew": true,
         *             "statuses": {
         *               "status": "COMPLETED"
         *             }
         *           }
         *         ],
         *         "entries": [
         *           {
         *             "says": "Booked: a deposit was received.",
         *             "kind": "deposit.received",
         *             "about": "new 1"
         *           }
         *         ],
         *         "events": [
         *           {
         *             "type": "INCOMING_PAYMENT.COMPLETED",
         *             "resource": "Transaction:new 1"
         *           }
         *         ],
         *         "jobs": [],
         *         "amounts": {
         *           "USD": "125000"
         *         },
         *         "reply": {
         *           "id": "Transaction:new 1",
         *           "status": "COMPLETED"
         *         }
         *       }
         *     }
         */
        Proposal: {
            /** @example Proposal:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /**
             * @description UNCLAIMED: made at the command line, and not yet taken by its maker. PENDING: a second operator can decide. APPROVED: performed. FAILED: approved, but the operation refused. The others ended without any effect.
             * @enum {string}
             */
            status: "UNCLAIMED" | "PENDING" | "APPROVED" | "FAILED" | "REJECTED" | "WITHDRAWN" | "EXPIRED";
            /** @description The operation that is proposed, by its id in this document. */
            operation: string;
            /** @description The id of the resource that the operation is about; of a connector `connector` and its name. */
            resource?: string;
            /**
             * @description Absent: it is about the installation.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platformId?: string;
            /**
             * @description The operator who proposed it, or in whose name it was proposed.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            makerId: string;
            /** @description The maker, or the account that proposed it at the command line. */
            madeBy: string;
            /** @description SHA-256 of id, operation, input and preview as canonical JSON (RFC 8785). */
            hash: string;
            /**
             * Format: date-time
             * @description When it was proposed.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when it can be decided.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was decided.
             */
            decidedAt?: string;
            /** @description The actor who decided, named as in the audit log. */
            decidedBy?: string;
            /**
             * @description The second operator, who approved it.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            checkerId?: string;
            /**
             * @description A customer whom it named was erased, and its content with them.
             * @constant
             */
            isErased?: true;
            /** @description Why it was proposed. */
            reason?: string;
            /** @description The input of the operation, masked by what each field says, for operators with a role that may do it. `hash` is over the complete input. */
            input?: unknown;
            preview?: components["schemas"]["PreviewOfChange"];
            /** @description The reply of the operation, once it was performed; a secret in it is shown to its maker alone. */
            reply?: unknown;
            /** @description The refusal of the operation, if that ended the proposal. */
            failure?: unknown;
            /** @description Why it was rejected. */
            rejectionReason?: string;
        };
        /** @description An approval, signed by a passkey or by a token of the issuer at which operators sign in. */
        ProposalApproveRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The nonce of the challenge that the passkey answers, or of the confirmation. */
            nonce: string;
            assertion?: components["schemas"]["OperatorAssertion"];
            /** @description Instead of a passkey’s answer: what `POST /console/api/operator/issuer/finish` answered. */
            confirmation?: string;
        };
        /** @description One field of a proposed input, and why it is needed. */
        ProposalFieldRequest: {
            /** @description Where the field is in the body of the input: `sender`, `coordinates.EUR_ACCOUNT.iban`. */
            field: string;
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description One page, and the cursor of the next. */
        ProposalListResponse: {
            /** @description The rows of this page. */
            data: components["schemas"]["ProposalSummary"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
            /** @description The number of all matches of the filters, on every page. Exact up to 10,000, left out above. */
            totalCount?: number;
        };
        /** @description Why a proposal ends. */
        ProposalReasonRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description The reply of an approved operation, with its secret. */
        ProposalSecret: {
            /** @description The whole reply of the operation. It is not shown again. */
            reply: unknown;
        };
        /** @description An operation of an operator that waits for a second one, or did. */
        ProposalSummary: {
            /** @example Proposal:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /**
             * @description UNCLAIMED: made at the command line, and not yet taken by its maker. PENDING: a second operator can decide. APPROVED: performed. FAILED: approved, but the operation refused. The others ended without any effect.
             * @enum {string}
             */
            status: "UNCLAIMED" | "PENDING" | "APPROVED" | "FAILED" | "REJECTED" | "WITHDRAWN" | "EXPIRED";
            /** @description The operation that is proposed, by its id in this document. */
            operation: string;
            /** @description The id of the resource that the operation is about; of a connector `connector` and its name. */
            resource?: string;
            /**
             * @description Absent: it is about the installation.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platformId?: string;
            /**
             * @description The operator who proposed it, or in whose name it was proposed.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            makerId: string;
            /** @description The maker, or the account that proposed it at the command line. */
            madeBy: string;
            /** @description SHA-256 of id, operation, input and preview as canonical JSON (RFC 8785). */
            hash: string;
            /**
             * Format: date-time
             * @description When it was proposed.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when it can be decided.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was decided.
             */
            decidedAt?: string;
            /** @description The actor who decided, named as in the audit log. */
            decidedBy?: string;
            /**
             * @description The second operator, who approved it.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            checkerId?: string;
        };
        ProveLedgerRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        ProvisionAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The bank’s details by type of account: `{ "EUR_ACCOUNT": { "iban": "DE…" } }`. */
            coordinates: {
                [key: string]: {
                    [key: string]: string;
                };
            };
        };
        /** @description Orders of one rail and currency that the connector takes. */
        RailCapability: {
            /**
             * @description A rail for payments between banks, or a network for digital money.
             * @enum {string}
             */
            rail: "ACH" | "ACH_COLOMBIA" | "BANK_TRANSFER" | "BRE_B" | "CIPS" | "FAST" | "FASTER_PAYMENTS" | "FEDNOW" | "INSTAPAY" | "MOBILE_MONEY" | "NEFT" | "PAYNOW" | "PESONET" | "PIX" | "RTGS" | "RTP" | "SEPA" | "SEPA_INSTANT" | "SPEI" | "SWIFT" | "UNIONPAY" | "UPI" | "WIRE" | "BITCOIN" | "LIGHTNING" | "SPARK" | "ETHEREUM" | "SOLANA" | "ARBITRUM" | "BASE" | "POLYGON" | "TRON" | "PLASMA";
            /**
             * Format: iso4217
             * @description An ISO 4217 code, or BTC, USDB, USDC or USDT.
             * @example EUR
             */
            currency: string;
            /** @description The kinds of orders. */
            kinds: ("PAYOUT" | "COLLECTION" | "REFUND")[];
            /** @description Countries of the accounts. Absent: any. */
            countries?: string[];
            /**
             * Format: amount
             * @description An amount in the smallest unit of its currency: digits without a leading zero, from "1" to "9007199254740991".
             * @example 12550
             */
            min?: string;
            /**
             * Format: amount
             * @description An amount in the smallest unit of its currency: digits without a leading zero, from "1" to "9007199254740991".
             * @example 12550
             */
            max?: string;
            /** @description The settlement accounts that can be used. */
            settlementAccounts: string[];
            /** @description Whether the API’s cancellation of a payment may be asked for. */
            cancellable: boolean;
            /** @description Personal data that the bank asks for. Orders have no other. */
            needs?: ("originator.address" | "originator.birthDate" | "originator.nationalId" | "beneficiary.address" | "beneficiary.birthDate")[];
            cutOff?: components["schemas"]["CutOff"];
        };
        /** @description The source of rates, if it was ever asked. */
        RateSourceState: {
            /**
             * Format: date-time
             * @description When rates of it were accepted last. Absent: never.
             */
            takenAt?: string;
            /** @description Why its latest answer was refused. */
            trouble?: string;
        };
        /** @description How far a settlement account is proven. */
        ReconciledAccount: {
            /** @description The settlement account, behind the name of its connector. */
            account: string | null;
            /** @description The connector. */
            connector: string | null;
            /** @description The last day of its statements. */
            lastStatement: string | null;
            /** @description The last day that is proven. Null: none is. */
            lastProven: string | null;
            /** @description How many days are not proven. */
            unprovenDays: number | null;
        };
        /** @description All settlement accounts of which a bank has sent a statement. */
        ReconciledAccounts: {
            /** @description The accounts by their names. */
            data: components["schemas"]["ReconciledAccount"][];
        };
        /** @description The rows of an export. */
        ReconciliationExport: {
            /** @description The rows, in the order of days. */
            data: components["schemas"]["ReconciliationRow"][];
        };
        /** @description A proof, a line of either side, or a break. */
        ReconciliationRow: {
            /** @description As in the file. */
            record: string | null;
            /** @description As in the file. */
            day: string | null;
            /** @description As in the file. */
            id: string | null;
            /** @description As in the file. */
            amount: string | null;
            /** @description As in the file. */
            currency: string | null;
            /** @description As in the file. */
            kind: string | null;
            /** @description As in the file. */
            state: string | null;
            /** @description As in the file. */
            match: string | null;
            /** @description As in the file. */
            matchedOn: string | null;
            /** @description As in the file. */
            about: string | null;
        };
        RefuseAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        RejectReviewRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Why, as the customer reads it. */
            problems?: components["schemas"]["ReviewProblem"][];
        };
        /** @description The item that the caller gives back. */
        ReleaseWorkRequest: {
            /** @description The `id` of the item. */
            item: string;
        };
        /** @description A debt after a part of it was given up. */
        RemainingDebt: {
            /** @description The amount still owed, in the smallest unit. */
            left: number;
            /** @description Its currency, such as `EUR`. */
            currency: string;
        };
        RemoveConnectorRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        RemoveConnectorRouteRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The number of the route. */
            number: number;
        };
        /** @description A connector that was removed. */
        RemovedConnector: {
            /** @description Its name. */
            name: string;
        };
        /** @description A payment after an operator’s report about it. */
        ReportedPayment: {
            /** @example Transaction:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /**
             * @description Its status now.
             * @enum {string}
             */
            status: "CREATED" | "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
        };
        RequestChangesRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description What to correct. */
            problems: components["schemas"]["ReviewProblem"][];
        };
        /** @description Requests of the last hour. */
        RequestFigures: {
            /** @description The oldest first. */
            minutes: components["schemas"]["RequestMinute"][];
            /**
             * Format: date-time
             * @description The figures are complete from this time on. Absent: all rows of the period were counted.
             */
            completeSince?: string;
        };
        /** @description One minute in which there were requests. */
        RequestMinute: {
            /**
             * Format: date-time
             * @description When it began.
             */
            at: string;
            /** @description Requests that succeeded. */
            answered: number;
            /** @description Requests that were refused (4xx). */
            refused: number;
            /** @description Requests that failed (5xx). */
            failed: number;
        };
        ResendBankFileRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        ResendWebhookRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description A file that will be written again. */
        ResentBankFile: {
            /** @description The id of its batch. */
            batch: string;
            /** @description Its name. */
            file: string;
        };
        /** @description An event that is sent again. */
        ResentWebhook: {
            /** @example Webhook:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Its state now. */
            state: string;
            /** @description The receivers of the event. */
            sentTo: ("ENDPOINT" | "LISTENERS")[];
        };
        ResolveBreakRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        ResolveSuspenseRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description The account to credit.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            to?: string;
            /** @description Or the rail over which it was paid out. */
            rail?: string;
        };
        /** @description A purchase whose debt was collected or given up. */
        ResolvedException: {
            /** @example Transaction:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Its status now. */
            status: string;
        };
        /** @description Money that left suspense. */
        ResolvedSuspense: {
            /**
             * @description The entry that had booked it to suspense.
             * @example JournalEntry:019542f5-b3e7-7d02-8000-000000000099
             */
            entry: string;
            /** @description How much, in the smallest unit. */
            amount: number;
            /** @description Its currency, such as `EUR`. */
            currency: string;
        };
        ResumeConnectorRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description Whether its records are complete, although it answers from another store.
             * @default false
             */
            newStore?: boolean;
        };
        RetryAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        ReturnPaymentRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The bank’s own reference, for later inquiries. */
            bankReference?: string;
        };
        ReviewExternalAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description Whether payments may use it.
             * @enum {string}
             */
            outcome: "clear" | "refuse";
        };
        /** @description Everything that a customer submitted, in clear: fields, owners, documents, and the problems found in them. */
        ReviewPacket: {
            [key: string]: unknown;
        };
        /** @description A problem that the customer reads. */
        ReviewProblem: {
            /** @description Its type, as verifications show it. */
            type: string;
            /** @description The message to the customer. */
            reason: string;
        };
        RevokeStablecoinLinkRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        RevokeTokenRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description A link to a provider’s account that an operator ended. */
        RevokedLink: {
            /** @example StablecoinProviderAccount:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description Its status now. */
            status: string;
        };
        /** @description A token that an operator revoked. */
        RevokedToken: {
            /** @example Token:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
        };
        RewindConnectorRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        RotateConnectorSecretRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description Whether the old secret no longer counts from now on.
             * @default false
             */
            immediately?: boolean;
        };
        RotateWebhookKeyOfPlatformRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description How long it is published before it signs; a day by default. */
            signsAfterSeconds?: number;
            /** @description How long the old key stays published after that; a day by default. */
            keepsOldForSeconds?: number;
            /** @description It signs from now on, and receivers refuse webhooks until they know it. */
            immediately?: boolean;
        };
        /** @description The published keys of a platform after a rotation. */
        RotatedWebhookKeys: {
            /** @description Their ids, the newest first. */
            keys: string[];
        };
        ScreenExternalAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description What the screening found.
             * @enum {string}
             */
            outcome: "clear" | "hit";
        };
        /** @description Values of personal data; at least one. */
        SearchCardsRequest: {
            /** @description The platform’s own reference for the card, exactly. */
            platformCardId?: string;
        };
        /** @description Values of personal data; at least one. */
        SearchCustomersRequest: {
            /** @description The e-mail address. */
            email?: string;
            /** @description The platform’s own reference, exactly. */
            platformCustomerId?: string;
            /** @description The UMA address. */
            uma?: string;
            /** @description Whole words of the name, in any order; letter case and accents do not count. */
            name?: string;
        };
        /** @description Values of personal data; at least one. */
        SearchPaymentsRequest: {
            /** @description The reference on a bank statement, of the payment or its refund. */
            reference?: string;
            /** @description The platform’s own reference for the customer. */
            platformCustomerId?: string;
            /** @description The UMA address of the sender or receiver. */
            uma?: string;
        };
        /** @description Values of personal data; at least one. */
        SearchTokensRequest: {
            /** @description The name that its platform gave it. */
            name?: string;
        };
        SetBreakOwnerRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description An operator with the role finance or treasury.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            owner?: string;
        };
        SetConnectorOwnerRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The settlement account. */
            settlementAccount: string;
            /**
             * @description The platform, one of production.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform: string;
        };
        SetConnectorRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The URL below which it is called. */
            url?: string;
            /** @description A client certificate in PEM, with those that signed it below it. */
            certificate?: string;
            /** @description Its private key in PEM, without a passphrase. It is stored sealed, and never shown. */
            privateKey?: string;
            /**
             * @description Show no client certificate any more.
             * @default false
             */
            withoutCertificate?: boolean;
        };
        SetConnectorRouteRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Its name: a–z, 0–9 and -. */
            connector: string;
            /** @description The number of the route. */
            number: number;
            /** @description Orders over this rail only. */
            rail?: string;
            /** @description Orders in this currency only. */
            currency?: string;
            /**
             * @description Orders of this kind only.
             * @enum {string}
             */
            kind?: "PAYOUT" | "COLLECTION" | "REFUND" | "ACCOUNT" | "QUOTE" | "NAME_CHECK";
            /** @description Accounts in this country only. */
            country?: string;
            /**
             * @description Orders of this platform only.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description From this amount on, in the smallest unit. */
            least?: string;
            /** @description Up to this amount, in the smallest unit. */
            most?: string;
        };
        SetFilesProfileRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The profile as JSON, in a text. */
            profile: string;
        };
        SetPlatformRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Its name. */
            name?: string;
            /** @description Settings that differ from their defaults; `null` resets one to its default. */
            settings?: Record<string, unknown>;
            /** @description The fields that providers require, by currency; `null` removes an entry. */
            providerFields?: Record<string, unknown>;
        };
        SetRatesRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Units of each currency per US dollar, as decimal text: `{ "EUR": "0.92" }`. */
            perUsd: {
                [key: string]: string;
            };
            /**
             * @description How long they apply.
             * @default 24
             */
            hours?: number;
        };
        SettlePaymentRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description The transaction’s hash on its chain, or between providers. */
            hash?: string;
            /** @description The bank’s own reference, for later inquiries. */
            bankReference?: string;
            /** @description Also if an order for the payment is open at a connector. */
            despiteConnector?: boolean;
        };
        /** @description An account of the operator at a bank, in one currency. */
        SettlementAccount: {
            /**
             * @description The id of a settlement account, as the capabilities name it.
             * @example main-eur
             */
            id: string;
            /**
             * Format: iso4217
             * @description An ISO 4217 code, or BTC, USDB, USDC or USDT.
             * @example EUR
             */
            currency: string;
            /**
             * Format: storable
             * @description A name for people.
             * @example Operating account
             */
            label: string;
            /**
             * Format: time-zone
             * @description The time zone of the bank’s days.
             * @example Europe/Berlin
             */
            zone: string;
            /**
             * @description The details for paying money in, by account type.
             * @example {
             *       "EUR_ACCOUNT": {
             *         "iban": "DE89370400440532013000",
             *         "swiftCode": "COBADEFFXXX"
             *       }
             *     }
             */
            coordinates?: {
                [key: string]: {
                    [key: string]: string;
                };
            };
        };
        /** @description A settlement account, and the platform whose books hold its unclaimed money. */
        SettlementAccountOwned: {
            /** @description The settlement account. */
            settlementAccount: string;
            /**
             * @description Its owner.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform: string;
        };
        /** @description The owner of a settlement account. */
        SettlementAccountOwner: {
            /** @description The connector. */
            connector: string;
            /** @description The settlement account. */
            settlementAccount: string;
            /**
             * @description Its owner.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform: string;
        };
        /** @description A contradiction, with the proposals about it. */
        ShownBreak: {
            /** @description The break. */
            id: string | null;
            /** @description The connector. */
            connector: string | null;
            /** @description Its kind. */
            kind: ("CONTRADICTION" | "AMOUNT_DIFFERS" | "DUPLICATE" | "RETURNED" | "MALFORMED" | "LOST" | "THEIRS_UNMATCHED" | "OURS_UNMATCHED" | "LATE" | "GAP" | "UNPROVEN") | null;
            /** @description What was found. */
            what: string | null;
            /** @description The reference of an order, or a kind with an id: `credit 4711`. If an id that the connector chose could be a text, only its end is shown. */
            about: string | null;
            /** @description The platform that it concerns. Null: none is known. */
            platform: string | null;
            /** @description The payment that it concerns. Null: none is known. */
            transaction: string | null;
            /** @description The amount, in the smallest unit. Null: none is known. */
            amount: string | null;
            /** @description Its currency. */
            currency: string | null;
            /** @description The operator who takes care of it. Null: nobody does yet. */
            owner: string | null;
            /** @description When it was found. */
            openedAt: string | null;
            /** @description When a person resolved it. Null: it is open. */
            resolvedAt: string | null;
            /** @description Undecided proposals about the record, the newest first. */
            pendingProposals?: string[];
        };
        /** @description The record with the names of the public API. Fields about people are masked; fields that people wrote are left out. */
        ShownRecord: {
            /** @description Undecided proposals about the record, the newest first. */
            pendingProposals?: string[];
        } & {
            [key: string]: unknown;
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
        StopRatesRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Which currencies to stop. */
            currencies: string[];
        };
        /** @description A rate of production. */
        StoredRate: {
            /** @description The currency. */
            currency: string;
            /** @description Units of the currency per US dollar, as decimal text. */
            perUsd: string;
            /**
             * @description `SOURCE`: the service read it. `OPERATOR`: it was set by hand.
             * @enum {string}
             */
            from: "SOURCE" | "OPERATOR";
            /** @description Whether new quotes are priced with it. */
            isInForce: boolean;
            /**
             * Format: date-time
             * @description Its age: when it was made, as its source says.
             */
            asOf: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            until: string;
            /**
             * Format: date-time
             * @description Since when an operator has stopped the currency.
             */
            stoppedSince?: string;
        };
        /** @description The rates of production, and how their source does. */
        StoredRates: {
            /** @description By currency; a currency may have a rate of each origin. */
            data: components["schemas"]["StoredRate"][];
            source?: components["schemas"]["RateSourceState"];
        };
        /** @description A line that nothing matches, and what speaks for it. */
        SuggestedLine: {
            /** @description The side of the line. */
            whose: ("OURS" | "THEIRS") | null;
            /** @description Its entry in the journal, or our id of a line of the bank. */
            item: string | null;
            /** @description The day on which it was booked. */
            day: string | null;
            /** @description Its amount in the smallest unit. Above zero: money came in. */
            amount: string | null;
            /** @description Its currency. */
            currency: string | null;
            /** @description The kind of a line of the bank. Null: it is ours. */
            kind: string | null;
            /** @description The day from which on it counts as matched. Null: it is not matched. */
            matchedOn: string | null;
            /** @description The transaction of a line of ours. Null: it has none. */
            transaction: string | null;
            /** @description The bank’s id of its line, or the end of it if it could be a text. Null: it is ours. */
            line: string | null;
            /** @description What both lines have in common, beside the amount: `SAME_REFERENCE`, `SAME_ACCOUNT`, `SAME_NAME`, `SIMILAR_REFERENCE`, `SAME_DAY`. */
            reasons: string[];
        };
        /** @description The state of the service itself. */
        System: {
            /** @description The version of the process that answers. */
            version: string;
            /** @description The commit that it was built from. */
            commit?: string;
            /** @description The version of its Node.js. */
            node: string;
            /** @description All processes, the oldest first. */
            processes: components["schemas"]["SystemProcess"][];
            database: components["schemas"]["SystemDatabase"];
            /** @description The ten largest tables. */
            tables: components["schemas"]["SystemTable"][];
            /** @description By environment and kind of work. */
            lags: components["schemas"]["SystemLag"][];
            /** @description By purpose. */
            keys: components["schemas"]["SystemKeys"][];
            /** @description The backup and the verification of the ledger. */
            runs: components["schemas"]["SystemRun"][];
        };
        /** @description The database. */
        SystemDatabase: {
            /** @description The version of PostgreSQL. */
            version: string;
            /** @description Its size in bytes. */
            bytes: string;
            /** @description Open connections of all programs. */
            connections: number;
            /** @description How many it accepts. */
            connectionsMax: number;
        };
        /** @description Keys of one purpose. */
        SystemKeys: {
            /** @description What they are for. */
            purpose: string;
            /** @description How many there are. */
            count: number;
            /**
             * Format: date-time
             * @description When the newest was made.
             */
            newestAt: string;
        };
        /** @description How late work is. */
        SystemLag: {
            /** @description The environment. */
            environment: string;
            /** @description The kind of job; `journal`: the reader of the journal. */
            kind: string;
            /** @description For how long the oldest of it has been due; 0 if none is. */
            seconds: number;
        };
        /** @description A process that is connected to the database. */
        SystemProcess: {
            /** @description Its version, host and number: `corridor/1.2.3 host:42`. Other programs have names of their own. */
            name: string;
            /** @description How many connections it has. */
            connections: number;
            /**
             * Format: date-time
             * @description Since when its oldest connection is open.
             */
            since: string;
        };
        /** @description A task that has to be done regularly. */
        SystemRun: {
            /** @description The task: `backup` or `ledger verify`. */
            name: string;
            /**
             * Format: date-time
             * @description When it was done last. Absent: never.
             */
            at?: string;
            /** @description Why it failed, if it did. */
            trouble?: string;
        };
        /** @description A large table. */
        SystemTable: {
            /** @description Its name. */
            name: string;
            /** @description Its size in bytes, with its indexes. */
            bytes: string;
        };
        TakeBackCreditRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        /** @description The item that the caller takes. */
        TakeWorkRequest: {
            /** @description The `id` of the item. */
            item: string;
            /** @description Whether to take it from another operator, too. Default: `false`. */
            takeOver?: boolean;
        };
        /** @description A credit that was taken back. */
        TakenBackCredit: {
            /** @description The connector’s name of the credit. */
            credit: string;
            /** @description The amount, in the smallest unit. */
            amount: string;
            /** @description Its currency. */
            currency: string;
        };
        /** @description The operator who has taken an item of work. */
        TakenWork: {
            /** @description The id of the item. */
            item: string;
            /**
             * @description Absent: nobody has.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            takenBy?: string;
            /**
             * Format: date-time
             * @description When it was taken.
             */
            takenAt?: string;
        };
        /** @description A new token with its secret. */
        TokenWithSecret: {
            /** @example Token:019542f5-b3e7-7d02-8000-000000000099 */
            id: string;
            /** @description The username of HTTP Basic. */
            clientId: string;
            /** @description The password of HTTP Basic, shown only here. */
            clientSecret: string;
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
        /** @description The balances of all kinds of accounts at a moment. They add up to zero in each currency. */
        TrialBalance: {
            /**
             * Format: date-time
             * @description The business time up to which the answer holds.
             */
            at: string;
            /** @description Whether the answer may still change: entries of the last minutes may be missing. */
            isProvisional: boolean;
            /** @description How many platforms are added up. */
            platforms: number;
            /** @description By currency and kind of account. */
            balances: components["schemas"]["BookBalance"][];
            /** @description Empty, unless an entry was changed behind the service. */
            unbalanced: components["schemas"]["UnbalancedCurrency"][];
        };
        /** @description A currency whose balances do not add up to zero. */
        UnbalancedCurrency: {
            /** @description The code of the currency. */
            currency: string;
            /** @description Their sum. In the smallest unit: debit above zero, credit below. */
            sum: string;
        };
        UnfreezeAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        ValidateExternalAccountRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /**
             * @description Whether the account exists.
             * @enum {string}
             */
            outcome: "valid" | "failed";
        };
        /** @description The payments that were created on one day (UTC) and sent one currency. */
        VolumeDay: {
            /**
             * Format: date
             * @description The day, by the time of the platform.
             */
            day: string;
            /** @description The currency that was sent. */
            currency: string;
            /** @description The decimals of its smallest unit. */
            decimals: number;
            /** @description How many payments. */
            count: number;
            /** @description The amount that they sent, in the smallest unit. */
            amount: string;
        };
        /** @description The amounts that completed payments of the last 14 days sent. */
        VolumeFigures: {
            /** @description The oldest first. A day without payments is left out. */
            days: components["schemas"]["VolumeDay"][];
            /**
             * Format: date
             * @description The last day of the period: today, by the clock of the platform that is furthest ahead.
             */
            lastDay: string;
            /**
             * Format: date-time
             * @description The figures are complete from this time on. Absent: all rows of the period were counted.
             */
            completeSince?: string;
        };
        /** @description Webhooks of the last 24 hours. */
        WebhookFigures: {
            /** @description The oldest first. */
            hours: components["schemas"]["WebhookHour"][];
            /**
             * Format: date-time
             * @description The figures are complete from this time on. Absent: all rows of the period were counted.
             */
            completeSince?: string;
        };
        /** @description One hour in which webhooks were delivered or given up. */
        WebhookHour: {
            /**
             * Format: date-time
             * @description When it began.
             */
            at: string;
            /** @description Webhooks that were delivered. */
            delivered: number;
            /** @description Webhooks whose last attempt failed. */
            exhausted: number;
            /** @description From the event to the first attempt, in milliseconds, on average. */
            lagMs?: number;
        };
        /** @description Items that wait for an operator, by kind. */
        Work: {
            /** @description People first, then money, then the service itself. A kind without items has the count 0. */
            kinds: components["schemas"]["WorkKind"][];
        };
        /** @description One item that waits for an operator, or is stuck. */
        WorkItem: {
            /** @description Names the item, to take it: it is no resource of its own. */
            id: string;
            /** @description The name of a kind: `reviews`, `payments-overdue`. */
            kind: string;
            /** @description Names the item within its kind and platform. */
            key: string;
            /**
             * @description Absent: the item concerns the installation.
             * @example Platform:019542f5-b3e7-7d02-8000-000000000099
             */
            platform?: string;
            /** @description The name of the platform. */
            platformName?: string;
            /** @description The id of the waiting resource, or its name. */
            subject: string;
            /** @description Why it waits. */
            why: string;
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
            /** @description Its age, by the clock that matters for its kind. */
            ageSeconds: number;
            /**
             * @description The operator who has taken it. Absent: nobody has.
             * @example Operator:019542f5-b3e7-7d02-8000-000000000099
             */
            takenBy?: string;
            /** @description The name of this operator. */
            takenByName?: string;
            /**
             * Format: date-time
             * @description When it was taken.
             */
            takenAt?: string;
            /** @description The note of this operator for others. */
            note?: string;
        };
        /** @description One page, and the cursor of the next. */
        WorkItemList: {
            /** @description The rows of this page. */
            data: components["schemas"]["WorkItem"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description Send this as `cursor` to get the next page. */
            nextCursor?: string;
        };
        /** @description Waiting items of one kind. */
        WorkKind: {
            /** @description The name of a kind: `reviews`, `payments-overdue`. */
            kind: string;
            /** @description Describes the items, for a heading. */
            title: string;
            /**
             * @description What the items are about.
             * @enum {string}
             */
            concerns: "people" | "money" | "service";
            /** @description The number of items, at most 10,000. */
            count: number;
            /** @description Whether there are more than 10,000. */
            isCapped: boolean;
            /**
             * Format: date-time
             * @description Since when the oldest item waits. Absent: there is none.
             */
            oldestSince?: string;
            /** @description Its age, by the clock that matters for its kind. */
            oldestAgeSeconds?: number;
            /** @description The address that lists the items, below `/console/api`. */
            list: string;
        };
        WriteOffDebtOfCustomerRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Its currency, such as `EUR`. */
            currency: string;
            /** @description How much, in the smallest unit; by default all of it. */
            amount?: number;
        };
        WriteOffDebtOfPlatformRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
            /** @description Its currency, such as `EUR`. */
            currency: string;
            /** @description How much, in the smallest unit; by default all of it. */
            amount?: number;
        };
        WriteOffExceptionRequest: {
            /** @description Why, in one line, for the audit log. */
            reason: string;
        };
        GetTrialBalanceQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description The business time. Default: now.
             */
            at?: string;
        };
        GetBookBalanceQuery: {
            /** @description The account, such as `FEES:USD` or `AVAIL:<uuid of the internal account>`; or a kind alone. */
            account: string;
            /**
             * Format: date-time
             * @description The business time. Default: now.
             */
            at?: string;
            /** @description Right after this entry, by its id or its number, instead of a time. */
            entry?: string;
        };
        ListBookAccountsQuery: {
            /**
             * @description The kind of accounts.
             * @enum {string}
             */
            kind: "AVAIL" | "HOLD" | "PENDING_IN" | "RECEIVABLE" | "ISSUED" | "RESERVE" | "INFLIGHT" | "REFUND_PAYABLE" | "FEES" | "FX" | "RAIL" | "SUSPENSE" | "HOUSE";
            /**
             * Format: date-time
             * @description The business time. Default: now.
             */
            at?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListBookLinesQuery: {
            /** @description The account, such as `FEES:USD` or `AVAIL:<uuid of the internal account>`; or a kind alone. */
            account: string;
            /** @description The currency. */
            currency: string;
            /**
             * Format: date-time
             * @description Only lines at or after this business time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only lines at or before this business time.
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
        ListAllAuditQuery: {
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /** @description Only rows about this platform. */
            platform?: string;
            /** @description Only rows about this resource, by its id. */
            resource?: string;
            /** @description Only acts of this operator, by id or by name. */
            operator?: string;
            /** @description Only this action. */
            action?: string;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllReadsQuery: {
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /** @description Only rows about this platform. */
            platform?: string;
            /** @description Only rows about this resource, by its id. */
            resource?: string;
            /** @description Only reads of this operator, by id. */
            operator?: string;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListOperatorsQuery: {
            status?: components["schemas"]["OperatorStatus"];
            role?: components["schemas"]["OperatorRole"];
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllPlatformsQuery: {
            /**
             * @description Only those of this environment.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllTokensQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /**
             * @description Only those that are accepted, or only revoked ones.
             * @enum {string}
             */
            status?: "LIVE" | "REVOKED";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        SearchAllTokensQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /**
             * @description Only those that are accepted, or only revoked ones.
             * @enum {string}
             */
            status?: "LIVE" | "REVOKED";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllPaymentsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "CREATED" | "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
            /**
             * @description Only this type.
             * @enum {string}
             */
            type?: "INCOMING" | "OUTGOING" | "CARD";
            /** @description Only those of this customer. */
            customer?: string;
            /** @description Only those with this card. */
            card?: string;
            /**
             * @description Only those from or to this internal or external account.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            account?: string;
            /** @description The amount sent or received, in the smallest unit. Without another filter, the last 31 days are searched. */
            units?: number;
            /** @description The currency sent or received. Without another filter, the last 31 days are searched. */
            currency?: string;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        SearchAllPaymentsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "CREATED" | "PENDING" | "PENDING_AUTHORIZATION" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
            /**
             * @description Only this type.
             * @enum {string}
             */
            type?: "INCOMING" | "OUTGOING" | "CARD";
            /** @description Only those of this customer. */
            customer?: string;
            /** @description Only those with this card. */
            card?: string;
            /**
             * @description Only those from or to this internal or external account.
             * @example InternalAccount:019542f5-b3e7-7d02-8000-000000000099
             */
            account?: string;
            /** @description The amount sent or received, in the smallest unit. Without another filter, the last 31 days are searched. */
            units?: number;
            /** @description The currency sent or received. Without another filter, the last 31 days are searched. */
            currency?: string;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllQuotesQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /** @description Only those of this customer. */
            customer?: string;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllSuspenseQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllConnectorsQuery: {
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllConnectorOrdersQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /** @description Only those of this connector, by its name. */
            connector?: string;
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "WAITING" | "ROUTED" | "ASKED" | "TAKEN" | "ENDED" | "LEFT" | "CONFLICT" | "BY_HAND";
            /** @description Only those of this payment. */
            transaction?: string;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllConnectorEventsQuery: {
            /** @description Only those of this connector, by its name. */
            connector?: string;
            /** @description Only those that were applied, or that were not. */
            isApplied?: boolean;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllBreaksQuery: {
            /** @description Only those of this connector, by its name. */
            connector?: string;
            /**
             * @description Only this type.
             * @enum {string}
             */
            kind?: "CONTRADICTION" | "AMOUNT_DIFFERS" | "DUPLICATE" | "RETURNED" | "MALFORMED" | "LOST" | "THEIRS_UNMATCHED" | "OURS_UNMATCHED" | "LATE" | "GAP" | "UNPROVEN";
            /** @description Only those that nobody has resolved, or that somebody has. */
            isOpen?: boolean;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllCardsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Only those of this customer. */
            customer?: string;
            /** @description Only those that this account pays for. */
            account?: string;
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "PROCESSING" | "ACTIVE" | "FROZEN" | "CLOSED";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        SearchAllCardsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Only those of this customer. */
            customer?: string;
            /** @description Only those that this account pays for. */
            account?: string;
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "PROCESSING" | "ACTIVE" | "FROZEN" | "CLOSED";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllWalletsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Only those of this customer. */
            customer?: string;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllReceivablesQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllStablecoinsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * @description Only those in this status at the provider.
             * @enum {string}
             */
            issuance?: "PENDING_REVIEW" | "PROVISIONING" | "PROVISIONED" | "REJECTED" | "FAILED";
            /**
             * @description Only those in this status for internal accounts.
             * @enum {string}
             */
            status?: "NOT_ENABLED" | "PENDING_APPROVAL" | "ENABLING" | "ENABLED" | "DISABLED";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllStablecoinOperationsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Only those of this coin. */
            stablecoin?: string;
            /**
             * @description Only this type.
             * @enum {string}
             */
            type?: "MINT" | "BURN";
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "CREATED" | "PENDING_FUNDING" | "PENDING_PROVIDER" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ShowAccountStatementQuery: {
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
        ListAccountProofsQuery: {
            /**
             * @description The first day. Default: 30 days before the last one.
             * @example 2026-03-31
             */
            from?: string;
            /**
             * @description The last day, at most 366 days after the first. Default: today.
             * @example 2026-03-31
             */
            to?: string;
        };
        ShowAccountProofQuery: {
            /**
             * @description The day. Default: the last one that has a proof.
             * @example 2026-03-31
             */
            day?: string;
        };
        ExportReconciliationQuery: {
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
             * @description Default: `csv`.
             * @enum {string}
             */
            format?: "csv" | "json";
        };
        ListAllScaQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllCustomersQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /**
             * @description Only this type.
             * @enum {string}
             */
            type?: "INDIVIDUAL" | "BUSINESS";
            /**
             * @description Only those with this status of their identity check.
             * @enum {string}
             */
            status?: "UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED" | "HOLD";
            /** @description Only those of this region. */
            region?: string;
            /** @description Only those who hold this currency. */
            currency?: string;
            /** @description Whether to include deleted ones. */
            deleted?: boolean;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        SearchAllCustomersQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /**
             * @description Only this type.
             * @enum {string}
             */
            type?: "INDIVIDUAL" | "BUSINESS";
            /**
             * @description Only those with this status of their identity check.
             * @enum {string}
             */
            status?: "UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED" | "HOLD";
            /** @description Only those of this region. */
            region?: string;
            /** @description Only those who hold this currency. */
            currency?: string;
            /** @description Whether to include deleted ones. */
            deleted?: boolean;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllInternalAccountsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Only those of this customer. */
            customer?: string;
            /** @description Only those in this currency. */
            currency?: string;
            /**
             * @description Only this type.
             * @enum {string}
             */
            type?: "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "PENDING" | "ACTIVE" | "CLOSED" | "FROZEN" | "FAILED";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllExternalAccountsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Only those of this customer. */
            customer?: string;
            /** @description Only those in this currency. */
            currency?: string;
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "PENDING" | "ACTIVE" | "PENDING_OWNERSHIP_VERIFICATION" | "UNVERIFIED" | "UNDER_REVIEW" | "INACTIVE";
            /** @description Only accounts of the platforms themselves. */
            own?: boolean;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllReviewsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "PENDING" | "HOLD";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllInvitationsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Only those of this customer. */
            customer?: string;
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "PENDING" | "CLAIMED" | "CANCELLED" | "EXPIRED";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllAgentsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Only those of this customer. */
            customer?: string;
            /** @description Whether it has a token. */
            connected?: boolean;
            /** @description Whether it is paused. */
            paused?: boolean;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllAgentActionsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /** @description Only actions of this agent. */
            agent?: string;
            /** @description Only actions of this customer’s agents. */
            customer?: string;
            /**
             * @description Only those in this status.
             * @enum {string}
             */
            status?: "PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED";
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListProposalsQuery: {
            /**
             * @description TO_CHECK: those of others that the caller’s roles may decide. MINE: the caller’s own. DECIDED: those that have ended.
             * @default TO_CHECK
             * @enum {string}
             */
            view?: "TO_CHECK" | "MINE" | "DECIDED" | "ALL";
            /** @description Only those about the resource with this id. */
            resource?: string;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListBreakGlassUsesQuery: {
            /** @description Only those that nobody has acknowledged. */
            open?: boolean;
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListWorkQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
        };
        ListWorkItemsQuery: {
            /** @description The name of a kind: `reviews`, `payments-overdue`. */
            kind: string;
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllWebhooksQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /**
             * @description Only events in this state.
             * @enum {string}
             */
            state?: "PENDING" | "DELIVERED" | "ACKED_DUPLICATE" | "EXHAUSTED" | "SKIPPED";
            /**
             * @description Only events of this type.
             * @enum {string}
             */
            type?: "OUTGOING_PAYMENT.PENDING" | "OUTGOING_PAYMENT.PENDING_AUTHORIZATION" | "OUTGOING_PAYMENT.PROCESSING" | "OUTGOING_PAYMENT.COMPLETED" | "OUTGOING_PAYMENT.FAILED" | "OUTGOING_PAYMENT.EXPIRED" | "OUTGOING_PAYMENT.REFUND_PENDING" | "OUTGOING_PAYMENT.REFUND_COMPLETED" | "OUTGOING_PAYMENT.REFUND_FAILED" | "INCOMING_PAYMENT.PENDING" | "INCOMING_PAYMENT.COMPLETED" | "INCOMING_PAYMENT.FAILED" | "INCOMING_PAYMENT.REFUND_PENDING" | "INCOMING_PAYMENT.REFUND_COMPLETED" | "INCOMING_PAYMENT.REFUND_FAILED" | "CUSTOMER.KYC_PENDING" | "CUSTOMER.KYC_APPROVED" | "CUSTOMER.KYC_REJECTED" | "CUSTOMER.KYB_PENDING" | "CUSTOMER.KYB_APPROVED" | "CUSTOMER.KYB_REJECTED" | "VERIFICATION.READY_FOR_VERIFICATION" | "VERIFICATION.IN_PROGRESS" | "VERIFICATION.RESOLVE_ERRORS" | "VERIFICATION.PENDING_MANUAL_REVIEW" | "VERIFICATION.APPROVED" | "VERIFICATION.REJECTED" | "EXTERNAL_ACCOUNT.STATUS_UPDATED" | "INTERNAL_ACCOUNT.BALANCE_UPDATED" | "INTERNAL_ACCOUNT.STATUS_UPDATED" | "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED" | "INVITATION.CLAIMED" | "BULK_UPLOAD.COMPLETED" | "BULK_UPLOAD.FAILED" | "AGENT_ACTION.PENDING_APPROVAL" | "CARD.STATUS_CHANGE" | "CARD.FUNDING_SOURCE_CHANGE" | "CARD_TRANSACTION.AUTHORIZED" | "CARD_TRANSACTION.PARTIALLY_SETTLED" | "CARD_TRANSACTION.SETTLED" | "CARD_TRANSACTION.DECLINED" | "CARD_TRANSACTION.EXCEPTION" | "TEST";
            /** @description Only events about this resource, by its id. */
            resource?: string;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        ListAllRequestsQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description Only rows created at or after this time.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only rows created at or before this time.
             */
            createdBefore?: string;
            /**
             * @description Only replies with a status of this class.
             * @enum {string}
             */
            status?: "2XX" | "3XX" | "4XX" | "5XX";
            /**
             * @description Only this method.
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Only this path, as documented or as called. */
            path?: string;
            /** @description Only refusals with this code. */
            code?: string;
            /**
             * Format: uuid
             * @description Only the request with this `X-Request-Id`.
             */
            request?: string;
            /** @description Whether to count the rows, up to 10,000. Default: `false`. */
            count?: boolean;
            /**
             * @description A page in JSON, or a file of all rows. Default: `json`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description The maximum number of rows in a page.
             * @default 20
             */
            limit?: number;
            /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
            cursor?: string;
        };
        FindRecordsQuery: {
            /** @description Only records of this platform. */
            platform?: string;
            /**
             * @description Only platforms of this environment. Default: both, if no platform is named.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
        };
        ReadFiguresQuery: {
            /** @description Only this platform. */
            platform?: string;
            /**
             * @description All platforms of this environment, if no platform is named. Default: production, if it has platforms.
             * @enum {string}
             */
            environment?: "SANDBOX" | "PRODUCTION";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccountCapability = components['schemas']['AccountCapability'];
export type AccountProof = components['schemas']['AccountProof'];
export type AccountProofs = components['schemas']['AccountProofs'];
export type AccountStatement = components['schemas']['AccountStatement'];
export type AccountStatementLine = components['schemas']['AccountStatementLine'];
export type AddConnectorRequest = components['schemas']['AddConnectorRequest'];
export type AddFilesConnectorRequest = components['schemas']['AddFilesConnectorRequest'];
export type AddSwiftInstructionsRequest = components['schemas']['AddSwiftInstructionsRequest'];
export type AdoptBankFilesRequest = components['schemas']['AdoptBankFilesRequest'];
export type ApproveReviewRequest = components['schemas']['ApproveReviewRequest'];
export type ApproveStablecoinRequest = components['schemas']['ApproveStablecoinRequest'];
export type AssignBreakRequest = components['schemas']['AssignBreakRequest'];
export type BookBalance = components['schemas']['BookBalance'];
export type BookBalances = components['schemas']['BookBalances'];
export type BookBankDifferenceRequest = components['schemas']['BookBankDifferenceRequest'];
export type BookBankLineRequest = components['schemas']['BookBankLineRequest'];
export type BookBreakRequest = components['schemas']['BookBreakRequest'];
export type BookDepositRequest = components['schemas']['BookDepositRequest'];
export type BookEntry = components['schemas']['BookEntry'];
export type BookLine = components['schemas']['BookLine'];
export type BookOpeningBalanceRequest = components['schemas']['BookOpeningBalanceRequest'];
export type BookedBankLine = components['schemas']['BookedBankLine'];
export type BookedBreak = components['schemas']['BookedBreak'];
export type BookedDeposit = components['schemas']['BookedDeposit'];
export type BreakGlassAcknowledgement = components['schemas']['BreakGlassAcknowledgement'];
export type BreakGlassUse = components['schemas']['BreakGlassUse'];
export type BreakGlassUseList = components['schemas']['BreakGlassUseList'];
export type BreakLine = components['schemas']['BreakLine'];
export type BreakRecord = components['schemas']['BreakRecord'];
export type BreakSuggestions = components['schemas']['BreakSuggestions'];
export type Capabilities = components['schemas']['Capabilities'];
export type ChangedAccount = components['schemas']['ChangedAccount'];
export type ChangedConnector = components['schemas']['ChangedConnector'];
export type ChangedFilesConnector = components['schemas']['ChangedFilesConnector'];
export type ChangedPlatform = components['schemas']['ChangedPlatform'];
export type ChangedRates = components['schemas']['ChangedRates'];
export type ChangedRoute = components['schemas']['ChangedRoute'];
export type ChangedValue = components['schemas']['ChangedValue'];
export type ClearRatesRequest = components['schemas']['ClearRatesRequest'];
export type CloseAccountRequest = components['schemas']['CloseAccountRequest'];
export type CloseBankFileRequest = components['schemas']['CloseBankFileRequest'];
export type CloseCardRequest = components['schemas']['CloseCardRequest'];
export type ClosedBankFile = components['schemas']['ClosedBankFile'];
export type ClosedCard = components['schemas']['ClosedCard'];
export type CollectExceptionRequest = components['schemas']['CollectExceptionRequest'];
export type CompleteStablecoinOperationRequest = components['schemas']['CompleteStablecoinOperationRequest'];
export type ConnectorRecord = components['schemas']['ConnectorRecord'];
export type ConnectorRoute = components['schemas']['ConnectorRoute'];
export type ConnectorRouteList = components['schemas']['ConnectorRouteList'];
export type ConnectorSecret = components['schemas']['ConnectorSecret'];
export type CreatePlatformRequest = components['schemas']['CreatePlatformRequest'];
export type CreateTokenOfPlatformRequest = components['schemas']['CreateTokenOfPlatformRequest'];
export type CreatedPlatform = components['schemas']['CreatedPlatform'];
export type Currency = components['schemas']['Currency'];
export type CurrencyAmount = components['schemas']['CurrencyAmount'];
export type CutOff = components['schemas']['CutOff'];
export type DecidedCoin = components['schemas']['DecidedCoin'];
export type DecidedCustomer = components['schemas']['DecidedCustomer'];
export type DecidedExternalAccount = components['schemas']['DecidedExternalAccount'];
export type DeclineStablecoinRequest = components['schemas']['DeclineStablecoinRequest'];
export type DisableExternalAccountRequest = components['schemas']['DisableExternalAccountRequest'];
export type DisablePlatformRequest = components['schemas']['DisablePlatformRequest'];
export type DisableStablecoinRequest = components['schemas']['DisableStablecoinRequest'];
export type DiscloseFieldRequest = components['schemas']['DiscloseFieldRequest'];
export type DisclosedField = components['schemas']['DisclosedField'];
export type DisclosedProposalField = components['schemas']['DisclosedProposalField'];
export type EnableExternalAccountRequest = components['schemas']['EnableExternalAccountRequest'];
export type EnablePlatformRequest = components['schemas']['EnablePlatformRequest'];
export type EnableStablecoinRequest = components['schemas']['EnableStablecoinRequest'];
export type EndedOperation = components['schemas']['EndedOperation'];
export type EndedOperatorSessions = components['schemas']['EndedOperatorSessions'];
export type EntryCause = components['schemas']['EntryCause'];
export type EntryLine = components['schemas']['EntryLine'];
export type EntryTransaction = components['schemas']['EntryTransaction'];
export type EraseCustomerRequest = components['schemas']['EraseCustomerRequest'];
export type ErasedCustomer = components['schemas']['ErasedCustomer'];
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
export type FailPaymentRequest = components['schemas']['FailPaymentRequest'];
export type FailStablecoinOperationRequest = components['schemas']['FailStablecoinOperationRequest'];
export type FieldConstraint = components['schemas']['FieldConstraint'];
export type FieldError = components['schemas']['FieldError'];
export type Figures = components['schemas']['Figures'];
export type FindRecordsRequest = components['schemas']['FindRecordsRequest'];
export type FoundRecord = components['schemas']['FoundRecord'];
export type FoundRecords = components['schemas']['FoundRecords'];
export type FreezeAccountRequest = components['schemas']['FreezeAccountRequest'];
export type ItemInTransit = components['schemas']['ItemInTransit'];
export type JournalHead = components['schemas']['JournalHead'];
export type JournalHeads = components['schemas']['JournalHeads'];
export type JournalKey = components['schemas']['JournalKey'];
export type LedgerCheck = components['schemas']['LedgerCheck'];
export type LedgerChecks = components['schemas']['LedgerChecks'];
export type LedgerFinding = components['schemas']['LedgerFinding'];
export type LedgerProof = components['schemas']['LedgerProof'];
export type LedgerProofs = components['schemas']['LedgerProofs'];
export type ListedAgentActions = components['schemas']['ListedAgentActions'];
export type ListedAgents = components['schemas']['ListedAgents'];
export type ListedAudit = components['schemas']['ListedAudit'];
export type ListedBreaks = components['schemas']['ListedBreaks'];
export type ListedCards = components['schemas']['ListedCards'];
export type ListedConnectorEvents = components['schemas']['ListedConnectorEvents'];
export type ListedConnectorOrders = components['schemas']['ListedConnectorOrders'];
export type ListedConnectors = components['schemas']['ListedConnectors'];
export type ListedCustomers = components['schemas']['ListedCustomers'];
export type ListedExternalAccounts = components['schemas']['ListedExternalAccounts'];
export type ListedInternalAccounts = components['schemas']['ListedInternalAccounts'];
export type ListedInvitations = components['schemas']['ListedInvitations'];
export type ListedPayments = components['schemas']['ListedPayments'];
export type ListedPlatforms = components['schemas']['ListedPlatforms'];
export type ListedQuotes = components['schemas']['ListedQuotes'];
export type ListedReads = components['schemas']['ListedReads'];
export type ListedReceivables = components['schemas']['ListedReceivables'];
export type ListedRequests = components['schemas']['ListedRequests'];
export type ListedReviews = components['schemas']['ListedReviews'];
export type ListedSca = components['schemas']['ListedSca'];
export type ListedStablecoinOperations = components['schemas']['ListedStablecoinOperations'];
export type ListedStablecoins = components['schemas']['ListedStablecoins'];
export type ListedSuspense = components['schemas']['ListedSuspense'];
export type ListedTokens = components['schemas']['ListedTokens'];
export type ListedWallets = components['schemas']['ListedWallets'];
export type ListedWebhooks = components['schemas']['ListedWebhooks'];
export type MatchBreakRequest = components['schemas']['MatchBreakRequest'];
export type MatchedBreak = components['schemas']['MatchedBreak'];
export type NewOperatorPasskey = components['schemas']['NewOperatorPasskey'];
export type NoteBreakRequest = components['schemas']['NoteBreakRequest'];
export type NoteWorkRequest = components['schemas']['NoteWorkRequest'];
export type Operator = components['schemas']['Operator'];
export type OperatorAddress = components['schemas']['OperatorAddress'];
export type OperatorAssertion = components['schemas']['OperatorAssertion'];
export type OperatorConfirmation = components['schemas']['OperatorConfirmation'];
export type OperatorInvitation = components['schemas']['OperatorInvitation'];
export type OperatorListResponse = components['schemas']['OperatorListResponse'];
export type OperatorName = components['schemas']['OperatorName'];
export type OperatorNameList = components['schemas']['OperatorNameList'];
export type OperatorPasskey = components['schemas']['OperatorPasskey'];
export type OperatorPasskeyChallenge = components['schemas']['OperatorPasskeyChallenge'];
export type OperatorPasskeyList = components['schemas']['OperatorPasskeyList'];
export type OperatorReason = components['schemas']['OperatorReason'];
export type OperatorRecord = components['schemas']['OperatorRecord'];
export type OperatorRole = components['schemas']['OperatorRole'];
export type OperatorRolesRequest = components['schemas']['OperatorRolesRequest'];
export type OperatorSession = components['schemas']['OperatorSession'];
export type OperatorSessionList = components['schemas']['OperatorSessionList'];
export type OperatorStatus = components['schemas']['OperatorStatus'];
export type PageOfAgentActions = components['schemas']['PageOfAgentActions'];
export type PageOfAgents = components['schemas']['PageOfAgents'];
export type PageOfAudit = components['schemas']['PageOfAudit'];
export type PageOfBookAccounts = components['schemas']['PageOfBookAccounts'];
export type PageOfBookLines = components['schemas']['PageOfBookLines'];
export type PageOfBreaks = components['schemas']['PageOfBreaks'];
export type PageOfCards = components['schemas']['PageOfCards'];
export type PageOfConnectorEvents = components['schemas']['PageOfConnectorEvents'];
export type PageOfConnectorOrders = components['schemas']['PageOfConnectorOrders'];
export type PageOfConnectors = components['schemas']['PageOfConnectors'];
export type PageOfCustomers = components['schemas']['PageOfCustomers'];
export type PageOfExternalAccounts = components['schemas']['PageOfExternalAccounts'];
export type PageOfInternalAccounts = components['schemas']['PageOfInternalAccounts'];
export type PageOfInvitations = components['schemas']['PageOfInvitations'];
export type PageOfPayments = components['schemas']['PageOfPayments'];
export type PageOfPlatforms = components['schemas']['PageOfPlatforms'];
export type PageOfQuotes = components['schemas']['PageOfQuotes'];
export type PageOfReads = components['schemas']['PageOfReads'];
export type PageOfReceivables = components['schemas']['PageOfReceivables'];
export type PageOfRequests = components['schemas']['PageOfRequests'];
export type PageOfReviews = components['schemas']['PageOfReviews'];
export type PageOfSca = components['schemas']['PageOfSca'];
export type PageOfStablecoinOperations = components['schemas']['PageOfStablecoinOperations'];
export type PageOfStablecoins = components['schemas']['PageOfStablecoins'];
export type PageOfSuspense = components['schemas']['PageOfSuspense'];
export type PageOfTokens = components['schemas']['PageOfTokens'];
export type PageOfWallets = components['schemas']['PageOfWallets'];
export type PageOfWebhooks = components['schemas']['PageOfWebhooks'];
export type PauseAgentRequest = components['schemas']['PauseAgentRequest'];
export type PauseConnectorRequest = components['schemas']['PauseConnectorRequest'];
export type PausedAgent = components['schemas']['PausedAgent'];
export type PaymentFigures = components['schemas']['PaymentFigures'];
export type Permission = components['schemas']['Permission'];
export type PreviewOfChange = components['schemas']['PreviewOfChange'];
export type ProofRecord = components['schemas']['ProofRecord'];
export type Proposal = components['schemas']['Proposal'];
export type ProposalApproveRequest = components['schemas']['ProposalApproveRequest'];
export type ProposalFieldRequest = components['schemas']['ProposalFieldRequest'];
export type ProposalListResponse = components['schemas']['ProposalListResponse'];
export type ProposalReasonRequest = components['schemas']['ProposalReasonRequest'];
export type ProposalSecret = components['schemas']['ProposalSecret'];
export type ProposalSummary = components['schemas']['ProposalSummary'];
export type ProveLedgerRequest = components['schemas']['ProveLedgerRequest'];
export type ProvisionAccountRequest = components['schemas']['ProvisionAccountRequest'];
export type RailCapability = components['schemas']['RailCapability'];
export type RateSourceState = components['schemas']['RateSourceState'];
export type ReconciledAccount = components['schemas']['ReconciledAccount'];
export type ReconciledAccounts = components['schemas']['ReconciledAccounts'];
export type ReconciliationExport = components['schemas']['ReconciliationExport'];
export type ReconciliationRow = components['schemas']['ReconciliationRow'];
export type RefuseAccountRequest = components['schemas']['RefuseAccountRequest'];
export type RejectReviewRequest = components['schemas']['RejectReviewRequest'];
export type ReleaseWorkRequest = components['schemas']['ReleaseWorkRequest'];
export type RemainingDebt = components['schemas']['RemainingDebt'];
export type RemoveConnectorRequest = components['schemas']['RemoveConnectorRequest'];
export type RemoveConnectorRouteRequest = components['schemas']['RemoveConnectorRouteRequest'];
export type RemovedConnector = components['schemas']['RemovedConnector'];
export type ReportedPayment = components['schemas']['ReportedPayment'];
export type RequestChangesRequest = components['schemas']['RequestChangesRequest'];
export type RequestFigures = components['schemas']['RequestFigures'];
export type RequestMinute = components['schemas']['RequestMinute'];
export type ResendBankFileRequest = components['schemas']['ResendBankFileRequest'];
export type ResendWebhookRequest = components['schemas']['ResendWebhookRequest'];
export type ResentBankFile = components['schemas']['ResentBankFile'];
export type ResentWebhook = components['schemas']['ResentWebhook'];
export type ResolveBreakRequest = components['schemas']['ResolveBreakRequest'];
export type ResolveSuspenseRequest = components['schemas']['ResolveSuspenseRequest'];
export type ResolvedException = components['schemas']['ResolvedException'];
export type ResolvedSuspense = components['schemas']['ResolvedSuspense'];
export type ResumeConnectorRequest = components['schemas']['ResumeConnectorRequest'];
export type RetryAccountRequest = components['schemas']['RetryAccountRequest'];
export type ReturnPaymentRequest = components['schemas']['ReturnPaymentRequest'];
export type ReviewExternalAccountRequest = components['schemas']['ReviewExternalAccountRequest'];
export type ReviewPacket = components['schemas']['ReviewPacket'];
export type ReviewProblem = components['schemas']['ReviewProblem'];
export type RevokeStablecoinLinkRequest = components['schemas']['RevokeStablecoinLinkRequest'];
export type RevokeTokenRequest = components['schemas']['RevokeTokenRequest'];
export type RevokedLink = components['schemas']['RevokedLink'];
export type RevokedToken = components['schemas']['RevokedToken'];
export type RewindConnectorRequest = components['schemas']['RewindConnectorRequest'];
export type RotateConnectorSecretRequest = components['schemas']['RotateConnectorSecretRequest'];
export type RotateWebhookKeyOfPlatformRequest = components['schemas']['RotateWebhookKeyOfPlatformRequest'];
export type RotatedWebhookKeys = components['schemas']['RotatedWebhookKeys'];
export type ScreenExternalAccountRequest = components['schemas']['ScreenExternalAccountRequest'];
export type SearchCardsRequest = components['schemas']['SearchCardsRequest'];
export type SearchCustomersRequest = components['schemas']['SearchCustomersRequest'];
export type SearchPaymentsRequest = components['schemas']['SearchPaymentsRequest'];
export type SearchTokensRequest = components['schemas']['SearchTokensRequest'];
export type SetBreakOwnerRequest = components['schemas']['SetBreakOwnerRequest'];
export type SetConnectorOwnerRequest = components['schemas']['SetConnectorOwnerRequest'];
export type SetConnectorRequest = components['schemas']['SetConnectorRequest'];
export type SetConnectorRouteRequest = components['schemas']['SetConnectorRouteRequest'];
export type SetFilesProfileRequest = components['schemas']['SetFilesProfileRequest'];
export type SetPlatformRequest = components['schemas']['SetPlatformRequest'];
export type SetRatesRequest = components['schemas']['SetRatesRequest'];
export type SettlePaymentRequest = components['schemas']['SettlePaymentRequest'];
export type SettlementAccount = components['schemas']['SettlementAccount'];
export type SettlementAccountOwned = components['schemas']['SettlementAccountOwned'];
export type SettlementAccountOwner = components['schemas']['SettlementAccountOwner'];
export type ShownBreak = components['schemas']['ShownBreak'];
export type ShownRecord = components['schemas']['ShownRecord'];
export type StatementCounterparty = components['schemas']['StatementCounterparty'];
export type StopRatesRequest = components['schemas']['StopRatesRequest'];
export type StoredRate = components['schemas']['StoredRate'];
export type StoredRates = components['schemas']['StoredRates'];
export type SuggestedLine = components['schemas']['SuggestedLine'];
export type System = components['schemas']['System'];
export type SystemDatabase = components['schemas']['SystemDatabase'];
export type SystemKeys = components['schemas']['SystemKeys'];
export type SystemLag = components['schemas']['SystemLag'];
export type SystemProcess = components['schemas']['SystemProcess'];
export type SystemRun = components['schemas']['SystemRun'];
export type SystemTable = components['schemas']['SystemTable'];
export type TakeBackCreditRequest = components['schemas']['TakeBackCreditRequest'];
export type TakeWorkRequest = components['schemas']['TakeWorkRequest'];
export type TakenBackCredit = components['schemas']['TakenBackCredit'];
export type TakenWork = components['schemas']['TakenWork'];
export type TokenWithSecret = components['schemas']['TokenWithSecret'];
export type TransactionExplanation = components['schemas']['TransactionExplanation'];
export type TrialBalance = components['schemas']['TrialBalance'];
export type UnbalancedCurrency = components['schemas']['UnbalancedCurrency'];
export type UnfreezeAccountRequest = components['schemas']['UnfreezeAccountRequest'];
export type ValidateExternalAccountRequest = components['schemas']['ValidateExternalAccountRequest'];
export type VolumeDay = components['schemas']['VolumeDay'];
export type VolumeFigures = components['schemas']['VolumeFigures'];
export type WebhookFigures = components['schemas']['WebhookFigures'];
export type WebhookHour = components['schemas']['WebhookHour'];
export type Work = components['schemas']['Work'];
export type WorkItem = components['schemas']['WorkItem'];
export type WorkItemList = components['schemas']['WorkItemList'];
export type WorkKind = components['schemas']['WorkKind'];
export type WriteOffDebtOfCustomerRequest = components['schemas']['WriteOffDebtOfCustomerRequest'];
export type WriteOffDebtOfPlatformRequest = components['schemas']['WriteOffDebtOfPlatformRequest'];
export type WriteOffExceptionRequest = components['schemas']['WriteOffExceptionRequest'];
export type GetTrialBalanceQuery = components['schemas']['GetTrialBalanceQuery'];
export type GetBookBalanceQuery = components['schemas']['GetBookBalanceQuery'];
export type ListBookAccountsQuery = components['schemas']['ListBookAccountsQuery'];
export type ListBookLinesQuery = components['schemas']['ListBookLinesQuery'];
export type ListAllAuditQuery = components['schemas']['ListAllAuditQuery'];
export type ListAllReadsQuery = components['schemas']['ListAllReadsQuery'];
export type ListOperatorsQuery = components['schemas']['ListOperatorsQuery'];
export type ListAllPlatformsQuery = components['schemas']['ListAllPlatformsQuery'];
export type ListAllTokensQuery = components['schemas']['ListAllTokensQuery'];
export type SearchAllTokensQuery = components['schemas']['SearchAllTokensQuery'];
export type ListAllPaymentsQuery = components['schemas']['ListAllPaymentsQuery'];
export type SearchAllPaymentsQuery = components['schemas']['SearchAllPaymentsQuery'];
export type ListAllQuotesQuery = components['schemas']['ListAllQuotesQuery'];
export type ListAllSuspenseQuery = components['schemas']['ListAllSuspenseQuery'];
export type ListAllConnectorsQuery = components['schemas']['ListAllConnectorsQuery'];
export type ListAllConnectorOrdersQuery = components['schemas']['ListAllConnectorOrdersQuery'];
export type ListAllConnectorEventsQuery = components['schemas']['ListAllConnectorEventsQuery'];
export type ListAllBreaksQuery = components['schemas']['ListAllBreaksQuery'];
export type ListAllCardsQuery = components['schemas']['ListAllCardsQuery'];
export type SearchAllCardsQuery = components['schemas']['SearchAllCardsQuery'];
export type ListAllWalletsQuery = components['schemas']['ListAllWalletsQuery'];
export type ListAllReceivablesQuery = components['schemas']['ListAllReceivablesQuery'];
export type ListAllStablecoinsQuery = components['schemas']['ListAllStablecoinsQuery'];
export type ListAllStablecoinOperationsQuery = components['schemas']['ListAllStablecoinOperationsQuery'];
export type ShowAccountStatementQuery = components['schemas']['ShowAccountStatementQuery'];
export type ListAccountProofsQuery = components['schemas']['ListAccountProofsQuery'];
export type ShowAccountProofQuery = components['schemas']['ShowAccountProofQuery'];
export type ExportReconciliationQuery = components['schemas']['ExportReconciliationQuery'];
export type ListAllScaQuery = components['schemas']['ListAllScaQuery'];
export type ListAllCustomersQuery = components['schemas']['ListAllCustomersQuery'];
export type SearchAllCustomersQuery = components['schemas']['SearchAllCustomersQuery'];
export type ListAllInternalAccountsQuery = components['schemas']['ListAllInternalAccountsQuery'];
export type ListAllExternalAccountsQuery = components['schemas']['ListAllExternalAccountsQuery'];
export type ListAllReviewsQuery = components['schemas']['ListAllReviewsQuery'];
export type ListAllInvitationsQuery = components['schemas']['ListAllInvitationsQuery'];
export type ListAllAgentsQuery = components['schemas']['ListAllAgentsQuery'];
export type ListAllAgentActionsQuery = components['schemas']['ListAllAgentActionsQuery'];
export type ListProposalsQuery = components['schemas']['ListProposalsQuery'];
export type ListBreakGlassUsesQuery = components['schemas']['ListBreakGlassUsesQuery'];
export type ListWorkQuery = components['schemas']['ListWorkQuery'];
export type ListWorkItemsQuery = components['schemas']['ListWorkItemsQuery'];
export type ListAllWebhooksQuery = components['schemas']['ListAllWebhooksQuery'];
export type ListAllRequestsQuery = components['schemas']['ListAllRequestsQuery'];
export type FindRecordsQuery = components['schemas']['FindRecordsQuery'];
export type ReadFiguresQuery = components['schemas']['ReadFiguresQuery'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
