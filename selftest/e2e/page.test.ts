import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlReport } from '../../reports/html/page.ts';
import type { Run } from '../../results/verdict.ts';
import { newFolder } from '../new-folder.ts';
import { samples } from '../unit/reports/sample-runs.ts';
import { launch, open } from './browser.ts';

const folder = newFolder();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Writes a run's page to disk, and returns its URL. */
function addressOf(name: string, run: Run): string {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, htmlReport(run));
  return `file://${file}`;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

/**
 * The findings of axe, one line each. The debugger evaluates it, since the page's content security policy would not.
 */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate('axe.run({ resultTypes: ["violations"] })');
  return (found as AxeResults).violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary ?? ''}`),
  );
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

const view = { width: 1280, colorScheme: 'light' } as const;
const views = [view, { ...view, colorScheme: 'dark' }, { ...view, width: 320 }] as const;

/** A page with each kind of verdict. */
const short = {
  ...samples.failing,
  clauses: samples.failing.clauses.filter(({ findings }, place) => findings.length > 0 || place % 8 === 0),
};

describe('conformance.html in a browser', { timeout: 120_000 }, () => {
  test.for(views)('%j: axe finds nothing, nothing sticks out, the policy refuses nothing', async (one) => {
    const { page, troubles } = await open(browser, addressOf('short', short), one);
    expect(await overflow(page)).toBe(0);
    await page.evaluate('document.querySelectorAll("details").forEach((details) => { details.open = true; })');
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test('searches all text, and keeps search, filter and clause in the address', async () => {
    const address = addressOf('failing', samples.failing);
    const { page } = await open(browser, address, view);
    const shown = () => page.locator('.clause:not([hidden])').evaluateAll((all) => all.map(({ id }) => id));
    await page.keyboard.press('/');
    await page.keyboard.type('goes on working until its cache');
    expect(await shown()).toEqual(['developer.auth.deleted-key', 'workspace.agents.list']);
    expect(await page.locator('#shown').textContent()).toMatch(/^2 of \d+ clauses shown$/);
    await page.locator('label.chip.fail').click();
    expect(await shown()).toEqual([]);
    expect(new URL(page.url()).searchParams.get('hide')).toBe('fail');
    await page.goto(`${address}?q=cache&hide=pass#workspace.agents.list`);
    expect(await shown()).toEqual(['developer.auth.deleted-key', 'workspace.agents.list']);
    expect(await page.locator('.clause.current').getAttribute('id')).toBe('workspace.agents.list');
    await page.context().close();
  });

  test('a link leads to a folded clause, and to one that a filter hides', async () => {
    const { page } = await open(browser, addressOf('failing', samples.failing), view);
    await page.locator('.cell.pass').first().click();
    // The page updates shortly after the click changes the URL.
    await expect.poll(() => page.locator('.chapter').first().getAttribute('open')).not.toBeNull();
    await page.locator('#problems').click();
    expect(await page.locator('.clause.pass:not([hidden])').count()).toBe(0);
    await page.locator('.cell.pass').nth(2).click();
    await expect.poll(() => page.locator('.clause.current').isVisible()).toBe(true);
    await page.context().close();
  });

  test('can be read without its script, and prints with everything open', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(addressOf('failing', samples.failing));
    expect(await page.locator('.tools').isVisible()).toBe(false);
    expect(await page.locator('#developer\\.auth\\.deleted-key .message').first().isVisible()).toBe(true);
    await page.locator('label.chip.fail').click();
    expect(await page.locator('#developer\\.auth\\.deleted-key').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.contents').isVisible()).toBe(false);
    await context.close();
  });
});
