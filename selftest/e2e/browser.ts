import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts a headless Chromium. If the machine has none, throws with one line that says what to install. */
export function launch(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) {
    throw new Error('Cannot test the pages: install Chromium (apt-get install chromium), or name it in CHROMIUM');
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

interface View {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** Opens a file. `troubles` collects what the page logs or throws, and violations of its content security policy. */
export async function open(browser: Browser, address: string, view: View): Promise<{ page: Page; troubles: string[] }> {
  const context = await browser.newContext({
    viewport: { width: view.width, height: 900 },
    colorScheme: view.colorScheme,
  });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.goto(address);
  return { page, troubles };
}
