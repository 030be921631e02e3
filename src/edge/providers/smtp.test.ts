import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { isAddress, type SmtpSettings, smtpCarrier } from '#edge/providers/smtp.ts';
import type { Message } from '#foundation/ports/messages.ts';
import { selfSigned } from '#tests/harness/certificate.ts';
import { skipWithout } from '#tests/harness/judges.ts';
import { createMailServer, type MailServer } from '#tests/harness/mail-server.ts';

const CODE = '481516';

function message(more: Partial<Message> = {}): Message {
  return {
    reference: 'contact-code:0190a5d2-0000-7000-8000-000000000001',
    platformId: '0190a5d2-0000-7000-8000-000000000002' as Id<never>,
    channel: 'EMAIL',
    recipient: 'emmy@example.com',
    senderName: 'Acme',
    subject: 'Your verification code',
    text: `Your verification code is ${CODE}.`,
    at: new Date(),
    ...more,
  };
}

describe('e-mail by SMTP', { skip: await skipWithout('openssl') }, () => {
  const open: MailServer[] = [];
  let certificate: { cert: string; key: string };
  before(async () => {
    certificate = await selfSigned('localhost');
  });
  after(async () => {
    for (const server of open) await server.close();
  });

  async function serve(options: Parameters<typeof createMailServer>[0] = {}): Promise<MailServer> {
    const server = await createMailServer(options);
    open.push(server);
    return server;
  }

  const send = (
    { port }: { port: number },
    more: Partial<SmtpSettings> = {},
    wanted: Partial<Message> = {},
  ) =>
    smtpCarrier({ host: 'localhost', port, encryption: 'none', from: 'codes@acme.example', ...more })(
      message(wanted),
    );

  /** The thrown error is logged and stored with the job. */
  const fails = async (sending: Promise<unknown>, expected: RegExp) => {
    await assert.rejects(sending, (error: Error) => {
      assert.match(error.message, expected);
      assert.doesNotMatch(`${error.message} ${error.stack}`, /emmy|481516|s3cret/);
      return true;
    });
  };

  it('a message arrives with its sender’s name, subject and text, for one recipient', async () => {
    const server = await serve();
    assert.equal(await send(server), 'sent');
    const [mail] = server.received;
    assert.deepEqual(
      [mail?.from, mail?.to, mail?.isEncrypted],
      ['codes@acme.example', ['emmy@example.com'], false],
    );
    const raw = mail?.raw ?? '';
    assert.match(raw, /^From: Acme <codes@acme\.example>\r$/m);
    assert.match(raw, /^To: emmy@example\.com\r$/m);
    assert.match(raw, /^Subject: Your verification code\r$/m);
    assert.match(
      raw,
      /^Message-ID:\s+<contact-code\.0190a5d2-0000-7000-8000-000000000001@acme\.example>\r$/im,
    );
    assert.match(raw, /^Auto-Submitted: auto-generated\r$/m);
    assert.match(raw, /\r\n\r\nYour verification code is 481516\.\r\n/);
  });

  it('platform.md §3.2.7: a platform’s sender, reply address and logo are in the mail; the envelope is the operator’s', async () => {
    const server = await serve();
    const letterhead = {
      from: 'otp@engines.example',
      replyTo: 'help@engines.example',
      logoUrl: 'https://engines.example/logo.png?a=1&b="2"',
    };
    assert.equal(await send(server, {}, { letterhead, text: 'Your <Engines> code is 481516.' }), 'sent');
    const [mail] = server.received;
    assert.deepEqual([mail?.from, mail?.to], ['codes@acme.example', ['emmy@example.com']]);
    const raw = (mail?.raw ?? '').replace(/=\r\n/g, '').replaceAll('=3D', '=');
    assert.match(raw, /^From: Acme <otp@engines\.example>\r$/m);
    assert.match(raw, /^Reply-To: help@engines\.example\r$/m);
    assert.match(raw, /^Your <Engines> code is 481516\.\r$/m);
    assert.match(raw, /<img src="https:\/\/engines\.example\/logo\.png\?a=1&#38;b=&#34;2&#34;"/);
    assert.match(raw, /<p>Your &#60;Engines&#62; code is 481516\.<\/p>/);
  });

  it('smtps and STARTTLS encrypt, with credentials, under a certificate that is trusted', async () => {
    const credentials = { user: 'ada', pass: 's3cret' };
    const implicit = await serve({ certificate, isImplicit: true, credentials });
    const upgraded = await serve({ certificate, credentials });
    for (const [server, encryption] of [
      [implicit, 'implicit'],
      [upgraded, 'starttls'],
    ] as const) {
      assert.equal(await send(server, { encryption, credentials, ca: certificate.cert }), 'sent', encryption);
      const [mail] = server.received;
      assert.deepEqual([mail?.isEncrypted, mail?.user], [true, 'ada']);
      await fails(send(server, { encryption, credentials }), /certificate/);
      const wrong = { ...credentials, pass: 's3cret!' };
      await fails(
        send(server, { encryption, credentials: wrong, ca: certificate.cert }),
        /answered 535 to AUTH/,
      );
      assert.equal(server.received.length, 1);
    }
  });

  it('nothing is sent without encryption unless the operator configures it', async () => {
    const server = await serve();
    await fails(send(server, { encryption: 'starttls' }), /mail server/);
    await fails(send(server, { encryption: 'implicit' }), /cannot be used/);
    assert.deepEqual(server.received, []);
  });

  it('a permanent refusal is final; a temporary one, or one of our credentials, is retried', async () => {
    const server = await serve();
    for (const step of ['recipient', 'message'] as const) {
      server.refuse({ step, code: 550 });
      const command = step === 'recipient' ? 'RCPT TO' : 'DATA';
      assert.deepEqual(await send(server), { refused: `the mail server answered 550 to ${command}` });
      server.refuse({ step, code: 451 });
      await fails(send(server), new RegExp(`^the mail server answered 451 to ${command}$`));
    }
    server.refuse({ step: 'sender', code: 553 });
    await fails(send(server), /^the mail server answered 553 to MAIL FROM$/);
    server.refuse(undefined);
    assert.equal(await send(server), 'sent');
    assert.equal(server.received.length, 1);
  });

  it('a server that is unreachable, or hangs up, is retried', async () => {
    const rude = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const { port } = rude.address() as AddressInfo;
    await fails(send({ port }, { host: '127.0.0.1' }), /^the mail server cannot be used/);
    await new Promise((resolve) => rude.close(resolve));
    await fails(send({ port }, { host: '127.0.0.1' }), /^the mail server cannot be used \(ESOCKET/);
  });

  it('names and subjects cannot inject headers or recipients', async () => {
    const server = await serve();
    const evil = 'Acme\r\nBcc: mallory@example.com\r\n\r\nClick here';
    for (const senderName of [
      evil,
      'Acme <mallory@example.com>',
      '"Acme" <mallory@example.com>, "x',
      'a\u2028b\0c',
    ]) {
      await send(server, {}, { senderName, subject: evil });
    }
    assert.equal(server.received.length, 4);
    for (const { from, to, raw } of server.received) {
      assert.deepEqual([from, to], ['codes@acme.example', ['emmy@example.com']]);
      const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
      assert.doesNotMatch(headers, /^(bcc|cc):/im);
      assert.match(raw.slice(raw.indexOf('\r\n\r\n')), /^\r\n\r\nYour verification code/);
      assert.match(headers.replaceAll(/\r\n\s/g, ' '), /^From: .*<codes@acme\.example>$/m);
    }
  });

  it('an address that is not exactly one mailbox is refused before the server is contacted', async () => {
    const server = await serve();
    const wrong = [
      'emmy@example.com, mallory@example.com',
      'emmy@example.com\r\nRCPT TO:<mallory@example.com>',
      'Emmy <emmy@example.com>',
      '<emmy@example.com>',
      '"emmy x"@example.com',
      'group:a@example.com;',
      'emmy@',
      '@example.com',
      'emmy',
      'emmy@exam ple.com',
      'emmy@example.com NOTIFY=SUCCESS',
      '',
      `${'e'.repeat(65)}@example.com`,
    ];
    for (const recipient of wrong) {
      assert.equal(isAddress(recipient), false, recipient);
      assert.deepEqual(await send(server, {}, { recipient }), {
        refused: 'mail cannot be sent to this address',
      });
    }
    for (const right of ['a@b.co', "o'neil+codes@mail.example.co.uk", 'x@xn--bcher-kva.example']) {
      assert.ok(isAddress(right), right);
    }
    assert.deepEqual(server.received, []);
  });
});
