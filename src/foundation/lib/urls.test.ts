import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkUrl } from '#foundation/lib/urls.ts';

describe('URLs that platforms give', () => {
  it('platform.md §1.1.8: a URL is absolute, names a host right after //, and has no user name or password', () => {
    const reasons: Record<string, string | undefined> = {
      'https://app.example.com/a?b=@c#d@e': undefined,
      'HTTP://127.0.0.1:8080': undefined,
      'http://[::1]:3000/x': undefined,
      'https://a:b@host/': 'must not contain a user name or password',
      'https://a@host/': 'must not contain a user name or password',
      'https://@host/': 'must not contain a user name or password',
      'https://:@host/': 'must not contain a user name or password',
      'https:///x': 'must name a host right after //',
      'https:////x/y': 'must name a host right after //',
      'https://?x': 'must name a host right after //',
      'https://\\x/': 'must name a host right after //',
      'https://host\\@other/': 'must name a host right after //',
      'https:/x': 'must be an absolute http or https URL',
      'https:x': 'must be an absolute http or https URL',
      'https://ho st/': 'must be an absolute http or https URL',
      'https://host/a\nb': 'must be an absolute http or https URL',
      'https://host:99999/': 'must be an absolute http or https URL',
      'ftp://host/': 'must be an absolute http or https URL',
      '//host/': 'must be an absolute http or https URL',
      nowhere: 'must be an absolute http or https URL',
      '': 'must be an absolute http or https URL',
    };
    for (const [url, reason] of Object.entries(reasons)) assert.equal(checkUrl(url), reason, url);
  });
});
