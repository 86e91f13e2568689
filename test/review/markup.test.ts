import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml, html } from '../../src/review/html/markup.ts';
import { HOSTILE } from './pages.ts';

describe('a piece of a page', () => {
  it('escapes whatever is put into it, but pieces', () => {
    expect(html`<p title="${'"x'}">${'<b>'}${html`<i>${1}</i>`}${null}${[html`a`, html`b`]}</p>`.text).toBe(
      '<p title="&quot;x">&lt;b&gt;<i>1</i>ab</p>',
    );
  });

  it.each(HOSTILE)('leaves no sign that could end a text or an attribute in %j', (text) => {
    expect(escapeHtml(text)).not.toMatch(/[<>"'`]/);
  });

  it('is valid UTF-8 and free of what changes the look of code, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"'`]|&(?!(?:amp|lt|gt|quot|#39|#96);)/);
        // oxlint-disable-next-line no-control-regex
        expect(escaped).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(escaped.isWellFormed()).toBe(true);
      }),
    );
  });

  it('shows a lone surrogate and a sign that turns the direction by its number', () => {
    expect(escapeHtml('a\ud83d\u202eb\ud83d\ude00')).toBe('a\\ud83d\\u202eb\ud83d\ude00');
  });
});
