import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeMessage } from '#capabilities/cards/tokenization/message.ts';

describe('the message with a code for adding a card to a phone', () => {
  const NASTY = `<b onclick='x("y")'>{{code}}</b> & <%= code %>`;
  const ESCAPED =
    '&#60;b onclick=&#39;x(&#34;y&#34;)&#39;&#62;{{code}}&#60;/b&#62; &#38; &#60;%= code %&#62;';

  const compose = (channel: 'EMAIL' | 'SMS', config: object) =>
    composeMessage(channel, { platformName: 'Acme Inc', config }, '481516');

  it('cards.md §10.2: an e-mail has a form in text and HTML, with the name, the logo, bodyText and the code', () => {
    const email = {
      fromAddress: 'codes@acme.example',
      fromName: 'Acme Codes',
      replyToAddress: 'help@acme.example',
      subject: 'Add your card',
      bodyText: 'Hello!\nHere it is:',
    };
    const logoUrl = 'https://acme.example/logo.png?a=1&b=2';
    const { html, ...message } = compose('EMAIL', { displayName: 'Acme', logoUrl, email });
    assert.deepEqual(message, {
      senderName: 'Acme Codes',
      subject: 'Add your card',
      letterhead: { from: 'codes@acme.example', replyTo: 'help@acme.example' },
      text: 'Acme\n\nHello!\nHere it is:\n\n481516\n\nIt expires 10 minutes after it was requested. Do not share it.\n',
    });
    assert.equal(
      html,
      `<p><img src="https://acme.example/logo.png?a=1&#38;b=2" alt="Acme" height="48"></p>
<h1>Acme</h1>
<p style="white-space: pre-line">Hello!
Here it is:</p>
<p style="font-size: 2em"><strong>481516</strong></p>
<p>It expires 10 minutes after it was requested. Do not share it.</p>
`,
    );
  });

  it('cards.md §10.2: settings that are missing have default texts, and the platform’s name', () => {
    const { senderName, subject, text, html, letterhead } = compose('EMAIL', {});
    assert.deepEqual([senderName, subject], ['Acme Inc', 'Your Acme Inc code']);
    assert.match(text, /^Acme Inc\n\nUse this code to add your card to your phone:\n\n481516\n/);
    assert.doesNotMatch(html ?? '', /<img/);
    assert.deepEqual(letterhead, { from: undefined, replyTo: undefined });
    assert.equal(compose('SMS', {}).text, 'Use this code to add your card to your phone: 481516');
  });

  it('cards.md §10.2: HTML is escaped in HTML and unchanged in text, and placeholders have no effect', () => {
    const { html = '', text } = compose('EMAIL', { displayName: NASTY, email: { bodyText: NASTY } });
    assert.equal(html.split(ESCAPED).length, 3);
    assert.ok(!html.includes('<b'));
    assert.equal(text.split(NASTY).length, 3);
    assert.equal(text.split('481516').length, 2);
    assert.equal(compose('SMS', { sms: { bodyText: NASTY } }).text, `${NASTY} 481516`);
  });

  it('cards.md §10.2: a text message is the provider’s template, and without one bodyText, a space and the code', () => {
    const bare = compose('SMS', { displayName: 'Acme', sms: { bodyText: 'Acme code:' } });
    assert.deepEqual(bare, { senderName: 'Acme', subject: 'Your Acme code', text: 'Acme code: 481516' });
    const { template, text } = compose('SMS', { sms: { bodyText: 'Acme code:', templateSid: 'HX12' } });
    assert.deepEqual([template, text], [{ sid: 'HX12', code: '481516' }, 'Acme code: 481516']);
  });
});
