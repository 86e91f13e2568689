import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { temporaryFolder } from '../support/temporary.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a real Chromium lies; undefined where none is installed. */
export const CHROMIUM = PLACES.find((path) => existsSync(path));

/** A Chromium of the test's own, with an empty profile and nothing of the test's environment. */
export function openBrowser(): Promise<Browser> {
  const home = temporaryFolder();
  return chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    env: { PATH: '/usr/bin:/bin', HOME: home, TMPDIR: home, LANG: 'C.UTF-8' },
  });
}

export interface OpenedPage {
  page: Page;
  /** What the page wanted from elsewhere than its own file. */
  asked: string[];
  /** What its policy refused, and errors of its script. */
  complaints: string[];
}

/** Opens a text as a page from disk, as a person would. */
export async function openPage(
  browser: Browser,
  text: string,
  options: { dark?: boolean; width?: number } = {},
): Promise<OpenedPage> {
  const file = join(temporaryFolder(), 'report.html');
  writeFileSync(file, text);
  const page = await browser.newPage({
    colorScheme: options.dark ? 'dark' : 'light',
    viewport: { width: options.width ?? 1280, height: 900 },
  });
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (request.url() !== `file://${file}`) asked.push(request.url());
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  await page.goto(`file://${file}`);
  return { page, asked, complaints };
}
