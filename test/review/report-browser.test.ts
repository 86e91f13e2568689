import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportPage } from '../../src/review/html/page.ts';
import type { ToolCall } from '../../src/review/timeline.ts';
import { CHROMIUM, openBrowser, openPage } from './browser.ts';
import { HOSTILE, runWith } from './pages.ts';

const TEST_FILE = `it('adds', () => {\n  expect(1 + 1).toBe(2);\n});\n`;

function tool(command: string, output: string): ToolCall {
  return {
    kind: 'tool',
    tool: 'Bash',
    command,
    path: null,
    input: `{"command":${JSON.stringify(command)}}`,
    output,
    ok: true,
    subagent: false,
  };
}

describe.skipIf(CHROMIUM === undefined)(
  'the report in a real Chromium (skipped where none is installed: apt-get install chromium)',
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    it.each(HOSTILE.map((text, at) => [at, text] as const))(
      'runs nothing of what stands in it everywhere: %i %s',
      async (_, text) => {
        const name = text.replaceAll('/', '∕').slice(0, 80);
        const run = await runWith({
          before: { [`a${name}.test.ts`]: `${TEST_FILE}${text}\n` },
          after: { [`a${name}.test.ts`]: `it.skip('adds ${text}', () => {});\n${text}x\n`, [name]: text },
          brief: text,
          finalMessage: text,
          entries: [
            tool(text, text),
            { ...tool('x', 'y'), tool: text, path: text, command: null, input: text },
            ...(
              [
                'session',
                'text',
                'thinking',
                'denied',
                'notice',
                'needs-input',
                'finished',
                'unknown',
              ] as const
            ).map((kind) => ({ kind, text: text.repeat(kind === 'text' ? 40 : 1), subagent: false })),
          ],
          findings: [
            { kind: 'denied', file: text, line: 1, side: 'after', text, detail: text },
            { kind: 'secret', file: null, line: null, side: null, text, detail: text },
          ],
        });
        const { result } = run;
        result.status = 'failed';
        Object.assign(result, { error: text, implementer: text, model: text, workdir: text, runId: text });
        Object.assign(result.agent, { model: text, reason: text });
        run.notReviewed.push(text);
        run.gates = [{ name: text, command: text, outcome: 'failed', detail: text }];

        const { page, asked, complaints } = await openPage(browser, reportPage(run));
        await page.evaluate(
          `for (const details of document.querySelectorAll('details')) details.open = true`,
        );
        for (const key of ['j', 'Enter', 'n', 'o', 'e', 'u', '1', '5']) await page.keyboard.press(key);
        await page.mouse.move(200, 300);
        const found = await page.evaluate(`({
          hacked: 'hacked' in window,
          planted: document.querySelectorAll(
            '#hack-link, #hack-button, iframe, img, svg, base, link, object, embed',
          ).length,
          scripts: document.scripts.length,
          styles: document.querySelectorAll('style').length,
          handlers: [...document.querySelectorAll('*')].filter((element) =>
            [...element.attributes].some((attribute) => attribute.name.startsWith('on')),
          ).length,
          links: [...document.querySelectorAll('a')].filter(
            (link) => !link.getAttribute('href')?.startsWith('#'),
          ).length,
          forms: [...document.forms].filter((form) => form.method !== 'dialog').length,
          display: getComputedStyle(document.body).display,
        })`);
        expect(found).toEqual({
          hacked: false,
          planted: 0,
          scripts: 1,
          styles: 1,
          handlers: 0,
          links: 0,
          forms: 0,
          display: 'block',
        });
        expect({ asked, complaints }).toEqual({ asked: [], complaints: [] });
        await page.close();
      },
    );

    it('lets its policy refuse what escaping would have missed', async () => {
      const text = reportPage(await runWith({ brief: 'MARK' })).replace(
        'MARK',
        '<script>window.hacked = 1</script><img src="https://example.invalid/x" onerror="window.hacked = 1"><p style="color:red">',
      );
      const { page, complaints } = await openPage(browser, text);
      expect(await page.evaluate(`'hacked' in window`)).toBe(false);
      expect(complaints.filter((line) => /Content Security Policy/.test(line)).length).toBeGreaterThan(1);
      await page.close();
    });

    it('leads by keys from a finding to its line, and back', async () => {
      const before = { 'src/a.test.ts': `${TEST_FILE}${'// line\n'.repeat(900)}` };
      const run = await runWith({
        before,
        after: {
          'src/a.test.ts': before['src/a.test.ts']
            .replace("it('adds'", "it.skip('adds'")
            .replaceAll('// line', '// other'),
        },
      });
      const { page, complaints } = await openPage(browser, reportPage(run));
      expect(await page.locator('.file').first().getAttribute('open')).toBeNull();
      await page.keyboard.press('j');
      expect(await page.evaluate(`document.activeElement?.textContent`)).toContain('is skipped');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.file').first().getAttribute('open')).not.toBeNull();
      expect(await page.evaluate(`location.hash`)).toBe('#f0n1');
      expect(await page.locator('#f0n1').isVisible()).toBe(true);
      await page.keyboard.press('u');
      expect(await page.evaluate(`document.activeElement?.textContent`)).toContain('is skipped');
      await page.keyboard.press('?');
      expect(await page.locator('#help').isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      await page.keyboard.press('n');
      expect(await page.evaluate(`document.activeElement?.tagName`)).toBe('SUMMARY');
      expect(complaints).toEqual([]);
      await page.close();
    });

    it('stays usable with 10,000 events and a patch of 2 MB', async () => {
      const line = (at: number): string =>
        `const value${at} = compute(${at}, 'some text of an ordinary length');`;
      const file = (from: number): string =>
        Array.from({ length: 3000 }, (_, at) => `${line(from + at)}\n`).join('');
      const files = Object.fromEntries(
        Array.from({ length: 10 }, (_, at) => [`src/file${at}.ts`, file(at * 3000)]),
      );
      const entries = Array.from({ length: 10_000 }, (_, at) =>
        tool(`npm run step-${at}`, `output of ${at}\n`.repeat(5)),
      );
      const run = await runWith({ after: files, entries });
      const text = reportPage(run);
      expect(text.length).toBeGreaterThan(2_000_000);
      const started = performance.now();
      const { page } = await openPage(browser, text);
      await page.keyboard.press('e');
      await page.evaluate(
        `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))`,
      );
      await page.keyboard.press('/');
      await page.keyboard.type('step-9999');
      await expect.poll(() => page.locator('#filter-count').textContent(), { timeout: 20_000 }).toBe('1');
      expect(await page.getByText('step-9999').first().isVisible()).toBe(true);
      // Generous: what must not happen is a page that does not answer.
      expect(performance.now() - started).toBeLessThan(30_000);
      await page.close();
    });

    it.each([
      ['dark', 'rgb(20, 23, 26)'],
      ['light', 'rgb(251, 251, 249)'],
    ])('is %s where the system is', async (scheme, colour) => {
      const { page } = await openPage(browser, reportPage(await runWith({})), { dark: scheme === 'dark' });
      expect(await page.evaluate(`getComputedStyle(document.body).backgroundColor`)).toBe(colour);
      await page.close();
    });

    it.each([320, 640, 1600])('never scrolls sideways at a width of %i', async (width) => {
      const long = 'word'.repeat(400);
      const run = await runWith({
        before: { [`src/${'long'.repeat(40)}.ts`]: `${long}\n` },
        after: { [`src/${'long'.repeat(40)}.ts`]: `${long}2\nconsole.log(${long})\n` },
        brief: long,
        finalMessage: long,
        entries: [tool(long, long)],
      });
      const { page } = await openPage(browser, reportPage(run), { width });
      expect(await page.evaluate(`document.documentElement.scrollWidth <= innerWidth`)).toBe(true);
      await page.close();
    });
  },
);
