import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import Type from 'typebox';
import { newTotpSecret } from '#foundation/crypto/totp.ts';
import { walletForm } from '#foundation/lib/code-kinds.ts';
import { isSparkWalletAddress } from '#foundation/lib/identifiers/spark.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { effectiveSettings } from '#foundation/lib/platform.ts';
import type { AuthenticatorCodesPort } from '#foundation/ports/authenticator-codes.ts';
import type { CustodyPort } from '#foundation/ports/custody.ts';
import type { HostedLinksPort } from '#foundation/ports/hosted-links.ts';
import { type Applicant, DOCUMENT_FAULTS, type IdentityPort } from '#foundation/ports/identity.ts';
import type { InviteesPort } from '#foundation/ports/invitees.ts';
import type { IssuersPort } from '#foundation/ports/issuers.ts';
import type { Message, MessagesPort } from '#foundation/ports/messages.ts';
import type { UmaDomainsPort } from '#foundation/ports/uma-domains.ts';
import type { WalletSignaturesPort } from '#foundation/ports/wallet-signatures.ts';
import { goodClaims, type TestIssuer } from '#tests/harness/issuer.ts';
import { assertShape, exactly, type Suite } from '#tests/ports/shape.ts';

const STATUSES = ['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD'];
const text = () => Type.String({ minLength: 1 });
const PROBLEMS = Type.Array(
  exactly({
    type: text(),
    reason: text(),
    ownerId: Type.Optional(Type.String({ pattern: '^BeneficialOwner:' })),
    field: Type.Optional(text()),
    acceptedDocumentTypes: Type.Optional(Type.Array(text(), { minItems: 1 })),
  }),
  { minItems: 1 },
);
const just = (kind: string) => exactly({ kind: Type.Literal(kind) });
const withProblems = (kind: string) => exactly({ kind: Type.Literal(kind), problems: PROBLEMS });
const INSTANT = Type.Union([
  just('APPROVE'),
  withProblems('REJECT'),
  exactly({ kind: Type.Literal('REVIEW'), as: Type.Enum(['IN_PROGRESS', 'PENDING_MANUAL_REVIEW']) }),
  withProblems('RESOLVE'),
]);
const DECISION = Type.Union([
  just('APPROVE'),
  withProblems('REJECT'),
  just('MANUAL_REVIEW'),
  withProblems('CORRECTABLE'),
  just('HOLD'),
]);

const SUFFIXES = ['000', '001', '002', '003', '004', '005', '006', '007', '999', 'ace'];
/** Names of every kind, without fields that are not required yet. */
const NAMES = [
  ...SUFFIXES.map((suffix) => `Ada Lovelace ${suffix}`),
  ' Ada 003 ',
  '',
  'constructor',
  '__proto__',
];
const APPLICANTS: Applicant[] = [...NAMES, undefined].flatMap((name) => [
  { customerType: 'INDIVIDUAL', fullName: name },
  { customerType: 'BUSINESS', registrationNumber: name },
]);
const SETTINGS = [{}, { isRegulatedFinancialInstitution: true }, { skipVerificationPaperwork: true }].map(
  (explicit) => effectiveSettings('SANDBOX', explicit),
);

/** The guarantees that customers and their verification rely on. */
export const identitySuite: Suite<IdentityPort> = (port) => {
  it('gives a new customer a status, the same for the same one', () => {
    for (const applicant of APPLICANTS) {
      for (const settings of SETTINGS) {
        const status = port().atCreate(applicant, settings);
        assert.ok(STATUSES.includes(status), status);
        assert.equal(port().atCreate(applicant, settings), status);
      }
    }
  });

  it('decides on a packet at once, with the problems if there are any, or requires its submission', () => {
    for (const applicant of APPLICANTS) {
      for (const settings of SETTINGS) {
        const early = port().beforeChecks(applicant, settings);
        if (early !== undefined) assertShape(INSTANT, early);
      }
      const decision = port().decideInstantly(applicant);
      if (decision !== 'SUBMIT') assertShape(INSTANT, decision);
      assert.deepEqual(port().decideInstantly(applicant), decision);
    }
  });

  it('gives every owner of a business a status', () => {
    for (const lastName of NAMES) {
      assert.ok(STATUSES.includes(port().ownerAdded(lastName)));
      for (const business of ['APPROVED', 'REJECTED'] as const)
        assert.ok(STATUSES.includes(port().ownerResolved(lastName, business)));
    }
  });

  it('takes a document, or names its fault', async () => {
    for (const stem of ['paper', 'LOW_QUALITY', 'EXPIRED', 'SUSPECTED_FRAUD']) {
      const fault = await port().precheck({
        documentHolder: `Customer:${randomUUID()}`,
        documentType: 'PASSPORT',
        side: undefined,
        country: 'US',
        fileName: `${stem}.pdf`,
        mediaType: 'application/pdf',
        content: async () => Readable.from(['%PDF-1.7']),
      });
      assert.ok(fault === undefined || DOCUMENT_FAULTS.includes(fault), String(fault));
    }
  });

  it('decides on a packet that is handed over, now or later; on the same case the same', async () => {
    const submission = {
      reference: `Verification:${randomUUID()}`,
      customerType: 'INDIVIDUAL' as const,
      customer: { fullName: 'Ada Lovelace' },
      owners: [],
      documents: [],
    };
    const decision = await port().submit(submission);
    if (decision !== undefined) assertShape(DECISION, decision);
    assert.deepEqual(await port().submit(submission), decision);
  });
};

export const hostedLinksSuite: Suite<HostedLinksPort> = (port) => {
  it('marks its tokens, and lets a developer’s own machine be sent back to over plain HTTP', () => {
    assert.match(port().tokenPrefix, /^\S+$/);
    for (const host of ['localhost', '127.0.0.1', '[::1]']) assert.equal(port().allowsPlainHttp(host), true);
  });

  it('names pages that may frame others as a content security policy does', () => {
    for (const source of port().frameSources) assert.match(source, /^https?:\/\/[a-z0-9.*-]+(:(\d+|\*))?$/);
  });
};

/** The guarantees that domains of UMA addresses rely on. */
export const umaDomainsSuite: Suite<UmaDomainsPort> = (port, platformId) => {
  it('says of any name whether it is proven, and never fails', async () => {
    for (const domain of ['pay.acme.example', 'unproven.example', 'a.b', `${'x'.repeat(63)}.example`])
      assert.match(await port().findProof(domain, platformId()), /^(PROVEN|MISSING|UNREACHABLE)$/);
  });
};

/** The guarantees that claims of invitations rely on. */
export const inviteesSuite: Suite<InviteesPort> = (port) => {
  it('says the same of every stranger, whatever the address', () => {
    const addresses = [
      '$grace@elsewhere.example',
      '$a@b.c',
      '$constructor@x.example',
      '$__proto__@x.example',
    ];
    const answers = addresses.map((address) => port().acceptsStranger(address));
    assert.equal(new Set(answers).size, 1);
    assert.equal(typeof answers[0], 'boolean');
  });
};

/** The guarantees that one-time codes rely on. */
export const messagesSuite: Suite<MessagesPort> = (port, platformId) => {
  const RECIPIENTS = { EMAIL: 'ada@example.com', SMS: '+14155550123' };
  const message = (channel: Message['channel']): Message => ({
    reference: newUuid(),
    platformId: platformId(),
    channel,
    recipient: RECIPIENTS[channel],
    senderName: 'Acme',
    subject: 'Your code',
    text: 'Your code is 123456.',
    at: new Date('2026-03-02T10:00:00Z'),
  });

  it('issues codes of six digits', () => {
    const { code, resendAfterMs, wrongTriesMax } = port().issueCode('CONTACT_EMAIL');
    assert.match(code, /^\d{6}$/);
    assert.ok(resendAfterMs >= 0 && (wrongTriesMax === null || wrongTriesMax > 0));
  });

  it('wallets.md §1: issues one-time codes that can be typed, and takes a usual contact', async () => {
    const { code } = port().issueCode('WALLET');
    assert.match(code, /^\d{6}$/);
    assert.match(port().issueCode('WALLET', walletForm(8, true)).code, /^[0-9A-Z]+$/);
    for (const channel of ['EMAIL', 'SMS'] as const)
      assert.equal(await port().acceptContact(channel, RECIPIENTS[channel]), true);
  });

  it('sends on every channel that it supports, and accepts the same message again', async () => {
    for (const channel of ['EMAIL', 'SMS'] as const) {
      if (!port().supports(channel)) continue;
      const once = message(channel);
      assert.equal(await port().send(once), 'sent');
      assert.equal(await port().send(once), 'sent');
    }
  });

  it('its errors name neither recipient nor text', async () => {
    for (const channel of ['EMAIL', 'SMS'] as const) {
      if (port().supports(channel)) continue;
      await assert.rejects(port().send(message(channel)), (error: Error) => {
        assert.doesNotMatch(`${error.stack}`, /123456|ada@example|4155550123/);
        return true;
      });
    }
  });
};

/** The guarantees that signed calls rely on. */
export const walletSignaturesSuite: Suite<WalletSignaturesPort> = (port) => {
  it('takes nothing that looks like a signature for one that needs no key', () => {
    const texts = ['', 'x', 'sandbox', Buffer.from('{"publicKey":"02"}').toString('base64url'), '__proto__'];
    for (const text of texts) {
      assert.equal(port().isAlwaysValid(text), false);
      assert.equal(port().isAlwaysValidAssertion(text), false);
    }
  });
};

/** The guarantees that the TOTP factor relies on. */
export const authenticatorCodesSuite: Suite<AuthenticatorCodesPort> = (port) => {
  it('customers.md §7.5: text that is not a code of six digits is wrong, whatever the secret', () => {
    for (const code of ['', '12345', '1234567', 'ABCD-EFGH-JKLM', '__proto__', 'constructor']) {
      assert.equal(port().check(newTotpSecret(), code, new Date()), undefined, code);
    }
  });
};

/** The guarantees that embedded wallets rely on. */
export const custodySuite: Suite<CustodyPort> = (port) => {
  it('wallets.md §6.9.46a: makes twelve words that are always other ones, and one address of each', async () => {
    const [mine, other] = [port().newSeed(), port().newSeed()];
    assert.match(mine.mnemonic, /^([a-z]+ ){11}[a-z]+$/);
    assert.notEqual(mine.mnemonic, other.mnemonic);
    assert.equal(mine.derivationPath, "m/8797555'/1'/0'");
    const address = await port().addressOf(mine);
    assert.equal(await port().addressOf(mine), address);
    assert.notEqual(await port().addressOf(other), address);
    assert.ok(isSparkWalletAddress(address));
  });
};

/** The guarantees that logins with id tokens rely on; the adapter reads the keys of `google`, if it reads any. */
export const issuersSuite =
  (google: () => TestIssuer): Suite<IssuersPort> =>
  (port) => {
    it('wallets.md §6.5: supports Google and Apple, and no other issuer', () => {
      const known = ['https://accounts.google.com', 'accounts.google.com', 'https://appleid.apple.com'];
      for (const issuer of known) assert.equal(port().supports(issuer), true);
      for (const issuer of ['https://evil.example', '', '__proto__', 'constructor']) {
        assert.equal(port().supports(issuer), false);
      }
    });

    it('wallets.md §6.5: the platform’s time is one that dates its tokens', () => {
      const platformTime = new Date('2031-01-02T03:04:05.678Z');
      assert.deepEqual(port().datingTimes(platformTime)[0], platformTime);
    });

    it('wallets.md §6.5: a token that its issuer signed is valid', async () => {
      const token = google().token(goodClaims(new Date()));
      assert.equal(await port().verifySignature(token, google().issuer), 'valid');
    });

    it('wallets.md §6.5: without a signature, or of an issuer that is not supported, none is', async () => {
      const token = google().token(goodClaims(new Date()));
      const bare = token.slice(0, token.lastIndexOf('.') + 1);
      for (const text of [bare, bare.slice(0, -1), '', '.', '..', 'sandbox-valid-oidc-token']) {
        assert.notEqual(await port().verifySignature(text, google().issuer), 'valid', text);
      }
      assert.equal(await port().verifySignature(token, 'https://evil.example'), 'invalid');
    });
  };
