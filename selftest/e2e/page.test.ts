import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { htmlReport } from '../../reports/html/page.ts';
import type { Run } from '../../results/verdict.ts';
import { newFolder } from '../new-folder.ts';
import { samples } from '../unit/reports/sample-runs.ts';

const folder = newFolder();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Writes a run's page to disk, and returns its URL. */
function addressOf(name: string, run: Run): string {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, htmlReport(run));
  return `file://${file}`;
}

/** Starts a headless Chromium. If the machine has none, throws with one line that says what to install. */
function launch(): Promise<Browser> {
  const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = process.env.CHROMIUM ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) {
    throw new Error('Cannot test the pages: install Chromium (apt-get install chromium), or name it in CHROMIUM');
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** Opens a file. `troubles` collects what the page logs or throws, and violations of its content security policy. */
async function open(address: string, { width, ...options }: BrowserContextOptions & { readonly width: number }) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, ...options });
  const troubles: string[] = [];
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.goto(address);
  return { page, troubles };
}

const browser = await launch();
afterAll(() => browser.close());

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

test.for(views)('the page %j: axe finds nothing, nothing sticks out, the policy refuses nothing', async (one) => {
  const { page, troubles } = await open(addressOf('short', short), one);
  expect(await overflow(page)).toBe(0);
  await page.evaluate('document.querySelectorAll("details").forEach((details) => { details.open = true; })');
  expect(await overflow(page)).toBe(0);
  expect(await violations(page)).toEqual([]);
  expect(troubles).toEqual([]);
});

test('the page searches all text, filters, and opens the clause that the address names', async () => {
  const address = addressOf('failing', samples.failing);
  const { page } = await open(address, view);
  const shown = () => page.locator('.clause:not([hidden])').evaluateAll((all) => all.map(({ id }) => id));
  await page.locator('#search').fill('goes on working until its cache');
  expect(await shown()).toEqual(['developer.auth.deleted-key', 'workspace.agents.list']);
  expect(await page.locator('#shown').textContent()).toMatch(/^2 of \d+ clauses shown$/);
  await page.locator('label.chip.fail').click();
  expect(await shown()).toEqual([]);
  await page.goto(`${address}#workspace.agents.list`);
  expect(await page.locator('.clause.current').getAttribute('id')).toBe('workspace.agents.list');
});

test('the page can be read without its script, and prints with everything open', async () => {
  const { page } = await open(addressOf('failing', samples.failing), { ...view, javaScriptEnabled: false });
  expect(await page.locator('.tools').isVisible()).toBe(false);
  expect(await page.locator('#developer\\.auth\\.deleted-key .message').first().isVisible()).toBe(true);
  await page.locator('label.chip.fail').click();
  expect(await page.locator('#developer\\.auth\\.deleted-key').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.filter').isVisible()).toBe(false);
});
