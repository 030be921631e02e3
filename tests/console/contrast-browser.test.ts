// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import {
  accessibilityFaults,
  COLOURS_ONLY,
  closePages,
  NO_BROWSER,
  openBrowser,
} from '#tests/harness/browser.ts';

/** Too pale for any background but a black one. */
const PALE = 'color: #bbb; font: 16px sans-serif';
const BOX = 'position: absolute; left: 0; top: 0; width: 400px; height: 100px';
/** Its look, white behind grey, passes: nothing but black is in between. */
const SOUND = `<p style="background: #000; ${PALE}">sound</p>`;

/** Pages with one text whose contrast is too low, though each has a sound text on a page before. */
const FAULTY: Readonly<Record<string, string>> = {
  'another background': `<p style="${PALE}">faulty</p>`,
  'another colour': '<p style="background: #000; color: #333; font: 16px sans-serif">faulty</p>',
  'a background behind an ancestor': `<div style="background: #000"><p style="background: #ddd; ${PALE}">faulty</p></div>`,
  'an opacity of an ancestor': `<div style="opacity: 0.3"><p style="background: #000; ${PALE}">faulty</p></div>`,
  'a box over its background': `<div style="${BOX}; background: #000"><div style="${BOX}; background: #eee"></div>
    <p style="position: relative; ${PALE}">faulty</p></div>`,
};

describe('the check of contrast', () => {
  let browser: Browser | undefined;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => closePages(browser));

  for (const [title, html] of Object.entries(FAULTY)) {
    it(`finds on a later page what axe finds on the first one: ${title}`, async (t) => {
      if (!browser) return t.skip(NO_BROWSER);
      const page = await browser.newPage();
      for (const body of [
        SOUND,
        `<div style="${BOX}; background: #000"><p style="position: relative; ${PALE}">sound</p></div>`,
      ]) {
        await page.setContent(
          `<html lang="en"><title>A page</title><main><h1>Sound</h1>${body}</main></html>`,
        );
        assert.deepEqual(await accessibilityFaults(page), []);
      }
      await page.setContent(
        `<html lang="en"><title>A page</title><main><h1>Faulty</h1>${html}</main></html>`,
      );
      const found = await accessibilityFaults(page, COLOURS_ONLY);
      assert.deepEqual(found, await accessibilityFaults(page, { ...COLOURS_ONLY, within: 'body' }));
      assert.equal(found.length, 1, String(found));
      assert.match(found[0] ?? '', /^color-contrast: .*faulty/);
      await page.close();
    });
  }
});
